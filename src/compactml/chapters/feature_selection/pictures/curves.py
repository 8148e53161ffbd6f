"""Times, sizes and growth as points: those of the paper beside ours; hollow where a run ended without a proof."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter

from compactml.chapters.feature_selection.beyond import LEAST_SECONDS, OURS, printed_best
from compactml.chapters.feature_selection.claims.common import FEATURES
from compactml.chapters.feature_selection.datasets import MEASURES
from compactml.chapters.feature_selection.pictures.squares import MEASURE_NAMES
from compactml.chapters.feature_selection.printed import EXACT, PARAMETRIC, printed_runs
from compactml.chapters.feature_selection.protocol import SMALL
from compactml.chapters.feature_selection.trials.solving import PROVED
from compactml.study.page.axes import label_rows
from compactml.study.page.panels import legend_above, panels
from compactml.study.page.picture import NARROW
from compactml.study.page.style import series_style
from compactml.study.recording.results import Results

__all__ = ["exact", "growth", "set_sizes", "small_times", "times"]

PLAIN = FuncFormatter(lambda value, _: f"{value:,g}")


def small_times(results: Results, width: float) -> Figure:
    """Seconds of the paper's methods for mRMR on the small datasets, a row a dataset."""
    runs = pd.concat([results.rows("table_2"), results.rows("table_3")])
    runs = runs[runs["method"].isin(EXACT)].drop_duplicates(["dataset", "method"]).dropna(subset=["seconds"])
    place = {name: y for y, name in enumerate(SMALL)}
    fig, ax = plt.subplots(
        figsize=(width, 0.25 * len(SMALL) + (1.0 if width > NARROW else 1.7)), layout="constrained"
    )
    shown = runs[runs["dataset"].isin(SMALL)]
    for i, method in enumerate(EXACT):
        rows = shown[shown["method"] == method]
        shift = 0.12 * (i - (len(EXACT) - 1) / 2)
        seconds, y = rows["seconds"].clip(lower=LEAST_SECONDS), rows["dataset"].map(place) + shift
        _points(ax, seconds, y, rows["outcome"] == PROVED, i, method)
    label_rows(ax, SMALL)
    ax.set_xlabel("seconds")
    ax.spines["left"].set_visible(False)
    _logarithmic(ax, "x")
    legend_above(fig, len(EXACT))
    return fig


def set_sizes(results: Results, width: float) -> Figure:
    """Features of the best set for CFS against those for mRMR, published and ours, a point a dataset."""
    ours = results.recorded("beyond").pivot_table(index="dataset", columns="measure", values="n_selected")
    ours = ours.reindex(columns=[*MEASURES])
    printed = {}
    for measure, table in (("mrmr", "table_6"), ("cfs", "table_7")):
        runs = printed_runs(table)
        printed[measure] = runs[runs["method"] == PARAMETRIC[1]].set_index("dataset")["n_selected"]
    fig, ax = plt.subplots(figsize=(width, 2.7 if width > NARROW else 3.6), layout="constrained")
    for i, (sizes, label) in enumerate(((pd.DataFrame(printed), "published"), (ours, "ours"))):
        style = series_style(i) | ({"fillstyle": "none", "markersize": 8} if i == 0 else {})
        ax.plot(sizes["mrmr"], sizes["cfs"], linestyle="none", label=label, **style)
    ax.axline((1, 1), (10, 10), color="grey", linewidth=1)
    ax.set(xlabel="features of the best set for mRMR", ylabel="features for CFS")
    _logarithmic(ax, "x", "y")
    legend_above(fig)
    return fig


def times(results: Results, width: float) -> Figure:
    """Seconds to the paper's tolerance by number of features, the paper's best run beside ours."""
    ours = results.rows("beyond")
    fig, axes = panels(2, 2, width, 3.4, 2.9, above=0.4)
    for ax, measure in zip(axes, MEASURES, strict=True):
        for i, (label, runs) in enumerate(
            (("paper's best, 4 threads", printed_best()), ("ours, 1 thread", ours))
        ):
            rows = runs[runs["measure"] == measure]
            seconds, done = rows["seconds"].clip(lower=LEAST_SECONDS), rows["proved"].astype(bool)
            _points(ax, rows["dataset"].map(FEATURES), seconds, done, i, label)
        ax.set(xlabel="features", ylabel="seconds", title=MEASURE_NAMES[measure])
        _logarithmic(ax, "x", "y")
    legend_above(fig)
    return fig


def exact(results: Results, width: float) -> Figure:
    """Seconds to the sixth digit against seconds to the paper's tolerance, a point a problem."""
    keys = ["dataset", "measure"]
    rough = results.rows("beyond").set_index(keys)["seconds"]
    fine = results.rows("exact").set_index(keys)
    fig, ax = plt.subplots(figsize=(width, 2.7 if width > NARROW else 3.6), layout="constrained")
    for i, measure in enumerate(MEASURES):
        rows = fine[fine.index.get_level_values("measure") == measure]
        done = rows["proved"] == 1
        _points(ax, rough.reindex(rows.index), rows["seconds"], done, i, MEASURE_NAMES[measure])
    ax.axline((0.01, 0.01), (1, 1), color="grey", linewidth=1)
    ax.set(xlabel="seconds to the paper's tolerance", ylabel="to the sixth digit")
    _logarithmic(ax, "x", "y")
    legend_above(fig)
    return fig


def growth(results: Results, width: float) -> Figure:
    """Seconds by number of features of one dataset for each method; nothing where the model was too large."""
    table = results.rows("growth")
    fig, ax = plt.subplots(figsize=(width, 3.2), layout="constrained")
    for i, (method, runs) in enumerate(table.dropna(subset=["seconds"]).groupby("method", sort=False)):
        ordered = runs.sort_values("p")
        style = series_style(i)
        ax.plot(ordered["p"], ordered["seconds"], linewidth=1.0, color=style["color"], marker="")
        done = ordered["proved"] == 1
        label = "our method" if method == OURS else str(method)
        _points(ax, ordered["p"], ordered["seconds"], done, i, label)
    ax.set(xlabel="features", ylabel="seconds")
    sizes = sorted(set(table["p"]))
    _logarithmic(ax, "x", "y")
    ax.set_xticks(sizes, [f"{size:g}" for size in sizes])
    ax.xaxis.set_minor_formatter(NullFormatter())
    legend_above(fig)
    return fig


def _points(ax: Axes, x: pd.Series, y: pd.Series, done: pd.Series, series: int, label: str) -> None:
    """Points of runs that ended with a proof, and hollow ones of those that did not."""
    style, proved = series_style(series), done.to_numpy()
    left, height = x.to_numpy(), y.to_numpy()
    ax.plot(left[proved], height[proved], linestyle="none", label=label, **style)
    ax.plot(left[~proved], height[~proved], linestyle="none", fillstyle="none", **style)


def _logarithmic(ax: Axes, *axes: str) -> None:
    """Logarithmic axes with plain numbers; linear ones where nothing is drawn."""
    if not np.isfinite(ax.dataLim.get_points()).all():
        return
    for name in axes:
        axis = ax.xaxis if name == "x" else ax.yaxis
        (ax.set_xscale if name == "x" else ax.set_yscale)("log")
        axis.set_major_formatter(PLAIN)
        axis.set_minor_formatter(NullFormatter())
