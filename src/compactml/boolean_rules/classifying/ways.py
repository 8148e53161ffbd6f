"""Several classes by an ordered list or by rules of each class against the rest: which of them, and how it is learned.

A list nearly always has fewer training errors, since each stage knows what those before it took, and is not always as
good on other rows. So rows are held out to choose: each way learns from the others, and the list, which is half as long
and says one thing of each row, is kept unless the other way is right on more of the rows held out.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

from compactml.boolean_rules.classifying.lists import Lists, Ordered
from compactml.boolean_rules.classifying.preparing import Prepared
from compactml.boolean_rules.classifying.problems import Early, Solved, learn_all, problem_of
from compactml.boolean_rules.generating import Options
from compactml.boolean_rules.literals import Literals
from compactml.clock import Clock
from compactml.watch import Watch

__all__ = ["AUTO", "LIST", "ONE_VS_REST", "Ways", "class_probabilities"]

LIST, ONE_VS_REST, AUTO = "list", "one_vs_rest", "auto"

CHOOSING_SHARE = 0.4
"""Part of the time for the choice."""

FOLDS = 3

ROWS_OF_ONE_FOLD = 4000
"""Rows held out that are enough."""

Learned = tuple[list[Solved], Ordered | None, Early | None]


@dataclass(frozen=True)
class Ways:
    """How rules are learned from rows; the arguments are those of `compactml.boolean_rules.classifying.lists.Lists`."""

    literals: Literals
    costs: tuple[float, float]
    options: Options
    dnf: bool
    zero_one: bool

    def learn(self, way: str, rows: Prepared, clock: Clock, watch: Watch) -> Learned:
        """Learn a list, or each class against the rest: rule sets, their order, and what ended them early."""
        if way == LIST:
            lists = Lists(rows, self.literals, self.costs, self.options, self.dnf, self.zero_one)
            return lists.learn(clock, watch)
        solved, early = self.against(range(len(rows.classes)), rows, clock, watch)
        return solved, None, early

    def against(
        self, described: Sequence[int], rows: Prepared, clock: Clock, watch: Watch
    ) -> tuple[list[Solved], Early | None]:
        """Learn rules of some classes, each against all others."""
        problems = [
            problem_of(
                rows.classes[k],
                rows.which == k,
                dnf=self.dnf,
                codes=rows.codes,
                literals=self.literals,
                weights=rows.weights,
                costs=self.costs,
                zero_one=self.zero_one,
            )
            for k in described
        ]
        return learn_all(problems, self.options, clock, watch, rows.codes, self.literals)

    def chosen(self, rows: Prepared, clock: Clock, watch: Watch) -> str:
        """Choose the way by rows held out.

        Parameters
        ----------
        rows : Prepared
        clock : Clock
            A part of what is left of it is used.
        watch : Watch
            Is told nothing, but for an interrupt.
        """
        splits = list(_splits(rows.which, self.options.random_state))
        part = clock.part(CHOOSING_SHARE * clock.left)
        ahead, left = 0.0, 2 * len(splits)
        for train, held in splits:
            right = []
            for way in (LIST, ONE_VS_REST):
                quiet = Watch(watch.name, watch.clock, keep=watch.keep)
                learned = self.learn(way, _taken(rows, train), part.part(part.left / left), quiet)
                left -= 1
                if quiet.interrupted:
                    watch.interrupted = True
                    return LIST
                each = class_probabilities(learned[0], learned[1], rows.codes[held], self.literals)
                right.append((each.argmax(axis=1) == rows.which[held]).astype(float))
            weights = 1.0 if rows.weights is None else rows.weights[held]
            ahead += float((weights * (right[1] - right[0])).sum())
        return ONE_VS_REST if ahead > 0 else LIST


def class_probabilities(
    solved: Sequence[Solved], ordered: Ordered | None, codes: NDArray[np.integer], literals: Literals
) -> NDArray[np.float64]:
    """Of each of several classes for each row, shape (n, n_classes); each for itself where it stands against others."""
    if ordered is not None:
        return ordered.probabilities(solved, codes, literals)
    return np.column_stack([one.probability(one.true(codes, literals)) for one in solved])


def _splits(
    which: NDArray[np.intp], random_state: int
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Rows to learn from and rows held out, with the classes in their shares; one split of many rows, none of few."""
    if np.bincount(which).max() < FOLDS:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of classes with fewer rows than folds
        folds = StratifiedKFold(FOLDS, shuffle=True, random_state=random_state).split(which, which)
        for train, held in folds:
            yield train, held
            if len(held) >= ROWS_OF_ONE_FOLD:
                return


def _taken(rows: Prepared, taken: NDArray[np.intp]) -> Prepared:
    weights = None if rows.weights is None else rows.weights[taken]
    return replace(rows, codes=rows.codes[taken], which=rows.which[taken], weights=weights)
