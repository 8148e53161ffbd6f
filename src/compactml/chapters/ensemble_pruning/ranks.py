"""Comparison of methods over datasets by ranks, after Demšar (2006): Friedman's test, Nemenyi's critical difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from scipy.stats import friedmanchisquare, studentized_range

from compactml.errors import InvalidDataError
from compactml.study.page.style import INK, PALETTE

__all__ = ["Comparison", "compare_ranks", "critical_difference", "critical_difference_plot"]

LEVEL = 0.05


@dataclass(frozen=True)
class Comparison:
    """Mean ranks of methods over blocks, and whether they can be told apart.

    Attributes
    ----------
    ranks : Series
        Mean rank by method, best (smallest) first.
    n_blocks : int
        Datasets.
    p_value : float
        Of Friedman's test that all methods are alike.
    difference : float
        Critical difference of two mean ranks at the level 0.05 (Nemenyi).
    """

    ranks: pd.Series
    n_blocks: int
    p_value: float
    difference: float

    def groups(self) -> list[tuple[str, str]]:
        """First and last method of each longest row of neighbours that do not differ, two or more each."""
        names, values = [str(name) for name in self.ranks.index], self.ranks.to_numpy()
        ends = [int(np.flatnonzero(values <= value + self.difference)[-1]) for value in values]
        return [(names[i], names[end]) for i, end in enumerate(ends) if end > i and end not in ends[:i]]


def critical_difference(n_methods: int, n_blocks: int, level: float = LEVEL) -> float:
    """Difference of two mean ranks that Nemenyi's test takes for real: q sqrt(k (k + 1) / (6 N)).

    q is the quantile of the Studentized range for infinitely many degrees of freedom, over the root of two.
    """
    q = studentized_range.ppf(1 - level, n_methods, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(n_methods * (n_methods + 1) / (6 * n_blocks)))


def compare_ranks(scores: pd.DataFrame) -> Comparison:
    """Compare methods by their ranks in independent blocks.

    Parameters
    ----------
    scores : DataFrame
        A row per dataset, a column per method; larger is better, equal scores share their ranks.

    Raises
    ------
    InvalidDataError
        Fewer than two datasets or three methods.
    """
    if scores.shape[0] < 2 or scores.shape[1] < 3:
        raise InvalidDataError("scores", "at least 2 datasets and 3 methods", f"shape {scores.shape}")
    rounded = scores.round(9)
    ranks = rounded.rank(axis="columns", ascending=False)
    alike = bool(ranks.eq(ranks.mean(axis="columns"), axis="index").all(axis=None))  # the statistic is 0 / 0
    test = 1.0 if alike else float(friedmanchisquare(*rounded.to_numpy().T).pvalue)
    mean = ranks.mean().sort_values(kind="stable")
    return Comparison(mean, len(ranks), test, critical_difference(ranks.shape[1], len(ranks)))


def critical_difference_plot(comparison: Comparison, labels: Sequence[str] | None = None) -> Figure:
    """Mean ranks on a line, best on the left; a bar joins methods that Nemenyi's test cannot tell apart.

    Parameters
    ----------
    comparison : Comparison
    labels : sequence of str, optional
        Names to show, in the order of ``comparison.ranks``.
    """
    ranks, groups = comparison.ranks, comparison.groups()
    names = list(map(str, ranks.index)) if labels is None else list(labels)
    k = len(ranks)
    half = (k + 1) // 2
    bars = 0.28 * (len(groups) + 1)
    depth = bars + 0.42 * half
    fig, ax = plt.subplots(figsize=(6.4, 1.0 + 0.62 * depth), layout="constrained")
    ax.hlines(0, 1, k, color=INK, linewidth=1)
    for tick in range(1, k + 1):
        ax.plot([tick, tick], [0, 0.12], color=INK, linewidth=1, marker="")
        ax.text(tick, 0.2, str(tick), ha="center", va="bottom")
    ax.plot([1, 1 + comparison.difference], [0.85, 0.85], color=INK, linewidth=2, marker="|")
    ax.text(1, 0.95, f"critical difference {comparison.difference:.2f}", va="bottom")
    for i, (value, name) in enumerate(zip(ranks, names, strict=True)):
        left = i < half
        y = -bars - 0.42 * (i if left else k - 1 - i)
        end = 0.6 if left else k + 0.4
        ax.plot([value, value, end], [0, y, y], color="#6b6b6b", linewidth=0.9, marker="")
        ax.plot(value, 0, marker="o", color=PALETTE[0])
        ax.text(
            end + (-0.08 if left else 0.08),
            y,
            f"{name} {value:.2f}",
            ha="right" if left else "left",
            va="center",
        )
    for i, (first, last) in enumerate(groups):
        ends = ranks[first] - 0.04, ranks[last] + 0.04
        ax.hlines(-0.2 - 0.28 * i, *ends, color=PALETTE[1], linewidth=4)
    ax.set(xlim=(-0.9, k + 1.9), ylim=(-depth - 0.1, 1.5))
    ax.set_axis_off()
    return fig
