"""Predicting by the votes of the members that were selected."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from compactml.checks import validate_data
from compactml.ensemble_pruning.plurality.instance import plurality
from compactml.ensemble_pruning.pool.classifier_pool import ClassifierPool
from compactml.ensemble_pruning.pool.encoding import is_plain
from compactml.ensemble_pruning.pool.members import Members

__all__ = ["VotingModel"]


class VotingModel(ClassifierMixin, BaseEstimator):
    """What `PrunedEnsembleClassifier` does once its members, selection and threshold are known."""

    estimators: Any
    voting: str
    classes_: NDArray[Any]
    selected_: NDArray[np.intp]
    threshold_: int | None
    _members: Members

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the votes of the selected classifiers.

        Parameters
        ----------
        X : array-like or data frame, shape (n, n_features)

        Returns
        -------
        ndarray of float
            Of two classes the positive votes less ``threshold_`` and one half, above 0 for the positive class, shape
            (n,). Of more the votes for each, shape (n, C). Soft votes are mean probabilities, of two classes that of
            the positive class less that of the other.
        """
        if self.voting == "soft":
            mean = self.predict_proba(X)
            return mean if mean.shape[1] > 2 else np.asarray(mean[:, 1] - mean[:, 0])
        check_is_fitted(self)
        codes = self._members.codes(self._checked(X, reset=False), self.selected_)
        if self.threshold_ is None:
            return plurality(codes, len(self.classes_)).astype(np.float64)
        return np.asarray(codes.sum(axis=1) - self.threshold_ - 0.5)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the mean probability of each class (soft votes) or its share of the votes, shape (n, C).

        The share of two classes is stretched so that the threshold lies at one half, below and above it evenly: for a
        majority of an odd number it is the share itself. So the likeliest class is the predicted one. The shares
        order the rows; they are no calibrated probabilities.

        Parameters
        ----------
        X : array-like or data frame, shape (n, n_features)
        """
        if self.voting == "soft":
            check_is_fitted(self)
            given = self._members.probabilities(self._checked(X, reset=False), self.selected_)
            return np.asarray(given.mean(axis=1))
        votes = self.decision_function(X)
        size = len(self.selected_)
        if self.threshold_ is None:
            return votes / size
        cut = self.threshold_ + 0.5
        above = max(size - cut, 0.5)  # where no number of votes is enough, nothing lies above
        positive = 0.5 + 0.5 * np.where(votes < 0, votes / cut, votes / above)
        return np.column_stack([1 - positive, positive])

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each row, shape (n,)."""
        votes = self.decision_function(X)
        called = votes > 0 if votes.ndim == 1 else votes.argmax(axis=1)
        return self.classes_[called.astype(int)]

    def _checked(self, X: Any, *, reset: bool) -> Any:
        """A pool's input as it takes it; single classifiers check their own."""
        pooled = self.estimators is None or isinstance(self.estimators, ClassifierPool)
        if pooled or hasattr(X, "iloc"):
            return validate_data(self, X, reset=reset, skip_check_array=not (pooled and is_plain(X)))
        sparse = "csr" if self.__sklearn_tags__().input_tags.sparse else False
        return validate_data(self, X, reset=reset, dtype=None, accept_sparse=sparse, ensure_all_finite=False)
