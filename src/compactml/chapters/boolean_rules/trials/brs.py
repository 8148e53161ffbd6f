"""Bayesian rule sets by a maintained port of the authors' code, with the authors' parameters.

The port mines its candidates by random forests, where the paper's authors ran FP-growth: its call of that is broken.
The parameters are those of the example beside the code of the method's authors; those of the paper stand in a
supplement that could not be had. kappa multiplies the prior's beta, as in the paper; 1 is the value of Tables 1 and 2.
Small datasets only: a step of the annealing goes through all rows and candidates, and there are 15,000 of them.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from compactml.chapters.boolean_rules.trials import imodels_program
from compactml.chapters.boolean_rules.trials.folds import (
    BinaryFold,
    FoldFit,
    Point,
    binary_fold,
    fold_fit,
    grid_of,
)
from compactml.chapters.boolean_rules.trials.imodels_program import NEGATED
from compactml.study.chapter import Kind
from compactml.study.keys.environments import Environment
from compactml.study.trial import Trial

__all__ = ["BRS", "ENVIRONMENT"]

ENVIRONMENT = Environment("imodels")


class Condition(NamedTuple):
    """A column and the value that it must have."""

    column: int
    value: bool


def condition(name: str) -> Condition:
    """Read the name of a condition, ``c7`` or ``c7_neg``."""
    return Condition(int(name.removesuffix(NEGATED)[1:]), not name.endswith(NEGATED))


def covered(truth: NDArray[np.bool_], clauses: Iterable[Sequence[str]]) -> NDArray[np.bool_]:
    """Rows that satisfy all conditions of some clause."""
    result = np.zeros(len(truth), dtype=bool)
    for clause in clauses:
        meets = np.ones(len(truth), dtype=bool)
        for column, value in map(condition, clause):
            meets &= truth[:, column] == value
        result |= meets
    return result


def peer_fit(fold: BinaryFold, kappas: Sequence[float], seed: int) -> dict[str, Any]:
    """The clauses that the port chooses for each kappa, and its version.

    Raises
    ------
    EnvironmentNotInstalled, ProgramFailed
    """
    with TemporaryDirectory() as folder:
        file = Path(folder) / "fold.npz"
        np.savez(file, X=fold.train, y=fold.y_train, kappas=kappas, seed=seed)
        answer: dict[str, Any] = json.loads(ENVIRONMENT.run(str(imodels_program.__file__), str(file)))
    return answer


def run_brs(trial: Trial) -> FoldFit:
    """The rule sets of all values of kappa on one fold; the first value is that of Tables 1 and 2."""
    started = time.perf_counter()
    fold, kappas = binary_fold(trial), grid_of(trial)
    answer = peer_fit(fold, kappas, trial.seed)
    points = [point(fold, kappa, clauses) for kappa, clauses in zip(kappas, answer["chosen"], strict=True)]
    n_train, n_test = len(fold.y_train), len(fold.y_test)
    program = f"imodels {answer['version']} BayesianRuleSetClassifier"
    return fold_fit(points, 0, n_train, n_test, time.perf_counter() - started, program)


def point(fold: BinaryFold, value: float, clauses: Sequence[Sequence[str]]) -> Point:
    """Accuracies and complexity of a rule set."""
    train, test = (
        float((covered(truth, clauses) == y).mean())
        for truth, y in ((fold.train, fold.y_train), (fold.test, fold.y_test))
    )
    return Point(value, train, test, sum(1 + len(clause) for clause in clauses))


def cost(trial: Trial) -> float:
    """Rough seconds of one fold on one core."""
    return 60.0 * len(grid_of(trial))


BRS = Kind("brs", run_brs, FoldFit, cost, environment=ENVIRONMENT)
