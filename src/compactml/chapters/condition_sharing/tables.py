"""The chapter's tables and figures: their trials, their rows, and how they stand beside print."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

import pandas as pd

from compactml.chapters.condition_sharing import NAME, curves, rows
from compactml.chapters.condition_sharing.datasets import BY_KEY, DATASETS, SMALL
from compactml.chapters.condition_sharing.reasons import with_reasons
from compactml.chapters.condition_sharing.trials.beyond import (
    BASELINE,
    EVALUATOR,
    GROWTH,
    SEARCH,
    SPEED,
    TRADEOFF,
)
from compactml.chapters.condition_sharing.trials.older import ROUNDING, SHARING_LATEST, SHARING_NEAREST
from compactml.chapters.condition_sharing.trials.paper import BAGGED, LEARNERS, N_FOLDS, SHARING
from compactml.chapters.condition_sharing.trials.relaxing import RELAXATION
from compactml.datasets import DatasetNotAvailable
from compactml.datasets.prepared import prepared
from compactml.study.chapter import Kind, Printed, Table
from compactml.study.frames import frame
from compactml.study.profile import Profile
from compactml.study.results import columns
from compactml.study.running.worker import Finished
from compactml.study.trial import Trial

__all__ = ["TABLES", "sizes", "trial_rows"]

QUICK, QUICK_CURVES = 1_600, 600
"""The quick profile takes the datasets with at most this many rows; of Figs 4 and 5 fewer (46 ensembles a trial)."""


SIZES = ("n", "d", "n_classes")
"""Columns of Table 1: rows, features, classes (none for regression)."""


def ensembles(
    kind: Kind, learners: Sequence[str], largest: float = math.inf, quick: int = QUICK
) -> Callable[[Profile], list[Trial]]:
    """All folds of the paper's ensembles on the datasets with at most so many rows."""

    def trials(profile: Profile) -> list[Trial]:
        n = min(largest, quick) if profile is Profile.QUICK else largest
        return [
            Trial(NAME, kind.name, dataset.key, method=method, fold=fold)
            for dataset in DATASETS
            if dataset.n <= n
            for method in learners
            for fold in range(N_FOLDS)
        ]

    return trials


def sizes(finished: Sequence[Finished]) -> pd.DataFrame:
    """Return Table 1 with the sizes of the data as read here (missing where they are not at hand)."""
    records = []
    for dataset in DATASETS:
        row: dict[str, object] = {"dataset": dataset.name}
        row |= {name: getattr(dataset, name) for name in SIZES}
        row |= {f"{name}_here": None for name in SIZES}
        with suppress(DatasetNotAvailable):
            data = prepared(dataset.key)
            row["n_here"], row["d_here"] = data.X.shape
            row["n_classes_here"] = data.y.nunique() if dataset.classification else None
        records.append(row)
    whole = [*SIZES, *(f"{name}_here" for name in SIZES)]
    return pd.DataFrame(records).astype(dict.fromkeys(whole, "Int64"))


def asked(kind: Kind, dataset: str, method: str, **parameters: int) -> Trial:
    """One trial of the third notebook."""
    return Trial(NAME, kind.name, dataset, method=method, parameters=tuple(sorted(parameters.items())))


def speed(profile: Profile) -> list[Trial]:
    """Magic, and generated rows of its shape for machines without the file; the large set outside quick."""
    sets = [("magic", 100), ("synthetic:19020x10", 100)]
    sets += [] if profile is Profile.QUICK else [("synthetic:300000x28", 20)]
    return [asked(SPEED, key, method, trees=trees) for key, trees in sets for method in ("RF", "ERT")]


def growth_rows(profile: Profile) -> list[Trial]:
    """Twice the rows from one trial to the next."""
    smallest, n = (4_000, 5) if profile is Profile.QUICK else (31_250, 7)
    return [asked(GROWTH, f"synthetic:{smallest * 2**k}x28", "ERT", trees=4) for k in range(n)]


def growth_nodes(profile: Profile) -> list[Trial]:
    """Twice the trees from one trial to the next."""
    n, largest = (10_000, 6) if profile is Profile.QUICK else (300_000, 9)
    return [asked(GROWTH, f"synthetic:{n}x28", "ERT", trees=2**k) for k in range(2, largest + 1)]


def evaluators(profile: Profile) -> list[Trial]:
    """Two datasets, forests and extra trees."""
    return [asked(EVALUATOR, key, method, trees=100) for key in ("wdbc", "magic") for method in ("RF", "ERT")]


def forests(kind: Kind) -> Callable[[Profile], list[Trial]]:
    """One forest on each of two datasets."""

    def trials(profile: Profile) -> list[Trial]:
        keys = ("wdbc",) if profile is Profile.QUICK else ("wdbc", "magic")
        return [asked(kind, key, "RF", trees=100) for key in keys]

    return trials


