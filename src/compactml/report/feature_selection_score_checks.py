"""Checks of what Mehmanchi, Gómez and Prokopyev (2021) state of sizes and F1 scores, on recorded results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

from compactml.experiments.feature_selection_trials import PROVED
from compactml.report.claims import Evidence, Verdict
from compactml.report.comparison import same_digits
from compactml.report.feature_selection_checks import (
    FEATURES,
    LARGEST_SMALL,
    MILPS,
    Answers,
    Count,
    Tables,
    count,
    evidence,
)
from compactml.report.feature_selection_comparison import RUNS_OF, STOPPED
from compactml.report.feature_selection_frames import EXACT, PARAMETRIC, RUN, SCORES, printed_runs

CLASSIFIERS = tuple(f"{name}_mean" for name in SCORES)
DIGITS = 2
"""Decimals of the printed scores: equal there is equal."""


def scores(frame: pd.DataFrame, least: int = 0) -> dict[str, pd.DataFrame]:
    """For both classifiers the F1 scores at the printed digits, datasets by methods; more than ``least`` features."""
    large = frame[frame["dataset"].map(FEATURES) > least]
    return {
        name: large.pivot_table(index="dataset", columns="method", values=name, sort=False).round(DIGITS)
        for name in CLASSIFIERS
        if name in large
    }


def ended(tables: Tables, table: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Our rows of a table and print's, without the sets of runs that a limit stopped here or there."""
    own, print_ = tables[table], printed_runs(table)
    stopped = [
        frame.loc[frame["outcome"].isin(STOPPED), RUN] for frame in (own, printed_runs(RUNS_OF[table]))
    ]
    wrong = pd.MultiIndex.from_frame(pd.concat(stopped))
    ours, theirs = (frame[~pd.MultiIndex.from_frame(frame[RUN]).isin(wrong)] for frame in (own, print_))
    return ours, theirs


def counted(
    tables: Tables,
    table: str,
    right: Callable[[pd.DataFrame], pd.Series],
    needs: Sequence[str],
    least: int = 0,
) -> tuple[Answers, Answers]:
    """By cell (dataset and classifier) what ``right`` says of the methods it ``needs``, ours and print's."""

    def one(frame: pd.DataFrame) -> Answers:
        found: dict[str, bool] = {}
        for classifier, wide in scores(frame, least).items():
            complete = wide.reindex(columns=wide.columns.union(list(needs))).dropna(subset=list(needs))
            found |= {
                f"{name} ({classifier[3:5].upper()})": bool(yes) for name, yes in right(complete).items()
            }
        return found

    ours, print_ = ended(tables, table)
    return one(ours), one(print_)


def milp3_scores(tables: Tables) -> Evidence:
    """In most datasets MILP3's set has the best score of the three MILPs' (Table 5), all of which ended."""
    milps = list(MILPS)
    sides = counted(tables, "table_5", lambda wide: wide["MILP3"] >= wide[milps].max(axis="columns"), milps)
    return summarised(evidence(*sides, share=0.5, needs=len(CLASSIFIERS) * len(FEATURES)))


def heuristic_scores(tables: Tables, table: str, least: int = 0, datasets: Sequence[str] = ()) -> Evidence:
    """The heuristic's set scores worse than the better of Algorithms 1 and 2, on most cells.

    Where its sets have other sizes than print's, it is another heuristic, and nothing is tested.
    """
    names = list(datasets) or [name for name, p in FEATURES.items() if p > least]
    same = same_heuristic(tables, table, names)
    if same.right < same.total:
        return Evidence(Verdict.NOT_TESTABLE, f"{same} sizes are print's", OTHER_HEURISTIC[table])

    def worse(wide: pd.DataFrame) -> pd.Series:
        own = wide.loc[[name for name in wide.index if name in names]]
        return own["heuristic"] < own[list(PARAMETRIC)].max(axis="columns")

    sides = counted(tables, table, worse, [*PARAMETRIC, "heuristic"], least)
    share = 1.0 if datasets else 0.5
    return summarised(evidence(*sides, share=share, needs=len(CLASSIFIERS) * len(names)))


OTHER_HEURISTIC = {
    "table_6": "the paper's heuristic evidently read the raw values, ours the discretised ones; on two discrete "
    "datasets its sizes differ too",
    "table_7": "the paper's heuristic is not ours: sizes differ even where the values are levels as they are",
}


def same_heuristic(tables: Tables, table: str, names: Sequence[str]) -> Count:
    """On how many of the named datasets the heuristic's set has the printed size."""
    own, print_ = (
        frame[frame["method"] == "heuristic"].set_index("dataset")["n_selected"]
        for frame in (tables[table], printed_runs(table))
    )
    return count({name: bool(own[name] == print_[name]) for name in names if name in own.index})


