"""Reports: published beside recorded beside this build, claims and verdicts, tables and figures of the book."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from compactml.experiments import UnknownChapter

MODULES = {
    "condition-sharing": "compactml.report.condition_sharing",
    "boolean-rules": "compactml.report.boolean_rules",
    "feature-selection": "compactml.report.feature_selection",
    "ensemble-pruning": "compactml.report.ensemble_pruning",
    "pace": "compactml.report.pace",
}
"""Module of each chapter, with ``CLAIMS``, ``claim_data()`` and ``record(table, finished)``; imported lazily."""


def chapter(name: str) -> ModuleType:
    """Return a chapter's report module.

    Raises
    ------
    UnknownChapter
    """
    if name not in MODULES:
        raise UnknownChapter(name, MODULES)
    return import_module(MODULES[name])


def chapters() -> dict[str, ModuleType]:
    """Return the report modules of all chapters by name."""
    return {name: chapter(name) for name in MODULES}
