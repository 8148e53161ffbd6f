"""Trials of the feature-selection chapter that were never run, and recorded tables as the paper prints them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from compactml.chapters.feature_selection import NAME
from compactml.chapters.feature_selection.chapter import CHAPTER
from compactml.chapters.feature_selection.datasets import DATASETS, LIVE
from compactml.chapters.feature_selection.printed import HEURISTIC, printed_runs
from compactml.study import Finished, Trial
from compactml.study.recording.published import published
from tests.study.toy_report import finished as finished_toy

KEYS = {one.name: one.key for one in (*DATASETS, *LIVE)}
PAPER_TABLES = tuple(f"table_{number}" for number in range(2, 8))

SOLVED: dict[str, Any] = {
    "outcome": "proved", "proved": 1, "time_limit_reached": 0, "value": 0.5, "bound": 0.504, "gap_abs": 0.004,
    "gap_rel": 0.008, "gap_proved": 0.004, "seconds": 1.25, "iterations": 7, "n_selected": 4, "support": "[0, 1]",
    "f1_nb_mean": 0.84, "f1_nb_std": 0.04, "f1_rf_mean": 0.93, "f1_rf_std": 0.03,
}  # fmt: skip
STOPPED = SOLVED | {"outcome": "time limit", "proved": 0, "time_limit_reached": 1}
NO_SET = {"outcome": "no set", "proved": 0, "time_limit_reached": 1, "seconds": 3.0, "n_selected": 0}
TOO_LARGE = {"outcome": "not run: too large"}


def done(
    dataset: str, method: str, result: dict[str, Any], measure: str = "mrmr", **parameters: Any
) -> Finished:
    """One finished trial on a dataset by its printed name."""
    asked = tuple({"measure": measure, **parameters}.items())
    trial = Trial(NAME, "kind", KEYS[dataset], method=method, parameters=asked, time_limit=100.0)
    return Finished(trial, result, finished_toy("none").provenance, cached=False)


def whole(table: str, frame: pd.DataFrame) -> pd.DataFrame:
    """Rows of a table with all its columns."""
    lacking = CHAPTER.table(table).rows([]).columns.difference(frame.columns)
    return frame.assign(**dict.fromkeys(lacking, np.nan))


def as_printed(table: str) -> pd.DataFrame:
    """A printed table as if we had measured exactly what is printed, with the paper's limit."""
    frame = printed_runs(table).assign(time_limit=3600.0)
    return whole(table, frame.assign(gap_proved=frame["gap_abs"]) if "gap_abs" in frame else frame)


def proofs() -> pd.DataFrame:
    """Our runs of all problems as if all were proved at once, with the sizes that the paper prints of Algorithm 2."""
    rows = []
    for measure, table in (("mrmr", "table_6"), ("cfs", "table_7")):
        sizes = printed_runs(table).query("method == 'Algorithm 2'").set_index("dataset")["n_selected"]
        rows += [
            {"dataset": one.name, "measure": measure, "p": one.p, "method": "ours", "outcome": "proved", "proved": 1,
             "seconds": 0.001, "time_limit": 300.0, "certificate_verified": 1, "verify_seconds": 0.1,
             "n_selected": sizes[one.name]}
            for one in DATASETS
        ]  # fmt: skip
    return pd.DataFrame(rows)


def growing() -> pd.DataFrame:
    """A study of growth in which ours takes a hundredth of a second and Algorithm 2 a second."""
    pairs = [(method, p) for method in ("ours", "Algorithm 2") for p in (25, 50, 100)]
    rows = [
        {"method": method, "p": p, "proved": 1, "seconds": 0.01 if method == "ours" else 1.0}
        for method, p in pairs
    ]
    return pd.DataFrame(rows)


def heuristics() -> dict[str, pd.DataFrame]:
    """The heuristic's sets as printed but for their scores, which are a tenth below all that is printed, and times."""
    sets, times = [], []
    for measure, sizes, gaps in (("mrmr", "table_6", "table_3"), ("cfs", "table_7", "table_4")):
        printed = printed_runs(sizes)
        own = printed[printed["method"] == HEURISTIC].set_index("dataset").assign(measure=measure)
        others = printed[printed["method"].isin(["Algorithm 1", "Algorithm 2"])].groupby("dataset")
        for name in ("f1_nb_mean", "f1_rf_mean"):
            own[name] = others[name].min() - 0.1
        sets.append(own.reset_index().assign(f1_nb_std=0.01, f1_rf_std=0.01))
        timed = printed_runs(gaps)
        timed = timed[(timed["method"] == HEURISTIC) & timed["seconds"].notna()].assign(measure=measure)
        ended = timed["outcome"].map({"proved": "selected"}).fillna("time limit")
        times.append(timed.assign(outcome=ended))
    return {"heuristics": pd.concat(sets), "heuristic_times": pd.concat(times)}


