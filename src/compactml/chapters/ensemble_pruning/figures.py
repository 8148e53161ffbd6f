"""Figures of the ensemble-pruning chapter's second and third notebook."""

from __future__ import annotations

import math
from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, StrMethodFormatter

from compactml.chapters.ensemble_pruning.beyond import CURVES
from compactml.chapters.ensemble_pruning.printed import printed_gaps
from compactml.chapters.ensemble_pruning.ranks import Comparison, compare_ranks, critical_difference_plot
from compactml.chapters.ensemble_pruning.rows import LABELS, NAMES, Ranking, dataset_scores
from compactml.study.page.style import series_style

__all__ = ["curves", "generalisation", "rank_comparison", "ranks", "sizes"]

LEAST_GAP = 0.05
"""Percent, half the last digit of Table 3; smaller gaps are drawn there on the logarithmic axis."""


def rank_comparison(runs: pd.DataFrame, ranking: Ranking) -> Comparison | None:
    """Friedman's and Nemenyi's tests with datasets as blocks, None for fewer than two datasets.

    Parameters
    ----------
    runs : DataFrame
        Rows of trials.
    ranking : Ranking
    """
    scores = dataset_scores(runs, *ranking)
    return compare_ranks(scores) if len(scores) >= 2 else None


def ranks(comparison: Comparison | None) -> Figure:
    """Critical-difference plot."""
    if comparison is not None:
        names = [LABELS.get(str(name), str(name)) for name in comparison.ranks.index]
        return critical_difference_plot(comparison, names)
    return nothing("two datasets at least are needed")


def nothing(reason: str) -> Figure:
    """An empty figure that says why."""
    fig, ax = plt.subplots(figsize=(6.4, 1.2), layout="constrained")
    ax.text(0.5, 0.5, reason, ha="center", va="center")
    ax.set_axis_off()
    return fig


def curves(rows: pd.DataFrame) -> Figure:
    """Mean gap by time limit, a panel per dataset and a line per formulation; the paper's gap of Table 3 is dashed.

    A line begins where every fold has a gap; one below `LEAST_GAP` is drawn there. Of each dataset the largest pool
    is shown.

    Parameters
    ----------
    rows : DataFrame
        Rows of the table "curves".
    """
    names = [name for name in NAMES if name in set(rows["dataset"])]
    if not names:
        return nothing("no result here")
    height = math.ceil(len(names) / 2)
    fig, axes = plt.subplots(
        height, min(len(names), 2), figsize=(6.8, 0.8 + 2.6 * height), layout="constrained", squeeze=False, sharex=True
    )  # fmt: skip
    for ax in axes.flat[len(names) :]:
        ax.set_visible(False)
    paper = printed_gaps()["F1"]
    for ax, name in zip(axes.flat, names, strict=False):
        own = rows[rows["dataset"] == name]
        largest = own["K"].max()
        _gaps(ax, own[own["K"] == largest], float(paper[name]))
        ax.set_title(f"{name}, K = {largest}", fontsize=10)
    for ax in axes[:, 0]:
        ax.set_ylabel("gap (%)")
    for ax in axes[-1]:
        ax.set_xlabel("time limit (s)")
    handles = [Line2D([], [], label=label, **series_style(i)) for i, label in enumerate(CURVES.values())]
    handles.append(Line2D([], [], color="black", linestyle="--", marker="", label="paper, 300 s, 8 cores"))
    fig.legend(handles=handles, loc="outside upper center", ncols=2)
    return fig


def _gaps(ax: Axes, rows: pd.DataFrame, paper: float) -> None:
    gaps = rows.assign(gap=100 * rows["gap"].astype(float)).groupby(["method", "time_limit"])["gap"]
    means = gaps.mean().where(gaps.count() == gaps.size())
    for i, name in enumerate(CURVES):
        if name in means.index.get_level_values("method"):
            own = means[name].dropna().sort_index()
            ax.plot(own.index, own.clip(lower=LEAST_GAP), linewidth=1.3, zorder=9 - i, **series_style(i))
    ax.axhline(max(paper, LEAST_GAP), color="black", linestyle="--", linewidth=1)
    ax.set(xscale="log", yscale="log")
    limits = sorted(rows["time_limit"].unique())
    ax.set_xticks(limits, [f"{limit:g}" for limit in limits])
    ax.minorticks_off()
    ax.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))


def generalisation(table: pd.DataFrame) -> Figure:
    """Validation and test accuracy of each method, joined by a line.

    Parameters
    ----------
    table : DataFrame
        From `compactml.chapters.ensemble_pruning.beyond.overfitting_table`.
    """
    fig, ax = plt.subplots(figsize=(6.4, 1.2 + 0.3 * len(table)), layout="constrained")
    places = np.arange(len(table))
    ax.hlines(places, table["test"], table["validation"], color="#9a958b", linewidth=1.5)
    for i, part in enumerate(("validation", "test")):
        ax.plot(table[part], places, linestyle="none", label=part, **series_style(i))
    ax.set_yticks(places, table["method"])
    ax.invert_yaxis()
    ax.set(xlabel="accuracy (%), mean over cases")
    fig.legend(loc="outside upper center", ncols=2)
    return fig


def sizes(rows: pd.DataFrame, methods: Sequence[str]) -> Figure:
    """Number of selected classifiers: a box per method over all runs of the largest pool.

    Parameters
    ----------
    rows : DataFrame
        Rows with ``K``, ``method``, ``n_selected``.
    methods : sequence of str
    """
    largest = rows[rows["K"] == rows["K"].max()]
    selected = [
        largest.loc[largest["method"] == method, "n_selected"].astype(float).to_numpy() for method in methods
    ]
    fig, ax = plt.subplots(figsize=(6.4, 1.0 + 0.3 * len(methods)), layout="constrained")
    colour = series_style(0)["color"]
    ax.boxplot(
        selected, orientation="horizontal", tick_labels=list(methods), widths=0.6,
        medianprops={"color": series_style(1)["color"], "marker": ""}, boxprops={"color": colour, "marker": ""},
        whiskerprops={"color": colour, "marker": ""}, capprops={"color": colour, "marker": ""},
        flierprops={"marker": ".", "markeredgecolor": colour},
    )  # fmt: skip
    ax.invert_yaxis()
    ax.set(xlabel=f"selected of K = {largest['K'].max()} classifiers")
    return fig
