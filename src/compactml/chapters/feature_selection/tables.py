"""The chapter's tables: their trials, their rows, and how they stand beside print."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

import pandas as pd

from compactml.chapters.feature_selection import NAME, readings_tried
from compactml.chapters.feature_selection.datasets import BY_KEY, DATASETS, MEASURES, PaperDataset
from compactml.chapters.feature_selection.judging import by_endings, by_scores, of_times
from compactml.chapters.feature_selection.printed import RUN
from compactml.chapters.feature_selection.protocol import (
    CERTIFIED_LIMIT,
    GROWTH_SIZES,
    QUICK,
    QUICK_BEYOND,
    SOLVER_LIMIT,
    names,
)
from compactml.chapters.feature_selection.rows import PROBLEM, reading_rows, trial_rows
from compactml.chapters.feature_selection.trials.beyond import CERTIFIED, GROWTH, OURS
from compactml.chapters.feature_selection.trials.paper import FULL, HEURISTIC, MILP, PARAMETRIC
from compactml.datasets import DatasetNotAvailable
from compactml.datasets.prepared import prepared
from compactml.study.chapter import Kind, Printed, Table
from compactml.study.profile import Profile
from compactml.study.recording.published import published
from compactml.study.running.worker import Finished
from compactml.study.trial import Trial

__all__ = ["TABLES", "sizes"]

NAMES = {dataset.name: dataset.key for dataset in DATASETS}

Method = tuple[Kind, str]
"""A method of the paper as the kind of its trials and its name in their specifications."""
FULL_SET, GREEDY = (FULL, "full"), (HEURISTIC, "heuristic")
MILP1, MILP2, MILP3 = (MILP, "milp1"), (MILP, "milp2"), (MILP, "milp3")
ALGORITHMS = ((PARAMETRIC, "binary_search"), (PARAMETRIC, "newton"))
WITHOUT_LIMIT = (FULL, HEURISTIC)
"""Kinds that need no solver."""

WIDE = "orl_32x32"
"""The dataset of the growth study; its optima are large, so that no part of it is solved by the tolerance alone."""
GROWTH_METHODS = (OURS, "newton", "milp3")


def sizes(finished: Sequence[Finished]) -> pd.DataFrame:
    """Table 1 with the sizes of the data as read here (missing where they are not at hand)."""
    shown = ["dataset", "p", "n", "data_type", "class_type"]
    here = {}
    for dataset in DATASETS:
        with suppress(DatasetNotAvailable):
            here[dataset.name] = prepared(dataset.key).X.shape
    shapes = pd.DataFrame.from_dict(here, orient="index", columns=["n_here", "p_here"]).astype("Int64")
    return published(NAME, "table_1")[shown].join(shapes[["p_here", "n_here"]], on="dataset")


def paper_trial(dataset: PaperDataset, measure: str, kind: Kind, method: str, profile: Profile) -> Trial:
    """One trial of the paper's tables; the sets that need no solver have no time limit."""
    return Trial(
        NAME,
        kind.name,
        dataset.key,
        method=method,
        parameters=(("measure", measure), ("discretizer", dataset.discretizer)),
        time_limit=None if kind in WITHOUT_LIMIT else SOLVER_LIMIT[profile],
    )


def paper_trials(measure: str, methods: Sequence[Method]) -> Callable[[Profile], list[Trial]]:
    """Some methods on all datasets of a profile."""

    def trials(profile: Profile) -> list[Trial]:
        return [
            paper_trial(dataset, measure, *method, profile)
            for dataset in DATASETS
            if dataset.name in names(profile, QUICK)
            for method in methods
        ]

    return trials


def paper_table(id: str, measure: str, methods: Sequence[Method], printed: Printed) -> Table:
    """One of the paper's tables."""
    read = partial(trial_rows, kinds=list(dict.fromkeys(kind for kind, _ in methods)))
    return Table(id, paper_trials(measure, methods), read, tuple(RUN), NAMES, printed)


def printed_gaps(id: str) -> Printed:
    """Tables 2 to 4: how a run ended, of which one line tells in the list of those that differ."""
    return Printed(partial(by_endings, id), ("dataset", "quantity"), "method", listed=of_times)


def printed_scores(id: str) -> Printed:
    """Tables 5 to 7: sizes and F1 scores."""
    return Printed(partial(by_scores, id), ("dataset", "quantity"), "method")


def certified_trials(table: str) -> Callable[[Profile], list[Trial]]:
    """Our method on all problems of a profile, at the tolerance of a table."""

    def trials(profile: Profile) -> list[Trial]:
        return [
            Trial(
                NAME,
                CERTIFIED.name,
                dataset.key,
                method=OURS,
                parameters=(("measure", measure), ("discretizer", dataset.discretizer), ("table", table)),
                time_limit=CERTIFIED_LIMIT[profile],
            )
            for dataset in DATASETS
            if dataset.name in names(profile, QUICK_BEYOND)
            for measure in MEASURES
        ]

    return trials


def growth(profile: Profile) -> list[Trial]:
    """The growth study: mRMR, which all three methods can solve."""
    return [
        Trial(
            NAME,
            GROWTH.name,
            WIDE,
            method=method,
            parameters=(("measure", "mrmr"), ("discretizer", BY_KEY[WIDE].discretizer), ("p", p)),
            time_limit=(CERTIFIED_LIMIT if method == OURS else SOLVER_LIMIT)[profile],
        )
        for p in GROWTH_SIZES[profile]
        for method in GROWTH_METHODS
    ]


def certified_table(id: str) -> Table:
    """All problems by our method, at one tolerance."""
    read = partial(trial_rows, kinds=(CERTIFIED,), parameters=(*PROBLEM, "table"))
    return Table(id, certified_trials(id), read, key=("dataset", "measure"))


MRMR_MILPS = (MILP1, MILP2, MILP3)
MRMR_METHODS = (MILP1, MILP3, *ALGORITHMS, GREEDY)
CFS_METHODS = (MILP1, MILP2, *ALGORITHMS, GREEDY)

TABLES = (
    Table("table_1", rows=sizes, key=("dataset",)),
    paper_table("table_2", "mrmr", MRMR_MILPS, printed_gaps("table_2")),
    paper_table("table_3", "mrmr", MRMR_METHODS, printed_gaps("table_3")),
    paper_table("table_4", "cfs", CFS_METHODS, printed_gaps("table_4")),
    paper_table("table_5", "mrmr", (FULL_SET, *MRMR_MILPS), printed_scores("table_5")),
    paper_table("table_6", "mrmr", (FULL_SET, *MRMR_METHODS), printed_scores("table_6")),
    paper_table("table_7", "cfs", (FULL_SET, *CFS_METHODS), printed_scores("table_7")),
    Table(
        "readings",
        readings_tried.trials,
        reading_rows,
        key=("dataset", "key", "measure", "discretizer", "su", "drop_constant"),
    ),
    certified_table("beyond"),
    certified_table("exact"),
    Table(
        "growth",
        growth,
        partial(trial_rows, kinds=(GROWTH,), parameters=(*PROBLEM, "p")),
        key=("method", "p"),
    ),
)
