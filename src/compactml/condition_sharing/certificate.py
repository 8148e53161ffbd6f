"""An independent check of a shared ensemble: scikit-learn itself sends the rows down both ensembles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from compactml.forests import fitted_trees


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
        changed = int((before.apply(rows) != after.apply(rows)).sum())
        n_paths, n_changed = n_paths + len(rows), n_changed + changed
        inner = before.feature >= 0
        reached, switched = (
            _switches(before, after, rows) if changed else (np.ones(inner.size), np.zeros(inner.size))
        )
        features.append(before.feature[inner])
        over_rate.append(switched[inner] > np.floor(path_change_rate * reached[inner] + 1e-9))
        if changed:
            largest = max(largest, float((switched[inner] / np.maximum(reached[inner], 1)).max()))
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
