"""Figures of the ensemble-pruning chapter: the paper's tables beside ours, and what the third notebook measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, MaxNLocator, StrMethodFormatter

from compactml.chapters.ensemble_pruning.beyond import CURVES
from compactml.chapters.ensemble_pruning.printed import printed_gaps
from compactml.chapters.ensemble_pruning.ranks import Comparison, compare_ranks, rank_rows
from compactml.chapters.ensemble_pruning.rows import LABELS, NAMES, OURS, Ranking, dataset_scores
from compactml.study.judging.noise import STANDARD_ERRORS
from compactml.study.page.axes import label_rows
from compactml.study.page.panels import legend_above, nothing, panels
from compactml.study.page.picture import NARROW
from compactml.study.page.style import DOT, RING, SOFT, series_style

__all__ = ["balanced", "curves", "gaps", "generalisation", "rank_comparison", "ranks", "sizes"]

LEAST_GAP = 0.05
"""Percent, half the last digit of Table 3; smaller gaps are drawn there on the logarithmic axis."""
ROW = 0.27
"""Inches of a row."""


def rank_comparison(runs: pd.DataFrame, ranking: Ranking) -> Comparison | None:
    """Friedman's and Nemenyi's tests with datasets as blocks, None for fewer than two datasets.

    Parameters
    ----------
    runs : DataFrame
        Rows of trials.
    ranking : Ranking
    """
    scores = dataset_scores(runs, *ranking)
    return compare_ranks(scores) if len(scores) >= 2 else None


def ranks(comparison: Comparison | None, width: float) -> Figure:
    """Mean ranks, and which of them cannot be told apart."""
    if comparison is None:
        return nothing("two datasets at least are needed", width)
    names = [LABELS.get(str(name), str(name)) for name in comparison.ranks.index]
    return rank_rows(comparison, names, width)


def _rows(axes: Sequence[Axes], names: Sequence[str]) -> None:
    """Name the rows of panels that share them."""
    for ax in axes:
        label_rows(ax, names)
        ax.spines["left"].set_visible(False)


def _pair(ax: Axes, ring: float, dot: float, error: float, y: float) -> None:
    """A published number as a ring, ours as a dot with a bar for its error; what is missing is not drawn."""
    ax.plot([ring], [y], "o", color=RING, fillstyle="none", markersize=9, markeredgewidth=1.3)
    ax.plot([dot - error, dot + error], [y, y], "-", color=DOT, linewidth=1, marker="")
    ax.plot([dot], [y], "o", color=DOT, markersize=4)


RINGS = {
    "published": Line2D([], [], color=RING, marker="o", fillstyle="none", markersize=9, linestyle="none"),
    "ours": Line2D([], [], color=DOT, marker="o", markersize=4, linestyle="none"),
}
"""Handles of a legend."""


def gaps(printed: pd.DataFrame, ours: pd.DataFrame, settings: Mapping[str, str], width: float) -> Figure:
    """Table 3: gaps as published, of the paper's program here and of our method, a panel a configuration.

    Parameters
    ----------
    printed, ours : DataFrame
        Cells: columns ``dataset``, ``method``, ``value``; ours also has the methods of `OURS`.
    settings : mapping of str to str
        The configurations and their titles.
    width : float
        Inches.
    """
    names = list(dict.fromkeys(printed["dataset"]))
    height = 0.7 + ROW * len(names)
    fig, axes = panels(len(settings), len(settings), width, 3.4, height, above=0.7, sharex=True, sharey=True)
    for ax, (method, title) in zip(axes, settings.items(), strict=True):
        sources = {
            "published": (printed, method),
            "the paper's program here": (ours, method),
            "our method": (ours, OURS[method]),
        }
        for i, (label, (cells, name)) in enumerate(sources.items()):
            chosen = cells[cells["method"] == name].set_index("dataset")["value"].astype(float)
            if chosen.empty:
                continue
            style = series_style(i) | ({"fillstyle": "none", "markersize": 9} if i == 0 else {})
            ax.plot(chosen.reindex(names), range(len(names)), linestyle="none", label=label, **style)
        ax.set_title(title, loc="left")
    _rows(axes, names)
    fig.supxlabel("gap (%)")
    legend_above(fig, 3)
    return fig


def balanced(printed: pd.DataFrame, ours: pd.DataFrame, methods: Sequence[str], width: float) -> Figure:
    """Table 5: balanced accuracies, a panel a dataset, a row a method and in it a line a size of the pool.

    Parameters
    ----------
    printed, ours : DataFrame
        Cells: columns ``dataset``, ``K``, ``method``, ``value``, ours also ``std_error``.
    methods : sequence of str
    width : float
        Inches.
    """
    names, pools = (list(dict.fromkeys(printed[key])) for key in ("dataset", "K"))
    inches, height = 1.4 if width > NARROW else 1.8, 0.65 + 1.2 * ROW * len(methods)
    fig, axes = panels(len(names), len(names), width, inches, height, above=0.7, sharey=True)
    key = ["dataset", "K", "method"]
    both = printed.astype({"value": float}).set_index(key)[["value"]].rename(columns={"value": "printed"})
    both = both.join(ours.set_index(key)[["value", "std_error"]].astype(float))
    cells = dict(zip(both.index, both.to_numpy(), strict=True))
    for ax, name in zip(axes, names, strict=True):
        for y, method in enumerate(methods):
            for i, pool in enumerate(pools):
                ring, dot, error = cells[name, pool, method]
                _pair(ax, ring, dot, STANDARD_ERRORS * error, y + 0.44 * (i - (len(pools) - 1) / 2))
        ax.set_title(name, loc="left")
        ax.margins(x=0.2)
        ax.xaxis.set_major_locator(MaxNLocator(3, steps=[1, 2, 5, 10], prune="both"))
    _rows(axes, [LABELS.get(method, method) for method in methods])
    fig.supxlabel("balanced accuracy on the test folds")
    fig.legend(list(RINGS.values()), list(RINGS), loc="outside upper left", ncols=2)
    return fig


def curves(rows: pd.DataFrame, width: float) -> Figure:
    """Mean gap by time limit, a panel per dataset and a line per formulation; the paper's gap of Table 3 is dashed.

    A line begins where every fold has a gap; one below `LEAST_GAP` is drawn there. Of each dataset the largest pool
    is shown.

    Parameters
    ----------
    rows : DataFrame
        Rows of the table "curves".
    width : float
        Inches.
    """
    names = [name for name in NAMES if name in set(rows["dataset"])]
    if not names:
        return nothing("no result here", width)
    legend = 0.8 if width > NARROW else 1.5
    fig, axes = panels(
        len(names), min(len(names), 4), width, 1.8, 2.3, above=legend, sharex=True, sharey=True
    )
    paper = printed_gaps()["F1"]
    for ax, name in zip(axes, names, strict=True):
        own = rows[rows["dataset"] == name]
        largest = own["K"].max()
        _gaps(ax, own[own["K"] == largest], float(paper[name]))
        ax.set_title(f"{name}, K = {largest}")
    fig.supxlabel("time limit (s)")
    fig.supylabel("gap (%)")
    handles = [Line2D([], [], label=label, **series_style(i)) for i, label in enumerate(CURVES.values())]
    handles.append(Line2D([], [], color="black", linestyle="--", marker="", label="the paper's mean, 300 s"))
    fig.legend(handles=handles, loc="outside upper left", ncols=3 if width > NARROW else 1)
    return fig


def _gaps(ax: Axes, rows: pd.DataFrame, paper: float) -> None:
    gaps = rows.assign(gap=100 * rows["gap"].astype(float)).groupby(["method", "time_limit"])["gap"]
    means = gaps.mean().where(gaps.count() == gaps.size())
    for i, name in enumerate(CURVES):
        if name in means.index.get_level_values("method"):
            own = means[name].dropna().sort_index()
            ax.plot(own.index, own.clip(lower=LEAST_GAP), linewidth=1.3, zorder=9 - i, **series_style(i))
    ax.axhline(max(paper, LEAST_GAP), color="black", linestyle="--", linewidth=1, marker="")
    ax.set(xscale="log", yscale="log")
    limits = sorted(rows["time_limit"].unique())
    ax.set_xticks(limits, [f"{limit:g}" for limit in limits])
    ax.minorticks_off()
    ax.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))


def generalisation(table: pd.DataFrame, width: float) -> Figure:
    """Validation and test accuracy of each method, joined by a line.

    Parameters
    ----------
    table : DataFrame
        From `compactml.chapters.ensemble_pruning.beyond.overfitting_table`.
    width : float
        Inches.
    """
    fig, ax = plt.subplots(figsize=(width, 1.2 + ROW * len(table)), layout="constrained")
    places = np.arange(len(table))
    ax.hlines(places, table["test"], table["validation"], color=SOFT, linewidth=1)
    for i, part in enumerate(("validation", "test")):
        ax.plot(table[part], places, linestyle="none", label=part, **series_style(i))
    _rows([ax], list(table["method"]))
    ax.set_xlabel("accuracy (%), mean over cases")
    legend_above(fig, 2, 2)
    return fig


def sizes(rows: pd.DataFrame, methods: Sequence[str], width: float) -> Figure:
    """Number of selected classifiers: a box per method over all runs of the largest pool.

    Parameters
    ----------
    rows : DataFrame
        Rows with ``K``, ``method``, ``n_selected``.
    methods : sequence of str
    width : float
        Inches.
    """
    largest = rows[rows["K"] == rows["K"].max()]
    selected = [
        largest.loc[largest["method"] == method, "n_selected"].astype(float).to_numpy() for method in methods
    ]
    fig, ax = plt.subplots(figsize=(width, 0.8 + ROW * len(methods)), layout="constrained")
    colour = series_style(0)["color"]
    ax.boxplot(
        selected, orientation="horizontal", positions=range(len(methods)), widths=0.6,
        medianprops={"color": series_style(1)["color"], "marker": ""}, boxprops={"color": colour, "marker": ""},
        whiskerprops={"color": colour, "marker": ""}, capprops={"color": colour, "marker": ""},
        flierprops={"marker": ".", "markeredgecolor": colour},
    )  # fmt: skip
    _rows([ax], methods)
    ax.set_xlabel(f"classifiers selected, of {largest['K'].max()}")
    return fig
