"""Which step of a run found its ensemble, and what its steps proved."""

from __future__ import annotations

from compactml.ensemble_pruning.result import PruningResult

START = "start"
"""Step of the ensembles that every run begins with: all negative, and a majority."""


def found_by(pruned: PruningResult) -> str:
    """The first step with the value of the result, `START` where none had a better ensemble."""
    return next(one.step for one in pruned.history if one.value == pruned.value)


def proved_bound(pruned: PruningResult) -> float:
    """The bound that the steps proved, infinite where none did; what is true of any votes is left out."""
    return pruned.history[-1].bound
