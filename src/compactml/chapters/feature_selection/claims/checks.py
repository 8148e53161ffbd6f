"""Checks of what Mehmanchi, Gómez and Prokopyev (2021) state of running times and gaps, on recorded results.

A run that our shorter limit stopped refutes nothing, and does not show that a problem is not solved in the paper's
hour. That a problem is solved it may show.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from compactml.chapters.feature_selection.claims.counting import (
    FEATURES,
    PAPER_LIMIT,
    Answer,
    Tables,
    by_method,
    coverage,
    each,
    excuse,
    excused,
    fits,
    of_each,
    of_most,
    printed,
    runs,
    shorter,
    solved,
    solvers,
    stopped_early,
)
from compactml.chapters.feature_selection.claims.errata import impossible
from compactml.chapters.feature_selection.printed import EXACT, PARAMETRIC, THREADS
from compactml.chapters.feature_selection.trials.solving import NO_SET, PROVED
from compactml.study.judging.evidence import Coverage, Evidence, because

__all__ = [
    "FEATURES", "LARGEST_SMALL", "MILPS", "PAPER_LIMIT", "SIMILAR", "TIME_STEP", "faster_than_heuristic",
    "milp1_without_set", "milp3_best", "no_milp_above", "only_milp3", "parametric_gaps", "parametric_solves",
    "proved", "similar_times",
]  # fmt: skip

MILPS = ("MILP1", "MILP2", "MILP3")
LARGEST_SMALL = 60
"""Features up to which the paper calls a dataset small."""
LEAST_MEDIUM = 43
"""Above this and up to `LARGEST_SMALL` only MILP3 is mostly solved."""
SIMILAR = 2.0
"""Factor within which median times count as similar; that of the paper stands in the evidence."""
TIME_STEP = 0.1
"""Seconds that the paper's tables cannot tell apart."""
OTHER_HEURISTIC = (
    "our heuristic reads the finished matrices of discretised values; the paper's evidently reads the raw values "
    "and computes every entropy anew, so its times are those of another program"
)


def over(tables: Tables, table: str, n: int, stated: int) -> Coverage:
    """Datasets and time behind a statement on the runs of a table."""
    return coverage(n, stated, runs(tables, table))


def milp3_best(tables: Tables) -> Evidence:
    """Up to 60 features MILP3 is in general the best of the three MILPs: solved, then faster, then a smaller gap."""

    def best(own: pd.DataFrame) -> bool:
        seconds, done = own["seconds"], own.apply(solved, axis="columns")
        if not done["MILP3"]:
            return bool(not done.any() and own.loc["MILP3", "gap"] <= own["gap"].min())
        return bool(seconds["MILP3"] <= seconds[done].min() + TIME_STEP)

    own, paper = runs(tables, "table_2"), each(printed("table_2"), MILPS, best, most=LARGEST_SMALL)
    ours = excused(each(own, MILPS, best, most=LARGEST_SMALL), own, MILPS, fits(tables, "table_2"))
    stated = len(paper)
    return of_most(ours, _plain(paper), stated=stated, coverage=over(tables, "table_2", len(ours), stated))


def only_milp3(tables: Tables) -> Evidence:
    """For most datasets with 44 to 60 features MILP3 is solved and MILP1 and MILP2 are not."""

    def only(own: pd.DataFrame) -> Answer:
        done = own.apply(solved, axis="columns")
        if not done["MILP3"] or done["MILP1"] or done["MILP2"]:
            return False
        return None if len(stopped_early(own)) else True

    sizes = {"least": LEAST_MEDIUM, "most": LARGEST_SMALL}
    own, paper = runs(tables, "table_2"), each(printed("table_2"), MILPS, only, **sizes)
    ours = excused(each(own, MILPS, only, **sizes), own, MILPS, fits(tables, "table_2"))
    stated = len(paper)
    return of_most(
        ours,
        _plain(paper),
        stated=stated,
        reason=_not_unsolved(own),
        coverage=over(tables, "table_2", len(ours), stated),
    )


def no_milp_above(tables: Tables) -> Evidence:
    """Above 60 features no MILP is solved within the limit; a shorter one leaves it open."""

    def none(own: pd.DataFrame) -> Answer:
        if own.apply(solved, axis="columns").any():
            return False
        return None if len(stopped_early(own)) else True

    own = runs(tables, "table_2")
    ours = excused(each(own, MILPS, none, least=LARGEST_SMALL), own, MILPS, fits(tables, "table_2"))
    stated = _larger()
    return of_each(
        ours, stated, reason=_not_unsolved(own), coverage=over(tables, "table_2", len(ours), stated)
    )


