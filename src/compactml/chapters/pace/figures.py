"""Figs 2 to 9 of the paper, as far as their axes are known: forms of separation, and sizes by region."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from compactml.chapters.pace.rows import geometric
from compactml.study.page.axes import plain_log
from compactml.study.page.panels import legend_above, nothing, panels
from compactml.study.page.picture import NARROW
from compactml.study.page.style import series_style

__all__ = ["ALPHA_LABEL", "FORMS", "HOLLOW", "NO_RESULT", "Measured", "forms", "initial_settings", "regions"]

FORMS = {
    "constraint": "constraint (CP-SAT)",
    "objective": "objective (CP-SAT)",
    "both": "both (CP-SAT)",
    "milp": "objective (MILP, HiGHS)",
    "search": "ours: branch and bound",
}
"""Forms of the separation problem and their labels; a form has the same colour in every figure."""
ALPHA_LABEL = "α (share of the total weight)"
NO_RESULT = "no result here"
HOLLOW = "none"
"""Fill of a marker that stands for a run without a certificate."""
METHODS = ("Pruning only", "Pace")


def initial_settings(rows: pd.DataFrame) -> list[tuple[int, int]]:
    """Return sizes and depths of the initial ensembles, by depth and size."""
    pairs = rows[["n_learners", "depth"]].drop_duplicates().sort_values(["depth", "n_learners"])
    return [(int(n), int(depth)) for n, depth in pairs.itertuples(index=False)]


@dataclass(frozen=True)
class Measured:
    """A panel of `forms`.

    Attributes
    ----------
    title : str
    rows : DataFrame
        Rows of Figs 2, 5, 8 or 9.
    measure, label : str
        A column and its name.
    shown : sequence of str
        Forms, of `FORMS`.
    """

    title: str
    rows: pd.DataFrame
    measure: str
    label: str
    shown: Sequence[str]


def forms(parts: Sequence[Measured], width: float) -> Figure:
    """Draw measures of the loop to global faithfulness, by setting and form of separation, on a logarithmic axis.

    A marker is a dataset, hollow if it was not certified within the limit; a bar is the geometric mean over datasets.

    Parameters
    ----------
    parts : sequence of Measured
    width : float
        Inches.
    """
    drawn = [part for part in parts if len(part.rows)]
    if not drawn:
        return nothing(NO_RESULT, width)
    fig, axes = panels(len(drawn), 2, width, 3.4, 1.9, above=0.4)
    for ax, part in zip(axes, drawn, strict=True):
        rows, settings = part.rows, initial_settings(part.rows)
        for (i, (n, depth)), (k, form) in product(enumerate(settings), enumerate(part.shown)):
            runs = rows[(rows["n_learners"] == n) & (rows["depth"] == depth) & (rows["method"] == form)]
            place = i + 0.7 * ((k + 0.5) / len(part.shown) - 0.5)
            _form(
                ax, place, runs, part.measure, 0.55 / len(part.shown), series_style(list(FORMS).index(form))
            )
        ax.set(title=part.title, ylabel=part.label)
        plain_log(ax, "y")
        ax.set_xticks(range(len(settings)), [f"{n}\nd {depth}" for n, depth in settings])
    fig.supxlabel("trees of the initial ensemble, and their depth (d)")
    handles = [
        Line2D([], [], linestyle="none", label=label, **series_style(i))
        for i, (form, label) in enumerate(FORMS.items())
        if any(form in part.shown for part in drawn)
    ]
    fig.legend(handles=handles, loc="outside upper left", ncols=3 if width > NARROW else 1)
    return fig


def _form(
    ax: Axes, place: float, runs: pd.DataFrame, measure: str, width: float, style: dict[str, Any]
) -> None:
    if runs.empty:
        return
    values = runs.groupby("dataset")[measure].mean().astype(float).clip(lower=1e-3)
    certified = runs.groupby("dataset")["certified"].min() == 1
    for chosen, face in ((certified, style["color"]), (~certified, HOLLOW)):
        spots = values[chosen]
        ax.plot(
            np.full(len(spots), place),
            spots,
            linestyle="none",
            markersize=4,
            alpha=0.8,
            markerfacecolor=face,
            **style,
        )
    ax.hlines(
        geometric(values.dropna()), place - width / 2, place + width / 2, color=style["color"], linewidth=2
    )


def regions(parts: Mapping[str, pd.DataFrame], width: float) -> Figure:
    """Draw the final size by alpha, a line for each beta, of pruning only and of Pace; hollow where not certified.

    Of initial ensembles of several sizes (several profiles recorded in one table) only the largest is drawn.

    Parameters
    ----------
    parts : mapping of str to DataFrame
        Rows of Figs 3, 4, 6 and 7 by the name of their data and ensembles; a pair of panels each.
    width : float
        Inches.
    """
    drawn = {name: rows for name, rows in parts.items() if rows["final_size"].notna().any()}
    if not drawn:  # no region has a point
        return nothing(NO_RESULT, width)
    n = len(METHODS) * len(drawn)
    fig, axes = panels(n, min(n, 2 * len(METHODS)), width, 1.8, 1.6)
    betas = sorted({beta for rows in drawn.values() for beta in rows["beta"]})
    for place, (name, every) in enumerate(drawn.items()):
        rows = every[every["n_learners"] == every["n_learners"].max()]
        pair = axes[len(METHODS) * place :][: len(METHODS)]
        for ax, method in zip(pair, METHODS, strict=True):
            for i, beta in enumerate(betas):
                _region(ax, rows[(rows["method"] == method) & (rows["beta"] == beta)], beta, series_style(i))
            ax.set(title=f"{name},\n{method}", ylim=(0, 1.1 * rows["final_size"].max()))
            ax.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    fig.supxlabel(ALPHA_LABEL)
    fig.supylabel("trees in the final ensemble")
    legend_above(fig, len(betas), 2)
    return fig


def _region(ax: Axes, runs: pd.DataFrame, beta: float, style: dict[str, Any]) -> None:
    groups = runs.dropna(subset="final_size").groupby("alpha")
    means = groups[["final_size", "certified"]].agg({"final_size": "mean", "certified": "min"})
    ax.plot(means.index, means["final_size"], color=style["color"], marker="", linewidth=1.2)
    sure = means["certified"] == 1
    looks: list[tuple[pd.Series, dict[str, Any]]] = [
        (sure, {"label": f"β = {beta:g}"}),
        (~sure, {"markerfacecolor": HOLLOW}),
    ]
    for chosen, look in looks:
        spots = means[chosen]
        ax.plot(spots.index, spots["final_size"], linestyle="none", **style, **look)
