"""Rows of a margin matrix that no other row makes needless."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["undominated"]


def undominated(margins: NDArray[np.float64]) -> NDArray[np.intp]:
    """Rows to keep: weights w >= 0 that reach a margin on them reach it on every row.

    A row that is nowhere smaller than another one is implied by it; of equal rows the first is kept.

    Parameters
    ----------
    margins : ndarray of float, shape (m, k)

    Returns
    -------
    ndarray of int
        Ascending.
    """
    order = np.argsort(margins.sum(axis=1), kind="stable")  # no row is dominated by one with a larger sum
    kept = _kept(np.ascontiguousarray(margins[order]))
    return np.sort(order[kept])


@njit(cache=True)
def _kept(rows: NDArray[np.float64]) -> NDArray[np.int64]:
    m, k = rows.shape
    kept = np.empty(m, dtype=np.int64)
    n_kept = 0
    for i in range(m):
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
    return kept[:n_kept]
