"""Fitting classifiers for an ensemble, and their votes on rows that they have not seen."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import joblib
import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.utils import InputTags, _safe_indexing, get_tags
from sklearn.utils.validation import check_is_fitted

from compactml.checks import assert_all_finite, column_or_1d, refused_by
from compactml.ensemble_pruning.pool.classifier_pool import ClassifierPool
from compactml.ensemble_pruning.pool.voting import class_probabilities, class_votes
from compactml.errors import (
    InvalidDataError,
    InvalidParameterError,
    check_share,
)

__all__ = [
    "Members",
    "check_prefitted",
    "check_trained",
    "fit_member",
    "fitted",
    "holdout",
    "input_tags",
    "known_codes",
    "listed",
    "out_of_fold",
    "prefitted",
]


class Members:
    """Fitted classifiers and how they name the classes.

    Attributes
    ----------
    estimators : list of fitted classifiers
    labels : ndarray, shape (C,)
        The classes as the classifiers know them, sorted.
    pool : ClassifierPool or None
    """

    def __init__(self, estimators: list[Any], labels: NDArray[Any], pool: ClassifierPool | None) -> None:
        self.estimators, self.labels, self.pool = estimators, labels, pool

    def codes(self, X: Any, chosen: Iterable[int] | None = None) -> NDArray[np.intp]:
        """Number of the class that each classifier, or each chosen one, votes for, shape (n, K)."""
        if self.pool is not None:
            return self.pool.codes(X, chosen)
        every = range(len(self.estimators)) if chosen is None else chosen
        return class_votes([self.estimators[k] for k in every], X, self.labels)

    def probabilities(self, X: Any, chosen: Iterable[int] | None = None) -> NDArray[np.float64]:
        """Probability that each classifier, or each chosen one, gives to each class, shape (n, K, C)."""
        if self.pool is not None:
            return self.pool.probabilities(X, chosen)
        every = range(len(self.estimators)) if chosen is None else chosen
        return class_probabilities([self.estimators[k] for k in every], X, self.labels)


def fitted(given: Any, X: Any, codes: NDArray[np.intp], n_jobs: int | None) -> Members:
    """Fit clones of what was given, on labels False and True or on the numbers of more classes.

    Raises
    ------
    InvalidParameterError
        Neither a pool nor two classifiers.
    """
    two = int(codes.max()) == 1
    targets, labels = (codes == 1, np.array([False, True])) if two else (codes, np.unique(codes))
    if isinstance(given, ClassifierPool):
        pool = clone(given)
        if n_jobs is not None:
            pool.set_params(n_jobs=n_jobs)
        pool.fit(X, targets)
        return Members(pool.estimators_, labels, pool)
    models = joblib.Parallel(n_jobs=n_jobs)(
        joblib.delayed(fit_member)(one, X, targets) for one in _classifiers(given)
    )
    return Members(list(models), labels, None)


def fit_member(model: Any, X: Any, targets: NDArray[Any]) -> Any:
    """Fit an estimator of the caller's; rows that it refuses are refused in its words."""
    if not hasattr(model, "fit"):
        raise InvalidParameterError("estimators", "a list of estimators", model)
    with refused_by(type(model).__name__):
        return clone(model).fit(X, targets)


def listed(given: Any, kind: str, allowed: str) -> Sequence[Any]:
    """Return at least two classifiers or regressors of a caller, or raise `InvalidParameterError`."""
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) < 2:
        raise InvalidParameterError("estimators", allowed, given)
    for k, member in enumerate(given):
        if not all(hasattr(member, name) for name in ("fit", "predict", "__sklearn_tags__")):
            raise InvalidParameterError(f"estimators[{k}]", f"a {kind} as scikit-learn's are", member)
    return given


def _classifiers(given: Any) -> Sequence[Any]:
    return listed(given, "classifier", "a ClassifierPool, or at least two classifiers")


