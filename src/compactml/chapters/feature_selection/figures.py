"""Figures of the chapter's first notebook, drawn from frames."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from compactml.study.page.style import PALETTE, series_style

__all__ = ["binary_search", "bounds_by_cardinality", "parametric_function", "pixels"]

QUIET, FRAME = "#9a958b", PALETTE[5]


def parametric_function(every: pd.DataFrame, iterates: Sequence[float]) -> Figure:
    """v(t) of (15) as the upper envelope of the lines f - t g, and Newton's way down to its root.

    Parameters
    ----------
    every : DataFrame
        From `compactml.chapters.feature_selection.method.sets`.
    iterates : sequence of float
        Newton's t^0, t^1, ...
    """
    best = every["value"].max()
    span = max(best - min(iterates), 0.05)
    t = np.linspace(best - 1.6 * span, best + span, 200)
    lines = every["f"].to_numpy()[:, None] - t * every["g"].to_numpy()[:, None]
    envelope = lines.max(axis=0)
    low = envelope.min() - 0.6 * np.ptp(envelope)
    fig, ax = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
    for ends, names in every.assign(left=lines[:, 0].round(9)).groupby(["left", "g"])["set"]:
        line = ends[0] - ends[1] * (t - t[0])
        ax.plot(t, line, color=QUIET, linewidth=0.8, marker="")
        if line[0] > low:
            ax.annotate(
                " ".join(names), (t[0], line[0]), fontsize=7, ha="right", va="center", color="#6b6b6b"
            )
    ax.plot(t, envelope, color=series_style(0)["color"], linewidth=2.2, marker="", label="v(t)")
    height = [float((every["f"] - one * every["g"]).max()) for one in iterates]
    way = [(one, v) for one, v0 in zip(iterates, height, strict=True) for v in (0.0, v0)]
    ax.plot(*zip(*way, strict=True), linestyle=":", label="Newton", **series_style(1))
    ax.axhline(0, color="black", linewidth=0.8)
    ax.set(
        xlabel="t", ylabel="f(x) - t g(x)", ylim=(low, envelope.max()), xlim=(t[0] - 0.2 * np.ptp(t), t[-1])
    )
    ax.legend(loc="upper right")
    return fig


def binary_search(steps: pd.DataFrame, best: float) -> Figure:
    """The interval of each iteration of Algorithm 1, its midpoint, and the optimum.

    Parameters
    ----------
    steps : DataFrame
        Columns ``lower``, ``upper``, ``t`` and ``v`` (positive: the lower end moves up).
    best : float
    """
    fig, ax = plt.subplots(figsize=(6.4, 0.9 + 0.26 * len(steps)), layout="constrained")
    number = np.arange(1, len(steps) + 1)
    ax.hlines(number, steps["lower"], steps["upper"], color=QUIET, linewidth=3)
    for i, (chosen, label) in enumerate(
        ((steps["v"] > 0, "v > 0: optimum above"), (steps["v"] <= 0, "v ≤ 0: not above"))
    ):
        ax.plot(steps["t"][chosen], number[chosen], linestyle="none", label=label, **series_style(i))
    ax.axvline(best, color="black", linewidth=0.8)
    ax.set(xlabel="t (the line: the optimum)", ylabel="iteration")
    ax.set_yticks(number)
    ax.invert_yaxis()
    fig.legend(loc="outside upper center", ncols=2)
    return fig


def pixels(relevance: Sequence[float], places: Sequence[int], chosen: Sequence[int], side: int) -> Figure:
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
    """
    image = np.full(side * side, np.nan)
    image[list(places)] = relevance
    fig, ax = plt.subplots(figsize=(4.6, 3.8), layout="constrained")
    shown = ax.imshow(image.reshape(side, side), cmap="cividis")
    for j in chosen:
        row, column = divmod(places[j], side)
        ax.add_patch(Rectangle((column - 0.42, row - 0.42), 0.84, 0.84, fill=False, edgecolor=FRAME, lw=2))
    ax.set(xlabel="column", ylabel="row")
    ax.grid(visible=False)
    fig.colorbar(shown, label="information about the digit (nats)")
    return fig


def bounds_by_cardinality(table: pd.DataFrame, free: float) -> Figure:
    """The best value of each cardinality and upper bounds on it, with the bound that knows no cardinality.

    Parameters
    ----------
    table : DataFrame
        Column ``l`` and one column for each curve, in the order of the legend.
    free : float
        Bound of the relaxation without a cardinality.
    """
    fig, ax = plt.subplots(figsize=(6.4, 3.8), layout="constrained")
    for i, name in enumerate(table.columns.drop("l")):
        ax.plot(
            table["l"], table[name], label=name, markersize=4, linewidth=1.2, zorder=9 - i, **series_style(i)
        )
    ax.axhline(free, color="black", linestyle="--", linewidth=1.0, label="relaxation without a cardinality")
    ax.set(xlabel="number of features l", ylabel="value")
    fig.legend(loc="outside upper center", ncols=2)
    return fig
