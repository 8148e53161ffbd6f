"""Checks of what Bastos, Brandão and Valle (2024) state of balanced accuracy, on recorded results."""

from __future__ import annotations

import pandas as pd

from compactml.report.claims import Evidence
from compactml.report.ensemble_pruning_checks import (
    Tables,
    count_of_wins,
    coverage,
    error_of,
    holds_if,
    less_dispersed,
    listed,
    not_run,
    over_cases,
    wins,
)
from compactml.report.ensemble_pruning_frames import (
    BALANCED_METHODS,
    BENCHMARKS,
    CASE,
    complete_runs,
    run_ranks,
)

THETA = "F1_theta"
MEASURE = "balanced_accuracy"


def balanced(tables: Tables, table: str = "table_5") -> pd.DataFrame:
    """Test balanced accuracies of the complete runs, in percent."""
    return 100 * complete_runs(tables[table], MEASURE, BALANCED_METHODS)


def theta_first(tables: Tables) -> Evidence:
    """F1 with theta weights has the smallest mean rank for every K."""
    ranks = run_ranks(balanced(tables, "table_6"))
    if ranks.empty:
        return not_run("any run with all methods")
    by_size = ranks.groupby(level=CASE).mean().groupby(level="K").mean()
    first = by_size.idxmin(axis="columns") == THETA
    return holds_if(
        bool(first.all()), f"ranks {listed(over_cases(ranks), 2)}", coverage(ranks), in_part=bool(first.any())
    )


def theta_best_mean(tables: Tables) -> Evidence:
    """F1 with theta weights has the largest mean balanced accuracy."""
    scores = balanced(tables)
    if scores.empty:
        return not_run("any run with all methods")
    means = over_cases(scores)
    second = str(means.drop(THETA).idxmax())
    found = f"{listed(means, 2)} %; {means[THETA] - means[second]:+.2f} against {second}"
    reason = f"standard error {error_of(scores[THETA] - scores[second]):.2f}; {coverage(scores)}"
    return holds_if(bool(means.idxmax() == THETA), found, reason)


def both_ahead(tables: Tables) -> Evidence:
    """Both configurations have a smaller mean rank than every benchmark."""
    ranks = run_ranks(balanced(tables, "table_6"))
    if ranks.empty:
        return not_run("any run with all methods")
    means = over_cases(ranks)
    right = [bool(means[one] < means[list(BENCHMARKS)].min()) for one in ("F1", THETA)]
    return holds_if(all(right), f"ranks {listed(means, 2)}", coverage(ranks), in_part=any(right))


def theta_wins(tables: Tables) -> Evidence:
    """F1 with theta weights beats all benchmarks in 22 of 36 cases."""
    return count_of_wins(balanced(tables), THETA, "theta_wins")


def theta_loses(tables: Tables, dataset: str) -> Evidence:
    """A benchmark has a larger mean balanced accuracy on a dataset, over all K."""
    scores = balanced(tables)
    own = scores[scores.index.get_level_values("dataset") == dataset]
    if own.empty:
        return not_run(dataset)
    means = over_cases(own)
    best = str(means[list(BENCHMARKS)].idxmax())
    found = f"{THETA} {means[THETA]:.2f} %, {best} {means[best]:.2f} %"
    error = error_of(own[THETA] - own[best])
    return holds_if(bool(means[THETA] < means[best]), found, f"standard error {error:.2f}; {len(own)} runs")


def theta_wins_where_imbalanced(
    tables: Tables, datasets: tuple[str, ...] = ("DEF", "BMK", "APS")
) -> Evidence:
    """F1 with theta weights beats all benchmarks for every K on the three most imbalanced datasets."""
    scores = balanced(tables)
    own = scores[scores.index.get_level_values("dataset").isin(datasets)]
    if own.empty:
        return not_run(", ".join(datasets))
    won = wins(own, THETA)
    run = sorted(set(own.index.get_level_values("dataset")), key=datasets.index)
    reason = f"on {', '.join(run)}"
    return holds_if(
        bool(won.all()) and len(run) == len(datasets),
        f"{int(won.sum())} of {len(won)} cases",
        reason,
        in_part=bool(won.mean() > 0.5),
    )


def theta_disperses_less(tables: Tables) -> Evidence:
    """F1 with theta weights has less dispersed balanced accuracies than F1 and all benchmarks."""
    return less_dispersed(balanced(tables), (THETA,), ("F1", *BENCHMARKS), 2)
