"""What all rule set learners share: checks, prediction, complexity."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from compactml.checks import column_or_1d, validate_data
from compactml.errors import InvalidDataError

__all__ = ["Clause", "RuleSetClassifier", "covered", "covers"]

Clause: TypeAlias = tuple[int, ...]
"""A conjunction of 0/1 columns, by their numbers."""


def covers(X: NDArray[np.bool_], clause: Iterable[int]) -> NDArray[np.bool_]:
    """Rows on which every column of the clause is 1, shape (n,); the empty clause covers all."""
    return np.asarray(X[:, list(clause)].all(axis=1))


def covered(X: NDArray[np.bool_], clauses: Iterable[Clause]) -> NDArray[np.bool_]:
    """Rows that satisfy at least one clause, shape (n,)."""
    result = np.zeros(len(X), dtype=bool)
    for clause in clauses:
        result |= covers(X, clause)
    return result


class RuleSetClassifier(ClassifierMixin, BaseEstimator):
    """A disjunction of clauses that predicts one of two classes, the other where no clause holds.

    Attributes
    ----------
    rules_ : tuple of tuple of int
        Columns of each clause.
    rule_class_ : int
        Index in ``classes_`` of the class that the clauses predict.
    complexity_ : int
        Number of clauses + number of conditions.
    classes_ : ndarray, shape (2,)
    n_features_in_ : int
    """

    rules_: tuple[Clause, ...]

    def fit(self, X: Any, y: Any) -> Self:
        """Learn the rules.

        Parameters
        ----------
        X : array-like of 0 and 1, shape (n, d)
        y : array-like, shape (n,)
            Two classes; the second in sorted order is the positive one.

        Raises
        ------
        InvalidDataError
            Other values than 0 and 1 in X, or not two classes in y.
        InvalidParameterError
            A parameter outside its range.
        """
        matrix = binary_matrix(self, X, reset=True)
        self.classes_, labels = two_classes(y, len(matrix))
        self.rule_class_ = 1
        self.rules_ = self._learn(matrix, labels)
        return self

    @abstractmethod
    def _learn(self, X: NDArray[np.bool_], y: NDArray[np.bool_]) -> tuple[Clause, ...]:
        """Clauses for class ``rule_class_``, which may be set here to 0."""

    def predict(self, X: Any) -> NDArray[Any]:
        """Class of each row.

        Parameters
        ----------
        X : array-like of 0 and 1, shape (n, d)

        Returns
        -------
        ndarray, shape (n,)
        """
        check_is_fitted(self)
        matrix = binary_matrix(self, X, reset=False)
        rule, other = self.classes_[self.rule_class_], self.classes_[1 - self.rule_class_]
        return np.where(covered(matrix, self.rules_), rule, other)

    @property
    def complexity_(self) -> int:
        """Number of clauses + number of conditions (Dash, Günlük and Wei, 2018, section 4)."""
        check_is_fitted(self)
        return sum(1 + len(clause) for clause in self.rules_)


def binary_matrix(estimator: Any, X: Any, *, reset: bool) -> NDArray[np.bool_]:
    """X as booleans, if all its values are 0 or 1."""
    matrix = validate_data(estimator, X, reset=reset, dtype=None)
    if matrix.dtype == bool:
        return matrix
    if not np.isin(matrix, (0, 1)).all():
        raise InvalidDataError("X", "0 and 1 only (see DecileBinarizer)", "other values")
    return matrix.astype(bool)


def two_classes(y: Any, n: int) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """The classes and, for each row, whether it has the second of them."""
    try:
        classes, labels = np.unique(column_or_1d(y), return_inverse=True)
    except TypeError:
        raise InvalidDataError("y", "labels of one type", "labels that cannot be compared") from None
    if len(classes) != 2 or len(labels) != n:
        raise InvalidDataError("y", f"{n} labels of two classes", f"{len(labels)} of {len(classes)}")
    return classes, labels.astype(bool)
