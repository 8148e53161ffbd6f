"""Trials of the ensemble-pruning chapter that were never run, and recorded tables in which all statements are true."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from compactml.chapters.ensemble_pruning.chapter import CHAPTER
from compactml.chapters.ensemble_pruning.datasets import DATASETS
from compactml.chapters.ensemble_pruning.printed import gap_cells
from compactml.chapters.ensemble_pruning.rows import ACCURACY_METHODS, BALANCED_METHODS, NAMES, TEXTS
from compactml.chapters.ensemble_pruning.trials.paper import PROGRAMS
from compactml.study import Finished, Trial
from compactml.study.frames import frame as frame_of
from tests.study.toy_report import finished as finished_toy

Tables = dict[str, pd.DataFrame]
KEYS = {one.name: one.key for one in DATASETS}
SIZES = (40, 60, 80, 100)

PROGRAM: dict[str, Any] = {
    "value": 250.0, "bound": 255.0, "gap": 0.02, "proved": 0, "n_selected": 7, "threshold": 3, "selected": "[0, 1]",
    "seconds": 1.5, "history": "[]", "train_accuracy": 0.95, "validation_accuracy": 0.9, "test_accuracy": 0.8,
    "train_balanced_accuracy": 0.95, "validation_balanced_accuracy": 0.9, "test_balanced_accuracy": 0.75,
    "pfc_min": 0.3, "pfc_avg": 0.5, "tau": 0.0, "gamma": 0.4, "n_validation": 285,
}  # fmt: skip


def done(
    dataset: str,
    method: str = "F1",
    *,
    K: int = 40,
    fold: int = 0,
    kind: str = "program",
    limit: float | None = 60.0,
    **result: Any,
) -> Finished:
    """One finished trial on a dataset by its printed name."""
    trial = Trial(
        CHAPTER.name,
        kind,
        KEYS[dataset],
        method=method,
        fold=fold,
        seed=0,
        parameters=(("K", K), ("pool", K)),
        time_limit=limit,
    )
    return Finished(trial, result or PROGRAM, finished_toy("none").provenance, cached=False)


def with_columns(id: str, rows: pd.DataFrame | Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Rows with all columns of a table, as claims and figures get them."""
    records = rows.to_dict("records") if isinstance(rows, pd.DataFrame) else rows
    return frame_of(records, list(CHAPTER.table(id).rows([]).columns), TEXTS)


def kind_of(method: str) -> str:
    """Kind of the trials of a method."""
    return "program" if method in PROGRAMS else "baseline"


def rows(scores: Mapping[str, list[float]], dataset: str, K: int, measure: str) -> list[dict[str, Any]]:
    """Rows of one case: the percentages of each method in folds 0, 1, ..., each of a repetition of its own."""
    return [
        {
            "dataset": dataset, "K": K, "seed": fold, "fold": fold, "kind": kind_of(method), "method": method,
            "time_limit": 300.0, f"test_{measure}": (80 + score) / 100,
        }
        for method, values in scores.items()
        for fold, score in enumerate(values)
    ]  # fmt: skip


def gaps_as_printed() -> pd.DataFrame:
    """Two folds of Table 3: the paper's program with the printed mean gaps, and our method, which proves every run.

    The paper's program finds a thousand right points in each.
    """
    cells = gap_cells().astype({"value": float})
    frame = cells[["dataset", "method"]].assign(
        gap=cells["value"] / 100,
        solver_gap=cells["value"] / 100,
        K=100,
        seed=0,
        kind="plain",
        time_limit=300.0,
        value=1000.0,
        bound=1000.0 * (1 + cells["value"] / 100),
        found_by="program",
        n_validation=150,
        proved=0,
        solver="cplex 12.8, commercial, made up",
    )
    ours = frame.assign(kind="program", gap=0.0, solver_gap=np.nan, proved=1, solver=None)
    return pd.concat([one.assign(fold=fold) for one in (frame, ours) for fold in (0, 1)], ignore_index=True)


def sizes_as_printed() -> pd.DataFrame:
    """Table 2."""
    return pd.DataFrame(
        {
            "dataset": one.name, "columns": one.features, "features": one.features, "n": one.n, "n0": one.n0,
            "n1": one.n1, "theta": one.n1 / one.n,
        }
        for one in DATASETS
    )  # fmt: skip


