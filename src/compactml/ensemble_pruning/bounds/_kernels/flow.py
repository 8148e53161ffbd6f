"""Compiled: a maximum flow on conflicts that are rows of bits, continued from a flow on fewer conflicts."""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from compactml._kernels import first_bit
from compactml.ensemble_pruning.bounds._kernels.conflicts import conflicts_if

__all__ = ["Arcs", "Flow", "augmented", "gains_of_decisions", "packed_flow", "unpacked_flow"]

Integers = NDArray[np.int64]
Bits = NDArray[np.uint64]


class Arcs(NamedTuple):
    """Pairs (low, high) that carry flow, and how much; for keeping."""

    low: NDArray[np.int32]
    high: NDArray[np.int32]
    amount: NDArray[np.int64]


class Flow(NamedTuple):
    """A flow with the lists that augmenting needs: the arcs of each pattern a, linked by ``then`` from ``first``."""

    spare_low: Integers
    spare_high: Integers
    first: Integers
    then: Integers
    low: Integers
    amount: Integers
    n_arcs: Integers


@numba.njit(cache=True)
def unpacked_flow(arcs: Arcs, low_capacity: Integers, high_capacity: Integers, most_arcs: int) -> Flow:
    """Return the lists of a kept flow."""
    flow = Flow(
        low_capacity.copy(),
        high_capacity.copy(),
        np.full(len(high_capacity), -1, dtype=np.int64),
        np.empty(most_arcs, dtype=np.int64),
        np.empty(most_arcs, dtype=np.int64),
        np.zeros(most_arcs, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )
    for k in range(len(arcs.low)):
        b, a = np.int64(arcs.low[k]), np.int64(arcs.high[k])
        _send(flow, b, a, arcs.amount[k])
        flow.spare_low[b] -= arcs.amount[k]
        flow.spare_high[a] -= arcs.amount[k]
    return flow


@numba.njit(cache=True)
def packed_flow(flow: Flow) -> Arcs:
    """Return the arcs that carry something."""
    count = 0
    for k in range(flow.n_arcs[0]):
        count += flow.amount[k] > 0
    arcs = Arcs(
        np.empty(count, dtype=np.int32), np.empty(count, dtype=np.int32), np.empty(count, dtype=np.int64)
    )
    count = 0
    for a in range(len(flow.first)):
        k = flow.first[a]
        while k >= 0:
            if flow.amount[k] > 0:
                arcs.low[count], arcs.high[count], arcs.amount[count] = flow.low[k], a, flow.amount[k]
                count += 1
            k = flow.then[k]
    return arcs


@numba.njit(cache=True)
def _copied(flow: Flow) -> Flow:
    return Flow(
        flow.spare_low.copy(),
        flow.spare_high.copy(),
        flow.first.copy(),
        flow.then.copy(),
        flow.low.copy(),
        flow.amount.copy(),
        flow.n_arcs.copy(),
    )


@numba.njit(cache=True)
def _send(flow: Flow, b: np.int64, a: int | np.int64, amount: np.int64) -> None:
    """More flow from b to a; there is room for another arc."""
    k = flow.first[a]
    while k >= 0 and flow.low[k] != b:
        k = flow.then[k]
    if k < 0:
        k = flow.n_arcs[0]
        flow.n_arcs[0] += 1
        flow.low[k], flow.amount[k] = b, 0
        flow.then[k], flow.first[a] = flow.first[a], k
    flow.amount[k] += amount


@numba.njit(cache=True)
def augmented(adjacent: Bits, flow: Flow, enough: int) -> int:
    """Augment a flow until it is maximal or has gained enough; what it has gained.

    Breadth-first from all b with spare capacity at once. Each such root grows a tree of its own and is augmented
    along the first path found; the trees have no pattern in common, so one search augments many.

    Parameters
    ----------
    adjacent : ndarray of uint64, shape (m, v)
        Conflicts.
    flow : Flow
        Changed.
    enough : int
    """
    m, n = len(flow.spare_low), len(flow.spare_high)
    root, arc = np.empty(m, dtype=np.int64), np.empty(m, dtype=np.int64)
    before, reached = np.empty(m, dtype=np.int64), np.empty(n, dtype=np.int64)
    queue, done = np.empty(m, dtype=np.int64), np.empty(m, dtype=np.bool_)
    unseen = np.empty(adjacent.shape[1], dtype=np.uint64)
    gain, more = 0, True
    while more and gain < enough:
        more = False
        unseen[:] = ~np.uint64(0)
        root[:], done[:] = -1, False
        size = at = 0
        for b in range(m):
            if flow.spare_low[b] > 0:
                queue[size], root[b], before[b] = b, b, -1
                size += 1
        while at < size:
            b = queue[at]
            at += 1
            for w in range(len(unseen)):
                fresh = adjacent[b, w] & unseen[w]
                if done[root[b]] or fresh == 0:
                    continue
                while fresh != 0:
                    bit = first_bit(fresh)
                    fresh &= fresh - np.uint64(1)
                    unseen[w] ^= np.uint64(1) << np.uint64(bit)
                    a = w * 64 + bit
                    reached[a] = b
                    if flow.spare_high[a] > 0:
                        sent = _augment(flow, a, reached, before, arc)
                        if sent == 0:
                            return gain
                        gain, more, done[root[b]] = gain + sent, True, True
                        break
                    k = flow.first[a]
                    while k >= 0:
                        other = flow.low[k]
                        if flow.amount[k] > 0 and root[other] < 0:
                            queue[size], root[other], before[other], arc[other] = other, root[b], a, k
                            size += 1
                        k = flow.then[k]
    return gain


@numba.njit(cache=True)
def _augment(flow: Flow, end: int, reached: Integers, before: Integers, arc: Integers) -> int:
    """Send what the path to ``end`` takes; 0 if there is no room for its arcs."""
    sent, steps = flow.spare_high[end], 1
    b = reached[end]
    while before[b] >= 0:
        sent = min(sent, flow.amount[arc[b]])
        steps += 1
        b = reached[before[b]]
    sent = min(sent, flow.spare_low[b])
    if flow.n_arcs[0] + steps > len(flow.low):
        return 0
    flow.spare_high[end] -= sent
    flow.spare_low[b] -= sent
    a, b = end, reached[end]
    _send(flow, b, a, sent)
    while before[b] >= 0:
        flow.amount[arc[b]] -= sent
        a = before[b]
        b = reached[a]
        _send(flow, b, a, sent)
    return sent


@numba.njit(cache=True)
def gains_of_decisions(
    none: Bits,
    excess_one: Bits,
    low_votes: NDArray[np.bool_],
    high_votes: Bits,
    classifiers: Integers,
    flow: Flow,
    enough: int,
) -> Integers:
    """Return what the flow gains where each classifier is left out or taken, shape (c, 2); exact up to ``enough``.

    Parameters
    ----------
    none, excess_one : ndarray of uint64, shape (m, v)
        Conflicts before the decision, and pairs of excess 1.
    low_votes : ndarray of bool, shape (K, m)
    high_votes : ndarray of uint64, shape (K, v)
    classifiers : ndarray of int, shape (c,)
    flow : Flow
        Maximal before the decision; not changed.
    enough : int
    """
    gains = np.empty((len(classifiers), 2), dtype=np.int64)
    after = np.empty_like(none)
    for k in range(len(classifiers)):
        c = classifiers[k]
        for taken in range(2):
            conflicts_if(taken == 1, none, excess_one, low_votes[c], high_votes[c], after)
            gains[k, taken] = augmented(after, _copied(flow), enough)
    return gains
