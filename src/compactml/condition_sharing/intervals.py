r"""The interval of thresholds that every node may take without changing any path (Section 3).

For node (j, h) with the test :math:`x_i\le\theta` and the vectors :math:`X_{j,h}` that reach it, the admissible
thresholds are :math:`[\ell_{j,h},u_{j,h})`, between the largest value that goes left and the smallest that goes
right. Rows are sent down one tree at a time by partitioning an index array, as in fitting: a node's rows lie
together, so each step streams through one column instead of chasing pointers.

Paths follow scikit-learn, ``float32(x) <= threshold``; the ends keep the float64 values of the data, because
midpoints of rounded values would send some test rows another way than the paper's tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from compactml.condition_sharing._kernels.intervals import tree_intervals
from compactml.condition_sharing._kernels.leaves import intervals_of_leaves
from compactml.condition_sharing.checking import check_sample_indices
from compactml.condition_sharing.paths import Paths
from compactml.errors import check_fraction
from compactml.forests import check_ensemble, check_matrix, fitted_trees


@dataclass(frozen=True)
class Intervals:
    """Admissible intervals of all internal nodes of an ensemble, tree after tree.

    Attributes
    ----------
    tree, node : ndarray of int32, shape (n_nodes,)
        Position of the node: tree in the order of `compactml.forests.fitted_trees`, node in its arrays.
    feature : ndarray of int32, shape (n_nodes,)
    threshold : ndarray of float64, shape (n_nodes,)
        The original thresholds.
    lower, upper : ndarray of float64, shape (n_nodes,)
        Ends of ``[lower, upper)``; infinite where too few vectors reach the node.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from compactml.condition_sharing import node_intervals
    >>> X, y = load_iris(return_X_y=True)
    >>> found = node_intervals(RandomForestClassifier(5, random_state=0).fit(X, y), X)
    >>> bool(((found.lower <= found.threshold) & (found.threshold < found.upper)).all())
    True
    """

    tree: np.ndarray
    node: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    lower: np.ndarray
    upper: np.ndarray

    @property
    def size(self) -> int:
        """Number of internal nodes."""
        return int(self.feature.size)


def node_intervals(
    ensemble: Any,
    X: Any,
    *,
    path_change_rate: float = 0.0,
    sample_indices: Sequence[Any] | None = None,
) -> Intervals:
    r"""Compute the admissible interval of every internal node.

    Parameters
    ----------
    ensemble : fitted ensemble
        As in `share_conditions`.
    X : array-like or DataFrame, shape (n_samples, n_features)
    path_change_rate : float, default=0.0
        :math:`\sigma` of Problem 4: up to the floor of this share of the vectors at a node may switch side.
    sample_indices : sequence of array-like of int, one per tree, optional
        Rows of ``X`` that count for each tree, with repetitions (Problem 3); all rows by default.

    Returns
    -------
    Intervals
        With :math:`q=\lfloor\sigma|X_{j,h}|\rfloor`, the lower end is the (q+1)-th largest value that goes left and the
        upper end the (q+1)-th smallest that goes right, infinite where there are not so many.

    Raises
    ------
    UnsupportedEnsembleError, UnfittedEnsembleError
        The ensemble is of another kind, or has no trees yet.
    InvalidDataError
        ``X`` is empty, not finite or has other columns; ``sample_indices`` does not fit.
    InvalidParameterError
        A rate outside [0, 1).
    """
    check_ensemble(ensemble)
    rate = check_fraction("path_change_rate", path_change_rate)
    matrix = check_matrix(ensemble, X)
    samples = check_sample_indices(sample_indices, len(fitted_trees(ensemble)), matrix.shape[0])
    return intervals_of(ensemble, matrix, path_change_rate=rate, sample_indices=samples)


def intervals_of(
    ensemble: Any,
    X: np.ndarray,
    *,
    path_change_rate: float = 0.0,
    sample_indices: Sequence[np.ndarray] | None = None,
    paths: Paths | None = None,
) -> Intervals:
    """Compute the intervals of `node_intervals` from arguments that are checked.

    Parameters
    ----------
    ensemble, path_change_rate, sample_indices
        As there.
    X : ndarray of float64, shape (n_samples, n_features)
    paths : Paths, optional
        Where these rows go, if that is known: without a rate the intervals then follow from the leaves.
    """
    trees = fitted_trees(ensemble)
    arrays = [(tree.feature, tree.children_left, tree.children_right) for tree in trees]
    inner = [np.flatnonzero(feature >= 0) for feature, _, _ in arrays]
    stops = np.cumsum([nodes.size for nodes in inner])
    lower, upper = np.empty(stops[-1]), np.empty(stops[-1])
    columns = _columns(X) if paths is None or path_change_rate > 0 else X
    for t, (nodes, stop, (feature, left, right)) in enumerate(
        zip(inner, stops.tolist(), arrays, strict=True)
    ):
        part = slice(stop - nodes.size, stop)
        if paths is not None and path_change_rate == 0:
            rows = paths.of_tree(paths.exact, t)
            leaf = paths.leaf[t].astype(np.int64, copy=False)
            intervals_of_leaves(rows, leaf, feature, left, right, lower[part], upper[part])
        else:
            every = np.arange(X.shape[0]) if sample_indices is None else np.sort(sample_indices[t])
            ends = tree_intervals(
                columns,
                every.astype(np.int32),
                feature.astype(np.int32),
                np.ascontiguousarray(trees[t].threshold),
                left.astype(np.int32),
                right.astype(np.int32),
                trees[t].max_depth,
                path_change_rate,
            )
            lower[part], upper[part] = ends[0][nodes], ends[1][nodes]
    return Intervals(
        tree=np.repeat(np.arange(len(trees), dtype=np.int32), [nodes.size for nodes in inner]),
        node=np.concatenate(inner, dtype=np.int32, casting="same_kind"),
        feature=np.concatenate(
            [feature[nodes] for (feature, _, _), nodes in zip(arrays, inner, strict=True)],
            dtype=np.int32,
            casting="same_kind",
        ),
        threshold=np.concatenate([tree.threshold[nodes] for tree, nodes in zip(trees, inner, strict=True)]),
        lower=lower,
        upper=upper,
    )


def _columns(X: np.ndarray) -> np.ndarray:
    """Feature-major copy, in float32 when that loses nothing: half the memory traffic."""
    columns = np.ascontiguousarray(X.T, dtype=np.float32)
    return columns if np.array_equal(columns, X.T) else np.ascontiguousarray(X.T)
