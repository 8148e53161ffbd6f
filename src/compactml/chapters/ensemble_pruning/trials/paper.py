"""What one trial behind Tables 2-6 of Bastos, Brandão and Valle (2024) does.

A trial prunes the pool of one run by one method, on the validation votes, and measures the ensemble on all three
parts, so that the tables of accuracy, of balanced accuracy and of gaps read the same trials.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from compactml.chapters.ensemble_pruning.datasets import problem
from compactml.chapters.ensemble_pruning.trials import costs
from compactml.chapters.ensemble_pruning.trials.measures import Pruned, finite, measured, trial_votes
from compactml.datasets.prepared import prepared
from compactml.ensemble_pruning.diversity import CONFIGURATIONS, diversity_limits
from compactml.ensemble_pruning.pruning import prune
from compactml.ensemble_pruning.result import PruningResult
from compactml.study.chapter import Kind
from compactml.study.trial import Trial

PROGRAMS = ("F1", "F2", "F3", "F1_theta")
"""Configurations as the published tables name them; F1_theta maximises balanced accuracy."""


@dataclass(frozen=True)
class Counted:
    """What a dataset is here; ``features`` counts its columns after text has become columns of 0 and 1."""

    columns: int
    features: int
    n: int
    n0: int
    n1: int
    theta: float


@dataclass(frozen=True)
class Proved(Pruned):
    """The ensemble of a program and what is proved of it.

    Attributes
    ----------
    bound, gap : float or None
        None where nothing is proved.
    proved : int
        1 if the ensemble is optimal.
    solver : str or None
        None where no program was solved.
    history : str
        See `history`.
    """

    bound: float | None
    gap: float | None
    proved: int
    solver: str | None
    history: str


def run_dataset(trial: Trial) -> Counted:
    """Table 2: the sizes of a dataset."""
    X, y = problem(trial.dataset)
    n1 = int(y.sum())
    return Counted(
        columns=prepared(trial.dataset).X.shape[1],
        features=X.shape[1],
        n=len(y),
        n0=len(y) - n1,
        n1=n1,
        theta=n1 / len(y),
    )


def run_program(trial: Trial) -> Proved:
    """F1, F2, F3 and the theta-weighted F1 of section 5."""
    parts = trial_votes(trial)
    votes, y = parts["validation"].votes, parts["validation"].y
    tau, gamma = diversity_limits(votes, y, trial.method) if trial.method in CONFIGURATIONS else (0.0, 0.0)
    pruned = prune(
        votes,
        y,
        objective="balanced_accuracy" if trial.method == "F1_theta" else "accuracy",
        min_pfc=tau,
        mean_pfc=gamma,
        time_limit=trial.time_limit,
        random_state=trial.seed,
    )
    return Proved(
        value=pruned.value,
        bound=finite(pruned.bound),
        gap=finite(pruned.gap),
        proved=int(pruned.proved),
        **measured(parts, pruned.selected, pruned.threshold),
        tau=tau,
        gamma=gamma,
        seconds=pruned.seconds,
        solver=None if pruned.choice is None else str(pruned.choice),
        history=history(pruned),
    )


def history(pruned: PruningResult) -> str:
    """Steps that brought a better value or bound, as JSON: [step, seconds, value, bound]."""
    return json.dumps(
        [[one.step, round(one.seconds, 3), finite(one.value), finite(one.bound)] for one in pruned.history]
    )


DATASET = Kind("dataset", run_dataset, Counted, costs.of_dataset)
PROGRAM = Kind("program", run_program, Proved, costs.of_program)
