"""Published as a ring, ours as a dot, on one axis: the picture that opens a chapter, in the colours of the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from compactml.study.page.axes import label_rows
from compactml.study.page.picture import WIDE, page_colours
from compactml.study.page.style import DOT, RING

ROW = 0.25
"""Inches of a row."""
LETTERS = 10
"""Letters of a label to an inch."""


@dataclass(frozen=True)
class Point:
    """One comparison; None where a side has no number.

    Attributes
    ----------
    printed, ours : float or None
    error : float
        Two standard errors of ours, drawn as a bar.
    printed_error : float
        The same of the printed number, drawn as a broad and pale bar.
    """

    printed: float | None
    ours: float | None
    error: float = 0.0
    printed_error: float = 0.0


@dataclass(frozen=True)
class Panel:
    """Rows of comparisons on one axis.

    Attributes
    ----------
    title, xlabel : str
    rows : dict of str to sequence of Point
    log : bool
    ticks : dict of float to str, optional
        Places that have a label of their own.
    limits : tuple of float, optional
    """

    title: str
    xlabel: str
    rows: Mapping[str, Sequence[Point]]
    log: bool = False
    ticks: dict[float, str] | None = None
    limits: tuple[float, float] | None = None


def by_key(values: pd.Series) -> dict[Any, float]:
    """Return numbers by their key in the index, without those that are missing."""
    return {key: float(value) for key, value in values.dropna().items()}


def rings(panels: Sequence[Panel], width: float) -> Figure:
    """Draw panels side by side where there is room, else one below the other.

    Parameters
    ----------
    panels : sequence of Panel
    width : float
        Inches.
    """
    stacked = width < WIDE
    heights = [len(panel.rows) * ROW + 0.75 for panel in panels]
    with page_colours():
        size = (width, sum(heights) + 0.35 if stacked else max(heights) + 0.35)
        shape = (len(panels), 1) if stacked else (1, len(panels))
        ratios = heights if stacked else None
        fig, axes = plt.subplots(
            *shape, figsize=size, squeeze=False, layout="constrained", height_ratios=ratios
        )
        for panel, ax in zip(panels, axes.flat, strict=True):
            _draw(ax, panel)
            ax.set_xlabel(fill(panel.xlabel, int(LETTERS * width / (1 if stacked else len(panels)))))
        handles = [
            Line2D([], [], color=RING, marker="o", fillstyle="none", markersize=9, linestyle="none"),
            Line2D([], [], color=DOT, marker="o", markersize=4, linestyle="none"),
        ]
        fig.legend(handles, ["published", "ours"], loc="outside upper right", ncols=2, fontsize=9.5)
        plt.close(fig)
    return fig


def _draw(ax: Axes, panel: Panel) -> None:
    for y, points in enumerate(panel.rows.values()):
        for point in points:
            if point.printed is not None:
                if point.printed_error:
                    ends = [point.printed - point.printed_error, point.printed + point.printed_error]
                    ax.plot(
                        ends, [y, y], "-", color=RING, alpha=0.25, linewidth=5, label="published, two errors"
                    )
                ax.plot(
                    point.printed,
                    y,
                    "o",
                    color=RING,
                    fillstyle="none",
                    markersize=9,
                    markeredgewidth=1.3,
                    label="published",
                )
            if point.ours is not None:
                if point.error:
                    ax.plot(
                        [point.ours - point.error, point.ours + point.error],
                        [y, y],
                        "-",
                        color=DOT,
                        linewidth=1,
                        label="ours, two standard errors",
                    )
                ax.plot(point.ours, y, "o", color=DOT, markersize=4, label="ours")
    label_rows(ax, list(panel.rows))
    ax.set_title(panel.title, loc="left", fontsize=10.5, fontweight="bold")
    if panel.log:
        ax.set_xscale("log")
    if panel.limits:
        ax.set_xlim(*panel.limits)
    if panel.ticks:
        ax.set_xticks(list(panel.ticks), list(panel.ticks.values()))
        ax.minorticks_off()
    ax.spines["left"].set_visible(False)
