"""The chapter's tables: their trials, their rows, and how they stand beside print."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from compactml.chapters.feature_selection import plans, readings_tried
from compactml.chapters.feature_selection.datasets import DATASETS
from compactml.chapters.feature_selection.judging import by_endings, by_scores, of_times
from compactml.chapters.feature_selection.plans import (
    ALGORITHMS,
    FULL_SET,
    MILP1,
    MILP2,
    MILP3,
    OPTIMAL,
    PEER,
    RAW,
    Method,
)
from compactml.chapters.feature_selection.printed import RUN
from compactml.chapters.feature_selection.rows import (
    CUT,
    PROBLEM,
    early_stop_rows,
    reading_rows,
    size_rows,
    trial_rows,
)
from compactml.chapters.feature_selection.shown_cells import with_gaps, with_scores
from compactml.chapters.feature_selection.trials.beyond import CERTIFIED, GROWTH
from compactml.chapters.feature_selection.trials.paper import MILP, PARAMETRIC
from compactml.study.chapter import Printed, Table

__all__ = ["TABLES"]

NAMES = {dataset.name: dataset.key for dataset in DATASETS}


def paper_table(id: str, measure: str, methods: Sequence[Method], printed: Printed) -> Table:
    """One of the paper's tables."""
    kinds = list(dict.fromkeys(kind for kind, _ in methods))
    read = partial(trial_rows, kinds=kinds, parameters=(*PROBLEM, CUT) if RAW in methods else PROBLEM)
    return Table(id, plans.paper_trials(measure, methods), read, tuple(RUN), NAMES, printed)


def printed_gaps(id: str) -> Printed:
    """Tables 2 to 4: how a run ended, of which one line tells in the list of those that differ."""
    return Printed(
        partial(by_endings, id), ("dataset", "quantity"), "method", text=with_gaps, listed=of_times
    )


def printed_scores(id: str) -> Printed:
    """Tables 5 to 7: sizes and F1 scores."""
    return Printed(partial(by_scores, id), ("dataset", "quantity"), "method", text=with_scores)


def set_table(id: str, method: Method, parameters: Sequence[str] = PROBLEM) -> Table:
    """One method on both measures, recorded by itself: what it costs is little beside Tables 3 to 7."""
    read = partial(trial_rows, kinds=(method[0],), parameters=parameters)
    return Table(id, plans.both_measures(method), read, ("dataset", "measure"), NAMES)


def certified_table(id: str) -> Table:
    """All problems by our method, at one tolerance."""
    read = partial(trial_rows, kinds=(CERTIFIED,), parameters=(*PROBLEM, "table"))
    return Table(id, plans.certified_trials(id), read, key=("dataset", "measure"))


MRMR_MILPS = (MILP1, MILP2, MILP3)
MRMR_METHODS, CFS_METHODS = (MILP1, MILP3, *ALGORITHMS), (MILP1, MILP2, *ALGORITHMS)

TABLES = (
    Table("table_1", plans.sizes, size_rows, ("dataset",), NAMES),
    paper_table("table_2", "mrmr", MRMR_MILPS, printed_gaps("table_2")),
    paper_table("table_3", "mrmr", (*MRMR_METHODS, PEER, OPTIMAL), printed_gaps("table_3")),
    paper_table("table_4", "cfs", (*CFS_METHODS, PEER, OPTIMAL), printed_gaps("table_4")),
    paper_table("table_5", "mrmr", (FULL_SET, *MRMR_MILPS), printed_scores("table_5")),
    paper_table("table_6", "mrmr", (FULL_SET, *MRMR_METHODS, RAW, OPTIMAL), printed_scores("table_6")),
    paper_table("table_7", "cfs", (FULL_SET, *CFS_METHODS, RAW, OPTIMAL), printed_scores("table_7")),
    set_table("heuristics", RAW, parameters=(*PROBLEM, CUT)),
    set_table("heuristic_times", PEER),
    set_table("optima", OPTIMAL),
    Table("hour", plans.in_an_hour, partial(trial_rows, kinds=(PARAMETRIC,)), tuple(RUN)),
    Table("model_12", plans.value_disjunctions, partial(trial_rows, kinds=(MILP,)), tuple(RUN)),
    Table(
        "early_stop",
        plans.early_stops,
        early_stop_rows,
        ("dataset", "measure", "method", "early_stop"),
    ),
    Table(
        "readings",
        readings_tried.trials,
        reading_rows,
        key=("dataset", "key", "measure", "discretizer", "su", "drop_constant"),
    ),
    certified_table("beyond"),
    certified_table("exact"),
    Table(
        "growth",
        plans.growth,
        partial(trial_rows, kinds=(GROWTH,), parameters=(*PROBLEM, "p")),
        key=("method", "p"),
    ),
)
