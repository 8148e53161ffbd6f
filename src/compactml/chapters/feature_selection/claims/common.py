"""How statements of Mehmanchi, Gómez and Prokopyev (2021) on many datasets are counted, and what refutes nothing.

A statement is looked at dataset by dataset, the same way in the paper's tables and in our runs. An answer is True,
False, or the reason why a run that differs refutes nothing: less time, another solver, data that need not be the
paper's. What a shorter limit leaves open has no answer at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np
import pandas as pd

from compactml.chapters.feature_selection.cells import not_run
from compactml.chapters.feature_selection.datasets import DATASETS
from compactml.chapters.feature_selection.judging import STOPPED
from compactml.chapters.feature_selection.printed import THREADS, measure_of, printed_runs
from compactml.chapters.feature_selection.readings import fitting
from compactml.chapters.feature_selection.trials.solving import PROVED
from compactml.study.judging.evidence import Coverage, Evidence, Share, because
from compactml.study.recording.origins import time_limits

Tables = Mapping[str, pd.DataFrame]
Answer = bool | str | None
Answers = Mapping[str, Answer]
"""By dataset or cell whether a statement is right; a text says why it refutes nothing; None where it is open."""

FEATURES = {dataset.name: dataset.p for dataset in DATASETS}
PAPER_LIMIT = 3600.0
PAPER_SOLVER = "cplex 12.9"
OTHER_SOLVER = "another solver than CPLEX 12.9"
OTHER_DATA = "data whose reading does not fit the paper's numbers"
CLOCK = f"s, on one thread of the paper's {THREADS}"
MILPS = ("MILP1", "MILP2", "MILP3")
LARGEST_SMALL = 60
"""Features up to which the paper calls a dataset small."""
TIME_STEP = 0.1
"""Seconds that the paper's tables cannot tell apart."""
MOST = "more than half of the datasets"
MOST_CELLS = "more than half of the cells (dataset and classifier)"
EVERY = "every dataset"
EXACTLY = "exact"
DIGITS = "printed digits"
IN_GENERAL = 'ours: the prose says "in general", "most", "typically"'
PROSE = "the prose"


def runs(tables: Tables, table: str) -> pd.DataFrame:
    """Recorded runs of a table, without those that were left out, with ``p`` and as ``gap`` the proved one.

    The paper's own gap of Algorithm 2 is an estimate; what is proved is bound less value.
    """
    frame = tables[table]
    ran = frame[~frame["outcome"].map(not_run)]
    return ran.assign(p=ran["dataset"].map(FEATURES), gap=ran["gap_proved"].fillna(np.inf))


def paper_runs(table: str) -> pd.DataFrame:
    """Printed runs of Table 2, 3 or 4 in the same columns; the gap is the printed one."""
    frame = printed_runs(table)
    return frame.assign(gap=frame["gap_abs"].fillna(np.inf), time_limit=PAPER_LIMIT)


def fits(tables: Tables, table: str) -> set[str]:
    """Datasets whose reading is compatible with all that the paper prints of a table's measure."""
    return fitting(tables["readings"], measure_of(table))


def solved(row: pd.Series) -> bool:
    """Whether a run ended before its limit with a set."""
    return bool(row["outcome"] == PROVED)


def stopped_early(rows: pd.DataFrame) -> pd.DataFrame:
    """Runs that a limit below the paper's stopped."""
    return rows[rows["outcome"].isin(STOPPED) & (rows["time_limit"] < PAPER_LIMIT)]


def shorter(rows: pd.DataFrame) -> str:
    """That some runs were stopped before the paper's hour, if they were."""
    early = stopped_early(rows)
    return (
        f"runs stopped after {time_limits(early)} s, the paper's after {PAPER_LIMIT:g} s"
        if len(early)
        else ""
    )


def solvers(rows: pd.DataFrame) -> str:
    """That some runs had another solver than the paper's, if they had."""
    names = rows["solver"].dropna().astype(str)
    return "" if names.str.startswith(PAPER_SOLVER).all() else OTHER_SOLVER


def excuse(rows: pd.DataFrame, fitting_data: bool) -> str | bool:
    """The answer of runs that differ: why they refute nothing, else False."""
    return because(shorter(rows), solvers(rows), "" if fitting_data else OTHER_DATA) or False


def by_method(
    frame: pd.DataFrame, methods: Iterable[str], least: int = 0, most: float = np.inf
) -> pd.DataFrame:
    """Runs of the datasets with ``least`` < p <= ``most`` that have all the methods, indexed by dataset and method."""
    wanted = set(methods)
    chosen = frame[frame["method"].isin(wanted) & (frame["p"] > least) & (frame["p"] <= most)]
    complete = chosen.groupby("dataset")["method"].transform("nunique") == len(wanted)
    return chosen[complete].set_index(["dataset", "method"])


def each(
    frame: pd.DataFrame, methods: Iterable[str], right: Callable[[pd.DataFrame], Answer], **sizes: float
) -> dict[str, Answer]:
    """Return by dataset what ``right`` says of its runs, indexed by method; what it leaves open is left out."""
    chosen = by_method(frame, methods, **sizes)  # type: ignore[arg-type]
    groups = chosen.groupby(level="dataset", sort=False)
    answers = {str(name): right(group.droplevel("dataset")) for name, group in groups}
    return {name: answer for name, answer in answers.items() if answer is not None}


