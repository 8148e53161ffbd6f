"""Bounds that close a slice or decide some of its features, written down as the steps of a proof."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from compactml.clock import Clock
from compactml.feature_selection.certified._kernels import branching as compiled
from compactml.feature_selection.certified._kernels import slices
from compactml.feature_selection.certified.pair_bound import pair_bound
from compactml.feature_selection.multipliers import Multipliers
from compactml.feature_selection.parametric_form import ParametricForm, Slice
from compactml.feature_selection.proof import PAIRS, ProofWriter, Step

__all__ = ["BetterSet", "Bounding", "Known", "OutOfTime", "Ray"]

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

STEPS_PER_NODE, UNITS_PER_NODE = 8, 3
"""Room on a tape; units in slices of full width."""


class BetterSet(Exception):  # noqa: N818 (it is good news)
    """Not an error: a set with F < 0 was met, whose ratio exceeds the threshold."""

    def __init__(self, support: Indices) -> None:
        super().__init__(support)
        self.support = support


class OutOfTime(Exception):  # noqa: N818 (as expected)
    """Not an error: the clock has stopped."""


@dataclass(frozen=True, eq=False)
class Known:
    """Multipliers, their K, and the last point that was good with them (by feature)."""

    number: int
    own: Multipliers
    k: Floats
    point: Floats


@dataclass(frozen=True, eq=False)
class Ray:
    """The multiples of one point, for the bounds of many sizes: a product with K serves all of them.

    Attributes
    ----------
    units : ndarray of uint16, shape (p,)
    slope, own : ndarray of float, shape (p,)
        2 K d for the direction d with sum 1, and y + q: the gradient for size l is l slope + own.
    curved : float
        d'K d.
    """

    units: NDArray[np.uint16]
    slope: Floats
    own: Floats
    curved: float

    @classmethod
    def of(cls, form: ParametricForm, multipliers: Known) -> Ray:
        """Return the ray of the multipliers' point; they must be over all features."""
        units = np.round(np.clip(multipliers.point, 0.0, 1.0) * slices.UNITS).astype(np.uint16)
        direction = units / max(int(units.sum(dtype=np.int64)), 1)
        product = multipliers.k @ direction
        return cls(units, 2 * product, multipliers.own.y + form.linear, float(direction @ product))

    def bound(self, size: int) -> float:
        """Return the bound on F over the sets of one size below p."""
        gradient = size * self.slope + self.own
        return float(np.partition(gradient, size - 1)[:size].sum() - size * size * self.curved)


