"""The leaves that the rows reach, found once for both uses: the intervals of the nodes, and the certificate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from compactml.forests import fitted_trees

__all__ = ["Paths", "find_paths"]

DEEP = 8
"""Depth from which on it pays to put rows of the same leaf together: the processor then foresees their paths."""
NARROW = 64
"""Features up to which it pays to do so for each tree."""
LARGE = 10_000_000
"""Leaves from which on they are kept in fewer bits."""


@dataclass(frozen=True)
class Paths:
    """Where scikit-learn's own ``apply`` sends the rows in each tree of an ensemble.

    Attributes
    ----------
    seen : ndarray of float32, shape (n_samples, n_features)
        The rows as the trees see them. Those that share a leaf of the first tree lie together, since they are
        alike in the others.
    exact : ndarray of float32 or float64, shape (n_samples, n_features)
        The rows as they are, in the same order; ``seen`` itself where that loses nothing.
    leaf : list of ndarray of int
        The leaf of each row that counts for a tree, one vector per tree.
    samples : sequence of ndarray of int, optional
        The rows that count for each tree; all of them by default.
    """

    seen: np.ndarray
    exact: np.ndarray
    leaf: list[np.ndarray]
    samples: Sequence[np.ndarray] | None = None

    def of_tree(self, rows: np.ndarray, t: int) -> np.ndarray:
        """Those of ``seen`` or ``exact`` that count for tree ``t``, one for each entry of its ``leaf``."""
        return rows if self.samples is None else rows[self.samples[t]]

    def by_leaf(self, t: int, tree: Any) -> tuple[np.ndarray, np.ndarray]:
        """The rows ``seen`` that count for tree ``t`` and their leaves, in an order that is fast to send down it."""
        rows, leaf = self.of_tree(self.seen, t), self.leaf[t]
        if rows.shape[1] > NARROW or tree.max_depth < DEEP:
            return rows, leaf
        order = _order(leaf, tree)
        return rows.take(order, axis=0), leaf[order]


def find_paths(ensemble: Any, X: np.ndarray, sample_indices: Sequence[np.ndarray] | None = None) -> Paths:
    """Send the rows once through each tree.

    Parameters
    ----------
    ensemble : fitted ensemble
        Checked by the caller, as is ``X``.
    X : ndarray of float64, shape (n_samples, n_features)
    sample_indices : sequence of ndarray of int, one per tree, optional
        Rows of ``X`` that count for each tree.
    """
    trees = fitted_trees(ensemble)
    seen = np.ascontiguousarray(X, dtype=np.float32)
    exact = seen if np.array_equal(seen, X) else np.ascontiguousarray(X)
    keep = _narrow if X.shape[0] * len(trees) > LARGE else _as_it_is
    if sample_indices is not None:
        leaf = [keep(tree.apply(seen[rows]), tree) for tree, rows in zip(trees, sample_indices, strict=True)]
        return Paths(seen, exact, leaf, sample_indices)
    if trees[0].max_depth < DEEP:
        return Paths(seen, exact, [keep(tree.apply(seen), tree) for tree in trees])
    first = trees[0].apply(seen)
    order = _order(first, trees[0])
    ordered = seen.take(order, axis=0)
    exact = ordered if exact is seen else exact.take(order, axis=0)
    leaf = [first[order], *(keep(tree.apply(ordered), tree) for tree in trees[1:])]
    return Paths(ordered, exact, leaf)


def _order(leaf: np.ndarray, tree: Any) -> np.ndarray:
    """An order in which rows of the same leaf lie together."""
    return np.argsort(_narrow(leaf, tree), kind="stable")


def _narrow(leaf: np.ndarray, tree: Any) -> np.ndarray:
    """The same numbers in 16 bits if they fit, which are sorted faster, else in 32."""
    return leaf.astype(np.uint16 if tree.node_count <= np.iinfo(np.uint16).max else np.int32)


def _as_it_is(leaf: np.ndarray, tree: Any) -> np.ndarray:
    del tree
    return leaf
