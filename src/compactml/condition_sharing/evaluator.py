"""What fewer conditions buy: evaluators whose work or memory depends on the number of distinct conditions.

A comparator bank evaluates every distinct condition once per row, as parallel hardware does (Jinguji et al., 2018), and
the trees only look up bits. A ranked ensemble replaces each row by the ranks of its values among the distinct
thresholds of each feature, so that nodes compare small integers: with at most 255 thresholds per feature a byte.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from compactml.condition_sharing._kernels.evaluator import read_bank, read_ranks
from compactml.forests import check_ensemble, fitted_trees


@dataclass(frozen=True)
class ConditionTable:
    """An ensemble with its distinct conditions taken out of the nodes.

    Attributes
    ----------
    feature, threshold : ndarray, shape (n_conditions,)
        The distinct conditions, sorted by feature and threshold.
    first : ndarray of int64, shape (n_features + 1,)
        Conditions ``first[i]`` to ``first[i + 1] - 1`` test feature i.
    condition, left, right : ndarray of int32, shape (n_nodes,)
        Nodes of all trees one after another; condition -1 marks a leaf.
    roots : ndarray of int64, shape (n_trees,)
    """

    feature: np.ndarray
    threshold: np.ndarray
    first: np.ndarray
    condition: np.ndarray
    left: np.ndarray
    right: np.ndarray
    roots: np.ndarray

    @property
    def n_conditions(self) -> int:
        """Number of comparators (NDC)."""
        return int(self.feature.size)

    @property
    def rank_dtype(self) -> np.dtype:
        """Narrowest unsigned integer that holds the rank of a value among the thresholds of its feature."""
        return np.min_scalar_type(int(np.diff(self.first).max(initial=0)))


def condition_table(ensemble: Any) -> ConditionTable:
    """Collect the distinct conditions of a fitted ensemble and number them in its nodes."""
    check_ensemble(ensemble)
    trees = fitted_trees(ensemble)
    feature = np.concatenate([tree.feature for tree in trees])
    threshold = np.concatenate([tree.threshold for tree in trees])
    inner = feature >= 0
    pairs = np.zeros(int(inner.sum()), dtype=[("feature", np.int32), ("threshold", np.float64)])
    pairs["feature"], pairs["threshold"] = feature[inner], threshold[inner]
    distinct, number = np.unique(pairs, return_inverse=True)
    condition = np.full(feature.size, -1, dtype=np.int32)
    condition[inner] = number
    roots = np.concatenate(([0], np.cumsum([tree.node_count for tree in trees])[:-1]))
    shift = np.repeat(roots, [tree.node_count for tree in trees])
    return ConditionTable(
        feature=distinct["feature"].copy(),
        threshold=distinct["threshold"].copy(),
        first=np.searchsorted(distinct["feature"], np.arange(ensemble.n_features_in_ + 1)),
        condition=condition,
        left=(np.concatenate([tree.children_left for tree in trees]) + shift).astype(np.int32),
        right=(np.concatenate([tree.children_right for tree in trees]) + shift).astype(np.int32),
        roots=roots.astype(np.int64),
    )


def leaves_by_bank(table: ConditionTable, X32: np.ndarray) -> np.ndarray:
    """Leaves by the comparator bank: all conditions of a row first, then the trees on the stored bits.

    Parameters
    ----------
    table : ConditionTable
    X32 : ndarray of float32, shape (n_samples, n_features)

    Returns
    -------
    ndarray of int32, shape (n_samples, n_trees)
        Positions in the concatenated node arrays.
    """
    return read_bank(X32, table.first, table.threshold, table.condition, table.left, table.right, table.roots)


def leaves_by_ranks(table: ConditionTable, X32: np.ndarray) -> np.ndarray:
    """Leaves by the ranked ensemble: one binary search per value, then integer comparisons in the trees."""
    n_features = table.first.size - 1
    ranks = np.empty(X32.shape, dtype=table.rank_dtype)
    for i in range(n_features):
        thresholds = table.threshold[table.first[i] : table.first[i + 1]]
        ranks[:, i] = np.searchsorted(thresholds, X32[:, i].astype(np.float64), side="left")
    inner = table.condition >= 0
    number = table.condition[inner]
    feature = np.full(inner.size, -1, dtype=np.int32)
    feature[inner] = table.feature[number]
    rank = np.zeros(inner.size, dtype=table.rank_dtype)
    rank[inner] = number - table.first[table.feature[number]]
    return read_ranks(ranks, feature, rank, table.left, table.right, table.roots)
