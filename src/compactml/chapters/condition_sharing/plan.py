"""Which trials stand behind the tables and figures of Nakamura and Sakurada (2022), and behind our own.

No trial here asks for a second opinion: none solves a program by a solver, and no result has a bound or says that its
value is proved. The tables print how many conditions are left ("NDC_..."), and do not call that number smallest. The
points of the trials "search" are counted in the same trial by two exact algorithms, ours and the paper's dynamic
program, and the tables compare them; the clusterings of "baseline" are exact by a dynamic program of their own and are
compared with ten starts of Lloyd's algorithm.
"""

from __future__ import annotations

import math

from compactml.chapters.condition_sharing.datasets import BY_KEY, DATASETS
from compactml.chapters.condition_sharing.trials import beyond
from compactml.chapters.condition_sharing.trials.paper import (
    BAGGED,
    LEARNERS,
    N_FOLDS,
    N_TREES,
    run_relaxation,
    run_sharing,
)
from compactml.study.profile import Profile
from compactml.study.trial import Experiment, Trial

CHAPTER = "condition-sharing"
SMALL = 20_000  # Figs 4 and 5 use the datasets with at most this many rows
QUICK = 1_600  # the quick profile takes the datasets with at most this many rows
RUN = {"sharing": run_sharing, "relaxation": run_relaxation, **beyond.RUN}


def trials(table: str, profile: Profile) -> list[Trial]:
    """Trials that a table or figure needs; none for Fig 1 and Table 1, which need no fit."""
    if table in beyond.TABLES:
        return beyond.trials(CHAPTER, table, profile)
    kind, learners, largest = {
        "table_2": ("sharing", LEARNERS, math.inf),
        "fig_2": ("sharing", LEARNERS, math.inf),
        "table_3": ("sharing", BAGGED, math.inf),
        "fig_3": ("sharing", BAGGED, math.inf),
        "fig_4": ("relaxation", BAGGED, SMALL),
        "fig_5": ("relaxation", BAGGED, SMALL),
    }.get(table, ("", (), 0))
    if profile is Profile.QUICK:
        largest = min(largest, QUICK)
    return [
        Trial(CHAPTER, kind, dataset.key, method=method, fold=fold)
        for dataset in DATASETS
        if dataset.n <= largest
        for method in learners
        for fold in range(N_FOLDS)
    ]


def cost(trial: Trial) -> float:
    """Rough seconds of one trial on one core, from the size of the fit (within a factor of three)."""
    if trial.kind in beyond.RUN:
        return beyond.cost(trial)
    dataset = BY_KEY[trial.dataset]
    rows = 0.8 * dataset.n
    if trial.method == "GBoost":
        n_models = 1 if dataset.n_classes in (None, 2) else dataset.n_classes or 1
        return 1 + 1.5e-7 * N_TREES * n_models * rows * dataset.d
    sampled = dataset.classification and trial.method != "ABoost"
    tried = math.sqrt(dataset.d) if sampled else dataset.d
    fit = 6e-8 * N_TREES * rows * math.log2(rows) * tried * (0.4 if trial.method == "ERT" else 1)
    return 1 + fit * (2 if trial.kind == "sharing" else 4)


EXPERIMENT = Experiment(
    chapter=CHAPTER,
    title="Sharing branching conditions (Nakamura and Sakurada)",
    tables=("fig_1", "table_1", "table_2", "fig_2", "table_3", "fig_3", "fig_4", "fig_5", *beyond.TABLES),
    trials=trials,
    kinds=RUN,
    cost=cost,
    generated=beyond.generated,
)
