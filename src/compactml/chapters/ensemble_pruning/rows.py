"""Trials of the ensemble-pruning chapter as rows, and the rows as the cells of the paper's Tables 2 to 6.

A *run* is a dataset, a size K of the pool, a repetition (``seed``) and a fold; a *case* is a dataset and a K, over
whose runs the paper averages.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from compactml.chapters.ensemble_pruning.datasets import BY_KEY, DATASETS
from compactml.chapters.ensemble_pruning.protocol import SIZES
from compactml.chapters.ensemble_pruning.trials.plain import PLAIN
from compactml.study.chapter import Kind
from compactml.study.frames import frame
from compactml.study.judging.noise import block_means, lead_of
from compactml.study.results import columns
from compactml.study.running.worker import Finished

CASE = ["dataset", "K"]
RUN = [*CASE, "seed", "fold"]

NAMES = [one.name for one in DATASETS]
SMALLER, LARGER = "smaller class", "larger class"
"""Quantities of Table 2: which class is called positive is inferred from the printed sizes, so it decides no cell."""
AVERAGE = "avg"
"""Row of Tables 4 and 6 that averages over K, as printed."""

ACCURACY_METHODS = ("F1", "F2", "F3", "BFT", "HC-CON", "HC-UWA", "FE")
BALANCED_METHODS = ("F1", "F1_theta", "BFT", "HC-CON", "HC-UWA", "FE")
"""Methods of Table 4, and of Tables 5 and 6, in the paper's order of columns."""
ALL_CASES = "all cases"
"""Row of Table 5 that averages over all datasets and K."""
BENCHMARKS = ("BFT", "HC-CON", "HC-UWA", "FE")


class Ranking(NamedTuple):
    """What a table of ranks ranks by, on the test fold, and its methods in the paper's order of columns."""

    measure: str
    methods: tuple[str, ...]


BY_ACCURACY = Ranking("accuracy", ACCURACY_METHODS)
BY_BALANCED_ACCURACY = Ranking("balanced_accuracy", BALANCED_METHODS)
"""Tables 4 and 6."""

LABELS = {"F1_theta": "F1, θ-weighted"}
"""Names of methods in tables and figures where they are not the plain ones."""
OURS = {"F1": "F1, ours", "F3": "F3, ours"}
"""Our method's names beside those of the paper's program, in Table 3."""
DIVERSITY = {
    "F1": "no diversity",
    "F3": "with diversity",
    OURS["F1"]: "no diversity, our method",
    OURS["F3"]: "with diversity, our method",
}
"""Columns of Table 3, the paper's and ours."""


ASKED = ("dataset", "K", "pool", "seed", "fold", "kind", "method", "time_limit")
"""What a row says of its trial, before what was measured."""
TEXTS = ("dataset", "kind", "method", "solver", "formulation")
LISTS = ("selected", "history")
"""Lists as JSON, which no row shows."""


def trial_rows(
    finished: Sequence[Finished], kinds: Sequence[Kind], asked: Sequence[str] = ASKED
) -> pd.DataFrame:
    """One row per trial: what was asked and what was measured; datasets under their printed names.

    Parameters
    ----------
    finished : sequence of Finished
    kinds : sequence of Kind
        All whose trials the table has; a row has no value in the columns of the others.
    asked : sequence of str
        Columns that come from the trial itself, parameters among them; one that a trial lacks is missing.
    """
    measured = [name for name in columns(*(kind.result for kind in kinds)) if name not in LISTS]
    names = [*asked, *measured]
    rows = []
    for item in finished:
        trial = item.trial
        told = {
            **item.result,
            **dict(trial.parameters),
            "dataset": BY_KEY[trial.dataset].name,
            "seed": trial.seed,
            "fold": trial.fold,
            "kind": trial.kind,
            "method": trial.method,
            "time_limit": trial.time_limit,
        }
        rows.append({name: told.get(name) for name in names})
    return frame(rows, names, TEXTS)


def dataset_cells(rows: pd.DataFrame) -> pd.DataFrame:
    """Cells of Table 2: columns ``dataset``, ``quantity``, ``value``; the two classes in the order of their sizes."""
    sizes = rows[["n0", "n1"]]
    wide = pd.DataFrame(
        {
            "dataset": rows["dataset"],
            "features": rows["columns"],
            "N": rows["n"],
            SMALLER: sizes.min(axis="columns"),
            LARGER: sizes.max(axis="columns"),
            "theta": rows["theta"],
        }
    )
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
    cells = groups.agg(value="mean", std="std", runs="size")
    cells["std_error"] = cells["std"] / np.sqrt(cells["runs"])
    return cells.reset_index()


