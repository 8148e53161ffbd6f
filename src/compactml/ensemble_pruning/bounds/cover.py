"""Covering rows over the errors of the patterns, and the exact bound that multipliers on them prove.

A row is a set of patterns of which every ensemble calls at least one wrong: the sum of their e is >= 1. Whatever
rows hold, and whatever multipliers y >= 0 they get, from an LP solver or from anywhere,

    sum of |g_p| e_p >= sum of y_r - sum over p of max(0, sum of y_r over the rows r with p, less |g_p|),

because e_p <= 1 pays for every excess over |g_p|. So the solver is not trusted: its duals are rounded to integers
over a power of two, and the right-hand side is evaluated in integers.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

__all__ = ["cover_rows", "proved_errors"]

EXACT_BITS = 52
"""Sums of integers below 2**52 are exact in int64 and, as one number, as a float."""


def cover_rows(groups: NDArray[np.intp], n_patterns: int) -> sparse.csr_array:
    """Rows "at least one of these patterns is called wrong".

    Parameters
    ----------
    groups : ndarray of int, shape (r, k)
        A pattern may stand in its group twice.
    n_patterns : int
        m.

    Returns
    -------
    csr_array of float, shape (r, m)
        1 for each pattern of a group.
    """
    where = np.repeat(np.arange(len(groups)), groups.shape[1]), groups.ravel()
    rows = sparse.csr_array((np.ones(groups.size), where), shape=(len(groups), n_patterns))
    rows.sum_duplicates()
    rows.data[:] = 1.0
    return rows


def proved_errors(
    rows: sparse.csr_array, multipliers: NDArray[np.float64], gains: NDArray[np.float64], integral: bool
) -> float:
    """Lower bound on the cost of errors that multipliers prove, evaluated in integers.

    Parameters
    ----------
    rows : csr_array of 0/1, shape (r, m)
        Of `cover_rows`.
    multipliers : ndarray of float, shape (r,)
        Any numbers; those below 0 count as 0.
    gains : ndarray of float, shape (m,)
    integral : bool
        Whether gains are integers: then the bound is rounded up.

    Returns
    -------
    float
        At least 0.
    """
    positive = np.maximum(multipliers, 0.0)
    total = float(np.abs(gains).sum() + positive.sum()) + 1.0
    shift = EXACT_BITS - math.ceil(math.log2(total))
    # Rounding both down is safe: any multipliers will do, and a smaller |g| makes the bound smaller.
    y = np.floor(np.ldexp(positive, shift)).astype(np.int64)
    price = np.floor(np.ldexp(np.abs(gains), shift)).astype(np.int64)
    excess = np.maximum(rows.astype(np.int64).T @ y - price, 0)
    proved = max(int(y.sum()) - int(excess.sum()), 0)
    if integral and shift > 0:
        return float(-(-proved >> shift))
    return math.ldexp(proved, -shift)
