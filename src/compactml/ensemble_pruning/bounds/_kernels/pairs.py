"""Compiled search for the pairs of sorted numbers whose sums lie in an interval."""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

__all__ = ["number_below", "pairs_between"]


@numba.njit(cache=True)
def number_below(values: NDArray[np.float64], most: float) -> int:
    """Return how many pairs i < j of increasing values have a sum below ``most``."""
    count, end = 0, len(values)
    for i in range(len(values)):
        while end > 0 and values[i] + values[end - 1] >= most:
            end -= 1
        if end <= i + 1:
            break
        count += end - i - 1
    return count


@numba.njit(cache=True)
def pairs_between(values: NDArray[np.float64], least: float, most: float) -> NDArray[np.int64]:
    """Return the pairs i < j of increasing values with a sum from ``least`` to below ``most``, in the order of i, j.

    Parameters
    ----------
    values : ndarray of float, shape (m,)
    least, most : float

    Returns
    -------
    ndarray of int, shape (r, 2)
    """
    pairs = np.empty((number_below(values, most) - number_below(values, least), 2), dtype=np.int64)
    count, start, end = 0, len(values), len(values)
    for i in range(len(values)):
        while start > 0 and values[i] + values[start - 1] >= least:
            start -= 1
        while end > 0 and values[i] + values[end - 1] >= most:
            end -= 1
        for j in range(max(start, i + 1), end):
            pairs[count, 0], pairs[count, 1] = i, j
            count += 1
    return pairs
