"""Checks of what Mehmanchi, Gómez and Prokopyev (2021) state of running times and gaps, on recorded results.

A statement is counted dataset by dataset, the same way in print and in our results and on the same datasets, so that
the evidence shows both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from compactml.experiments.feature_selection_datasets import DATASETS
from compactml.experiments.feature_selection_trials import NO_SET, PROVED, TIME_LIMIT
from compactml.report.claims import Evidence, Verdict
from compactml.report.feature_selection_frames import EXACT, PARAMETRIC, THREADS, not_run, printed_runs
from compactml.report.feature_selection_readings import fitting
from compactml.report.origins import time_limits

Tables = Mapping[str, pd.DataFrame]
Answers = Mapping[str, bool]
"""Whether a statement is right, by dataset."""
MILPS = ("MILP1", "MILP2", "MILP3")
LARGEST_SMALL = 60
"""Features up to which the paper calls a dataset small."""
SIMILAR = 2.0
"""Factor within which median times count as similar; that of print stands in the evidence."""
TIME_STEP = 0.1
"""Seconds that print cannot tell apart."""
PAPER_LIMIT = 3600.0

FEATURES = {one.name: one.p for one in DATASETS}


@dataclass(frozen=True)
class Count:
    """On how many datasets a statement is right, of how many it could be looked at; and where it is not."""

    right: int
    total: int
    exceptions: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.right} of {self.total}"


def count(right: Answers) -> Count:
    """The `Count` of a statement that is right or wrong for each dataset."""
    return Count(sum(right.values()), len(right), tuple(name for name, one in right.items() if not one))


def runs(tables: Tables, table: str) -> pd.DataFrame:
    """Recorded runs of a table, without those that were left out, with ``p`` and as ``gap`` the proved one.

    The paper's own gap of Algorithm 2 is an estimate; what is proved is bound less value.
    """
    frame = tables[table]
    ran = frame[~frame["outcome"].map(not_run)]
    return ran.assign(p=ran["dataset"].map(FEATURES), gap=ran["gap_proved"].fillna(np.inf))


def printed(table: str) -> pd.DataFrame:
    """Printed runs of a table in the same columns; the gap is the printed one."""
    frame = printed_runs(table)
    return frame.assign(gap=frame["gap_abs"].fillna(np.inf)) if "gap_abs" in frame else frame


def evidence(
    ours: Answers, print_: Answers, *, share: float = 1.0, needs: int | None = None, in_part: str = ""
) -> Evidence:
    """Judge a statement by the datasets that both sides can be looked at on.

    It holds where ours is right on at least ``share`` of them (more than it where it is 1/2); in part where they are
    fewer than ``needs`` (print's), where ``in_part`` says why, and where a statement on all datasets is right on most.
    If neither side is right often enough, they are not those that print speaks of, and nothing is tested.
    """
    names = [name for name in ours if name in print_]
    if not names:
        return Evidence(Verdict.NOT_TESTABLE, "", "no dataset with all the methods was run")
    own, same = (count({name: side[name] for name in names}) for side in (ours, print_))
    found = f"ours {own}, print {same}"
    if often(own, share):
        fewer = own.total < (len(print_) if needs is None else needs)
        verdict = Verdict.IN_PART if fewer or in_part else Verdict.HOLDS
    elif share == 1 and often(own, 0.5):
        verdict = Verdict.IN_PART
    elif often(same, share):
        verdict = Verdict.DOES_NOT_HOLD
    else:
        return Evidence(Verdict.NOT_TESTABLE, found, "on these datasets print does not show it either")
    wrong = f"not on {', '.join(own.exceptions)}" if own.exceptions else ""
    return Evidence(verdict, found, "; ".join(part for part in (in_part, wrong) if part))


def often(counted: Count, share: float) -> bool:
    """Whether a statement is right on at least ``share`` of the datasets, on more than half where it is 1/2."""
    least = share * counted.total
    return counted.right > least if share == 0.5 else counted.right >= least


def by_method(
    frame: pd.DataFrame, methods: Iterable[str], least: int = 0, most: float = np.inf
) -> pd.DataFrame:
    """Runs of the datasets with ``least`` < p <= ``most`` that have all the methods, indexed by dataset and method."""
    wanted = set(methods)
    chosen = frame[frame["method"].isin(wanted) & (frame["p"] > least) & (frame["p"] <= most)]
    complete = chosen.groupby("dataset")["method"].transform("nunique") == len(wanted)
    return chosen[complete].set_index(["dataset", "method"])


def solved(row: pd.Series) -> bool:
    """Whether a run ended before its limit with a set."""
    return bool(row["outcome"] == PROVED)


def each(
    frame: pd.DataFrame, methods: Iterable[str], right: Callable[[pd.DataFrame], bool], **sizes: float
) -> Answers:
    """By dataset what ``right`` says of its runs, indexed by method."""
    chosen = by_method(frame, methods, **sizes)  # type: ignore[arg-type]
    groups = chosen.groupby(level="dataset", sort=False)
    return {str(name): bool(right(group.droplevel("dataset"))) for name, group in groups}


def milp3_best(tables: Tables) -> Evidence:
    """Up to 60 features MILP3 is in general the best of the three MILPs: solved, then faster, then a smaller gap."""

    def best(own: pd.DataFrame) -> bool:
        seconds, done = own["seconds"], own.apply(solved, axis="columns")
        if not done["MILP3"]:
            return not done.any() and own.loc["MILP3", "gap"] <= own["gap"].min()
        return bool(seconds["MILP3"] <= seconds[done].min() + TIME_STEP)

    sides = [each(frame, MILPS, best, most=LARGEST_SMALL) for frame in both(tables, "table_2")]
    return evidence(*sides, share=0.5)


def only_milp3(tables: Tables) -> Evidence:
    """For most datasets with 44 to 60 features MILP3 is solved and MILP1 and MILP2 are not.

    Only readings that are compatible with print are counted: whether one model is solved and another is not hangs on
    the instance.
    """

    def only(own: pd.DataFrame) -> bool:
        done = own.apply(solved, axis="columns")
        return bool(done["MILP3"] and not done["MILP1"] and not done["MILP2"])

    sides = [each(frame, MILPS, only, least=43, most=LARGEST_SMALL) for frame in both(tables, "table_2")]
    fits = fitting(tables["readings"], "mrmr")
    chosen = [{name: one for name, one in side.items() if name in fits} for side in sides]
    left_out = [name for name in sides[0] if name not in fits]
    other = (
        f"left out, their reading not being compatible with print: {', '.join(left_out)}" if left_out else ""
    )
    reasons = [one for one in (shorter_limit(tables["table_2"]), other) if one]
    return evidence(*chosen, share=0.5, needs=len(sides[1]), in_part="; ".join(reasons))


def no_milp_above(tables: Tables) -> Evidence:
    """Above 60 features no MILP is solved within the limit."""
    sides = [
        each(frame, MILPS, lambda own: not own.apply(solved, axis="columns").any(), least=LARGEST_SMALL)
        for frame in both(tables, "table_2")
    ]
    return evidence(*sides, in_part=shorter_limit(tables["table_2"]))


def milp1_without_set(tables: Tables) -> Evidence:
    """Above 60 features MILP1 often ends without any set; "often": on at least a third of the datasets."""
    sides = [
        each(frame, ["MILP1"], lambda own: own["outcome"].iloc[0] == NO_SET, least=LARGEST_SMALL)
        for frame in both(tables, "table_2")
    ]
    reason = shorter_limit(tables["table_2"])
    found = evidence(*sides, share=1 / 3, in_part=reason)
    return found if found.verdict is Verdict.NOT_TESTABLE else Evidence(found.verdict, found.found, reason)


def parametric_gaps(tables: Tables, table: str) -> Evidence:
    """On every dataset with more than 60 features the better algorithm's gap is no larger than the best MILP's."""
    methods = [name for name in EXACT if name in set(printed(table)["method"])]
    milps = [name for name in methods if name not in PARAMETRIC]
    sides = [
        each(
            frame,
            methods,
            lambda own: own.loc[list(PARAMETRIC), "gap"].min() <= own.loc[milps, "gap"].min(),
            least=LARGEST_SMALL,
        )
        for frame in both(tables, table)
    ]
    return evidence(*sides, in_part=shorter_limit(tables[table]))


def parametric_solves(tables: Tables, dataset: str) -> Evidence:
    """Algorithm 1 or 2 solves mRMR on a dataset that no MILP solves.

    Untested if print took longer than our limit, its time taken for each of its threads.
    """
    every = runs(tables, "table_3")
    own = by_method(every[every["dataset"] == dataset], PARAMETRIC).droplevel("dataset")
    if own.empty:
        return Evidence(Verdict.NOT_TESTABLE, "", f"{dataset} was not run")
    found = ", ".join(
        f"{name} {row['seconds']:.1f} s, gap {row['gap']:.3g}" + ("" if solved(row) else " (limit)")
        for name, row in own.iterrows()
    )
    if own.apply(solved, axis="columns").any():
        return Evidence(Verdict.HOLDS, found)
    print_ = by_method(printed("table_3"), PARAMETRIC).loc[dataset]
    needed, limit = print_.loc[print_["outcome"] == PROVED, "seconds"].min(), own["time_limit"].max()
    reason = f"limit {limit:g} s on one thread here, {needed:g} s on {THREADS} threads in print"
    return Evidence(
        Verdict.NOT_TESTABLE if limit < THREADS * needed else Verdict.DOES_NOT_HOLD, found, reason
    )


def proved(tables: Tables, gap_tables: tuple[str, ...]) -> Evidence:
    """The number of datasets that at least one of the paper's methods solves."""

    def any_solved(frames: list[pd.DataFrame]) -> Answers:
        every = pd.concat(frames)
        exact = every[every["method"].isin(EXACT)]
        done = (exact["outcome"] == PROVED).groupby(exact["dataset"], sort=False).any()
        return {str(name): bool(one) for name, one in done.items()}

    ours, print_ = (
        any_solved([side(name) for name in gap_tables]) for side in (partial(runs, tables), printed)
    )
    if not ours:
        return Evidence(Verdict.NOT_TESTABLE, "", "nothing was run")
    own, same = count(ours), count({name: print_[name] for name in ours})
    reason = shorter_limit(tables[gap_tables[0]])
    missed = Verdict.IN_PART if reason else Verdict.DOES_NOT_HOLD
    return Evidence(Verdict.HOLDS if own.right >= same.right else missed, f"ours {own}, print {same}", reason)


def similar_times(tables: Tables, table: str) -> Evidence:
    """Algorithms 1 and 2 take similar times where both solve: a median ratio within `SIMILAR`.

    Print does not tell times below `TIME_STEP` apart, ours do; in part where only one way to count them is near.
    """

    def ratio(frame: pd.DataFrame, least: float) -> pd.Series:
        own = by_method(frame, PARAMETRIC)
        done = own.apply(solved, axis="columns").groupby(level="dataset").transform("all")
        wide = own.loc[done, "seconds"].clip(lower=least).unstack()  # noqa: PD010
        return wide["Algorithm 1"] / wide["Algorithm 2"] if len(wide) else pd.Series(dtype=float)

    mine, theirs = both(tables, table)
    sides = [ratio(mine, 0.0), ratio(mine, TIME_STEP), ratio(theirs, TIME_STEP)]
    ratios = pd.concat(sides, axis="columns", join="inner", keys=["ours", "raised", "print"])
    if ratios.empty:
        return Evidence(Verdict.NOT_TESTABLE, "", "no dataset that both solve")
    ours, raised, print_ = ratios.median()
    near = [1 / SIMILAR <= one <= SIMILAR for one in (ours, raised)]
    far = ratios.loc[np.log(ratios["ours"]).abs().idxmax()]
    return Evidence(
        Verdict.HOLDS if all(near) else Verdict.IN_PART if any(near) else Verdict.DOES_NOT_HOLD,
        f"Algorithm 1 / Algorithm 2: ours {ours:.2f} on {len(ratios)} datasets, {raised:.2f} with times below "
        f"{TIME_STEP:g} s raised to it, print {print_:.2f}",
        f"farthest from 1: {far.name}, ours {far['ours']:.2f}, print {far['print']:.2f}",
    )


def faster_than_heuristic(tables: Tables, table: str, datasets: tuple[str, ...] = ()) -> Evidence:
    """Where Algorithm 1 or 2 solves a dataset it does so in less time than the heuristic takes.

    Our heuristic has less to do than the paper's, so a shorter time of it refutes nothing.
    """

    def is_faster(frame: pd.DataFrame) -> Answers:
        own = by_method(frame[frame["seconds"].notna()], (*PARAMETRIC, "heuristic"))
        faster = {}
        for name, group in own.groupby(level="dataset", sort=False):
            by = group.droplevel("dataset")
            algorithms = by.loc[list(PARAMETRIC)]
            done = algorithms[algorithms["outcome"] == PROVED]
            if len(done) and (not datasets or str(name) in datasets):
                heuristic = by.loc[["heuristic"], "seconds"].min()
                faster[str(name)] = bool(done["seconds"].min() < heuristic)
        return faster

    reason = "our heuristic works on the finished matrices; the paper's recomputes every entropy"
    found = evidence(*(is_faster(frame) for frame in both(tables, table)), in_part=reason)
    untested = found.verdict is Verdict.DOES_NOT_HOLD
    return Evidence(Verdict.NOT_TESTABLE, found.found, reason) if untested else found


def both(tables: Tables, table: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Our runs of a table and the printed ones."""
    return runs(tables, table), printed(table)


def shorter_limit(frame: pd.DataFrame) -> str:
    """Say that some of our runs were stopped before the paper's hour, if they were."""
    stopped = frame[frame["outcome"].isin([TIME_LIMIT, NO_SET])]
    short = stopped["time_limit"].min() < PAPER_LIMIT
    return f"limit {time_limits(stopped)} s here, {PAPER_LIMIT:g} s in the paper" if short else ""
