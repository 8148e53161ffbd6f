"""Trials of the ensemble-pruning chapter as the cells of the paper's Tables 2 to 6.

A *run* is a dataset, a size K of the pool, a repetition (``seed``) and a fold; a *case* is a dataset and a K, over
whose runs the paper averages.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from compactml.chapters.ensemble_pruning.datasets import BY_KEY, DATASETS
from compactml.study.running.engine import Finished

CASE = ["dataset", "K"]
RUN = [*CASE, "seed", "fold"]

NAMES = [one.name for one in DATASETS]
AVERAGE = "avg"
"""Row of Tables 4 and 6 that averages over K, as printed."""

ACCURACY_METHODS = ("F1", "F2", "F3", "BFT", "HC-CON", "HC-UWA", "FE")
BALANCED_METHODS = ("F1", "F1_theta", "BFT", "HC-CON", "HC-UWA", "FE")
"""Methods of Table 4, and of Tables 5 and 6, in the paper's order of columns."""
ALL_CASES = "all cases"
"""Row of Table 5 that averages over all datasets and K."""
BENCHMARKS = ("BFT", "HC-CON", "HC-UWA", "FE")
RANKED = {"table_4": ("accuracy", ACCURACY_METHODS), "table_6": ("balanced_accuracy", BALANCED_METHODS)}
"""What each table of ranks ranks by, on the test fold, and its methods."""

LABELS = {"F1_theta": "F1, θ-weighted"}
"""Names of methods in tables and figures where they are not the plain ones."""
DIVERSITY = {"F1": "no diversity", "F3": "with diversity"}
"""Columns of Table 3."""


def plain(finished: Sequence[Finished]) -> pd.DataFrame:
    """One row per trial: what was asked and the numbers that were measured; datasets under their printed names."""
    rows = [
        {
            "dataset": BY_KEY[one.trial.dataset].name if one.trial.dataset in BY_KEY else one.trial.dataset,
            **dict(one.trial.parameters),
            "seed": one.trial.seed,
            "fold": one.trial.fold,
            "kind": one.trial.kind,
            "method": one.trial.method,
            "time_limit": one.trial.time_limit,
            **{name: value for name, value in one.result.items() if name not in ("selected", "history")},
        }
        for one in finished
    ]
    if not rows:
        return pd.DataFrame(columns=[*RUN, "kind", "method", "time_limit"])
    return pd.DataFrame(rows).dropna(axis="columns", how="all")


def dataset_cells(rows: pd.DataFrame) -> pd.DataFrame:
    """Cells of Table 2, from plain rows: columns ``dataset``, ``quantity``, ``value``."""
    quantities = {"columns": "features", "n": "N", "n0": "N0", "n1": "N1", "theta": "theta"}
    if rows.empty:
        return pd.DataFrame(columns=["dataset", "quantity", "value"])
    wide = rows[["dataset", *quantities]].rename(columns=quantities)
    return wide.melt("dataset", var_name="quantity")


def summarised(values: pd.Series, by: list[str]) -> pd.DataFrame:
    """Mean, standard deviation, standard error and number of values of each group, missing ones left out.

    Parameters
    ----------
    values : Series
        Indexed by the columns ``by`` and possibly others.

    Returns
    -------
    DataFrame
        Columns ``by``, ``value``, ``std``, ``std_error``, ``runs``; the errors are missing for a single run.
    """
    groups = values.dropna().groupby(level=by, sort=False)
    found = groups.agg(value="mean", std="std", runs="size")
    found["std_error"] = found["std"] / np.sqrt(found["runs"])
    return found.reset_index()


def gap_cells(runs: pd.DataFrame) -> pd.DataFrame:
    """Cells of Table 3 in percent: columns ``dataset``, ``method`` and those of `summarised`."""
    if runs.empty:
        return pd.DataFrame(columns=["dataset", "method", "value", "std", "std_error", "runs"])
    chosen = runs[runs["method"].isin(DIVERSITY)].set_index(["dataset", "method", "seed", "fold"])
    return summarised(100 * chosen["gap"].astype(float), ["dataset", "method"])


