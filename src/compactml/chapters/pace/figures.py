"""Figures of the Pace chapter's second notebook: Figs 1 to 11 of the paper, as far as their axes are known."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import FancyBboxPatch
from matplotlib.ticker import LogLocator, MaxNLocator, StrMethodFormatter

from compactml.chapters.pace.rows import geometric, setting_text
from compactml.study.page.style import BACKGROUND, FRAME, INK, PALETTE, series_style

__all__ = [
    "ALPHA_LABEL", "FORMS", "HISTORY", "diagram", "forms", "histories", "history_rows", "nothing", "regions",
]  # fmt: skip

FORMS = {
    "constraint": "constraint (CP-SAT)",
    "objective": "objective (CP-SAT)",
    "both": "both (CP-SAT)",
    "milp": "objective (MILP, HiGHS)",
    "search": "ours: branch and bound",
}
"""Forms of the separation problem and their labels; a form has the same colour in every figure."""
HISTORY = ("generated", "reduced_cost", "lp_value", "n_solved", "n_samples")
PANELS = {
    "reduced_cost": "reduced cost r",
    "lp_value": "value of (P1)",
    "n_solved": "separation problems",
    "n_samples": "separating samples",
}
"""Panels of Figs 10 and 11."""

MARKERS = 12
"""On a line of Figs 10 and 11: a run may have hundreds of points."""
LINES = {"cart": "-", "exact": "--"}
"""Style of a line of Figs 10 and 11 by pricing."""

ALPHA_LABEL = "α (share of the total weight)"

BOXES = {
    "samples": (0.0, 2.0, "samples S of the region\n(at first: training data)"),
    "master": (0.0, 1.0, "linear program (P1)\nweights w, duals u"),
    "separate": (1.25, 1.0, "separation (9)-(13)\nfor each pair of labels"),
    "price": (0.0, 0.0, "pricing (7)\na tree fitted to S, u"),
    "prune": (1.25, 0.0, "integer program (P0)\nfewest learners"),
    "done": (2.7, 1.0, "small ensemble\nand certificate"),
}
ARROWS = (
    ("samples", "master", ""),
    ("master", "separate", "w"),
    ("separate", "samples", "new points"),
    ("separate", "price", "none\nafter (P1)"),
    ("price", "master", "r < 0: a column"),
    ("price", "prune", "r ≥ 0"),
    ("prune", "separate", "w"),
    ("separate", "done", "none\nafter (P0)"),
)
"""Places and texts of Fig 1: our own drawing of the loop."""


def nothing(reason: str = "no result here") -> Figure:
    """An empty figure that says why."""
    fig, ax = plt.subplots(figsize=(6.4, 1.2), layout="constrained")
    ax.text(0.5, 0.5, reason, ha="center", va="center")
    ax.set_axis_off()
    return fig


def diagram() -> Figure:
    """The two phases: weights and separation, new learners, then pruning and separation again."""
    fig, ax = plt.subplots(figsize=(7.0, 3.8), layout="constrained")
    width, height = 0.72, 0.42
    for x, y, text in BOXES.values():
        corner = (x - width / 2, y - height / 2)
        ax.add_patch(
            FancyBboxPatch(
                corner, width, height, boxstyle="round,pad=0.03", facecolor=BACKGROUND, edgecolor=INK
            )
        )
        ax.text(x, y, text, ha="center", va="center", fontsize=8)
    for start, end, text in ARROWS:
        (x0, y0, _), (x1, y1, _) = BOXES[start], BOXES[end]
        far = max(abs(x1 - x0) / (width / 2 + 0.05), abs(y1 - y0) / (height / 2 + 0.05))
        step = np.array([x1 - x0, y1 - y0]) / far
        ax.annotate(
            "", (x1 - step[0], y1 - step[1]), (x0 + step[0], y0 + step[1]),
            arrowprops={"arrowstyle": "->", "color": PALETTE[0], "lw": 1.3},
        )  # fmt: skip
        middle = (x0 + x1) / 2, (y0 + y1) / 2
        ax.text(*middle, text, ha="center", va="center", fontsize=8, backgroundcolor=BACKGROUND)
    ax.set(xlim=(-0.45, 3.15), ylim=(-0.35, 2.35))
    ax.set_axis_off()
    return fig


def _settings(rows: pd.DataFrame) -> list[tuple[int, int]]:
    """Sizes and depths of the initial ensembles, by depth and size."""
    pairs = rows[["n_learners", "depth"]].drop_duplicates().sort_values(["depth", "n_learners"])
    return [(int(n), int(depth)) for n, depth in pairs.itertuples(index=False)]


def forms(rows: pd.DataFrame, measures: Mapping[str, str], shown: Sequence[str]) -> Figure:
    """Draw measures of the loop to global faithfulness, by setting and form of separation, on a logarithmic axis.

    A marker is a dataset, hollow if it was not certified within the limit; a bar is the geometric mean over datasets.

    Parameters
    ----------
    rows : DataFrame
        Rows of Figs 2, 5, 8 or 9.
    measures : mapping of str to str
        A panel each: a column and its label.
    shown : sequence of str
        Forms, of `FORMS`.
    """
    if rows.empty:
        return nothing()
    settings = _settings(rows)
    fig, axes = plt.subplots(1, len(measures), figsize=(6.8, 3.8), layout="constrained", squeeze=False)
    for ax, (measure, label) in zip(axes.flat, measures.items(), strict=True):
        for (i, (n, depth)), name in product(enumerate(settings), shown):
            runs = rows[(rows["n_learners"] == n) & (rows["depth"] == depth) & (rows["method"] == name)]
            place = i + 0.7 * ((shown.index(name) + 0.5) / len(shown) - 0.5)
            _form(ax, place, runs, measure, 0.55 / len(shown), series_style(list(FORMS).index(name)))
        ax.set(ylabel=label, xlabel="N × depth of the initial ensemble")
        _logarithmic(ax)
        ax.set_xticks(range(len(settings)), [setting_text(*one) for one in settings], rotation=30)
    handles = [
        Line2D([], [], linestyle="none", label=FORMS[name], **series_style(list(FORMS).index(name)))
        for name in shown
    ]
    fig.legend(handles=handles, loc="outside upper center", ncols=2)
    return fig


def _logarithmic(ax: Axes) -> None:
    """A logarithmic axis with plain numbers, also where it spans less than a decade."""
    ax.set_yscale("log")
    ax.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    ax.minorticks_off()


def _form(
    ax: Axes, place: float, runs: pd.DataFrame, measure: str, width: float, style: dict[str, Any]
) -> None:
    if runs.empty:
        return
    values = runs.groupby("dataset")[measure].mean().astype(float).clip(lower=1e-3)
    certified = runs.groupby("dataset")["certified"].min() == 1
    for chosen, face in ((certified, style["color"]), (~certified, "none")):
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


def regions(rows: pd.DataFrame) -> Figure:
    """Final size by alpha, a line for each beta, of pruning only and of Pace; hollow where not certified.

    Of initial ensembles of several sizes (several profiles recorded in one table) only the largest is drawn.
    """
    if rows.empty or rows["final_size"].isna().all():  # no region has a point
        return nothing()
    rows = rows[rows["n_learners"] == rows["n_learners"].max()]
    methods = [name for name in ("Pruning only", "Pace") if name in set(rows["method"])]
    fig, axes = plt.subplots(
        1, len(methods), figsize=(6.8, 3.6), layout="constrained", sharey=True, squeeze=False
    )
    betas = sorted(rows["beta"].unique())
    for ax, method in zip(axes.flat, methods, strict=True):
        for i, beta in enumerate(betas):
            own = rows[(rows["method"] == method) & (rows["beta"] == beta)].dropna(subset="final_size")
            means = own.groupby("alpha")[["final_size", "certified"]].agg(
                {"final_size": "mean", "certified": "min"}
            )
            style = series_style(i)
            ax.plot(means.index, means["final_size"], **style)
            open_ones = means[means["certified"] != 1]
            ax.plot(
                open_ones.index,
                open_ones["final_size"],
                linestyle="none",
                markerfacecolor=BACKGROUND,
                **style,
            )
        ax.set(title=method, xlabel=ALPHA_LABEL)
        ax.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes[0, 0].set(ylabel="learners in the final ensemble", ylim=(0, None))  # shared: after both are drawn
    handles = [Line2D([], [], label=f"β = {beta:g}", **series_style(i)) for i, beta in enumerate(betas)]
    (initial,) = _settings(rows)
    title = f"initial ensemble: {setting_text(*initial)}"
    fig.legend(handles=handles, loc="outside upper center", ncols=min(len(betas), 5), title=title)
    return fig


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


def histories(rows: pd.DataFrame) -> Figure:
    """Draw Figs 10 and 11: reduced cost, value of (P1), problems and samples by the number of generated learners.

    Lines with CART as pricing are solid, as in the paper; those with exact pricing are dashed.

    Parameters
    ----------
    rows : DataFrame
        Rows with ``steps``; the first repetition is drawn.
    """
    steps = history_rows(rows)
    if steps.empty:
        return nothing()
    fig, axes = plt.subplots(2, 2, figsize=(6.8, 5.4), layout="constrained", sharex=True)
    steps = steps[steps["seed"] == steps["seed"].min()]
    for (i, (n, depth)), (pricing, line) in product(enumerate(_settings(steps)), LINES.items()):
        run = steps[(steps["n_learners"] == n) & (steps["depth"] == depth) & (steps["method"] == pricing)]
        apart = max(1, len(run) // MARKERS)
        style = series_style(i) | {"linestyle": line, "linewidth": 1, "markersize": 3, "markevery": apart}
        for ax, measure in zip(axes.flat, PANELS, strict=True):
            ax.plot(run["generated"], run[measure].astype(float), **style)
    for ax, label in zip(axes.flat, PANELS.values(), strict=True):
        ax.set_ylabel(label)
    axes[0, 0].axhline(0, color=FRAME, linewidth=1, marker="")
    axes[0, 0].set(ylim=(min(1.05 * steps["reduced_cost"].min(), -0.1), 0.05))
    _logarithmic(axes[0, 1])
    for ax in axes[1]:
        ax.set(
            xlabel="generated learners", xlim=(-0.5, max(steps["generated"].max(), 4) + 0.5), ylim=(0, None)
        )
        ax.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    handles = [
        Line2D([], [], label=setting_text(*one), **series_style(i)) for i, one in enumerate(_settings(steps))
    ]
    fig.legend(handles=handles, loc="outside upper center", ncols=4)
    return fig
