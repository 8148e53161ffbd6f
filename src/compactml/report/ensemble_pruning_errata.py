"""What the printed numbers of Bastos, Brandão and Valle (2024) say of themselves: checks that need no run."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compactml.experiments.ensemble_pruning import CHAPTER
from compactml.report.claims import Evidence
from compactml.report.comparison import same_digits
from compactml.report.ensemble_pruning_checks import Tables, holds_if, listed
from compactml.report.ensemble_pruning_frames import AVERAGE, BENCHMARKS
from compactml.report.ensemble_pruning_printed import printed_means, printed_ranks
from compactml.report.published import published

__all__ = [
    "averages_of_ranks", "big_constant", "deviations_of_folds", "imbalance", "most_balanced",
    "rank_resolution", "rank_sums", "theta_dispersion", "theta_printed", "validation_sizes", "validation_table",
]  # fmt: skip

SHARE = 0.27
"""Of the points in the validation set."""


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
    return holds_if(wrong.empty, f"{sum(right)} of {len(right)}", named, in_part=sum(right) > len(right) / 2)


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
    return holds_if(
        bool(right.all()), f"{right.sum()} of {len(right)}", named, in_part=bool(right.mean() > 0.5)
    )


def rank_sums(tables: Tables, table: str) -> Evidence:
    """The ranks of k methods sum to k (k + 1) / 2 for every K, up to the rounding of k numbers."""
    ranks = printed_ranks(table).drop(index=AVERAGE)
    k = ranks.shape[1]
    off = ranks.sum(axis="columns") - k * (k + 1) / 2
    return holds_if(bool((off.abs() <= 0.005 * k + 1e-9).all()), f"off by {listed(off, 2)} for the four K")


def averages_of_ranks(tables: Tables, table: str) -> Evidence:
    """The last row averages the others, up to rounding."""
    ranks = printed_ranks(table)
    off = np.abs(ranks.drop(index=AVERAGE).mean().to_numpy() - ranks.loc[AVERAGE].to_numpy()).max()
    return holds_if(bool(off <= 0.01 + 1e-9), f"off by {off:.4f} at most")


def rank_resolution(tables: Tables) -> Evidence:
    """The printed ranks are means over nine datasets of ranks with shared ties, multiples of 1/18."""
    ranks = printed_ranks("table_4").drop(index=AVERAGE).to_numpy().ravel()
    nearest = np.round(ranks * 18) / 18
    right = np.abs(ranks - nearest) <= 0.005 + 1e-9
    return holds_if(
        bool(right.all()),
        f"{right.sum()} of {right.size} cells are multiples of 1/18",
        "" if right.all() else "so ranks were taken in each repetition or each run, and then averaged",
    )


def most_balanced(tables: Tables) -> Evidence:
    """MSK and DRD have the shares of positive points nearest to one half."""
    far = (imbalance()["computed"] - 0.5).abs().sort_values()
    return holds_if(set(far.index[:2]) == {"MSK", "DRD"}, f"|theta - 1/2|: {listed(far, 3)}")


def theta_dispersion(tables: Tables) -> Evidence:
    """The average deviation that Table 5 prints for F1 with theta weights is below that of F1 and every benchmark."""
    deviations = printed_means("std").iloc[-1]
    others = deviations[["F1", *BENCHMARKS]]
    lower = others > deviations["F1_theta"]
    return holds_if(bool(lower.all()), listed(deviations, 4), "", in_part=bool(lower.mean() > 0.5))


def deviations_of_folds(tables: Tables, dataset: str = "DRD", folds: int = 10) -> Evidence:
    """The deviations of Table 5 are as large as chance makes them in a test fold of a balanced dataset."""
    n = published(CHAPTER, "table_2").set_index("dataset")["N"].astype(int)[dataset] / folds
    mean = printed_means().loc[dataset].to_numpy().max()
    chance, most = np.sqrt(mean * (1 - mean) / n), printed_means("std").loc[dataset].to_numpy().max()
    found = f"{dataset}: {chance:.3f} by chance in a fold of {n:.0f} points, at most {most:.4f} printed"
    return holds_if(bool(most >= chance), found, "they are taken to be over the ten repetitions")


def big_constant(tables: Tables, n_classifiers: int = 10) -> Evidence:
    """Row (6) with the printed constant K allows every ensemble: no votes at all, and L = K."""
    k = threshold = n_classifiers
    left, right = (threshold + 1) - 0, k * 1  # all negative, so t = 1
    found = (
        f"L = K = {k}, no positive vote, t = 1: {left} <= {right} is {'true' if left <= right else 'false'}"
    )
    return holds_if(left <= right, found, "the constant must be K + 1, as in (2) and (3)")
