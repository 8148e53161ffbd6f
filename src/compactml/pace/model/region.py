"""The region in which predictions must agree: confidence (4) and plausibility (5), decided in integers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from compactml.errors import InvalidParameterError
from compactml.forests import SplitGrid, average_path_length, isolation_trees
from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.model.learners import Learner, as_codes

__all__ = ["LENGTH_SCALE", "IsolationGrid", "Region", "isolation_grid", "length_threshold", "region", "share"]

LENGTH_SCALE = 1000
"""A path length of 1 in integers."""


@dataclass(frozen=True, eq=False)
class IsolationGrid:
    """An isolation forest on the grid: one column of integer path lengths per leaf.

    Attributes
    ----------
    learners : tuple of Learner
        Scores of shape (n_leaves, 1): p of (20) times `LENGTH_SCALE`, rounded.
    """

    learners: tuple[Learner, ...]

    def lengths(self, codes: ArrayLike) -> NDArray[np.int64]:
        """Return pi(x) of (5) in units of 1 / `LENGTH_SCALE`, shape (n,)."""
        return self._sum.scores(codes)[:, 0]

    @cached_property
    def _sum(self) -> IntegerEnsemble:
        return IntegerEnsemble(self.learners, np.ones(len(self.learners), dtype=np.int64), 1, LENGTH_SCALE)


@dataclass(frozen=True, eq=False)
class Region:
    """Samples that the initial ensemble is sure of and that look like the training samples.

    A sample belongs to it iff the initial ensemble's margin against every other class is at least ``least_margin``
    (at least 1, so ties never belong) and its path length is at least ``least_length``.

    Attributes
    ----------
    initial : IntegerEnsemble
    least_margin : int
    isolation : IsolationGrid or None
        None if every sample is plausible (beta = 0).
    least_length : int
        In units of 1 / `LENGTH_SCALE`.
    """

    initial: IntegerEnsemble
    least_margin: int
    isolation: IsolationGrid | None = None
    least_length: int = 0

    def contains(self, codes: ArrayLike) -> NDArray[np.bool_]:
        """Return which samples belong to the region, shape (n,)."""
        samples = as_codes(codes)
        inside = self.margins(samples) >= self.least_margin
        inside[inside] = self.plausible(samples[inside])
        return inside

    def plausible(self, codes: ArrayLike) -> NDArray[np.bool_]:
        """Return which samples the isolation forest does not flag (5), shape (n,)."""
        if self.isolation is None:
            return np.ones(len(as_codes(codes)), dtype=bool)
        return self.isolation.lengths(codes) >= self.least_length

    def labels(self, codes: ArrayLike) -> NDArray[np.int64]:
        """Return the initial label of each sample, unique inside the region, shape (n,)."""
        return self.initial.predict(codes)

    def margins(self, codes: ArrayLike) -> NDArray[np.int64]:
        """Return the initial ensemble's margin against the runner-up, shape (n,)."""
        scores = np.sort(self.initial.scores(codes), axis=1)
        return scores[:, -1] - scores[:, -2]


def region(
    initial: IntegerEnsemble,
    grid: SplitGrid,
    X: ArrayLike,
    *,
    alpha: float = 0.0,
    beta: float = 0.0,
    isolation_forest: Any = None,
) -> Region:
    """Build the region of (4) and (5).

    Parameters
    ----------
    initial : IntegerEnsemble
    grid : SplitGrid
        With the levels of the initial ensemble and, if beta > 0, of the isolation forest.
    X : array-like, shape (n, n_features)
        Training samples; they decide what path length beta means.
    alpha : float, default 0.0
        Least margin as a share of the total weight, in [0, 1]. At 0 the margin must only exceed what rounding to
        integers may have changed, so that scikit-learn's prediction is the integer ensemble's, whatever it does
        with ties.
    beta : float, default 0.0
        Share of the training samples that may be flagged as outliers, in [0, 1]; 0 flags nothing.
    isolation_forest : IsolationForest, optional
        Needed if beta > 0.

    Returns
    -------
    Region

    Raises
    ------
    InvalidParameterError
        alpha or beta outside [0, 1], or no isolation forest where one is needed.
    """
    least_margin = max(initial.rounding + 1, math.ceil(share("alpha", alpha) * initial.total))
    flagged = share("beta", beta)
    if flagged == 0:
        return Region(initial, least_margin)
    if isolation_forest is None:
        raise InvalidParameterError("isolation_forest", "a fitted IsolationForest if beta > 0", None)
    isolation = isolation_grid(isolation_forest, grid)
    return Region(initial, least_margin, isolation, _quantile(isolation.lengths(grid.codes(X)), flagged))


def isolation_grid(forest: Any, grid: SplitGrid) -> IsolationGrid:
    """Put a fitted isolation forest on a grid that has its levels."""
    learners = []
    for tree in isolation_trees(forest):
        lengths = np.rint(tree.scores * LENGTH_SCALE).astype(np.int64)
        learners.append(Learner.on_grid(tree, grid, lengths, None))
    return IsolationGrid(tuple(learners))


def length_threshold(tau: float, n_trees: int, n_samples: int) -> float:
    """Return beta of (23): the anomaly score (22) is at most ``tau`` iff the path lengths sum to at least this.

    >>> round(length_threshold(0.5, 10, 8), 5)
    32.96252
    """
    return -n_trees * float(average_path_length(n_samples)) * math.log2(tau)


def share(name: str, value: Any) -> Fraction:
    """Return a number in [0, 1] as it is written: 0.1 is a tenth, so that 0.1 of 100 is 10 and not a bit more.

    Raises
    ------
    InvalidParameterError
    """
    number = isinstance(value, float | int | np.floating | np.integer) and not isinstance(value, bool)
    if not number or not 0 <= value <= 1:
        raise InvalidParameterError(name, "a number in [0, 1]", value)
    return Fraction(repr(float(value)))


def _quantile(lengths: NDArray[np.int64], flagged: Fraction) -> int:
    """Return the largest threshold with at most the share ``flagged`` of the lengths strictly below it."""
    order = np.sort(lengths)
    n_below = math.floor(flagged * len(order))
    return int(order[n_below]) if n_below < len(order) else int(order[-1]) + 1