def optima() -> pd.DataFrame:
    """Optimal sets of the size and scores that the paper prints of Algorithm 2, all proved."""
    frames = []
    for measure, table in (("mrmr", "table_6"), ("cfs", "table_7")):
        rows = printed_runs(table).query("method == 'Algorithm 2'")
        frames.append(rows.assign(measure=measure, method="ours", outcome="proved", proved=1))
    return pd.concat(frames)


def early_stops() -> pd.DataFrame:
    """Runs on the smaller half of the datasets that take four times as long without the early stop."""
    rows = [
        {"dataset": one.name, "p": one.p, "measure": measure, "method": method, "outcome": "proved", "proved": 1,
         "time_limit": 300.0, "early_stop": early, "seconds": (1 + k) * (1.0 if early else 4.0)}
        for k, one in enumerate(DATASETS[: (len(DATASETS) + 1) // 2])
        for measure in ("mrmr", "cfs")
        for method in ("Algorithm 1", "Algorithm 2")
        for early in (True, False)
    ]  # fmt: skip
    return pd.DataFrame(rows)


def sizes() -> pd.DataFrame:
    """Table 1 as if all data were as printed."""
    frame = published(NAME, "table_1")[["dataset", "p", "n", "data_type", "class_type"]]
    frame = frame.astype({"p": float, "n": float})
    classes = frame["class_type"].str.lower().map({"binary": 2, "multi": 5})
    return frame.assign(p_here=frame["p"], n_here=frame["n"], classes_here=classes)


LAST_COLUMN = "_last_column_as_class"


def readings() -> pd.DataFrame:
    """Readings of which those taken fit, in a column of their own; other formulas and the true class do not."""
    rows = []
    for one, measure in ((one, measure) for one in DATASETS for measure in ("mrmr", "cfs")):
        row = {
            "dataset": one.name, "p": one.p, "method": "ours", "key": one.key, "discretizer": one.discretizer,
            "drop_constant": False, "measure": measure, "su": "geometric", "compatible": "yes",
        }  # fmt: skip
        rows.append(row)
        if one.key.endswith(LAST_COLUMN):
            rows.append(row | {"key": one.key.removesuffix(LAST_COLUMN), "compatible": "no"})
        if measure == "cfs" and one.name in ("Zoo", "colon"):
            rows += [row | {"su": su, "compatible": "no"} for su in ("usual", "printed")]
    return pd.DataFrame(rows)


def as_stated() -> dict[str, pd.DataFrame]:
    """The data of the claims if everything had come out as the paper says, and all our own as we say."""
    own = {
        "readings": readings(),
        "beyond": proofs(),
        "exact": proofs(),
        "growth": growing(),
        **heuristics(),
        "optima": optima(),
        "hour": as_printed("table_3").query("dataset in ('Semeion_Hand', 'Madelon')"),
        "model_12": as_printed("table_2")
        .query("p <= 60 and method == 'MILP3'")
        .assign(method="model (12)", outcome="time limit", seconds=3600.0),
        "early_stop": early_stops(),
        "table_1": sizes(),
    }
    return {table: as_printed(table) for table in PAPER_TABLES} | {
        table: whole(table, frame) for table, frame in own.items()
    }


def setting(
    table: str, value: dict[str, Any], least: int = 0, **chosen: Any
) -> Callable[[dict[str, pd.DataFrame]], None]:
    """Put values into the chosen rows of a table, of datasets with at least so many features."""

    def apply(tables: dict[str, pd.DataFrame]) -> None:
        frame = tables[table] = tables[table].copy()
        rows = frame["p"] >= least
        for name, one in chosen.items():
            rows &= frame[name] == one
        assert rows.any()
        for name, one in value.items():
            frame.loc[rows, name] = one

    return apply
