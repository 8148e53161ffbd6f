"""Figures of the chapter's first notebook, drawn from frames."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from compactml.study.page.picture import NARROW
from compactml.study.page.style import INK, PALETTE, SOFT, series_style

__all__ = ["binary_search", "bounds_by_cardinality", "legend_above", "parametric_function", "pixels"]

QUIET, CHOSEN = "#808080", PALETTE[5]


def legend_above(fig: Figure, width: float, columns: int = 4) -> None:
    """Put the legend of all panels above them, where it covers no data: at most two columns where it is narrow."""
    named = {
        label: handle
        for ax in fig.axes
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True)
    }
    columns = columns if width > NARROW else 1
    fig.legend(named.values(), named.keys(), loc="outside upper left", ncols=columns)


def parametric_function(every: pd.DataFrame, iterates: Sequence[float], width: float) -> Figure:
    """v(t) of (15) as the upper envelope of the lines f - t g, and Newton's way down to its root.

    Parameters
    ----------
    every : DataFrame
        From `compactml.chapters.feature_selection.method.sets`.
    iterates : sequence of float
        Newton's t^0, t^1, ...
    width : float
        Inches.
    """
    best = every["value"].max()
    span = max(best - min(iterates), 0.05)
    t = np.linspace(best - 1.6 * span, best + span, 200)
    lines = every["f"].to_numpy()[:, None] - t * every["g"].to_numpy()[:, None]
    envelope = lines.max(axis=0)
    low = envelope.min() - 0.6 * np.ptp(envelope)
    fig, ax = plt.subplots(figsize=(width, 3.6), layout="constrained")
    for ends, names in every.assign(left=lines[:, 0].round(9)).groupby(["left", "g"])["set"]:
        line = ends[0] - ends[1] * (t - t[0])
        ax.plot(t, line, color=QUIET, linewidth=0.8, marker="")
        if line[0] > low:
            ax.annotate(" ".join(names) + " ", (t[0], line[0]), ha="right", va="center", color=SOFT)
    ax.plot(t, envelope, color=series_style(0)["color"], linewidth=2.2, marker="", label="v(t)")
    height = [float((every["f"] - one * every["g"]).max()) for one in iterates]
    way = [(one, v) for one, v0 in zip(iterates, height, strict=True) for v in (0.0, v0)]
    ax.plot(*zip(*way, strict=True), linestyle=":", label="Newton", **series_style(1))
    ax.axhline(0, color=INK, linewidth=0.8)
    room = 0.2 if width > NARROW else 0.45
    ax.set(
        xlabel="t", ylabel="f(x) - t g(x)", ylim=(low, envelope.max()), xlim=(t[0] - room * np.ptp(t), t[-1])
    )
    ax.xaxis.set_major_locator(MaxNLocator(5))
    legend_above(fig, width)
    return fig


def binary_search(steps: pd.DataFrame, best: float, width: float) -> Figure:
    """The interval of each iteration of Algorithm 1, its midpoint, and the optimum.

    Parameters
    ----------
    steps : DataFrame
        Columns ``lower``, ``upper``, ``t`` and ``v`` (positive: the lower end moves up).
    best : float
    width : float
        Inches.
    """
    fig, ax = plt.subplots(figsize=(width, 1.2 + 0.26 * len(steps)), layout="constrained")
    number = np.arange(1, len(steps) + 1)
    ax.hlines(number, steps["lower"], steps["upper"], color=QUIET, linewidth=3)
    for i, (chosen, label) in enumerate(
        ((steps["v"] > 0, "v > 0: optimum above"), (steps["v"] <= 0, "v ≤ 0: not above"))
    ):
        ax.plot(steps["t"][chosen], number[chosen], linestyle="none", label=label, **series_style(i))
    ax.axvline(best, color=INK, linewidth=0.8)
    ax.set(xlabel="t (the line: the optimum)", ylabel="iteration")
    ax.set_yticks(number)
    ax.invert_yaxis()
    legend_above(fig, width)
    return fig


def pixels(
    relevance: Sequence[float], places: Sequence[int], chosen: Sequence[int], side: int, width: float
) -> Figure:
    """Pixels of square images, coloured by their information about the class; chosen ones have a frame.

    Parameters
    ----------
    relevance : sequence of float, shape (p,)
        Nats.
    places : sequence of int, shape (p,)
        Number of each pixel, row by row; others stay empty.
    chosen : sequence of int
        Features (0 .. p - 1).
    side : int
        Pixels of a side.
    width : float
        Inches.
    """
    image = np.full(side * side, np.nan)
    image[list(places)] = relevance
    fig, ax = plt.subplots(figsize=(width, 3.2), layout="constrained")
    shown = ax.imshow(image.reshape(side, side), cmap="cividis")
    for j in chosen:
        row, column = divmod(places[j], side)
        ax.add_patch(Rectangle((column - 0.42, row - 0.42), 0.84, 0.84, fill=False, edgecolor=CHOSEN, lw=2))
    ax.set(xlabel="column", ylabel="row")
    ax.grid(visible=False)
    fig.colorbar(shown, label="information about the digit (nats)")
    return fig


def bounds_by_cardinality(table: pd.DataFrame, free: float, width: float) -> Figure:
    """The best value of each cardinality and upper bounds on it, with the bound that knows no cardinality.

    Parameters
    ----------
    table : DataFrame
        Column ``l`` and one column for each curve, in the order of the legend.
    free : float
        Bound of the relaxation without a cardinality.
    width : float
        Inches.
    """
    fig, ax = plt.subplots(figsize=(width, 3.8 if width > NARROW else 4.4), layout="constrained")
    for i, name in enumerate(table.columns.drop("l")):
        ax.plot(
            table["l"], table[name], label=name, markersize=4, linewidth=1.2, zorder=9 - i, **series_style(i)
        )
    ax.axhline(free, color=INK, linestyle="--", linewidth=1.0, label="no size fixed")
    ax.set(xlabel="number of features", ylabel="value")
    legend_above(fig, width, 2)
    return fig
