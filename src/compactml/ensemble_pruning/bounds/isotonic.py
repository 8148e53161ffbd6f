"""The isotonic bound: what no monotone combination of the votes can exceed, by a maximum flow.

It is not in the paper. "Positive iff more than L of the selected classifiers vote positive" is monotone in the vector
of votes. So where a positive pattern b is at most a negative pattern a in every classifier, calling b positive makes a
positive too, and at least one of the two is called wrong:

    e_b + e_a >= 1    for all b <= a.

The cheapest set of errors that meets these rows is a minimum weighted vertex cover of a bipartite graph. Its weight
bounds the cost of errors of every (S, L) from below, and so ``ideal`` less that cost the objective (1) from above:
for every weighting, and with diversity constraints too, which only take ensembles away. By König's theorem the weight
of the cover is a maximum flow from a source through b (capacity g_b) and a (capacity -g_a) to a sink. The flow itself
is the proof: flow y_ba >= 0 on the conflicts that stays within every capacity gives

    errors >= sum of |g_p| e_p >= sum over b <= a of y_ba (e_b + e_a) >= sum of y_ba.

The bound is attained by a monotone combination: call a vector positive iff it is at least some positive pattern
outside the cover.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.sparse import csgraph

from compactml.clock import Clock
from compactml.ensemble_pruning.bounds.cover import cover_rows
from compactml.ensemble_pruning.bounds.dominated import dominated_pairs
from compactml.ensemble_pruning.instance import PruningInstance

__all__ = [
    "Conflicts",
    "IsotonicBound",
    "capacities",
    "conflicts_of",
    "isotonic_bound",
    "isotonic_of",
    "isotonic_on",
]

LARGEST_FLOW = 2**31 - 1
"""scipy counts flow in 32 bits."""
LATE_PAIRS = 100_000
"""Conflicts whose flow takes no more than some tenths of a second."""


@dataclass(frozen=True, eq=False)
class IsotonicBound:
    """Bound on every monotone combination of the votes.

    Attributes
    ----------
    bound : float
        No ensemble and threshold have a larger objective (1).
    errors : float
        Least cost of errors of a monotone combination, in units of the instance.
    cover : ndarray of bool, shape (m,)
        Patterns that a best monotone combination calls wrong.
    rows : csr_array of float, shape (r, m)
        The conflicts that carry flow: in each, at least one of the two patterns is called wrong. They alone prove
        the bound.

    Examples
    --------
    >>> from compactml.ensemble_pruning import isotonic_bound
    >>> votes = [[1, 1, 0], [1, 0, 1], [0, 1, 1], [0, 1, 0], [0, 0, 1]]
    >>> y = [1, 1, 1, 0, 0]
    >>> isotonic_bound(votes, y).bound
    5.0
    """

    bound: float
    errors: float
    cover: NDArray[np.bool_]
    rows: sparse.csr_array


class Conflicts(NamedTuple):
    """Dominated pairs of an instance, and the bound that they prove."""

    pairs: NDArray[np.intp]
    isotonic: IsotonicBound


def isotonic_bound(votes: ArrayLike, y: ArrayLike, *, weights: Any = None) -> IsotonicBound:
    """Largest value of (1) that any monotone combination of the votes can reach.

    Parameters
    ----------
    votes : array-like of 0/1, shape (n, K)
        1 where a classifier votes positive.
    y : array-like of 0/1, shape (n,)
    weights : str, four numbers, or Weights, optional
        As in `objective_weights`; accuracy by default.

    Raises
    ------
    InvalidDataError, InvalidParameterError

    Examples
    --------
    The second point is positive although nobody says so, the last negative although all say positive.

    >>> isotonic_bound([[1, 0], [0, 0], [0, 1], [1, 1]], [1, 1, 0, 0]).bound
    2.0
    """
    return isotonic_of(PruningInstance.from_votes(votes, y, "accuracy" if weights is None else weights))


def isotonic_of(instance: PruningInstance, clock: Clock | None = None) -> IsotonicBound:
    """The isotonic bound of an instance; see the proof at the head of the module."""
    return conflicts_of(instance, clock).isotonic


def conflicts_of(instance: PruningInstance, clock: Clock | None = None) -> Conflicts:
    """The conflicts of an instance that there is time to find, and what they prove."""
    pairs = dominated_pairs(instance, clock)
    return Conflicts(pairs, isotonic_on(instance, pairs, clock))


def isotonic_on(
    instance: PruningInstance, pairs: NDArray[np.intp], clock: Clock | None = None
) -> IsotonicBound:
    """What these conflicts prove; where the time is over and they are many, the first of them."""
    if clock is not None and clock.stopped():
        pairs = pairs[:LATE_PAIRS]
    capacity, unit = capacities(instance.gains)
    flow, cover = _maximum_flow(pairs, capacity, instance.gains > 0)
    errors = float(flow.sum()) * unit
    return IsotonicBound(instance.bound(errors), errors, cover, cover_rows(pairs[flow > 0], len(cover)))


def capacities(gains: NDArray[np.float64]) -> tuple[NDArray[np.int32], float]:
    """Integers c and a power of two u with c u <= |gains|, as large as 32 bits allow; exact for small integers."""
    total = float(np.abs(gains).sum()) + 1.0
    exponent = int(np.ceil(np.log2(total / LARGEST_FLOW)))
    if exponent <= 0 and (gains == np.rint(gains)).all():
        exponent = 0
    return np.floor(np.ldexp(np.abs(gains), -exponent)).astype(np.int32), float(np.ldexp(1.0, exponent))


def _maximum_flow(
    pairs: NDArray[np.intp], capacities: NDArray[np.int32], positive: NDArray[np.bool_]
) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """Flow on each pair, and the minimum cover: patterns whose arc to source or sink is cut."""
    m = len(capacities)
    if len(pairs) == 0:
        return np.zeros(0, dtype=np.int32), np.zeros(m, dtype=bool)
    source, sink = m, m + 1
    low, high = pairs.T
    b, a = np.flatnonzero(positive), np.flatnonzero(~positive)
    tails = np.concatenate([np.full(len(b), source), low, a])
    heads = np.concatenate([b, high, np.full(len(a), sink)])
    unlimited = np.full(
        len(pairs), LARGEST_FLOW, dtype=np.int32
    )  # a cut goes through source and sink arcs only
    capacity = np.concatenate([capacities[b], unlimited, capacities[a]])
    graph = sparse.csr_array((capacity, (tails, heads)), shape=(m + 2, m + 2))
    flow = csgraph.maximum_flow(graph, source, sink).flow
    left = sparse.csr_array(graph - flow)
    left.eliminate_zeros()
    reached = np.zeros(m + 2, dtype=bool)
    reached[csgraph.breadth_first_order(left, source, return_predecessors=False)] = True
    return np.asarray(flow[low, high]).ravel(), positive ^ reached[:m]
