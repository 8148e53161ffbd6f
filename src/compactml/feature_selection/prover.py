"""Proving F >= 0 on all sets of one size by relaxations, fixing and branching."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from compactml.clock import Clock
from compactml.feature_selection import _branching as compiled
from compactml.feature_selection.multipliers import Multipliers
from compactml.feature_selection.pair_bound import pair_bound
from compactml.feature_selection.parametric_form import ParametricForm, Slice
from compactml.feature_selection.proof import PAIRS, Proof, ProofWriter, Step
from compactml.feature_selection.relaxation import Dual, Relaxation, State

__all__ = ["BetterSet", "OutOfTime", "Prover"]

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

CHECK_EVERY = 20
"""Iterations of a relaxation between two bounds."""

MOST_ITERATIONS, MOST_ITERATIONS_BELOW = 300, 120
"""... at the root of a size and below it."""

STAGNATION = 0.1
"""A relaxation is given up when a check lessens what lacks by less than this part."""

SHRUNK = 0.85
"""Part of the features left after which a new relaxation pays."""

QUICK_NODES, QUICK_NODES_LAST = 200, 3000
"""Nodes of a search with fixed multipliers, before and after the relaxations of a slice."""

MOST_INHERITED = 4
"""Multipliers of other slices that are tried."""

QUICK_WIDTH = 700
"""Free features up to which it is tried."""


class BetterSet(Exception):  # noqa: N818 (it is good news)
    """Not an error: a set with F < 0 was met, whose ratio exceeds the threshold."""

    def __init__(self, support: Indices) -> None:
        super().__init__(support)
        self.support = support


class OutOfTime(Exception):  # noqa: N818 (as expected)
    """Not an error: the clock has stopped."""


Start = tuple[Indices, State] | None
"""An iterate of a relaxation and the features it is over."""


@dataclass(frozen=True, eq=False)
class Known:
    """Multipliers, their K, and the last point that was good with them (by feature)."""

    number: int
    own: Multipliers
    k: Floats
    point: Floats


@dataclass
class Prover:
    """What is shared by the proofs for all sizes.

    Parameters
    ----------
    form : ParametricForm
    clock : Clock
    """

    form: ParametricForm
    clock: Clock
    multipliers: list[Multipliers] = field(default_factory=list)
    n_iterations: int = 0

    def __post_init__(self) -> None:
        self.rooted: list[Known] = []  # those over all features, good for every size
        self.start: Start = None  # where the relaxation of a whole size begins

    def margin(self, size: int) -> float:
        """What F must exceed so that rounding errors do not matter: twice what the check of a certificate asks for."""
        eps = float(np.finfo(float).eps)
        return 16 * (len(self.form.linear) + 4) * eps * self.form.scale * (size + 1) ** 2

    def weakest(self, size: int) -> Known:
        """Multipliers without a relaxation."""
        p = len(self.form.linear)
        own = Multipliers.made_valid(self.form, np.arange(p), np.zeros(p), np.zeros((p, p)))
        return self._know(self._with_matrix(own, np.full(p, size / p)))

    def relax_whole(self, size: int) -> Known:
        """Multipliers over all features from the relaxation for one size; the weakest where it has none."""
        known, start = self._relax(self.form.whole(size), self.start, MOST_ITERATIONS)
        self.start = start or self.start
        return self.weakest(size) if known is None else self._know(known)

    def try_one(self, size: int, known: Known) -> tuple[Proof | None, float]:
        """A proof for one size by linear bounds with these multipliers alone, if there is one; the bound on F."""
        writer = ProofWriter()
        number = writer.open_node()
        _, closed, first, _ = self._steps(writer, number, self.form.whole(size), known)
        return (writer.finish(size) if closed else None), first

    def try_pairs(self, size: int) -> Proof | None:
        """A proof for one size without multipliers, if there is one."""
        writer = ProofWriter()
        _, closed = self._pair_steps(writer, writer.open_node(), self.form.whole(size))
        return writer.finish(size) if closed else None

    def prove(self, size: int) -> Proof:
        """A proof for one size.

        Raises
        ------
        BetterSet, OutOfTime
        """
        writer = ProofWriter()
        near = sorted(self.rooted, key=lambda one: abs(one.point.sum() - size))
        number = writer.open_node()
        node, closed = self._pair_steps(writer, number, self.form.whole(size))
        if not closed:
            self._close(writer, number, node, near, self.start, depth=0)
        return writer.finish(size)

    def _know(self, known: Known) -> Known:
        """Give multipliers their number."""
        known = replace(known, number=len(self.multipliers))
        self.multipliers.append(known.own)
        if len(known.own.base) == len(self.form.linear):
            self.rooted.append(known)
        return known

    def _with_matrix(self, own: Multipliers, point: Floats) -> Known:
        return Known(-1, own, own.convex_matrix(self.form), point)

    def _close(
        self, writer: ProofWriter, number: int, node: Slice, known: list[Known], start: Start, depth: int
    ) -> None:
        """Close a slice, the last node opened."""
        bounds = {}
        for one in known[:MOST_INHERITED]:
            node, closed, _, bounds[one.number] = self._steps(writer, number, node, one)
            if closed:
                return
        while True:
            n_before = len(node.free)
            best = max(known, key=lambda one: bounds.get(one.number, -np.inf))
            if self._quick(writer, number, node, best, QUICK_NODES):
                return
            found, start = self._relax(node, start, MOST_ITERATIONS if depth == 0 else MOST_ITERATIONS_BELOW)
            if found is None:
                break
            one = self._know(found)
            known = [one, *known]
            node, closed, _, bounds[one.number] = self._steps(writer, number, node, one)
            if closed:
                return
            if len(node.free) > SHRUNK * n_before:
                break
        best = max(known, key=lambda one: bounds.get(one.number, -np.inf))
        if not self._quick(writer, number, node, best, QUICK_NODES_LAST):
            known = [best, *[one for one in known if one is not best]]
            self._branch(writer, number, node, known, start, depth)

    def _branch(
        self, writer: ProofWriter, number: int, node: Slice, known: list[Known], start: Start, depth: int
    ) -> None:
        """Close the two slices with the least decided feature in and out."""
        undecided = np.abs(known[0].point[node.free] - 0.5)
        j, none = node.free[[int(np.argmin(undecided))]], np.zeros(0, dtype=np.intp)
        writer.branch[number] = int(j[0])
        for child in (node.decide(j, none), node.decide(none, j)):
            self._close(writer, writer.open_node(), child, known[:2], start, depth + 1)

    def _steps(
        self, writer: ProofWriter, number: int, node: Slice, one: Known
    ) -> tuple[Slice, bool, float, float]:
        """Linear bounds until one closes the slice or decides nothing: what is left, whether closed, first, last."""
        first = None
        while True:
            self._check_clock()
            if node.left in (0, len(node.free)):
                value = self._check_last_set(node)
                return node, True, value if first is None else first, value
            bound, step = self._linear_bound(node, one)
            first = bound if first is None else first
            closed = bound >= self._margin_of(node)
            if closed or len(step.into) + len(step.out):
                writer.add_step(number, step)
            if closed or not len(step.into) + len(step.out):
                return node, closed, first, bound
            node = node.decide(step.into, step.out)

    def _pair_steps(self, writer: ProofWriter, number: int, node: Slice) -> tuple[Slice, bool]:
        """Pair bounds until one closes the slice or decides nothing."""
        none, no_units = np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.uint16)
        while True:
            self._check_clock()
            if node.left in (0, len(node.free)):
                self._check_last_set(node)
                return node, True
            bound, out = pair_bound(node, self._margin_of(node))
            closed = bound >= self._margin_of(node)
            if closed or len(out):
                writer.add_step(number, Step(PAIRS, no_units, none, none if closed else out))
            if closed or not len(out):
                return node, closed
            node = node.decide(none, out)

    def _linear_bound(self, node: Slice, one: Known) -> tuple[float, Step]:
        """Bound and decisions of a slice from the best point for some multipliers."""
        places = np.searchsorted(one.own.base, node.free)
        linear = np.zeros(len(one.own.base))
        linear[places] = node.linear + one.own.y[places]
        x, gradient = np.zeros(len(linear)), np.zeros(len(linear))
        x[places] = one.point[node.free]
        units, decision = np.zeros(len(places), dtype=np.uint16), np.zeros(len(places), dtype=np.int8)
        compiled.put_on_plane(x, places, len(places), node.left)
        compiled.descend(
            one.k, linear, places, len(places), node.left, x, gradient, self._tolerance(), 5 * len(places)
        )
        bound, n_decided = compiled.linear_bound(
            one.k, linear, node.constant, places, len(places), node.left, x, gradient, units,
            self._margin_of(node), decision,
        )  # fmt: skip
        one.point[node.free] = x[places]
        if not n_decided:
            decision[:] = compiled.FREE
        into, out = node.free[decision == compiled.IN], node.free[decision == compiled.OUT]
        return float(bound), Step(one.number, units, into, out)

    def _relax(self, node: Slice, start: Start, most_iterations: int) -> tuple[Known | None, Start]:
        """Multipliers of a slice's relaxation, the best met, and its iterate; none where it is too small for one."""
        n, left = len(node.free), node.left
        if n < 4 or left < 1 or n * left < 4:
            return None, start
        relaxation = Relaxation(node.matrix, node.linear, left, _restricted(start, node.free))
        best, best_bound = None, -np.inf
        for _ in range(CHECK_EVERY, most_iterations + 1, CHECK_EVERY):
            self._check_clock()
            dual = self._iterate(relaxation)
            point = np.zeros(len(self.form.linear))
            point[node.free] = dual.x
            one = self._with_matrix(Multipliers.made_valid(self.form, node.free, dual.y, dual.n), point)
            bound, _ = self._linear_bound(node, one)
            gained = bound - best_bound
            lacks = self._margin_of(node) - bound
            if bound > best_bound:
                best, best_bound = one, bound
            if lacks <= 0 or gained < STAGNATION * lacks:
                break
        return best, (node.free, relaxation.state)

    def _quick(self, writer: ProofWriter, number: int, node: Slice, one: Known, max_nodes: int) -> bool:
        """Depth-first search with fixed multipliers; the proof is written if it is finished."""
        if len(node.free) > QUICK_WIDTH:
            return False
        places = np.searchsorted(one.own.base, node.free)
        n = len(places)
        k, m = one.k[np.ix_(places, places)], np.ascontiguousarray(node.matrix)
        n_units = max_nodes * n * 3
        tape = compiled.Tape(
            steps=np.zeros(max_nodes, dtype=np.int32),
            branch=np.zeros(max_nodes, dtype=np.int32),
            n_units=np.zeros(8 * max_nodes, dtype=np.int32),
            n_decided=np.zeros(8 * max_nodes, dtype=np.int32),
            units=np.empty(n_units, dtype=np.uint16),
            decided=np.empty(n_units, dtype=np.int32),
            counts=np.zeros(compiled.N_COUNTS, dtype=np.int64),
        )
        counterexample = np.zeros(n, dtype=np.bool_)
        outcome = compiled.search(
            m, k, one.own.y[places], node.linear, node.constant, np.zeros(n, dtype=np.int8), node.left,
            one.point[node.free], self._margin_of(node), self._tolerance(), max_nodes, tape, counterexample,
        )  # fmt: skip
        if outcome == compiled.REFUTED:
            raise BetterSet(np.sort(np.concatenate([node.inside, node.free[counterexample]])))
        if outcome == compiled.OPEN:
            return False
        nodes, steps, n_units, n_decided = tape.counts[: compiled.N_COUNTS]
        branch = tape.branch[:nodes]
        decided = tape.decided[:n_decided]
        writer.add_tree(
            number,
            one.number,
            tape.steps[:nodes],
            np.where(branch >= 0, node.free[branch], -1),
            list(zip(tape.n_units[:steps].tolist(), tape.n_decided[:steps].tolist(), strict=True)),
            tape.units[:n_units].copy(),
            (2 * node.free[decided // 2] + decided % 2).astype(np.int32),
        )
        return True

    def _check_last_set(self, node: Slice) -> float:
        """F of the only set that is left."""
        support = np.sort(np.concatenate([node.inside, node.free if node.left else node.free[:0]]))
        value = float(self.form.matrix[np.ix_(support, support)].sum() + self.form.linear[support].sum())
        if value < 0:
            raise BetterSet(support)
        return value

    def _margin_of(self, node: Slice) -> float:
        return self.margin(node.left + len(node.inside))

    def _tolerance(self) -> float:
        """Difference of gradients below which a point is good enough."""
        return 1e-7 * self.form.scale

    def _iterate(self, relaxation: Relaxation) -> Dual:
        for _ in range(CHECK_EVERY):
            self._check_clock()
            dual = relaxation.run(1)
        self.n_iterations += CHECK_EVERY
        return dual

    def _check_clock(self) -> None:
        if self.clock.stopped():
            raise OutOfTime


def _restricted(start: Start, free: Indices) -> State | None:
    """The part of an iterate over some of its features."""
    if start is None:
        return None
    base, state = start
    return state if len(base) == len(free) else state.restricted(np.searchsorted(base, free))
