"""Checks of what Mehmanchi, Gómez and Prokopyev (2021) state of sizes and F1 scores, on recorded results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd

from compactml.chapters.feature_selection.claims.checks import LARGEST_SMALL, MILPS
from compactml.chapters.feature_selection.claims.counting import (
    FEATURES,
    Answer,
    Tables,
    coverage,
    named,
    of_each,
    of_most,
)
from compactml.chapters.feature_selection.judging import STOPPED
from compactml.chapters.feature_selection.printed import (
    EXACT,
    FOLDS,
    PARAMETRIC,
    RUN,
    RUNS_OF,
    SCORES,
    printed_runs,
)
from compactml.chapters.feature_selection.trials.solving import PROVED
from compactml.study.judging.comparison import STANDARD_ERRORS, same_digits
from compactml.study.judging.evidence import Coverage, Evidence, Share, because

__all__ = [
    "LARGEST_SMALL", "better_algorithm", "cfs_sets_smaller", "full_set", "heuristic_scores", "milp3_scores", "sizes",
]  # fmt: skip

CLASSIFIERS = tuple(f"{name}_mean" for name in SCORES)
DIGITS = 2
"""Decimals of the printed scores: equal there is equal."""
NEAR = 0.02
"""Difference of two scores of which an error is missing that other folds and another scikit-learn explain."""
SCORING = (
    "the paper names neither its folds nor the settings of its classifiers; ours are those that come closest to its "
    "scores of all features"
)
CLOCKED = "the sets of runs that a limit stopped, here or in the paper, are not compared"
CELLS = "cells"
Truths = dict[str, bool]


def scores(frame: pd.DataFrame, least: int = 0) -> dict[str, pd.DataFrame]:
    """For both classifiers the F1 scores at the printed digits, datasets by methods; more than ``least`` features."""
    large = frame[frame["dataset"].map(FEATURES) > least]
    return {
        name: large.pivot_table(index="dataset", columns="method", values=name, sort=False).round(DIGITS)
        for name in CLASSIFIERS
    }


def ended(tables: Tables, table: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Our rows of a table and the paper's, without the sets of runs that a limit stopped here or there."""
    own, paper = tables[table], printed_runs(table)
    stopped = [
        frame.loc[frame["outcome"].isin(STOPPED), RUN] for frame in (own, printed_runs(RUNS_OF[table]))
    ]
    wrong = pd.MultiIndex.from_frame(pd.concat(stopped))
    ours, theirs = (frame[~pd.MultiIndex.from_frame(frame[RUN]).isin(wrong)] for frame in (own, paper))
    return ours, theirs


def cells_of(
    frame: pd.DataFrame,
    right: Callable[[pd.DataFrame], pd.Series],
    needs: Sequence[str],
    least: int = 0,
) -> Truths:
    """By cell (dataset and classifier) what ``right`` says of the methods it ``needs``, where all have a score."""
    found: Truths = {}
    for classifier, wide in scores(frame, least).items():
        complete = wide.reindex(columns=wide.columns.union(list(needs))).dropna(subset=list(needs))
        found |= {f"{name} ({classifier[3:5].upper()})": bool(yes) for name, yes in right(complete).items()}
    return found


def shares(cells: Mapping[str, object], of: int = len(FEATURES)) -> Coverage:
    """Datasets behind some cells, all folds."""
    n = len({name.split(" (")[0] for name in cells})
    return coverage(n, of, repetitions=Share(FOLDS, FOLDS, "folds"))


def milp3_best_score(wide: pd.DataFrame) -> pd.Series:
    """Whether MILP3's set has the best score of the MILPs', a MILP without a set being no rival; ties count."""
    return wide["MILP3"] >= wide[list(MILPS)].max(axis="columns")


def worse_heuristic(wide: pd.DataFrame) -> pd.Series:
    """Whether the heuristic's set scores worse than the better of Algorithms 1 and 2."""
    return wide["heuristic"] < wide[list(PARAMETRIC)].max(axis="columns")


def milp3_scores(tables: Tables) -> Evidence:
    """In most datasets MILP3's set has the best score of the three MILPs' (Table 5), all of which ended."""
    ours, paper = (cells_of(frame, milp3_best_score, MILPS) for frame in ended(tables, "table_5"))
    answers: dict[str, Answer] = {name: one for name, one in ours.items() if name in paper}
    stated = len(CLASSIFIERS) * len(FEATURES)
    return of_most(
        answers, paper, stated=stated, what=CELLS, reason=CLOCKED, inferred=SCORING, coverage=shares(answers)
    )


