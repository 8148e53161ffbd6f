"""Checks of what Bastos, Brandão and Valle (2024) state of the dispersion of test scores, on recorded results.

Over what the paper takes its standard deviations is not said; here they are over the runs of a case.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from compactml.chapters.ensemble_pruning.claims.balance import THETA, balanced
from compactml.chapters.ensemble_pruning.claims.checks import HILL_CLIMBING, PROGRAMS, accuracies
from compactml.chapters.ensemble_pruning.orders import Tables, decided, listed, order, over_cases
from compactml.chapters.ensemble_pruning.rows import BENCHMARKS, CASE
from compactml.study.judging.evidence import Evidence

RUNS_OF_A_DEVIATION = 10
"""Runs of a case that a standard deviation is judged on, the number of folds in the paper."""


def less_dispersed(
    scores: pd.DataFrame, rows: pd.DataFrame, low: Sequence[str], high: Sequence[str]
) -> Evidence:
    """Every method of ``low`` has a smaller standard deviation over runs than every one of ``high``.

    With fewer than `RUNS_OF_A_DEVIATION` runs a case this is not refuted.
    """
    deviations = scores.groupby(level=CASE).std().dropna()
    if deviations.empty:
        return Evidence.missing("no case has several folds")
    n_runs = int(scores.groupby(level=CASE).size().min())
    few = f"{n_runs} runs a case say little of a standard deviation" if n_runs < RUNS_OF_A_DEVIATION else ""
    one = order(-deviations, low, high)
    found = f"standard deviations {listed(over_cases(deviations), 2)}"
    return decided([one], found, scores, rows, few if one.right else "", doubt=few)


def hill_climbing_disperses(tables: Tables) -> Evidence:
    """F1, F2 and F3 have less dispersed accuracies than both hill climbers."""
    return less_dispersed(accuracies(tables), tables["table_4"], PROGRAMS, HILL_CLIMBING)


def diversity_concentrates(tables: Tables) -> Evidence:
    """F2 and F3 have less dispersed accuracies than F1."""
    return less_dispersed(accuracies(tables), tables["table_4"], ("F2", "F3"), ("F1",))


def theta_disperses_less(tables: Tables) -> Evidence:
    """F1 with theta weights has less dispersed balanced accuracies than F1 and all benchmarks."""
    return less_dispersed(balanced(tables), tables["table_5"], (THETA,), ("F1", *BENCHMARKS))
