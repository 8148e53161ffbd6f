"""Pricing: a tree with small reduced cost (6), by CART as in the paper or exactly.

A leaf of a new learner says one class, all or nothing: (7) is linear in the scores of a leaf, so one of these is best
(for given splits) among all scores that sum to 1. With S and the duals u fixed, a sample x that is put into a leaf of
class k is worth

    V(x, k) = sum_c u_{x,c}  if k = y(x),   -u_{x,k}  otherwise,

and (7) is the sum of these values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier

from compactml.errors import InvalidDataError, check_choice, check_integer
from compactml.pace.model.faithfulness import FaithfulnessSet
from compactml.pace.model.learners import Learner
from compactml.pace.trees.optimal_trees import optimal_tree
from compactml.pace.weights.master import reduced_cost

__all__ = ["INITIAL", "PRICINGS", "Priced", "cart", "check_depth", "leaf_values", "price"]

PRICINGS = ("cart", "exact")
INITIAL = "initial"
"""The depth of the deepest initial learner, as the largest one of a new learner."""


@dataclass(frozen=True, eq=False)
class Priced:
    """A priced learner.

    Attributes
    ----------
    learner : Learner
    margins : ndarray of int64, shape (m,)
        Its column.
    reduced_cost : float
        r of (6).
    exact : bool
        Whether no tree of this depth has a smaller one: then ``reduced_cost >= 0`` proves that (P1) over S cannot be
        improved by any of them. Of CART it proves nothing.
    """

    learner: Learner
    margins: NDArray[np.int64]
    reduced_cost: float
    exact: bool


def price(
    samples: FaithfulnessSet,
    duals: NDArray[np.float64],
    *,
    pricing: str = "cart",
    max_depth: int | None,
    time_limit: float | None = None,
    random_state: int = 0,
) -> Priced:
    """Find a learner with small reduced cost.

    Parameters
    ----------
    samples : FaithfulnessSet
    duals : ndarray of float, shape (m,)
        u >= 0 of its rows, not all 0.
    pricing : {"cart", "exact"}
        CART on S with the labels as targets and sum_c u_{x,c} as sample weights; or an optimal tree by `pystreed`.
    max_depth : int or None
        At least 1; None for no limit, as in scikit-learn.
    time_limit : float, optional
        Seconds, for "exact"; when they are over the answer is CART's, and not exact. So it is where ``max_depth`` is
        None, or more than `compactml.pace.trees.optimal_trees.DEEPEST`.
    random_state : int, default 0

    Raises
    ------
    InvalidDataError
        Duals of another shape, negative, or all 0.
    InvalidParameterError
    MissingPackageError
        "exact" without `pystreed`.
    """
    check_choice("pricing", pricing, PRICINGS)
    if max_depth is not None:
        check_depth(max_depth)
    m = len(samples.samples)
    if np.shape(duals) != (m,) or not np.min(duals) >= 0 or not np.max(duals) > 0:
        raise InvalidDataError("duals", f"{m} numbers of at least 0, not all 0", f"{duals!r}")
    used, values = leaf_values(samples, duals)
    codes, learner = samples.codes[used], None
    if pricing == "exact" and max_depth is not None:
        learner = optimal_tree(codes, values, max_depth, samples.scale, time_limit)
    exact = learner is not None
    if learner is None:
        learner = cart(codes, samples.labels[used], values, max_depth, samples.scale, random_state)
    margins = samples.column(learner)
    return Priced(learner, margins, reduced_cost(duals, margins / samples.scale), exact)


def check_depth(max_depth: Any) -> None:
    """Raise `InvalidParameterError` unless the largest depth of a tree is an integer of at least 1."""
    check_integer("max_depth", max_depth, 1)


def leaf_values(
    samples: FaithfulnessSet, duals: NDArray[np.float64]
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return the samples with a positive dual, and V of each of them and each class, shape (n', n_classes)."""
    values = np.zeros((len(samples), samples.region.initial.n_classes))
    np.add.at(values, (samples.samples, samples.rivals), -duals)
    own = np.zeros(len(samples))
    np.add.at(own, samples.samples, duals)
    values[np.arange(len(samples)), samples.labels] = own
    used = np.flatnonzero(own > 0)
    return used, values[used]


def cart(
    codes: NDArray[np.int32],
    labels: NDArray[np.int64],
    values: NDArray[np.float64],
    max_depth: int | None,
    scale: int,
    random_state: int,
) -> Learner:
    """scikit-learn's tree, its leaves relabelled with the class of the largest value."""
    weights = values[np.arange(len(labels)), labels]
    tree = DecisionTreeClassifier(max_depth=max_depth, random_state=random_state)
    tree.fit(codes, labels, sample_weight=weights / weights.mean())
    reached = tree.apply(codes)
    worth = np.zeros((tree.tree_.node_count, values.shape[1]))
    np.add.at(worth, reached, values)
    scores = np.zeros(worth.shape, dtype=np.int64)
    scores[np.arange(len(worth)), worth.argmax(axis=1)] = scale
    return Learner.on_codes(tree.tree_, scores)
