"""Pictures of the second notebook: printed tables, gaps, the loan rule, readings of the data; each takes its width."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from compactml.study.page.axes import label_rows, plain_log
from compactml.study.page.panels import legend_above, panels
from compactml.study.page.style import PALETTE, RING, SOFT, series_style

__all__ = ["class_accuracies", "gaps", "printed_pair", "rule_cards"]

ROW, PANEL = 0.19, 3.4
"""Inches: the height of a row, the least width of a panel."""
LINE = 0.19
"""Inches of a line of text."""
Clauses = Sequence[Sequence[str]]


def printed_pair(accuracies: pd.DataFrame, sizes: pd.DataFrame, width: float) -> Figure:
    """Draw how two methods stand in the printed tables: difference of accuracy, and both complexities.

    Parameters
    ----------
    accuracies, sizes : DataFrame
        A row a dataset; two columns named by the methods.
    width : float
        Inches.
    """
    fig, (left, right) = panels(2, 2, width, PANEL, ROW * len(accuracies) + 0.8, above=0.3, sharey=True)
    first, second = accuracies.columns
    difference = accuracies[first] - accuracies[second]
    left.axvline(0, color=SOFT, linewidth=1)
    left.plot(difference, range(len(difference)), linestyle="", color=PALETTE[2], marker="D")
    left.set_xlabel(f"test accuracy, {first} less {second} (points)")
    for i, name in enumerate(sizes.columns):
        values = sizes[name].reindex(accuracies.index)
        right.plot(values, range(len(values)), linestyle="", label=name, **series_style(i))
    plain_log(right, "x")
    right.set_xlabel("complexity (clauses and conditions)")
    for ax in (left, right):
        label_rows(ax, list(map(str, accuracies.index)))
    legend_above(fig, 2)
    return fig


def gaps(table: pd.DataFrame, width: float) -> Figure:
    """Draw what the linear program and the enumeration leave open, in percent of the loss.

    Parameters
    ----------
    table : DataFrame
        Columns ``dataset``, ``C``, ``loss``, ``lp_bound`` and ``bound``.
    width : float
        Inches.
    """
    labels = [f"{row.dataset}, C = {row.C}" for row in table.itertuples()]
    fig, ax = plt.subplots(figsize=(width, ROW * len(labels) + 1.1), layout="constrained")
    ax.axvline(1, color=SOFT, linewidth=1, linestyle="--")
    parts = {"bound of the linear program": "lp_bound", "bound of our search": "bound"}
    for i, (label, column) in enumerate(parts.items()):
        left = 100 * (table["loss"] - table[column]) / table["loss"].where(table["loss"] > 0, 1)
        ax.plot(left, range(len(labels)), linestyle="", label=label, **series_style(i))
    label_rows(ax, labels)
    ax.set(xlabel="gap (% of the loss)", xlim=(-0.2, None))
    legend_above(fig, 2)
    return fig


def rule_cards(rules: Mapping[str, Clauses], width: float) -> Figure:
    """Draw rule sets as cards: a box a clause, all of its conditions in it, "or" between the boxes.

    Parameters
    ----------
    rules : mapping of str to sequence of sequences of str
        Clauses by the title of their rule set.
    width : float
        Inches.
    """
    lines = max(sum(len(clause) + 1.5 for clause in clauses) for clauses in rules.values())
    fig, axes = panels(len(rules), len(rules), width, PANEL, LINE * lines + 0.3)
    for ax, (title, clauses) in zip(axes, rules.items(), strict=True):
        _card(ax, clauses, lines)
        ax.set_title(title, loc="left", fontweight="bold")
    return fig


def _card(ax: Axes, clauses: Clauses, lines: float) -> None:
    y = 0.1
    for i, clause in enumerate(clauses):
        if i:
            ax.text(0.5, y + 0.4, "or", ha="center", va="center", color=SOFT)
            y += 0.9
        ax.add_patch(Rectangle((0, y), 1, len(clause) + 0.4, fill=False, edgecolor=PALETTE[i], linewidth=1.5))
        for line, condition in enumerate(clause):
            ax.text(0.04, y + line + 0.7, condition, va="center")
        y += len(clause) + 0.5
    ax.set(xlim=(-0.01, 1.01), ylim=(lines, 0))
    ax.set_axis_off()


def class_accuracies(readings: pd.DataFrame, printed: float, error: float, width: float) -> Figure:
    """Draw the accuracy of a forest by the class that it predicts, beside the printed one with two of its errors.

    Parameters
    ----------
    readings : DataFrame
        Columns ``class``, ``accuracy`` and ``std_error``, in percent.
    printed, error : float
    width : float
        Inches.
    """
    fig, ax = plt.subplots(figsize=(width, ROW * len(readings) + 1.0), layout="constrained")
    ax.axvspan(
        printed - 2 * error, printed + 2 * error, color=RING, alpha=0.18, linewidth=0, label="published"
    )
    places = np.arange(len(readings))
    ax.errorbar(
        readings["accuracy"], places, xerr=2 * readings["std_error"], linestyle="none", label="ours",
        **series_style(1),
    )  # fmt: skip
    label_rows(ax, list(readings["class"]))
    ax.set_xlabel("test accuracy of a random forest (%)")
    legend_above(fig, 2)
    return fig
