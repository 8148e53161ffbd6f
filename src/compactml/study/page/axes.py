"""What axes of several figures have in common: plain numbers on logarithmic ones, and a row a label."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

__all__ = ["label_rows", "plain_log"]


def plain_log(ax: Axes, *names: str, steps: Sequence[float] = (1.0,), most: int = 8) -> None:
    """Set axes ("x", "y") to logarithms with plain numbers beside them.

    Parameters
    ----------
    ax : Axes
    *names : str
    steps : sequence of float
        Multiples of the powers of ten that have a number: more than one where an axis spans hardly a decade.
    most : int
        Numbers on an axis, about.
    """
    for name in names:
        axis = ax.xaxis if name == "x" else ax.yaxis
        ax.set(**{f"{name}scale": "log"})
        axis.set_major_locator(LogLocator(subs=steps, numticks=most))
        axis.set_major_formatter(
            FuncFormatter(lambda value, _: f"{value:,.0f}" if value >= 1 else f"{value:g}")
        )
        axis.set_minor_formatter(NullFormatter())


def label_rows(ax: Axes, labels: Sequence[str]) -> None:
    """Give the rows 0, 1, ... of a panel their labels, the first on top."""
    ax.set_yticks(range(len(labels)), labels)
    ax.set_ylim(len(labels) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)
