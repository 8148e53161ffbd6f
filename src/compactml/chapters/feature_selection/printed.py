"""The paper's Tables 2 to 7 as numbers and as the texts of their cells.

A cell has a dataset, a quantity (a row below the dataset) and a method (a group of columns). The paper writes T for the
time limit, + for a gap above 100, – where no set of features was found.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from compactml.chapters.feature_selection import NAME
from compactml.chapters.feature_selection.trials.solving import NO_SET, PROVED, TIME_LIMIT
from compactml.study.recording.published import published

__all__ = [
    "CELL", "EXACT", "FOLDS", "FULL_SET", "GAPS", "HEURISTIC", "ITERATIONS", "LARGE", "LIMIT", "NONE", "PARAMETRIC",
    "PRINTED_METHODS", "RUN", "RUNS_OF", "SCORES", "SIZE", "THREADS", "TIME", "measure_of", "printed_gap_cells",
    "printed_runs", "printed_score_cells",
]  # fmt: skip

CELL = ["dataset", "quantity", "method"]
"""Columns that name a cell."""
RUN = ["dataset", "method"]
"""Columns that name a run, whose cells stand one below the other."""

LIMIT, LARGE, NONE = "T", "+", "–"
THREADS = 4
"""Of the paper's runs; ours have one."""
FOLDS = 5
"""Of the cross-validation behind Tables 5 to 7."""

FULL_SET, HEURISTIC = "full set", "heuristic on raw values"
EXACT = ("MILP1", "MILP2", "MILP3", "Algorithm 1", "Algorithm 2")
PARAMETRIC = ("Algorithm 1", "Algorithm 2")
PRINTED_METHODS = {
    "FullSet": FULL_SET,
    "MILP1": "MILP1",
    "MILP2": "MILP2",
    "MILP3": "MILP3",
    "Algorithm1": "Algorithm 1",
    "Algorithm2": "Algorithm 2",
    "Heuristic_Brown2012": HEURISTIC,
    "Heuristic_Zhao2010": HEURISTIC,
}
"""Names of the methods in the published files, and those in our tables."""

GAPS = {"gap_abs": ("gap, absolute", 3), "gap_rel": ("gap, relative", 2)}
TIME, ITERATIONS, SIZE = "seconds", "iterations", "features"
SCORES = {"f1_nb": "F1, naive Bayes", "f1_rf": "F1, random forest"}

RUNS_OF = {"table_5": "table_2", "table_6": "table_3", "table_7": "table_4"}
"""The printed table that says how the runs ended whose sets a printed table scores."""


def measure_of(table: str) -> str:
    """What the methods of a printed table maximise: "mrmr" or "cfs"."""
    return "cfs" if table in ("table_4", "table_7") else "mrmr"


def printed_runs(table: str) -> pd.DataFrame:
    """A printed table with our column names; numbers where they are numbers.

    Columns ``dataset``, ``p``, ``method``, ``outcome`` and those of the table: ``gap_abs``, ``gap_rel`` (inf for the
    printed +), ``seconds``, ``iterations``, or ``n_selected`` and the F1 scores.
    """
    frame = published(NAME, table)
    limit = frame.get("time_limit_reached", pd.Series("", index=frame.index)) == "true"
    no_set = frame["no_feasible_solution"] == "true"
    runs = pd.DataFrame(
        {
            "dataset": frame["dataset"],
            "p": frame["p"].astype(int),
            "method": frame["method"].map(PRINTED_METHODS),
            "outcome": np.where(no_set, NO_SET, np.where(limit, TIME_LIMIT, PROVED)),
        }
    )
    names = {"time_s": "seconds"}
    texts = {"dataset", "p", "method", "time_limit_reached", "no_feasible_solution", "note", "iterations_ocr"}
    for column in frame.columns.difference(list(texts), sort=False):
        runs[names.get(column, column)] = pd.to_numeric(frame[column])
    return runs


Texts = dict[str, tuple[str, str]]
"""By quantity the printed text and, for F1 scores, that of the deviation."""


def printed_gap_cells(table: str) -> pd.DataFrame:
    """The texts of Table 2, 3 or 4 by cell; columns `CELL` and ``value``."""
    return _printed_cells(table, _gaps).drop(columns="std")


def printed_score_cells(table: str) -> pd.DataFrame:
    """The texts of Table 5, 6 or 7 by cell; columns `CELL`, ``value`` and, for F1 scores, ``std``."""
    return _printed_cells(table, _scores)


def _printed_cells(table: str, texts: Callable[[dict[Any, Any]], Texts]) -> pd.DataFrame:
    frame = published(NAME, table)
    methods = frame["method"].map(PRINTED_METHODS)
    return pd.DataFrame(
        {"dataset": row["dataset"], "quantity": name, "method": method, "value": value, "std": std}
        for row, method in zip(frame.to_dict("records"), methods, strict=True)
        for name, (value, std) in texts(row).items()
    )


def _gaps(row: dict[Any, Any]) -> Texts:
    none = NONE if row["no_feasible_solution"] == "true" else ""
    texts = {
        name: LARGE if row[column] == "inf" else row[column] or none for column, (name, _) in GAPS.items()
    }
    texts[TIME] = LIMIT if row["time_limit_reached"] == "true" else row["time_s"]
    texts[ITERATIONS] = row.get("iterations", "")  # Table 2 has none
    return {name: (text, "") for name, text in texts.items() if text}


def _scores(row: dict[Any, Any]) -> Texts:
    if row["no_feasible_solution"] == "true":
        return dict.fromkeys((SIZE, *SCORES.values()), (NONE, ""))
    scores = {name: (row[f"{column}_mean"], row[f"{column}_std"]) for column, name in SCORES.items()}
    return {name: pair for name, pair in {SIZE: (row["n_selected"], ""), **scores}.items() if pair[0]}
