"""Figures of the condition-sharing chapter, the paper's and ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.ticker import NullFormatter, PercentFormatter

from compactml.chapters.condition_sharing.curves import K_MEANS, pareto
from compactml.chapters.condition_sharing.trials.paper import BAGGED, LEARNERS
from compactml.condition_sharing import Intervals, SharedEnsemble
from compactml.forests import fitted_trees
from compactml.study.page.panels import legend_above, panels
from compactml.study.page.style import MARKERS, PALETTE, series_style

METHODS = {"sigma": "samples (sigma)", "c": "intervals (c)", "Lloyd": "k-means"}


def figure_1(forest: Any, shared: SharedEnsemble, X: np.ndarray, width: float) -> Figure:
    """Fig 1: the plane with every threshold before and after sharing, and the intervals that allow it."""
    assert shared.intervals_ is not None
    fig, axes = panels(3, 3, width, 2.4, 3.0)
    for ax, model, title in zip(axes, (forest, shared.ensemble_), ("before", "after"), strict=False):
        _plane(ax, model, X)
        count = shared.n_conditions_before_ if title == "before" else shared.n_conditions_after_
        ax.set_title(f"{title}: {count} conditions")
    _intervals(axes[2], shared.intervals_, shared)
    legend_above(fig, narrow=2)
    return fig


def _plane(ax: Axes, model: Any, X: np.ndarray) -> None:
    """The vectors and the thresholds of both trees as lines across the plane."""
    for t, tree in enumerate(fitted_trees(model)):
        for node in np.flatnonzero(tree.feature >= 0):
            line = ax.axvline if tree.feature[node] == 0 else ax.axhline
            line(tree.threshold[node], color=PALETTE[t], linestyle=("-", "--")[t], label=f"tree {t + 1}")
    ax.plot(*X.T, "o", color="black", label="given vector")
    ax.set(xlim=(0, 9.5), ylim=(0, 9.5), xlabel="feature $x_1$", ylabel="feature $x_2$", aspect="equal")


def _intervals(ax: Axes, intervals: Intervals, shared: SharedEnsemble) -> None:
    """Each node's interval as a bar, its old threshold as a cross and the threshold of its group as a vertical mark."""
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
    ax.set(xlim=(0, 9.5), xlabel="threshold", title="each node's interval")
    ax.margins(y=0.2)


def box_pairs(
    published: pd.DataFrame,
    ours: pd.DataFrame,
    measures: dict[str, str],
    learners: Sequence[str],
    width: float,
) -> Figure:
    """Figs 2 and 3: box plots per learner, published beside ours over the same datasets, whiskers of 1.5 ranges."""
    fig, axes = panels(len(measures), 2, width, 3.4, 2.5)
    same = published[published["dataset"].isin(set(ours["dataset"]))]
    sources = [("published", same), ("ours", ours)]
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
        ax.grid(axis="x", visible=False)
    legend_above(fig, narrow=2)
    return fig


def figure_2(published: pd.DataFrame, ours: pd.DataFrame, width: float) -> Figure:
    """Fig 2: size and accuracy ratios of the four learners."""
    measures = {"SR": "conditions, after / before", "AR": "accuracy, after / before"}
    return box_pairs(published, ours, measures, LEARNERS, width)


def figure_3(published: pd.DataFrame, ours: pd.DataFrame, width: float) -> Figure:
    """Fig 3: ratios with each tree's bootstrap sample over ratios with all training rows."""
    return box_pairs(
        published,
        ours,
        {
            "SR_tree_over_all": "conditions, bootstrap / all rows",
            "AR_tree_over_all": "accuracy, bootstrap / all rows",
        },
        BAGGED,
        width,
    )


def _panels(points: pd.DataFrame, width: float) -> tuple[Figure, dict[str, Axes]]:
    """One panel per dataset that has points, with its axes set up."""
    names = list(dict.fromkeys(points["dataset"]))
    fig, axes = panels(max(1, len(names)), 5, width, 1.45, 1.65, sharey=True)
    if not names:
        axes[0].text(0.5, 0.5, "not yet run", ha="center", va="center", transform=axes[0].transAxes)
        axes[0].set_axis_off()
    for ax, name in zip(axes, names, strict=False):
        ax.set_title(name)
        ax.axvline(1, color="grey", linewidth=0.5)
        ax.set_yscale("log")
        ax.yaxis.set_minor_formatter(NullFormatter())
        ax.yaxis.set_major_formatter(PercentFormatter(1.0, None))
    fig.supxlabel("accuracy, after / before")
    fig.supylabel("conditions, after / before")
    return fig, dict(zip(names, axes, strict=False))


