"""Depth-first search for a support of a given size, by implicit hitting sets, in compiled code.

A support J whose largest least margin stays below epsilon has multipliers u >= 0 with sum 1 and (A'u)_h < epsilon
for all h in J. Weights on any support that reach epsilon satisfy epsilon <= max_h (A'u)_h, so such a support takes
one of the learners {h : (A'u)_h >= epsilon}. These sets are the cuts; a support must hit all of them. Sets of
learners are bits in words of 64.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from compactml.clock import Clock
from compactml.pace.weights._kernels.hitting import (
    CUT,
    DEPTH,
    FOUND,
    NODE_LIMIT,
    NODES,
    REFUTED,
    advanced,
    all_below,
    as_bits,
    smallest,
)
from compactml.pace.weights._kernels.simplex import gains
from compactml.pace.weights.games import best_weights
from compactml.solvers import MasterNotSolvedError

__all__ = ["FOUND", "NODE_LIMIT", "REFUTED", "search"]

NODES_PER_CALL = 200
"""After so many the clock is looked at, and at each step of making a cut: the games are what takes time."""


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
    allowed[0] = as_bits(learners)
    branches = np.zeros((size + 1, A.shape[1]), dtype=np.int64)
    tried = np.zeros((2, size + 1), dtype=np.int64)
    counters = np.array([0, 0, 1], dtype=np.int64)
    status = NODE_LIMIT
    while status in (NODE_LIMIT, CUT) and counters[NODES] < node_limit and not clock.stopped():
        most = min(counters[NODES] + NODES_PER_CALL, node_limit)
        pool = cuts[:n_cuts]
        status, u = advanced(A, epsilon, pool, chosen, allowed, branches, tried, counters, most)
        if status == CUT:
            strong = counters[DEPTH] < size
            cut = _strengthened(A, epsilon, u, clock) if strong else gains(A, u) >= epsilon
            cuts = cuts if n_cuts < len(cuts) else np.concatenate([cuts, np.zeros_like(cuts)])
            cuts[n_cuts] = as_bits(cut)
            n_cuts += 1
    found = chosen[: counters[DEPTH]].copy() if status == FOUND else chosen[:0]
    status = status if status in (REFUTED, FOUND) else NODE_LIMIT
    return status, found, cuts, n_cuts, int(counters[NODES])


def _strengthened(
    A: NDArray[np.float64], epsilon: float, multipliers: NDArray[np.float64], clock: Clock
) -> NDArray[np.bool_]:
    """A cut with fewer learners: as many as the time allows are let into the support that it refutes."""
    gain = gains(A, multipliers)
    cut = gain >= epsilon
    tried = ~cut
    while not tried.all() and not clock.stopped():
        h = smallest(gain, tried)
        tried[h], cut[h] = True, False
        refuted = np.flatnonzero(~cut)
        try:
            better = gains(A, best_weights(A, refuted, clock)[2])
        except MasterNotSolvedError:  # out of time
            cut[h] = True
            break
        if all_below(better, refuted, epsilon):
            gain = better
            cut &= gain >= epsilon
            tried |= ~cut
        else:
            cut[h] = True
    return cut