@dataclass
class Bounding:
    """The bounds for one threshold.

    Parameters
    ----------
    form : ParametricForm
    clock : Clock
    """

    form: ParametricForm
    clock: Clock

    def margin(self, size: int) -> float:
        """Return what F must exceed for rounding errors not to matter: twice what checking a certificate asks for."""
        eps = float(np.finfo(float).eps)
        return 16 * (len(self.form.linear) + 4) * eps * self.form.scale * (size + 1) ** 2

    def steps(
        self, writer: ProofWriter, number: int, node: Slice, multipliers: Known
    ) -> tuple[Slice, bool, float, float]:
        """Write linear bounds until one closes the slice or decides nothing.

        Returns what is left, whether it is closed, the first bound and the last.
        """
        first = None
        while True:
            self.check_clock()
            if node.left in (0, len(node.free)):
                value = self._check_last_set(node)
                return node, True, value if first is None else first, value
            bound, step = self.linear_bound(node, multipliers)
            first = bound if first is None else first
            closed = bound >= self.margin_of(node)
            if closed or len(step.into) + len(step.out):
                writer.add_step(number, step)
            if closed or not len(step.into) + len(step.out):
                return node, closed, first, bound
            node = node.decide(step.into, step.out)

    def pair_steps(self, writer: ProofWriter, number: int, node: Slice) -> tuple[Slice, bool]:
        """Write pair bounds until one closes the slice or decides nothing."""
        none, no_units = np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.uint16)
        while True:
            self.check_clock()
            if node.left in (0, len(node.free)):
                self._check_last_set(node)
                return node, True
            bound, out = pair_bound(node, self.margin_of(node))
            closed = bound >= self.margin_of(node)
            if closed or len(out):
                writer.add_step(number, Step(PAIRS, no_units, none, none if closed else out))
            if closed or not len(out):
                return node, closed
            node = node.decide(none, out)

    def linear_bound(self, node: Slice, multipliers: Known) -> tuple[float, Step]:
        """Return bound and decisions of a slice from the best point for some multipliers."""
        places = np.searchsorted(multipliers.own.base, node.free)
        linear = np.zeros(len(multipliers.own.base))
        linear[places] = node.linear + multipliers.own.y[places]
        x, gradient = np.zeros(len(linear)), np.zeros(len(linear))
        x[places] = multipliers.point[node.free]
        units, decision = np.zeros(len(places), dtype=np.uint16), np.zeros(len(places), dtype=np.int8)
        slices.put_on_plane(x, places, len(places), node.left)
        slices.descend(
            multipliers.k,
            linear,
            places,
            len(places),
            node.left,
            x,
            gradient,
            self._tolerance(),
            5 * len(places),
        )
        bound, n_decided = slices.linear_bound(
            multipliers.k, linear, node.constant, places, len(places), node.left, x, gradient, units,
            self.margin_of(node), decision,
        )  # fmt: skip
        multipliers.point[node.free] = x[places]
        if not n_decided:
            decision[:] = slices.FREE
        into, out = node.free[decision == slices.IN], node.free[decision == slices.OUT]
        return float(bound), Step(multipliers.number, units, into, out)

    def search(
        self, writer: ProofWriter, number: int, node: Slice, multipliers: Known, max_nodes: int
    ) -> bool:
        """Search depth first with fixed multipliers; the proof is written if it is finished."""
        places = np.searchsorted(multipliers.own.base, node.free)
        n = len(places)
        k, m = multipliers.k[np.ix_(places, places)], np.ascontiguousarray(node.matrix)
        tape = blank_tape(max_nodes, n)
        counterexample = np.zeros(n, dtype=np.bool_)
        outcome = compiled.search(
            m, k, multipliers.own.y[places], node.linear, node.constant, np.zeros(n, dtype=np.int8), node.left,
            multipliers.point[node.free], self.margin_of(node), self._tolerance(), max_nodes, tape, counterexample,
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
            multipliers.number,
            tape.steps[:nodes],
            np.where(branch >= 0, node.free[branch], -1),
            list(zip(tape.n_units[:steps].tolist(), tape.n_decided[:steps].tolist(), strict=True)),
            tape.units[:n_units].copy(),
            (2 * node.free[decided // 2] + decided % 2).astype(np.int32),
        )
        return True

    def _check_last_set(self, node: Slice) -> float:
        """F of the only set that is left."""
        support = np.sort(np.concatenate([node.inside, node.free[: node.left]]))
        value = float(self.form.matrix[np.ix_(support, support)].sum() + self.form.linear[support].sum())
        if value < 0:
            raise BetterSet(support)
        return value

    def margin_of(self, node: Slice) -> float:
        return self.margin(node.left + len(node.inside))

    def _tolerance(self) -> float:
        """Difference of gradients below which a point is good enough."""
        return 1e-7 * self.form.scale

    def check_clock(self) -> None:
        if self.clock.stopped():
            raise OutOfTime


def blank_tape(max_nodes: int, n: int) -> compiled.Tape:
    """Return room for a search over n features."""
    n_steps, n_units = STEPS_PER_NODE * max_nodes, UNITS_PER_NODE * n * max_nodes
    return compiled.Tape(
        steps=np.zeros(max_nodes, dtype=np.int32),
        branch=np.zeros(max_nodes, dtype=np.int32),
        n_units=np.zeros(n_steps, dtype=np.int32),
        n_decided=np.zeros(n_steps, dtype=np.int32),
        units=np.empty(n_units, dtype=np.uint16),
        decided=np.empty(n_units, dtype=np.int32),
        counts=np.zeros(compiled.N_COUNTS, dtype=np.int64),
    )
