"""Compiled bit tests on packed vectors of votes: dominance of pairs and small excess of quadruples."""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from compactml.bits import popcount

__all__ = ["dominance", "violated_quadruples"]


@numba.njit(cache=True)
def dominance(low: NDArray[np.uint64], high: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Whether each row of ``low`` is at most each row of ``high``, bit by bit.

    Parameters
    ----------
    low : ndarray of uint64, shape (m, w)
    high : ndarray of uint64, shape (n, w)

    Returns
    -------
    ndarray of bool, shape (m, n)
    """
    below = np.empty((len(low), len(high)), dtype=np.bool_)
    for i in range(len(low)):
        for j in range(len(high)):
            outside = np.uint64(0)
            for w in range(low.shape[1]):
                outside |= low[i, w] & ~high[j, w]
            below[i, j] = outside == 0
    return below


@numba.njit(cache=True)
def violated_quadruples(
    low: NDArray[np.uint64],
    high: NDArray[np.uint64],
    low_errors: NDArray[np.float64],
    high_errors: NDArray[np.float64],
    pairs: NDArray[np.int64],
    limits: tuple[int, int, int],
    work: int,
    target: float,
) -> tuple[NDArray[np.int64], int]:
    """Quadruples b1, b2, a1, a2 of excess at most 1 whose errors sum to less than ``target``.

    The excess of b1 + b2 - a1 - a2 is missing(a1) + missing(a2) + the bits of exactly one of b1, b2 that neither
    a1 nor a2 has, where missing(a) counts the bits of both b1 and b2 that a has not. So only vectors a with
    missing(a) <= 1 take part, and not two of those with 1: few enough to try all pairs.

    Parameters
    ----------
    low, high : ndarray of uint64, shapes (m, w), (n, w)
        Packed positive and negative patterns, each in the order of increasing errors.
    low_errors, high_errors : ndarray of float, shapes (m,), (n,)
    pairs : ndarray of int, shape (p, 2)
        Pairs b1 < b2 of rows of ``low`` to try, in this order.
    limits : tuple of three int
        Most quadruples for each pair, for each pattern, and in all.
    work : int
        Most tests of a vector or a pair of them, checked after each pair.
    target : float

    Returns
    -------
    found : ndarray of int, shape (r, 4)
        Rows b1, b2 of ``low`` and a1 < a2 of ``high``. An equal pair would only repeat a dominance.
    tests : int
    """
    per_pair, per_pattern, most = limits
    n, words = high.shape
    uses_low, uses_high = np.zeros(len(low), dtype=np.int64), np.zeros(n, dtype=np.int64)
    candidates, missing = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    both, one = np.empty(words, dtype=np.uint64), np.empty(words, dtype=np.uint64)
    found = np.empty((most, 4), dtype=np.int64)
    count = tests = 0
    for p in range(len(pairs)):
        i, j = pairs[p, 0], pairs[p, 1]
        if uses_low[i] >= per_pattern or uses_low[j] >= per_pattern:
            continue
        room = target - low_errors[i] - low_errors[j]
        for w in range(words):
            both[w], one[w] = low[i, w] & low[j, w], low[i, w] ^ low[j, w]
        size = 0
        for a in range(n):
            if high_errors[a] >= room:
                break
            tests += 1
            absent = 0
            for w in range(words):
                absent += popcount(both[w] & ~high[a, w])
            if absent <= 1 and uses_high[a] < per_pattern:
                candidates[size], missing[size] = a, absent
                size += 1
        hits = 0
        for s in range(size):
            a = candidates[s]
            for t in range(s + 1, size):
                b = candidates[t]
                if high_errors[a] + high_errors[b] >= room:
                    break
                tests += 1
                excess = missing[s] + missing[t]
                if excess <= 1:
                    for w in range(words):
                        excess += popcount(one[w] & ~(high[a, w] | high[b, w]))
                if excess <= 1:
                    found[count] = i, j, a, b
                    count, hits = count + 1, hits + 1
                    for k, uses in ((i, uses_low), (j, uses_low), (a, uses_high), (b, uses_high)):
                        uses[k] += 1
                    break
            if hits == per_pair or count == most:
                break
        if count == most or tests >= work:
            break
    return found[:count], tests
