"""Figures of the condition-sharing chapter, the paper's and ours."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.ticker import NullFormatter

from compactml.chapters.condition_sharing.curves import K_MEANS, pareto
from compactml.chapters.condition_sharing.trials.paper import BAGGED, LEARNERS
from compactml.condition_sharing import Intervals, SharedEnsemble
from compactml.forests import fitted_trees
from compactml.study.page.style import MARKERS, PALETTE, series_style

METHODS = {"sigma": "samples (sigma)", "c": "intervals (c)", "Lloyd": "k-means (random starts)"}


def figure_1(forest: Any, shared: SharedEnsemble, X: np.ndarray) -> Figure:
    """Fig 1: the plane with every threshold before and after sharing, and the intervals that allow it."""
    assert shared.intervals_ is not None
    fig, axes = plt.subplots(1, 3, figsize=(10, 3.4), layout="constrained")
    for ax, model, title in zip(axes, (forest, shared.ensemble_), ("before", "after"), strict=False):
        _plane(ax, model, X)
        count = shared.n_conditions_before_ if title == "before" else shared.n_conditions_after_
        ax.set_title(f"{title} sharing: {count} conditions")
    _intervals(axes[2], shared.intervals_, shared)
    return fig


def _plane(ax: Axes, model: Any, X: np.ndarray) -> None:
    """The vectors and the thresholds of both trees as lines across the plane."""
    for t, tree in enumerate(fitted_trees(model)):
        for node in np.flatnonzero(tree.feature >= 0):
            line = ax.axvline if tree.feature[node] == 0 else ax.axhline
            line(tree.threshold[node], color=PALETTE[t], linestyle=("-", "--")[t], label=f"tree {t + 1}")
    ax.plot(*X.T, "o", color="black")
    for x in X:
        ax.annotate(f"({x[0]:.0f}, {x[1]:.0f})", x, textcoords="offset points", xytext=(4, 4), fontsize=8)
    handles = dict(zip(*reversed(ax.get_legend_handles_labels()), strict=True))
    ax.legend(handles.values(), handles.keys(), loc="lower right", fontsize=8)
    ax.set(xlim=(0, 9.5), ylim=(0, 9.5), xlabel="feature $x_1$", ylabel="feature $x_2$", aspect="equal")


def _intervals(ax: Axes, intervals: Intervals, shared: SharedEnsemble) -> None:
    """Each node's interval as a bar and the threshold of its group as a vertical mark."""
    trees = fitted_trees(shared.ensemble_)
    order = np.lexsort((intervals.tree, intervals.feature))
    labels = []
    for y, j in enumerate(order[::-1]):
        tree, node, feature = intervals.tree[j], intervals.node[j], intervals.feature[j]
        ax.hlines(y, intervals.lower[j], intervals.upper[j], linewidth=6, alpha=0.5, color=PALETTE[tree])
        ax.plot(trees[tree].threshold[node], y, "|", markersize=18, markeredgewidth=2, color="black")
        ax.plot(intervals.threshold[j], y, "x", color=PALETTE[tree])
        labels.append(f"$x_{feature + 1}$, tree {tree + 1}")
    ax.set_yticks(range(len(labels)), labels)
    ax.set(xlim=(0, 9.5), xlabel="threshold", title="intervals, old (x) and shared (|)")
    ax.margins(y=0.2)


def box_pairs(
    published: pd.DataFrame, ours: pd.DataFrame, measures: dict[str, str], learners: Sequence[str]
) -> Figure:
    """Figs 2 and 3: box plots per learner, print beside ours, whiskers of 1.5 interquartile ranges."""
    fig, axes = plt.subplots(1, len(measures), figsize=(4.8 * len(measures), 3.8), layout="constrained")
    sources = [("printed, 21 datasets", published), (f"ours, {ours['dataset'].nunique()} datasets", ours)]
    for ax, (measure, label) in zip(axes, measures.items(), strict=True):
        for s, (name, table) in enumerate(sources):
            chosen = table[table["measure"] == measure]
            columns = [chosen[chosen["learner"] == one]["value"].astype(float).to_numpy() for one in learners]
            boxes = ax.boxplot(
                columns,
                positions=np.arange(len(learners)) + (s - 0.5) * 0.36,
                widths=0.3,
                whis=1.5,
                patch_artist=True,
                medianprops={"color": "black"},
                flierprops={"marker": MARKERS[s], "markersize": 4},
            )
            for box in boxes["boxes"]:
                box.set(facecolor=PALETTE[s], alpha=0.6)
            ax.plot([], [], "s", color=PALETTE[s], alpha=0.6, label=name)
        ax.set_xticks(range(len(learners)), learners)
        ax.set(ylabel=label)
        ax.grid(axis="y", alpha=0.3)
    axes[0].legend(fontsize=8)
    return fig


def figure_2(published: pd.DataFrame, ours: pd.DataFrame) -> Figure:
    """Fig 2: size and accuracy ratios of the four learners."""
    return box_pairs(published, ours, {"SR": "size ratio SR", "AR": "accuracy ratio AR"}, LEARNERS)


def figure_3(published: pd.DataFrame, ours: pd.DataFrame) -> Figure:
    """Fig 3: ratios with each tree's bootstrap sample over ratios with all training rows."""
    return box_pairs(
        published,
        ours,
        {"SR_tree_over_all": "SR(tree) / SR(all)", "AR_tree_over_all": "AR(tree) / AR(all)"},
        BAGGED,
    )