def holdout(codes: NDArray[np.intp], share: Any, seed: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows to train on and rows to select on; classes of more than one row are in both.

    Raises
    ------
    InvalidParameterError
        A share outside (0, 1).
    InvalidDataError
        No two classes have two rows.
    """
    share = check_share("validation_fraction", share)
    rows = _splittable(codes)
    least = len(np.unique(codes[rows]))
    n_validation = min(max(round(share * len(codes)), least), len(rows) - least)
    train, validation = train_test_split(
        rows, test_size=n_validation, stratify=codes[rows], random_state=seed
    )
    return np.append(train, np.setdiff1d(np.arange(len(codes)), rows)), validation


def check_trained(given: Any, codes: NDArray[np.intp], n_trained: int) -> None:
    """Raise `InvalidDataError` where a pool's linear discriminants have too few of the rows to train on."""
    least = len(np.unique(codes)) + 1
    if isinstance(given, ClassifierPool) and n_trained < least:
        allowed = f"so many rows that the pool trains on at least {least}, one more than classes"
        raise InvalidDataError("X", allowed, f"{len(codes)} rows, of which it trains on {n_trained}")


def _splittable(codes: NDArray[np.intp]) -> NDArray[np.intp]:
    """Rows of classes with more than one row: the others are for training alone.

    Raises
    ------
    InvalidDataError
        There are no two such classes.
    """
    counts = np.bincount(codes)
    if (counts > 1).sum() < 2:
        raise InvalidDataError(
            "y", "at least two rows of each class, to train and to select on", f"{counts.min()}"
        )
    return np.flatnonzero(counts[codes] > 1)


def out_of_fold(
    given: Any,
    X: Any,
    codes: NDArray[np.intp],
    *,
    folds: int,
    seed: int,
    n_jobs: int | None,
    say: Callable[[Members, Any], NDArray[Any]] = Members.codes,
) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """What classifiers that were fitted without a row's fold say of it, shape (m, K, ...), and the rows, shape (m,).

    The folds have the classes in their shares; there are no more folds than rows of the rarest class. The single row
    of a class is for training alone.

    Raises
    ------
    InvalidDataError
        No two classes have two rows; without a fold a pool has no more rows than classes.
    """
    rows = _splittable(codes)
    alone = np.setdiff1d(np.arange(len(codes)), rows)
    most = min(folds, int(np.unique(codes[rows], return_counts=True)[1].min()))
    splits = list(StratifiedKFold(most, shuffle=True, random_state=seed).split(rows, codes[rows]))
    check_trained(given, codes, min(len(train) for train, _ in splits) + len(alone))
    votes, places = [], []
    for train, rest in splits:
        kept = np.append(rows[train], alone)
        members = fitted(given, _safe_indexing(X, kept), codes[kept], n_jobs)
        votes.append(say(members, _safe_indexing(X, rows[rest])))
        places.append(rows[rest])
    order = np.argsort(np.concatenate(places))
    return np.concatenate(votes)[order], np.concatenate(places)[order]


def check_prefitted(member: Any, name: str, kind: str, n_features: int | None, *has: str) -> Any:
    """Return a member that was fitted elsewhere.

    Parameters
    ----------
    member : object
    name : str
        For the error: ``estimators[0]``.
    kind : {"classifier", "regressor"}
    n_features : int or None
        Columns of the rows that it is to predict, None where that is not known.
    *has : str
        Attributes that a fitted one has.

    Raises
    ------
    InvalidParameterError
        It is not fitted.
    InvalidDataError
        It was fitted on another number of columns.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check_is_fitted(member)
        fitted_here = all(hasattr(member, attribute) for attribute in has)
    except (NotFittedError, TypeError, AttributeError):
        fitted_here = False
    if not fitted_here:
        raise InvalidParameterError(name, f"a fitted {kind}, as prefit=True says", member)
    columns = getattr(member, "n_features_in_", n_features)
    if n_features is not None and columns != n_features:
        raise InvalidDataError("X", f"of {columns} columns, as {name} was fitted on", f"{n_features}")
    return member


def prefitted(given: Any, n_features: int | None) -> Members:
    """Members that were fitted elsewhere.

    Raises
    ------
    InvalidParameterError
        One is not fitted, or they were not fitted on the same classes or columns.
    """
    pool = given if isinstance(given, ClassifierPool) else None
    members = [pool] if pool is not None else list(_classifiers(given))
    for k, member in enumerate(members):
        name = f"estimators[{k}]" if pool is None else "estimators"
        labels = np.asarray(check_prefitted(member, name, "classifier", n_features, "classes_").classes_)
        if labels.tolist() != np.asarray(members[0].classes_).tolist():
            known = np.asarray(members[0].classes_).tolist()
            raise InvalidParameterError(name, f"fitted on {known}", labels.tolist())
    estimators = members if pool is None else pool.estimators_
    return Members(estimators, np.asarray(members[0].classes_), pool)


def known_codes(y: Any, labels: NDArray[Any]) -> NDArray[np.intp]:
    """Numbers of the classes of y among those that fitted classifiers know.

    Raises
    ------
    InvalidDataError
        A label that they do not know; what scikit-learn refuses.
    """
    given = column_or_1d(y, warn=True)
    assert_all_finite(given, input_name="y")
    places = {label: place for place, label in enumerate(labels.tolist())}
    unknown = [label for label in given.tolist() if label not in places]
    if unknown:
        raise InvalidDataError("y", f"labels that the classifiers know, {list(places)}", repr(unknown[0]))
    return np.array([places[label] for label in given.tolist()], dtype=np.intp)


def input_tags(given: Any) -> InputTags:
    """What a pool, or all of some classifiers, take."""
    if given is None or not isinstance(given, Sequence) or isinstance(given, str) or not given:
        return get_tags(given if isinstance(given, ClassifierPool) else ClassifierPool()).input_tags
    if not all(hasattr(member, "__sklearn_tags__") for member in given):
        return InputTags()
    each = [get_tags(member).input_tags for member in given]
    names = ("sparse", "categorical", "string", "allow_nan")
    taken = {name: all(getattr(one, name) for one in each) for name in names}
    return InputTags(**taken, positive_only=any(one.positive_only for one in each))
