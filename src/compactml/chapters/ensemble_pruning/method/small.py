"""Instances small enough to look at whole: listed, as tables, as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike, NDArray

from compactml.ensemble_pruning._failure_credit import Diversity
from compactml.ensemble_pruning.instance import PruningInstance, called_positive
from compactml.study.page.style import PALETTE

__all__ = [
    "as_text", "conflicts", "diverse", "dominance_graph", "ensembles", "fractions", "monotone_table",
    "votes_of", "votes_picture",
]  # fmt: skip

YES, NO = "#cfcabf", "#fbfaf7"
RIGHT, WRONG, FRAME = PALETTE[0], PALETTE[1], PALETTE[2]
QUIET = "#6b6b6b"


def votes_of(positive: str, negative: str) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Votes and labels from the rows of B and A, written as words of 0 and 1.

    Parameters
    ----------
    positive, negative : str
        "11100 10011": votes on two positive (negative) points, classifiers from left to right.

    Returns
    -------
    votes : ndarray of bool, shape (n, K)
    y : ndarray of bool, shape (n,)
    """
    rows = [*positive.split(), *negative.split()]
    votes = np.array([[letter == "1" for letter in row] for row in rows])
    return votes, np.arange(len(rows)) < len(positive.split())


def as_text(row: ArrayLike) -> str:
    """A row of 0 and 1 as a word."""
    return "".join("1" if one else "0" for one in np.asarray(row))


def monotone_table(n_selected: int, threshold: int) -> pd.DataFrame:
    """What an ensemble calls a point, by its number of positive votes.

    Returns
    -------
    DataFrame
        Columns ``positive votes`` (0 to ``n_selected``) and ``call``.
    """
    rows = np.tril(np.ones((n_selected + 1, n_selected), dtype=bool), -1)  # row i has i positive votes
    called = called_positive(rows, np.arange(n_selected), threshold)
    return pd.DataFrame(
        {"positive votes": rows.sum(axis=1), "call": np.where(called, "positive", "negative")}
    )


def ensembles(instance: PruningInstance) -> pd.DataFrame:
    """Every set of classifiers with every threshold below its size, and the empty set: "all negative".

    Returns
    -------
    DataFrame
        Columns ``x`` (a word of 0 and 1), ``L``, ``T+``, ``F-``, ``T-``, ``F+`` and ``value``, the objective (1); best
        first. 1 + sum of s C(K, s) rows: for K of a dozen at most.
    """
    k, y = instance.n_classifiers, instance.y
    sets = (np.arange(2**k)[:, np.newaxis] >> np.arange(k)[::-1]) & 1
    sums = instance.votes.astype(np.int64) @ sets.T
    sizes = np.maximum(sets.sum(axis=1), 1)  # the empty set has the threshold 0
    which, threshold = np.nonzero(np.arange(k) < sizes[:, np.newaxis])
    called = sums[:, which] > threshold
    cells = {
        "T+": called[y].sum(axis=0),
        "F-": (~called[y]).sum(axis=0),
        "T-": (~called[~y]).sum(axis=0),
        "F+": called[~y].sum(axis=0),
    }
    w = instance.weights
    worth = map(float, (w.true_positive, w.false_negative, w.true_negative, w.false_positive))
    value = np.round(sum(weight * cell for weight, cell in zip(worth, cells.values(), strict=True)), 9)
    words = [as_text(sets[i]) for i in which]
    frame = pd.DataFrame({"x": words, "L": threshold, **cells, "value": value})
    return frame.sort_values("value", ascending=False, kind="stable").reset_index(drop=True)


def diverse(found: pd.DataFrame, diversity: Diversity) -> pd.DataFrame:
    """The rows of `ensembles` whose sets meet (18) and (20)."""
    sets = [np.flatnonzero([letter == "1" for letter in word]) for word in found["x"]]
    return found[[diversity.met(one) for one in sets]]


def fractions(matrix: NDArray[np.float64], largest: int = 1000) -> pd.DataFrame:
    """A matrix of simple fractions as texts, numbered from 1; its lower triangle stays empty."""
    texts = [[str(Fraction(value).limit_denominator(largest)) for value in row] for row in matrix]
    names = [str(i + 1) for i in range(len(matrix))]
    frame = pd.DataFrame(texts, index=names, columns=names)
    return frame.where(np.triu(np.ones(matrix.shape, dtype=bool), 1), "").rename_axis("k")


