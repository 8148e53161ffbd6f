"""The finite grid of cells that a set of trees can tell apart, exactly as scikit-learn compares.

scikit-learn goes left iff ``float32(x) <= threshold`` with a float64 threshold, hence iff float32(x) is at most the
largest float32 below or at the threshold. Floored like this, every cell between two levels holds a float32 number.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from compactml.errors import InvalidDataError, check_integer
from compactml.forests.trees import TreeArrays

__all__ = ["SplitGrid", "floor_to_float32"]


MOST_FEATURES = 1_000_000


def floor_to_float32(values: ArrayLike) -> NDArray[np.float32]:
    """Return the largest float32 numbers that are not above the values, which are an `InvalidDataError` if none."""
    try:
        exact = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidDataError("values", "numbers", str(error)) from error
    nearest = exact.astype(np.float32)
    return np.where(nearest > exact, np.nextafter(nearest, np.float32(-np.inf)), nearest)


@dataclass(frozen=True, eq=False)
class SplitGrid:
    """All split levels of each feature, sorted; a sample becomes one integer per feature.

    The code of x_j is the number of levels below it: i means s_i < x_j <= s_{i+1} (appendix C.2 of the Pace paper), so
    x_j <= s_{k+1} iff the code is at most k.

    Attributes
    ----------
    levels : tuple of ndarray of float32
        One increasing array per feature, empty where no tree tests the feature.
    integral : ndarray of bool, shape (n_features,)
        Features whose sample space is the whole numbers; their levels are whole numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from compactml.forests import SplitGrid, forest_arrays
    >>> forest = RandomForestClassifier(1, bootstrap=False, random_state=0).fit([[0], [1], [2], [3]], [0, 0, 1, 1])
    >>> grid = SplitGrid.from_trees(forest_arrays(forest).trees, 1)
    >>> [levels.tolist() for levels in grid.levels], grid.codes(np.array([[1.0], [2.0]])).tolist()
    ([[1.5]], [[0], [1]])
    """

    levels: tuple[NDArray[np.float32], ...]
    integral: NDArray[np.bool_]

    @classmethod
    def from_trees(
        cls, trees: Iterable[TreeArrays], n_features: int, integral: ArrayLike | None = None
    ) -> SplitGrid:
        """Collect the levels of all trees.

        Parameters
        ----------
        trees : iterable of TreeArrays
        n_features : int
        integral : array-like of bool, shape (n_features,), optional
            Features with whole values only; by default none. Without it, thresholds 2.2 and 2.7 would make a cell that
            no sample of a binned feature can be in.
        """
        check_integer("n_features", n_features, 0, MOST_FEATURES)
        try:
            whole = np.zeros(n_features, dtype=bool) if integral is None else np.asarray(integral, dtype=bool)
        except (TypeError, ValueError) as error:
            raise InvalidDataError("integral", f"{n_features} truth values", str(error)) from error
        if whole.shape != (n_features,):
            raise InvalidDataError("integral", f"of shape ({n_features},)", f"shape {whole.shape}")
        listed = list(trees)
        features = np.concatenate([np.empty(0, dtype=np.int32), *(tree.feature for tree in listed)])
        thresholds = np.concatenate([np.empty(0), *(tree.threshold for tree in listed)])
        levels = tuple(
            np.unique(_floor(thresholds[features == j], bool(whole[j]))) for j in range(n_features)
        )
        return cls(levels, whole)

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Number of codes of each feature, shape (n_features,)."""
        return np.array([len(levels) + 1 for levels in self.levels], dtype=np.int64)

    @property
    def n_features(self) -> int:
        return len(self.levels)

    @property
    def n_cells(self) -> int:
        """Number of cells, exact however large."""
        return math.prod(self.sizes.tolist())

    def codes(self, X: ArrayLike) -> NDArray[np.int32]:
        """Return the cell of each sample.

        Parameters
        ----------
        X : array-like, shape (n, n_features)

        Returns
        -------
        ndarray of int32, shape (n, n_features)

        Raises
        ------
        InvalidDataError
            Another shape, NaN, or values outside the range of float32.
        """
        matrix = self._matrix(X).astype(np.float32)
        codes = np.empty(matrix.shape, dtype=np.int32)
        for j, levels in enumerate(self.levels):
            codes[:, j] = np.searchsorted(levels, matrix[:, j], side="left")
        return codes

    def covers(self, X: ArrayLike) -> NDArray[np.bool_]:
        """Return which samples belong to the sample space: whole numbers in all integral features, shape (n,)."""
        matrix = self._matrix(X)[:, self.integral]
        return (matrix == np.floor(matrix)).all(axis=1)

    def representative(self, codes: ArrayLike) -> NDArray[np.float64]:
        """Return one float32 number from each cell, as float64: the upper end, or just above the last level.

        Parameters
        ----------
        codes : array-like of int, shape (n, n_features)

        Returns
        -------
        ndarray of float64, shape (n, n_features)
        """
        cells = self._cells(codes)
        points = np.empty(cells.shape, dtype=np.float64)
        for j, levels in enumerate(self.levels):
            points[:, j] = np.append(levels, self._above(j))[cells[:, j]]
        return points

    def cuts(self, tree: TreeArrays) -> NDArray[np.int32]:
        """Return for each node the code of the last cell that goes left; -1 at leaves, shape (n_nodes,).

        Raises
        ------
        InvalidDataError
            A threshold of the tree is no level of the grid.
        """
        cut = np.full(len(tree.feature), -1, dtype=np.int32)
        for j in np.unique(tree.feature[tree.feature >= 0]):
            nodes = np.flatnonzero(tree.feature == j)
            wanted = _floor(tree.threshold[nodes], bool(self.integral[j]))
            place = np.searchsorted(self.levels[j], wanted, side="left")
            foreign = wanted != np.append(self.levels[j], np.float32(np.inf))[place]
            if foreign.any():
                split = f"a split of feature {j} at {wanted[foreign][0]}"
                raise InvalidDataError("tree", "one of those the grid was made from", split)
            cut[nodes] = place
        return cut

    def _above(self, j: int) -> np.float32:
        levels = self.levels[j]
        if len(levels) == 0:
            return np.float32(0.0)
        next_up = np.nextafter(levels[-1], np.float32(np.inf))
        return max(next_up, levels[-1] + np.float32(1.0)) if self.integral[j] else next_up

    def _cells(self, codes: ArrayLike) -> NDArray[np.integer]:
        try:
            cells = np.asarray(codes)
        except ValueError as error:  # rows of different lengths
            raise InvalidDataError("codes", "a matrix of integers", str(error)) from error
        if cells.ndim != 2 or cells.shape[1] != self.n_features or cells.dtype.kind not in "iu":
            got = f"{cells.dtype} of shape {cells.shape}"
            raise InvalidDataError("codes", f"integers of shape (n, {self.n_features})", got)
        if cells.size and (cells.min() < 0 or (cells >= self.sizes).any()):
            raise InvalidDataError("codes", "cells of the grid", "others")
        return cells

    def _matrix(self, X: ArrayLike) -> NDArray[np.float64]:
        try:
            matrix = np.asarray(X, dtype=np.float64)
        except (TypeError, ValueError, OverflowError) as error:
            raise InvalidDataError("X", "numbers in two dimensions", str(error)) from error
        if matrix.ndim != 2 or matrix.shape[1] != self.n_features:
            raise InvalidDataError("X", f"of shape (n_samples, {self.n_features})", f"shape {matrix.shape}")
        if not (np.abs(matrix) <= np.finfo(np.float32).max).all():
            raise InvalidDataError(
                "X", "finite and within the range of float32", "NaN, infinity or larger values"
            )
        return matrix


def _floor(thresholds: ArrayLike, whole: bool) -> NDArray[np.float32]:
    return floor_to_float32(np.floor(thresholds) if whole else thresholds)
