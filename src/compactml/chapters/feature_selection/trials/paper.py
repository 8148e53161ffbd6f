"""What one trial behind Tables 2-7 of Mehmanchi, Gómez and Prokopyev (2021) does.

A trial finds a set of features by one method and scores it with both classifiers, so that Tables 5-7 need no runs of
their own. Which reading of a dataset is taken stands in its specification.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from compactml.chapters.feature_selection.datasets import BY_KEY
from compactml.chapters.feature_selection.trials.costs import scoring_cost
from compactml.chapters.feature_selection.trials.scores import F1, STATISTICS, set_scores
from compactml.chapters.feature_selection.trials.solving import (
    GAP_ABS,
    GAP_REL,
    NOT_RUN,
    Ended,
    left_out,
    limit_of,
    trial_program,
    work_limit,
)
from compactml.feature_selection.program import FractionalProgram
from compactml.feature_selection.solving import solve
from compactml.solvers import ModelTooLargeError, SolverNotAvailableError
from compactml.study.chapter import Kind
from compactml.study.results import spread
from compactml.study.trial import Trial


@dataclass(frozen=True)
class Solved(Ended):
    """How one of the paper's methods ended, and the scores of its set."""

    scores: dict[str, F1] = spread(STATISTICS, F1)


@dataclass(frozen=True)
class FullSet:
    """All features and their scores."""

    value: float
    n_selected: int
    scores: dict[str, F1] = spread(STATISTICS, F1)


def run_solver(trial: Trial) -> Solved:
    """Tables 2-7: one of the paper's methods with the solver at hand."""
    program = trial_program(trial)
    if outcome := left_out(trial.method, program.n_features):
        return Solved(outcome)
    try:
        result = solve(
            program,
            method=trial.method,
            gap_rel=GAP_REL,
            gap_abs=GAP_ABS,
            time_limit=trial.time_limit,
            work_limit=work_limit(trial),
            early_stop=bool(dict(trial.parameters).get("early_stop", True)),
        )
    except (ModelTooLargeError, SolverNotAvailableError) as error:
        return Solved(f"{NOT_RUN}: {type(error).__name__}")
    scores = variable_scores(trial, program, result.support)
    return Solved.of(program, result, limit_of(trial, result), scores=scores)


def variable_scores(trial: Trial, program: FractionalProgram, support: NDArray[np.intp]) -> dict[str, F1]:
    """Scores of a set of variables."""
    return set_scores(trial.dataset, program.features[support], BY_KEY[trial.dataset].data_type, trial.seed)


def run_full_set(trial: Trial) -> FullSet:
    """Tables 5-7: all features, constant ones too."""
    program = trial_program(trial)
    every = np.arange(program.n_features)
    return FullSet(program.value(every), len(every), variable_scores(trial, program, every))


EASY = 60
"""Features up to which Algorithms 1 and 2 mostly end before their limit."""


def milp_cost(trial: Trial) -> float:
    """Rough seconds of an integer program on one core: all of its limit, unless it is not built."""
    built = left_out(trial.method, BY_KEY[trial.dataset].p) is None
    return scoring_cost(trial) + (trial.time_limit or 0.0) * built


def parametric_cost(trial: Trial) -> float:
    """Rough seconds of Algorithm 1 or 2 on one core."""
    longest = 20.0 if BY_KEY[trial.dataset].p <= EASY else np.inf
    return min(milp_cost(trial), scoring_cost(trial) + longest)


MILP = Kind("milp", run_solver, Solved, milp_cost)
PARAMETRIC = Kind("parametric", run_solver, Solved, parametric_cost)
FULL = Kind("full", run_full_set, FullSet, scoring_cost)
