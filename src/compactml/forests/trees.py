"""Classification ensembles and isolation forests of scikit-learn as plain arrays, with what their leaves say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.ensemble import (
    AdaBoostClassifier,
    ExtraTreesClassifier,
    IsolationForest,
    RandomForestClassifier,
)

from compactml.errors import InvalidDataError, InvalidParameterError, check_choice
from compactml.forests.ensembles import check_ensemble, kind_of, members
from compactml.forests.errors import UnfittedEnsembleError, UnsupportedEnsembleError

__all__ = [
    "ForestArrays",
    "TreeArrays",
    "average_path_length",
    "check_classifier",
    "check_kind",
    "forest_arrays",
    "isolation_trees",
]

_FORESTS = (RandomForestClassifier, ExtraTreesClassifier)
_ALLOWED = (
    "a fitted RandomForestClassifier, ExtraTreesClassifier or AdaBoostClassifier of at least two classes"
)


@dataclass(frozen=True, eq=False)
class TreeArrays:
    """One tree, an entry for every node; node 0 is the root.

    Attributes
    ----------
    feature : ndarray of int32, shape (n_nodes,)
        Feature tested, -1 at leaves.
    threshold : ndarray of float64, shape (n_nodes,)
        A sample goes left iff ``float32(x[feature]) <= threshold``.
    left, right : ndarray of int32, shape (n_nodes,)
        Children, -1 at leaves.
    scores : ndarray of float64, shape (n_nodes, n_classes)
        What the node says; meaningful at leaves.

    Examples
    --------
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from compactml.forests import forest_arrays
    >>> forest = RandomForestClassifier(1, bootstrap=False, random_state=0).fit([[0], [1], [2], [3]], [0, 0, 1, 1])
    >>> (tree,) = forest_arrays(forest).trees
    >>> tree.feature.tolist(), float(tree.threshold[0]), tree.scores[1:].tolist()
    ([0, -1, -1], 1.5, [[1.0, 0.0], [0.0, 1.0]])
    """

    feature: NDArray[np.int32]
    threshold: NDArray[np.float64]
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    scores: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ForestArrays:
    """An ensemble (1): the class of the largest weighted sum of scores wins.

    Attributes
    ----------
    trees : tuple of TreeArrays
    weights : ndarray of float64, shape (n_trees,)
    classes : ndarray, shape (n_classes,)
    votes : {"soft", "hard"}
        Leaves give class frequencies, or 1 to one class.

    Examples
    --------
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from compactml.forests import forest_arrays
    >>> forest = RandomForestClassifier(3, max_depth=1, random_state=0).fit([[0], [1], [2], [3]], [0, 0, 1, 1])
    >>> arrays = forest_arrays(forest)
    >>> len(arrays.trees), arrays.classes.tolist(), arrays.votes
    (3, [0, 1], 'soft')
    """

    trees: tuple[TreeArrays, ...]
    weights: NDArray[np.float64]
    classes: NDArray[Any]
    votes: str


def forest_arrays(ensemble: Any, votes: str = "auto") -> ForestArrays:
    """Read a fitted classification ensemble.

    Parameters
    ----------
    ensemble : RandomForestClassifier, ExtraTreesClassifier or AdaBoostClassifier
    votes : {"auto", "soft", "hard"}, default "auto"
        "auto" is what ``predict`` of the ensemble does: soft in forests, hard in AdaBoost (SAMME). Hard votes of a
        forest are another ensemble than scikit-learn's.

    Returns
    -------
    ForestArrays

    Raises
    ------
    UnsupportedEnsembleError
        Regression, gradient or histogram boosting, several outputs, members that are no trees, one class.
    UnfittedEnsembleError
        Not fitted.
    InvalidParameterError
        Unknown votes, or soft votes of AdaBoost, whose members have none.
    """
    check_choice("votes", votes, ("auto", "soft", "hard"))
    check_classifier(ensemble)
    boosted = isinstance(ensemble, AdaBoostClassifier)
    if boosted and votes == "soft":
        raise InvalidParameterError("votes", "'auto' or 'hard' for AdaBoostClassifier", votes)
    hard = boosted or votes == "hard"
    trees = tuple(_classification_tree(member.tree_, hard) for member in members(ensemble))
    weights = ensemble.estimator_weights_[: len(trees)] if boosted else np.ones(len(trees))
    return ForestArrays(
        trees, np.asarray(weights, dtype=np.float64), ensemble.classes_, "hard" if hard else "soft"
    )


def isolation_trees(forest: Any) -> tuple[TreeArrays, ...]:
    """Read a fitted isolation forest; the score of a leaf is its corrected path length p = d + c(n) (20).

    Parameters
    ----------
    forest : IsolationForest

    Returns
    -------
    tuple of TreeArrays
        ``scores`` has one column; features are those of the forest's input, also where a tree saw a subset.

    Raises
    ------
    UnsupportedEnsembleError, UnfittedEnsembleError
    """
    if not isinstance(forest, IsolationForest):
        raise UnsupportedEnsembleError(type(forest).__name__, "a fitted IsolationForest")
    if not hasattr(forest, "estimators_"):
        raise UnfittedEnsembleError(type(forest).__name__)
    read = []
    for member, subset in zip(forest.estimators_, forest.estimators_features_, strict=True):
        tree = member.tree_
        inner = tree.feature >= 0
        feature = np.where(inner, np.asarray(subset)[np.where(inner, tree.feature, 0)], -1)
        lengths = tree.compute_node_depths() - 1 + average_path_length(tree.n_node_samples)
        read.append(_arrays(tree, feature, lengths[:, None]))
    return tuple(read)


def average_path_length(n_samples: ArrayLike) -> NDArray[np.float64]:
    """Return c(n) of (21), the mean path length of an isolation tree on n samples (Liu, Ting and Zhou, 2008).

    Numbers of samples that are none are an `InvalidDataError`.

    >>> average_path_length([1, 2, 256]).round(6).tolist()
    [0.0, 1.0, 10.244771]
    """
    try:
        n = np.asarray(n_samples, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidDataError("n_samples", "numbers of at least 0", str(error)) from error
    if not (n >= 0).all():
        raise InvalidDataError("n_samples", "numbers of at least 0", "NaN or negative numbers")
    safe = np.maximum(n, 3.0)
    formula = 2.0 * (np.log(safe - 1.0) + np.euler_gamma) - 2.0 * (safe - 1.0) / safe
    return np.where(n > 2, formula, np.where(n == 2, 1.0, 0.0))


def check_kind(ensemble: Any) -> None:
    """Raise `UnsupportedEnsembleError` unless this is one of the classifiers that `forest_arrays` reads."""
    if not isinstance(ensemble, (*_FORESTS, AdaBoostClassifier)):
        raise UnsupportedEnsembleError(kind_of(ensemble), _ALLOWED)


def check_classifier(ensemble: Any) -> None:
    """Raise `UnsupportedEnsembleError` or `UnfittedEnsembleError` unless `forest_arrays` can read this."""
    kind = type(ensemble).__name__
    check_kind(ensemble)
    check_ensemble(ensemble)
    if getattr(ensemble, "n_outputs_", 1) != 1:
        raise UnsupportedEnsembleError(f"{kind} of {ensemble.n_outputs_} outputs", _ALLOWED)
    if len(ensemble.classes_) < 2:
        raise UnsupportedEnsembleError(f"{kind} of one class", _ALLOWED)


def _classification_tree(tree: Any, hard: bool) -> TreeArrays:
    frequencies = tree.value[:, 0, :]
    scores = np.eye(frequencies.shape[1])[frequencies.argmax(axis=1)] if hard else frequencies.copy()
    return _arrays(tree, tree.feature, scores)


def _arrays(tree: Any, feature: NDArray[Any], scores: NDArray[np.float64]) -> TreeArrays:
    inner = feature >= 0
    return TreeArrays(
        np.where(inner, feature, -1).astype(np.int32),
        np.where(inner, tree.threshold, 0.0),
        np.where(inner, tree.children_left, -1).astype(np.int32),
        np.where(inner, tree.children_right, -1).astype(np.int32),
        scores,
    )
