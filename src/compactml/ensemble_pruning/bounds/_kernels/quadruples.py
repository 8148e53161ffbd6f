"""Compiled bit tests on packed vectors of votes: dominance of pairs and small excess of quadruples."""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from compactml._kernels import first_bit, popcount

__all__ = ["QuadrupleSearch", "dominance", "extend", "quadruple_search"]

LAST, EVERY = np.uint64(1), np.uint64(2**64 - 1)
"""The lowest bit of a word, and all."""


@numba.njit(cache=True)
def dominance(low: NDArray[np.uint64], high: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return whether each row of ``low`` is at most each row of ``high``, bit by bit.

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
def lacking_sets(high: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Return the bits of a row, those that most rows lack first, and for 64 rows at a time which ones lack each bit."""
    n, words = high.shape
    sets = np.zeros(((n + 63) // 64, 64 * words), dtype=np.uint64)
    lacked = np.zeros(64 * words, dtype=np.int64)
    for a in range(n):
        for c in range(64 * words):
            if not (high[a, c >> 6] >> np.uint64(c & 63)) & LAST:
                sets[a >> 6, c] |= LAST << np.uint64(a & 63)
                lacked[c] += 1
    return np.argsort(-lacked), sets


@numba.njit(cache=True)
def lacking(
    sets: NDArray[np.uint64], q: int, bits: NDArray[np.int64], n_bits: int
) -> tuple[np.uint64, np.uint64]:
    """Return which rows of word q lack at least one, and at least two, of some bits; it stops when all lack two."""
    once = twice = np.uint64(0)
    for k in range(n_bits):
        rows = sets[q, bits[k]]
        twice |= once & rows
        once |= rows
        if twice == EVERY:
            break
    return once, twice


@numba.njit(cache=True)
def gather(
    sets: NDArray[np.uint64],
    bits: NDArray[np.int64],
    n_bits: int,
    n_rows: int,
    uses: NDArray[np.int64],
    most_uses: int,
    candidates: NDArray[np.int64],
    missing: NDArray[np.int64],
) -> int:
    """Write which of the first rows lack at most one of some bits, and how many; those used often are left out."""
    size = 0
    for q in range((n_rows + 63) // 64):
        once, twice = lacking(sets, q, bits, n_bits)
        left = ~twice
        if q == n_rows // 64:
            left &= (LAST << np.uint64(n_rows & 63)) - LAST
        while left:
            bit = first_bit(left)
            left &= left - LAST
            a = 64 * q + bit
            if uses[a] < most_uses:
                candidates[size], missing[size] = a, np.int64((once >> np.uint64(bit)) & LAST)
                size += 1
    return size


class QuadrupleSearch(NamedTuple):
    """What a search for quadruples reads, and what it has found so far.

    Attributes
    ----------
    low, high : ndarray of uint64, shapes (m, w), (n, w)
        Packed positive and negative patterns, each in the order of increasing errors.
    low_errors, high_errors : ndarray of float, shapes (m,), (n,)
    order, sets : ndarray
        See `lacking_sets`.
    uses_low, uses_high : ndarray of int, shapes (m,), (n,)
        Quadruples found of each pattern.
    quadruples : ndarray of int, shape (most, 4)
        Rows b1, b2 of ``low`` and a1 < a2 of ``high``. An equal pair would only repeat a dominance.
    counts : ndarray of int, shape (2,)
        How many quadruples are written, and tests of a vector or a pair of them so far.
    """

    low: NDArray[np.uint64]
    high: NDArray[np.uint64]
    low_errors: NDArray[np.float64]
    high_errors: NDArray[np.float64]
    order: NDArray[np.int64]
    sets: NDArray[np.uint64]
    uses_low: NDArray[np.int64]
    uses_high: NDArray[np.int64]
    quadruples: NDArray[np.int64]
    counts: NDArray[np.int64]


@numba.njit(cache=True)
def quadruple_search(
    low: NDArray[np.uint64],
    high: NDArray[np.uint64],
    low_errors: NDArray[np.float64],
    high_errors: NDArray[np.float64],
    most: int,
) -> QuadrupleSearch:
    """Return a search that has room for ``most`` quadruples and has found none."""
    order, sets = lacking_sets(high)
    uses_low, uses_high = np.zeros(len(low), dtype=np.int64), np.zeros(len(high), dtype=np.int64)
    quadruples, counts = np.empty((most, 4), dtype=np.int64), np.zeros(2, dtype=np.int64)
    return QuadrupleSearch(
        low, high, low_errors, high_errors, order, sets, uses_low, uses_high, quadruples, counts
    )


@numba.njit(cache=True)
def extend(
    search: QuadrupleSearch, pairs: NDArray[np.int64], limits: tuple[int, int], work: int, target: float
) -> bool:
    """Find quadruples b1, b2, a1, a2 of excess at most 1 whose errors sum to less than ``target``.

    The excess of b1 + b2 - a1 - a2 is missing(a1) + missing(a2) + the bits of exactly one of b1, b2 that neither
    a1 nor a2 has, where missing(a) counts the bits of both b1 and b2 that a has not. So only vectors a with
    missing(a) <= 1 take part, and not two of those with 1: few enough to try all pairs. They are found for 64 vectors a
    at a time.

    Parameters
    ----------
    search : QuadrupleSearch
        What is found is added.
    pairs : ndarray of int, shape (p, 2)
        Pairs b1 < b2 of rows of ``low`` to try, in this order.
    limits : tuple of two int
        Most quadruples for each pair, and for each pattern.
    work : int
        Most tests of the whole search, checked after each pair.
    target : float

    Returns
    -------
    bool
        Whether the search is at an end: as many quadruples as there is room for, or the tests are used up.
    """
    low, high, low_errors, high_errors, order, sets, uses_low, uses_high, quadruples, counts = search
    per_pair, per_pattern = limits
    n, words = high.shape
    candidates, missing = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    both, differing = np.empty(words, dtype=np.uint64), np.empty(words, dtype=np.uint64)
    of_both = np.empty(64 * words, dtype=np.int64)
    most, (count, tests) = len(quadruples), counts
    for p in range(len(pairs)):
        i, j = pairs[p, 0], pairs[p, 1]
        if uses_low[i] >= per_pattern or uses_low[j] >= per_pattern:
            continue
        room = target - low_errors[i] - low_errors[j]
        for w in range(words):
            both[w], differing[w] = low[i, w] & low[j, w], low[i, w] ^ low[j, w]
        open_ = np.searchsorted(high_errors, room)
        tests += open_
        n_both = 0
        for c in order:
            if (both[c >> 6] >> np.uint64(c & 63)) & LAST:
                of_both[n_both] = c
                n_both += 1
        size = gather(sets, of_both, n_both, open_, uses_high, per_pattern, candidates, missing)
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
                        excess += popcount(differing[w] & ~(high[a, w] | high[b, w]))
                if excess <= 1:
                    quadruples[count] = i, j, a, b
                    count, hits = count + 1, hits + 1
                    for k, uses in ((i, uses_low), (j, uses_low), (a, uses_high), (b, uses_high)):
                        uses[k] += 1
                    break
            if hits == per_pair or count == most:
                break
        if count == most or tests >= work:
            break
    counts[0], counts[1] = count, tests
    return count == most or tests >= work
