"""Compressed ensembles as ordinary scikit-learn ensembles."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import AdaBoostClassifier, RandomForestClassifier, VotingClassifier
from sklearn.preprocessing import LabelEncoder
from sklearn.tree import DecisionTreeClassifier
from sklearn.tree._tree import NODE_DTYPE, Tree

from compactml.forests import SplitGrid
from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.model.learners import Learner

__all__ = ["to_sklearn", "to_tree"]


def to_sklearn(
    ensemble: IntegerEnsemble,
    grid: SplitGrid,
    classes: NDArray[Any],
    feature_names: NDArray[Any] | None = None,
) -> Any:
    """Write an ensemble as one of scikit-learn with the same labels wherever its margin is positive.

    Parameters
    ----------
    ensemble : IntegerEnsemble
    grid : SplitGrid
    classes : ndarray, shape (n_classes,)
    feature_names : ndarray of str, shape (n_features,), optional
        Columns of the DataFrames that the result will be given.

    Returns
    -------
    AdaBoostClassifier, RandomForestClassifier or VotingClassifier
        The first for hard votes, the second for soft votes of equal weight, otherwise soft voting with weights: also
        of merged learners, whose leaves have larger scores than the scale or smaller ones.
    """
    model = _exported(ensemble, grid, classes)
    if feature_names is not None:
        # A voting ensemble hands the frame on to its trees, the others check it themselves.
        for one in model.estimators_ if isinstance(model, VotingClassifier) else [model]:
            one.feature_names_in_ = feature_names
    return model


def _exported(ensemble: IntegerEnsemble, grid: SplitGrid, classes: NDArray[Any]) -> Any:
    if ensemble.scale == 1 and all(_is_one_hot(learner) for learner in ensemble.learners):
        trees = [to_tree(learner, grid, classes, ensemble.scale) for learner in ensemble.learners]
        return _boosted(trees, ensemble.weights, classes)
    indices = np.arange(len(classes))
    votes = [_votes(learner, ensemble.scale) for learner in ensemble.learners]
    trees = [
        to_tree(learner, grid, indices, of_one)
        for learner, of_one in zip(ensemble.learners, votes, strict=True)
    ]
    weights = ensemble.weights * votes
    if np.ptp(weights) == 0:
        return _forest(trees, classes)
    return _voting(trees, weights, classes)


def to_tree(learner: Learner, grid: SplitGrid, classes: NDArray[Any], scale: int) -> DecisionTreeClassifier:
    """Write a learner as a tree on samples, whose leaf values are the scores over ``scale``."""
    inner = learner.feature >= 0
    nodes = np.zeros(len(inner), dtype=NODE_DTYPE)
    nodes["left_child"] = np.where(inner, learner.left, -1)
    nodes["right_child"] = np.where(inner, learner.right, -1)
    nodes["feature"] = np.where(inner, learner.feature, -2)
    nodes["threshold"] = [
        grid.levels[j][cut] if j >= 0 else -2.0 for j, cut in zip(learner.feature, learner.cut, strict=True)
    ]
    nodes["n_node_samples"] = nodes["weighted_n_node_samples"] = 1
    values = np.zeros((len(inner), 1, len(classes)))
    values[~inner, 0] = learner.scores[learner.leaf[~inner]] / scale
    tree = Tree(grid.n_features, np.array([len(classes)], dtype=np.intp), 1)
    tree.__setstate__(
        {"max_depth": learner.depth, "node_count": len(inner), "nodes": nodes, "values": values}
    )
    model = DecisionTreeClassifier()
    model.tree_, model.classes_, model.n_classes_ = tree, classes, len(classes)
    model.n_features_in_, model.n_outputs_, model.max_features_ = grid.n_features, 1, grid.n_features
    return model


def _votes(learner: Learner, scale: int) -> int:
    """What the scores of a leaf sum to: the scale up to their rounding, but for merged learners."""
    sums = learner.scores.sum(axis=1)
    rounded = (np.abs(sums - scale) <= learner.scores.shape[1]).all()
    return scale if rounded else int(sums.max()) or 1  # a tree without any say has scores of 0


def _is_one_hot(learner: Learner) -> bool:
    return bool(((learner.scores != 0).sum(axis=1) == 1).all() and (learner.scores.max(axis=1) == 1).all())


def _boosted(
    trees: list[DecisionTreeClassifier], weights: NDArray[np.int64], classes: NDArray[Any]
) -> AdaBoostClassifier:
    model = AdaBoostClassifier(n_estimators=len(trees))
    model.estimators_, model.estimator_weights_ = trees, weights.astype(np.float64)
    model.estimator_errors_ = np.full(len(trees), np.nan)  # of no training run
    model.classes_, model.n_classes_ = classes, len(classes)
    model.n_features_in_ = trees[0].n_features_in_
    return model


def _forest(trees: list[DecisionTreeClassifier], classes: NDArray[Any]) -> RandomForestClassifier:
    model = RandomForestClassifier(n_estimators=len(trees))
    model.estimators_, model.estimator_ = trees, DecisionTreeClassifier()
    model.classes_, model.n_classes_, model.n_outputs_ = classes, len(classes), 1
    model.n_features_in_ = trees[0].n_features_in_
    return model


def _voting(
    trees: list[DecisionTreeClassifier], weights: NDArray[np.int64], classes: NDArray[Any]
) -> VotingClassifier:
    named = [(f"tree_{k}", tree) for k, tree in enumerate(trees)]
    model = VotingClassifier(named, voting="soft", weights=weights.tolist())
    model.estimators_, model.named_estimators_ = trees, dict(named)
    model.classes_, model.le_ = classes, LabelEncoder().fit(classes)
    return model
