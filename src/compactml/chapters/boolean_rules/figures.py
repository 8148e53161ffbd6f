"""Figures of the Boolean-rules chapter."""

from __future__ import annotations

import math
from collections.abc import Sequence

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from compactml.chapters.boolean_rules.datasets import PRINTED
from compactml.chapters.boolean_rules.rows import pareto
from compactml.chapters.boolean_rules.trials.paper import RULE_METHODS
from compactml.study.page.style import series_style

PAPER_PANELS = {
    "heart": "(a) heart disease",
    "FICO": "(b) FICO",
    "magic": "(c) MAGIC gamma telescope",
    "musk": "(d) musk molecules",
}
"""The four panels that the paper prints, in its order."""


def figure_1(points: pd.DataFrame) -> Figure:
    """Fig 1: complexity against test accuracy on four datasets, two by two as printed."""
    return _panels(points, list(PAPER_PANELS), list(PAPER_PANELS.values()), columns=2, height=3.4)


def figure_1_all(points: pd.DataFrame) -> Figure:
    """The panels of all datasets of Table 1 that have points (of the first one if none has)."""
    drawn = set(points["dataset"])
    names = [one.name for one in PRINTED if one.name in drawn] or [PRINTED[0].name]
    return _panels(points, names, names, columns=2, height=2.9)


def _panels(
    points: pd.DataFrame, names: Sequence[str], titles: Sequence[str], *, columns: int, height: float
) -> Figure:
    rows = math.ceil(len(names) / columns)
    fig, axes = plt.subplots(
        rows, columns, figsize=(4.2 * columns, height * rows), layout="constrained", squeeze=False
    )
    for ax in axes.flat[len(names) :]:
        ax.set_visible(False)
    for ax, name, title in zip(axes.flat, names, titles, strict=False):
        ax.set_title(title, fontsize=10)
        own = points[points["dataset"] == name]
        if own.empty:
            ax.text(0.5, 0.5, "no result here", ha="center", va="center", transform=ax.transAxes)
            ax.set_axis_off()
        else:
            _trade_off(ax, own)
    handles = [Line2D([], [], label=method, **series_style(i)) for i, method in enumerate(RULE_METHODS)]
    fig.legend(handles=handles, loc="outside upper center", ncols=len(handles))
    return fig


def _trade_off(ax: Axes, points: pd.DataFrame) -> None:
    """All points of a dataset with their standard errors; a line joins the Pareto-optimal ones of each method.

    Where points coincide the first method's is on top.
    """
    best = pareto(points)
    for i, method in enumerate(RULE_METHODS):
        own, front = points[points["method"] == method], best[best["method"] == method]
        style = series_style(i)
        ax.errorbar(
            own["complexity"], own["accuracy"],
            xerr=own["complexity_error"].fillna(0), yerr=own["accuracy_error"].fillna(0),
            linestyle="none", elinewidth=0.8, alpha=0.75, markersize=4, zorder=8 - i, **style,
        )  # fmt: skip
        front = front.sort_values("complexity")
        ax.plot(
            front["complexity"], front["accuracy"], color=style["color"], marker="", linewidth=1.4, zorder=3
        )
    ax.set(xlabel="complexity", ylabel="test accuracy (%)")
    ax.set_xlim(left=-1)


def optima(table: pd.DataFrame) -> Figure:
    """Hamming loss and proved bound of each dataset and C, as shares of the loss; seconds beside them."""
    labels = [f"{row.dataset}, C = {row.C}" for row in table.itertuples()]
    places = range(len(labels))
    fig, axes = plt.subplots(1, 2, figsize=(8.4, 0.6 + 0.28 * len(labels)), layout="constrained", sharey=True)
    loss = table["loss"].where(table["loss"] > 0, 1)
    share = (table["bound"] / loss).where(table["loss"] > 0, 1.0)
    axes[0].barh(places, 100 * share, color=series_style(0)["color"], height=0.6)
    axes[0].set(xlabel="proved bound, % of the loss", xlim=(0, 100))
    axes[0].set_axisbelow(True)
    axes[0].set_yticks(places, labels)
    axes[0].invert_yaxis()
    axes[1].plot(table["seconds"], places, linestyle="none", **series_style(1))
    axes[1].set(xlabel="seconds", xscale="log")
    return fig