HARD = ("DRD", "SPA", "DEF", "BMK")


def curves_as_found() -> pd.DataFrame:
    """Curves on which our method is ahead of the paper's program at every limit."""
    gaps = {"plain": {5.0: 0.2, 60.0: 0.1}, "branching": {5.0: 0.03, 60.0: 0.01}}
    return pd.DataFrame(
        {
            "dataset": name, "K": 100, "seed": 0, "fold": 0, "kind": "curve", "method": method, "time_limit": limit,
            "gap": gap, "errors_bound": 100 - 300 * gap,
        }
        for name in HARD
        for method, by_limit in gaps.items()
        for limit, gap in by_limit.items()
    )  # fmt: skip


def bounds_as_found() -> pd.DataFrame:
    """Bounds of 80, 85 and 95 of 100 wrong points; the paper's program proves 70 in the curves."""
    key = {"K": 100, "seed": 0, "method": "F1", "n_validation": 1000}
    bounds = {
        "kind": "bounds", "n_patterns": 500, "errors_isotonic": 80, "errors_asummability": 85, "errors_branching": 95,
        "seconds_isotonic": 0.01, "seconds_asummability": 1.0, "seconds_branching": 1.0,
    }  # fmt: skip
    whole = {"kind": "program", "value": 900.0, "bound": 905.0, "gap": 5 / 900, "seconds": 1.0}
    return pd.DataFrame(
        key | part | {"dataset": name, "fold": fold}
        for name in HARD
        for fold in (0, 1)
        for part in (bounds, whole)
    )


def overfitting_as_stated(unreported: Sequence[str] = ("KAPPA", "HC-ACC", "HC-COM")) -> pd.DataFrame:
    """The reported benchmarks ahead of the others, and the programs losing most from validation to test points."""
    test = dict.fromkeys(("F1", "F2", "F3"), 0.80) | dict.fromkeys(("BFT", "HC-CON", "HC-UWA", "FE"), 0.82)
    test |= dict.fromkeys(unreported, 0.81)
    return pd.DataFrame(
        {
            "dataset": name, "K": 100, "seed": 0, "fold": fold, "kind": kind_of(method), "method": method,
            "time_limit": 300.0, "proved": 1, "validation_accuracy": 0.9,
            "test_accuracy": one + 0.01 * fold + 1e-4 * place,
        }
        for place, name in enumerate(NAMES)
        for fold in (0, 1)
        for method, one in test.items()
    )  # fmt: skip


ORDER = ("HC-CON", "HC-UWA", "F2", "F3", "F1", "BFT")
OFFSET = {"HC-CON": 0.10, "HC-UWA": 0.09, "F2": -0.016, "F3": 0.04, "F1": 0.02, "BFT": -0.10, "FE": -9.0}
DEVIATION = {"HC-CON": 3.0, "HC-UWA": 3.0, "F2": 1.0, "F3": 1.0, "F1": 2.0, "BFT": 2.0, "FE": 2.0}


def accuracies_as_stated() -> pd.DataFrame:
    """Table 4: methods far apart in single folds and close in the mean.

    F2 wins at the smallest size, and on two datasets at the next one. Twelve folds of each case are two Latin squares,
    in which every method but FE has every rank twice; one has the order of the means; in two more all deviate upwards
    and downwards, each by as much as its dispersion asks for.
    """
    found = []
    for case, (dataset, K) in enumerate((name, size) for name in NAMES for size in SIZES):
        wins = case % len(SIZES) == 0 or (case < 2 * len(SIZES) and SIZES[1] == K)
        offset = OFFSET | ({"F2": 0.2} if wins else {})
        scores = {}
        for i, method in enumerate(ORDER):
            square = [(i + fold) % 6 for fold in range(12)]
            scores[method] = [offset[method] + one for one in square]
            scores[method] += [2.5 - 0.01 * i]
            scores[method] += [2.5 + offset[method] + sign * DEVIATION[method] for sign in (1, -1)]
        scores["FE"] = [OFFSET["FE"]] * 13 + [OFFSET["FE"] + sign * DEVIATION["FE"] for sign in (1, -1)]
        assert set(scores) == set(ACCURACY_METHODS)
        found += rows(scores, dataset, K, "accuracy")
    values = {"F1": 250.0, "F2": 250.0, "F3": 249.0}
    frame = pd.DataFrame(found)
    found = frame["method"].map(values)
    return frame.assign(value=found, bound=found, proved=1)


