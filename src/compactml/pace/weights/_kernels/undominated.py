"""Compiled: comparison of rows."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["keep"]


@njit(cache=True)
def keep(rows: NDArray[np.float64], kept: NDArray[np.int64], n_kept: int, start: int, stop: int) -> int:
    """Add to the kept rows those of a range that none of them makes needless; return how many there are now."""
    k = rows.shape[1]
    for i in range(start, stop):
        dominated = False
        for place in range(n_kept):
            other = kept[place]
            smaller = False
            for j in range(k):
                if rows[i, j] < rows[other, j]:
                    smaller = True
                    break
            if not smaller:
                dominated = True
                break
        if not dominated:
            kept[n_kept] = i
            n_kept += 1
    return n_kept
