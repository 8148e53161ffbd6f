"""Figures of the Boolean-rules chapter, but those of speed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from compactml.boolean_rules.bounds import Round
from compactml.chapters.boolean_rules.datasets import PRINTED
from compactml.chapters.boolean_rules.methods import CART_SHARES, JRIP, OUR_CG, OURS_SHOWN, PAPER_CG, PORT
from compactml.chapters.boolean_rules.rows import pareto
from compactml.study.page.style import PALETTE, series_style

PAPER_PANELS = {
    "heart": "(a) heart disease",
    "FICO": "(b) FICO",
    "magic": "(c) MAGIC gamma telescope",
    "musk": "(d) musk molecules",
}
"""The four panels that the paper prints, in its order."""
DRAWN = (PAPER_CG, PORT, JRIP, CART_SHARES, OUR_CG, OURS_SHOWN["AM"], OURS_SHOWN["BCD"])
"""Programs with curves: those of the paper, then ours."""


def figure_1(points: pd.DataFrame) -> Figure:
    """Draw Fig 1: complexity against test accuracy on four datasets, two by two as printed."""
    return _panels(points, list(PAPER_PANELS), list(PAPER_PANELS.values()), columns=2, height=3.4)


def figure_1_all(points: pd.DataFrame) -> Figure:
    """Draw the panels of all datasets of Table 1 that have points (of the first one if none has)."""
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
        dataset_points = points[points["dataset"] == name]
        if dataset_points.empty:
            ax.text(0.5, 0.5, "no result here", ha="center", va="center", transform=ax.transAxes)
            ax.set_axis_off()
        else:
            _trade_off(ax, dataset_points)
    there = set(points["method"])
    handles = [
        Line2D([], [], label=method, **series_style(i)) for i, method in enumerate(DRAWN) if method in there
    ]
    fig.legend(handles=handles, loc="outside upper center", ncols=4)
    return fig


def _trade_off(ax: Axes, points: pd.DataFrame) -> None:
    """All points of a dataset with their standard errors; a line joins the Pareto-optimal ones of each method.

    Where points coincide the first method's is on top.
    """
    best = pareto(points)
    for i, method in enumerate(DRAWN):
        drawn, front = points[points["method"] == method], best[best["method"] == method]
        style = series_style(i)
        ax.errorbar(
            drawn["complexity"], drawn["accuracy"],
            xerr=drawn["complexity_error"].fillna(0), yerr=drawn["accuracy_error"].fillna(0),
            linestyle="none", elinewidth=0.8, alpha=0.75, markersize=4, zorder=12 - i, **style,
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


def bounds_by_complexity(values: pd.DataFrame) -> Figure:
    """Optimum of the integer program and of the LP by the bound C on the complexity.

    Parameters
    ----------
    values : DataFrame
        Columns ``C``, ``z_MIP``, ``z_MLP``.
    """
    fig, ax = plt.subplots(figsize=(5.2, 3.2))
    for i, (name, label) in enumerate((("z_MIP", "integer program"), ("z_MLP", "its LP relaxation"))):
        ax.plot(values["C"], values[name], label=label, **series_style(i))
    ax.set(xlabel="bound C on the complexity", ylabel="Hamming loss (samples)", ylim=(-0.1, None))
    ax.legend()
    return fig


def rule_boxes(X: pd.DataFrame, y: NDArray[np.bool_], clauses: Sequence[Sequence[str]]) -> Figure:
    """Draw two features, both classes, and each clause as the box that it cuts out.

    Parameters
    ----------
    X : DataFrame, shape (n, 2)
    y : ndarray of bool, shape (n,)
    clauses : sequence of sequences of str
        Conditions such as ``"petal length (cm) <= 4.7"`` on the two columns.
    """
    fig, ax = plt.subplots(figsize=(5.2, 3.8), layout="constrained")
    pad = 0.05 * (X.max() - X.min())
    lowest, highest = X.min() - pad, X.max() + pad
    for i, clause in enumerate(clauses):
        box = _box(clause, lowest, highest)
        _draw_box(ax, box, PALETTE[2 + i])
        ax.annotate(
            f"clause {i + 1}", (box[0, 0], box[1, 1]), xytext=(3, -3), textcoords="offset points", va="top"
        )
    for i, (positive, label) in enumerate(((False, "y = 0"), (True, "y = 1"))):
        samples = X[y == positive]
        style = series_style(1 - i)
        ax.plot(samples.iloc[:, 0], samples.iloc[:, 1], linestyle="", label=label, alpha=0.75, **style)
    ax.set(
        xlabel=X.columns[0],
        ylabel=X.columns[1],
        xlim=(lowest.iloc[0], highest.iloc[0]),
        ylim=(lowest.iloc[1], highest.iloc[1]),
    )
    fig.legend(loc="outside upper center", ncols=2)
    return fig


def _box(clause: Sequence[str], lowest: pd.Series, highest: pd.Series) -> NDArray[np.float64]:
    """Lower and upper ends of a clause on both features, shape (2, 2)."""
    box = np.column_stack([lowest, highest])
    for text in clause:
        name, sign, value = text.rsplit(" ", 2)
        row = list(lowest.index).index(name)
        box[row, 1 if sign == "<=" else 0] = float(value)
    return box


def _draw_box(ax: Axes, box: NDArray[np.float64], color: str) -> None:
    corner, size = box[:, 0], box[:, 1] - box[:, 0]
    ax.add_patch(Rectangle((corner[0], corner[1]), size[0], size[1], color=color, alpha=0.18, lw=0))
    ax.add_patch(Rectangle((corner[0], corner[1]), size[0], size[1], fill=False, edgecolor=color, lw=1.4))


def history(runs: Mapping[str, Sequence[Round]]) -> Figure:
    """Value of the restricted master (it falls) and proved bound (it rises) by round of column generation.

    Parameters
    ----------
    runs : mapping of str to sequence of Round
        Histories by label.
    """
    fig, axes = plt.subplots(1, len(runs), figsize=(3.4 * len(runs), 3.1), squeeze=False)
    for ax, (label, rounds) in zip(axes[0], runs.items(), strict=True):
        number = np.arange(1, len(rounds) + 1)
        ax.plot(number, [one.master_value for one in rounds], label="restricted master", **series_style(0))
        ax.plot(number, [one.lower_bound for one in rounds], label="proved bound", **series_style(1))
        ax.set(title=label, xlabel="round", ylabel="Hamming loss (samples)", ylim=(0, None))
        ax.xaxis.get_major_locator().set_params(integer=True)
    axes[0, 0].legend()
    return fig
