"""Tables and figures of the Pace chapter's first notebook: ensembles small enough to look at every cell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from compactml.forests import SplitGrid, TreeArrays, average_path_length
from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.model.enumerating import all_cells
from compactml.pace.model.learners import Learner
from compactml.pace.model.region import Region, length_threshold
from compactml.pace.model.setting import Setting
from compactml.pace.separation.separator import Separator
from compactml.study.page.style import MARKERS, PALETTE

__all__ = [
    "cells_of", "certificate_table", "path_lengths", "regions_picture", "reweighted", "separated",
    "separation_table", "stump", "stumps", "thresholds", "votes_picture", "voting", "where",
]  # fmt: skip

VOTES = ("#cfe0ea", "#f1d3bd")
"""Backgrounds of votes for class 0 and 1: light shades of the first two colours of the palette."""
FRAME, OUTSIDE = "#000000", "#e4e1da"


def stumps(levels: Sequence[float]) -> tuple[SplitGrid, IntegerEnsemble]:
    """Stumps on one feature with weight 1, each of which votes for class 1 iff x is above its level.

    Returns
    -------
    SplitGrid, IntegerEnsemble
    """
    return voting([stump(level) for level in levels], 1)


def voting(trees: Sequence[TreeArrays], n_features: int) -> tuple[SplitGrid, IntegerEnsemble]:
    """Trees whose leaves vote, with weight 1 each, as an ensemble of two classes on its grid."""
    grid = SplitGrid.from_trees(trees, n_features)
    learners = (Learner.on_grid(tree, grid, tree.scores.astype(np.int64), k) for k, tree in enumerate(trees))
    return grid, IntegerEnsemble(tuple(learners), np.ones(len(trees), dtype=np.int64), 2)


def stump(level: float, feature: int = 0, votes: tuple[int, int] = (0, 1)) -> TreeArrays:
    """A stump: its votes up to a level of a feature, and above it."""
    return TreeArrays(
        np.array([feature, -1, -1], dtype=np.int32),
        np.array([level, 0.0, 0.0]),
        np.array([1, -1, -1], dtype=np.int32),
        np.array([2, -1, -1], dtype=np.int32),
        np.vstack([np.zeros(2), np.eye(2)[list(votes)]]),
    )


def reweighted(ensemble: IntegerEnsemble, weights: Sequence[int]) -> IntegerEnsemble:
    """The same learners with other weights."""
    return IntegerEnsemble(
        ensemble.learners, np.array(weights, dtype=np.int64), ensemble.n_classes, ensemble.scale
    )


def cells_of(grid: SplitGrid) -> NDArray[np.int32]:
    """Codes of all cells; for grids small enough to draw."""
    return np.concatenate(list(all_cells(grid.sizes)))


def where(grid: SplitGrid, code: int, feature: int = 0) -> str:
    """A cell of one feature as an interval: "(0.5, 1.5]"."""
    ends = [f"{level:g}" for level in grid.levels[feature]]
    low, high = (["-∞", *ends][code], [*ends, "∞"][code])
    return f"({low}, {high}{')' if high == '∞' else ']'}"


def separated(region: Region, current: IntegerEnsemble, codes: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Which cells of the region separate, by evaluation: a rival of the initial label does at least as well."""
    margins = current.margins(codes, region.labels(codes)).min(axis=1)
    return region.contains(codes) & (margins <= 0)


def votes_picture(
    grid: SplitGrid, initial: IntegerEnsemble, kept: Mapping[str, Sequence[int]], least_margin: int = 1
) -> Figure:
    """Draw votes of stumps over the cells of a line, and score differences of ensembles of them below.

    Parameters
    ----------
    grid : SplitGrid
        Of one feature.
    initial : IntegerEnsemble
        Stumps, as `stumps` makes them.
    kept : mapping of str to sequence of int
        Names of further ensembles and their weights; the cells that separate them from ``initial`` are framed.
    least_margin : int
        Of the region.
    """
    codes, region = cells_of(grid), Region(initial, least_margin)
    rows = [
        (f"stump at {grid.levels[0][k]:g}", learner.scores_of(codes))
        for k, learner in enumerate(initial.learners)
    ]
    ensembles = {"all, weights 1": initial} | {name: reweighted(initial, w) for name, w in kept.items()}
    fig, ax = plt.subplots(figsize=(6.4, 0.9 + 0.4 * (len(rows) + len(ensembles))), layout="constrained")
    for i, (_, scores) in enumerate(rows):
        _strip(ax, i, scores[:, 1] - scores[:, 0], [str(label) for label in scores.argmax(axis=1)])
    for i, current in enumerate(ensembles.values(), start=len(rows)):
        scores = current.scores(codes)
        difference = scores[:, 1] - scores[:, 0]
        _strip(ax, i + 0.4, difference, [f"{votes:+d}" if votes else "0" for votes in difference])
        for x in np.flatnonzero(separated(region, current, codes)):
            ax.add_patch(Rectangle((x + 0.02, i + 0.44), 0.96, 0.82, fill=False, edgecolor=FRAME, lw=2))
    places = [i + 0.45 for i in range(len(rows))] + [i + len(rows) + 0.85 for i in range(len(ensembles))]
    ax.set_yticks(places, [*(name for name, _ in rows), *ensembles])
    ax.set_xticks(np.arange(len(codes)) + 0.5, [where(grid, int(code)) for code in codes[:, 0]])
    ax.set(xlim=(0, len(codes)), ylim=(len(rows) + len(ensembles) + 0.4, 0), xlabel="x")
    ax.tick_params(length=0)
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.grid(visible=False)
    return fig


