"""Column generation in Tables 1 and 2: all values of C, then the second pass over the clauses of all of them.

The value of C is chosen on the training part alone: with the inner splits each value's rule set after the second pass
is judged on what was held out. Then everything is done again on the whole training part, so that each value of C is a
point of Fig 1, and the chosen one the cell of Tables 1 and 2.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from compactml.boolean_rules.binarizer import DecileBinarizer
from compactml.boolean_rules.instance import Clause, Instance
from compactml.boolean_rules.learned import Learned
from compactml.boolean_rules.literals import Literals
from compactml.boolean_rules.second_pass import second_pass
from compactml.chapters.boolean_rules.trials.folds import (
    FoldFit,
    Point,
    fold_fit,
    grid_of,
    inner_splits,
    outer_fold,
)
from compactml.study.trial import Trial

__all__ = ["DNF", "SOLVER", "Fitted", "Learner", "RuleSet", "rule_sets", "run_two_passes"]

DNF = "dnf"
SOLVER = "highs"
"""Of all integer programs, so that no licence decides a result."""
Learner = Callable[[Instance, int], Learned]


@dataclass(frozen=True)
class RuleSet:
    """Clauses on the literals of a training set; of a CNF they are the negation."""

    binarizer: DecileBinarizer
    literals: Literals
    clauses: Sequence[Clause]
    form: str

    @property
    def complexity(self) -> int:
        """Clauses and conditions."""
        return sum(1 + len(clause) for clause in self.clauses)

    def score(self, X: pd.DataFrame, y: NDArray[np.bool_]) -> float:
        """Share of the rows that are predicted rightly."""
        codes = self.binarizer.codes(X)
        fires = np.zeros(len(codes), dtype=bool)
        for clause in self.clauses:
            fires |= self.literals.take(clause).evaluate(codes).all(axis=1)
        return float(((fires == (self.form == DNF)) == y).mean())


class Fitted(NamedTuple):
    """The result of a fold, what was learned with each C on its whole training part, and the points of all C."""

    fit: FoldFit
    learned: list[Learned]
    points: list[Point]


class Passes(NamedTuple):
    """The rule set of each C after the second pass, and what the first one learned."""

    rule_sets: list[RuleSet]
    learned: list[Learned]


def rule_sets(
    X: pd.DataFrame,
    y: NDArray[np.bool_],
    grid: Sequence[float],
    learner: Learner,
    form: str = DNF,
    time_limit: float | None = None,
) -> Passes:
    """Learn with every C, then choose again among the clauses of all of them.

    A rule set that is proved optimal is not looked for again.

    Parameters
    ----------
    X : DataFrame
    y : ndarray of bool
    grid : sequence of float
        Values of C.
    learner : callable (Instance, C) -> Learned
    form : {"dnf", "cnf"}
    time_limit : float, optional
        Seconds of the second pass, for each C.
    """
    binarizer = DecileBinarizer(missing="above").fit(X)
    literals = binarizer.literals_ if form == DNF else binarizer.literals_.negated()
    instance = Instance.from_codes(binarizer.codes(X), y == (form == DNF), literals)
    learned = [learner(instance, int(complexity)) for complexity in grid]
    every = list(dict.fromkeys(clause for one in learned for clause in one.generated))
    starts = [list(one.clauses) for one in learned]
    chosen = [
        list(first.clauses)
        if first.gap == 0
        else second_pass(instance, every, int(complexity), starts, solver=SOLVER, time_limit=time_limit)
        for complexity, first in zip(grid, learned, strict=True)
    ]
    kept = instance.kept
    return Passes(
        [
            RuleSet(binarizer, literals, [tuple(kept[list(clause)].tolist()) for clause in rules], form)
            for rules in chosen
        ],
        learned,
    )


def run_two_passes(trial: Trial, learner: Learner, program: str, form: str = DNF) -> Fitted:
    """Choose C, learn on the training part, and measure on the test part.

    The second pass gets a quarter of the time of the first one's fits, as the paper's pricing does.
    """
    started = time.perf_counter()
    X, y, (train, test) = outer_fold(trial)
    grid, inner = grid_of(trial), dict(trial.parameters)["inner"]
    limit = None if trial.time_limit is None else trial.time_limit / 4
    outside = X.iloc[train], y[train]
    scores = np.zeros(len(grid))
    splits: Any = inner_splits(outside[1], inner, trial.seed) if len(grid) > 1 else []  # type: ignore[arg-type]
    for fit, held in splits:
        sets = rule_sets(outside[0].iloc[fit], outside[1][fit], grid, learner, form, limit).rule_sets
        scores += [one.score(outside[0].iloc[held], outside[1][held]) for one in sets]
    passes = rule_sets(*outside, grid, learner, form, limit)
    points = [
        Point(value, rules.score(*outside), rules.score(X.iloc[test], y[test]), rules.complexity)
        for value, rules in zip(grid, passes.rule_sets, strict=True)
    ]
    seconds = time.perf_counter() - started
    chosen = int(np.argmax(scores))  # of equals the first, which is the simplest
    return Fitted(fold_fit(points, chosen, len(train), len(test), seconds, program), passes.learned, points)
