"""From classifiers and labels to votes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compactml.checks import (
    assert_all_finite,
    check_classification_targets,
    column_or_1d,
    n_samples,
    refused_by,
)
from compactml.errors import InvalidDataError, InvalidParameterError

__all__ = ["class_codes", "class_probabilities", "class_votes", "positive_votes", "unpack"]

ROUNDING = 1e-6
"""How far a probability may lie outside [0, 1] by rounding (some classifiers compute in single precision)."""


def class_codes(y: Any) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the classes in sorted order and the number of each label's.

    Raises
    ------
    InvalidDataError
        One class only; what scikit-learn refuses: NaN, or labels that are no classes.
    """
    labels = column_or_1d(y, warn=True)
    assert_all_finite(labels, input_name="y")
    check_classification_targets(labels)
    classes, which = np.unique(labels, return_inverse=True)
    if len(classes) == 1:
        raise InvalidDataError("y", "labels of at least two classes", f"one class, {classes[0]!r}")
    return classes, which


def class_votes(estimators: Sequence[Any], X: Any, labels: NDArray[Any]) -> NDArray[np.intp]:
    """Return the number of the class that each classifier votes for, shape (n, K).

    Of two classes as in `positive_votes`, of more what the classifier predicts.

    Parameters
    ----------
    estimators : sequence of fitted classifiers
    X : their input, n rows
    labels : ndarray, shape (C,)
        The classes as the classifiers know them, sorted.

    Raises
    ------
    InvalidDataError
        A probability that is none, or a class that is not among them.
    """
    if len(labels) == 2:
        return positive_votes(estimators, X, labels[1]).astype(np.intp)
    votes = np.zeros((n_samples(X), len(estimators)), dtype=np.intp)
    for k, estimator in enumerate(estimators):
        predicted = _said(f"estimators[{k}] ({type(estimator).__name__})", estimator.predict, X)
        votes[:, k] = np.minimum(np.searchsorted(labels, predicted), len(labels) - 1)
        unknown = labels[votes[:, k]] != predicted
        if unknown.any():
            named = f"predictions of estimators[{k}] ({type(estimator).__name__})"
            raise InvalidDataError(named, f"one of {list(labels)}", repr(predicted[unknown][0]))
    return votes


def class_probabilities(estimators: Sequence[Any], X: Any, labels: NDArray[Any]) -> NDArray[np.float64]:
    """Return the probability that each classifier gives to each class, shape (n, K, C).

    Parameters
    ----------
    estimators : sequence of fitted classifiers
    X : their input, n rows
    labels : ndarray, shape (C,)
        The classes as the classifiers know them, sorted; one that a classifier does not know has probability 0.

    Raises
    ------
    InvalidParameterError
        A classifier without ``predict_proba``.
    InvalidDataError
        A probability that is NaN or outside [0, 1], or a class that is not among the labels.
    """
    given = np.zeros((n_samples(X), len(estimators), len(labels)))
    for k, estimator in enumerate(estimators):
        named = f"estimators[{k}] ({type(estimator).__name__})"
        if not hasattr(estimator, "predict_proba"):
            raise InvalidParameterError("voting", f"'hard', as {named} has no predict_proba", "soft")
        known = np.asarray(estimator.classes_)
        if not np.isin(known, labels).all():
            raise InvalidDataError(f"classes of {named}", f"among {list(labels)}", str(list(known)))
        given[:, k, np.searchsorted(labels, known)] = _in_unit(
            named, _said(named, estimator.predict_proba, X)
        )
    return given


def positive_votes(estimators: Sequence[Any], X: Any, positive: Any) -> NDArray[np.bool_]:
    """Return which classifiers vote for the positive class, shape (n, K).

    A classifier votes for it where its probability rounds to 1, one half being rounded up; one without
    ``predict_proba`` where it predicts it.

    Parameters
    ----------
    estimators : sequence of fitted classifiers
    X : their input, n rows
    positive : label
        The positive class.

    Raises
    ------
    InvalidDataError
        A probability is NaN or outside [0, 1], or a classifier does not know the class.
    """
    votes = np.zeros((n_samples(X), len(estimators)), dtype=bool)
    for k, estimator in enumerate(estimators):
        votes[:, k] = _votes(f"estimators[{k}]", estimator, X, positive)
    return votes


def _votes(name: str, estimator: Any, X: Any, positive: Any) -> NDArray[np.bool_]:
    named = f"{name} ({type(estimator).__name__})"
    where = np.flatnonzero(estimator.classes_ == positive)
    if len(where) == 0:
        raise InvalidDataError(f"classes of {named}", f"with {positive!r}", str(list(estimator.classes_)))
    if not hasattr(estimator, "predict_proba"):
        return np.asarray(_said(named, estimator.predict, X) == positive)
    return _in_unit(named, _said(named, estimator.predict_proba, X)[:, where[0]]) >= 0.5


def _said(named: str, method: Callable[[Any], Any], X: Any) -> NDArray[Any]:
    """What a classifier says of rows; those that it refuses are refused in its words."""
    with refused_by(named):
        return np.asarray(method(X))


def _in_unit(named: str, probability: Any) -> NDArray[np.float64]:
    """Probabilities, or `InvalidDataError` where one is none."""
    given = np.asarray(probability, dtype=np.float64)
    right = np.asarray((given >= -ROUNDING) & (given <= 1 + ROUNDING))  # false for NaN
    if not right.all():
        wrong = (~right).reshape(given.shape[0], -1).any(axis=1)
        got = f"{given[~right][0]} in {int(wrong.sum())} of {wrong.size} rows"
        raise InvalidDataError(f"probabilities of {named}", "within [0, 1]", got)
    return given


def unpack(words: NDArray[np.uint64], n_classifiers: int) -> NDArray[np.bool_]:
    """Undo `compactml.ensemble_pruning.instance.pack`: the first bits of each row of words, shape (n, K)."""
    octets = np.ascontiguousarray(words).view(np.uint8)
    return np.unpackbits(octets, axis=1, bitorder="little", count=n_classifiers).astype(bool)
