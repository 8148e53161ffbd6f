"""Trials of the feature-selection chapter as the cells of the paper's Tables 2 to 7.

A cell has a dataset, a quantity (a row below the dataset) and a method (a group of columns). Its text is written as
the paper writes it: T for the time limit, + for a gap above 100, – where no set of features was found.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from compactml.chapters.feature_selection.datasets import BY_KEY
from compactml.chapters.feature_selection.plan import CHAPTER
from compactml.chapters.feature_selection.trials.paper import NO_SET, PROVED, TIME_LIMIT
from compactml.study.recording.published import published
from compactml.study.running.engine import Finished

CELL = ["dataset", "quantity", "method"]
"""Columns that name a cell."""
RUN = ["dataset", "method"]
"""Columns that name a run, whose cells stand one below the other."""

LIMIT, LARGE, NONE = "T", "+", "–"
ABOUT = "≈ "
"""Before a gap of ours that is an estimate and no bound: Algorithm 2's, where a limit stopped it."""
LARGEST_GAP = 100.0
THREADS = 4
"""Of the paper's runs; ours have one."""
FOLDS = 5
"""Of the cross-validation behind Tables 5 to 7."""

GAP_TABLES = ("table_2", "table_3", "table_4")
SCORE_TABLES = ("table_5", "table_6", "table_7")
METHODS = {
    "full": "full set",
    "milp1": "MILP1",
    "milp2": "MILP2",
    "milp3": "MILP3",
    "binary_search": "Algorithm 1",
    "newton": "Algorithm 2",
    "heuristic": "heuristic",
    "certified": "ours",
}
"""Our names of the methods and those in the tables, in the paper's order of columns."""
PRINTED_METHODS = {
    "FullSet": "full set",
    "MILP1": "MILP1",
    "MILP2": "MILP2",
    "MILP3": "MILP3",
    "Algorithm1": "Algorithm 1",
    "Algorithm2": "Algorithm 2",
    "Heuristic_Brown2012": "heuristic",
    "Heuristic_Zhao2010": "heuristic",
}
EXACT = ("MILP1", "MILP2", "MILP3", "Algorithm 1", "Algorithm 2")
PARAMETRIC = ("Algorithm 1", "Algorithm 2")

GAPS = {"gap_abs": ("gap, absolute", 3), "gap_rel": ("gap, relative", 2)}
TIME, ITERATIONS, SIZE = "seconds", "iterations", "features"
SCORES = {"f1_nb": "F1, naive Bayes", "f1_rf": "F1, random forest"}


def display_name(key: str) -> str:
    """The paper's name of a dataset, or the key of one that only our own tables use."""
    return BY_KEY[key].name if key in BY_KEY else key


def plain(finished: Sequence[Finished]) -> pd.DataFrame:
    """One row per trial: what was asked and what was measured; methods under the names of the tables.

    Other readings of a dataset stand under its printed name, with the data that were read as ``key``.
    """
    rows = []
    for one in finished:
        asked = dict(one.trial.parameters)
        key, name = one.trial.dataset, asked.pop("name", None)
        rows.append(
            {
                "dataset": display_name(key) if name is None else name,
                **({} if name is None else {"key": key}),
                "method": METHODS.get(one.trial.method, one.trial.method),
                "time_limit": one.trial.time_limit,
                **asked,
                "outcome": "",  # baselines have none
                **{column: value for column, value in one.result.items() if column != "support"},
            }
        )
    return pd.DataFrame(rows).dropna(axis="columns", how="all")


def printed_runs(table: str) -> pd.DataFrame:
    """A printed table with our column names; numbers where they are numbers.

    Columns ``dataset``, ``p``, ``method``, ``outcome`` and those of the table: ``gap_abs``, ``gap_rel`` (inf for the
    printed +), ``seconds``, ``iterations``, or ``n_selected`` and the F1 scores.
    """
    frame = published(CHAPTER, table)
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


def printed_cells(table: str) -> pd.DataFrame:
    """The texts of a printed table by cell; columns `CELL`, ``value`` and, for F1 scores, ``std``."""
    frame = published(CHAPTER, table)
    methods = frame["method"].map(PRINTED_METHODS)
    cells = []
    for row, method in zip(frame.to_dict("records"), methods, strict=True):
        quantities = _printed_gaps(row) if table in GAP_TABLES else _printed_scores(row)
        cells += [
            {"dataset": row["dataset"], "quantity": name, "method": method, "value": value, "std": std}
            for name, (value, std) in quantities.items()
        ]
    return pd.DataFrame(cells)