def papers_program(runs: pd.DataFrame) -> pd.Series:
    """Which rows are of the paper's own program."""
    return runs["kind"] == PLAIN.name


def solver_names(runs: pd.DataFrame) -> pd.Series:
    """The solvers of the runs that have one, with their versions: what their text says first."""
    names: pd.Series = runs["solver"].dropna().str.split(",").str[0]
    return names


def solvers_by_method(rows: pd.DataFrame) -> str:
    """Which solvers ran each configuration: the smaller licence of one may end at the other's size."""
    names = {str(method): sorted(set(solver_names(one))) for method, one in rows.groupby("method")}
    texts = {method: " or ".join(some) for method, some in names.items() if some}
    if len(set(texts.values())) == 1:
        return next(iter(texts.values()))
    return ", ".join(f"{texts[method]} ({method})" for method in sorted(texts))


def gap_cells(runs: pd.DataFrame) -> pd.DataFrame:
    """Cells of Table 3 in percent: columns ``dataset``, ``method`` and those of `summarised`.

    Of the printed size of the pool alone: smaller ones leave smaller gaps. A method without a further word is the
    paper's program; our method has the names of `OURS`. A run that proves nothing has an infinite gap.
    """
    runs = runs[runs["K"] == max(SIZES)]
    names = runs["method"].where(papers_program(runs), runs["method"].map(OURS))
    chosen = runs.assign(method=names).set_index(["dataset", "method", "seed", "fold"])
    cells = summarised(100 * chosen["gap"].astype(float).fillna(np.inf), ["dataset", "method"])
    return cells.sort_values("method", key=lambda found: found.map(list(DIVERSITY).index), kind="stable")


def mean_cells(runs: pd.DataFrame, measure: str, methods: Sequence[str]) -> pd.DataFrame:
    """Means of a measure on the test fold by case and method: columns `CASE`, ``method``, those of `summarised`."""
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
    """A column of the rows of trials: a row per run (`RUN`), a column per method."""
    numbers = runs.astype({column: float})
    return numbers.pivot_table(index=RUN, columns="method", values=column)  # each cell is one trial


def complete_runs(runs: pd.DataFrame, measure: str, methods: Sequence[str]) -> pd.DataFrame:
    """Test scores of the runs that have all the methods.

    Returns
    -------
    DataFrame
        Indexed by `RUN`, a column per method.
    """
    return by_method(runs, f"test_{measure}").reindex(columns=list(methods)).dropna()


def run_ranks(scores: pd.DataFrame) -> pd.DataFrame:
    """Rank of each method in each row of `complete_runs`: 1 for the largest score, equal scores share their ranks.

    The scores are shares of a test fold, so equal ones are equal up to rounding.
    """
    return scores.round(9).rank(axis="columns", ascending=False)


def rank_cells(runs: pd.DataFrame, ranking: Ranking) -> pd.DataFrame:
    """Cells of Tables 4 and 6: mean rank of each method over the runs of each K, and the mean over K.

    Every dataset counts alike, however many runs it has. The datasets are the blocks of the standard error, which is
    missing for a single one: the runs of a dataset share its points.

    Returns
    -------
    DataFrame
        Columns ``K`` (text), ``method``, ``value``, ``std_error``, and ``datasets``: how many the mean is over, of the
        mean over K how many every K has.
    """
    cases = run_ranks(complete_runs(runs, *ranking)).groupby(level=CASE).mean()
    sizes = {str(size): of_size for size, of_size in cases.groupby(level="K")} if len(cases) else {}
    over = {size: len(of_size) for size, of_size in sizes.items()}
    cells = [
        (size, method, ours.mean, ours.error, over.get(size, min(over.values())))
        for size, some in {**sizes, AVERAGE: cases}.items()
        for method in (ranking.methods if len(some) else ())
        for ours in [lead_of(block_means(some[method], "dataset"))]
    ]
    table = pd.DataFrame(cells, columns=["K", "method", "value", "std_error", "datasets"])
    return table.replace({"std_error": np.inf}, np.nan)


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
