"""The public names by package: what is called, and the few of which there is nothing to call."""

from __future__ import annotations

from importlib import import_module

from tests.fuzz.calling import Target

__all__ = ["NOTHING_TO_CALL", "NOT_PUBLIC", "PACKAGES", "targets_of"]

PACKAGES = (
    "boolean_rules", "boolean_rules.competitors", "chapters", "condition_sharing", "datasets", "ensemble_pruning",
    "feature_selection", "forests", "model_files", "pace", "solvers", "study",
)  # fmt: skip
NOT_PUBLIC = {
    "cli": "a program, whose arguments are words of a command line",
    "tutorials": "serves the tutorials' pages alone, and says that it checks nothing",
}
"""Packages with a face that no user calls."""
NOTHING_TO_CALL = {
    "boolean_rules.UNIT": "a number",
    "boolean_rules.Clause": "a name of a type",
    "boolean_rules.competitors.CartClassifier": "scikit-learn's tree, which refuses in its own way",
    "boolean_rules.competitors.RuleSetClassifier": "what the others share",
    "chapters.every_chapter": "without arguments",
    "chapters.names": "without arguments",
    "datasets.describe": "without arguments",
    "datasets.keys": "without arguments",
    "forests.SUPPORTED": "a tuple of types",
    "solvers.SOLVERS": "a tuple of names",
    "solvers.Level": "an enumeration",
    "solvers.Outcome": "an enumeration",
    "solvers.Verdict": "an enumeration",
    "solvers.answers": "without arguments",
    "solvers.self_test": "without arguments",
    "solvers.solver_identity": "without arguments",
    "solvers.solver_table": "without arguments",
    "solvers.usable_solvers": "without arguments",
    "study.Finished": "what a run gives",
    "study.Profile": "an enumeration",
    "study.Result": "a name of a type",
}
"""Beside errors and warnings, which only this library makes."""


def targets_of(package: str) -> tuple[Target, ...]:
    """Return the targets of a package, in the order of their names."""
    targets: tuple[Target, ...] = import_module(f"tests.fuzz.targets.{package.replace('.', '_')}").TARGETS
    return tuple(sorted(targets))
