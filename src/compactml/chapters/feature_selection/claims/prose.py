"""What the prose of Mehmanchi, Gómez and Prokopyev (2021) says of the scores, checked on the printed tables alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from compactml.chapters.feature_selection.claims.checks import MILPS
from compactml.chapters.feature_selection.claims.counting import FEATURES, Tables, often
from compactml.chapters.feature_selection.claims.scores import (
    cells_of,
    printed_smaller,
    scores,
    wins,
    worse_heuristic,
)
from compactml.chapters.feature_selection.printed import PARAMETRIC, printed_runs
from compactml.study.judging.evidence import Evidence


def most(answers: Mapping[str, bool], what: str = "cells") -> Evidence:
    """Evidence of a statement on most cells of a printed table."""
    right = sum(answers.values())
    return Evidence.of_statement(often(right, len(answers), 0.5), f"{right} of {len(answers)} {what}")


def milp3_scores(tables: Tables) -> Evidence:
    """MILP3's set has the best score of the MILPs' that found a set, on most cells of Table 5."""
    best: dict[str, bool] = {}
    for classifier, wide in scores(printed_runs("table_5")).items():
        won = wide["MILP3"] >= wide[list(MILPS)].max(axis="columns")
        best |= {f"{name} {classifier}": bool(one) for name, one in won.items()}
    return most(best)


def heuristic_worse(tables: Tables, table: str, least: int = 0, datasets: Sequence[str] = ()) -> Evidence:
    """The heuristic scores worse than the better of Algorithms 1 and 2 on most cells, on all if some are named."""
    frame = printed_runs(table)
    chosen = frame[frame["dataset"].isin(list(datasets) or list(FEATURES))]
    worse = cells_of(chosen, worse_heuristic, [*PARAMETRIC, "heuristic"], least)
    if not datasets:
        return most(worse)
    return Evidence.of_cells(list(worse.values()), f"{sum(worse.values())} of {len(worse)} cells")


def better_algorithm(tables: Tables, table: str, better: str, other: str) -> Evidence:
    """One algorithm's sets score better than the other's on more cells than the reverse, stopped runs and all."""
    frame = printed_runs(table)
    won, lost = (sum(wins(frame, *pair).values()) for pair in ((better, other), (other, better)))
    return Evidence.of_statement(won > lost, f"{better} better on {won} cells, {other} on {lost}")


def smaller_sets(tables: Tables) -> Evidence:
    """Algorithm 2 selects fewer features for CFS than for mRMR on most datasets."""
    return most(printed_smaller(), "datasets")
