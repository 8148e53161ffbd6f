"""Checks of what Bastos, Brandão and Valle (2024) state of their datasets and of test accuracy, on recorded results.

Our pool is not the paper's, so only orders, counts and spreads are compared, and what differs refutes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from compactml.chapters.ensemble_pruning.orders import (
    TIE,
    Order,
    Tables,
    complete,
    decided,
    error_of,
    every,
    listed,
    order,
    over_cases,
)
from compactml.chapters.ensemble_pruning.printed import printed_ranks, size_cells, stated
from compactml.chapters.ensemble_pruning.rows import (
    ACCURACY_METHODS,
    AVERAGE,
    BENCHMARKS,
    CASE,
    NAMES,
    dataset_cells,
    run_ranks,
)
from compactml.study.judging.comparison import STANDARD_ERRORS, same_digits
from compactml.study.judging.evidence import Coverage, Evidence, Share, because, lacking

NEAR = 0.1
"""How far apart two shares of cases may be that agree."""
PROGRAMS = ("F1", "F2", "F3")
HILL_CLIMBING = ("HC-CON", "HC-UWA")
COUNTED = "the paper counts now the columns of the file, now those without label or row number"
UNREPORTED = ("KAPPA", "HC-ACC", "HC-COM")
"""Benchmarks of which the paper prints no numbers, since they are not among its best four."""


def accuracies(tables: Tables, methods: Sequence[str] = ACCURACY_METHODS) -> pd.DataFrame:
    """Test accuracies of Table 4's complete runs, in percent."""
    return complete(tables, "table_4", "accuracy", methods)


# Table 2


def table_2(tables: Tables) -> Evidence:
    """Every printed number of Table 2 but θ, which the errata have."""
    ours = dataset_cells(tables["table_2"]).set_index(["dataset", "quantity"])["value"]
    printed = size_cells().set_index(["dataset", "quantity"])["value"]
    printed = printed[printed.index.get_level_values("quantity") != "theta"]
    both = printed.index.intersection(ours.index)
    right = pd.Series([same_digits(float(ours[key]), str(printed[key])) for key in both], index=both)
    named = ", ".join(f"{name} {quantity}" for name, quantity in right.index[~right.astype(bool)])
    seen = both.get_level_values("dataset").nunique()
    return Evidence.of_cells(
        right,
        f"{int(right.sum())} of {len(right)} numbers" + (f"; other: {named}" if named else ""),
        because(
            lacking(seen, len(NAMES)),
            COUNTED if named else "",
        ),
        stated=len(printed),
        coverage=Coverage(Share(seen, len(NAMES), "datasets")),
    )  # fmt: skip


# Table 4 and the prose around it; the same for balanced accuracy


def spread(tables: Tables, *, ranks: bool) -> Evidence:
    """The best and the worst method, FE left out, are no further apart than printed."""
    scores = accuracies(tables)
    values = (run_ranks(scores) if ranks else scores).drop(columns="FE")
    means = over_cases(values)
    low, high = str(means.idxmin()), str(means.idxmax())
    error = error_of(values[high] - values[low])
    most, width = stated("spread_rank" if ranks else "spread_accuracy"), float(means[high] - means[low])
    found = f"{width:.2f} (standard error {error:.2f}) between {high} and {low}; the paper {most}"
    right = width <= most + TIE
    one = Order(right, not right and width <= most + STANDARD_ERRORS * error)
    return decided([one], found, scores, tables["table_4"])


def best_and_worst(tables: Tables) -> Evidence:
    """HC-CON is the most, BFT the least accurate method, FE left out: two statements."""
    scores = accuracies(tables)
    names = [name for name in ACCURACY_METHODS if name != "FE"]
    pruned = scores[names]
    best = order(pruned, ("HC-CON",), [name for name in names if name != "HC-CON"])
    worst = order(pruned, [name for name in names if name != "BFT"], ("BFT",))
    return decided([best, worst], f"{listed(over_cases(pruned), 2)} %", scores, tables["table_4"])