def votes_picture(
    votes: NDArray[np.bool_], y: NDArray[np.bool_], selected: Sequence[int], threshold: int
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
    """
    order = np.argsort(~y, kind="stable")
    votes, y = votes[order], y[order]
    n, k = votes.shape
    fig, (left, right) = plt.subplots(
        1, 2, figsize=(6.4, 1.2 + 0.3 * n), layout="constrained", sharey=True, width_ratios=(k, max(len(selected), 4))
    )  # fmt: skip
    for i, row in enumerate(votes):
        for j, vote in enumerate(row):
            left.add_patch(Rectangle((j + 0.55, i + 0.55), 0.9, 0.9, color=YES if vote else NO, lw=0))
            left.text(
                j + 1,
                i + 1,
                int(vote),
                ha="center",
                va="center",
                fontsize=9,
                alpha=1 if j in selected else 0.4,
            )
    for j in selected:
        left.add_patch(Rectangle((j + 0.55, 0.55), 0.9, n - 0.1, fill=False, edgecolor=FRAME, lw=2))
    left.set(xlabel="classifier", xlim=(0.4, k + 0.6), ylim=(n + 0.6, 0.4), xticks=range(1, k + 1))
    left.set_yticks(
        np.arange(n) + 1, [f"{'positive' if one else 'negative'} {i + 1}" for i, one in enumerate(y)]
    )
    _sums(right, votes[:, list(selected)].sum(axis=1), y, threshold)
    right.set_xlim(-0.15, len(selected) + 0.15)
    for ax in (left, right):
        ax.grid(visible=False)
        ax.tick_params(length=0)
    fig.legend(loc="outside upper center", ncols=3)
    return fig


def _sums(ax: Axes, sums: NDArray[np.intp], y: NDArray[np.bool_], threshold: int) -> None:
    right = (sums > threshold) == y
    for chosen, color, marker, label in ((right, RIGHT, "o", "right"), (~right, WRONG, "X", "wrong")):
        ax.plot(
            sums[chosen], np.flatnonzero(chosen) + 1, linestyle="none", marker=marker, color=color, markersize=9,
            label=label, clip_on=False,
        )  # fmt: skip
    ax.axvline(
        threshold + 0.5,
        color="black",
        linestyle="--",
        linewidth=1,
        marker="",
        label=f"threshold L = {threshold}",
    )
    ax.set(xlabel="positive votes of the selected")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))


def conflicts(instance: PruningInstance) -> list[tuple[int, int]]:
    """Pairs (positive pattern b, negative pattern a) with b <= a in every classifier: not both can be right."""
    patterns, gains = instance.patterns, instance.gains
    positive, negative = np.flatnonzero(gains > 0), np.flatnonzero(gains < 0)
    return [(int(b), int(a)) for b in positive for a in negative if not (patterns[b] & ~patterns[a]).any()]


def dominance_graph(instance: PruningInstance, cover: NDArray[np.bool_]) -> Figure:
    """Positive patterns on the left, negative ones on the right, a line for each conflict; the cover is filled.

    Parameters
    ----------
    instance : PruningInstance
    cover : ndarray of bool, shape (m,)
        Patterns that pay: in every conflict at least one does.
    """
    gains = instance.gains
    sides = (np.flatnonzero(gains > 0), np.flatnonzero(gains < 0))
    height = max(map(len, sides))
    place = {
        int(pattern): (float(x), (i + 0.5) * height / len(side))
        for x, side in enumerate(sides)
        for i, pattern in enumerate(side)
    }
    fig, ax = plt.subplots(figsize=(6.4, 1.2 + 0.45 * height), layout="constrained")
    for pair in conflicts(instance):
        ax.plot(
            *zip(*(place[one] for one in pair), strict=True), color=QUIET, linewidth=1.2, marker="", zorder=1
        )
    for pattern, (x, y) in place.items():
        ax.plot(
            x, y, markersize=13, markeredgecolor=WRONG, markerfacecolor=WRONG if cover[pattern] else NO, marker="o",
            zorder=2,
        )  # fmt: skip
        text = f"{as_text(instance.patterns[pattern])}, costs {abs(gains[pattern]):g}"
        ax.annotate(
            text, (x, y), xytext=(14 - 28 * (x == 0), 0), textcoords="offset points",
            ha="right" if x == 0 else "left", va="center",
        )  # fmt: skip
    ax.set(xlim=(-0.75, 1.75), ylim=(height, -0.1), yticks=[])
    ax.set_xticks([0, 1], ["should be called positive", "should be called negative"])
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.tick_params(length=0)
    ax.grid(visible=False)
    return fig
