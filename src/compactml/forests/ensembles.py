"""scikit-learn's tree ensembles seen as flat lists of trees.

scikit-learn compares ``float32(x) <= threshold`` with a float64 threshold and goes left on
equality; tests for missing values and categories do not occur in what is accepted here.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.ensemble import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.tree import BaseDecisionTree
from sklearn.tree._tree import Tree

from compactml.errors import InvalidDataError
from compactml.forests._kernels import count_distinct
from compactml.forests.errors import UnfittedEnsembleError, UnsupportedEnsembleError

SUPPORTED = (
    RandomForestClassifier,
    RandomForestRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    AdaBoostClassifier,
    AdaBoostRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
)
_PLAIN = (str, int, float, type(None), np.generic)
"""What is not changed in place: a copy may hold the same."""
_ALLOWED = "a fitted scikit-learn " + ", ".join(kind.__name__ for kind in SUPPORTED)


def check_ensemble(ensemble: Any) -> None:
    """Refuse what is not a fitted, supported ensemble of numeric decision trees.

    Raises
    ------
    UnsupportedEnsembleError
        Another type (histogram boosting has categorical splits, for example), an AdaBoost
        ensemble whose members are not decision trees, or trees that ask whether a value is missing.
    UnfittedEnsembleError
        A supported type without fitted trees.
    """
    if not isinstance(ensemble, SUPPORTED):
        raise UnsupportedEnsembleError(kind_of(ensemble), _ALLOWED)
    if not hasattr(ensemble, "estimators_") or len(ensemble.estimators_) == 0:
        raise UnfittedEnsembleError(type(ensemble).__name__)
    for member in members(ensemble):
        if not isinstance(member, BaseDecisionTree):
            raise UnsupportedEnsembleError(
                f"{type(ensemble).__name__} of {type(member).__name__}", "an ensemble of decision trees"
            )
        if np.isinf(member.tree_.threshold).any():  # how scikit-learn writes such a test
            raise UnsupportedEnsembleError(
                f"{type(ensemble).__name__} with a test for missing values", "an ensemble fitted without NaN"
            )


def kind_of(ensemble: Any) -> str:
    """Return the name of the type, and why it may be one that is not supported."""
    name = type(ensemble).__name__
    return f"{name}, which may hold categorical splits" if "Hist" in name else name


def members(ensemble: Any) -> list[Any]:
    """Return the fitted tree estimators in a fixed order (boosting stage, then class).

    Raises
    ------
    UnfittedEnsembleError
        It has none.
    """
    if not hasattr(ensemble, "estimators_"):
        raise UnfittedEnsembleError(type(ensemble).__name__)
    return list(np.asarray(ensemble.estimators_, dtype=object).ravel())


def fitted_trees(ensemble: Any) -> list[Any]:
    """Return the low-level ``tree_`` objects of an ensemble, in the order of `members`.

    Raises
    ------
    UnfittedEnsembleError, UnsupportedEnsembleError
        It has no members, or some that are no fitted trees.
    """
    found = members(ensemble)
    try:
        return [member.tree_ for member in found]
    except AttributeError as error:
        raise UnsupportedEnsembleError(type(ensemble).__name__, _ALLOWED) from error


def check_matrix(ensemble: Any, X: Any) -> np.ndarray:
    """Return ``X`` as a float64 matrix that fits the ensemble.

    Parameters
    ----------
    ensemble : fitted ensemble
    X : array-like or DataFrame, shape (n_samples, n_features)

    Returns
    -------
    ndarray of float64, shape (n_samples, n_features)

    Raises
    ------
    InvalidDataError
        Sparse, not two-dimensional, empty, other columns than the ensemble was fitted on, not real
        numbers, NaN, infinite, or beyond the range of float32 (in which scikit-learn compares).
    """
    if sparse.issparse(X):
        raise InvalidDataError("X", "dense", f"a {type(X).__name__}; use its toarray()")
    if not hasattr(ensemble, "n_features_in_"):
        raise UnfittedEnsembleError(type(ensemble).__name__)
    try:
        unreal = np.iscomplexobj(X)
    except ValueError as error:  # rows of different lengths
        raise InvalidDataError("X", "numeric, in two dimensions", str(error)) from error
    if unreal:
        raise InvalidDataError("X", "numeric", "complex numbers")
    fitted_names = getattr(ensemble, "feature_names_in_", None)
    if fitted_names is not None and hasattr(X, "columns") and list(X.columns) != list(fitted_names):
        raise InvalidDataError(
            "X", f"a frame with the fitted columns {list(fitted_names)}", f"columns {list(X.columns)}"
        )
    try:
        matrix = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidDataError("X", "numeric", f"values that are not numbers ({error})") from error
    expected = ensemble.n_features_in_
    if matrix.ndim != 2 or matrix.shape[1] != expected:
        raise InvalidDataError("X", f"of shape (n_samples, {expected})", f"shape {matrix.shape}")
    if matrix.shape[0] == 0:
        raise InvalidDataError("X", "at least one row", "no row")
    limit = np.finfo(np.float32).max
    if not (np.abs(matrix) <= limit).all():
        kind = "NaN" if np.isnan(matrix).any() else "infinity" if np.isinf(matrix).any() else "larger values"
        raise InvalidDataError("X", "finite and within the range of float32", kind)
    return matrix


def leaves(ensemble: Any, X: np.ndarray) -> np.ndarray:
    """Return the leaf that every row reaches in every tree, by scikit-learn's own ``apply``.

    Returns
    -------
    ndarray of int64, shape (n_samples, n_trees)

    Raises
    ------
    UnsupportedEnsembleError, UnfittedEnsembleError, InvalidDataError
        As `check_ensemble` and `check_matrix`.
    """
    check_ensemble(ensemble)
    X = check_matrix(ensemble, X)
    X32 = np.ascontiguousarray(X, dtype=np.float32)
    return np.column_stack([tree.apply(X32) for tree in fitted_trees(ensemble)])


def count_conditions(ensemble: Any) -> int:
    """Count the distinct branching conditions (feature, threshold) of the whole ensemble (NDC)."""
    check_ensemble(ensemble)
    return conditions_of(fitted_trees(ensemble))


def conditions_of(trees: Sequence[Any]) -> int:
    """Count the distinct branching conditions of trees.

    Raises
    ------
    InvalidDataError
        What is no list of at least one tree.
    """
    listed = isinstance(trees, Sequence) and len(trees) > 0
    if not listed or not all(isinstance(tree, Tree) for tree in trees):
        raise InvalidDataError("trees", "a list of trees, of `fitted_trees`", type(trees).__name__)
    feature = np.concatenate([tree.feature for tree in trees], dtype=np.int32, casting="same_kind")
    return int(count_distinct(feature, np.concatenate([tree.threshold for tree in trees])))


def with_thresholds(
    ensemble: Any, thresholds: Sequence[np.ndarray], nodes: Sequence[np.ndarray] | None = None
) -> Any:
    """Return a deep copy of the ensemble whose trees hold other thresholds.

    Parameters
    ----------
    ensemble : fitted ensemble
        Left untouched.
    thresholds : sequence of ndarray of float64
        One array per tree in the order of `fitted_trees`, one entry per node; entries of leaves are
        ignored.
    nodes : sequence of ndarray of int, optional
        The nodes that have these thresholds, one array per tree; the others keep theirs.

    Raises
    ------
    UnsupportedEnsembleError, UnfittedEnsembleError
        As `check_ensemble`.
    InvalidDataError
        Thresholds or nodes that do not fit the trees.
    """
    _check_thresholds(ensemble, thresholds, nodes)
    changed = _copied(ensemble)
    trees = fitted_trees(changed)
    if nodes is None:
        nodes = [np.flatnonzero(tree.feature >= 0) for tree in trees]
        thresholds = [new[inner] for new, inner in zip(thresholds, nodes, strict=True)]
    for tree, inner, new in zip(trees, nodes, thresholds, strict=True):
        tree.threshold[inner] = new
    return changed


def _check_thresholds(ensemble: Any, thresholds: Any, nodes: Any) -> None:
    trees = fitted_trees(ensemble)
    for name, values in (("thresholds", thresholds), ("nodes", nodes)):
        if name == "nodes" and values is None:
            continue
        arrays = isinstance(values, Sequence) and all(isinstance(one, np.ndarray) for one in values)
        if not arrays or len(values) != len(trees) or not all(one.ndim == 1 for one in values):
            raise InvalidDataError(name, f"a vector for each of {len(trees)} trees", type(values).__name__)
    for t, (tree, new) in enumerate(zip(trees, thresholds, strict=True)):
        size = tree.node_count
        if nodes is not None:
            own = nodes[t]
            if own.dtype.kind not in "iu" or (own.size and not (own.min() >= 0 and own.max() < size)):
                raise InvalidDataError(f"nodes[{t}]", f"nodes in [0, {size})", f"{own.tolist()[:20]}")
            size = own.size
        if new.dtype.kind not in "iuf" or new.shape != (size,):
            raise InvalidDataError(f"thresholds[{t}]", f"{size} numbers", f"{new.dtype} of shape {new.shape}")


def _copied(ensemble: Any) -> Any:
    """A deep copy, whose trees are copied once and not, as `copy.deepcopy` does it, three times."""
    memo: dict[int, Any] = {}
    for member in members(ensemble):
        if id(member) not in memo:
            memo[id(member)] = _copied_member(member, memo)
    return copy.deepcopy(ensemble, memo)


def _copied_member(member: Any, memo: dict[int, Any]) -> Any:
    new = object.__new__(type(member))
    memo[id(member)] = new
    for name, value in vars(member).items():
        if name == "tree_":
            kind, arguments, state = value.__reduce__()
            new.tree_ = memo[id(value)] = kind(*arguments)
            new.tree_.__setstate__(state)
        else:
            new.__dict__[name] = value if isinstance(value, _PLAIN) else copy.deepcopy(value, memo)
    return new
