"""Several classes by an ordered list of rule sets: the first that is true says the class.

Each stage separates its class from those that come later, on the rows that no stage before has taken; a row of a class
whose stage has passed it by is wrong whatever comes later, and is left out. So the rows that the list predicts wrongly
are those that its stages do, each counted once. What is proved is each stage, given those before it, and not the list.

Two orders are tried, each in half of the time: by rising weight of the classes, as in Cohen's RIPPER (1995), so that
the heaviest is left for the rows that no rule knows, and by falling weight. The second is kept where the loss of its
stages is smaller in all, by more than what rounding of weights may hide. (A row that no
clause of a CNF knows is said to be of its first class, so there falling weight comes first.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from compactml.boolean_rules.classifying.precisions import DECIDED
from compactml.boolean_rules.classifying.preparing import Prepared
from compactml.boolean_rules.classifying.problems import (
    Early,
    Solved,
    early,
    learn_one,
    not_begun,
    problem_of,
    solved,
)
from compactml.boolean_rules.classifying.weights import CLOSE
from compactml.boolean_rules.generating import Ended, Options
from compactml.boolean_rules.literals import Literals
from compactml.clock import Clock
from compactml.watch import Watch

__all__ = ["Lists", "Ordered"]


@dataclass(frozen=True)
class Ordered:
    """A list with what `predict_proba` says.

    Attributes
    ----------
    order : tuple of int
        Class of each stage, then the one that is left.
    shares : tuple of ndarray of float, each of shape (n_regions, n_classes)
        For each stage the shares of the classes among the training rows that reach it and of which a clause is true (of
        a CNF one row, of those of which it is true); at last those of the rows that are left.
    """

    order: tuple[int, ...]
    shares: tuple[NDArray[np.float64], ...]

    def probabilities(
        self, stages: Sequence[Solved], codes: NDArray[np.integer], literals: Literals
    ) -> NDArray[np.float64]:
        """Of each class for each row, shape (n, n_classes): those of the clause that is surest of its class."""
        each = np.empty((len(codes), len(self.order)))
        left = np.arange(len(codes))
        for stage, k, shares in zip(stages, self.order, self.shares, strict=False):
            true = stage.true(codes[left], literals)
            taken = stage.says(true)
            regions = true[taken] if stage.dnf else np.ones((int(taken.sum()), 1), dtype=bool)
            if taken.any():
                each[left[taken]] = shares[np.where(regions, shares[:, k], -1.0).argmax(axis=1)]
            left = left[~taken]
        each[left] = self.shares[-1][0]
        return each

    @classmethod
    def of(
        cls, order: Sequence[int], stages: Sequence[Solved], rows: Prepared, literals: Literals
    ) -> Ordered:
        """Count weighted training rows, by Laplace's estimate."""
        weights = np.ones(len(rows.which)) if rows.weights is None else rows.weights
        of_class = np.eye(len(order))[rows.which] * weights[:, None]
        shares, left = [], np.arange(len(rows.which))
        for stage, k in zip(stages, order, strict=False):
            true = stage.true(rows.codes[left], literals)
            taken = stage.says(true)
            regions = true if stage.dnf else taken[:, None]
            shares.append(_decided(regions.T.astype(float) @ of_class[left], k))
            left = left[~taken]
        shares.append(_decided(of_class[left].sum(axis=0)[None, :], order[-1]))
        return cls(tuple(order), tuple(shares))


def _decided(counts: NDArray[np.float64], k: int) -> NDArray[np.float64]:
    """Laplace's estimates, that of class k raised above all others where it is not: they never contradict the list."""
    shares = (counts + 1) / (counts.sum(axis=1, keepdims=True) + counts.shape[1])
    others = np.delete(shares, k, axis=1).max(axis=1)
    shares[:, k] = np.maximum(shares[:, k], others + DECIDED)
    normalised: NDArray[np.float64] = shares / shares.sum(axis=1, keepdims=True)
    return normalised


