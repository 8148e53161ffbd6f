"""Depth-first search for a support of a given size, by implicit hitting sets, in compiled code.

A support J whose largest least margin stays below epsilon has multipliers u >= 0 with sum 1 and (A'u)_h < epsilon
for all h in J. Weights on any support that reach epsilon satisfy epsilon <= max_h (A'u)_h, so such a support takes
one of the learners {h : (A'u)_h >= epsilon}. These sets are the cuts; a support must hit all of them. Sets of
learners are bits in words of 64.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from compactml._kernels import popcount
from compactml.clock import Clock
from compactml.pace.weights._kernels.simplex import gains, game

__all__ = ["FOUND", "NODE_LIMIT", "REFUTED", "search"]

REFUTED, FOUND, NODE_LIMIT, FAILED, CUT = range(5)
DEPTH, NODES, FRESH = range(3)
"""Counters of a search: its depth, nodes visited, and whether the present one is new."""
NODES_PER_CALL = 200
"""After so many the clock is looked at, and at each step of making a cut: the games are what takes time."""

ONE = np.uint64(1)


def search(
    A: NDArray[np.float64],
    epsilon: float,
    size: int,
    cuts: NDArray[np.uint64],
    n_cuts: int,
    learners: NDArray[np.bool_],
    node_limit: int,
    clock: Clock,
) -> tuple[int, NDArray[np.int64], NDArray[np.uint64], int, int]:
    """Look for a support of ``size`` >= 1 of the given learners that reaches epsilon, extending the pool of cuts.

    Returns
    -------
    status : int
        REFUTED: proved that there is none; FOUND; NODE_LIMIT: unknown, also because the clock stopped.
    support : ndarray of int
        At most ``size`` learners; none unless FOUND.
    cuts, n_cuts
        The pool, its first ``n_cuts`` rows in use.
    n_nodes : int
    """
    chosen = np.empty(size, dtype=np.int64)
    allowed = np.empty((size + 1, cuts.shape[1]), dtype=np.uint64)  # not yet excluded at each depth
    allowed[0] = _bits(learners)
    branches = np.zeros((size + 1, A.shape[1]), dtype=np.int64)
    tried = np.zeros((2, size + 1), dtype=np.int64)
    counters = np.array([0, 0, 1], dtype=np.int64)
    status = NODE_LIMIT
    while status in (NODE_LIMIT, CUT) and counters[NODES] < node_limit and not clock.stopped():
        most = min(counters[NODES] + NODES_PER_CALL, node_limit)
        pool = cuts[:n_cuts]
        status, u = _advanced(A, epsilon, pool, chosen, allowed, branches, tried, counters, most)
        if status == CUT:
            strong = counters[DEPTH] < size
            cut = _strengthened(A, epsilon, u, clock) if strong else gains(A, u) >= epsilon
            cuts = cuts if n_cuts < len(cuts) else np.concatenate([cuts, np.zeros_like(cuts)])
            cuts[n_cuts] = _bits(cut)
            n_cuts += 1
    found = chosen[: counters[DEPTH]].copy() if status == FOUND else chosen[:0]
    status = status if status in (REFUTED, FOUND) else NODE_LIMIT
    return status, found, cuts, n_cuts, int(counters[NODES])


@njit(cache=True)
def _advanced(
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
                if status == CUT and not _below(gains(A, u), taken, epsilon):
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
            allowed[depth], fresh = allowed[depth - 1], True
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
def _below(gain: NDArray[np.float64], support: NDArray[np.int64], epsilon: float) -> bool:
    """Whether multipliers with these gains refute the support; NaN does not."""
    below = True
    for h in support:
        below &= gain[h] < epsilon
    return below


def _strengthened(
    A: NDArray[np.float64], epsilon: float, multipliers: NDArray[np.float64], clock: Clock
) -> NDArray[np.bool_]:
    """A cut with fewer learners: as many as the time allows are let into the support that it refutes."""
    gain = gains(A, multipliers)
    cut = gain >= epsilon
    tried = ~cut
    while not tried.all() and not clock.stopped():
        h = _smallest(gain, tried)
        tried[h], cut[h] = True, False
        refuted = np.flatnonzero(~cut)
        better = gains(A, game(A, refuted)[2])
        if _below(better, refuted, epsilon):
            gain = better
            cut &= gain >= epsilon
            tried |= ~cut
        else:
            cut[h] = True
    return cut


@njit(cache=True)
def _smallest(gain: NDArray[np.float64], tried: NDArray[np.bool_]) -> int:
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
        if left == 1:
            best &= cuts[c]
        elif count < fewest:
            fewest = count
            best = cuts[c] & allowed
    n = 0
    for h in range(64 * n_words):
        if not all_hit and best[h // 64] >> np.uint64(h % 64) & ONE:
            branches[n] = h
            n += 1
    return all_hit, n


@njit(cache=True)
def _bits(mask: NDArray[np.bool_]) -> NDArray[np.uint64]:
    words = np.zeros((mask.size + 63) // 64, dtype=np.uint64)
    for h in np.flatnonzero(mask):
        words[h // 64] |= ONE << np.uint64(h % 64)
    return words
