"""Results of the Boolean-rules trials as the rows of the paper's tables and figures, and curves compared."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from compactml.chapters.boolean_rules.datasets import BY_KEY, DATASETS
from compactml.chapters.boolean_rules.trials import paper
from compactml.chapters.boolean_rules.trials.aix360 import Pair
from compactml.chapters.boolean_rules.trials.engines import OURS as SEARCH
from compactml.chapters.boolean_rules.trials.paper import METHODS
from compactml.chapters.boolean_rules.trials.readings import LIVER_READING
from compactml.study.chapter import Kind
from compactml.study.frames import frame
from compactml.study.results import columns
from compactml.study.running.worker import Finished

CELL = ["dataset", "method"]
"""Columns that name a cell of Tables 1 and 2."""
NAMES = [dataset.name for dataset in DATASETS]
TEXTS = (*CELL, "outcome", "rule", "not_found")
"""Columns that hold text."""
LATE = 1.02
"""Share of the time allowed from which a run counts as late."""
TABLE_COLUMNS = [*CELL, "value", "std_error", "folds"]
POINT_COLUMNS = [
    *CELL, "parameter", "accuracy", "accuracy_error", "complexity", "complexity_error", "folds",
]  # fmt: skip


def display_name(key: str) -> str:
    """The paper's name of a dataset, or the key of one that only our own tables use."""
    return BY_KEY[key].name if key in BY_KEY else key


def trial_rows(finished: Sequence[Finished], kind: Kind, parameters: Sequence[str] = ()) -> pd.DataFrame:
    """One row per trial: what was asked and what was measured."""
    rows = [
        {
            "dataset": display_name(item.trial.dataset),
            "method": item.trial.method,
            "time_limit": item.trial.time_limit,
            **dict(item.trial.parameters),
            **item.result,
        }
        for item in finished
    ]
    return frame(rows, [*CELL, "time_limit", *parameters, *columns(kind.result)], TEXTS)


def liver_reading(finished: Sequence[Finished]) -> pd.DataFrame:
    """One row per reading of the liver data's class, the accuracies in percent."""
    rows = trial_rows(finished, LIVER_READING, ("above",))
    names = ["selector" if np.isnan(level) else f"drinks > {level:g}" for level in rows["above"]]
    percent = {name: 100 * rows[name] for name in ("accuracy", "std_error", "majority")}
    return rows.assign(**{"class": names}, **percent)[["class", *percent, "n_positive"]]


def peer_pairs(finished: Sequence[Finished]) -> pd.DataFrame:
    """One row per pair of AIX360's rule set and ours; datasets under their keys, numbers only."""
    texts = ("aix360_rounds", "aix360_clauses", "our_clauses", "solver")
    names = [name for name in columns(Pair) if name not in texts]
    rows = [
        {
            "dataset": item.trial.dataset,
            **dict(item.trial.parameters),
            **{name: item.result[name] for name in names},
        }
        for item in finished
    ]
    whole = [name for name in names if "seconds" not in name and name != "ratio"]
    return frame(rows, ["dataset", "lambda", *names], ("dataset",)).astype(dict.fromkeys(whole, "Int64"))


def standard_error(values: pd.Series) -> float:
    """Standard error of a mean; missing for a single value."""
    return float(values.std(ddof=1) / np.sqrt(len(values)))


def table_1(finished: Sequence[Finished]) -> pd.DataFrame:
    """Rows of Table 1: mean test accuracy in percent over the folds that were run, and its standard error."""
    return _table(finished, "test_accuracy", 100.0)


def table_2(finished: Sequence[Finished]) -> pd.DataFrame:
    """Rows of Table 2: mean complexity and its standard error; none for random forests."""
    return _table(finished, "complexity", 1.0)