def heuristic_scores(tables: Tables, table: str, least: int = 0, datasets: Sequence[str] = ()) -> Evidence:
    """The heuristic's set scores worse than the better of Algorithms 1 and 2, on most cells, on all if some are named.

    Where its sets have other sizes than the paper's, it is another heuristic, and nothing is tested.
    """
    names = list(datasets) or [name for name, p in FEATURES.items() if p > least]
    stated = len(CLASSIFIERS) * len(names)
    same = same_sizes(tables, table, names)
    if not all(same.values()):
        found = f"{sum(same.values())} of {len(same)} of its sets have the paper's size"
        return Evidence.missing(OTHER_HEURISTIC[table], stated, found)

    def worse(wide: pd.DataFrame) -> pd.Series:
        return worse_heuristic(wide.loc[[name for name in wide.index if name in names]])

    ours, paper = (
        cells_of(frame, worse, [*PARAMETRIC, "heuristic"], least) for frame in ended(tables, table)
    )
    answers: dict[str, Answer] = {name: one for name, one in ours.items() if name in paper}
    where = shares(answers, len(names))
    if datasets:
        return of_each(answers, stated, what=CELLS, reason=CLOCKED, inferred=SCORING, coverage=where)
    return of_most(
        answers, paper, stated=stated, what=CELLS, reason=CLOCKED, inferred=SCORING, coverage=where
    )


OTHER_HEURISTIC = {
    "table_6": "the paper's heuristic evidently read the raw values, ours the discretised ones, so it is not the "
    "paper's program; to be rerun",
    "table_7": "the paper's heuristic evidently read the raw values, ours the discretised ones; sizes differ even "
    "where the values are levels as they are; to be rerun",
}


def same_sizes(tables: Tables, table: str, names: Sequence[str]) -> Truths:
    """By dataset whether the heuristic's set has the printed size."""
    own, paper = (
        frame[frame["method"] == "heuristic"].set_index("dataset")["n_selected"]
        for frame in (tables[table], printed_runs(table))
    )
    return {name: bool(own[name] == paper[name]) for name in names if name in own.index}


def wins(frame: pd.DataFrame, first: str, second: str) -> Truths:
    """By cell whether the first algorithm's set scores better than the second's."""
    return cells_of(frame, lambda wide: wide[first] > wide[second], PARAMETRIC)


def better_algorithm(tables: Tables, table: str, better: str, other: str) -> Evidence:
    """Of Algorithms 1 and 2 one scores better on more cells than the other, of those where both ended.

    Cells where both have one score decide nothing, in the paper and here. A lead the wrong way round refutes only
    beyond two standard errors: twice the root of the cells that one of them wins.
    """
    own, paper = ended(tables, table)
    order = ((better, other), (other, better))
    sides = [wins(frame, *pair) for frame in (own, paper) for pair in order]
    cells = [name for name in sides[0] if name in sides[2]]
    stated = sum(sum(wins(printed_runs(table), *pair).values()) for pair in order)
    if not cells:
        return Evidence.missing("no dataset on which both algorithms ended", stated)
    won, lost, paper_won, paper_lost = (sum(side[name] for name in cells) for side in sides)
    found = f"{better} better on {won} of {len(cells)} cells, {other} on {lost}; the paper {paper_won} and {paper_lost}"
    if won <= lost and paper_won <= paper_lost:
        reason = "on these cells the paper's numbers do not show it either"
        return Evidence.missing(because(reason, CLOCKED), stated, found)
    slight = lost - won <= STANDARD_ERRORS * np.sqrt(won + lost)
    return Evidence.of_cells(
        [won > lost] * (won + lost),
        found,
        because(
            CLOCKED,
            f"so {stated - paper_won - paper_lost} of the {stated} cells that decide it in the paper are left out",
        ),
        stated=max(stated, won + lost),
        doubtful=[slight] * (won + lost),
        doubt="the lead is within two standard errors",
        inferred=SCORING,
        coverage=shares(dict.fromkeys(cells)),
    )


def chosen_sizes(tables: Tables) -> dict[str, pd.Series]:
    """Sizes of sets within the tolerance by measure and dataset: our proved ones, else Algorithm 2's that ended."""
    beyond = tables.get("beyond", pd.DataFrame(columns=["dataset", "measure", "proved", "n_selected"]))
    found = {}
    for measure, table in (("mrmr", "table_6"), ("cfs", "table_7")):
        own = beyond[(beyond["measure"] == measure) & (beyond["proved"] == 1)]
        theirs = ended(tables, table)[0].query("method == 'Algorithm 2'")
        sizes = [frame.set_index("dataset")["n_selected"].dropna() for frame in (own, theirs)]
        found[measure] = sizes[0].combine_first(sizes[1]) if len(sizes[0]) else sizes[1]
    return found


