"""Compiled: supports with a learner more, a learner less or another one."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["extended", "promising", "set_seed", "shaken", "shortened"]

CANDIDATES = 6  # learners tried in the place of each one of the support


@njit(cache=True)
def promising(
    gain: NDArray[np.float64], support: NDArray[np.int64], allowed: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the learners outside of the support with the largest gains: none adds more to the value than that."""
    candidates = np.empty(min(CANDIDATES, allowed.size), dtype=np.int64)
    n = 0
    while n < candidates.size:
        best = -1
        for h in allowed:
            if (best < 0 or gain[h] > gain[best]) and not _has(support, h) and not _has(candidates[:n], h):
                best = h
        if best < 0:
            break
        candidates[n] = best
        n += 1
    return candidates[:n]


@njit(cache=True)
def _has(support: NDArray[np.int64], h: int) -> bool:
    for other in support:  # noqa: SIM110 (compiled)
        if other == h:
            return True
    return False


@njit(cache=True)
def extended(support: NDArray[np.int64], h: int) -> NDArray[np.int64]:
    longer = np.empty(support.size + 1, dtype=np.int64)
    for i in range(support.size):
        longer[i] = support[i]
    longer[support.size] = h
    return longer


@njit(cache=True)
def shortened(support: NDArray[np.int64], place: int) -> NDArray[np.int64]:
    shorter = np.empty(support.size - 1, dtype=np.int64)
    for i in range(shorter.size):
        shorter[i] = support[i if i < place else i + 1]
    return shorter


@njit(cache=True)
def set_seed(seed: int) -> None:
    np.random.seed(seed)  # noqa: NPY002 - numba's own generator


@njit(cache=True)
def shaken(support: NDArray[np.int64], allowed: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return all but one learner of the support, at random, another one replaced."""
    start = shortened(support, np.random.randint(support.size))  # noqa: NPY002
    h = allowed[np.random.randint(allowed.size)]  # noqa: NPY002
    if not _has(start, h):
        start[np.random.randint(start.size)] = h  # noqa: NPY002
    return start
