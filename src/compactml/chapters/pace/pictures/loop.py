"""The picture of the method: the loop of the paper round by round, on a forest whose cells fill a plane."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from compactml.chapters.pace.method import cells_of, draw_cells, edges, separated
from compactml.clock import Clock
from compactml.pace.generation import TOLERANCE
from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.model.faithfulness import FaithfulnessSet
from compactml.pace.model.setting import Setting
from compactml.pace.separation.separator import Separator
from compactml.pace.trees.pricing import price
from compactml.pace.weights.master import LinearMaster, LinearSolution
from compactml.pace.weights.pruning import Pruner
from compactml.study.page.panels import legend_above
from compactml.study.page.picture import side_by_side
from compactml.study.page.style import BACKGROUND, INK, PALETTE, SOFT, series_style

__all__ = ["PRUNE", "WEIGH", "Round", "diagram", "draw", "run"]

WEIGH, PRUNE = "(P1)", "(P0)"
BOXES = {
    "samples": (0, 2, "samples S\n(at first:\ntraining data)"),
    "done": (1, 2, "small\nensemble and\ncertificate"),
    "master": (0, 1, "linear\nprogram (P1)\nweights, duals"),
    "separate": (1, 1, "separation\nof every pair\nof labels"),
    "price": (0, 0, "pricing (7)\na tree\nfitted to S"),
    "prune": (1, 0, "integer\nprogram (P0)\nfewest trees"),
}
ARROWS = (
    ("samples", "master", ""),
    ("master", "separate", "weights"),
    ("separate", "samples", "new points"),
    ("separate", "price", "none,\nafter (P1)"),
    ("price", "master", "a tree\njoins"),
    ("price", "prune", "none\nhelps"),
    ("prune", "separate", "weights"),
    ("separate", "done", "none,\nafter (P0)"),
)
"""Places and texts of Fig 1: our own drawing of the loop."""
WIDTH, HEIGHT = 0.52, 0.5
"""Of a box, in steps from one to the next."""
SAMPLE: dict[str, Any] = {"marker": ".", "color": SOFT, "markersize": 4}
NEW: dict[str, Any] = {"marker": "X", "color": PALETTE[5], "markersize": 7}
BOX: dict[str, Any] = {"facecolor": "none", "edgecolor": PALETTE[0], "linewidth": 1.5}


@dataclass(frozen=True)
class Round:
    """One round: weights on a pool of trees, and what separation says to them.

    Attributes
    ----------
    by : {"(P1)", "(P0)"}
        What chose the weights.
    pool, generated : int
        Trees to choose from, and how many of them joined.
    used, used_new : int
        Trees of positive weight, and how many of them joined.
    samples : ndarray of int32, shape (n, p)
        S before the round.
    points : ndarray of int32, shape (k, p)
        New samples.
    wrong : ndarray of bool
        Which cells separate, by evaluation of all.
    """

    by: str
    pool: int
    generated: int
    used: int
    used_new: int
    samples: NDArray[np.int32]
    points: NDArray[np.int32]
    wrong: NDArray[np.bool_]


def run(setting: Setting, max_depth: int) -> list[Round]:
    """Run the paper's order with its constraint program, at most as many new trees as the ensemble has.

    Parameters
    ----------
    setting : Setting
        Small enough to look at every cell.
    max_depth : int
        Of new trees.
    """
    samples = FaithfulnessSet(setting.region, setting.samples)
    separator = Separator(setting.grid, setting.region, form="constraint")
    rounds = list(_generated(setting, samples, separator, max_depth))
    pruner = Pruner()
    while True:
        current = samples.rounded(pruner.prune(samples.margins, Clock(None)).weights)
        rounds.append(_separated(PRUNE, setting, samples, separator, current))
        if not len(rounds[-1].points):
            return rounds


def _generated(
    setting: Setting, samples: FaithfulnessSet, separator: Separator, max_depth: int
) -> Iterator[Round]:
    """Phase 1: weights of (P1) that are faithful, then one tree, until none improves."""
    most = 2 * len(setting.initial.learners)
    with LinearMaster(samples.margins) as master:
        while True:
            solution = master.solve()
            m = len(samples.integers)
            current = samples.rounded(solution.weights)
            step = _separated(WEIGH, setting, samples, separator, current)
            yield step
            if len(step.points):
                master.add_rows(samples.integers[m:] / samples.scale)
            elif len(samples.learners) == most or not _grown(samples, master, solution, max_depth):
                return


def _grown(samples: FaithfulnessSet, master: LinearMaster, solution: LinearSolution, max_depth: int) -> bool:
    """Add a tree with a negative reduced cost, if CART finds one."""
    priced = price(samples, solution.duals, max_depth=max_depth)
    known = (samples.integers == priced.margins[:, None]).all(axis=0).any()
    if known or priced.reduced_cost >= -TOLERANCE:
        return False
    samples.add_learners([priced.learner])
    master.add_columns(priced.margins[:, None] / samples.scale)
    return True


def _separated(
    by: str, setting: Setting, samples: FaithfulnessSet, separator: Separator, current: IntegerEnsemble
) -> Round:
    """Separate weights and add the points that are found to S."""
    before, points = samples.codes, separator.separate(current).points
    wrong = separated(setting.region, current, cells_of(setting.grid))
    samples.add_samples(points)
    news = [sum(tree.origin is None for tree in trees) for trees in (samples.learners, current.learners)]
    return Round(by, len(samples.learners), news[0], len(current.learners), news[1], before, points, wrong)


def told(rounds: Sequence[Round]) -> list[int]:
    """Return the rounds that find a point, and those after which a phase or its first part is over."""
    kept = {i for i, step in enumerate(rounds) if len(step.points)}
    weighed = [i for i, step in enumerate(rounds) if step.by == WEIGH]
    faithful = next(i for i in weighed if not len(rounds[i].points))
    return sorted(kept | {faithful, weighed[-1], len(rounds) - 1})


def draw(
    setting: Setting, X: NDArray[np.float64], names: Sequence[str], rounds: Sequence[Round], width: float
) -> Figure:
    """Draw the rounds that are told as planes, and below them the numbers of trees and samples by round.

    Parameters
    ----------
    setting : Setting
        Of two features.
    X : ndarray, shape (n, 2)
        Training samples, for the ends of the axes.
    names : sequence of str
        Of the features.
    rounds : sequence of Round
    width : float
        Inches.
    """
    shown = told(rounds)
    columns = side_by_side(3, width, 1.8)
    lines = math.ceil(len(shown) / columns)
    heights = [2.4 * lines + 0.3, 2.3]
    fig = plt.figure(figsize=(width, sum(heights)), layout="constrained")
    parts: Any = fig.subfigures(2, 1, height_ratios=heights)
    top, bottom = parts
    axes = top.subplots(lines, columns, sharex=True, sharey=True, squeeze=False)
    for ax, i in zip(axes.flat, shown, strict=False):
        _plane(ax, setting, X, rounds[i])
        ax.set_title(f"round {i + 1}, {_text(rounds[i])}")
    for ax in axes.flat[len(shown) :]:
        ax.set_visible(False)
    top.supxlabel(names[0])
    top.supylabel(names[1])
    _counts(bottom.subplots(), rounds)
    legend_above(bottom, 4, 2)
    return fig


def _text(step: Round) -> str:
    """What a round uses and finds, in a title of two lines."""
    n = len(step.points)
    found = f"+{n} point{'s' * (n > 1)}" if n else "no point"
    return f"{step.by}:\n{step.used} of {step.pool} trees, {found}"


def _plane(ax: Axes, setting: Setting, X: NDArray[np.float64], step: Round) -> None:
    """Cells in the colour of their label, those that separate framed, S as dots and new points as crosses."""
    codes = cells_of(setting.grid)
    ends = [edges(setting.grid, X, j) for j in range(2)]
    draw_cells(ax, setting, codes, ends)
    for cell in codes[step.wrong]:
        (left, right), (low, high) = ((side[c], side[c + 1]) for side, c in zip(ends, cell, strict=True))
        ax.add_patch(Rectangle((left, low), right - left, high - low, fill=False, edgecolor=INK, linewidth=2))
    middles = [(side[:-1] + side[1:]) / 2 for side in ends]
    for points, look in ((step.samples, SAMPLE), (step.points, NEW)):
        ax.plot(middles[0][points[:, 0]], middles[1][points[:, 1]], linestyle="none", **look)


def _counts(ax: Axes, rounds: Sequence[Round]) -> None:
    """Trees in the pool, trees used and points added, by round."""
    places = range(1, len(rounds) + 1)
    added = np.cumsum([len(step.points) for step in rounds])
    series: dict[str, Any] = {
        "trees to choose from": [step.pool for step in rounds],
        "trees used": [step.used for step in rounds],
        "points added": added,
    }
    for i, (name, values) in enumerate(series.items()):
        ax.plot(places, values, label=name, linewidth=1.2, **series_style(i))
    first = next(i for i, step in enumerate(rounds) if step.by == PRUNE)
    ax.axvline(first + 0.5, color=SOFT, linestyle="--", linewidth=1, marker="", label="(P0) begins")
    ax.set(xlabel="round", ylabel="number", ylim=(0, None))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))


def diagram(width: float) -> Figure:
    """Draw Fig 1: weights and separation, new trees, then pruning and separation again."""
    fig, ax = plt.subplots(figsize=(width, 4.0), layout="constrained")
    for x, y, text in BOXES.values():
        corner = (x - WIDTH / 2, y - HEIGHT / 2)
        ax.add_patch(FancyBboxPatch(corner, WIDTH, HEIGHT, "round,pad=0.03", **BOX))
        ax.text(x, y, text, ha="center", va="center")
    for start, end, text in ARROWS:
        (x0, y0, _), (x1, y1, _) = BOXES[start], BOXES[end]
        far = max(abs(x1 - x0) / (WIDTH / 2 + 0.05), abs(y1 - y0) / (HEIGHT / 2 + 0.05))
        step = np.array([x1 - x0, y1 - y0]) / far
        arrow = {"arrowstyle": "->", "color": SOFT, "lw": 1.3}
        ax.annotate("", (x1 - step[0], y1 - step[1]), (x0 + step[0], y0 + step[1]), arrowprops=arrow)
        upright, level = x0 == x1, y0 == y1
        ground: Any = None if level or upright else {"facecolor": BACKGROUND, "linewidth": 0, "pad": 1}
        ax.text(
            (x0 + x1) / 2 + 0.03 * upright, (y0 + y1) / 2, text, color=SOFT, bbox=ground,
            ha="left" if upright else "center", va="bottom" if level else "center",
        )  # fmt: skip
    ax.set(xlim=(-0.36, 1.36), ylim=(-0.32, 2.32))
    ax.set_axis_off()
    return fig
