"""Compiled: which pairs of patterns cannot both be right once some classifiers are decided, as rows of bits."""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from compactml._kernels import popcount

__all__ = ["conflicts", "conflicts_if"]

Bits = NDArray[np.uint64]


@numba.njit(cache=True)
def conflicts(low: Bits, high: Bits, free: Bits, taken: Bits, none: Bits, excess_one: Bits) -> None:
    """Mark the pairs (b, a) with excess at most 0 (into ``none``) and equal to 1 (into ``excess_one``).

    The excess is the largest value of (b - a).x that the decisions leave: the sum of b - a over the classifiers
    taken and of max(0, b - a) over the free ones.

    Parameters
    ----------
    low, high : ndarray of uint64, shapes (m, w), (n, w)
        Packed patterns b and a.
    free, taken : ndarray of uint64, shape (w,)
        Packed sets of classifiers.
    none, excess_one : ndarray of uint64, shape (m, ceil(n / 64))
        Written: bit a of row b.
    """
    none[:], excess_one[:] = 0, 0
    for i in range(len(low)):
        for j in range(len(high)):
            excess = 0
            for w in range(len(free)):
                excess += popcount(low[i, w] & ~high[j, w] & (free[w] | taken[w]))
                excess -= popcount(high[j, w] & ~low[i, w] & taken[w])
            if excess <= 1:
                bit = np.uint64(1) << np.uint64(j & 63)
                if excess <= 0:
                    none[i, j >> 6] |= bit
                else:
                    excess_one[i, j >> 6] |= bit


@numba.njit(cache=True)
def conflicts_if(
    taken: bool, none: Bits, excess_one: Bits, low_votes: NDArray[np.bool_], high_votes: Bits, result: Bits
) -> None:
    """Write the conflicts after one more decision, from those before it.

    Leaving a classifier out lowers the excess by 1 where b votes positive and a does not, taking it where a does and b
    does not.

    Parameters
    ----------
    taken : bool
    none, excess_one : ndarray of uint64, shape (m, v)
        Of `conflicts`, before.
    low_votes : ndarray of bool, shape (m,)
        The classifier's votes on the patterns b.
    high_votes : ndarray of uint64, shape (v,)
        On the patterns a, packed.
    result : ndarray of uint64, shape (m, v)
        Written.
    """
    for i in range(len(none)):
        for w in range(none.shape[1]):
            if low_votes[i] == taken:
                result[i, w] = none[i, w]
            else:
                result[i, w] = none[i, w] | (excess_one[i, w] & (high_votes[w] if taken else ~high_votes[w]))