def search(profile: Profile) -> list[Trial]:
    """Random intervals, half as many exceptions."""
    sizes = [250, 500, 1_000] + ([] if profile is Profile.QUICK else [2_000, 4_000])
    return [asked(SEARCH, "synthetic:intervals", "", p=p, c=p // 2) for p in sizes]


ROUNDED = (("blood_transfusion", "ABoost"), ("iris", "GBoost"), ("wdbc", "GBoost"))
"""Boosted ensembles whose conditions move with the last bit."""


def roundings(profile: Profile) -> list[Trial]:
    """All folds of three boosted ensembles."""
    return [
        Trial(NAME, ROUNDING.name, key, method=method, fold=fold)
        for key, method in ROUNDED
        for fold in range(N_FOLDS)
    ]


def rounding_rows(finished: Sequence[Finished]) -> pd.DataFrame:
    """Return one row per fold: conditions and accuracy with all instructions and without some."""
    records = [
        {
            "dataset": BY_KEY[item.trial.dataset].name,
            "learner": item.trial.method,
            "fold": item.trial.fold,
            **item.result,
        }
        for item in finished
    ]
    names = ["dataset", "learner", "fold", *columns(ROUNDING.result)]
    return frame(records, names, texts=("dataset", "learner"))


def trial_rows(finished: Sequence[Finished], kind: Kind, parameters: Sequence[str]) -> pd.DataFrame:
    """Return one row per trial of the third notebook: what was asked and what was measured."""
    names = ["dataset", "learner", *parameters, *columns(kind.result)]
    records = [
        {
            "dataset": item.trial.dataset,
            "learner": item.trial.method,
            **dict(item.trial.parameters),
            **item.result,
        }
        for item in finished
    ]
    return frame(records, names, texts=("dataset", "learner"))


def beyond(
    id: str, kind: Kind, trials: Callable[[Profile], list[Trial]], parameters: tuple[str, ...] = ("trees",)
) -> Table:
    """A table of the third notebook."""
    read = partial(trial_rows, kind=kind, parameters=parameters)
    return Table(id, trials, read, key=("dataset", "learner", *parameters))


NAMES = {dataset.name: dataset.key for dataset in DATASETS}
SMALL_NAMES = {dataset.name: dataset.key for dataset in DATASETS if dataset.n <= SMALL}
CELL = tuple(rows.CELL)
RELAXED = ensembles(RELAXATION, LEARNERS, SMALL, QUICK_CURVES)


def printed(id: str) -> Printed:
    """Tables 2 and 3: every digit, and a reason that was measured for every cell that differs."""
    return Printed(partial(with_reasons, id), CELL[::2], "learner", build_counts=True)


def older(
    id: str, kind: Kind, learners: Sequence[str], read: Callable[[Sequence[Finished]], pd.DataFrame]
) -> Table:
    """A printed table with the ensembles of another release of scikit-learn."""
    return Table(kind.name.replace("sharing", id), ensembles(kind, learners), read, CELL, NAMES)


TABLES = (
    Table("fig_1"),
    Table("table_1", rows=sizes, key=("dataset",)),
    Table("table_2", ensembles(SHARING, LEARNERS), rows.table_2, CELL, NAMES, printed("table_2")),
    Table("fig_2", ensembles(SHARING, LEARNERS)),
    Table("table_3", ensembles(SHARING, BAGGED), rows.table_3, CELL, NAMES, printed("table_3")),
    Table("fig_3", ensembles(SHARING, BAGGED)),
    Table("fig_4", RELAXED, curves.figure_4, tuple(curves.POINT), SMALL_NAMES),
    Table("fig_5", RELAXED),
    Table("relaxation_cost", RELAXED, curves.relaxation_costs, (*curves.PANEL, "fold"), SMALL_NAMES),
    beyond("speed", SPEED, speed),
    beyond("growth_rows", GROWTH, growth_rows),
    beyond("growth_nodes", GROWTH, growth_nodes),
    beyond("evaluator", EVALUATOR, evaluators),
    beyond("tradeoff", TRADEOFF, forests(TRADEOFF)),
    beyond("search", SEARCH, search, ("p", "c")),
    beyond("baseline", BASELINE, forests(BASELINE)),
    older("table_2", SHARING_LATEST, LEARNERS, rows.table_2),
    older("table_3", SHARING_LATEST, BAGGED, rows.table_3),
    older("table_2", SHARING_NEAREST, LEARNERS, rows.table_2),
    Table("rounding", roundings, rounding_rows, ("dataset", "learner", "fold")),
)
