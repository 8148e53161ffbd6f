"""An independent check of a shared ensemble: scikit-learn itself sends the rows down both ensembles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from compactml.condition_sharing.checking import check_same_trees, check_sample_indices
from compactml.condition_sharing.paths import Paths, find_paths
from compactml.errors import check_fraction
from compactml.forests import check_ensemble, check_matrix, fitted_trees


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
    X: Any,
    *,
    path_change_rate: float = 0.0,
    exceptions: float = 0.0,
    sample_indices: Sequence[Any] | None = None,
) -> Certificate:
    """Compare the paths of the rows in both ensembles with scikit-learn's ``apply`` and ``decision_path``.

    Parameters
    ----------
    original : fitted ensemble
        As in `share_conditions`.
    shared : fitted ensemble
        The same trees with other thresholds.
    X, path_change_rate, exceptions, sample_indices
        As in `share_conditions`.

    Raises
    ------
    UnsupportedEnsembleError, UnfittedEnsembleError
        An ensemble is of another kind, or has no trees yet.
    InvalidDataError
        ``shared`` has other trees; ``X`` is empty, not finite or has other columns; ``sample_indices`` does not fit.
    InvalidParameterError
        A share outside [0, 1).
    """
    check_ensemble(original)
    check_same_trees(original, shared)
    rate = check_fraction("path_change_rate", path_change_rate)
    share = check_fraction("exceptions", exceptions)
    matrix = check_matrix(original, X)
    samples = check_sample_indices(sample_indices, len(fitted_trees(original)), matrix.shape[0])
    return certified(
        original, shared, matrix, path_change_rate=rate, exceptions=share, sample_indices=samples
    )


def certified(
    original: Any,
    shared: Any,
    X: np.ndarray,
    *,
    path_change_rate: float = 0.0,
    exceptions: float = 0.0,
    sample_indices: Sequence[np.ndarray] | None = None,
    paths: Paths | None = None,
) -> Certificate:
    """Compare as `certify` does, with arguments that are checked and the rows' ``paths``, if they are known."""
    paths = find_paths(original, X, sample_indices) if paths is None else paths
    trees = fitted_trees(original)
    over_rate: dict[int, np.ndarray] = {}
    n_changed, largest = 0, 0.0
    for t, (before, after) in enumerate(zip(trees, fitted_trees(shared), strict=True)):
        rows, reached_before = paths.by_leaf(t, before)
        changed = int(np.count_nonzero(reached_before != after.apply(rows)))
        if changed:
            n_changed += changed
            reached, switched = _switches(before, after, rows)
            over_rate[t] = switched > np.floor(path_change_rate * reached + 1e-9)
            largest = max(largest, float((switched / np.maximum(reached, 1)).max()))
    within = True
    if over_rate:
        features = [tree.feature[tree.feature >= 0] for tree in trees]
        over = [over_rate.get(t, np.zeros(feature.size, dtype=bool)) for t, feature in enumerate(features)]
        within = _within_exceptions(np.concatenate(features), np.concatenate(over), exceptions)
    return Certificate(
        n_paths=sum(leaf.size for leaf in paths.leaf),
        n_paths_changed=n_changed,
        n_nodes=sum(tree.node_count - tree.n_leaves for tree in trees),
        n_nodes_over_rate=sum(int(over.sum()) for over in over_rate.values()),
        largest_switch_rate=largest,
        path_change_rate=path_change_rate,
        exceptions=exceptions,
        holds=within,
    )


def _switches(before: Any, after: Any, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows that reach each internal node of the original tree, and those the new threshold sends the other way."""
    visits = before.decision_path(rows)
    row, node = np.repeat(np.arange(len(rows)), np.diff(visits.indptr)), visits.indices
    feature, threshold = before.feature, before.threshold
    inner = feature[node] >= 0
    row, node = row[inner], node[inner]
    values = rows[row, feature[node]]
    switched = (values <= threshold[node]) != (values <= after.threshold[node])
    reached, switches = np.bincount(node, minlength=feature.size), np.bincount(node, switched, feature.size)
    return reached[feature >= 0], switches[feature >= 0]


def _within_exceptions(feature: np.ndarray, over: np.ndarray, exceptions: float) -> bool:
    """No feature has more nodes over the rate than its allowed exceptions."""
    n_nodes, n_over = np.bincount(feature), np.bincount(feature, weights=over)
    return all(
        used <= math.floor(exceptions * size + 1e-9) for size, used in zip(n_nodes, n_over, strict=True)
    )
