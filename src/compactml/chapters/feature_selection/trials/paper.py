"""What one trial behind Tables 2-7 of Mehmanchi, Gómez and Prokopyev (2021) does.

A trial finds a set of features by one method and scores it with both classifiers, so that Tables 5-7 need no runs of
their own. Which reading of a dataset is taken stands in its specification.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compactml.chapters.feature_selection.datasets import BY_KEY, measures, program
from compactml.chapters.feature_selection.trials.scores import set_scores
from compactml.clock import Clock
from compactml.feature_selection.greedy import cfs_forward, mrmr_forward
from compactml.feature_selection.program import FractionalProgram
from compactml.feature_selection.result import FractionalResult
from compactml.feature_selection.solving import solve
from compactml.solvers import ModelTooLargeError, SolverNotAvailableError, licence
from compactml.solvers.licences import Level
from compactml.study.trial import Result, Trial

PARAMETRIC = ("binary_search", "newton")
GAP_REL, GAP_ABS = 0.01, 0.001
"""The paper's tolerance; a run stops when either gap is met."""

LARGEST_PAIRS = {False: 80_000, True: 2_500_000}
"""Pairs of features up to which a model with a column or more for each is built, without and with a full licence."""
LARGEST_DENSE = 2_000
"""Features up to which MILP2 is built: it has 4 p rows of p entries."""
CPLEX_COMMUNITY = 1_000
"""Variables that the free licence of CPLEX takes; it solves binary quadratic programs as they are."""

TOO_LARGE = "not run: too large"
PROVED, TIME_LIMIT, NO_SET = "proved", "time limit", "no set"


def trial_program(trial: Trial) -> FractionalProgram:
    """The fractional program of the reading that a trial names."""
    asked: dict[str, Any] = dict(trial.parameters)
    return program(measures(trial.dataset, asked["discretizer"]), asked["measure"])


def run_solver(trial: Trial) -> Result:
    """Tables 2-7: one of the paper's methods with the solver at hand."""
    own = trial_program(trial)
    if too_large(trial.method, own.n_features):
        return {"outcome": TOO_LARGE}
    try:
        found = solve(own, method=trial.method, gap_rel=GAP_REL, gap_abs=GAP_ABS, time_limit=trial.time_limit)
    except (ModelTooLargeError, SolverNotAvailableError) as error:
        return {"outcome": f"not run: {type(error).__name__}"}
    return {**described(own, found), **judged(trial, own, found.support)}


def too_large(method: str, p: int) -> bool:
    """Whether a model is not built: its memory and first relaxation alone would exceed any time limit here."""
    if method == "milp2":
        return p > LARGEST_DENSE
    full = any(licence(solver).level is Level.FULL for solver in ("gurobi", "cplex"))
    if method in PARAMETRIC and (full or (p <= CPLEX_COMMUNITY and licence("cplex").usable)):
        return False  # solved as it is, without a column for each pair
    return p * (p + 1) // 2 > LARGEST_PAIRS[full]


def described(own: FractionalProgram, found: FractionalResult) -> Result:
    """Value, bound and gaps of a result.

    ``gap_abs`` and ``gap_rel`` are what the paper prints: (17) for a MILP, the width (18) of the interval for binary
    search, the estimate (19) for Newton's method. ``gap_proved`` is bound less value, whatever the method.
    """
    last = found.history[-1] if found.history else None
    gaps = (found.gap_abs, found.gap_rel) if last is None else (last.gap_abs, last.gap_rel)
    return {
        "outcome": PROVED if found.proved else TIME_LIMIT if len(found.support) else NO_SET,
        "proved": int(found.proved),
        "time_limit_reached": int(not found.proved),
        "value": finite(found.value),
        "bound": finite(found.bound),
        "gap_abs": finite(gaps[0]),
        "gap_rel": finite(gaps[1]),
        "gap_proved": finite(found.gap_abs),
        "seconds": found.seconds,
        "iterations": found.iterations,
        "n_selected": len(found.support),
        "support": as_json(own, found.support),
        "solver": None if found.choice is None else str(found.choice),
    }


def finite(number: float) -> float | None:
    """A number, None for one that is infinite or missing."""
    return float(number) if math.isfinite(number) else None


def judged(trial: Trial, own: FractionalProgram, support: NDArray[np.intp]) -> Result:
    """Scores of a set of variables."""
    return set_scores(trial.dataset, own.features[support], BY_KEY[trial.dataset].data_type, trial.seed)


def run_full_set(trial: Trial) -> Result:
    """Tables 5-7: all features, constant ones too."""
    own = trial_program(trial)
    every = np.arange(own.n_features)
    return {"value": own.value(every), "n_selected": len(every), **judged(trial, own, every)}


def run_heuristic(trial: Trial) -> Result:
    """Tables 3, 4, 6 and 7: the greedy heuristic as its implementation reports it, and its best prefix beside it.

    ``n_selected`` is the reported size; where features run out it counts the last one twice, and so do its scores.
    ``measure_seconds`` is what the mutual informations take, ``seconds`` the selection.
    """
    asked: dict[str, Any] = dict(trial.parameters)
    clock = Clock(None)
    informed = measures(trial.dataset, asked["discretizer"])
    own = program(informed, asked["measure"])
    measured = clock.seconds
    forward = mrmr_forward if asked["measure"] == "mrmr" else cfs_forward
    found = forward(informed, own)
    seconds = clock.seconds - measured
    repeated = np.append(found.order, found.order[-1:].repeat(found.reported_size - len(found.order)))
    best = judged(trial, own, found.best_prefix)
    return {
        "value": own.value(found.support),
        "n_selected": found.reported_size,
        "support": as_json(own, found.support),
        "value_prefix": own.value(found.best_prefix),
        "n_selected_prefix": len(found.best_prefix),
        "seconds": seconds,
        "measure_seconds": measured,
        **judged(trial, own, repeated),
        **{f"{name}_prefix": value for name, value in best.items()},
    }


def as_json(own: FractionalProgram, support: NDArray[np.intp]) -> str:
    """Columns of the data that a set of variables stands for."""
    return json.dumps(own.features[support].tolist())


RUN: Mapping[str, Callable[[Trial], Result]] = {
    "milp": run_solver,
    "parametric": run_solver,
    "full": run_full_set,
    "heuristic": run_heuristic,
}
"""Methods with different code have kinds of their own: a change in one leaves the results of the others valid."""
