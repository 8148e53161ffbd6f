"""What claims on scores share: the wording of tolerances, complete runs, wins, ranks and deviations.

Our pool is not the paper's, so only orders, counts and spreads are compared, and what differs refutes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from compactml.chapters.ensemble_pruning.claims.orders import (
    Tables,
    as_printed,
    by_orders,
    complete_scores,
    lead,
    listed,
    order,
    over_cases,
)
from compactml.chapters.ensemble_pruning.printed import printed_ranks, stated
from compactml.chapters.ensemble_pruning.rows import (
    ACCURACY_METHODS,
    AVERAGE,
    BENCHMARKS,
    CASE,
    NAMES,
    run_ranks,
)
from compactml.study.judging.evidence import Evidence
from compactml.study.judging.noise import LARGEST_SHARE

PROGRAMS = ("F1", "F2", "F3")
HILL_CLIMBING = ("HC-CON", "HC-UWA")
UNREPORTED = ("KAPPA", "HC-ACC", "HC-COM")
"""Benchmarks of which the paper prints no numbers, since they are not among its best four."""

EXACT = "exact"
ORDER = "order of the means"
DEVIATIONS = "order of the standard deviations over the repetitions of a case"
SHARES = f"two standard errors of at most {LARGEST_SHARE:.0%} of the printed share"
"""Tolerances."""
PROSE = "the prose"
PRINTED_RANKS = "the printed ranks"
ROUNDING = "rounding of the printed digits"
OURS = "ours"
OURS_SHARE = "ours: pool, folds and their number differ from the paper's"
NOT_SAID = "ours: over what the paper takes them is not said"
"""Where tolerances come from."""


def accuracies(tables: Tables, methods: Sequence[str] = ACCURACY_METHODS) -> pd.DataFrame:
    """Test accuracies of Table 4's complete runs, in percent."""
    return complete_scores(tables, "table_4", "accuracy", methods)


def lead_text(scores: pd.DataFrame, method: str, other: str) -> str:
    """By how much a method is ahead of another, as a text."""
    ours = lead(scores[method] - scores[other])
    return f"{method} {ours.mean:+.2f} points (standard error {ours.error:.2f})"


def n_sizes(table: str) -> int:
    """Sizes of the pool in a printed table of ranks."""
    return len(printed_ranks(table).drop(index=AVERAGE))


def full_ensemble_behind(tables: Tables, table: str, measure: str, methods: Sequence[str]) -> Evidence:
    """FE has the largest mean rank for every K."""
    ranks = run_ranks(complete_scores(tables, table, measure, methods))
    others = [name for name in methods if name != "FE"]
    sizes = dict(list(ranks.groupby(level="K")))
    found = ", ".join(f"K = {size} {over_cases(one)['FE']:.2f}" for size, one in sizes.items())
    return by_orders(
        [order(-one, others, ("FE",)) for one in sizes.values()],
        f"rank of FE: {found}",
        ranks,
        tables[table],
        n_stated=n_sizes(table),
    )


def wins(scores: pd.DataFrame, method: str, others: Sequence[str] = BENCHMARKS) -> pd.Series:
    """Whether the mean of a method is above those of all others, by case."""
    cases = scores.groupby(level=CASE).mean().round(9)
    return cases[method] > cases[list(others)].max(axis="columns")


def count_of_wins(scores: pd.DataFrame, rows: pd.DataFrame, method: str, printed: str) -> Evidence:
    """A method beats all benchmarks in the printed share of the cases."""
    won = wins(scores, method)
    total, share = stated("cases"), lead(won.astype(float))
    cases = scores.groupby(level=CASE).mean().round(9)
    ties = int((cases[method] == cases[list(BENCHMARKS)].max(axis="columns")).sum())
    count = (
        f"{int(won.sum())} of {len(won)} cases, the paper {stated(printed):.0f} of {total:.0f} "
        f"(standard error of our share {share.error:.2f})"
    )
    outcome = as_printed(share, stated(printed) / total)
    return by_orders(
        [outcome], count + (f"; ties: {ties}" if ties else ""), scores[[method, *BENCHMARKS]], rows
    )


def less_dispersed(
    scores: pd.DataFrame, rows: pd.DataFrame, low: Sequence[str], high: Sequence[str]
) -> Evidence:
    """Every method of ``low`` has a smaller standard deviation than every one of ``high``, over repetitions.

    Of the mean over the folds of each: the deviations that the paper prints are too small for single folds.
    """
    repetitions = scores.groupby(level=[*CASE, "seed"]).mean()
    deviations = repetitions.groupby(level=CASE).std().dropna()
    if deviations.empty:
        return Evidence.missing(
            "the paper's deviations are presumably over its ten repetitions, and one is recorded", len(NAMES)
        )
    found = f"standard deviations {listed(over_cases(deviations), 2)}"
    return by_orders([order(-deviations, low, high)], found, scores, rows)