def milp1_without_set(tables: Tables) -> Evidence:
    """Above 60 features MILP1 often ends without any set; "often": on at least a third of the datasets."""

    def empty(own: pd.DataFrame) -> Answer:
        without = own["outcome"].iloc[0] == NO_SET
        return None if without and len(stopped_early(own)) else bool(without)

    own, paper = runs(tables, "table_2"), each(printed("table_2"), ["MILP1"], empty, least=LARGEST_SMALL)
    answers = each(own, ["MILP1"], empty, least=LARGEST_SMALL)
    # whether a set is found in less time hangs on the solver, not on the limit
    ours = {
        name: (solvers(own[(own["dataset"] == name) & (own["method"] == "MILP1")]) or False)
        if one is False
        else one
        for name, one in answers.items()
    }
    stated = len(paper)
    return of_most(
        ours,
        _plain(paper),
        stated=stated,
        share=1 / 3,
        reason="the largest models are too large for this machine",
        coverage=over(tables, "table_2", len(ours), stated),
    )


def parametric_gaps(tables: Tables, table: str) -> Evidence:
    """On every dataset with more than 60 features the better algorithm's gap is no larger than the best MILP's."""
    methods = [name for name in EXACT if name in set(printed(table)["method"])]
    milps = [name for name in methods if name not in PARAMETRIC]

    def smaller(own: pd.DataFrame) -> bool:
        return bool(own.loc[list(PARAMETRIC), "gap"].min() <= own.loc[milps, "gap"].min())

    own = runs(tables, table)
    ours = excused(each(own, methods, smaller, least=LARGEST_SMALL), own, methods, fits(tables, table))
    stated = _larger()
    reason = because(shorter(own), "models that are too large were not run" if len(ours) < stated else "")
    return of_each(ours, stated, reason=reason, coverage=over(tables, table, len(ours), stated))


def parametric_solves(tables: Tables, dataset: str) -> Evidence:
    """Algorithm 1 or 2 solves mRMR on a dataset that no MILP solves.

    A run that was stopped refutes it only after the paper's limit and, its threads counted, after the paper's time.
    """
    every = runs(tables, "table_3")
    own = by_method(every[every["dataset"] == dataset], PARAMETRIC).droplevel("dataset")
    if own.empty:
        return Evidence.missing(f"{dataset} was not run")
    found = ", ".join(
        f"{name} {row['seconds']:.1f} s, gap {row['gap']:.3g}" + ("" if solved(row) else " (limit)")
        for name, row in own.iterrows()
    )
    paper = by_method(printed("table_3"), PARAMETRIC).loc[dataset]
    needed, limit = paper.loc[paper["outcome"] == PROVED, "seconds"].min(), own["time_limit"].max()
    short = f"limit {limit:g} s on one thread, the paper {needed:g} s on {THREADS} threads"
    fit = dataset in fits(tables, "table_3")
    doubt = because(
        short if limit < max(PAPER_LIMIT, THREADS * needed) else "",
        solvers(own),
        "" if fit else str(excuse(own.head(0), fit)),
    )
    true = bool(own.apply(solved, axis="columns").any())
    return Evidence.of_statement(
        true, found, "" if true else short, doubt=doubt, coverage=over(tables, "table_3", 1, 1)
    )


def proved(tables: Tables, gap_tables: tuple[str, ...]) -> Evidence:
    """Datasets that at least one of the paper's methods solves there: whether one of them does here."""

    def any_solved(frames: list[pd.DataFrame]) -> dict[str, bool]:
        exact = pd.concat(frames).query("method in @EXACT")
        done = (exact["outcome"] == PROVED).groupby(exact["dataset"], sort=False).any()
        return {str(name): bool(one) for name, one in done.items()}

    own = pd.concat([runs(tables, name) for name in gap_tables])
    ours, paper = any_solved([own]), any_solved([printed(name) for name in gap_tables])
    there = [name for name, one in paper.items() if one]
    answers = excused(
        {name: ours[name] for name in there if name in ours}, own, EXACT, fits(tables, gap_tables[-1])
    )
    more = [name for name, one in ours.items() if one and not paper[name]]
    wrong = [name for name in there if "table_4" in gap_tables and impossible(name)]
    right = sum(one is True for one in answers.values())
    return of_each(
        answers,
        len(there),
        f"{right} of the {len(there)} datasets that they solve in the paper, and {len(more)} that they do not",
        f"the paper's rows of {', '.join(wrong)} are impossible" if wrong else "",
        coverage=over(tables, gap_tables[-1], len(answers), len(there)),
    )


