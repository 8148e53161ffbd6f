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
from compactml.study.page.axes import label_rows
from compactml.study.page.panels import legend_above
from compactml.study.page.style import PALETTE

__all__ = ["Comparison", "compare_ranks", "critical_difference", "rank_rows"]

LEVEL = 0.05
BAR = 0.35
"""Ranks between two bars beside the dots."""


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


def rank_rows(comparison: Comparison, labels: Sequence[str], width: float) -> Figure:
    """Mean ranks, a row a method, best on top; a bar joins methods that Nemenyi's test cannot tell apart.

    Parameters
    ----------
    comparison : Comparison
    labels : sequence of str
        Names to show, in the order of ``comparison.ranks``.
    width : float
        Inches.
    """
    k = len(comparison.ranks)
    place = {str(name): i for i, name in enumerate(comparison.ranks.index)}
    fig, ax = plt.subplots(figsize=(width, 1.2 + 0.27 * k), layout="constrained")
    ax.plot(comparison.ranks, range(k), "o", color=PALETTE[0], linestyle="none", label="mean rank")
    for i, ends in enumerate(comparison.groups()):
        rows = [place[end] for end in ends]
        label = "not told apart" if i == 0 else None
        ax.plot([k + BAR * (i + 1)] * 2, rows, color=PALETTE[1], linewidth=4, marker="", label=label)
    label_rows(ax, labels)
    ax.set_xticks(range(1, k + 1))
    ax.set(xlim=(0.8, k + BAR * (len(comparison.groups()) + 1)))
    ax.set_xlabel(f"mean rank; critical difference {comparison.difference:.1f}")
    ax.spines["left"].set_visible(False)
    legend_above(fig, 2, 2)
    return fig