AHEAD = {"PRK": "BFT", "MSK": "HC-CON", "DRD": "HC-UWA", "BCW": "HC-CON"}
"""Benchmarks ahead of θ-weighted F1; on BCW not for K = 40 and 60, so that it wins 22 cases."""


def balanced_as_stated() -> pd.DataFrame:
    """Tables 5 and 6: θ-weighted F1 first in 22 cases, just behind a benchmark in the others.

    It is another benchmark on each dataset, so that on the average all of them are far behind.
    """
    found = []
    for dataset, K in ((name, size) for name in NAMES for size in SIZES):
        offset = {"HC-CON": 0.0, "HC-UWA": 0.0, "BFT": 0.0, "FE": -5.0, "F1": 0.1, "F1_theta": 0.3}
        if dataset in AHEAD and not (dataset == "BCW" and K < 80):
            offset |= dict.fromkeys(("HC-CON", "HC-UWA", "BFT"), -0.1) | {AHEAD[dataset]: 0.0}
            offset |= {"F1": -0.007, "F1_theta": -0.005}
        scores = {
            method: [
                offset[method] + sign * (0.0001 if method == "F1_theta" else 0.0005) for sign in (1, -1) * 5
            ]
            for method in BALANCED_METHODS
        }
        found += rows(scores, dataset, K, "balanced_accuracy")
    return pd.DataFrame(found)


def as_stated() -> dict[str, pd.DataFrame]:
    """The data of the claims if everything had come out as the paper says."""
    tables = {
        "table_2": sizes_as_printed(),
        "table_3": gaps_as_printed(),
        "table_4": accuracies_as_stated(),
        "table_5": balanced_as_stated(),
        "table_6": balanced_as_stated(),
        "overfitting": overfitting_as_stated(),
        "curves": curves_as_found(),
        "bounds": bounds_as_found(),
    }
    return {id: with_columns(id, frame) for id, frame in tables.items()}


def adding(
    table: str, column: str, difference: float, method: str, *datasets: str
) -> Callable[[Tables], None]:
    """Add to a column of a method, on the named datasets or all."""

    def apply(tables: Tables) -> None:
        frame = tables[table]
        chosen = (frame["method"] == method) & (frame["dataset"].isin(datasets) | (not datasets))
        assert chosen.any()
        frame.loc[chosen, column] += difference

    return apply


def spreading(table: str, column: str, factor: float, *methods: str) -> Callable[[Tables], None]:
    """Stretch the deviations of some methods from their mean of each case."""

    def apply(tables: Tables) -> None:
        frame = tables[table]
        mean = frame.groupby(["dataset", "K", "method"])[column].transform("mean")
        chosen = frame["method"].isin(methods)
        assert chosen.any()
        frame.loc[chosen, column] = (mean + factor * (frame[column] - mean))[chosen]

    return apply


def setting(table: str, column: str, value: float, **where: str) -> Callable[[Tables], None]:
    """Set a column of some rows."""

    def apply(tables: Tables) -> None:
        frame = tables[table]
        chosen = np.logical_and.reduce([frame[name] == one for name, one in where.items()])
        assert chosen.any()
        frame.loc[chosen, column] = value

    return apply


def together(*changes: Callable[[Tables], None]) -> Callable[[Tables], None]:
    """Several changes, one after the other."""

    def apply(tables: Tables) -> None:
        for change in changes:
            change(tables)

    return apply


def everywhere(table: str, column: str, difference: float, *methods: str) -> Callable[[Tables], None]:
    """Add to a column of several methods, on all datasets."""

    def apply(tables: Tables) -> None:
        for method in methods:
            adding(table, column, difference, method)(tables)

    return apply
