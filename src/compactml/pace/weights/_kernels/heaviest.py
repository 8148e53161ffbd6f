"""Compiled: sets of heaviest learners, and the combinations of rows that refute them."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["extended_sets", "refuted"]


@njit(cache=True)
def refuted(
    sets: NDArray[np.int64], gains: NDArray[np.int64], most: NDArray[np.int64], left: int
) -> NDArray[np.bool_]:
    """Which sets of heaviest learners cannot be completed by ``left`` others, shape (n,).

    Parameters
    ----------
    sets : ndarray of int64, shape (n, d)
    gains : ndarray of int64, shape (c, k)
        Of each combination of rows, what a unit of weight on a learner adds to it.
    most : ndarray of int64, shape (c, k + 1)
        Sum of its j largest positive gains, in column j.
    left : int
    """
    out = np.zeros(len(sets), dtype=np.bool_)
    last = -1
    for i in range(len(sets)):
        if last >= 0 and _refutes(sets[i], gains[last], most[last, left]):
            out[i] = True
            continue
        for c in range(len(gains) - 1, -1, -1):
            if _refutes(sets[i], gains[c], most[c, left]):
                out[i], last = True, c
                break
    return out


@njit(cache=True)
def _refutes(heaviest: NDArray[np.int64], gain: NDArray[np.int64], most: int) -> bool:
    lost = 0
    for h in heaviest:
        if gain[h] > 0:
            return False
        lost -= gain[h]
    return lost >= most


@njit(cache=True)
def extended_sets(sets: NDArray[np.int64], k: int) -> NDArray[np.int64]:
    """Each set with each other learner, ascending, as the digits of a number to the base k; with repetitions."""
    n, d = sets.shape
    out, place = np.empty(n * (k - d), dtype=np.int64), 0
    for i in range(n):
        for h in range(k):
            code, before, inside = 0, True, False
            for j in range(d):
                inside |= sets[i, j] == h
                if before and sets[i, j] > h:
                    code, before = code * k + h, False
                code = code * k + sets[i, j]
            if not inside:
                out[place] = code * k + h if before else code
                place += 1
    return out
