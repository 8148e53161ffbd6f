"""What the third notebook shows of large forests: certified sizes, lower bounds, and what a smaller ensemble saves."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from compactml.chapters.pace.beyond import FOREST, largest_forests, measured_forests
from compactml.chapters.pace.rows import in_order
from compactml.chapters.pace.shown.reproduction import note
from compactml.study.page.axes import plain_log
from compactml.study.page.html import ShownTable, show
from compactml.study.page.panels import legend_above, nothing, panels
from compactml.study.page.style import PALETTE
from compactml.study.recording.results import Results

__all__ = [
    "saved",
    "saved_table",
    "scale_picture",
    "sizes",
    "sizes_picture",
    "sizes_table",
]

NAMES = {"n_learners": "N"}
LEAST_TOP = 50
"""Trees to which the axis reaches at least."""
SPREAD = 0.6
"""Width that the marks of all datasets take at one place of an axis."""


def sizes_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Return sizes and bounds.

    Returns
    -------
    DataFrame
        A row per forest: ``dataset``, ``N``, ``depth``, ``alpha``, ``smallest found`` and whether that is
        ``certified``, ``smallest certified``, and the lower bounds of (P0), ``bound of pruning``, and of `least_size`,
        ``bound``.
    """
    forests = measured_forests(rows)
    table = forests[FOREST].rename(columns=NAMES)
    table["smallest found"] = forests["found_size"]
    table["certified"] = np.where(forests["pruned"] == 1, "yes", "no")
    table["smallest certified"] = forests["certified_size"]
    table["bound of pruning"] = forests["search_bound"]
    table["bound"] = forests["lower_bound"]
    return table


def saved_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Return bytes and seconds per 1,000 rows, before and after.

    Returns
    -------
    DataFrame
        A row per forest: ``trees``, ``leaves``, ``kB`` and ``ms`` of the initial ensemble and of the smallest certified
        one.
    """
    forests = measured_forests(rows)
    table = forests[FOREST].rename(columns=NAMES)
    sides = {
        "trees": ("initial_size", "certified_size", 1.0),
        "leaves": ("initial_leaves", "certified_leaves", 1.0),
        "kB": ("bytes_before", "bytes_after", 1e-3),
        "ms": ("seconds_before", "seconds_after", 1e3),
    }
    for name, (before, after, unit) in sides.items():
        table[f"{name}, before"], table[f"{name}, after"] = unit * forests[before], unit * forests[after]
    return table


def scale_picture(rows: pd.DataFrame, width: float) -> Figure:
    """Draw for each forest the trees of the smallest certified part, and the bound below which there is none.

    Parameters
    ----------
    rows : DataFrame
        Of the table "scale".
    width : float
        Inches.
    """
    forests = measured_forests(rows)
    if forests.empty:
        return nothing("still to be recorded", width)
    margin = float(largest_forests(rows)["alpha"].iloc[0])
    depths, most = sorted(forests["depth"].unique()), forests["n_learners"].max()
    fig, axes = panels(len(depths) + 1, len(depths) + 1, width, 2.2, 3.0, sharey=True)
    names = in_order(list(forests["dataset"].unique()))
    for ax, depth in zip(axes, depths, strict=False):
        chosen = (forests["alpha"] == margin) & (forests["depth"] == depth)
        _panel(ax, forests[chosen], "n_learners", names)
        ax.set(xlabel="trees of the forest", title=f"depth {depth:g}, margin {margin:g}")
    last = (forests["depth"] == depths[0]) & (forests["n_learners"] == most)
    _panel(axes[-1], forests[last], "alpha", names)
    axes[-1].set(xlabel="margin", title=f"depth {depths[0]:g}, {most:g} trees")
    plain_log(axes[0], "y", steps=(1, 2, 5))
    axes[0].set_ylim(0.9, 1.1 * max(most, LEAST_TOP))
    fig.supylabel("trees")
    legend_above(fig, len(names), 2)
    return fig


def _panel(ax: Axes, forests: pd.DataFrame, by: str, names: list[str]) -> None:
    """One interval for each dataset at each place: a dot at its certified size, a bar at the bound."""
    places = sorted(forests[by].unique())
    for i, name in enumerate(names):
        runs = forests[forests["dataset"] == name]
        x = [places.index(value) + SPREAD * ((i + 0.5) / len(names) - 0.5) for value in runs[by]]
        color = PALETTE[i % len(PALETTE)]
        ax.vlines(x, runs["lower_bound"], runs["certified_size"], color=color, linewidth=1)
        ax.plot(x, runs["lower_bound"], "_", color=color, markersize=7)
        ax.plot(x, runs["found_size"], "o", color=color, fillstyle="none", markersize=7)
        ax.plot(x, runs["certified_size"], "o", color=color, markersize=4, label=name)
    ax.set_xticks(range(len(places)), [f"{place:g}" for place in places])
    ax.set_xlim(-0.5, len(places) - 0.5)


def sizes(results: Results) -> ShownTable:
    """Sizes and bounds of large forests."""
    return show(
        sizes_table(results.rows("scale")).round(1),
        name="pace_scale",
        caption="Trees of the smallest part found and of the smallest certified one, and proved lower bounds",
        note=note(results, "scale"),
    )


def saved(results: Results) -> ShownTable:
    """Bytes and seconds before and after."""
    return show(
        saved_table(results.rows("scale")).round(1),
        name="pace_scale_saved",
        caption="The forest and its smallest certified part: trees, leaves, kB of the pickled scikit-learn ensemble, "
        "ms for predicting 1,000 rows",
        note=note(results, "scale"),
    )


def sizes_picture(results: Results, width: float) -> Figure:
    """The sizes and bounds as a figure."""
    return scale_picture(results.rows("scale"), width)
