"""Rows of a margin matrix that no other row makes needless."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from compactml.clock import Clock

__all__ = ["undominated"]

PER_LOOK = 1000
"""Rows between two looks at the clock."""


def undominated(margins: NDArray[np.float64], clock: Clock | None = None) -> NDArray[np.intp]:
    """Rows to keep: weights w >= 0 that reach a margin on them reach it on every row.

    A row that is nowhere smaller than another one is implied by it; of equal rows the first is kept.

    Parameters
    ----------
    margins : ndarray of float, shape (m, k)
    clock : Clock, optional
        Rows that are not looked at in time are kept.

    Returns
    -------
    ndarray of int
        Ascending.
    """
    order = np.argsort(margins.sum(axis=1), kind="stable")  # no row is dominated by one with a larger sum
    rows = np.ascontiguousarray(margins[order])
    kept, n_kept = np.empty(len(rows), dtype=np.int64), 0
    for start in range(0, len(rows), PER_LOOK):
        if clock is not None and clock.stopped():
            return np.sort(np.concatenate([order[kept[:n_kept]], order[start:]]))
        n_kept = _keep(rows, kept, n_kept, start, min(start + PER_LOOK, len(rows)))
    return np.sort(order[kept[:n_kept]])


@njit(cache=True)
def _keep(rows: NDArray[np.float64], kept: NDArray[np.int64], n_kept: int, start: int, stop: int) -> int:
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
