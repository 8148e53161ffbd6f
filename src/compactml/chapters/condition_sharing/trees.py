"""The picture of the method: the trees of a small forest before and after sharing, a colour a distinct condition."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from compactml.forests import fitted_trees
from compactml.study.page.panels import panels
from compactml.study.page.style import PALETTE

__all__ = ["before_and_after"]

Condition = tuple[int, float]


def before_and_after(before: Any, after: Any, width: float) -> Figure:
    """Draw two forests of the same shape, side by side where there is room."""
    fig, axes = panels(2, 2, width, 3.5, 2.6)
    for ax, forest, title in zip(axes, (before, after), ("before", "after"), strict=True):
        conditions = distinct(forest)
        colours = {condition: PALETTE[i % len(PALETTE)] for i, condition in enumerate(conditions)}
        left = 0.0
        for number, tree in enumerate(fitted_trees(forest), 1):
            leaves = int((tree.feature < 0).sum())
            ax.text(left + (leaves - 1) / 2, 0.75, f"tree {number}", ha="center")
            _draw(ax, tree, 0, left, 0, colours)
            left += leaves + 0.7
        ax.set(xlim=(-0.7, left - 0.9), ylim=(-2.5, 1.1))
        ax.set_title(f"{title}: {len(conditions)} distinct conditions", loc="left", fontweight="bold")
        ax.set_axis_off()
    return fig


def distinct(forest: Any) -> list[Condition]:
    """Return the distinct conditions of a forest, sorted."""
    every = {
        (int(feature), float(threshold))
        for tree in fitted_trees(forest)
        for feature, threshold in zip(tree.feature, tree.threshold, strict=True)
        if feature >= 0
    }
    return sorted(every)


def _draw(ax: Axes, tree: Any, node: int, left: float, depth: int, colours: dict[Condition, str]) -> float:
    """Draw a node with what is below it, its leaves from ``left`` on; return where the node stands."""
    if tree.feature[node] < 0:
        ax.text(left, -depth, str(int(np.argmax(tree.value[node]))), ha="center", va="center")
        return left
    condition = int(tree.feature[node]), float(tree.threshold[node])
    children = []
    for child in (tree.children_left[node], tree.children_right[node]):
        place = _draw(ax, tree, int(child), left, depth + 1, colours)
        children.append((place, int(child)))
        left += _leaves(tree, int(child))
    x = (children[0][0] + children[1][0]) / 2
    for (place, _), answer in zip(children, ("yes", "no"), strict=True):
        ax.plot([x, place], [-depth - 0.18, -depth - 0.8], color="grey", linewidth=1, marker="")
        ax.text((x + place) / 2, -depth - 0.5, answer, ha="center", va="center", color="grey", fontsize=8.5)
    box = {"boxstyle": "round,pad=0.3", "facecolor": "none", "edgecolor": colours[condition], "linewidth": 2}
    ax.text(x, -depth, f"$x_{condition[0] + 1}\\leq {condition[1]:g}$?", ha="center", va="center", bbox=box)
    return x


def _leaves(tree: Any, node: int) -> int:
    """Number of leaves below a node."""
    if tree.feature[node] < 0:
        return 1
    return sum(_leaves(tree, int(child[node])) for child in (tree.children_left, tree.children_right))
