"""Trees on the grid with integer scores: what the integer programs speak about."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from compactml.forests import SplitGrid, TreeArrays
from compactml.pace.model._kernels import find_leaves

__all__ = ["OPEN", "Learner", "as_codes", "tests_of"]

OPEN = int(np.iinfo(np.int32).max)
"""The upper end of a box that no test bounds."""


@dataclass(frozen=True, eq=False)
class Learner:
    """A tree on codes: go left iff ``code[feature] <= cut``.

    Attributes
    ----------
    feature, cut, left, right : ndarray of int32, shape (n_nodes,)
        Node 0 is the root; ``feature`` is -1 at leaves.
    leaf : ndarray of int32, shape (n_nodes,)
        Number of the leaf, -1 at inner nodes.
    scores : ndarray of int64, shape (n_leaves, n_classes)
    origin : int or None
        Index in the initial ensemble; None if generated.
    """

    feature: NDArray[np.int32]
    cut: NDArray[np.int32]
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    leaf: NDArray[np.int32]
    scores: NDArray[np.int64]
    origin: int | None = None

    @classmethod
    def on_grid(cls, tree: TreeArrays, grid: SplitGrid, scores: ArrayLike, origin: int | None) -> Learner:
        """Translate a tree on samples; ``scores`` are integers of all nodes, shape (n_nodes, n_classes)."""
        return cls._of(tree.feature, grid.cuts(tree), tree.left, tree.right, scores, origin)

    @classmethod
    def on_codes(cls, tree: Any, scores: ArrayLike) -> Learner:
        """Take a generated tree that scikit-learn has fitted on codes.

        Parameters
        ----------
        tree : sklearn.tree._tree.Tree
            The ``tree_`` of a fitted tree.
        scores : array-like of int, shape (n_nodes, n_classes)
        """
        feature = np.where(tree.feature >= 0, tree.feature, -1)
        cut = np.where(feature >= 0, np.floor(tree.threshold), -1)
        return cls._of(feature, cut, tree.children_left, tree.children_right, scores, None)

    @classmethod
    def _of(
        cls, feature: Any, cut: Any, left: Any, right: Any, scores: ArrayLike, origin: int | None
    ) -> Learner:
        at_leaf = np.asarray(feature) < 0
        leaf = np.where(at_leaf, np.cumsum(at_leaf) - 1, -1)

        def nodes(array: Any) -> NDArray[np.int32]:
            return np.ascontiguousarray(array, dtype=np.int32)

        kept = np.ascontiguousarray(np.asarray(scores)[at_leaf], dtype=np.int64)
        return cls(nodes(feature), nodes(cut), nodes(left), nodes(right), nodes(leaf), kept, origin)

    def simplified(self) -> Learner:
        """Return the same function without tests both of whose sides say the same; children come after parents."""
        feature, leaf = self.feature.copy(), self.leaf.copy()
        for node in np.flatnonzero(feature >= 0)[::-1]:
            sides = self.left[node], self.right[node]
            one, other = (self.scores[leaf[side]] for side in sides)
            if feature[sides[0]] < 0 and feature[sides[1]] < 0 and (one == other).all():
                feature[node], leaf[node] = -1, leaf[sides[0]]
        reached = np.zeros(len(feature), dtype=bool)
        reached[0] = True
        for node in np.flatnonzero(feature >= 0):
            reached[[self.left[node], self.right[node]]] |= reached[node]
        number = np.where(feature[:, None] >= 0, (np.cumsum(reached) - 1)[[self.left, self.right]].T, -1)
        left, right = number[reached].T
        cut = np.where(feature >= 0, self.cut, -1)[reached]
        return self._of(feature[reached], cut, left, right, self.scores[leaf[reached]], self.origin)

    @property
    def n_leaves(self) -> int:
        return len(self.scores)

    @property
    def depth(self) -> int:
        """Number of tests on the longest path."""
        return int(self.leaf_depths.max())

    @property
    def leaf_depths(self) -> NDArray[np.int64]:
        """Number of tests on the path to each leaf, shape (n_leaves,)."""
        depth, level = np.zeros(len(self.feature), dtype=np.int64), np.zeros(1, dtype=np.int32)
        for tests in count(1):
            inner = level[self.feature[level] >= 0]
            if inner.size == 0:
                break
            level = np.concatenate([self.left[inner], self.right[inner]])
            depth[level] = tests
        return depth[np.flatnonzero(self.leaf >= 0)[np.argsort(self.leaf[self.leaf >= 0])]]

    def leaves_of(self, codes: ArrayLike) -> NDArray[np.int32]:
        """Return the number of the leaf that each sample reaches, shape (n,)."""
        samples = as_codes(codes)
        out = np.empty(len(samples), dtype=np.int32)
        find_leaves(samples, self.feature, self.cut, self.left, self.right, self.leaf, out)
        return out

    def scores_of(self, codes: ArrayLike) -> NDArray[np.int64]:
        """Return the scores of each sample, shape (n, n_classes)."""
        return self.scores[self.leaves_of(codes)]

    def boxes(self) -> list[dict[int, tuple[int, int]]]:
        """Return the box of each leaf: the codes low to high (inclusive) of the features tested on its path.

        ``low`` is 0 and ``high`` is `OPEN` where nothing bounds it; a leaf with low > high cannot be reached.
        """
        boxes: list[dict[int, tuple[int, int]]] = [{} for _ in range(self.n_leaves)]
        stack: list[tuple[int, dict[int, tuple[int, int]]]] = [(0, {})]
        while stack:
            node, box = stack.pop()
            j, cut = int(self.feature[node]), int(self.cut[node])
            if j < 0:
                boxes[self.leaf[node]] = box
                continue
            low, high = box.get(j, (0, OPEN))
            stack.append((int(self.left[node]), {**box, j: (low, min(high, cut))}))
            stack.append((int(self.right[node]), {**box, j: (max(low, cut + 1), high)}))
        return boxes


def tests_of(learners: Iterable[Learner], codes: ArrayLike) -> NDArray[np.int64]:
    """Return how many tests some trees make of each sample together, shape (n,)."""
    samples = as_codes(codes)
    counts = np.zeros(len(samples), dtype=np.int64)
    for learner in learners:
        counts += learner.leaf_depths[learner.leaves_of(samples)]
    return counts


def as_codes(codes: ArrayLike) -> NDArray[np.int32]:
    """Return the codes in the one layout for which the walks are compiled."""
    return np.ascontiguousarray(codes, dtype=np.int32)
