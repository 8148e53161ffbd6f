"""What the printed numbers and formulas of Bastos, Brandão and Valle (2024) say of themselves: checks without runs."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compactml.chapters.ensemble_pruning.orders import Tables, listed
from compactml.chapters.ensemble_pruning.plan import CHAPTER
from compactml.chapters.ensemble_pruning.printed import printed_means, printed_ranks
from compactml.chapters.ensemble_pruning.rows import AVERAGE, BENCHMARKS
from compactml.ensemble_pruning._failure_credit import failure_credit, pairwise_failure_crediting
from compactml.study.judging.comparison import same_digits
from compactml.study.judging.evidence import Evidence
from compactml.study.recording.published import published

__all__ = [
    "averages_of_ranks", "big_constant", "deviations_of_folds", "imbalance", "most_balanced",
    "pfc_of_one", "rank_resolution", "rank_sums", "theta_dispersion", "theta_printed",
    "validation_sizes", "validation_table",
]  # fmt: skip

SHARE = 0.27
"""Of the points in the validation set."""
THETA_OF = "N1 / N is right: Table 2 prints both numbers"
SWAPPED = "the values of MSK and BCW are exchanged, and that of PRK is half of what it should be"


def imbalance() -> pd.DataFrame:
    """Table 2's theta, printed and computed from the printed numbers of points: by dataset."""
    frame = published(CHAPTER, "table_2").set_index("dataset")
    return pd.DataFrame(
        {"printed": frame["theta"], "computed": frame["N1"].astype(int) / frame["N"].astype(int)}
    )


def theta_printed(tables: Tables) -> Evidence:
    """Every printed theta is N1 / N."""
    found = imbalance()
    right = [same_digits(*pair) for pair in zip(found["computed"], found["printed"], strict=True)]
    wrong = found[~np.array(right)]
    named = ", ".join(f"{name} {row['printed']} for {row['computed']:.3f}" for name, row in wrong.iterrows())
    return Evidence.of_cells(right, f"{sum(right)} of {len(right)} as printed; {named}", THETA_OF)


def validation_table() -> pd.DataFrame:
    """Table 3's "27 % of N" beside 0.27 N: by dataset, in the order of Table 3."""
    sizes = published(CHAPTER, "table_2").set_index("dataset")["N"].astype(int)
    printed = published(CHAPTER, "table_3").drop_duplicates("dataset").set_index("dataset")["n_27pct_printed"]
    return pd.DataFrame({"printed": printed.astype(int), "computed": SHARE * sizes[printed.index]})


def validation_sizes(tables: Tables) -> Evidence:
    """Every printed number of validation points is 27 % of N, rounded up or down."""
    found = validation_table()
    right = (found["printed"] - found["computed"]).abs() < 1
    named = ", ".join(
        f"{name} {row['printed']:.0f} for {row['computed']:.1f}" for name, row in found[~right].iterrows()
    )
    return Evidence.of_cells(right, f"{right.sum()} of {len(right)} as printed; {named}", SWAPPED)


def rank_sums(tables: Tables, table: str) -> Evidence:
    """The ranks of k methods sum to k (k + 1) / 2 for every K, up to the rounding of k numbers."""
    ranks = printed_ranks(table).drop(index=AVERAGE)
    k = ranks.shape[1]
    off = ranks.sum(axis="columns") - k * (k + 1) / 2
    return Evidence.of_cells(off.abs() <= 0.005 * k + 1e-9, f"off by {listed(off.add_prefix('K = '), 2)}")


def averages_of_ranks(tables: Tables, table: str) -> Evidence:
    """The last row averages the others, up to rounding."""
    ranks = printed_ranks(table)
    off = np.abs(ranks.drop(index=AVERAGE).mean().to_numpy() - ranks.loc[AVERAGE].to_numpy())
    return Evidence.of_cells(off <= 0.01 + 1e-9, f"off by {off.max():.4f} at most")


