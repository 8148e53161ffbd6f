"""Figures of the Boolean-rules chapter's third notebook: proofs, engines, the toolkit, growth; each takes its width."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from compactml.chapters.boolean_rules.trials.engines import ENGINES
from compactml.study.page.axes import label_rows, plain_log
from compactml.study.page.panels import legend_above
from compactml.study.page.style import SOFT, series_style

__all__ = ["engines", "growth", "optima", "toolkit"]

UNFINISHED = "none"
"""Fill of a marker that stands for a run stopped at its limit."""
ROW = 0.23
"""Inches of a row."""


def optima(table: pd.DataFrame, width: float) -> Figure:
    """Seconds of each training problem: filled where it is proved optimal, open with the gap that is left.

    Parameters
    ----------
    table : DataFrame
        Columns ``dataset``, ``C``, ``gap``, ``proved`` and ``seconds``.
    width : float
        Inches.
    """
    labels = [f"{name}, C = {bound}" for name, bound in zip(table["dataset"], table["C"], strict=True)]
    fig, ax = plt.subplots(figsize=(width, 1.1 + ROW * len(labels)), layout="constrained")
    style = series_style(0)
    for fill, proved, label in ((style["color"], 1, "proved optimal"), (UNFINISHED, 0, "a gap is left")):
        places = np.flatnonzero(table["proved"] == proved)
        if len(places):
            seconds = table["seconds"].iloc[places]
            ax.plot(seconds, places, linestyle="", markerfacecolor=fill, label=label, **style)
    for place in np.flatnonzero(table["proved"] != 1):
        row = table.iloc[place]
        ax.annotate(
            f"{100 * row['gap']:.1f} %", (row["seconds"], place), xytext=(-7, 0), textcoords="offset points",
            ha="right", va="center",
        )  # fmt: skip
    plain_log(ax, "x")
    label_rows(ax, labels)
    ax.set_xlabel("seconds")
    legend_above(fig, 2)
    return fig


def engines(table: pd.DataFrame, width: float) -> Figure:
    """Draw the seconds of each engine by pricing problem.

    An open marker is a run that ended at the limit without a proof.

    Parameters
    ----------
    table : DataFrame
        Columns ``dataset``, ``C``, ``method``, ``finished`` and ``seconds`` (missing where the model was too large).
    width : float
        Inches.
    """
    tasks = table[["dataset", "C"]].drop_duplicates().itertuples(index=False)
    labels = {(name, c): f"{name}, C = {c}" for name, c in tasks}
    fig, ax = plt.subplots(figsize=(width, 1.2 + 0.32 * len(labels)), layout="constrained")
    for i, method in enumerate(ENGINES):
        timed = table[(table["method"] == method) & table["seconds"].notna()]
        if timed.empty:
            continue
        style = series_style(i)
        places = [list(labels).index(key) for key in zip(timed["dataset"], timed["C"], strict=True)]
        for seconds, place, finished in zip(timed["seconds"], places, timed["finished"], strict=True):
            fill = style["color"] if finished else UNFINISHED
            ax.plot(seconds, place, linestyle="", markersize=7, markerfacecolor=fill, **style)
        ax.plot([], [], linestyle="", label=method, **style)
    label_rows(ax, list(labels.values()))
    plain_log(ax, "x")
    ax.set_xlabel("seconds for one exact pricing")
    legend_above(fig, 5, 2)
    return fig


def toolkit(pairs: pd.DataFrame, width: float) -> Figure:
    """Draw the seconds of AIX360 and of our search, a marker a run, by whose loss is smaller.

    Parameters
    ----------
    pairs : DataFrame
        Columns ``aix360_loss``, ``our_loss``, ``aix360_seconds`` and ``our_seconds``.
    width : float
        Inches.
    """
    fig, ax = plt.subplots(figsize=(width, 3.4), layout="constrained")
    ours, theirs = pairs["our_loss"].astype(float), pairs["aix360_loss"].astype(float)
    outcomes = {
        "our loss is smaller": ours < theirs,
        "equal": ours == theirs,
        "ours is larger": ours > theirs,
    }
    for i, (label, chosen) in enumerate(outcomes.items()):
        rows = pairs[chosen.to_numpy(dtype=bool)]
        if len(rows):
            ax.plot(rows["aix360_seconds"], rows["our_seconds"], linestyle="", label=label, **series_style(i))
    both = pairs[["aix360_seconds", "our_seconds"]].to_numpy(dtype=float)
    if len(both):
        ends = [np.nanmin(both), np.nanmax(both)]
        ax.plot(ends, ends, color=SOFT, linestyle="--", marker="", label="equal time")
    plain_log(ax, "x", "y")
    ax.set(xlabel="seconds of AIX360", ylabel="seconds of our search")
    legend_above(fig, 4)
    return fig


def growth(table: pd.DataFrame, width: float) -> Figure:
    """Draw the seconds of a beam search, of exact pricing and of learning by the number of rows.

    A line of slope 1 stands beside them.

    Parameters
    ----------
    table : DataFrame
        Columns ``n``, ``beam``, ``exact_2``, ``exact_3`` and ``learn``.
    width : float
        Inches.
    """
    fig, ax = plt.subplots(figsize=(width, 3.6), layout="constrained")
    names = {
        "beam": "beam search",
        "exact_2": "exact, up to 2 literals",
        "exact_3": "exact, up to 3 literals",
        "learn": "learning, as far as it went",
    }
    for i, (column, label) in enumerate(names.items()):
        measured = table.dropna(subset=[column])
        if not measured.empty:
            ax.plot(measured["n"], measured[column], label=label, **series_style(i))
    n = np.array([table["n"].min(), table["n"].max()], dtype=float)
    last = table.sort_values("n")["exact_2"].iloc[-1]
    ax.plot(n, last * n / n[1], color=SOFT, linestyle="--", marker="", label="in proportion to the rows")
    plain_log(ax, "x", "y")
    ax.set(xlabel="rows", ylabel="seconds")
    legend_above(fig, 3)
    return fig