def better_algorithm(tables: Tables, table: str, better: str, other: str) -> Evidence:
    """Of Algorithms 1 and 2 one scores better on more cells than the other, of those where both ended."""

    def wins(first: str, second: str) -> tuple[Answers, Answers]:
        return counted(tables, table, lambda wide: wide[first] > wide[second], PARAMETRIC)

    (ours, print_), (theirs, print_other) = wins(better, other), wins(other, better)
    cells = [name for name in ours if name in print_]
    if not cells:
        return Evidence(Verdict.NOT_TESTABLE, "", "no dataset on which both algorithms ended")
    won, lost, print_won, print_lost = (
        sum(side[name] for name in cells) for side in (ours, theirs, print_, print_other)
    )
    found = f"{better} better {won} times, {other} {lost} times (print {print_won}, {print_lost})"
    if won > lost:
        whole = len(cells) == len(CLASSIFIERS) * len(FEATURES)
        return Evidence(Verdict.HOLDS if whole else Verdict.IN_PART, found)
    if print_won <= print_lost:
        return Evidence(Verdict.NOT_TESTABLE, found, "on these cells print does not show it either")
    return Evidence(Verdict.DOES_NOT_HOLD, found)


def cfs_sets_smaller(tables: Tables) -> Evidence:
    """CFS typically selects fewer features than mRMR: on most datasets where Algorithm 2 ended for both."""

    def smaller(mrmr: pd.DataFrame, cfs: pd.DataFrame) -> Answers:
        sizes = [
            frame.query("method == 'Algorithm 2'").set_index("dataset")["n_selected"].dropna()
            for frame in (mrmr, cfs)
        ]
        both = pd.concat(sizes, axis="columns", keys=["mrmr", "cfs"], join="inner")
        return {str(name): bool(row["cfs"] < row["mrmr"]) for name, row in both.iterrows()}

    sides = zip(ended(tables, "table_6"), ended(tables, "table_7"), strict=True)
    return evidence(*(smaller(*frames) for frames in sides), share=0.5, needs=len(FEATURES))


def sizes(tables: Tables, table: str, gap_table: str) -> Evidence:
    """Sizes of the sets that print proves, beside ours where ours are proved: both within the tolerance.

    Two sets within 1 % of the optimum need not have one size, so a size that differs refutes nothing by itself.
    """
    gaps, own_runs = printed_runs(gap_table), tables[table]
    solved = gaps.loc[(gaps["outcome"] == PROVED) & gaps["method"].isin(EXACT), RUN]
    own = own_runs[own_runs["outcome"] == PROVED].set_index(RUN)["n_selected"]
    print_ = printed_runs(table).merge(solved).set_index(RUN)["n_selected"]
    pairs = pd.concat([own, print_], axis="columns", keys=["ours", "print"], join="inner").dropna()
    if pairs.empty:
        return Evidence(Verdict.NOT_TESTABLE, "", "no run that both prove")
    equal: dict[Any, bool] = (pairs["ours"] == pairs["print"]).to_dict()
    same = count({" ".join(run): bool(one) for run, one in equal.items()})
    share = same.right / same.total
    verdict = Verdict.HOLDS if share == 1 else Verdict.IN_PART if share >= 0.5 else Verdict.DOES_NOT_HOLD
    reason = f"not on {', '.join(same.exceptions)}" if same.exceptions else ""
    return summarised(Evidence(verdict, f"{same} sizes are equal", reason))


def full_set(tables: Tables, column: str) -> Evidence:
    """Scores of all features, which no solver has a part in, at the printed digits or within 0.02."""
    own = tables["table_5"].query("method == 'full set'").set_index("dataset")[column]
    print_ = printed_runs("table_5").query("method == 'full set'").set_index("dataset")[column]
    pairs = pd.concat([own, print_], axis="columns", keys=["ours", "print"], join="inner").dropna()
    near = {str(name): bool(abs(row["ours"] - row["print"]) <= NEAR) for name, row in pairs.iterrows()}
    exact = sum(same_digits(row["ours"], f"{row['print']:.2f}") for _, row in pairs.iterrows())
    found = evidence(near, dict.fromkeys(map(str, print_.index), True))
    return Evidence(found.verdict, f"{found.found}; every digit on {exact}", found.reason)


NEAR = 0.02
"""Difference of two F1 scores that other folds and another release of scikit-learn explain."""


def summarised(found: Evidence, most: int = 6) -> Evidence:
    """Evidence whose list of exceptions is cut short."""
    names = found.reason.split(", ")
    if len(names) <= most:
        return found
    return Evidence(found.verdict, found.found, f"{', '.join(names[:most])} and {len(names) - most} more")


__all__ = [
    "LARGEST_SMALL", "better_algorithm", "cfs_sets_smaller", "full_set", "heuristic_scores", "milp3_scores", "sizes",
]  # fmt: skip