def figure_4(points: pd.DataFrame, width: float) -> Figure:
    """Fig 4: accuracy ratio against size ratio along the levels of the three methods, a panel per dataset."""
    fig, axes = _panels(points, width)
    for name, ax in axes.items():
        for m, (method, label) in enumerate(METHODS.items()):
            chosen = [method] if method in K_MEANS else [method, "sharing"]
            curve = points[(points["dataset"] == name) & points["method"].isin(chosen)].sort_values("level")
            ax.plot(curve["AR"], curve["SR"], **series_style(m), label=label, markersize=4, linewidth=1)
        ax.set_ylim(points["SR"].min() / 1.5, 1.5)
    if axes:
        legend_above(fig, narrow=2)
    return fig


def figure_5(points: pd.DataFrame, width: float) -> Figure:
    """Fig 5: the Pareto-optimal predictors with an accuracy ratio above 0.95, a panel per dataset."""
    best = pareto(points)
    fig, axes = _panels(best, width)
    for name, ax in axes.items():
        for m, (method, label) in enumerate({**METHODS, "sharing": "plain sharing"}.items()):
            chosen = best[(best["dataset"] == name) & (best["method"] == method)]
            ax.plot(chosen["AR"], chosen["SR"], **series_style(m), label=label, linestyle="none")
        ax.set(xlim=(0.948, best["AR"].max() + 0.005), ylim=(best["SR"].min() / 1.5, 1.5))
    if axes:
        legend_above(fig, narrow=2)
    return fig


def growth(rows: pd.DataFrame, nodes: pd.DataFrame, width: float) -> Figure:
    """Time and memory of sharing against the work of one traversal, with the line of proportional growth."""
    fig, axes = panels(3, 3, width, 2.4, 2.7)
    seconds = rows["interval_seconds"] + rows["set_seconds"]
    _loglog(axes[0], rows["n_rows"], seconds, "rows", "seconds")
    seconds = nodes["interval_seconds"] + nodes["set_seconds"]
    _loglog(axes[1], nodes["n_nodes"], seconds, "internal nodes", "seconds")
    _loglog(axes[2], nodes["n_nodes"], nodes["peak_mib"], "internal nodes", "additional memory (MiB)")
    legend_above(fig, narrow=2)
    return fig


def _loglog(ax: Axes, x: pd.Series, y: pd.Series, xlabel: str, ylabel: str) -> None:
    ax.loglog(x, y, marker="o", color=PALETTE[0], label="measured")
    ax.loglog(x, y.iloc[-1] * x / x.iloc[-1], "--", color="grey", label="proportional")
    ax.set(xlabel=xlabel, ylabel=ylabel)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_minor_formatter(NullFormatter())


def search(rows: pd.DataFrame, width: float) -> Figure:
    """Seconds of our search and of the paper's dynamic program against the number of intervals."""
    fig, ax = plt.subplots(figsize=(width, 2.7), layout="constrained")
    for i, (column, label) in enumerate({"seconds_dynamic": "dynamic program", "seconds": "search"}.items()):
        ax.loglog(rows["p"], rows[column], **series_style(i), label=label)
    ax.set_xticks(rows["p"], [f"{p:,}" for p in rows["p"]])
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.set(xlabel="intervals, half of which may be missed", ylabel="seconds")
    legend_above(fig, narrow=2)
    return fig


def tradeoff(grids: Mapping[str, pd.DataFrame], width: float) -> Figure:
    """Both relaxations together, two panels per dataset: size and accuracy ratio over sigma and c."""
    fig, axes = panels(2 * len(grids), 2, width, 3.4, 3.0)
    for i, (dataset, grid) in enumerate(grids.items()):
        for ax, measure, label in zip(
            axes[2 * i :], ("SR", "AR"), ("size ratio", "accuracy ratio"), strict=False
        ):
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