def cfs_sets_smaller(tables: Tables) -> Evidence:
    """CFS typically selects fewer features than mRMR: on most datasets whose sets are proved for both."""
    both = pd.concat(chosen_sizes(tables), axis="columns", join="inner")
    answers: dict[str, Answer] = {str(name): bool(row["cfs"] < row["mrmr"]) for name, row in both.iterrows()}
    return of_most(
        answers,
        printed_smaller(),
        stated=len(FEATURES),
        reason="sets that are proved within the tolerance by our method or by Algorithm 2",
        coverage=coverage(len(answers), len(FEATURES)),
    )


def printed_smaller() -> Truths:
    """By dataset whether Algorithm 2 selects fewer features for CFS than for mRMR in the paper's tables."""
    sizes = [
        printed_runs(table).query("method == 'Algorithm 2'").set_index("dataset")["n_selected"]
        for table in ("table_6", "table_7")
    ]
    both = pd.concat(sizes, axis="columns", keys=["mrmr", "cfs"], join="inner").dropna()
    return {str(name): bool(row["cfs"] < row["mrmr"]) for name, row in both.iterrows()}


def sizes(tables: Tables, table: str, gap_table: str) -> Evidence:
    """Sizes of the sets that the paper proves, beside ours where ours are proved: both within the tolerance.

    Two sets within 1 % of the optimum need not have one size, so a size that differs refutes nothing.
    """
    gaps, own_runs = printed_runs(gap_table), tables[table]
    solved = gaps.loc[(gaps["outcome"] == PROVED) & gaps["method"].isin(EXACT), RUN]
    own = own_runs[own_runs["outcome"] == PROVED].set_index(RUN)["n_selected"]
    paper = printed_runs(table).merge(solved).set_index(RUN)["n_selected"].dropna()
    pairs = pd.concat([own, paper], axis="columns", keys=["ours", "paper"], join="inner").dropna()
    if pairs.empty:
        return Evidence.missing("no run that both prove", max(1, len(paper)))
    other = "sets within the tolerance of 1 % need not have one size"
    answers: dict[str, Answer] = {
        " ".join(run): bool(row["ours"] == row["paper"]) or other
        for run, row in zip(pairs.index, pairs.to_dict("records"), strict=True)
    }
    right = sum(one is True for one in answers.values())
    return of_each(
        answers,
        len(paper),
        f"{right} of {len(answers)} sizes are equal",
        what="sets",
        coverage=coverage(pairs.index.get_level_values("dataset").nunique(), len(FEATURES), own_runs),
    )


def full_set(tables: Tables, column: str) -> Evidence:
    """Scores of all features, which no solver has a part in, at the printed digits or within two standard errors."""
    spread = f"{column.removesuffix('_mean')}_std"
    own, paper = (
        frame.query("method == 'full set'").set_index("dataset")[[column, spread]]
        for frame in (tables["table_5"], printed_runs("table_5"))
    )
    pairs = own.join(paper, lsuffix="_ours", rsuffix="_paper", how="inner").dropna(
        subset=[f"{column}_ours", f"{column}_paper"]
    )
    mine, theirs = pairs[f"{column}_ours"], pairs[f"{column}_paper"]
    error = np.hypot(pairs[f"{spread}_ours"], pairs[f"{spread}_paper"]) / np.sqrt(FOLDS)
    exact = np.array([same_digits(one, f"{text:.2f}") for one, text in zip(mine, theirs, strict=True)], bool)
    near = exact | ((mine - theirs).abs() <= (STANDARD_ERRORS * error).fillna(NEAR))
    wrong = list(near.index[~near])
    return Evidence.of_cells(
        near,
        f"{near.sum()} of {len(near)} scores within two standard errors, {exact.sum()} of them in every digit",
        because(
            f"not on {named(wrong)}" if wrong else "",
            f"{len(FEATURES) - len(near)} datasets not run" if len(near) < len(FEATURES) else "",
        ),
        stated=len(FEATURES),
        inferred=SCORING,
        coverage=coverage(len(near), len(FEATURES), repetitions=Share(FOLDS, FOLDS, "folds")),
    )
