"""Figures of the boolean-rules chapter's first notebook: bounds by complexity, rules as boxes, a run's history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from compactml.boolean_rules.bounds import Round
from compactml.study.page.style import PALETTE, series_style

__all__ = ["bounds_by_complexity", "history", "rule_boxes"]


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
    """Two features, both classes, and each clause as the box that it cuts out.

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
        own = X[y == positive]
        style = series_style(1 - i)
        ax.plot(own.iloc[:, 0], own.iloc[:, 1], linestyle="", label=label, alpha=0.75, **style)
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
