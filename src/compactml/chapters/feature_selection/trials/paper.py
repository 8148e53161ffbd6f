"""What one trial behind Tables 2-7 of Mehmanchi, Gómez and Prokopyev (2021) does.

A trial finds a set of features by one method and scores it with both classifiers, so that Tables 5-7 need no runs of
their own. Which reading of a dataset is taken stands in its specification.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compactml.chapters.feature_selection.datasets import BY_KEY, measures, program
from compactml.chapters.feature_selection.trials.scores import F1, STATISTICS, set_scores
from compactml.chapters.feature_selection.trials.solving import (
    GAP_ABS,
    GAP_REL,
    TOO_LARGE,
    Ended,
    as_json,
    too_large,
    trial_program,
)
from compactml.clock import Clock
from compactml.feature_selection.greedy import cfs_forward, mrmr_forward
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


PREFIX = "{}_prefix"
"""A statistic of the heuristic's best prefix."""


@dataclass(frozen=True)
class Greedy:
    """What the greedy heuristic selects, and its best prefix beside it.

    ``n_selected`` is the reported size; where features run out it counts the last one twice, and so do its scores.
    ``measure_seconds`` is what the mutual informations take, ``seconds`` the selection.
    """

    value: float
    n_selected: int
    support: str
    value_prefix: float
    n_selected_prefix: int
    seconds: float
    measure_seconds: float
    scores: dict[str, F1] = spread((*STATISTICS, *map(PREFIX.format, STATISTICS)), F1)


def run_solver(trial: Trial) -> Solved:
    """Tables 2-7: one of the paper's methods with the solver at hand."""
    program = trial_program(trial)
    if too_large(trial.method, program.n_features):
        return Solved(TOO_LARGE)
    try:
        result = solve(
            program, method=trial.method, gap_rel=GAP_REL, gap_abs=GAP_ABS, time_limit=trial.time_limit
        )
    except (ModelTooLargeError, SolverNotAvailableError) as error:
        return Solved(f"not run: {type(error).__name__}")
    return Solved.of(program, result, scores=variable_scores(trial, program, result.support))


def variable_scores(trial: Trial, program: FractionalProgram, support: NDArray[np.intp]) -> dict[str, F1]:
    """Scores of a set of variables."""
    return set_scores(trial.dataset, program.features[support], BY_KEY[trial.dataset].data_type, trial.seed)


def run_full_set(trial: Trial) -> FullSet:
    """Tables 5-7: all features, constant ones too."""
    program = trial_program(trial)
    every = np.arange(program.n_features)
    return FullSet(program.value(every), len(every), variable_scores(trial, program, every))


def run_heuristic(trial: Trial) -> Greedy:
    """Tables 3, 4, 6 and 7: the greedy heuristic as its implementation reports it, and its best prefix beside it."""
    asked: dict[str, Any] = dict(trial.parameters)
    clock = Clock(None)
    informed = measures(trial.dataset, asked["discretizer"])
    fractional = program(informed, asked["measure"])
    measured = clock.seconds
    forward = mrmr_forward if asked["measure"] == "mrmr" else cfs_forward
    greedy = forward(informed, fractional)
    seconds = clock.seconds - measured
    repeated = np.append(greedy.order, greedy.order[-1:].repeat(greedy.reported_size - len(greedy.order)))
    prefix = variable_scores(trial, fractional, greedy.best_prefix)
    return Greedy(
        value=fractional.value(greedy.support),
        n_selected=greedy.reported_size,
        support=as_json(fractional, greedy.support),
        value_prefix=fractional.value(greedy.best_prefix),
        n_selected_prefix=len(greedy.best_prefix),
        seconds=seconds,
        measure_seconds=measured,
        scores={
            **variable_scores(trial, fractional, repeated),
            **{PREFIX.format(statistic): score for statistic, score in prefix.items()},
        },
    )


SCORING_SECONDS_PER_CELL = 4e-6
"""Both classifiers in five folds, per row and feature."""
EASY = 60
"""Features up to which Algorithms 1 and 2 mostly end before their limit."""


def scoring_cost(trial: Trial) -> float:
    """Rough seconds of scoring a set on one core."""
    dataset = BY_KEY[trial.dataset]
    return 2.0 + SCORING_SECONDS_PER_CELL * dataset.n * dataset.p


def milp_cost(trial: Trial) -> float:
    """Rough seconds of an integer program on one core: all of its limit, unless it is not built."""
    left_out = too_large(trial.method, BY_KEY[trial.dataset].p)
    return scoring_cost(trial) + (0.0 if left_out else trial.time_limit or 0.0)


def parametric_cost(trial: Trial) -> float:
    """Rough seconds of Algorithm 1 or 2 on one core."""
    longest = 20.0 if BY_KEY[trial.dataset].p <= EASY else np.inf
    return min(milp_cost(trial), scoring_cost(trial) + longest)


MILP = Kind("milp", run_solver, Solved, milp_cost)
PARAMETRIC = Kind("parametric", run_solver, Solved, parametric_cost)
FULL = Kind("full", run_full_set, FullSet, scoring_cost)
HEURISTIC = Kind("heuristic", run_heuristic, Greedy, scoring_cost)