def mean_cells(runs: pd.DataFrame, measure: str, methods: Sequence[str]) -> pd.DataFrame:
    """Means of a measure on the test fold by case and method: columns `CASE`, ``method``, those of `summarised`."""
    if runs.empty:
        return pd.DataFrame(columns=[*CASE, "method", "value", "std", "std_error", "runs"])
    chosen = runs[runs["method"].isin(methods)].set_index([*RUN, "method"])
    return summarised(chosen[f"test_{measure}"].astype(float), [*CASE, "method"])


def balanced_cells(runs: pd.DataFrame) -> pd.DataFrame:
    """Cells of Table 5, K as text; the last row averages means and deviations over all cases, as print does."""
    cells = mean_cells(runs, "balanced_accuracy", BALANCED_METHODS)
    cells["K"] = cells["K"].astype(str)
    averages = cells.groupby("method", sort=False)[["value", "std"]].mean().reset_index()
    last = averages.assign(dataset=ALL_CASES, K="", std_error=np.nan, runs=cells["runs"].sum())
    order = {name: i for i, name in enumerate(NAMES)}
    ordered = cells.sort_values("dataset", key=lambda names: names.map(order), kind="stable")
    return pd.concat([ordered, last], ignore_index=True) if len(cells) else cells


def by_method(runs: pd.DataFrame, column: str) -> pd.DataFrame:
    """A column of plain rows: a row per run (`RUN`), a column per method."""
    numbers = runs.astype({column: float})
    return numbers.pivot_table(index=RUN, columns="method", values=column)  # each cell is one trial


def complete_runs(runs: pd.DataFrame, measure: str, methods: Sequence[str]) -> pd.DataFrame:
    """Test scores of the runs that have all the methods.

    Returns
    -------
    DataFrame
        Indexed by `RUN`, a column per method.
    """
    if runs.empty:
        index = pd.MultiIndex.from_arrays([[]] * len(RUN), names=RUN)
        return pd.DataFrame(index=index, columns=list(methods), dtype=float)
    return by_method(runs, f"test_{measure}").reindex(columns=list(methods)).dropna()


def run_ranks(scores: pd.DataFrame) -> pd.DataFrame:
    """Rank of each method in each row of `complete_runs`: 1 for the largest score, equal scores share their ranks.

    The scores are shares of a test fold, so equal ones are equal up to rounding.
    """
    return scores.round(9).rank(axis="columns", ascending=False)


def rank_cells(runs: pd.DataFrame, table: str) -> pd.DataFrame:
    """Cells of Tables 4 and 6: mean rank of each method over the runs of each K, and the mean over K.

    Every dataset counts alike, however many runs it has. The standard error treats runs as independent.

    Returns
    -------
    DataFrame
        Columns ``K`` (text), ``method``, ``value``, ``std_error``.
    """
    measure, methods = RANKED[table]
    ranks = run_ranks(complete_runs(runs, measure, methods))
    columns = ["K", "method", "value", "std_error"]
    if ranks.empty:
        return pd.DataFrame(columns=columns)
    long = ranks.reset_index().melt(RUN, var_name="method", value_name="rank")
    cases = long.groupby([*CASE, "method"], sort=False)["rank"].agg(["mean", "var", "size"]).reset_index()
    cases = cases.assign(K=cases["K"].astype(str), square=cases["var"] / cases["size"])
    groups = pd.concat([cases, cases.assign(K=AVERAGE)]).groupby(["K", "method"], sort=False)
    found = groups.agg(value=("mean", "mean"), datasets=("mean", "size")).reset_index()
    squares = groups["square"].sum(min_count=1).to_numpy()
    return found.assign(std_error=np.sqrt(squares) / found["datasets"])[columns]


def dataset_scores(runs: pd.DataFrame, measure: str, methods: Sequence[str]) -> pd.DataFrame:
    """Mean test score of each method on each dataset, over the complete runs; every K counts alike.

    Returns
    -------
    DataFrame
        Indexed by dataset in the order of Table 2, a column per method.
    """
    scores = complete_runs(runs, measure, methods)
    means = scores.groupby(level=CASE).mean().groupby(level="dataset").mean()
    return means.reindex([name for name in NAMES if name in means.index])
