"""Bayesian rule sets by a maintained port of the authors' code, with the authors' parameters.

The candidates are those that the authors mine by FP-growth: all clauses of up to three literals that cover a twentieth
of the positive rows, of which the 2000 that leave the least entropy are kept. kappa multiplies the prior's beta, as in
the paper's experiments; 1 is the value of Tables 1 and 2. Small datasets only: a step of the annealing goes through all
rows and candidates, and there are 15,000 of them.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from compactml.boolean_rules.competitors.base import Clause, covered, covers
from compactml.boolean_rules.competitors.mining import frequent_clauses
from compactml.chapters.boolean_rules.trials import imodels_program
from compactml.chapters.boolean_rules.trials.folds import (
    BinaryFold,
    FoldFit,
    Point,
    binary_fold,
    fold_fit,
    grid_of,
)
from compactml.study.chapter import Kind
from compactml.study.keys.environments import Environment
from compactml.study.trial import Trial

__all__ = ["BRS", "ENVIRONMENT"]

ENVIRONMENT = Environment("imodels")
MIN_SUPPORT, N_CANDIDATES = 0.05, 2000
"""The other parameters of the authors' example."""


def peer_fit(fold: BinaryFold, clauses: tuple[Clause, ...], kappa: float, seed: int) -> dict[str, Any]:
    """The clauses that the port chooses, and its version.

    Raises
    ------
    EnvironmentNotInstalled, ProgramFailed
    """
    rows = np.column_stack([covers(fold.train, clause) for clause in clauses])
    with TemporaryDirectory() as folder:
        file = Path(folder) / "fold.npz"
        np.savez(
            file, rows=rows, y=fold.y_train, clauses=json.dumps(clauses), n_columns=fold.train.shape[1],
            kappa=kappa, seed=seed,
        )  # fmt: skip
        answer: dict[str, Any] = json.loads(ENVIRONMENT.run(str(imodels_program.__file__), str(file)))
    return answer


def run_brs(trial: Trial) -> FoldFit:
    """The rule sets of all values of kappa on one fold; the first value is that of Tables 1 and 2."""
    started = time.perf_counter()
    fold = binary_fold(trial)
    clauses = frequent_clauses(fold.train, fold.y_train, min_support=MIN_SUPPORT, n_clauses=N_CANDIDATES)
    points, version = [], ""
    for kappa in grid_of(trial):
        answer = peer_fit(fold, clauses, kappa, trial.seed)
        version = answer["version"]
        points.append(point(fold, kappa, [tuple(clause) for clause in answer["chosen"]]))
    n_train, n_test = len(fold.y_train), len(fold.y_test)
    program = f"imodels {version} BayesianRuleSetClassifier"
    return fold_fit(points, 0, n_train, n_test, time.perf_counter() - started, program)


def point(fold: BinaryFold, value: float, clauses: list[Clause]) -> Point:
    """Accuracies and complexity of a rule set."""
    train, test = (
        float((covered(truth, clauses) == y).mean())
        for truth, y in ((fold.train, fold.y_train), (fold.test, fold.y_test))
    )
    return Point(value, train, test, complexity(clauses))


def complexity(clauses: list[Clause]) -> int:
    """Clauses and conditions."""
    return sum(1 + len(clause) for clause in clauses)


def cost(trial: Trial) -> float:
    """Rough seconds of one fold on one core."""
    return 60.0 * len(grid_of(trial))


BRS = Kind("brs", run_brs, FoldFit, cost, environment=ENVIRONMENT)
