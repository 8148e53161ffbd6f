"""What a classifier is given, checked and as codes: the same for every complexity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils.validation import _check_feature_names_in

from compactml.boolean_rules.binarizer import DecileBinarizer
from compactml.boolean_rules.classifying.encoding import binary_codes, chosen_literals, fitted_binarizer
from compactml.boolean_rules.classifying.weights import class_factors, row_weights
from compactml.boolean_rules.literals import Literals
from compactml.checks import (
    assert_all_finite,
    check_classification_targets,
    check_consistent_length,
    column_named,
    column_or_1d,
    n_samples,
    validate_data,
)
from compactml.errors import InvalidDataError, InvalidParameterError, check_choice

__all__ = ["Prepared", "prepare"]


@dataclass(frozen=True)
class Prepared:
    """Training rows as codes; those of weight 0 are left out.

    Attributes
    ----------
    codes : ndarray of int, shape (n, n_attributes)
    literals : Literals
        Those that a rule set may use.
    also_missing : tuple of str
        Texts of the literals that a missing value satisfies too.
    binarizer : DecileBinarizer or None
    classes : ndarray, shape (n_classes,)
    which : ndarray of int, shape (n,)
        Index of each label among the classes.
    weights : ndarray of float, shape (n,), optional
        Those of the rows times the factors of their classes.
    forced : ndarray of int64, shape (n_literals,)
        Bit of the forced column that each literal looks at.
    groups : ndarray, shape (n,), optional
        Group of each row.
    """

    codes: NDArray[np.integer]
    literals: Literals
    also_missing: tuple[str, ...]
    binarizer: DecileBinarizer | None
    classes: NDArray[Any]
    which: NDArray[np.intp]
    weights: NDArray[np.float64] | None
    forced: NDArray[np.int64]
    groups: NDArray[Any] | None

    def positive(self, pos_label: Any) -> list[int]:
        """The classes for which rules are learned: one of two, else all."""
        labels = self.classes.tolist()
        if len(labels) > 2:
            return list(range(len(labels)))
        return [1 if pos_label is None else labels.index(pos_label)]


def prepare(estimator: Any, X: Any, y: Any, sample_weight: Any, groups: Any = None) -> Prepared:
    """Check the data of a classifier and turn them into codes; its columns are noted as scikit-learn does.

    Parameters
    ----------
    estimator : BooleanRuleClassifier
        Its ``binarizer``, ``class_weight``, ``pos_label`` and what it asks of the rules are used.
    X, y, sample_weight, groups
        As in `BooleanRuleClassifier.fit`.
    """
    weights = None if sample_weight is None else row_weights(sample_weight, n_samples(X))
    fitted = fitted_binarizer(estimator.binarizer, X, weights)
    if fitted is None:
        codes = binary_codes(estimator, X, reset=True)
    else:
        validate_data(estimator, X, skip_check_array=True)
        codes = fitted.codes(X)
    names = [str(name) for name in _check_feature_names_in(estimator)]
    chosen = chosen_literals(fitted, names, estimator)
    labels = _labels(y, codes)
    group = _groups(estimator, groups, X, names, len(labels))
    if weights is not None:
        used = weights > 0
        codes, labels, weights = codes[used], labels[used], weights[used]
        group = None if group is None else group[used]
    classes, which = np.unique(labels, return_inverse=True)
    if len(classes) < 2:
        raise InvalidDataError("y", "labels of at least two classes", f"{len(classes)} class")
    _check_classes(estimator, classes.tolist())
    factors = class_factors(estimator.class_weight, classes, which, weights)
    if factors is not None:
        weights = factors[which] * (1.0 if weights is None else weights)
    return Prepared(
        codes, chosen.literals, chosen.also_missing, fitted, classes, which, weights, chosen.forced, group
    )


def _groups(estimator: Any, groups: Any, X: Any, names: list[str], n: int) -> NDArray[Any] | None:
    """The group of each row, from a column or from the caller."""
    allowed = "the name of a column of X, or a value for each row, where equal_opportunity is given"
    if (groups is None) != (estimator.equal_opportunity is None):
        raise InvalidParameterError("groups", allowed, "none" if groups is None else "groups without it")
    if groups is None:
        return None
    if isinstance(groups, str):
        if groups not in names:
            raise InvalidParameterError("groups", f"one of the columns {names}", groups)
        place = names.index(groups)
        groups = X.iloc[:, place] if isinstance(X, pd.DataFrame) else np.asarray(X)[:, place]
    values = column_named("groups", groups)
    if len(values) != n:
        raise InvalidDataError("groups", f"a value for each of {n} rows", f"{len(values)} values")
    if pd.isna(values).any():
        raise InvalidDataError("groups", "a group for each row", "missing values")
    return values


def _labels(y: Any, codes: NDArray[np.integer]) -> NDArray[Any]:
    labels: NDArray[Any] = column_or_1d(y, warn=True)
    if pd.isna(labels).any():  # None and NA beside text
        raise InvalidDataError("y", "class labels", "missing values")
    check_consistent_length(codes, labels)
    assert_all_finite(labels, input_name="y")
    check_classification_targets(labels)
    return labels


def _check_classes(estimator: Any, labels: list[Any]) -> None:
    """What is only for two classes."""
    if len(labels) > 2:
        for name in ("monotone", "pos_label", "max_flagged", "equal_opportunity", "forced_columns"):
            if getattr(estimator, name) is not None:
                allowed = (
                    "None with more than two classes, since it speaks of the one class that rules describe"
                )
                raise InvalidParameterError(name, allowed, getattr(estimator, name))
    else:
        check_choice("pos_label", estimator.pos_label, (None, *labels))
