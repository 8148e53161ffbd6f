"""F1 scores and sizes of sets by cell, in print and here, as the claims on them count them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pandas as pd

from compactml.chapters.feature_selection.claims.common import FEATURES, MILPS, Tables, coverage
from compactml.chapters.feature_selection.judging import STOPPED
from compactml.chapters.feature_selection.printed import FOLDS, PARAMETRIC, RUN, RUNS_OF, SCORES, printed_runs
from compactml.study.judging.evidence import Coverage, Share

CLASSIFIERS = tuple(f"{name}_mean" for name in SCORES)
DECIMALS = 2
"""Decimals of the printed scores: equal there is equal."""
SCORING = (
    "the paper names neither its folds nor the settings of its classifiers; ours are those that come closest to its "
    "scores of all features"
)
Truths = dict[str, bool]
BETTER = {
    "algorithm1-better-mrmr": {
        "measure": "mRMR", "table": "table_6", "n": 6, "better": "Algorithm 1", "other": "Algorithm 2",
    },
    "algorithm2-better-cfs": {
        "measure": "CFS", "table": "table_7", "n": 7, "better": "Algorithm 2", "other": "Algorithm 1",
    },
}  # fmt: skip
"""Which algorithm's sets the paper says to score better: the words of a claim on print and of one on our runs."""
NAMED = ("Connectionist", "ISOLET", "USPS")
"""Datasets on which the paper says that the heuristic for mRMR scores worse."""


def scores(frame: pd.DataFrame, least: int = 0) -> dict[str, pd.DataFrame]:
    """For both classifiers the F1 scores at the printed digits, datasets by methods; more than ``least`` features."""
    large = frame[frame["dataset"].map(FEATURES) > least]
    return {
        name: large.pivot_table(index="dataset", columns="method", values=name, sort=False).round(DECIMALS)
        for name in CLASSIFIERS
    }


def ended(tables: Tables, table: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return our rows of a table and the paper's, without the sets of runs that a limit stopped here or there."""
    rows, printed = tables[table], printed_runs(table)
    stopped = [
        frame.loc[frame["outcome"].isin(STOPPED), RUN] for frame in (rows, printed_runs(RUNS_OF[table]))
    ]
    wrong = pd.MultiIndex.from_frame(pd.concat(stopped))
    ours, theirs = (frame[~pd.MultiIndex.from_frame(frame[RUN]).isin(wrong)] for frame in (rows, printed))
    return ours, theirs


def cells_of(
    frame: pd.DataFrame,
    right: Callable[[pd.DataFrame], pd.Series],
    needs: Sequence[str],
    least: int = 0,
) -> Truths:
    """Return by cell (dataset and classifier) what ``right`` says of the methods it ``needs``, if all have a score."""
    truths: Truths = {}
    for classifier, wide in scores(frame, least).items():
        complete = wide.reindex(columns=wide.columns.union(list(needs))).dropna(subset=list(needs))
        truths |= {f"{name} ({classifier[3:5].upper()})": bool(yes) for name, yes in right(complete).items()}
    return truths


def cell_coverage(cells: Mapping[str, object], of: int = len(FEATURES)) -> Coverage:
    """Datasets behind some cells, all folds."""
    n = len({name.split(" (")[0] for name in cells})
    return coverage(n, of, repetitions=Share(FOLDS, FOLDS, "folds"))


def milp3_best_score(wide: pd.DataFrame) -> pd.Series:
    """Whether MILP3's set has the best score of the MILPs', a MILP without a set being no rival; ties count."""
    return wide["MILP3"] >= wide[list(MILPS)].max(axis="columns")


def worse_heuristic(wide: pd.DataFrame) -> pd.Series:
    """Whether the heuristic's set scores worse than the better of Algorithms 1 and 2."""
    return wide["heuristic"] < wide[list(PARAMETRIC)].max(axis="columns")


def wins(frame: pd.DataFrame, first: str, second: str) -> Truths:
    """By cell whether the first algorithm's set scores better than the second's."""
    return cells_of(frame, lambda wide: wide[first] > wide[second], PARAMETRIC)


def printed_smaller() -> Truths:
    """By dataset whether Algorithm 2 selects fewer features for CFS than for mRMR in the paper's tables."""
    sizes = [
        printed_runs(table).query("method == 'Algorithm 2'").set_index("dataset")["n_selected"]
        for table in ("table_6", "table_7")
    ]
    both = pd.concat(sizes, axis="columns", keys=["mrmr", "cfs"], join="inner").dropna()
    return {str(name): bool(row["cfs"] < row["mrmr"]) for name, row in both.iterrows()}
