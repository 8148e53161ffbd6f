"""Branch and bound over the classifiers, with the isotonic bound of what is left to decide.

Not in the paper. Let some classifiers be taken and some left out. If an ensemble x that keeps to these decisions, with
threshold L, calls a positive pattern b and a negative pattern a both right, then b.x >= L + 1 and a.x <= L, so
(b - a).x >= 1. But (b - a).x is at most the excess

    E(b, a) = sum over the taken of (b_c - a_c) + sum over the free of max(0, b_c - a_c).

Hence E(b, a) <= 0 implies e_b + e_a >= 1. With nothing decided this is b <= a, the isotonic bound. Each decision can
only lower E: leaving c out by [b_c = 1, a_c = 0], taking it by [b_c = 0, a_c = 1]. So conflicts are only ever added,
the maximum flow of a node is feasible below it, and augmenting it is all that a child costs. The flow is an integer
proof of each node's bound. The least bound of the open nodes holds for all ensembles.

With everything decided E(b, a) <= 0 says that b has no more votes than a: the best call that is monotone in the number
of votes is a threshold, and the bound is attained. So the search is exact, given time. The empty pattern, which is
called negative for every L >= 0, stands among the negative ones with no limit on its flow.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from compactml.clock import Clock
from compactml.ensemble_pruning.bounds._kernels.conflicts import conflicts
from compactml.ensemble_pruning.bounds._kernels.flow import (
    Arcs,
    augmented,
    packed_flow,
    unpacked_flow,
)
from compactml.ensemble_pruning.bounds.gains import gains_within
from compactml.ensemble_pruning.bounds.isotonic import capacities
from compactml.ensemble_pruning.instance import PruningInstance, pack
from compactml.errors import check_finite, check_integer
from compactml.watch import Callback, Watch, checked_limit

__all__ = ["BranchingBound", "ClassifierTree", "branching_bound"]

FREE, OUT, TAKEN = 0, 1, 2
SHARE_OF_LARGER = 0.2
"""Of the two gains of a classifier, in the choice where to branch; the smaller one decides more."""
ARCS_PER_PATTERN = 6
DEFAULT_NODES = 2000
ROUNDING = 1e-6
NO_LIMIT = 2**60

Decisions = NDArray[np.int8]
Candidate = tuple[NDArray[np.intp], int]
"""Classifiers and a threshold."""


@dataclass(frozen=True, eq=False)
class BranchingBound:
    """Bound on every ensemble and threshold.

    Attributes
    ----------
    bound : float
        No ensemble and threshold that are allowed have a larger objective (1).
    errors : float
        Proved least cost of errors, in units of the instance.
    n_nodes : int
    complete : bool
        Whether no node is open.
    history : tuple of (seconds, errors)
        Each improvement; seconds since the start of the clock.

    Examples
    --------
    >>> from compactml.ensemble_pruning import branching_bound
    >>> votes = [[1, 1, 0], [1, 0, 1], [0, 1, 1], [0, 1, 0], [0, 0, 1]]
    >>> y = [1, 1, 1, 0, 0]
    >>> found = branching_bound(votes, y)
    >>> found.bound, found.complete
    (5.0, True)
    """

    bound: float
    errors: float
    n_nodes: int
    complete: bool
    history: tuple[tuple[float, float], ...]


def branching_bound(
    votes: ArrayLike,
    y: ArrayLike,
    *,
    weights: Any = None,
    value: float = -np.inf,
    time_limit: float | None = 60.0,
    max_nodes: int = DEFAULT_NODES,
    verbose: bool = False,
    callback: Callback | None = None,
) -> BranchingBound:
    """Bound on (1) by branching on which classifiers are taken.

    Parameters
    ----------
    votes : array-like of 0/1, shape (n, K)
        1 where a classifier votes positive.
    y : array-like of 0/1, shape (n,)
    weights : str, four numbers, or Weights, optional
        As in `objective_weights`; accuracy by default.
    value : float, optional
        The objective (1) of a known ensemble: nodes that cannot exceed it are left.
    time_limit : float or None, default=60.0
        Seconds, None for as long as the nodes take.
    max_nodes : int, default=2000
        A run that ends by it, or by itself, repeats exactly. Either limit gives an `EndedEarlyWarning` where it leaves
        nodes open.
    verbose : bool, default=False
        Print a line for each better bound.
    callback : callable, optional
        Called with a `compactml.watch.News` at each better bound.

    Raises
    ------
    InvalidDataError, InvalidParameterError

    Examples
    --------
    No two points exclude each other, so the isotonic bound is 4; but no ensemble calls all four right.

    >>> votes = [[1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0], [0, 1, 0, 1]]
    >>> branching_bound(votes, [1, 1, 0, 0]).bound
    3.0
    """
    check_integer("max_nodes", max_nodes, 0)
    if not (isinstance(value, float) and value == -np.inf):
        value = check_finite("value", value)
    watch = Watch("branching_bound", Clock(checked_limit(time_limit)), verbose=verbose, callback=callback)
    instance = PruningInstance.from_votes(votes, y, "accuracy" if weights is None else weights)
    best = value

    def offer(candidate: Candidate) -> float:
        """Every ensemble is allowed."""
        nonlocal best
        best = max(best, instance.value(*candidate))
        return best

    tree = ClassifierTree(instance, offer, told=lambda errors: watch.tell(best, instance.bound(errors)))
    tree.cut_off(value)
    tree.run(watch.clock, max_nodes)
    bound = instance.bound(tree.errors)
    if tree.open:
        watch.warn(best, bound, limit=None if watch.clock.stopped() else f"max_nodes={max_nodes}")
    return BranchingBound(bound, tree.errors, tree.n_nodes, not tree.open, tuple(tree.history))


class _Node(NamedTuple):
    """An open node; the first is that of least bound, and among equals the one with most decided."""

    errors: int
    n_free: int
    number: int
    decisions: Decisions
    arcs: Arcs
    """A flow that is feasible here: the maximal one of the parent."""


@dataclass(eq=False)
class ClassifierTree:
    """Best-first search that can be stopped and continued; see the head of the module.

    Whatever was closed has no less errors than ``cutoff`` or is not allowed.

    Parameters
    ----------
    instance : PruningInstance
    offer : callable
        Called with each ensemble at which everything is decided, with its best threshold. It returns the objective
        (1) of the best ensemble known, which is another one where this is not allowed.
    sizes : tuple of two int, optional
        Least and largest number of classifiers.
    told : callable, optional
        Called with the proved least cost of errors each time that it has risen.
    """

    instance: PruningInstance
    offer: Callable[[Candidate], float]
    sizes: tuple[int, int] | None = None
    told: Callable[[float], object] | None = None
    cutoff: int = NO_LIMIT
    n_nodes: int = 0
    n_opened: int = 0
    open: list[_Node] = field(default_factory=list)
    history: list[tuple[float, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        gains, patterns = self.instance.gains, self.instance.patterns
        positive, negative = gains > 0, gains < 0
        nothing = np.zeros((1, self.instance.n_classifiers), dtype=bool)
        low, high = patterns[positive], np.vstack([patterns[negative], nothing])
        capacity, self.unit = capacities(gains)
        self.low_capacity = capacity[positive].astype(np.int64)
        self.high_capacity = np.append(capacity[negative], NO_LIMIT).astype(np.int64)
        self.low, self.high = pack(low), pack(high)
        self.low_votes, self.high_votes = np.ascontiguousarray(low.T), pack(high.T)
        self.none = np.empty((len(low), self.high_votes.shape[1]), dtype=np.uint64)
        self.one = np.empty_like(self.none)
        self.most_arcs = ARCS_PER_PATTERN * (len(low) + len(high))
        none = np.zeros(0, dtype=np.int32)
        root = np.zeros(self.instance.n_classifiers, dtype=np.int8)
        self._open(0, root, Arcs(none, none, np.zeros(0, dtype=np.int64)))

    @property
    def errors(self) -> float:
        """Proved least cost of errors of an allowed ensemble, in units of the instance."""
        return min(self.cutoff, self.open[0].errors if self.open else NO_LIMIT) * self.unit

    def cut_off(self, value: float) -> None:
        """Only ensembles with less errors than one of this objective are looked for from now on."""
        if np.isfinite(value):
            errors = (self.instance.ideal - value / self.instance.unit) / self.unit
            self.cutoff = min(self.cutoff, int(np.floor(errors + ROUNDING)))

    def run(self, clock: Clock, max_nodes: int = NO_LIMIT) -> None:
        """Take the open node of least bound until none is below the cutoff, or time or nodes are used up."""
        while self.open and self.open[0].errors < self.cutoff:
            if self.n_nodes >= max_nodes or clock.stopped():
                return
            self._expand(heapq.heappop(self.open), clock)
            if not self.history or self.errors > self.history[-1][1]:
                self.history.append((clock.seconds, self.errors))
                if self.told is not None:
                    self.told(self.errors)
        self.open = []

    def _open(self, errors: int, decisions: Decisions, arcs: Arcs) -> None:
        self.n_opened += 1
        n_free = int(np.count_nonzero(decisions == FREE))
        heapq.heappush(self.open, _Node(errors, n_free, self.n_opened, decisions, arcs))

    def _expand(self, node: _Node, clock: Clock) -> None:
        """Decide what has only one way, then close the node or branch; it stays open where the time is over before."""
        self.n_nodes += 1
        decisions, errors = node.decisions.copy(), int(node.arcs.amount.sum())
        flow = unpacked_flow(node.arcs, self.low_capacity, self.high_capacity, self.most_arcs)
        while self._sizes_allow(decisions):
            self._find_conflicts(decisions)
            errors += augmented(self.none, flow, NO_LIMIT)
            if errors >= self.cutoff:
                return
            free = np.flatnonzero(decisions == FREE)
            if not len(free):
                self._decided(np.flatnonzero(decisions == TAKEN))
                return
            gains = gains_within(
                self.none, self.one, self.low_votes, self.high_votes, free, flow, self.cutoff - errors, clock
            )
            if gains is None:
                self._open(errors, decisions, packed_flow(flow))
                return
            hopeless = gains >= self.cutoff - errors
            if hopeless.all(axis=1).any():
                return
            if not hopeless.any():
                self._branch(errors, decisions, free, gains, packed_flow(flow))
                return
            decisions[free[hopeless[:, 0]]] = TAKEN
            decisions[free[hopeless[:, 1]]] = OUT

    def _sizes_allow(self, decisions: Decisions) -> bool:
        if self.sizes is None:
            return True
        least, most = self.sizes
        n_out, n_taken = np.count_nonzero(decisions == OUT), np.count_nonzero(decisions == TAKEN)
        return bool(n_taken <= most and len(decisions) - n_out >= least)

    def _find_conflicts(self, decisions: Decisions) -> None:
        free, taken = pack(np.stack([decisions == FREE, decisions == TAKEN]))
        conflicts(self.low, self.high, free, taken, self.none, self.one)

    def _decided(self, selected: NDArray[np.intp]) -> None:
        """The best threshold of an ensemble; many patterns share a number of votes, so all thresholds are tried."""
        votes = self.instance.patterns[:, selected].sum(axis=1)
        gains = np.bincount(votes, weights=self.instance.gains, minlength=len(selected) + 1)
        called = gains.sum() - np.cumsum(gains)
        self.cut_off(self.offer((selected, int(np.argmax(called)))))

    def _branch(
        self, errors: int, decisions: Decisions, free: NDArray[np.intp], gains: NDArray[np.int64], arcs: Arcs
    ) -> None:
        """Open both children of the classifier whose decision raises the bound most, the worse child first."""
        score = (1 - SHARE_OF_LARGER) * gains.min(axis=1) + SHARE_OF_LARGER * gains.max(axis=1)
        best = int(np.argmax(score))
        for decision, gain in zip((OUT, TAKEN), gains[best], strict=True):
            child = decisions.copy()
            child[free[best]] = decision
            self._open(errors + int(gain), child, arcs)
