"""What a maximum flow gains by the decisions on classifiers, a few of them between two looks at the clock."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from compactml.clock import Clock
from compactml.ensemble_pruning.bounds._kernels.flow import Flow, gains_of_decisions

__all__ = ["gains_within"]

WORDS_AT_ONCE = 10_000_000
"""Of rows of conflicts that are written between two looks at the clock: a tenth of a second or so."""


def gains_within(
    none: NDArray[np.uint64],
    excess_one: NDArray[np.uint64],
    low_votes: NDArray[np.bool_],
    high_votes: NDArray[np.uint64],
    classifiers: NDArray[np.intp],
    flow: Flow,
    enough: int,
    clock: Clock,
) -> NDArray[np.int64] | None:
    """Return what `gains_of_decisions` does, of one classifier at least; None where the time is over before."""
    at_once = max(WORDS_AT_ONCE // max(none.size, 1), 1)
    parts = []
    for start in range(0, len(classifiers), at_once):
        if clock.stopped():
            return None
        part = classifiers[start : start + at_once]
        parts.append(gains_of_decisions(none, excess_one, low_votes, high_votes, part, flow, enough))
    return np.concatenate(parts)