def _table(finished: Sequence[Finished], measure: str, scale: float) -> pd.DataFrame:
    kinds = (paper.NESTED.name, paper.NESTED_OTHERS.name)
    rows = pd.DataFrame(
        [
            (display_name(item.trial.dataset), item.trial.method, item.result[measure])
            for item in finished
            if item.trial.kind in kinds and item.result[measure] is not None
        ],
        columns=[*CELL, "value"],
    )
    if rows.empty:
        return frame([], TABLE_COLUMNS, CELL)
    rows["value"] = scale * rows["value"].astype(float)
    means = rows.groupby(CELL)["value"].agg(value="mean", std_error=standard_error, folds="size")
    order = [cell for name in NAMES for method in METHODS if (cell := (name, method)) in means.index]
    return means.loc[order].reset_index()


def figure_1(finished: Sequence[Finished]) -> pd.DataFrame:
    """Points of Fig 1: mean complexity and test accuracy (percent) of each method and parameter."""
    kinds = (paper.TRADE_OFF.name, paper.TRADE_OFF_OTHERS.name)
    rows = pd.DataFrame(
        [
            {
                "dataset": display_name(item.trial.dataset),
                "method": item.trial.method,
                "parameter": dict(item.trial.parameters)["value"],
                "accuracy": 100 * float(item.result["test_accuracy"] or 0.0),
                "complexity": float(item.result["complexity"] or 0.0),
            }
            for item in finished
            if item.trial.kind in kinds
        ]
    )
    if rows.empty:
        return frame([], POINT_COLUMNS, CELL)
    groups = rows.groupby([*CELL, "parameter"])
    points = groups.agg(
        accuracy=("accuracy", "mean"),
        accuracy_error=("accuracy", standard_error),
        complexity=("complexity", "mean"),
        complexity_error=("complexity", standard_error),
        folds=("accuracy", "size"),
    ).reset_index()
    rank = {name: i for i, name in enumerate((*NAMES, *METHODS))}
    by_rank = points.sort_values(
        [*CELL, "complexity"], key=lambda column: column.map(rank) if column.name in CELL else column
    )
    return by_rank[POINT_COLUMNS].reset_index(drop=True)


def pareto(points: pd.DataFrame) -> pd.DataFrame:
    """The points of each method that none of its others beats: more accurate and no less simple, or vice versa."""
    kept = []
    for _, group in points.groupby(CELL, sort=False):
        accuracy, size = group["accuracy"].to_numpy(), group["complexity"].to_numpy()
        no_worse = (accuracy[:, None] >= accuracy) & (size[:, None] <= size)
        better = no_worse & ((accuracy[:, None] > accuracy) | (size[:, None] < size))
        best = pd.Series(~better.any(axis=0), index=group.index)
        kept.append(group[best].drop_duplicates(["accuracy", "complexity"]))
    return pd.concat(kept).sort_index() if kept else points.head(0)


TIMED = 0.1
"""Seconds of an engine below which one run tells no factor: made again, a run of milliseconds takes half or double."""


def beside_search(engines: pd.DataFrame) -> pd.DataFrame:
    """Return engines with the column "times slower": their seconds over those of our search on the same problem.

    It is missing for our search itself.
    """
    rows = engines.reset_index(drop=True)
    is_search = rows["method"] == SEARCH
    seconds = rows[is_search].set_index(["dataset", "C"])["seconds"]
    problems = pd.MultiIndex.from_frame(rows[["dataset", "C"]])
    ratio = rows["seconds"] / seconds.reindex(problems).to_numpy()
    return rows.assign(**{"times slower": ratio.where(~is_search)})


def late(pairs: pd.DataFrame) -> pd.Series:
    """Return which of our runs did not stop in a tenth of AIX360's seconds, as they were told to."""
    return pairs["our_seconds_in_tenth"] > LATE * pairs["aix360_seconds"] / 10


def exponent(x: pd.Series, y: pd.Series) -> float:
    """Return the power of ``x`` that ``y`` grows with, by least squares over logarithms; missing for one point."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0]) if len(x) > 1 else float("nan")
