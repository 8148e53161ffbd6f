"""An independent check of a shared ensemble: scikit-learn itself sends the rows down both ensembles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from compactml.forests import fitted_trees

NARROW = 32
"""Features up to which the rows are put in order anew for each tree."""
DEEP = 8
"""Depth from which on that pays."""


@dataclass(frozen=True)
class Certificate:
    """What was counted after sharing, without any of the intervals or groups that led to it.

    Attributes
    ----------
    n_paths, n_paths_changed : int
        (row, tree) pairs that count for the ensemble, and those that end in another leaf than before.
    n_nodes, n_nodes_over_rate : int
        Internal nodes, and those where more than the floor of ``path_change_rate`` times the rows at the node
        switch side.
    largest_switch_rate : float
        Largest share of the rows at a node that switch side.
    path_change_rate, exceptions : float
        What was allowed.
    holds : bool
        In each feature, no more nodes over the rate than the floor of ``exceptions`` times its nodes. Without
        either relaxation this says that no path changed.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from compactml.condition_sharing import share_conditions
    >>> X, y = load_iris(return_X_y=True)
    >>> certificate = share_conditions(RandomForestClassifier(5, random_state=0).fit(X, y), X).certificate_
    >>> certificate.holds, certificate.n_paths_changed
    (True, 0)
    """

    n_paths: int
    n_paths_changed: int
    n_nodes: int
    n_nodes_over_rate: int
    largest_switch_rate: float
    path_change_rate: float
    exceptions: float
    holds: bool


def certify(
    original: Any,
    shared: Any,
    X: np.ndarray,
    *,
    path_change_rate: float = 0.0,
    exceptions: float = 0.0,
    sample_indices: Sequence[np.ndarray] | None = None,
) -> Certificate:
    """Compare the paths of the rows in both ensembles with scikit-learn's ``apply`` and ``decision_path``.

    Parameters are those of `share_conditions`; ``X`` is a checked float64 matrix.
    """
    X32 = np.ascontiguousarray(X, dtype=np.float32)
    n_paths = n_changed = 0
    features, over_rate, largest = [], [], 0.0
    for t, (before, after) in enumerate(zip(fitted_trees(original), fitted_trees(shared), strict=True)):
        rows = X32 if sample_indices is None else X32[sample_indices[t]]
        reached_before = before.apply(rows)
        if X32.shape[1] <= NARROW and before.max_depth >= DEEP:
            order = _by_leaf(reached_before, before.node_count)
            rows, reached_before = rows[order], reached_before[order]
        changed = int((reached_before != after.apply(rows)).sum())
        n_paths, n_changed = n_paths + len(rows), n_changed + changed
        feature = before.feature
        inner = feature >= 0
        features.append(feature[inner])
        if changed:
            reached, switched = _switches(before, after, rows)
            over_rate.append(switched[inner] > np.floor(path_change_rate * reached[inner] + 1e-9))
            largest = max(largest, float((switched[inner] / np.maximum(reached[inner], 1)).max()))
        else:
            over_rate.append(np.zeros(features[-1].size, dtype=bool))
        if t == 0 and sample_indices is None:  # rows that are alike in one tree are alike in the others
            X32 = X32[_by_leaf(reached_before, before.node_count)] if rows is X32 else rows
    feature, over = np.concatenate(features), np.concatenate(over_rate)
    return Certificate(
        n_paths=n_paths,
        n_paths_changed=n_changed,
        n_nodes=feature.size,
        n_nodes_over_rate=int(over.sum()),
        largest_switch_rate=largest,
        path_change_rate=path_change_rate,
        exceptions=exceptions,
        holds=_within_exceptions(feature, over, exceptions),
    )


def _by_leaf(reached: np.ndarray, n_nodes: int) -> np.ndarray:
    """An order in which rows of the same leaf lie together: their paths are then foreseen by the processor."""
    narrow = reached.astype(np.uint16) if n_nodes <= np.iinfo(np.uint16).max else reached
    return np.argsort(narrow, kind="stable")


def _switches(before: Any, after: Any, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows that reach each node of the original tree, and those the new threshold sends the other way."""
    visits = before.decision_path(rows).tocoo()
    row, node = visits.row, visits.col
    inner = before.feature[node] >= 0
    row, node = row[inner], node[inner]
    values = rows[row, before.feature[node]]
    switched = (values <= before.threshold[node]) != (values <= after.threshold[node])
    size = before.node_count
    return np.bincount(node, minlength=size), np.bincount(node, weights=switched, minlength=size)


def _within_exceptions(feature: np.ndarray, over: np.ndarray, exceptions: float) -> bool:
    """No feature has more nodes over the rate than its allowed exceptions."""
    n_nodes, n_over = np.bincount(feature), np.bincount(feature, weights=over)
    return all(
        used <= math.floor(exceptions * size + 1e-9) for size, used in zip(n_nodes, n_over, strict=True)
    )
