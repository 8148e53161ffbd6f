"""Rows of dots on one axis: a number for each thing and each way to measure it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from compactml.study.page.axes import label_rows, plain_log
from compactml.study.page.panels import legend_above
from compactml.study.page.picture import NARROW
from compactml.study.page.style import series_style

__all__ = ["dots"]

ROW = 0.27
"""Inches of a row."""
LETTERS, LEAST = 13, 12
"""Letters to an inch, about, and the fewest in a line of the axis's label."""
TICK, LEAST_TICKS = 0.8, 3
"""Inches of a number on a logarithmic axis, and the fewest numbers."""
MARK = 0.6
"""Inches of an entry of the legend beside its text."""


def dots(
    labels: Sequence[str],
    series: Mapping[str, Sequence[float]],
    xlabel: str,
    width: float,
    *,
    log: bool = False,
    reference: float | None = None,
) -> Figure:
    """Draw a row a label and a dot a series.

    Parameters
    ----------
    labels : sequence of str
    series : mapping of str to sequence of float
        A number for each label; one that is missing is not drawn.
    xlabel : str
        What the axis measures, with its unit.
    width : float
        Inches.
    log : bool
    reference : float, optional
        Where a vertical line stands, such as 1 for ratios.
    """
    height = ROW * len(labels) + (1.0 if width > NARROW else 1.3)
    fig, ax = plt.subplots(figsize=(width, height), layout="constrained")
    if reference is not None:
        ax.axvline(reference, color="grey", linewidth=1)
    for i, (name, values) in enumerate(series.items()):
        ax.plot(values, range(len(labels)), linestyle="none", label=name, **series_style(i))
    label_rows(ax, labels)
    room = width - max(map(len, labels), default=0) / LETTERS
    ax.set_xlabel(fill(xlabel, max(LEAST, int(LETTERS * room))))
    if log:
        plain_log(ax, "x", most=max(LEAST_TICKS, int(room / TICK)))
    ax.spines["left"].set_visible(False)
    if len(series) > 1:
        entry = max(map(len, series)) / LETTERS + MARK
        fitting = max(1, min(len(series), int(width / entry)))
        legend_above(fig, fitting, min(fitting, 2))
    return fig