def excused(
    answers: Answers, frame: pd.DataFrame, methods: Iterable[str], fit: set[str]
) -> dict[str, Answer]:
    """Return the answers; those that are False are excused where the runs of the methods are."""
    chosen = frame[frame["method"].isin(set(methods))]
    return {
        name: excuse(chosen[chosen["dataset"] == name], name in fit) if answer is False else answer
        for name, answer in answers.items()
    }


def coverage(n: int, stated: int, frame: pd.DataFrame | None = None, **shares: Share) -> Coverage:
    """Datasets as a share of the paper's, and the limit of the runs that it stopped, of all where it stopped none."""
    time = None
    if frame is not None and frame["time_limit"].notna().any():
        stopped = frame.loc[frame["outcome"].isin(STOPPED), "time_limit"]
        limit = stopped.min() if stopped.notna().any() else frame["time_limit"].max()
        time = Share(float(limit), PAPER_LIMIT, CLOCK)
    return Coverage(data=Share(n, stated, "datasets"), time=time, **shares)


def doubts(answers: Answers) -> str:
    """Return all reasons of answers that refute nothing."""
    parts = [part for answer in answers.values() if isinstance(answer, str) for part in answer.split("; ")]
    return because(*dict.fromkeys(parts))


def named(names: Iterable[str], most: int = 6) -> str:
    """Names, the first of them if they are many."""
    listed = list(names)
    more = f" and {len(listed) - most} more" if len(listed) > most else ""
    return ", ".join(listed[:most]) + more


def of_each(
    answers: Answers,
    stated: int,
    summary: str = "",
    reason: str = "",
    *,
    what: str = "datasets",
    inferred: str = "",
    coverage: Coverage | None = None,
) -> Evidence:
    """Return evidence of a statement on every one of ``stated`` datasets or cells."""
    right = [answer is True for answer in answers.values()]
    wrong = [name for name, answer in answers.items() if answer is not True]
    untested = stated - len(answers)
    return Evidence.of_cells(
        right,
        summary or (f"on {sum(right)} of {len(right)} {what}" if right else f"no {what} that decide"),
        because(
            reason,
            f"not on {named(wrong)}" if wrong else "",
            f"{untested} of {stated} {what} not tested" if untested else "",
        ),
        stated=stated,
        doubtful=[isinstance(answer, str) for answer in answers.values()],
        doubt=doubts(answers),
        inferred=inferred,
        coverage=coverage,
    )


def often(right: int, total: int, share: float) -> bool:
    """Whether a statement is right on at least ``share`` of the datasets, on more than half where it is 1/2."""
    return right > share * total if share == 0.5 else right >= share * total


def of_most(
    answers: Answers,
    paper: Mapping[str, bool],
    *,
    stated: int,
    share: float = 0.5,
    what: str = "datasets",
    reason: str = "",
    inferred: str = "",
    coverage: Coverage | None = None,
) -> Evidence:
    """Return evidence of one statement on most of ``stated`` datasets or cells.

    It is decided where those that were tested are most of all of them. Else the tested ones all count as right or
    wrong together. Where the paper's own numbers do not show it on the same ones, they are not those that it speaks of.

    Parameters
    ----------
    answers : mapping
    paper : mapping of str to bool
        The same of the paper's numbers.
    stated : int
    share : float, default 0.5
        What counts as most; more than it where it is 1/2.
    what : str
    reason, inferred, coverage
        As of `Evidence`.
    """
    tested = [answer for answer in answers.values() if isinstance(answer, bool)]
    open_ = [answer for answer in answers.values() if isinstance(answer, str)]
    right = sum(tested)
    same = [paper[name] for name in answers if name in paper]
    summary = (
        f"we see it on {right} of {len(answers)} {what}, the paper on {sum(same)} of the same {len(same)}"
    )
    wrong = [name for name, answer in answers.items() if answer is not True]
    untested = stated - len(answers)
    reasons = because(
        reason,
        f"not on {named(wrong)}" if wrong else "",
        f"{untested} of {stated} {what} not tested" if untested else "",
    )
    if not answers:
        return Evidence.missing(reasons, stated)
    if often(right, stated, share):
        return Evidence.of_statement(True, summary, reasons, inferred=inferred, coverage=coverage)
    true = often(right, len(tested), share) and bool(tested)
    if not true and not often(sum(same), len(same), share):
        return Evidence.missing(
            because(f"on these {what} the paper's own numbers fall short of it too", reasons), stated, summary
        )
    return Evidence(
        stated,
        len(tested) if true else 0,
        0 if true else len(tested),
        summary,
        reasons,
        len(open_),
        doubts(answers),
        inferred,
        coverage=coverage or Coverage(),
    )


def seen_on(answers: Answers) -> dict[str, bool]:
    """Return answers of the paper's numbers, of which none is excused."""
    return {name: answer is True for name, answer in answers.items()}


def n_larger() -> int:
    """Number of datasets that the paper does not call small."""
    return sum(p > LARGEST_SMALL for p in FEATURES.values())


def not_unsolved(rows: pd.DataFrame) -> str:
    """Say that a problem which is unsolved in our time may be solved in the paper's, where runs were stopped early."""
    early = shorter(rows)
    return f"{early}: what is unsolved here may be solved in an hour" if early else ""
