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
    """Return the fitted tree estimators in a fixed order (boosting stage, then class)."""
    return list(np.asarray(ensemble.estimators_, dtype=object).ravel())


def fitted_trees(ensemble: Any) -> list[Any]:
    """Return the low-level ``tree_`` objects of a checked ensemble, in the order of `members`."""
    return [member.tree_ for member in members(ensemble)]


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
    if np.iscomplexobj(X):
        raise InvalidDataError("X", "numeric", "complex numbers")
    fitted_names = getattr(ensemble, "feature_names_in_", None)
    if fitted_names is not None and hasattr(X, "columns") and list(X.columns) != list(fitted_names):
        raise InvalidDataError(
            "X", f"a frame with the fitted columns {list(fitted_names)}", f"columns {list(X.columns)}"
        )
    try:
        matrix = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError) as error:
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
    """
    X32 = np.ascontiguousarray(X, dtype=np.float32)
    return np.column_stack([tree.apply(X32) for tree in fitted_trees(ensemble)])


def count_conditions(ensemble: Any) -> int:
    """Count the distinct branching conditions (feature, threshold) of the whole ensemble (NDC)."""
    check_ensemble(ensemble)
    return conditions_of(fitted_trees(ensemble))


def conditions_of(trees: Sequence[Any]) -> int:
    """Count the distinct branching conditions of checked trees."""
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
    """
    changed = _copied(ensemble)
    trees = fitted_trees(changed)
    if nodes is None:
        nodes = [np.flatnonzero(tree.feature >= 0) for tree in trees]
        thresholds = [new[inner] for new, inner in zip(thresholds, nodes, strict=True)]
    for tree, inner, new in zip(trees, nodes, thresholds, strict=True):
        tree.threshold[inner] = new
    return changed


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
