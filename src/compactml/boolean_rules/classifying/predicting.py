"""What a fitted classifier of rules says of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from compactml.boolean_rules.binarizer import DecileBinarizer
from compactml.boolean_rules.classifying.encoding import binary_codes
from compactml.boolean_rules.classifying.lists import Ordered
from compactml.boolean_rules.classifying.problems import Solved
from compactml.boolean_rules.classifying.ways import class_probabilities
from compactml.boolean_rules.literals import Literals

__all__ = ["RulePredictor"]


class RulePredictor(ClassifierMixin, BaseEstimator):
    """Predictions of a classifier that has learned rules."""

    binarizer: str | DecileBinarizer | None
    classes_: NDArray[Any]
    binarizer_: DecileBinarizer
    _solved: list[Solved]
    _ordered: Ordered | None
    _literals: Literals

    def predict(self, X: Any) -> NDArray[Any]:
        """Class of each row.

        Of a list the class of the first rule set that is true. Of several rule sets one against the rest the most
        probable class, see `predict_proba`: of those whose rules are true if there are any.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n, n_features)

        Returns
        -------
        ndarray, shape (n,)
        """
        check_is_fitted(self)
        return self._predicted(self._codes(X))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Probability of each class.

        Each clause has the share of the described class among the training rows of which it is true, by Laplace's
        estimate ``(hits + 1) / (rows + 2)`` in weighted rows; a row gets that of its most precise clause, or that of
        the rows without any. It never contradicts `predict`: the class that the rules say has at least one half. Of
        several classes one against the rest each is estimated for itself, then divided by the sum. In a list a row gets
        the shares of all classes, ``(rows of the class + 1) / (rows + classes)``, among the training rows that came to
        the same rule set and satisfy its clause.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n, n_features)

        Returns
        -------
        ndarray of float, shape (n, n_classes)
            In the order of ``classes_``.
        """
        check_is_fitted(self)
        each = self._probabilities(self._codes(X))
        if len(self.classes_) > 2:
            return each / each.sum(axis=1, keepdims=True)
        return each

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Log-odds of `predict_proba`, before the division by the sum of several classes.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n, n_features)

        Returns
        -------
        ndarray of float, shape (n,) or (n, n_classes)
            Of the second class if there are two.
        """
        check_is_fitted(self)
        each = self._probabilities(self._codes(X))
        odds: NDArray[np.float64] = np.log(each) - np.log1p(-each)
        return odds[:, 1] if len(self.classes_) == 2 else odds

    def _codes(self, X: Any) -> NDArray[np.integer]:
        if self.binarizer is not None:
            return self.binarizer_.codes(X)
        return binary_codes(self, X, reset=False)

    def _probabilities(self, codes: NDArray[np.integer]) -> NDArray[np.float64]:
        """Of each class, each for itself where rules describe it against the others."""
        each = class_probabilities(self._solved, self._ordered, codes, self._literals)
        if len(self.classes_) > 2:
            return each
        both = np.column_stack([1 - each[:, 0], each[:, 0]])
        return both if self._solved[0].label == self.classes_[1] else both[:, ::-1]

    def _predicted(self, codes: NDArray[np.integer]) -> NDArray[Any]:
        return self.classes_[self._probabilities(codes).argmax(axis=1)]
