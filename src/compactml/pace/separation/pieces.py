"""Trees as lists of boxes in one packed form, and rows of the separation problem as one value per box.

All trees that test one and the same feature become one piece, a step function of that feature: an ensemble of stumps
is a sum over features.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from compactml.pace.model.learners import Learner
from compactml.pace.separation.rows import Row

__all__ = ["Board", "Packed", "Piece", "Values", "pack", "pieces_of", "values_of"]

ROOM = 60
"""Sums of values times multipliers stay below 2 to this, so that int64 holds them."""
FINEST = 20
"""Multipliers go up to 2 to this."""


@dataclass(frozen=True, eq=False)
class Piece:
    """A function that is constant on each of some disjoint boxes that cover the space.

    Attributes
    ----------
    features : ndarray of int64, shape (f,)
        Features that bound a box.
    low, high : ndarray of int64, shape (n_boxes, f)
        First and last codes.
    members : tuple of (Learner, ndarray of int64 of shape (n_boxes,))
        The trees in it, with the leaf of each that a box lies in.
    """

    features: NDArray[np.int64]
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    members: tuple[tuple[Learner, NDArray[np.int64]], ...]


class Packed(NamedTuple):
    """Pieces one after another.

    The boxes of piece t are numbered first[t] to first[t + 1] - 1, its features are
    features[first_feature[t] : first_feature[t + 1]], and the bounds of its boxes begin at first_bound[t], those of
    one box together. ``offset`` is the place of each feature in arrays over all (feature, code).
    """

    first: NDArray[np.int64]
    features: NDArray[np.int64]
    first_feature: NDArray[np.int64]
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    first_bound: NDArray[np.int64]
    offset: NDArray[np.int64]


class Values(NamedTuple):
    """Rows over packed boxes, brought to a similar size by whole factors.

    ``values`` has the shape (n_boxes, n_rows), ``least`` (n_rows,); ``unit`` is the largest whole multiplier.
    """

    values: NDArray[np.int64]
    least: NDArray[np.int64]
    unit: float


class Board:
    """The packed trees of the last rows asked for.

    Parameters
    ----------
    sizes : ndarray of int64, shape (p,)
        Number of codes of each feature.
    """

    def __init__(self, sizes: NDArray[np.int64]) -> None:
        self.sizes = sizes
        self._learners: tuple[Learner, ...] | None = None
        self._pieces: list[Piece] = []
        self.packed = pack([], sizes)

    def values(self, rows: Sequence[Row]) -> Values:
        """Return the rows over ``packed``, which changes when the rows speak of other trees than before."""
        learners = tuple(dict.fromkeys(learner for row in rows for learner in row.learners))
        if learners != self._learners:
            self._learners, self._pieces = learners, pieces_of(learners, self.sizes)
            self.packed = pack(self._pieces, self.sizes)
        return values_of(self._pieces, rows)


def pieces_of(learners: Iterable[Learner], sizes: NDArray[np.int64]) -> list[Piece]:
    """Return the pieces of some trees; ``sizes`` are the numbers of codes."""
    pieces, steps = [], dict[int, list[Learner]]()
    for learner in learners:
        tested = np.unique(learner.feature[learner.feature >= 0])
        if len(tested) == 1:
            steps.setdefault(int(tested[0]), []).append(learner)
        else:
            pieces.append(_tree(learner, tested.astype(np.int64), sizes))
    return pieces + [_step_function(j, trees, sizes) for j, trees in sorted(steps.items())]


def _tree(learner: Learner, tested: NDArray[np.int64], sizes: NDArray[np.int64]) -> Piece:
    """The leaves of a tree that can be reached."""
    boxes = learner.boxes()
    low = np.array([[box.get(j, (0, 0))[0] for j in tested.tolist()] for box in boxes], dtype=np.int64)
    last = sizes[tested] - 1
    high = np.array(
        [[box[j][1] if j in box else sizes[j] for j in tested.tolist()] for box in boxes], dtype=np.int64
    )
    high = np.minimum(high.reshape(len(boxes), -1), last)
    low = low.reshape(len(boxes), -1)
    reached = np.flatnonzero((low <= high).all(axis=1))
    return Piece(tested, low[reached], high[reached], ((learner, reached),))


def _step_function(feature: int, learners: Sequence[Learner], sizes: NDArray[np.int64]) -> Piece:
    """The sum of trees that test this feature only."""
    cuts = np.concatenate([learner.cut[learner.feature >= 0] for learner in learners]).astype(np.int64)
    cuts = np.unique(cuts[(cuts >= 0) & (cuts < sizes[feature] - 1)])
    low, high = np.append(0, cuts + 1), np.append(cuts, sizes[feature] - 1)
    codes = np.zeros((len(low), len(sizes)), dtype=np.int32)
    codes[:, feature] = low
    members = tuple((learner, learner.leaves_of(codes).astype(np.int64)) for learner in learners)
    return Piece(np.array([feature]), low[:, None], high[:, None], members)


def pack(pieces: Sequence[Piece], sizes: NDArray[np.int64]) -> Packed:
    """Put pieces one after another."""

    def starts(counts: list[int]) -> NDArray[np.int64]:
        return np.cumsum([0, *counts], dtype=np.int64)

    def chained(arrays: list[NDArray[Any]]) -> NDArray[np.int64]:
        return np.concatenate([np.empty(0, dtype=np.int64), *(array.ravel() for array in arrays)])

    return Packed(
        starts([len(piece.low) for piece in pieces]),
        chained([piece.features for piece in pieces]),
        starts([len(piece.features) for piece in pieces]),
        chained([piece.low for piece in pieces]),
        chained([piece.high for piece in pieces]),
        starts([piece.low.size for piece in pieces]),
        starts(sizes.tolist()),
    )


def values_of(pieces: Sequence[Piece], rows: Sequence[Row]) -> Values:
    """Return the value of each row on each box."""
    reduced = [row.reduced() for row in rows]
    columns = [_column(pieces, row) for row in reduced]
    spans = [_span(column, row.least) for column, row in zip(columns, reduced, strict=True)]
    factors = [max(spans) // span for span in spans]
    bits = ROOM - math.ceil(math.log2(max(spans) * len(rows)))
    return Values(
        np.column_stack(
            [np.concatenate(column) * factor for column, factor in zip(columns, factors, strict=True)]
        ),
        np.array([row.least * factor for row, factor in zip(reduced, factors, strict=True)], dtype=np.int64),
        float(2 ** min(bits, FINEST)),
    )


def _column(pieces: Sequence[Piece], row: Row) -> list[NDArray[np.int64]]:
    value = dict(zip(row.learners, row.values, strict=True))
    return [
        sum(
            (value[one][leaf] for one, leaf in piece.members if one in value),
            np.zeros(len(piece.low), np.int64),
        )
        for piece in pieces
    ]


def _span(column: list[NDArray[np.int64]], least: int) -> int:
    """A bound on what the row can sum to, at least 1."""
    return abs(least) + sum(int(np.abs(part).max(initial=0)) for part in column) + 1
