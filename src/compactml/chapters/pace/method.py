"""Tables and figures of the Pace chapter's first notebook: ensembles small enough to look at every cell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from compactml.forests import SplitGrid, TreeArrays, average_path_length
from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.model.enumerating import all_cells
from compactml.pace.model.learners import Learner
from compactml.pace.model.region import Region
from compactml.pace.model.setting import Setting
from compactml.pace.separation.separator import Separator
from compactml.study.page.panels import panels
from compactml.study.page.picture import NARROW
from compactml.study.page.style import INK, PALETTE, SOFT, series_style

__all__ = [
    "cells_of", "certificate_table", "draw_cells", "edges", "path_lengths", "regions_picture", "reweighted",
    "separated", "separation_table", "stump", "stumps", "votes_picture", "voting", "where",
]  # fmt: skip

PALE = 0.25
"""How much of a label's colour fills a cell."""
OUTSIDE = -1
"""In place of a label, of a cell outside of the region."""


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
    grid: SplitGrid,
    initial: IntegerEnsemble,
    kept: Mapping[str, Sequence[int]],
    width: float,
    least_margin: int = 1,
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
    width : float
        Inches.
    least_margin : int
        Of the region.
    """
    codes, region = cells_of(grid), Region(initial, least_margin)
    rows = [
        (f"stump at {grid.levels[0][k]:g}", learner.scores_of(codes))
        for k, learner in enumerate(initial.learners)
    ]
    ensembles = {"all, weights 1": initial} | {name: reweighted(initial, w) for name, w in kept.items()}
    fig, ax = plt.subplots(figsize=(width, 0.8 + 0.32 * (len(rows) + len(ensembles))), layout="constrained")
    for i, (_, scores) in enumerate(rows):
        _strip(ax, i, scores[:, 1] - scores[:, 0], [str(label) for label in scores.argmax(axis=1)])
    for i, current in enumerate(ensembles.values(), start=len(rows)):
        scores = current.scores(codes)
        difference = scores[:, 1] - scores[:, 0]
        _strip(ax, i + 0.4, difference, [f"{votes:+d}" if votes else "0" for votes in difference])
        for x in np.flatnonzero(separated(region, current, codes)):
            ax.add_patch(Rectangle((x + 0.02, i + 0.44), 0.96, 0.82, fill=False, edgecolor=INK, lw=2))
    places = [i + 0.45 for i in range(len(rows))] + [i + len(rows) + 0.85 for i in range(len(ensembles))]
    ax.set_yticks(places, [*(name for name, _ in rows), *ensembles])
    ax.set_xticks(
        np.arange(len(codes)) + 0.5,
        [
            where(grid, int(code)) if width > NARROW else where(grid, int(code)).replace(" ", "\n")
            for code in codes[:, 0]
        ],
    )
    ax.set(xlim=(0, len(codes)), ylim=(len(rows) + len(ensembles) + 0.4, 0), xlabel="x")
    ax.tick_params(length=0)
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.grid(visible=False)
    return fig


def _strip(ax: Axes, y: float, difference: NDArray[np.int64], texts: Iterable[str]) -> None:
    for x, (value, text) in enumerate(zip(difference, texts, strict=True)):
        place = (x + 0.02, y + 0.04)
        if value:
            ax.add_patch(Rectangle(place, 0.96, 0.82, color=PALETTE[int(value > 0)], alpha=PALE, lw=0))
        else:
            ax.add_patch(Rectangle(place, 0.96, 0.82, fill=False, edgecolor=SOFT, linestyle=":"))
        ax.text(x + 0.5, y + 0.45, text, ha="center", va="center")


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


def certificate_table(proved: Mapping[tuple[Any, Any], Any], names: Sequence[str]) -> pd.DataFrame:
    """The state of each ordered pair of labels, as a matrix: initial label by row, other label by column."""
    frame = pd.DataFrame("", index=list(names), columns=list(names))
    for (label, other), state in proved.items():
        words = {True: "proved", False: "separated"}
        frame.loc[names[label], names[other]] = words.get(state, "unknown")
    return frame.rename_axis("initial label")


def regions_picture(
    settings: Sequence[Setting],
    X: NDArray[np.float64],
    y: NDArray[np.int64],
    names: Sequence[str],
    width: float,
) -> Figure:
    """Regions of an ensemble on two features, a panel each: cells inside in the colour of their label, others empty.

    Parameters
    ----------
    settings : sequence of Setting
        Of one ensemble; alpha and beta are their titles.
    X : ndarray, shape (n, 2)
        Training samples, marked by their class.
    y : ndarray of int, shape (n,)
    names : sequence of str
        Of the two features.
    width : float
        Inches.
    """
    fig, axes = panels(len(settings), 4, width, 1.8, 2.5, sharex=True, sharey=True)
    for ax, setting in zip(axes, settings, strict=True):
        codes = cells_of(setting.grid)
        inside = draw_cells(ax, setting, codes, [edges(setting.grid, X, j) for j in range(2)])
        for label in range(int(y.max()) + 1):
            own = X[y == label]
            style = series_style(label) | {"markersize": 2.5, "alpha": 0.7}
            ax.plot(own[:, 0], own[:, 1], linestyle="none", **style)
        ax.set_title(f"α = {setting.alpha:g}, β = {setting.beta:g}:\n{inside.sum()} of {len(codes)} cells")
    fig.supxlabel(names[0])
    fig.supylabel(names[1])
    return fig


def draw_cells(
    ax: Axes, setting: Setting, codes: NDArray[np.int32], ends: Sequence[NDArray[np.float64]]
) -> NDArray[np.bool_]:
    """Fill the cells of the region with the pale colour of their label, and return which these are.

    Parameters
    ----------
    ax : Axes
    setting : Setting
        Of two features.
    codes : ndarray of int32, shape (n, 2)
        All cells.
    ends : sequence of two ndarrays
        Of the cells, by feature, from `edges`.
    """
    inside = setting.region.contains(codes)
    label_of = np.where(inside, setting.region.labels(codes), OUTSIDE).reshape(setting.grid.sizes)
    boxes: dict[int, list[Rectangle]] = {}
    for row, (low, high) in zip(label_of.T, pairwise(ends[1]), strict=True):
        cuts = [
            0,
            *(np.flatnonzero(np.diff(row)) + 1),
            len(row),
        ]  # cells of one label beside each other are one box
        for first, last in pairwise(cuts):
            left, right = ends[0][first], ends[0][last]
            boxes.setdefault(int(row[first]), []).append(Rectangle((left, low), right - left, high - low))
    boxes.pop(OUTSIDE, None)
    for label, patches in boxes.items():
        ax.add_collection(PatchCollection(patches, facecolors=PALETTE[label], alpha=PALE, linewidths=0))
    ax.set(xlim=(ends[0][0], ends[0][-1]), ylim=(ends[1][0], ends[1][-1]))
    ax.grid(visible=False)
    return inside


def edges(grid: SplitGrid, X: NDArray[np.float64], feature: int) -> NDArray[np.float64]:
    """Return the ends of the cells of a feature; the outermost lie a little outside of the samples."""
    levels, own = grid.levels[feature].astype(np.float64), X[:, feature]
    pad = 0.15 * np.ptp(own)
    low, high = min(own.min(), *levels) - pad, max(own.max(), *levels) + pad
    return np.concatenate([[low], levels, [high]])