def _panels(points: pd.DataFrame, names: Sequence[str]) -> tuple[Figure, dict[str, Axes]]:
    """One panel per dataset with its axes set up; only those with points are returned."""
    columns = 3
    rows = math.ceil(len(names) / columns)
    fig, axes = plt.subplots(rows, columns, figsize=(10, 2.7 * rows), layout="constrained", squeeze=False)
    for ax in axes.flat[len(names) :]:
        ax.set_visible(False)
    filled = {}
    for ax, name in zip(axes.flat, names, strict=False):
        ax.set_title(name, fontsize=10)
        if name not in set(points["dataset"]):
            ax.text(0.5, 0.5, "no result here", ha="center", va="center", transform=ax.transAxes)
            ax.set_axis_off()
            continue
        ax.axvline(1, color="grey", linewidth=0.5)
        ax.set_yscale("log")
        ax.yaxis.set_minor_formatter(NullFormatter())
        ax.set(xlabel="accuracy ratio", ylabel="size ratio")
        filled[name] = ax
    return fig, filled


def figure_4(points: pd.DataFrame, names: Sequence[str]) -> Figure:
    """Fig 4: accuracy ratio against size ratio along the levels of the three methods, a panel per dataset."""
    fig, axes = _panels(points, names)
    for name, ax in axes.items():
        for m, (method, label) in enumerate(METHODS.items()):
            chosen = [method] if method in K_MEANS else [method, "sharing"]
            curve = points[(points["dataset"] == name) & points["method"].isin(chosen)].sort_values("level")
            ax.plot(curve["AR"], curve["SR"], **series_style(m), label=label, markersize=4, linewidth=1)
        ax.set_ylim(points["SR"].min() / 1.5, 1.5)
    _legend(axes)
    return fig


def figure_5(points: pd.DataFrame, names: Sequence[str]) -> Figure:
    """Fig 5: the Pareto-optimal predictors with an accuracy ratio above 0.95, a panel per dataset."""
    best = pareto(points)
    fig, axes = _panels(best, names)
    for name, ax in axes.items():
        for m, (method, label) in enumerate({**METHODS, "sharing": "plain sharing"}.items()):
            chosen = best[(best["dataset"] == name) & (best["method"] == method)]
            ax.plot(chosen["AR"], chosen["SR"], **series_style(m), label=label, linestyle="none")
        ax.set(xlim=(0.948, best["AR"].max() + 0.005), ylim=(best["SR"].min() / 1.5, 1.5))
    _legend(axes)
    return fig


def _legend(axes: dict[str, Axes]) -> None:
    """One legend, in the first panel."""
    for ax in list(axes.values())[:1]:
        ax.legend(fontsize=7)


def growth(rows: pd.DataFrame, nodes: pd.DataFrame) -> Figure:
    """Time and memory of sharing against the work of one traversal, with the line of proportional growth."""
    fig, axes = plt.subplots(1, 3, figsize=(11, 3.6), layout="constrained")
    seconds = rows["interval_seconds"] + rows["set_seconds"]
    _loglog(axes[0], rows["n_rows"], seconds, "rows", "seconds")
    seconds = nodes["interval_seconds"] + nodes["set_seconds"]
    _loglog(axes[1], nodes["n_nodes"], seconds, "internal nodes", "seconds")
    _loglog(axes[2], nodes["n_nodes"], nodes["peak_mib"], "internal nodes", "additional memory (MiB)")
    return fig


def _loglog(ax: Axes, x: pd.Series, y: pd.Series, xlabel: str, ylabel: str) -> None:
    ax.loglog(x, y, marker="o", color=PALETTE[0], label="measured")
    ax.loglog(x, y.iloc[-1] * x / x.iloc[-1], "--", color="grey", label="proportional")
    ax.set(xlabel=xlabel, ylabel=ylabel)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_minor_formatter(NullFormatter())
    ax.legend(fontsize=8)


def tradeoff(grids: Mapping[str, pd.DataFrame]) -> Figure:
    """Both relaxations together, a row of panels per dataset: size and accuracy ratio over sigma and c."""
    fig, axes = plt.subplots(
        len(grids), 2, figsize=(9, 3.6 * len(grids)), layout="constrained", squeeze=False
    )
    for row, (dataset, grid) in zip(axes, grids.items(), strict=True):
        for ax, measure, label in zip(row, ("SR", "AR"), ("size ratio", "accuracy ratio"), strict=True):
            image = _grid(ax, grid.pivot_table(index="sigma", columns="c", values=measure))
            ax.set(xlabel="exceptional intervals, c / p", ylabel=r"path change rate $\sigma$")
            ax.set_title(f"{dataset}: {label}")
            fig.colorbar(image, ax=ax, shrink=0.8)
    return fig


def _grid(ax: Axes, table: pd.DataFrame) -> AxesImage:
    """A table as colours with its numbers written in."""
    image = ax.imshow(table, origin="lower", cmap="viridis")
    ax.grid(visible=False)
    box = {"facecolor": "black", "alpha": 0.35, "linewidth": 0, "pad": 1}
    for (i, j), value in np.ndenumerate(table.to_numpy()):
        ax.text(j, i, f"{value:.3f}", ha="center", va="center", fontsize=8, color="white", bbox=box)
    ax.set_xticks(range(table.shape[1]), table.columns)
    ax.set_yticks(range(table.shape[0]), table.index)
    return image
