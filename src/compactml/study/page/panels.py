"""Panels of one figure, side by side as far as the width allows, under one legend."""

from __future__ import annotations

import math
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure

from compactml.study.page.picture import NARROW, side_by_side

__all__ = ["legend_above", "nothing", "panels"]


def panels(
    n: int, most: int, width: float, inches: float, height: float, *, above: float = 0.0, **sharing: Any
) -> tuple[Figure, list[Axes]]:
    """Return a figure with panels of a least width, at most so many side by side.

    Parameters
    ----------
    n, most : int
        Panels in all, and side by side.
    width : float
        Inches of the figure.
    inches, height : float
        A panel's least width and its height.
    above : float
        Inches for what stands above all panels.
    **sharing
        ``sharex`` and ``sharey`` of `matplotlib.pyplot.subplots`.

    Returns
    -------
    Figure, list of Axes
        The panels in the order of reading.
    """
    columns = side_by_side(most, width, inches)
    lines = math.ceil(n / columns)
    fig, axes = plt.subplots(
        lines,
        columns,
        figsize=(width, above + height * lines),
        layout="constrained",
        squeeze=False,
        **sharing,
    )
    for ax in axes.flat[n:]:
        ax.set_visible(False)
    return fig, list(axes.flat[:n])


def legend_above(fig: Figure | SubFigure, wide: int = 4, narrow: int = 1) -> None:
    """Put one legend of all panels above them, where it covers no data.

    Parameters
    ----------
    fig : Figure or SubFigure
    wide, narrow : int
        Columns of the legend, at most, in the two layouts.
    """
    named = {
        label: handle
        for ax in fig.axes
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True)
    }
    whole = fig.get_figure(root=True)
    assert whole is not None
    columns = wide if whole.get_figwidth() > NARROW else narrow
    fig.legend(named.values(), named.keys(), loc="outside upper left", ncols=columns)


def nothing(reason: str, width: float) -> Figure:
    """Return an empty figure that says why it is empty."""
    fig, ax = plt.subplots(figsize=(width, 1.2), layout="constrained")
    ax.text(0.5, 0.5, reason, ha="center", va="center")
    ax.set_axis_off()
    return fig