def rank_resolution(tables: Tables) -> Evidence:
    """The printed ranks are no means over nine datasets of ranks with shared ties, which are multiples of 1/18."""
    ranks = printed_ranks("table_4").drop(index=AVERAGE).to_numpy().ravel()
    nearest = np.round(ranks * 18) / 18
    right = np.abs(ranks - nearest) <= 0.005 + 1e-9
    return Evidence.of_statement(
        not right.all(),
        f"{right.sum()} of {right.size} printed ranks are multiples of 1/18, as all means over nine datasets are",
        "so ranks were taken in each repetition or each run, and then averaged",
    )


def most_balanced(tables: Tables) -> Evidence:
    """MSK and DRD have the shares of positive points nearest to one half."""
    far = (imbalance()["computed"] - 0.5).abs().sort_values()
    return Evidence.of_statement(set(far.index[:2]) == {"MSK", "DRD"}, f"|theta - 1/2|: {listed(far, 3)}")


def theta_dispersion(tables: Tables) -> Evidence:
    """The average deviation that Table 5 prints for F1 with theta weights is below that of F1 and every benchmark."""
    deviations = printed_means("std").iloc[-1]
    others = deviations[["F1", *BENCHMARKS]]
    less = others[others <= deviations["F1_theta"]]
    reason = f"the smallest is that of {others.idxmin()}" if len(less) else ""
    return Evidence.of_statement(less.empty, f"average standard deviations {listed(deviations, 4)}", reason)


def deviations_of_folds(tables: Tables, dataset: str = "DRD", folds: int = 10) -> Evidence:
    """The deviations of Table 5 are smaller than chance makes them in a single test fold of a balanced dataset."""
    n = published(CHAPTER, "table_2").set_index("dataset")["N"].astype(int)[dataset] / folds
    mean = printed_means().loc[dataset].to_numpy().max()
    chance, most = np.sqrt(mean * (1 - mean) / n), printed_means("std").loc[dataset].to_numpy().max()
    found = f"{dataset}: {chance:.3f} by chance in a fold of {n:.0f} points, at most {most:.4f} printed"
    reason = "presumably over ten repetitions; standard errors over the hundred runs would fit about as well"
    return Evidence.of_statement(bool(most < chance), found, reason)


def big_constant(tables: Tables, n_classifiers: int = 10) -> Evidence:
    """Row (6) with the printed constant K allows every ensemble: no votes at all, and L = K."""
    k = threshold = n_classifiers
    left, right = (threshold + 1) - 0, k * 1  # all negative, so t = 1
    found = (
        f"L = K = {k}, no positive vote, t = 1: {left} <= {right} is {'true' if left <= right else 'false'}"
    )
    return Evidence.of_statement(left <= right, found, "the constant must be K + 1, as in (2) and (3)")


def pfc_of_one(tables: Tables, patterns: tuple[str, ...] = ("11101", "01111", "10111")) -> Evidence:
    """A PFC of 1 means that a classifier differs from all others on every point, and that these are identical."""
    right = np.array([[letter == "1" for letter in one] for one in patterns]).T
    K = len(patterns)
    pfc = pairwise_failure_crediting(failure_credit(right), np.arange(K))
    same = [right[:, one] == right[:, other] for one in range(K) for other in range(one)]
    extreme = bool((pfc == 1).all())
    apart, identical = not any(one.any() for one in same), any(one.all() for one in same)
    agreed = " and ".join(str(point + 1) for point in np.flatnonzero(np.all(same, axis=0)))
    return Evidence.of_cells(
        [apart or not extreme, identical or not extreme],
        f"failure patterns {', '.join(patterns)}: PFC is {listed(pd.Series(pfc, index=patterns), 0)}; "
        f"all are right on points {agreed}, and {'two' if identical else 'no two'} are identical",
        "a PFC of 1 means that no point fails two of them: they agree wherever both are right",
    )