def lead(scores: pd.DataFrame, method: str, other: str) -> str:
    """By how much a method is ahead of another, as a text."""
    difference, means = scores[method] - scores[other], over_cases(scores)
    return f"{method} {means[method] - means[other]:+.2f} points (standard error {error_of(difference):.2f})"


def hill_climbing_ahead(tables: Tables) -> Evidence:
    """HC-CON and HC-UWA have a smaller mean rank and a larger mean accuracy than F1, F2 and F3."""
    scores = accuracies(tables)
    ranks = run_ranks(scores)
    best = str(over_cases(scores)[list(PROGRAMS)].idxmax())
    gains = ", ".join(lead(scores, one, best) for one in HILL_CLIMBING)
    return decided(
        [every(*(order(side, HILL_CLIMBING, PROGRAMS) for side in (scores, -ranks)))],
        f"ranks {listed(over_cases(ranks), 2)}; against {best}: {gains}",
        scores,
        tables["table_4"],
    )


def full_ensemble_last(tables: Tables, table: str, measure: str, methods: Sequence[str]) -> Evidence:
    """FE has the largest mean rank for every K."""
    ranks = run_ranks(complete(tables, table, measure, methods))
    others = [name for name in methods if name != "FE"]
    sizes = dict(list(ranks.groupby(level="K")))
    found = ", ".join(f"K = {size} {over_cases(one)['FE']:.2f}" for size, one in sizes.items())
    return decided(
        [order(-one, others, ("FE",)) for one in sizes.values()],
        f"rank of FE: {found}",
        ranks,
        tables[table],
        n_stated=n_sizes(table),
    )


def n_sizes(table: str) -> int:
    """Sizes of the pool in a printed table of ranks."""
    return len(printed_ranks(table).drop(index=AVERAGE))


def diversity_helps(tables: Tables) -> Evidence:
    """F2 and F3 have a larger mean accuracy and a smaller mean rank than F1."""
    scores = accuracies(tables)
    gains = ", ".join(lead(scores, one, "F1") for one in ("F2", "F3"))
    one = every(*(order(side, ("F2", "F3"), ("F1",)) for side in (scores, -run_ranks(scores))))
    return decided([one], f"against F1: {gains}", scores, tables["table_4"])


def best_benchmarks(tables: Tables) -> Evidence:
    """The four benchmarks that the paper reports are more accurate than the three that it does not."""
    scores = complete(tables, "overfitting", "accuracy", (*BENCHMARKS, *UNREPORTED))
    means = over_cases(scores).sort_values(ascending=False)
    sizes = ", ".join(str(size) for size in sorted(scores.index.unique("K")))
    return decided(
        [order(scores, BENCHMARKS, UNREPORTED)],
        f"{listed(means, 2)} %; {lead(scores, str(means.index[-1]), str(means.index[3]))} against the fourth",
        scores,
        tables["overfitting"],
        f"K = {sizes}",
    )


def wins(scores: pd.DataFrame, method: str) -> pd.Series:
    """Whether the mean of a method is above those of all benchmarks, by case."""
    cases = scores.groupby(level=CASE).mean().round(9)
    return cases[method] > cases[list(BENCHMARKS)].max(axis="columns")


def count_of_wins(scores: pd.DataFrame, rows: pd.DataFrame, method: str, printed: str) -> Evidence:
    """A method beats all benchmarks in the printed share of the cases, up to `NEAR`."""
    won = wins(scores, method)
    total, share = stated("cases"), stated(printed) / stated("cases")
    difference, error = abs(float(won.mean()) - share), error_of(won.astype(float))
    cases = scores.groupby(level=CASE).mean().round(9)
    ties = int((cases[method] == cases[list(BENCHMARKS)].max(axis="columns")).sum())
    found = f"{int(won.sum())} of {len(won)} cases, the paper {stated(printed):.0f} of {total:.0f}"
    right = difference <= NEAR
    one = Order(right, not right and difference <= STANDARD_ERRORS * error)
    return decided([one], found + (f"; ties: {ties}" if ties else ""), scores, rows)


def f2_wins(tables: Tables) -> Evidence:
    """F2 beats all benchmarks in 11 of 36 cases."""
    return count_of_wins(accuracies(tables), tables["table_4"], "F2", "f2_wins")