def _strip(ax: Axes, y: float, difference: NDArray[np.int64], texts: Iterable[str]) -> None:
    for x, (value, text) in enumerate(zip(difference, texts, strict=True)):
        color = OUTSIDE if value == 0 else VOTES[int(value > 0)]
        ax.add_patch(Rectangle((x + 0.02, y + 0.04), 0.96, 0.82, color=color, lw=0))
        ax.text(x + 0.5, y + 0.45, text, ha="center", va="center", fontsize=9)


def separation_table(
    grid: SplitGrid,
    initial: IntegerEnsemble,
    kept: Mapping[str, Sequence[int]],
    least_margins: Sequence[int],
    form: str = "constraint",
) -> pd.DataFrame:
    """Return what the separation program answers for every ensemble, least margin and ordered pair of labels.

    Returns
    -------
    DataFrame
        Columns ``kept``, ``alpha`` (least margin over the total weight), one column for each pair, and ``by hand``:
        the number of separating cells by evaluation of all cells.
    """
    codes, rows = cells_of(grid), []
    for name, weights in kept.items():
        current = reweighted(initial, weights)
        for least in least_margins:
            region = Region(initial, least)
            separation = Separator(grid, region, form=form).separate(current)
            labels = region.labels(separation.points)
            answers = {
                f"{pair[0]} → {pair[1]}": "proved: none" if state is True
                else ", ".join(where(grid, int(code)) for code in separation.points[labels == pair[0], 0])
                for pair, state in separation.proved.items()
            }  # fmt: skip
            by_hand = int(separated(region, current, codes).sum())
            rows.append({"kept": name, "alpha": f"{least}/{initial.total}", **answers, "by hand": by_hand})
    return pd.DataFrame(rows)


def path_lengths(sizes: Sequence[int]) -> pd.DataFrame:
    """c(n) of (21), and what its first line alone would give.

    Returns
    -------
    DataFrame
        Columns ``n``, ``c(n)``, ``first line of (21)``.
    """
    n = np.array(sizes, dtype=np.float64)
    logarithms = np.log(np.maximum(n - 1, 1))
    formula = np.where(n > 1, 2 * (logarithms + np.euler_gamma) - 2 * (n - 1) / n, np.nan)
    return pd.DataFrame({"n": list(sizes), "c(n)": average_path_length(n), "first line of (21)": formula})


def thresholds(cases: Sequence[tuple[int, int, float]]) -> pd.DataFrame:
    """Threshold beta of (23) for a number of trees, their subsample and a limit tau of the anomaly score (22).

    Returns
    -------
    DataFrame
        Columns ``trees``, ``samples per tree``, ``tau``, ``beta``.
    """
    rows = [(*case, length_threshold(case[2], case[0], case[1])) for case in cases]
    return pd.DataFrame(rows, columns=["trees", "samples per tree", "tau", "beta"])


def certificate_table(proved: Mapping[tuple[Any, Any], Any], names: Sequence[str]) -> pd.DataFrame:
    """The state of each ordered pair of labels, as a matrix: initial label by row, other label by column."""
    frame = pd.DataFrame("", index=list(names), columns=list(names))
    for (label, other), state in proved.items():
        words = {True: "proved", False: "separated"}
        frame.loc[names[label], names[other]] = words.get(state, "unknown")
    return frame.rename_axis("initial label")


def regions_picture(
    settings: Sequence[Setting], X: NDArray[np.float64], y: NDArray[np.int64], names: Sequence[str]
) -> Figure:
    """Regions of an ensemble on two features, a panel each: cells inside in the colour of their label, others grey.

    Parameters
    ----------
    settings : sequence of Setting
        Of one ensemble; alpha and beta are their titles.
    X : ndarray, shape (n, 2)
        Training samples, marked by their class.
    y : ndarray of int, shape (n,)
    names : sequence of str
        Of the two features.
    """
    fig, axes = plt.subplots(
        2, (len(settings) + 1) // 2, figsize=(6.8, 6.0), layout="constrained", sharex=True, sharey=True
    )
    colours = ListedColormap(np.array([to_rgb(OUTSIDE), *map(_pale, PALETTE[: int(y.max()) + 1])]))
    for ax, setting in zip(axes.flat, settings, strict=True):
        codes = cells_of(setting.grid)
        inside = setting.region.contains(codes)
        shade = np.where(inside, 1 + setting.region.labels(codes), 0).reshape(setting.grid.sizes)
        edges = [_edges(setting.grid, X, j) for j in range(2)]
        ax.pcolormesh(*edges, shade.T, cmap=colours, vmin=-0.5, vmax=colours.N - 0.5)
        for label in range(int(y.max()) + 1):
            own = X[y == label]
            ax.plot(
                own[:, 0], own[:, 1], linestyle="none", markersize=2.5, marker=MARKERS[label],
                color=PALETTE[label], alpha=0.7,
            )  # fmt: skip
        ax.set_title(
            f"α = {setting.alpha:g}, β = {setting.beta:g}: {inside.sum()} of {len(codes)} cells", fontsize=9
        )
        ax.grid(visible=False)
    for ax in axes[-1]:
        ax.set_xlabel(names[0])
    for ax in axes[:, 0]:
        ax.set_ylabel(names[1])
    return fig


def _edges(grid: SplitGrid, X: NDArray[np.float64], feature: int) -> NDArray[np.float64]:
    levels, own = grid.levels[feature].astype(np.float64), X[:, feature]
    pad = 0.15 * np.ptp(own)
    low, high = min(own.min(), *levels) - pad, max(own.max(), *levels) + pad
    return np.concatenate([[low], levels, [high]])


def _pale(colour: str) -> tuple[float, ...]:
    """The colour mixed with white."""
    return tuple(0.7 + 0.3 * channel for channel in to_rgb(colour))
