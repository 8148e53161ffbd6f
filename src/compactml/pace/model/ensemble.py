"""Ensembles in integers: margins are exact, so ties are ties and proofs are proofs."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from compactml.errors import InvalidDataError
from compactml.forests import ForestArrays, SplitGrid
from compactml.pace.errors import ScoreOverflowError
from compactml.pace.model._kernels import add_scores
from compactml.pace.model.learners import Learner, as_codes

__all__ = ["LARGEST_SUM", "NO_RIVAL", "SOFT_SCALE", "WEIGHT_SCALE", "IntegerEnsemble", "integer_ensemble"]

SOFT_SCALE = 10_000
"""A class frequency of 1 in integers; 1e-4 of a vote is far below what separates two useful learners."""

WEIGHT_SCALE = 1_000_000
"""The largest of unequal weights in integers."""

LARGEST_SUM = 2**53
"""Sums up to here are exact in int64 and in float64, and CP-SAT takes them."""

NO_RIVAL = 2**62
"""The margin of a label against itself: never the smallest."""


@dataclass(frozen=True, eq=False)
class IntegerEnsemble:
    """Learners with integer scores and integer weights (1).

    Attributes
    ----------
    learners : tuple of Learner
    weights : ndarray of int64, shape (n_learners,)
        Not negative.
    n_classes : int
    scale : int
        Score range of one learner: 1 for hard votes, `SOFT_SCALE` for soft ones.
    rounding : int
        Where the margin is more than this, the ensemble that was rounded has a positive margin, too.

    Raises
    ------
    InvalidDataError
        Not one weight per learner, or a negative one.
    ScoreOverflowError
        Margins could exceed `LARGEST_SUM`.
    """

    learners: tuple[Learner, ...]
    weights: NDArray[np.int64]
    n_classes: int
    scale: int = 1
    rounding: int = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        weights = np.asarray(self.weights, dtype=np.int64)
        if weights.shape != (len(self.learners),) or (weights < 0).any():
            raise InvalidDataError(
                "weights", f"{len(self.learners)} integers of at least 0", f"{self.weights!r}"
            )
        object.__setattr__(self, "weights", weights)
        largest = sum(
            w * int(np.abs(one.scores).max(initial=0))
            for w, one in zip(weights.tolist(), self.learners, strict=True)
        )
        if 2 * largest > LARGEST_SUM:
            raise ScoreOverflowError(2 * largest, LARGEST_SUM)

    @property
    def total(self) -> int:
        """Sum of weights times the score range: the largest margin that weights alone allow."""
        return int(self.weights.sum()) * self.scale

    def scores(self, codes: ArrayLike) -> NDArray[np.int64]:
        """Return the weighted scores of each sample, shape (n, n_classes)."""
        samples = as_codes(codes)
        out = np.zeros((len(samples), self.n_classes), dtype=np.int64)
        roots, feature, cut, left, right, leaf, leaf_scores = self._flat
        add_scores(samples, roots, feature, cut, left, right, leaf, leaf_scores, out)
        return out

    def predict(self, codes: ArrayLike) -> NDArray[np.int64]:
        """Return the index of the class of the largest score (the first of equals), shape (n,)."""
        return self.scores(codes).argmax(axis=1)

    def margins(self, codes: ArrayLike, labels: ArrayLike) -> NDArray[np.int64]:
        """Return by how much the score of the label exceeds that of each class.

        Parameters
        ----------
        codes : array-like of int, shape (n, n_features)
        labels : array-like of int, shape (n,)

        Returns
        -------
        ndarray of int64, shape (n, n_classes)
            `NO_RIVAL` in the column of the label itself.
        """
        scores = self.scores(codes)
        rows, own = np.arange(len(scores)), np.asarray(labels, dtype=np.int64)
        margins = scores[rows, own][:, None] - scores
        margins[rows, own] = NO_RIVAL
        return margins

    @cached_property
    def _flat(self) -> tuple[NDArray[Any], ...]:
        """Roots, nodes and weighted leaf scores of the learners of positive weight, numbered through."""
        used = [(learner, w) for learner, w in zip(self.learners, self.weights, strict=True) if w > 0]
        first = np.cumsum([0, *(len(learner.feature) for learner, _ in used)])
        leaf = np.cumsum([0, *(learner.n_leaves for learner, _ in used)])

        def chained(arrays: list[NDArray[Any]]) -> NDArray[np.int32]:
            return np.concatenate([np.empty(0, dtype=np.int32), *arrays]).astype(np.int32)

        return (
            first[:-1].astype(np.int64),
            chained([learner.feature for learner, _ in used]),
            chained([learner.cut for learner, _ in used]),
            chained([learner.left + start for (learner, _), start in zip(used, first[:-1], strict=True)]),
            chained([learner.right + start for (learner, _), start in zip(used, first[:-1], strict=True)]),
            chained([learner.leaf + start for (learner, _), start in zip(used, leaf[:-1], strict=True)]),
            np.concatenate(
                [np.empty((0, self.n_classes), dtype=np.int64), *(w * learner.scores for learner, w in used)]
            ),
        )


def integer_ensemble(forest: ForestArrays, grid: SplitGrid) -> IntegerEnsemble:
    """Round an ensemble to integers and say how far the rounding can reach.

    Soft votes become frequencies times `SOFT_SCALE`, hard ones 0 and 1. Equal weights become 1, others are rounded
    relative to the largest, which becomes `WEIGHT_SCALE`.

    Parameters
    ----------
    forest : ForestArrays
    grid : SplitGrid
        With the levels of all trees of the forest.

    Returns
    -------
    IntegerEnsemble
        ``rounding`` bounds the change of any margin, summed over the learners from their own leaves.
    """
    scale = SOFT_SCALE if forest.votes == "soft" else 1
    equal = np.ptp(forest.weights) == 0
    exact = forest.weights / forest.weights.max() * (1 if equal else WEIGHT_SCALE)
    weights = np.rint(exact).astype(np.int64)
    learners, error = [], float(np.abs(weights - exact).sum()) * scale
    for k, tree in enumerate(forest.trees):
        wanted = tree.scores * scale
        scores = np.rint(wanted).astype(np.int64)
        learners.append(Learner.on_grid(tree, grid, scores, k))
        error += int(weights[k]) * float(np.ptp(scores - wanted, axis=1)[tree.feature < 0].max())
    # Floating-point noise of this sum is far below 1e-6, and a margin of 1 - 1e-6 is still a margin.
    rounding = max(math.ceil(error - 1e-6), 0)
    return IntegerEnsemble(tuple(learners), weights, len(forest.classes), scale, rounding=rounding)
