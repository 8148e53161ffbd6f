"""Which tests `make quicktest` runs: the first case of each function, every case of the claims, nothing slow."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

SLOW = frozenset((Path(__file__).parent / "slow.txt").read_text(encoding="utf-8").split())
"""Functions whose first case takes more than half a second, or which start processes; measured, one a line."""
SLOW_FOLDERS = ("tests/faults/",)
"""Folders of which nothing is run: what kills, damages and misleads takes minutes."""
WHOLE = ("test_claims.py", "test_declaring.py", "test_evidence.py")
"""Files of which every case is run: each claim holds on what the paper states and falls with its numbers."""


def function_of(item: pytest.Item) -> str:
    """Return the name of a test without its case."""
    return item.nodeid.partition("[")[0]


def is_slow(name: str) -> bool:
    """Return whether a quick run leaves a test out, all its cases."""
    return name in SLOW or name.startswith(SLOW_FOLDERS)


def chosen(items: Sequence[pytest.Item]) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """Return the tests that are run, and the others."""
    kept, left, seen = [], [], set()
    for item in items:
        name = function_of(item)
        whole = item.path.name in WHOLE
        first = name not in seen
        seen.add(name)
        (kept if not is_slow(name) and (whole or first) else left).append(item)
    return kept, left
