"""The picture of the method: column generation on two features, round by round, with what each step hands on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch
from numpy.typing import NDArray

from compactml.boolean_rules import UNIT, DecileBinarizer, Duals, Instance, Search
from compactml.boolean_rules.bounds import proved_by
from compactml.boolean_rules.columns import Columns
from compactml.boolean_rules.master import Master
from compactml.chapters.boolean_rules.figures import (
    clause_box,
    draw_box,
    limits,
    value_and_bound,
)
from compactml.study.page.panels import legend_above
from compactml.study.page.picture import NARROW, side_by_side
from compactml.study.page.style import PALETTE, SOFT

__all__ = ["Step", "draw", "generate"]

STATIONS = (
    "master\nbest mix of the\nclauses so far",
    "duals\na price for each\nmissed row",
    "pricing\nthe clause that\nis worth most",
    "worth something?\nadd it and go on;\nif not, stop",
)
"""What the loop goes through."""
BOX = (0.8, 0.62)
"""Width and height of a station, in steps from one to the next."""


@dataclass(frozen=True)
class Step:
    """One round of column generation.

    Attributes
    ----------
    value : float
        Of the restricted master.
    bound : int
        Largest bound proved so far.
    price : float
        lambda.
    mu : ndarray of float, shape (n,)
        Dual of each sample; 0 for a negative one.
    clause : tuple of str
        Conditions of the clause of least reduced cost, none where no reduced cost is negative.
    reduced_cost : float
    """

    value: float
    bound: int
    price: float
    mu: NDArray[np.float64]
    clause: tuple[str, ...]
    reduced_cost: float


def generate(X: pd.DataFrame, y: NDArray[np.bool_], complexity: int) -> list[Step]:
    """Generate clauses one at a time, the best of each round, until none has a negative reduced cost.

    Parameters
    ----------
    X : DataFrame, shape (n, p)
    y : ndarray of bool, shape (n,)
    complexity : int
        C of (3).
    """
    binarizer = DecileBinarizer(missing="above").fit(X)
    codes = binarizer.codes(X)
    instance = Instance.from_codes(codes, y, binarizer.literals_)
    columns = Columns(instance)
    master, search = Master(columns, complexity), Search(instance, complexity - 1)
    steps, bound = list[Step](), 0
    while True:
        solution = master.solve()
        duals = Duals.rounded(instance, solution.mu, solution.price)
        priced = search.best(duals).clauses[:1]
        worth = max((duals.f(instance, clause) for clause in priced), default=0)
        bound = max(bound, proved_by(duals, complexity, worth))
        names = tuple(instance.literals.names[literal] for clause in priced for literal in clause)
        mu = _by_sample(instance, solution.mu, codes, y)
        steps.append(Step(solution.value, bound, solution.price, mu, names, -worth / UNIT))
        if not columns.add(priced):
            return steps


def _by_sample(
    instance: Instance, mu: NDArray[np.float64], codes: NDArray[Any], y: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """The duals of distinct rows shared out among their positive samples."""
    place = {tuple(row): u for u, row in enumerate(instance.codes.tolist())}
    rows = np.array([place[tuple(row)] for row in codes.tolist()])
    return np.where(y, mu[rows] / np.maximum(instance.positives[rows], 1), 0.0)


def draw(X: pd.DataFrame, y: NDArray[np.bool_], steps: Sequence[Step], width: float) -> Figure:
    """Draw the loop, then each round in the plane of the features, then value and bound by round.

    Parameters
    ----------
    X : DataFrame, shape (n, 2)
    y : ndarray of bool, shape (n,)
    steps : sequence of Step
    width : float
        Inches.
    """
    columns = side_by_side(3, width, 1.8)
    rows = math.ceil(len(steps) / columns)
    heights = [1.0 if width > NARROW else 1.9, 2.2 * rows + 0.3, 2.3]
    fig = plt.figure(figsize=(width, sum(heights)), layout="constrained")
    parts: Any = fig.subfigures(3, 1, height_ratios=heights)
    top, middle, bottom = parts
    _loop(top.subplots(), len(STATIONS) if width > NARROW else 2)
    axes = middle.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    for number, (ax, step) in enumerate(zip(axes.flat, steps, strict=False), 1):
        _plane(ax, X, y, step)
        ax.set_title(f"round {number}: {_outcome(step)}\nvalue {step.value:g}, bound {step.bound}")
    for ax in axes.flat[len(steps) :]:
        ax.set_visible(False)
    middle.supxlabel(str(X.columns[0]))
    middle.supylabel(str(X.columns[1]))
    ax = bottom.subplots()
    value_and_bound(ax, [step.value for step in steps], [step.bound for step in steps])
    legend_above(bottom, 2)
    return fig


def _outcome(step: Step) -> str:
    """What pricing says."""
    return f"worth {-step.reduced_cost:g}" if step.clause else "none"


def _loop(ax: Axes, columns: int) -> None:
    """The stations, and the arrows from each to the next."""
    n = len(STATIONS)
    turn = range(n) if columns == n else [*range(columns), *reversed(range(n - columns))]
    places = [(float(x), -float(i // columns)) for i, x in enumerate(turn)]
    w, h = BOX
    for (x, y), text in zip(places, STATIONS, strict=True):
        box = FancyBboxPatch(
            (x - w / 2, y - h / 2), w, h, boxstyle="round,pad=0.05", facecolor="none", edgecolor=PALETTE[0],
            linewidth=1.5,
        )  # fmt: skip
        ax.add_patch(box)
        ax.text(x, y, text, ha="center", va="center", linespacing=1.3)
    arrow = {"arrowstyle": "->", "color": SOFT, "linewidth": 1.5}
    for (x, y), (u, v) in pairwise(places):
        start, end = ((x, y - h / 2 - 0.06), (u, v + h / 2 + 0.06)) if x == u else _beside(x, u, y, w)
        ax.annotate("", xy=end, xytext=start, arrowprops=arrow)
    (x, y), (u, v) = places[-1], places[0]
    if x == u:
        ax.annotate("", xy=(u, v - h / 2 - 0.06), xytext=(x, y + h / 2 + 0.06), arrowprops=arrow)
    else:
        below = y - h / 2 - 0.22
        ax.plot([x, x, u], [y - h / 2 - 0.06, below, below], color=SOFT, linewidth=1.5, marker="")
        ax.annotate("", xy=(u, v - h / 2 - 0.04), xytext=(u, below), arrowprops=arrow)
    ax.set(xlim=(-0.5, columns - 0.5), ylim=(min(y for _, y in places) - 0.65, 0.45))
    ax.set_axis_off()


def _beside(x: float, u: float, y: float, w: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Ends of an arrow between two stations of one row."""
    sign = 1 if u > x else -1
    return (x + sign * (w / 2 + 0.06), y), (u - sign * (w / 2 + 0.06), y)


def _plane(ax: Axes, X: pd.DataFrame, y: NDArray[np.bool_], step: Step) -> None:
    """Negatives as crosses, positives as rings that are filled by their dual, and the clause that is found."""
    lowest, highest = limits(X)
    if step.clause:
        draw_box(ax, clause_box(step.clause, lowest, highest), PALETTE[2])
    across, up = X.iloc[:, 0].to_numpy(), X.iloc[:, 1].to_numpy()
    ax.plot(across[~y], up[~y], "x", color=SOFT, markersize=3, alpha=0.7)
    priced = step.mu > 0
    free = y & ~priced
    ax.plot(across[free], up[free], "o", color=PALETTE[0], fillstyle="none", markersize=3, alpha=0.7)
    ax.scatter(across[priced], up[priced], s=40 * step.mu[priced], color=PALETTE[0], marker="o")
    ax.set(xlim=(lowest.iloc[0], highest.iloc[0]), ylim=(lowest.iloc[1], highest.iloc[1]))
