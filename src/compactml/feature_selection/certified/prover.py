"""Proving F >= 0 on all sets of one size by relaxations, fixing and branching."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from compactml.clock import Clock
from compactml.feature_selection.certified.bounding import BetterSet, Bounding, Known, OutOfTime, Ray
from compactml.feature_selection.certified.relaxation import Relaxation, State
from compactml.feature_selection.multipliers import Multipliers
from compactml.feature_selection.parametric_form import ParametricForm, Slice
from compactml.feature_selection.proof import Proof, ProofWriter, Step

__all__ = ["BetterSet", "Known", "OutOfTime", "Prover", "Ray"]

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

CHECK_EVERY = 10
"""Iterations of a relaxation between two bounds."""

MOST_ITERATIONS, MOST_ITERATIONS_BELOW = 300, 120
"""... at the root of a size and below it."""

STAGNATION = 0.02
"""A relaxation is given up when a check lessens what lacks by less than this part."""

SHRUNK = 0.85
"""Part of the features left after which a new relaxation pays."""

QUICK_NODES, QUICK_NODES_LAST = 200, 3000
"""Nodes of a search with fixed multipliers, before and after the relaxations of a slice."""

MOST_INHERITED = 4
"""Multipliers of other slices that are tried."""

WIDE, AS_LONG = 1000, 20
"""Features from which on a relaxation begins only if there is time for a bound from it, and how many times as long as
multipliers without one that takes: ten eigendecompositions with all vectors instead of one without."""

QUICK_WIDTH = 700
"""Free features up to which such a search is tried."""

Start = tuple[Indices, State] | None
"""An iterate of a relaxation and the features it is over."""


@dataclass
class Prover:
    """What is shared by the proofs for all sizes.

    Parameters
    ----------
    form : ParametricForm
    clock : Clock
    open : set of int
        Sizes that nothing is proved of yet, kept up to date by the caller.
    """

    form: ParametricForm
    clock: Clock
    open: set[int]
    multipliers: list[Multipliers] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.bounds = Bounding(self.form, self.clock)
        self.rooted: list[Known] = []  # those over all features, good for every size
        self.start: Start = None  # where the relaxation of a whole size begins
        self.seconds_without = 0.0  # what multipliers over all features take without one

    def weakest(self, size: int) -> Known:
        """Return multipliers without a relaxation."""
        p, before = len(self.form.linear), self.clock.seconds
        valid = Multipliers.made_valid(
            self.form, np.arange(p), np.zeros(p), np.broadcast_to(0.0, (p, p)), self.bounds.check_clock
        )
        self.seconds_without = self.clock.seconds - before
        return self._know(self._with_matrix(valid, np.full(p, size / p)))

    def relax_whole(self, size: int) -> Known:
        """Return multipliers over all features from the relaxation for one size; the weakest where it has none."""
        known, start = self._relax(self.form.whole(size), self.start, MOST_ITERATIONS)
        self.start = start or self.start
        return self.weakest(size) if known is None else self._know(known)

    def try_one(self, size: int, multipliers: Known) -> tuple[Proof | None, float]:
        """Return a proof for one size by linear bounds with these multipliers, if there is one, and the bound on F."""
        writer = ProofWriter()
        number = writer.open_node()
        _, closed, first, _ = self.bounds.steps(writer, number, self.form.whole(size), multipliers)
        return (writer.finish(size) if closed else None), first

    def along(self, ray: Ray, size: int, multipliers: Known) -> Proof | None:
        """Return a proof for one size from a multiple of the point of these multipliers, if there is one."""
        if size == len(self.form.linear) or ray.bound(size) < self.bounds.margin(size):
            return None
        writer, none = ProofWriter(), np.zeros(0, dtype=np.intp)
        writer.add_step(writer.open_node(), Step(multipliers.number, ray.units, none, none))
        return writer.finish(size)

    def try_pairs(self, size: int) -> Proof | None:
        """Return a proof for one size without multipliers, if there is one."""
        writer = ProofWriter()
        _, closed = self.bounds.pair_steps(writer, writer.open_node(), self.form.whole(size))
        return writer.finish(size) if closed else None

    def prove(self, size: int) -> Proof:
        """Return a proof for one size.

        Raises
        ------
        BetterSet, OutOfTime
        """
        writer = ProofWriter()
        near = sorted(self.rooted, key=lambda one: abs(one.point.sum() - size))
        number = writer.open_node()
        node, closed = self.bounds.pair_steps(writer, number, self.form.whole(size))
        if not closed:
            self._close(writer, number, node, near, self.start, depth=0)
        return writer.finish(size)

    def _know(self, multipliers: Known) -> Known:
        """Give multipliers their number."""
        multipliers = replace(multipliers, number=len(self.multipliers))
        self.multipliers.append(multipliers.own)
        if len(multipliers.own.base) == len(self.form.linear):
            self.rooted.append(multipliers)
        return multipliers

    def _with_matrix(self, own: Multipliers, point: Floats) -> Known:
        return Known(-1, own, own.convex_matrix(self.form), point)

    def _close(
        self, writer: ProofWriter, number: int, node: Slice, candidates: list[Known], start: Start, depth: int
    ) -> None:
        """Close a slice, the last node opened."""
        bounds = {}
        for candidate in candidates[:MOST_INHERITED]:
            node, closed, _, bounds[candidate.number] = self.bounds.steps(writer, number, node, candidate)
            if closed:
                return
        while True:
            n_before = len(node.free)
            best = max(candidates, key=lambda item: bounds.get(item.number, -np.inf))
            if self._search(writer, number, node, best, QUICK_NODES):
                return
            relaxed, start = self._relax(
                node, start, MOST_ITERATIONS if depth == 0 else MOST_ITERATIONS_BELOW
            )
            if relaxed is None:
                break
            latest = self._know(relaxed)
            candidates = [latest, *candidates]
            node, closed, _, bounds[latest.number] = self.bounds.steps(writer, number, node, latest)
            if closed:
                return
            if len(node.free) > SHRUNK * n_before:
                break
        best = max(candidates, key=lambda item: bounds.get(item.number, -np.inf))
        if not self._search(writer, number, node, best, QUICK_NODES_LAST):
            candidates = [best, *(other for other in candidates if other is not best)]
            self._branch(writer, number, node, candidates, start, depth)

    def _search(self, writer: ProofWriter, number: int, node: Slice, one: Known, max_nodes: int) -> bool:
        """Depth-first search with fixed multipliers, where the slice is small enough for one."""
        return len(node.free) <= QUICK_WIDTH and self.bounds.search(writer, number, node, one, max_nodes)

    def _branch(
        self, writer: ProofWriter, number: int, node: Slice, candidates: list[Known], start: Start, depth: int
    ) -> None:
        """Close the two slices with the least decided feature in and out."""
        undecided = np.abs(candidates[0].point[node.free] - 0.5)
        j, none = node.free[[int(np.argmin(undecided))]], np.zeros(0, dtype=np.intp)
        writer.branch[number] = int(j[0])
        for child in (node.decide(j, none), node.decide(none, j)):
            self._close(writer, writer.open_node(), child, candidates[:2], start, depth + 1)

    def _relax(self, node: Slice, start: Start, most_iterations: int) -> tuple[Known | None, Start]:
        """Multipliers of a slice's relaxation, the best met, and its iterate; none where it is too small for one."""
        n, left = len(node.free), node.left
        if n < 4 or left < 1 or n * left < 4:
            return None, start
        if n >= WIDE and self.clock.left < AS_LONG * self.seconds_without * (n / len(self.form.linear)) ** 3:
            raise OutOfTime
        check = self.bounds.check_clock
        relaxation = Relaxation(node.matrix, node.linear, left, _restricted(start, node.free))
        best, best_bound, n_closed = None, -np.inf, 0
        for n_checks in range(1, most_iterations // CHECK_EVERY + 1):
            dual = relaxation.run(CHECK_EVERY, check)
            point = np.zeros(len(self.form.linear))
            point[node.free] = dual.x
            multipliers = self._with_matrix(
                Multipliers.made_valid(self.form, node.free, dual.y, dual.n, check), point
            )
            bound, _ = self.bounds.linear_bound(node, multipliers)
            gained = bound - best_bound
            lacks = self.bounds.margin_of(node) - bound
            if bound > best_bound:
                best, best_bound = multipliers, bound
            if lacks > 0 and gained < STAGNATION * lacks:
                break
            if lacks <= 0:
                before, n_closed = n_closed, self._n_closed(node, multipliers)
                if n_closed == len(self.open) or n_checks * (n_closed - before) <= n_closed:
                    break  # another relaxation will close more sizes per iteration
        return best, (node.free, relaxation.state)

    def _n_closed(self, node: Slice, multipliers: Known) -> int:
        """Number of open sizes that multipliers of a slice close by a multiple of their point; 0 below the root."""
        p = len(self.form.linear)
        if len(node.free) < p:
            return 0
        ray = Ray.of(self.form, multipliers)
        return sum(size < p and ray.bound(size) >= self.bounds.margin(size) for size in self.open)


def _restricted(start: Start, free: Indices) -> State | None:
    """The part of an iterate over some of its features."""
    if start is None:
        return None
    base, state = start
    return state if len(base) == len(free) else state.restricted(np.searchsorted(base, free))
