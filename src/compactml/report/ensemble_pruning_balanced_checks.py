"""Checks of what Bastos, Brandão and Valle (2024) state of balanced accuracy, on recorded results."""

from __future__ import annotations

import pandas as pd

from compactml.report.claims import Evidence
from compactml.report.comparison import STANDARD_ERRORS
from compactml.report.ensemble_pruning_checks import (
    Tables,
    count_of_wins,
    coverage,
    error_of,
    holds_if,
    in_table_order,
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
    found = ", ".join(f"K = {size}: {_first_of(row)}" for size, row in by_size.iterrows())
    return holds_if(
        bool(first.all()), f"first for {found}", coverage(ranks), in_part=bool(first.mean() >= 0.5)
    )


def _first_of(ranks: pd.Series) -> str:
    """The method of the smallest rank, and theta weights behind it."""
    first = str(ranks.idxmin())
    return f"{first} {ranks[first]:.2f}" + ("" if first == THETA else f", {THETA} {ranks[THETA]:.2f}")


def theta_best_mean(tables: Tables) -> Evidence:
    """F1 with theta weights has the largest mean balanced accuracy over all cases; the reason has the datasets."""
    scores = balanced(tables)
    if scores.empty:
        return not_run("any run with all methods")
    means = over_cases(scores)
    second = str(means.drop(THETA).idxmax())
    found = f"{listed(means, 2)} %; {means[THETA] - means[second]:+.2f} against {second}"
    lead = scores[THETA] - scores[second]
    names = in_table_order(list(scores.index.unique("dataset")))
    by_dataset = lead.groupby(level="dataset").mean()[names]
    behind = [name for name in names if _behind(scores, name)]
    reason = (
        f"standard error {error_of(lead):.2f}; by dataset {listed(by_dataset, 2)}; "
        f"a benchmark is ahead on {', '.join(behind) or 'none'}; {coverage(scores)}"
    )
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
    """A benchmark has a larger mean balanced accuracy on a dataset, over all K; in part up to two standard errors."""
    scores = balanced(tables)
    own = scores[scores.index.get_level_values("dataset") == dataset]
    if own.empty:
        return not_run(dataset)
    means = over_cases(own)
    best = str(means[list(BENCHMARKS)].idxmax())
    found = f"{THETA} {means[THETA]:.2f} %, {best} {means[best]:.2f} %"
    behind, error = float(means[best] - means[THETA]), error_of(own[THETA] - own[best])
    others = [name for name in scores.index.unique("dataset") if name != dataset and _behind(scores, name)]
    too = f"; a benchmark is ahead on {', '.join(others)} too" if others else ""
    reason = f"standard error {error:.2f}; {len(own)} runs{too}"
    return holds_if(behind > STANDARD_ERRORS * error, found, reason, in_part=behind > 0)


def _behind(scores: pd.DataFrame, dataset: str) -> bool:
    """Whether some benchmark has a larger mean than F1 with theta weights on a dataset."""
    means = over_cases(scores[scores.index.get_level_values("dataset") == dataset])
    return bool(means[list(BENCHMARKS)].max() > means[THETA])


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
    lacking = [name for name in datasets if name not in run]
    reason = f"on {', '.join(run)}" + (f"; {', '.join(lacking)} not at hand" if lacking else "")
    return holds_if(
        bool(won.all()) and len(run) == len(datasets),
        f"{int(won.sum())} of {len(won)} cases",
        reason,
        in_part=bool(won.mean() > 0.5),
    )


def theta_disperses_less(tables: Tables) -> Evidence:
    """F1 with theta weights has less dispersed balanced accuracies than F1 and all benchmarks."""
    return less_dispersed(balanced(tables), (THETA,), ("F1", *BENCHMARKS), 2)