def _printed_gaps(row: dict[Any, Any]) -> dict[str, tuple[str, str]]:
    none = NONE if row["no_feasible_solution"] == "true" else ""
    texts = {
        name: LARGE if row[column] == "inf" else row[column] or none for column, (name, _) in GAPS.items()
    }
    texts[TIME] = LIMIT if row["time_limit_reached"] == "true" else row["time_s"]
    texts[ITERATIONS] = row.get("iterations", "")
    return {name: (text, "") for name, text in texts.items() if text}


def _printed_scores(row: dict[Any, Any]) -> dict[str, tuple[str, str]]:
    if row["no_feasible_solution"] == "true":
        return dict.fromkeys((SIZE, *SCORES.values()), (NONE, ""))
    scores = {name: (row[f"{column}_mean"], row[f"{column}_std"]) for column, name in SCORES.items()}
    return {name: pair for name, pair in {SIZE: (row["n_selected"], ""), **scores}.items() if pair[0]}


def not_run(outcome: Any) -> bool:
    """Whether a run was left out, its model being too large; baselines have no outcome."""
    return isinstance(outcome, str) and outcome.startswith("not run")


def gap_text(value: Any, decimals: int) -> str:
    """A gap as the paper writes it; one that is missing is unbounded and a +, like one above 100."""
    return LARGE if pd.isna(value) or value > LARGEST_GAP else f"{value:.{decimals}f}"


def gap_cells(runs: pd.DataFrame | None) -> pd.Series:
    """Cells of Tables 2 to 4 as texts, from plain rows; the heuristic has a time only."""
    cells: dict[tuple[str, str, str], str] = {}
    for row in [] if runs is None else runs.to_dict("records"):
        texts = _run_texts(row)
        cells |= {(row["dataset"], name, row["method"]): text for name, text in texts.items()}
    index = pd.MultiIndex.from_tuples(list(cells), names=CELL) if cells else _NO_CELLS
    return pd.Series(list(cells.values()), index=index, dtype=object)


def _run_texts(row: dict[Any, Any]) -> dict[str, str]:
    ended = row["outcome"]
    if not_run(ended):
        return {TIME: ended.removeprefix("not run: ")}
    texts = {TIME: LIMIT if ended in (TIME_LIMIT, NO_SET) else f"{row['seconds']:.1f}"}
    if row["method"] in EXACT:
        about = ABOUT if row["method"] == PARAMETRIC[1] and ended == TIME_LIMIT else ""
        for column, (name, decimals) in GAPS.items():
            texts[name] = NONE if ended == NO_SET else about + gap_text(row.get(column), decimals)
    if row["method"] in PARAMETRIC:
        texts[ITERATIONS] = f"{row['iterations']:.0f}"
    return texts


_NO_CELLS = pd.MultiIndex.from_arrays([[], [], []], names=CELL)


def score_cells(runs: pd.DataFrame | None) -> pd.DataFrame:
    """Cells of Tables 5 to 7, from plain rows: columns `CELL`, ``value`` (missing: no set), ``std``, ``std_error``."""
    cells = []
    ran = [] if runs is None else [row for row in runs.to_dict("records") if not not_run(row["outcome"])]
    for row in ran:
        cell = {"dataset": row["dataset"], "method": row["method"]}
        size = row.get("n_selected") if row["outcome"] != NO_SET else None
        cells.append(cell | {"quantity": SIZE, "value": size, "std": None})
        for column, name in SCORES.items():
            pair = {"value": row.get(f"{column}_mean"), "std": row.get(f"{column}_std")}
            cells.append(cell | {"quantity": name, **pair})
    frame = pd.DataFrame(cells, columns=[*CELL, "value", "std"]).astype({"value": float, "std": float})
    return frame.assign(std_error=frame["std"] / np.sqrt(FOLDS))


def score_text(value: float, std: float, quantity: str) -> str:
    """A size, "0.84 ± 0.04", or a dash where no set was found."""
    if np.isnan(value):
        return NONE
    return f"{value:.0f}" if quantity == SIZE else f"{value:.2f} ± {std:.2f}"
