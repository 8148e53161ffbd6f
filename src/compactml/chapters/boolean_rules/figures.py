"""Figures of the Boolean-rules chapter but those of speed, printed tables and the loop; each takes its width."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from compactml.boolean_rules.bounds import Round
from compactml.chapters.boolean_rules.datasets import PRINTED
from compactml.chapters.boolean_rules.fold_rows import folds_in_words
from compactml.chapters.boolean_rules.methods import CART_SHARES, JRIP, OUR_CG, OURS_SHOWN, PAPER_CG, PORT
from compactml.chapters.boolean_rules.rows import pareto
from compactml.study.page.panels import legend_above, panels
from compactml.study.page.picture import NARROW
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
PANEL, HIGH, FRONT = 3.4, 2.5, 2.0
"""Inches: a panel's least width, its height, and that of a panel of Fig 1."""


def figure_1(points: pd.DataFrame, width: float) -> Figure:
    """Draw Fig 1: complexity against test accuracy on four datasets, two by two as printed."""
    return _panels(points, PAPER_PANELS, width)


def figure_1_all(points: pd.DataFrame, width: float) -> Figure:
    """Draw the panels of all datasets of Table 1 that have points (of the first one if none has)."""
    drawn = set(points["dataset"])
    names = [one.name for one in PRINTED if one.name in drawn] or [PRINTED[0].name]
    return _panels(points, {name: name for name in names}, width)


def _panels(points: pd.DataFrame, titles: Mapping[str, str], width: float) -> Figure:
    fig, axes = panels(len(titles), 2, width, PANEL, FRONT, above=0.4)
    for ax, (name, title) in zip(axes, titles.items(), strict=True):
        ax.set_title(title)
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
    fig.legend(handles=handles, loc="outside upper left", ncols=4 if width > NARROW else 2)
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
    ax.set(xlabel=f"complexity, {folds_in_words(points['folds'])}", ylabel="test accuracy (%)")
    ax.set_xlim(left=-1)


def bounds_by_complexity(values: pd.DataFrame, width: float) -> Figure:
    """Optimum of the integer program and of the LP by the bound C on the complexity.

    Parameters
    ----------
    values : DataFrame
        Columns ``C``, ``z_MIP``, ``z_MLP``.
    width : float
        Inches.
    """
    fig, ax = plt.subplots(figsize=(width, HIGH), layout="constrained")
    for i, (name, label) in enumerate((("z_MIP", "best rule set"), ("z_MLP", "bound of the linear program"))):
        ax.plot(values["C"], values[name], label=label, **series_style(i))
    ax.set(xlabel="bound C on the complexity", ylabel="loss (rows)", ylim=(-0.1, None))
    legend_above(fig, 2)
    return fig


def rule_boxes(
    X: pd.DataFrame, y: NDArray[np.bool_], clauses: Sequence[Sequence[str]], width: float
) -> Figure:
    """Draw two features, both classes, and each clause as the box that it cuts out.

    Parameters
    ----------
    X : DataFrame, shape (n, 2)
    y : ndarray of bool, shape (n,)
    clauses : sequence of sequences of str
        Conditions such as ``"petal length (cm) <= 4.7"`` on the two columns.
    width : float
        Inches.
    """
    fig, ax = plt.subplots(figsize=(width, 3.4), layout="constrained")
    lowest, highest = limits(X)
    for i, clause in enumerate(clauses):
        box = clause_box(clause, lowest, highest)
        draw_box(ax, box, PALETTE[2 + i])
        ax.annotate(
            f"clause {i + 1}", (box[0, 0], box[1, 1]), xytext=(3, -3), textcoords="offset points", va="top"
        )
    for i, (positive, label) in enumerate(((False, "another species"), (True, "versicolor"))):
        samples = X[y == positive]
        style = series_style(1 - i)
        ax.plot(samples.iloc[:, 0], samples.iloc[:, 1], linestyle="", label=label, alpha=0.75, **style)
    ax.set(
        xlabel=X.columns[0],
        ylabel=X.columns[1],
        xlim=(lowest.iloc[0], highest.iloc[0]),
        ylim=(lowest.iloc[1], highest.iloc[1]),
    )
    legend_above(fig, 2)
    return fig


def limits(X: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """Ends of the axes of two features: the data and a margin."""
    pad = 0.05 * (X.max() - X.min())
    return X.min() - pad, X.max() + pad


def clause_box(clause: Sequence[str], lowest: pd.Series, highest: pd.Series) -> NDArray[np.float64]:
    """Lower and upper ends of a clause on both features, shape (2, 2)."""
    box = np.column_stack([lowest, highest])
    for text in clause:
        name, sign, value = text.rsplit(" ", 2)
        row, side = list(lowest.index).index(name), 1 if sign == "<=" else 0
        box[row, side] = (min if side else max)(box[row, side], float(value))
    return box


def draw_box(ax: Axes, box: NDArray[np.float64], color: str) -> None:
    """A clause as a pale rectangle with an edge."""
    corner, size = box[:, 0], box[:, 1] - box[:, 0]
    ax.add_patch(Rectangle((corner[0], corner[1]), size[0], size[1], color=color, alpha=0.18, lw=0))
    ax.add_patch(Rectangle((corner[0], corner[1]), size[0], size[1], fill=False, edgecolor=color, lw=1.4))


def history(runs: Mapping[str, Sequence[Round]], width: float) -> Figure:
    """Value of the restricted master (it falls) and proved bound (it rises) by round of column generation.

    Parameters
    ----------
    runs : mapping of str to sequence of Round
        Histories by label.
    width : float
        Inches.
    """
    fig, axes = panels(len(runs), len(runs), width, PANEL, HIGH)
    for ax, (label, rounds) in zip(axes, runs.items(), strict=True):
        ax.set_title(label)
        value_and_bound(ax, [one.master_value for one in rounds], [one.lower_bound for one in rounds])
    legend_above(fig, 2)
    return fig


def value_and_bound(ax: Axes, values: Sequence[float], bounds: Sequence[float]) -> None:
    """Both by round, on one axis."""
    rounds = np.arange(1, len(values) + 1)
    ax.plot(rounds, values, label="value of the restricted master", **series_style(0))
    ax.plot(rounds, bounds, label="proved bound", **series_style(1))
    ax.set(xlabel="round", ylabel="loss (rows)", ylim=(0, None))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
