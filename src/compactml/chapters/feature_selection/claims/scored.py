"""F1 scores and sizes of sets by cell, in print and here, as the claims on them count them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pandas as pd

from compactml.chapters.feature_selection.claims.common import FEATURES, MILPS, Tables, coverage
from compactml.chapters.feature_selection.judging import STOPPED
from compactml.chapters.feature_selection.printed import (
    EXACT,
    FOLDS,
    HEURISTIC,
    PARAMETRIC,
    RUN,
    RUNS_OF,
    SCORES,
    printed_runs,
)
from compactml.study.judging.evidence import Coverage, Share
from compactml.study.judging.noise import Outcome, lead_of, small_error, within_two_errors

CLASSIFIERS = tuple(f"{name}_mean" for name in SCORES)
POINT = 0.01
"""One point of F1."""
DECIMALS = 2
"""Decimals of the printed scores: equal there is equal."""
SCORING = (
    "the paper names neither its folds nor the settings of its classifiers; ours are those that come closest to its "
    "scores of all features"
)
RULE_OF_THE_HEURISTIC = "the heuristic's set by our code of scikit-feature's rule"
IN_GENERAL_WORSE = "two standard errors of the mean difference over datasets, each classifier"
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
    both = (rows, printed_runs(RUNS_OF[table]))
    stopped = [frame.loc[frame["outcome"].isin(STOPPED) & frame["method"].isin(EXACT), RUN] for frame in both]
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
    return wide[HEURISTIC] < wide[list(PARAMETRIC)].max(axis="columns")


def worse_than_both(wide: pd.DataFrame) -> pd.Series:
    """Whether the heuristic's set scores worse than that of Algorithm 1 and than that of Algorithm 2."""
    return wide[HEURISTIC] < wide[list(PARAMETRIC)].min(axis="columns")


def wins(frame: pd.DataFrame, first: str, second: str) -> Truths:
    """By cell whether the first algorithm's set scores better than the second's."""
    return cells_of(frame, lambda wide: wide[first] > wide[second], PARAMETRIC)


def with_sets(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows that have a set with scores, stopped or not."""
    return frame[frame[list(CLASSIFIERS)].notna().all(axis="columns")]


def differences(
    frame: pd.DataFrame, heuristic: pd.DataFrame, classifier: str, datasets: Sequence[str]
) -> pd.Series:
    """Return by dataset the mean score of Algorithms 1 and 2 less that of the heuristic, both at full precision."""
    by_method = with_sets(frame[frame["method"].isin(PARAMETRIC)])
    exact = by_method.groupby("dataset")[classifier].mean()
    greedy = heuristic.set_index("dataset")[classifier]
    both = (exact - greedy).dropna()
    return both[[name for name in datasets if name in both.index]]


def printed_smaller() -> Truths:
    """By dataset whether Algorithm 2 selects fewer features for CFS than for mRMR in the paper's tables."""
    sizes = [
        printed_runs(table).query("method == 'Algorithm 2'").set_index("dataset")["n_selected"]
        for table in ("table_6", "table_7")
    ]
    both = pd.concat(sizes, axis="columns", keys=["mrmr", "cfs"], join="inner").dropna()
    return {str(name): bool(row["cfs"] < row["mrmr"]) for name, row in both.iterrows()}


def of_zero(mean: float, error: float) -> Outcome:
    """Return what a mean difference says of a statement that there is none."""
    if not within_two_errors(mean, error) and abs(mean) > POINT:
        return Outcome.DIFFERS
    return Outcome.AGREES if small_error(error, mean, point=POINT) else Outcome.INCONCLUSIVE


def printed_outcomes(table: str) -> dict[str, tuple[Outcome, str]]:
    """Return by classifier what the printed scores of all datasets say, and their mean difference with its error."""
    by_classifier = {}
    for classifier in CLASSIFIERS:
        wide = printed_runs(table).pivot_table(index="dataset", columns="method", values=classifier)
        lead = lead_of((wide[PARAMETRIC[0]] - wide[PARAMETRIC[1]]).dropna())
        by_classifier[classifier] = of_zero(lead.mean, lead.error), f"{lead.mean:+.3f} ± {lead.error:.3f}"
    return by_classifier
