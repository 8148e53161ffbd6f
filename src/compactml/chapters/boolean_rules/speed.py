"""Figures of the boolean-rules chapter's third notebook: engines for pricing side by side, growth with the rows."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from compactml.chapters.boolean_rules.trials.engines import ENGINES
from compactml.study.page.style import series_style

__all__ = ["engines", "growth"]

UNFINISHED = "none"
"""Fill of a marker that stands for a run stopped at its limit."""


def engines(table: pd.DataFrame) -> Figure:
    """Draw the seconds of each engine by pricing problem.

    An open marker is a run that ended at the limit without a proof.

    Parameters
    ----------
    table : DataFrame
        Columns ``dataset``, ``C``, ``method``, ``finished`` and ``seconds`` (missing where the model was too large).
    """
    tasks = table[["dataset", "C"]].drop_duplicates().itertuples(index=False)
    labels = {(name, c): f"{name}, C = {c}" for name, c in tasks}
    fig, ax = plt.subplots(figsize=(6.4, 1.4 + 0.42 * len(labels)), layout="constrained")
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
    ax.set_yticks(range(len(labels)), list(labels.values()))
    ax.set(xscale="log", xlabel="seconds for one exact pricing (open: stopped at the limit)")
    ax.invert_yaxis()
    fig.legend(loc="outside upper center", ncols=3)
    return fig


def growth(table: pd.DataFrame) -> Figure:
    """Draw the seconds of a beam search, of exact pricing and of learning by the number of rows.

    A line of slope 1 stands beside them.

    Parameters
    ----------
    table : DataFrame
        Columns ``n``, ``beam``, ``exact_2``, ``exact_3`` and ``learn``.
    """
    fig, ax = plt.subplots(figsize=(5.6, 4.0), layout="constrained")
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
    ax.plot(n, last * n / n[1], color="#8a8a8a", linestyle="--", marker="", label="proportional to n")
    ax.set(xscale="log", yscale="log", xlabel="rows n", ylabel="seconds")
    fig.legend(loc="outside upper center", ncols=2)
    return fig
