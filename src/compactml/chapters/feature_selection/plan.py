"""Which trials stand behind the tables of Mehmanchi, Gómez and Prokopyev (2021), and behind our own.

How much of the protocol each profile runs stands in `compactml.chapters.feature_selection.protocol`.
"""

from __future__ import annotations

from compactml.chapters.feature_selection.datasets import BY_KEY, DATASETS, PaperDataset
from compactml.chapters.feature_selection.protocol import (
    FULL,
    HEURISTIC,
    MILPS,
    QUICK,
    SOLVER_LIMIT,
    TABLES,
    names,
)
from compactml.chapters.feature_selection.trials import beyond, opinions, readings
from compactml.chapters.feature_selection.trials import paper as own
from compactml.chapters.feature_selection.trials.paper import PARAMETRIC
from compactml.study.profile import Profile
from compactml.study.trial import Experiment, Trial

CHAPTER = "feature-selection"
OTHER_PARTS = (readings, beyond)
"""Modules with tables that are not the paper's: ``TABLES``, ``RUN``, ``trials`` and ``cost`` each."""


def trials(table: str, profile: Profile) -> list[Trial]:
    """Trials that a table needs; none for Table 1, which needs no run."""
    for part in OTHER_PARTS:
        if table in part.TABLES:
            return part.trials(CHAPTER, table, profile)
    if table not in TABLES:
        return []
    measure, methods = TABLES[table]
    return [
        trial(dataset, measure, method, profile)
        for dataset in DATASETS
        if dataset.name in names(profile, QUICK)
        for method in methods
    ]


def trial(dataset: PaperDataset, measure: str, method: str, profile: Profile) -> Trial:
    """One trial of the paper's tables; the sets that need no solver have no time limit."""
    kind = kind_of(method)
    return Trial(
        CHAPTER,
        kind,
        dataset.key,
        method=method,
        parameters=(("measure", measure), ("discretizer", dataset.discretizer)),
        time_limit=None if kind == method else SOLVER_LIMIT[profile],
    )


def kind_of(method: str) -> str:
    """Kind of the trials of one of the paper's methods."""
    if method in (FULL, HEURISTIC):
        return method
    return "parametric" if method in PARAMETRIC else "milp"


SCORING_SECONDS_PER_CELL = 4e-6
"""Both classifiers in five folds, per row and feature."""
EASY = 60
"""Features up to which most of the paper's methods end before their limit."""


def cost(trial: Trial) -> float:
    """Rough seconds of one trial on one core."""
    for part in OTHER_PARTS:
        if trial.kind in part.RUN:
            return part.cost(trial)
    if trial.kind in opinions.RUN:
        return opinions.cost(trial)
    dataset = BY_KEY[trial.dataset]
    scoring = 2.0 + SCORING_SECONDS_PER_CELL * dataset.n * dataset.p
    if trial.time_limit is None or own.too_large(trial.method, dataset.p):
        return scoring
    limit = trial.time_limit or 0.0
    return scoring + (limit if dataset.p > EASY or trial.method in MILPS["mrmr"] else min(limit, 20.0))


RUN = {**own.RUN, **beyond.RUN, **readings.RUN, **opinions.RUN}

EXPERIMENT = Experiment(
    chapter=CHAPTER,
    title="Fractional feature selection (Mehmanchi, Gómez and Prokopyev)",
    tables=("table_1", *TABLES, *(table for part in OTHER_PARTS for table in part.TABLES)),
    trials=trials,
    kinds=RUN,
    cost=cost,
    opinion=opinions.opinion,
)
