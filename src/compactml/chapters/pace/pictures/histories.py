"""Figs 10 and 11 of the paper: how the generation phase goes on, learner by learner."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from compactml.chapters.pace.figures import NO_RESULT, initial_settings
from compactml.chapters.pace.rows import setting_text
from compactml.study.page.panels import legend_above, nothing, panels
from compactml.study.page.style import FRAME, series_style

__all__ = ["HISTORY", "PANELS", "histories", "history_rows"]

HISTORY = ("generated", "reduced_cost", "lp_value", "n_solved", "n_samples")
PANELS = {
    "reduced_cost": "reduced cost r",
    "lp_value": "value of (P1)",
    "n_solved": "problems solved",
    "n_samples": "samples found",
}
"""Panels of Figs 10 and 11."""
MARKERS = 12
"""On a line: a run may have hundreds of points."""


def history_rows(rows: pd.DataFrame) -> pd.DataFrame:
    """The records of the generation phase: a row for each generated learner.

    Returns
    -------
    DataFrame
        Columns ``n_learners``, ``depth``, ``seed``, ``method`` (the pricing) and those of `HISTORY`.
    """
    keys = ["n_learners", "depth", "seed", "method"]
    records = [
        {name: row[name] for name in keys} | dict(zip(HISTORY, step, strict=True))
        for row in rows.to_dict("records")
        if isinstance(row["steps"], str)
        for step in json.loads(row["steps"])
    ]
    return pd.DataFrame(records, columns=[*keys, *HISTORY])


def histories(parts: Mapping[str, pd.DataFrame], pricing: str, width: float) -> Figure:
    """Draw reduced cost, value of (P1), separation problems and samples by the number of generated learners.

    Parameters
    ----------
    parts : mapping of str to DataFrame
        Rows with ``steps``, by the name of the ensembles; the first repetition is drawn.
    pricing : {"cart", "exact"}
    width : float
        Inches.
    """
    steps = {name: history_rows(rows) for name, rows in parts.items()}
    drawn = {name: part[part["method"] == pricing] for name, part in steps.items() if len(part)}
    settings = sorted(
        {setting for part in drawn.values() for setting in initial_settings(part)}, key=lambda s: s[::-1]
    )
    if not settings:
        return nothing(NO_RESULT, width)
    fig, axes = panels(len(drawn) * len(PANELS), len(PANELS), width, 1.8, 1.6)
    places = [(name, measure) for name in drawn for measure in PANELS]
    for ax, (name, measure) in zip(axes, places, strict=True):
        part = drawn[name]
        first = part[part["seed"] == part["seed"].min()]
        for i, (n, depth) in enumerate(settings):
            run = first[(first["n_learners"] == n) & (first["depth"] == depth)]
            style = series_style(i) | {
                "markersize": 3,
                "linewidth": 1,
                "markevery": max(1, len(run) // MARKERS),
            }
            ax.plot(run["generated"], run[measure].astype(float), label=setting_text(n, depth), **style)
        ax.set(title=f"{name}:\n{PANELS[measure]}", xlim=(-0.5, None))
        ax.xaxis.set_major_locator(MaxNLocator(4, integer=True))
        if measure == "reduced_cost":
            ax.axhline(0, color=FRAME, linewidth=1, marker="")
        elif measure != "lp_value":
            ax.set_ylim(0, None)
    fig.supxlabel("generated trees")
    legend_above(fig, len(settings), 2)
    return fig
