"""Pictures of small instances: which classifiers are picked, which sets diversity excludes, which votes conflict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from compactml.chapters.ensemble_pruning.method.small import as_text, conflicts
from compactml.ensemble_pruning.instance import PruningInstance
from compactml.study.page.panels import legend_above
from compactml.study.page.picture import NARROW
from compactml.study.page.style import GRID, PALETTE, SOFT

__all__ = ["dominance_graph", "sets_picture", "votes_picture"]

RIGHT, WRONG, FRAME = PALETTE[:3]


def votes_picture(
    votes: NDArray[np.bool_], y: NDArray[np.bool_], selected: Sequence[int], threshold: int, width: float
) -> Figure:
    """All votes, the selected classifiers in frames; beside them the sums that the threshold cuts.

    Parameters
    ----------
    votes : ndarray of bool, shape (n, K)
    y : ndarray of bool, shape (n,)
        Positive points are drawn first.
    selected : sequence of int
    threshold : int
        L; a point with more positive votes is called positive.
    width : float
        Inches.
    """
    order = np.argsort(~y, kind="stable")
    votes, y = votes[order], y[order]
    n, k = votes.shape
    ratios = (k, max(len(selected), 4))
    fig, (left, right) = plt.subplots(
        1, 2, figsize=(width, 1.3 + 0.27 * n), layout="constrained", sharey=True, width_ratios=ratios
    )
    for (i, j), vote in np.ndenumerate(votes):
        if vote:
            left.add_patch(Rectangle((j + 0.55, i + 0.55), 0.9, 0.9, color=GRID, lw=0))
        shade = 1 if j in selected else 0.45
        left.text(j + 1, i + 1, str(int(vote)), ha="center", va="center", alpha=shade)
    for j in selected:
        left.add_patch(Rectangle((j + 0.55, 0.55), 0.9, n - 0.1, fill=False, edgecolor=FRAME, lw=2))
    left.set(xlabel="classifier", xlim=(0.4, k + 0.6), ylim=(n + 0.6, 0.4), xticks=range(1, k + 1))
    names = [f"{'positive' if one else 'negative'} {i + 1}" for i, one in enumerate(y)]
    left.set_yticks(np.arange(n) + 1, names)
    _sums(right, votes[:, list(selected)].sum(axis=1), y, threshold)
    right.set_xlim(-0.3, len(selected) + 0.3)
    for ax in (left, right):
        ax.grid(visible=False)
        ax.tick_params(length=0)
    legend_above(fig, 3, 2)
    return fig


def _sums(ax: Axes, sums: NDArray[np.intp], y: NDArray[np.bool_], threshold: int) -> None:
    right = (sums > threshold) == y
    for chosen, color, marker, label in ((right, RIGHT, "o", "right"), (~right, WRONG, "X", "wrong")):
        ax.plot(
            sums[chosen], np.flatnonzero(chosen) + 1, linestyle="none", marker=marker, color=color, markersize=9,
            label=label,
        )  # fmt: skip
    cut: dict[str, Any] = {"color": "black", "linestyle": "--", "linewidth": 1, "marker": ""}
    ax.axvline(threshold + 0.5, label=f"threshold L = {threshold}", **cut)
    ax.set(xlabel="positive votes")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))


def sets_picture(sets: pd.DataFrame, least: float, mean: float, width: float) -> Figure:
    """Every set of classifiers by its mean credit and its value; those that limits on diversity exclude are hollow.

    The best set of all and the best of those that are left have their words beside them.

    Parameters
    ----------
    sets : DataFrame
        From `compactml.chapters.ensemble_pruning.method.small.credited_sets`.
    least, mean : float
        The limits tau and gamma.
    width : float
        Inches.
    """
    below = sets["mean"] < mean - 1e-9
    lonely = ~below & (sets["least"] < least - 1e-9)
    kinds: dict[str, tuple[pd.Series, dict[str, Any]]] = {
        "allowed": (~below & ~lonely, {"color": RIGHT, "marker": "o"}),
        "mean credit too small": (below, {"color": WRONG, "marker": "s", "fillstyle": "none"}),
        "only a member's credit too small": (lonely, {"color": FRAME, "marker": "D", "fillstyle": "none"}),
    }
    fig, ax = plt.subplots(figsize=(width, 3.1 if width > NARROW else 3.5), layout="constrained")
    ax.axvspan(sets["mean"].min() - 0.03, mean, color=GRID, linewidth=0)
    for label, (chosen, style) in kinds.items():
        ax.plot(
            sets.loc[chosen, "mean"], sets.loc[chosen, "value"], linestyle="none", markersize=7, label=label, **style
        )  # fmt: skip
    for among in (sets, sets[~below & ~lonely]):
        for best in among[among["value"] == among["value"].max()].to_dict("records"):
            place = (best["mean"], best["value"])
            ax.annotate(best["x"], place, xytext=(0, 7), textcoords="offset points", ha="center", va="bottom")
    ax.set(xlabel="mean failure credit of the members", ylabel="points right, best threshold")
    ax.set_xlim(sets["mean"].min() - 0.03, sets["mean"].max() + 0.03)
    ax.set_ylim(sets["value"].min() - 0.5, sets["value"].max() + 0.7)
    ax.yaxis.set_major_locator(MaxNLocator(integer=True))
    ax.grid(visible=False)
    legend_above(fig, 3)
    return fig


def dominance_graph(instance: PruningInstance, cover: NDArray[np.bool_], width: float) -> Figure:
    """Positive patterns on the left, negative ones on the right, a line for each conflict; the cover is filled.

    Parameters
    ----------
    instance : PruningInstance
    cover : ndarray of bool, shape (m,)
        Patterns that pay: in every conflict at least one does.
    width : float
        Inches.
    """
    gains = instance.gains
    sides = (np.flatnonzero(gains > 0), np.flatnonzero(gains < 0))
    height = max(map(len, sides))
    place = {
        int(pattern): (float(x), (i + 0.5) * height / len(side))
        for x, side in enumerate(sides)
        for i, pattern in enumerate(side)
    }
    fig, ax = plt.subplots(figsize=(width, 0.9 + 0.38 * height), layout="constrained")
    for pair in conflicts(instance):
        xs, ys = zip(*(place[one] for one in pair), strict=True)
        ax.plot(xs, ys, color=SOFT, linewidth=1.2, marker="", zorder=1, label="_conflict")
    for pattern, (x, y) in place.items():
        fill = "full" if cover[pattern] else "none"
        ax.plot(x, y, markersize=12, color=WRONG, fillstyle=fill, marker="o", zorder=2, label="_vector")
        text = f"{as_text(instance.patterns[pattern])} costs {abs(gains[pattern]):g}"
        called = instance.y[(instance.votes == instance.patterns[pattern]).all(axis=1)]
        if lost := min(called.sum(), (~called).sum()):
            text += f",\n{lost} lost anyway"
        ax.annotate(
            text, (x, y), xytext=(14 - 28 * (x == 0), 0), textcoords="offset points",
            ha="right" if x == 0 else "left", va="center",
        )  # fmt: skip
    ax.plot([], [], color=SOFT, linewidth=1.2, marker="", label="conflict")
    ax.plot([], [], "o", color=WRONG, markersize=9, linestyle="none", label="in the cover")
    room = 0.75 if width > NARROW else 1.3
    ax.set(xlim=(-room, 1 + room), ylim=(height, -0.1), yticks=[])
    ax.set_xticks([0, 1], ["should be\npositive", "should be\nnegative"])
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.tick_params(length=0)
    ax.grid(visible=False)
    legend_above(fig, 2, 2)
    return fig
