"""scikit-learn's decision trees and ensembles of them as plain data, and back.

A tree that comes back is built by scikit-learn's own ``__setstate__``, after a look at everything that its compiled
code takes for granted: children lie in the tree and no node has two parents, features exist, and the depth, which says
how much room a path has, is counted anew.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.dummy import DummyClassifier, DummyRegressor
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
from sklearn.tree import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreeClassifier,
    ExtraTreeRegressor,
)
from sklearn.tree._tree import Tree

from compactml.errors import InvalidParameterError
from compactml.kept import Kept, columns_of, plain_parameters, set_columns, set_parameters

__all__ = ["ENSEMBLES", "TREES", "check_children", "model_of", "state_of"]

TREES = (DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, ExtraTreeRegressor)
BAGGED = (RandomForestClassifier, RandomForestRegressor, ExtraTreesClassifier, ExtraTreesRegressor)
BOOSTED = (AdaBoostClassifier, AdaBoostRegressor)
GRADIENT = (GradientBoostingClassifier, GradientBoostingRegressor)
ENSEMBLES = (*BAGGED, *BOOSTED, *GRADIENT)
KNOWN = {kind.__name__: kind for kind in (*TREES, *ENSEMBLES)}
MOST_CLASSES = 2**31 - 1
LEFT_OUT = (
    "estimator",
    "base_estimator",
    "random_state",
    "init",
    "monotonic_cst",
    "max_features",
    "class_weight",
)
"""Parameters that do nothing once a model is fitted and may be no plain data."""


def state_of(model: Any) -> dict[str, Any]:
    """Return what is to be kept of a fitted tree, or an ensemble of trees.

    Raises
    ------
    InvalidParameterError
        Another kind of model, several classes of outputs, or gradient boosting that starts from another model.
    """
    kind = type(model).__name__
    if type(model) not in (*TREES, *ENSEMBLES):
        allowed = "a fitted " + ", ".join(KNOWN) + ", to be written to a file"
        raise InvalidParameterError("model", allowed, model)
    if not hasattr(model, "tree_") and not hasattr(model, "estimators_"):
        raise InvalidParameterError("model", "fitted, to be written to a file", model)
    if "Classifier" in kind and getattr(model, "n_outputs_", 1) != 1:
        raise InvalidParameterError("model", "a classifier of one output, to be written to a file", model)
    state = {"kind": kind, "parameters": plain_parameters(model, LEFT_OUT), **columns_of(model)}
    if "Classifier" in kind:
        state["classes"] = model.classes_
    if isinstance(model, TREES):
        return state | {"tree": _tree_state(model.tree_), "n_outputs": int(model.n_outputs_)}
    state["members"] = [state_of(member) for member in np.asarray(model.estimators_, dtype=object).ravel()]
    if isinstance(model, BAGGED):
        state["n_outputs"] = int(model.n_outputs_)
    elif isinstance(model, BOOSTED):
        state |= {"weights": model.estimator_weights_, "errors": model.estimator_errors_}
    else:
        state |= {"a_stage": model.estimators_.shape[1], "start": _start(model), "scores": model.train_score_}
    return state


def model_of(kept: Kept) -> Any:
    """Return the model that `state_of` took apart.

    Raises
    ------
    InvalidDataError
        Data that are none of a model, or that scikit-learn's compiled code would not survive.
    """
    kind = KNOWN[kept.text("kind", KNOWN)]
    model = kind()
    set_parameters(model, kept)
    n_features = set_columns(model, kept)
    classifier = "Classifier" in kind.__name__
    if classifier:
        model.classes_ = kept.array("classes", "biufUO", [None])
        if not len(model.classes_):
            raise kept.refuse("classes", "at least one class", "none")
        model.n_classes_ = len(model.classes_)
    n_classes = model.n_classes_ if classifier else 1
    if kind in TREES:
        model.n_outputs_ = 1 if classifier else kept.integer("n_outputs", 1, MOST_CLASSES)
        model.max_features_ = n_features
        model.tree_ = _tree_of(kept.part("tree"), n_features, n_classes, model.n_outputs_)
        return model
    members = [_member(part, kind, n_features) for part in kept.parts("members")]
    if not members:
        raise kept.refuse("members", "at least one tree", "none")
    if kind in GRADIENT:
        return _gradient(model, members, kept)
    outputs = 1 if kind in BOOSTED or classifier else kept.integer("n_outputs", 1, MOST_CLASSES)
    for member in members:
        if member.tree_.n_outputs != outputs or (classifier and member.n_classes_ != n_classes):
            raise kept.refuse("members", "trees of the ensemble's classes and outputs", "others")
    model.estimators_, model.estimator_ = members, type(members[0])()
    if kind in BOOSTED:
        model.estimator_weights_ = kept.array("weights", "f", [None])
        model.estimator_errors_ = kept.array("errors", "f", [None])
        if len(model.estimator_weights_) < len(members):
            raise kept.refuse("weights", "a number for each tree", f"{len(model.estimator_weights_)}")
    else:
        model.n_outputs_ = outputs
    return model


def check_children(kept: Kept, inner: NDArray[np.bool_], left: NDArray[Any], right: NDArray[Any]) -> None:
    """Refuse children that are outside of a tree, or that make a path endless: node 0 is the root.

    Parameters
    ----------
    kept : Kept
        For the message.
    inner : ndarray of bool, shape (n_nodes,)
        Nodes with a test.
    left, right : ndarray of int, shape (n_nodes,)
    """
    children = np.concatenate([left[inner], right[inner]])
    n_nodes = len(inner)
    if n_nodes == 0 or (children < 1).any() or (children >= n_nodes).any():
        raise kept.refuse("children", f"nodes in [1, {n_nodes})", "others")
    if len(np.unique(children)) != len(children):
        raise kept.refuse("children", "nodes with one parent each", "one with two")


def _tree_state(tree: Any) -> dict[str, Any]:
    state = tree.__getstate__()
    nodes = state["nodes"]
    fields = {name: np.ascontiguousarray(nodes[name]) for name in nodes.dtype.names}
    return {"nodes": fields, "values": np.ascontiguousarray(state["values"])}


def _tree_of(kept: Kept, n_features: int, n_classes: int, n_outputs: int) -> Any:
    """A tree whose arrays are checked."""
    values = kept.array("values", "f", [None, n_outputs, n_classes])
    n_nodes, fields = len(values), kept.part("nodes")
    left = fields.within("left_child", -1, n_nodes - 1, [n_nodes])
    right = fields.within("right_child", -1, n_nodes - 1, [n_nodes])
    inner = left != -1
    check_children(fields, inner, left, right)
    if (right[~inner] != -1).any():
        raise fields.refuse("right_child", "-1 at leaves", "another node")
    feature = fields.array("feature", "i", [n_nodes])
    if ((feature[inner] < 0) | (feature[inner] >= n_features)).any():
        raise fields.refuse("feature", f"columns in [0, {n_features})", "others")
    blank = Tree(n_features, np.full(n_outputs, n_classes, dtype=np.intp), n_outputs)
    nodes = np.zeros(n_nodes, dtype=blank.__getstate__()["nodes"].dtype)
    for name in nodes.dtype.names or ():
        nodes[name] = fields.array(name, "fiu", [n_nodes])
    if np.isnan(nodes["threshold"]).any():
        raise fields.refuse("threshold", "numbers", "NaN")
    depth = _depth(inner, left, right)
    state = {"max_depth": depth, "node_count": n_nodes, "nodes": nodes, "values": values.astype(np.float64)}
    blank.__setstate__(state)
    return blank


def _depth(inner: NDArray[np.bool_], left: NDArray[Any], right: NDArray[Any]) -> int:
    """The longest path, level by level."""
    level, depth = np.zeros(1, dtype=np.intp), 0
    while inner[level].any():
        tested = level[inner[level]]
        level, depth = np.concatenate([left[tested], right[tested]]), depth + 1
    return depth


def _member(kept: Kept, kind: type, n_features: int) -> Any:
    member = model_of(kept)
    classifier = "Classifier" in kind.__name__ and kind not in GRADIENT
    if not isinstance(member, TREES) or ("Classifier" in type(member).__name__) != classifier:
        raise kept.refuse("kind", f"a tree of {kind.__name__}", type(member).__name__)
    if member.n_features_in_ != n_features:
        raise kept.refuse("n_features", f"{n_features}", f"{member.n_features_in_}")
    return member


def _start(model: Any) -> NDArray[np.float64]:
    """What gradient boosting starts from: shares of the classes, or one number."""
    if isinstance(model.init_, DummyClassifier) and model.init_.strategy == "prior":
        return np.asarray(model.init_.class_prior_, dtype=np.float64)
    if isinstance(model.init_, DummyRegressor):
        return np.asarray(model.init_.constant_, dtype=np.float64).ravel()
    raise InvalidParameterError("init", "None, for a model to be written to a file", model.init)


def _gradient(model: Any, members: list[Any], kept: Kept) -> Any:
    """Gradient boosting, with what scikit-learn computes of its parameters."""
    classifier = isinstance(model, GradientBoostingClassifier)
    n_classes = model.n_classes_ if classifier else 1
    a_stage = kept.integer("a_stage", 1, MOST_CLASSES)
    if a_stage != (n_classes if n_classes > 2 else 1) or len(members) % a_stage:
        raise kept.refuse("members", "a tree for each class in each stage", f"{len(members)}")
    if any(member.tree_.n_outputs != 1 for member in members):
        raise kept.refuse("members", "trees of one output", "others")
    stages = np.empty(len(members), dtype=object)
    stages[:] = members
    model.estimators_ = stages.reshape(-1, a_stage)
    model.n_estimators_, model.n_trees_per_iteration_ = len(model.estimators_), a_stage
    model.max_features_ = model.n_features_in_
    model.train_score_ = kept.array("scores", "f", [None])
    model._loss = model._get_loss(sample_weight=None)
    start = kept.array("start", "f", [n_classes])
    # by scikit-learn itself, so that it has all its attributes, and then with the numbers that were written
    rows, targets = np.zeros((n_classes, model.n_features_in_)), np.arange(n_classes)
    model.init_ = (DummyClassifier(strategy="prior") if classifier else DummyRegressor()).fit(rows, targets)
    if classifier:
        model.init_.class_prior_ = start
        model.init_.classes_ = np.arange(n_classes).astype(np.float64)
    else:
        model.init_.constant_ = start.reshape(1, 1)
    return model