class _List(NamedTuple):
    """A list, and what ended its stages."""

    order: list[int]
    stages: list[Solved]
    early: Early | None

    @property
    def loss(self) -> float:
        return sum(stage.objective for stage in self.stages)

    @property
    def bound(self) -> float:
        return sum(stage.lower_bound for stage in self.stages)


@dataclass(frozen=True)
class Lists:
    """How the list of some rows is learned.

    Attributes
    ----------
    rows : Prepared
    literals : Literals
        Those of the clauses; negated ones for a CNF.
    costs : tuple of two float
        Of missing a row of a stage's class, and of taking another one for it.
    options : Options
    dnf : bool
        Whether the clauses of a stage describe its class, rather than the later ones.
    zero_one : bool
        Whether rows are counted that are predicted wrongly, rather than the Hamming loss.
    """

    rows: Prepared
    literals: Literals
    costs: tuple[float, float]
    options: Options
    dnf: bool
    zero_one: bool

    def learn(self, clock: Clock, watch: Watch) -> tuple[list[Solved], Ordered, Early | None]:
        """Learn the better of two lists: its stages, their order, and what ended them early if anything did.

        Where no training row is left, there are fewer stages than classes less one.

        Parameters
        ----------
        clock : Clock
        watch : Watch
            Is told the sums over the stages of the first list; one that has not begun counts with its whole weight.
            Then those of the second one, if it is better.
        """
        sizes = np.bincount(
            self.rows.which, weights=self.rows.weights, minlength=len(self.rows.classes)
        ).astype(float)
        order = [int(k) for k in np.argsort(sizes if self.dnf else -sizes, kind="stable")]
        best = self._in_order(order, sizes, clock.part(clock.left / 2), watch, watch.tell)
        if not watch.interrupted:
            other = self._in_order(order[::-1], sizes, clock, watch, lambda value, bound: None)
            if other.loss < best.loss - CLOSE * sizes.sum() and not watch.interrupted:
                best = other
                watch.tell(best.loss, best.bound)
        return best.stages, Ordered.of(best.order, best.stages, self.rows, self.literals), best.early

    def _in_order(
        self,
        order: list[int],
        sizes: NDArray[np.float64],
        clock: Clock,
        watch: Watch,
        news: Callable[[float, float], object],
    ) -> _List:
        """Learn one stage after another; each may take its share of the time that is left."""
        rows, (missed, alarm) = self.rows, self.costs
        place = np.argsort(order)[rows.which]
        value = [
            float(missed * sizes[k] if self.dnf else alarm * sizes[order[s + 1 :]].sum())
            for s, k in enumerate(order[:-1])
        ]
        bound = [0.0] * len(value)
        taken = np.zeros(len(rows.which), dtype=bool)
        stages: list[Solved] = []
        ended: list[Ended] = []
        for s, k in enumerate(order[:-1]):
            reached = ~taken & (place >= s)
            if not reached.any():
                break
            codes = rows.codes[reached]
            problem = problem_of(
                rows.classes[k],
                rows.which[reached] == k,
                dnf=self.dnf,
                codes=codes,
                literals=self.literals,
                weights=None if rows.weights is None else rows.weights[reached],
                costs=self.costs,
                zero_one=self.zero_one,
            )

            def tell(loss: int, lower: int, s: int = s, unit: float = problem.unit) -> None:
                value[s], bound[s] = unit * loss, unit * lower
                news(sum(value), sum(bound))

            if watch.interrupted:
                ended.append(not_begun(problem.instance, self.options))
            else:
                share = clock.part(clock.left / (len(order) - 1 - s))
                ended.append(learn_one(problem, self.options, share, watch, tell))
            stages.append(solved(problem, ended[-1].learned, codes, self.literals))
            taken |= stages[-1].says(stages[-1].true(rows.codes, self.literals))
        return _List(order, stages, early(stages, ended))
