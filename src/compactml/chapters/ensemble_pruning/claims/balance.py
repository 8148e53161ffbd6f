"""Checks of what Bastos, Brandão and Valle (2024) state of balanced accuracy, on recorded results."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from compactml.chapters.ensemble_pruning.claims.checks import count_of_wins, n_sizes, wins
from compactml.chapters.ensemble_pruning.orders import (
    FOLDS,
    Tables,
    complete,
    decided,
    error_of,
    in_table_order,
    listed,
    order,
    over_cases,
)
from compactml.chapters.ensemble_pruning.printed import printed_means
from compactml.chapters.ensemble_pruning.rows import BALANCED_METHODS, BENCHMARKS, CASE, run_ranks
from compactml.study.judging.evidence import Evidence

THETA = "F1_theta"
MEASURE = "balanced_accuracy"


def balanced(tables: Tables, table: str = "table_5") -> pd.DataFrame:
    """Test balanced accuracies of the complete runs, in percent."""
    return complete(tables, table, MEASURE, BALANCED_METHODS)


def theta_first(tables: Tables) -> Evidence:
    """F1 with theta weights has the smallest mean rank for every K."""
    ranks = run_ranks(balanced(tables, "table_6"))
    others = [name for name in BALANCED_METHODS if name != THETA]
    sizes = dict(list(ranks.groupby(level="K")))
    found = ", ".join(f"K = {size}: {_first_of(over_cases(one))}" for size, one in sizes.items())
    orders = [order(-one, (THETA,), others) for one in sizes.values()]
    evidence = decided(orders, f"first for {found}", ranks, tables["table_6"], n_stated=n_sizes("table_6"))
    first = {"first": str(sum(one.right for one in orders)), "sizes": str(n_sizes("table_6"))}
    return replace(evidence, numbers=first)


def _first_of(ranks: pd.Series) -> str:
    """The method of the smallest rank, and theta weights behind it."""
    first = str(ranks.idxmin())
    return f"{first} {ranks[first]:.2f}" + ("" if first == THETA else f", {THETA} {ranks[THETA]:.2f}")


def theta_best_mean(tables: Tables) -> Evidence:
    """F1 with theta weights has the largest mean balanced accuracy over all cases; the reason has the datasets."""
    scores = balanced(tables)
    means = over_cases(scores)
    second = str(means.drop(THETA).idxmax())
    difference = scores[THETA] - scores[second]
    names = in_table_order(list(scores.index.unique("dataset")))
    by_dataset = difference.groupby(level="dataset").mean()[names]
    behind = [name for name in names if _behind(scores, name)]
    return decided(
        [order(scores, (THETA,), [name for name in BALANCED_METHODS if name != THETA])],
        f"{listed(means, 2)} %; {means[THETA] - means[second]:+.2f} against {second} "
        f"(standard error {error_of(difference):.2f})",
        scores,
        tables["table_5"],
        f"by dataset {listed(by_dataset, 2)}",
        f"a benchmark is ahead on {', '.join(behind) or 'none'}",
    )


def both_ahead(tables: Tables) -> Evidence:
    """Both configurations have a smaller mean rank than every benchmark."""
    ranks = run_ranks(balanced(tables, "table_6"))
    one = order(-ranks, ("F1", THETA), BENCHMARKS)
    return decided([one], f"ranks {listed(over_cases(ranks), 2)}", ranks, tables["table_6"])


def theta_wins(tables: Tables) -> Evidence:
    """F1 with theta weights beats all benchmarks in 22 of 36 cases."""
    return count_of_wins(balanced(tables), tables["table_5"], THETA, "theta_wins")


def theta_loses(tables: Tables, dataset: str) -> Evidence:
    """A benchmark has a larger mean balanced accuracy on a dataset, over all K; the folds are the blocks."""
    scores = balanced(tables)
    own = _of(scores, dataset)
    if own.empty:
        return Evidence.missing(f"{dataset} was not run")
    means = over_cases(own)
    best = str(means[list(BENCHMARKS)].idxmax())
    error = error_of(own[best] - own[THETA], FOLDS)
    others = [name for name in scores.index.unique("dataset") if name != dataset and _behind(scores, name)]
    return decided(
        [order(own, (best,), (THETA,), FOLDS)],
        f"{THETA} {means[THETA]:.2f} %, {best} {means[best]:.2f} % "
        f"(standard error of the difference {error:.2f}, over folds)",
        own,
        tables["table_5"],
        f"a benchmark is ahead on {', '.join(in_table_order(others))} too" if others else "",
        n_datasets=1,
    )


def theta_wins_where_imbalanced(
    tables: Tables, datasets: tuple[str, ...] = ("DEF", "BMK", "APS")
) -> Evidence:
    """F1 with theta weights beats all benchmarks on the three most imbalanced datasets, at the sizes of Table 5."""
    printed = [(str(name), int(size)) for name, size in printed_means().index if name in datasets]
    scores = _of(balanced(tables), *datasets)
    at_hand = scores[[(name, size) in printed for name, size, *_ in scores.index]]
    cases = [one for _, one in at_hand.groupby(level=CASE)]
    if not cases:
        return Evidence.missing(f"{', '.join(datasets)} were not run", len(printed))
    won, every_size = wins(at_hand, THETA), wins(scores, THETA)
    return decided(
        [order(one, (THETA,), BENCHMARKS, FOLDS) for one in cases],
        f"{int(won.sum())} of {len(cases)} cases, {int(every_size.sum())} of {len(every_size)} at all sizes",
        at_hand,
        tables["table_5"],
        n_stated=len(printed),
        n_datasets=len(datasets),
        by_dataset=True,
    )


def _of(scores: pd.DataFrame, *datasets: str) -> pd.DataFrame:
    """The runs of some datasets."""
    return scores[scores.index.get_level_values("dataset").isin(datasets)]


def _behind(scores: pd.DataFrame, dataset: str) -> bool:
    """Whether some benchmark has a larger mean than F1 with theta weights on a dataset."""
    means = over_cases(_of(scores, dataset))
    return bool(means[list(BENCHMARKS)].max() > means[THETA])
