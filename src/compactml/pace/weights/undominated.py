"""Rows of a margin matrix that no other row makes needless."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from compactml.clock import Clock
from compactml.pace.weights._kernels.undominated import keep

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
        n_kept = keep(rows, kept, n_kept, start, min(start + PER_LOOK, len(rows)))
    return np.sort(order[kept[:n_kept]])
