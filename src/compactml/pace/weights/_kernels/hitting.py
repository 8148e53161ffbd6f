"""Compiled: nodes of the search for hitting sets, and their cuts."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from compactml._kernels import popcount
from compactml.pace.weights._kernels.simplex import gains, game

__all__ = [
    "CUT",
    "DEPTH",
    "FOUND",
    "NODES",
    "NODE_LIMIT",
    "REFUTED",
    "advanced",
    "all_below",
    "as_bits",
    "smallest",
]

REFUTED, FOUND, NODE_LIMIT, FAILED, CUT = range(5)

DEPTH, NODES, FRESH = range(3)
"""Counters of a search: its depth, nodes visited, and whether the present one is new."""

ONE = np.uint64(1)


@njit(cache=True)
def advanced(
    A: NDArray[np.float64],
    epsilon: float,
    cuts: NDArray[np.uint64],
    chosen: NDArray[np.int64],
    allowed: NDArray[np.uint64],
    branches: NDArray[np.int64],
    tried: NDArray[np.int64],
    counters: NDArray[np.int64],
    most: int,
) -> tuple[int, NDArray[np.float64]]:
    """Go on with a search until it has visited ``most`` nodes or lacks a cut; a status and the last multipliers.

    With the status CUT the support taken so far hits all cuts, and the multipliers refute it; the node is visited, and
    counted, when the search goes on with the cut.
    """
    size, n_branches, place = chosen.size, tried[0], tried[1]
    depth, n_nodes, fresh = counters[DEPTH], counters[NODES], counters[FRESH] == 1
    status, u = REFUTED, np.empty(0)
    while depth >= 0:
        if fresh:
            if n_nodes >= most:
                status = NODE_LIMIT
                break
            taken = chosen[:depth]
            all_hit, count = _branches(cuts, taken, allowed[depth], size - depth, branches[depth])
            if all_hit:
                value, u = _value(A, taken)
                status = FOUND if value >= epsilon else CUT
                if status == CUT and not all_below(gains(A, u), taken, epsilon):
                    status = FAILED  # a numerical failure refutes nothing
                n_nodes += status != CUT
                break
            n_nodes += 1
            n_branches[depth], place[depth], fresh = count, 0, False
        if place[depth] < n_branches[depth]:
            h = branches[depth, place[depth]]
            place[depth] += 1
            allowed[depth, h // 64] &= ~(ONE << np.uint64(h % 64))  # later branches do without it
            chosen[depth] = h
            depth += 1
            for word in range(allowed.shape[1]):
                allowed[depth, word] = allowed[depth - 1, word]
            fresh = True
        else:
            depth -= 1
    counters[DEPTH], counters[NODES], counters[FRESH] = depth, n_nodes, fresh
    return status, u


@njit(cache=True)
def _value(A: NDArray[np.float64], support: NDArray[np.int64]) -> tuple[float, NDArray[np.float64]]:
    if support.size == 0:
        return -np.inf, np.full(A.shape[0], 1.0 / A.shape[0])
    value, _, u = game(A, support)
    return value, u


@njit(cache=True)
def all_below(gain: NDArray[np.float64], support: NDArray[np.int64], epsilon: float) -> bool:
    """Whether multipliers with these gains refute the support; NaN does not."""
    below = True
    for h in support:
        below &= gain[h] < epsilon
    return below


@njit(cache=True)
def smallest(gain: NDArray[np.float64], tried: NDArray[np.bool_]) -> int:
    best = -1
    for h in range(gain.size):
        if not tried[h] and (best < 0 or gain[h] < gain[best]):
            best = h
    return best


@njit(cache=True)
def _branches(
    cuts: NDArray[np.uint64],
    taken: NDArray[np.int64],
    allowed: NDArray[np.uint64],
    left: int,
    branches: NDArray[np.int64],
) -> tuple[bool, int]:
    """Learners of which one must be taken next: of the smallest cut not hit, for the last one of all of them.

    Returns whether all cuts are hit, and the number of learners written to ``branches``.
    """
    n_words = allowed.size
    mine = np.zeros(n_words, dtype=np.uint64)
    for h in taken:
        mine[h // 64] |= ONE << np.uint64(h % 64)
    best, fewest = allowed.copy(), 64 * n_words + 1
    all_hit = True
    for c in range(len(cuts)):
        hit, count = False, 0
        for word in range(n_words):
            if cuts[c, word] & mine[word]:
                hit = True
                break
            count += popcount(cuts[c, word] & allowed[word])
        if hit:
            continue
        all_hit = False
        if left == 0 or count == 0:
            return False, 0
        fewer = count < fewest
        for word in range(n_words):
            if left == 1:
                best[word] &= cuts[c, word]
            elif fewer:
                best[word] = cuts[c, word] & allowed[word]
        fewest = min(count, fewest)
    n = 0
    for h in range(64 * n_words):
        if not all_hit and best[h // 64] >> np.uint64(h % 64) & ONE:
            branches[n] = h
            n += 1
    return all_hit, n


@njit(cache=True)
def as_bits(mask: NDArray[np.bool_]) -> NDArray[np.uint64]:
    words = np.zeros((mask.size + 63) // 64, dtype=np.uint64)
    for h in range(mask.size):
        if mask[h]:
            words[h // 64] |= ONE << np.uint64(h % 64)
    return words