def similar_times(tables: Tables, table: str) -> Evidence:
    """Algorithms 1 and 2 take similar times where both solve: a median ratio within `SIMILAR`.

    The paper does not tell times below `TIME_STEP` apart, ours do; it is similar where both ways to count are near.
    """

    def ratio(frame: pd.DataFrame, least: float) -> pd.Series:
        own = by_method(frame, PARAMETRIC)
        done = own.apply(solved, axis="columns").groupby(level="dataset").transform("all")
        wide = own.loc[done, "seconds"].clip(lower=least).unstack()  # noqa: PD010
        return wide["Algorithm 1"] / wide["Algorithm 2"] if len(wide) else pd.Series(dtype=float)

    mine, theirs = runs(tables, table), printed(table)
    sides = [ratio(mine, 0.0), ratio(mine, TIME_STEP), ratio(theirs, TIME_STEP)]
    ratios = pd.concat(sides, axis="columns", join="inner", keys=["ours", "raised", "paper"])
    stated = len(sides[2])
    if ratios.empty:
        return Evidence.missing("no dataset that both solve", stated)
    ours, raised, paper = ratios.median()
    near = [1 / SIMILAR <= one <= SIMILAR for one in (ours, raised)]
    far = ratios.loc[np.log(ratios["ours"]).abs().idxmax()]
    chosen = mine[mine["method"].isin(PARAMETRIC) & mine["dataset"].isin(ratios.index)]
    doubt = because(
        solvers(chosen),
        f"apart only by times below {TIME_STEP:g} s, which the paper does not tell apart" if near[1] else "",
    )
    return Evidence.of_cells(
        [all(near)] * len(ratios),
        f"median of Algorithm 1 / Algorithm 2: ours {ours:.2f} on {len(ratios)} datasets, {raised:.2f} with times "
        f"below {TIME_STEP:g} s raised to it, the paper {paper:.2f}",
        f"farthest from 1: {far.name}, ours {far['ours']:.2f}, the paper {far['paper']:.2f}",
        stated=stated,
        doubtful=[bool(doubt)] * len(ratios),
        doubt=doubt,
        coverage=over(tables, table, len(ratios), stated),
    )


def faster_than_heuristic(tables: Tables, table: str, datasets: tuple[str, ...] = ()) -> Evidence:
    """Where Algorithm 1 or 2 solves a dataset it does so in less time than the heuristic takes.

    Our heuristic has less to do than the paper's, so a shorter time of it refutes nothing.
    """

    def is_faster(frame: pd.DataFrame) -> dict[str, Answer]:
        def faster(by: pd.DataFrame) -> Answer:
            done = by.loc[list(PARAMETRIC)].query("outcome == @PROVED")
            return bool(done["seconds"].min() < by.loc["heuristic", "seconds"]) if len(done) else None

        timed = frame[frame["seconds"].notna()]
        found = each(timed, (*PARAMETRIC, "heuristic"), faster)
        return {name: one for name, one in found.items() if not datasets or name in datasets}

    ours, paper = is_faster(runs(tables, table)), is_faster(printed(table))
    common = {name: one for name, one in ours.items() if name in paper}
    return of_each(
        common,
        len(paper),
        f"we on {sum(one is True for one in common.values())} of {len(common)} datasets, "
        f"the paper on {sum(one is True for one in paper.values())} of {len(paper)}",
        inferred=OTHER_HEURISTIC,
        coverage=over(tables, table, len(common), len(paper)),
    )


def _plain(answers: dict[str, Answer]) -> dict[str, bool]:
    return {name: one is True for name, one in answers.items()}


def _larger() -> int:
    """Number of datasets that the paper does not call small."""
    return sum(p > LARGEST_SMALL for p in FEATURES.values())


def _not_unsolved(own: pd.DataFrame) -> str:
    early = shorter(own)
    return f"{early}: what is unsolved here may be solved in an hour" if early else ""
