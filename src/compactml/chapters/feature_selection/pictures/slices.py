"""The picture of the method: how slices of all sets are closed, each by a bound beside the best value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from compactml.chapters.feature_selection.pictures.figures import legend_above
from compactml.study.page.picture import NARROW
from compactml.study.page.style import INK, PALETTE, SOFT

__all__ = ["Slice", "draw_slices"]

ROW = 0.36
"""Inches of a row."""
TOLERANCE = 1e-6
"""Of a bound that touches the best value."""
CLOSED, OPEN = PALETTE[0], PALETTE[1]


@dataclass(frozen=True)
class Slice:
    """Some of all sets, and a bound on their values.

    Attributes
    ----------
    step : str
        What the proof does at this step.
    name : str
        Which sets it has.
    bound : float
        No set of the slice has a larger value.
    values : sequence of float
        Of its sets.
    """

    step: str
    name: str
    bound: float
    values: Sequence[float]

    def closed(self, best: float) -> bool:
        """Whether no set of the slice can be better than the best one."""
        return self.bound <= best + TOLERANCE


def draw_slices(slices: Sequence[Slice], best: float, left: float, width: float) -> Figure:
    """Draw a bar a slice, up to its bound, with its sets as dots, below the line of its step.

    Parameters
    ----------
    slices : sequence of Slice
        Step after step.
    best : float
        Value of the best set, a vertical line.
    left : float
        Where the axis begins; sets further left stand at its edge.
    width : float
        Inches.
    """
    steps = list(dict.fromkeys(part.step for part in slices))
    rows = len(slices) + len(steps)
    fig, ax = plt.subplots(
        figsize=(width, ROW * rows + (1.0 if width > NARROW else 1.5)), layout="constrained"
    )
    y = 0.0
    for number, step in enumerate(steps, 1):
        ax.text(left, y, f"{number}. {step}", fontweight="bold", va="center")
        for part in slices:
            if part.step == step:
                y += 1
                _draw(ax, part, y, best, left)
        y += 1
    ax.axvline(best, color=INK, linewidth=1, label="value of the best set")
    right = max(part.bound for part in slices)
    ax.set(xlim=(left - 0.005, right + 0.03 * (right - left)), ylim=(y - 0.4, -0.6), xlabel="value of a set")
    ax.set_yticks([])
    ax.grid(axis="y", visible=False)
    ax.spines["left"].set_visible(False)
    legend_above(fig, width, 4)
    return fig


def _draw(ax: Axes, part: Slice, y: float, best: float, left: float) -> None:
    closed = part.closed(best)
    colour, label = (CLOSED, "bound: closed") if closed else (OPEN, "bound: still open")
    ax.barh(y, part.bound - left, left=left, height=0.72, color=colour, alpha=0.35, linewidth=0)
    ax.plot([part.bound] * 2, [y - 0.36, y + 0.36], color=colour, linewidth=2.5, marker="", label=label)
    for value in part.values:
        ax.plot(
            max(value, left), y, linestyle="none", color=INK, marker="o" if value >= left else "<", markersize=5,
            label="a set of features",
        )  # fmt: skip
    ax.text(left + 0.012, y, part.name, va="center", color=SOFT)
