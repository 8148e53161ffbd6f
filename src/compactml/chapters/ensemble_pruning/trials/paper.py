"""What one trial behind Tables 3-6 of Bastos, Brandão and Valle (2024) does.

A trial prunes the pool of one run by one method, on the validation votes, and measures the ensemble on all three
parts, so that the tables of accuracy, of balanced accuracy and of gaps read the same trials.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from compactml.chapters.ensemble_pruning.datasets import problem
from compactml.chapters.ensemble_pruning.trials.measures import finite, measured, trial_votes
from compactml.datasets.prepared import prepared
from compactml.ensemble_pruning.diversity import CONFIGURATIONS, diversity_limits
from compactml.ensemble_pruning.pruning import prune
from compactml.ensemble_pruning.result import PruningResult
from compactml.study.trial import Result, Trial

PROGRAMS = ("F1", "F2", "F3", "F1_theta")
"""Configurations as the published tables name them; F1_theta maximises balanced accuracy."""


def run_dataset(trial: Trial) -> Result:
    """Table 2: what a dataset is here; ``features`` counts its columns after text has become columns of 0 and 1."""
    X, y = problem(trial.dataset)
    n1 = int(y.sum())
    columns = prepared(trial.dataset).X.shape[1]
    return {
        "columns": columns,
        "features": X.shape[1],
        "n": len(y),
        "n0": len(y) - n1,
        "n1": n1,
        "theta": n1 / len(y),
    }


def run_program(trial: Trial) -> Result:
    """F1, F2, F3 and the theta-weighted F1 of section 5."""
    parts = trial_votes(trial)
    own = parts["validation"]
    limits = (
        diversity_limits(own.votes, own.y, trial.method) if trial.method in CONFIGURATIONS else (0.0, 0.0)
    )
    found = prune(
        own.votes,
        own.y,
        objective="balanced_accuracy" if trial.method == "F1_theta" else "accuracy",
        min_pfc=limits[0],
        mean_pfc=limits[1],
        time_limit=trial.time_limit,
        random_state=trial.seed,
    )
    return {
        "value": found.value,
        "bound": finite(found.bound),
        "gap": finite(found.gap),
        "proved": int(found.proved),
        **measured(parts, found.selected, found.threshold),
        "tau": limits[0],
        "gamma": limits[1],
        "seconds": found.seconds,
        "solver": None if found.choice is None else str(found.choice),
        "history": history(found),
    }


def history(found: PruningResult) -> str:
    """Steps that brought a better value or bound, as JSON: [step, seconds, value, bound]."""
    return json.dumps(
        [[one.step, round(one.seconds, 3), finite(one.value), finite(one.bound)] for one in found.history]
    )


RUN: Mapping[str, Callable[[Trial], Result]] = {
    "dataset": run_dataset,
    "program": run_program,
}
