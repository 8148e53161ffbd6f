"""From the table of a caller to codes and literals, by a binarizer or as it stands."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from compactml.boolean_rules.binarizer import DecileBinarizer
from compactml.boolean_rules.classifying.constraints import allowed_literals, forced_bits
from compactml.boolean_rules.literals import Literals
from compactml.checks import validate_data
from compactml.errors import InvalidDataError, InvalidParameterError

__all__ = ["Chosen", "binary_codes", "chosen_literals", "fitted_binarizer"]


def fitted_binarizer(binarizer: Any, X: Any, weights: NDArray[np.float64] | None) -> DecileBinarizer | None:
    """Return a binarizer fitted to X, None where X has 0/1 columns already.

    Parameters
    ----------
    binarizer : {"deciles"}, DecileBinarizer or None
        An instance is cloned.
    X : DataFrame or array-like
    weights : ndarray of float, optional

    Raises
    ------
    InvalidParameterError
        Anything else.
    """
    if binarizer is None:
        return None
    if isinstance(binarizer, str) and binarizer == "deciles":
        return DecileBinarizer().fit(X, sample_weight=weights)
    if not isinstance(binarizer, DecileBinarizer):
        raise InvalidParameterError("binarizer", "'deciles', a DecileBinarizer, or None", binarizer)
    fitted: DecileBinarizer = clone(binarizer).fit(X, sample_weight=weights)
    return fitted


def binary_codes(estimator: Any, X: Any, *, reset: bool) -> NDArray[np.integer]:
    """Return a table of 0 and 1 as codes, or raise `InvalidDataError`."""
    matrix = validate_data(estimator, X, reset=reset)
    if not np.isin(matrix, (0, 1)).all():
        raise InvalidDataError("X", "0 and 1 only (or use binarizer='deciles')", "other values")
    return matrix.astype(np.int8)


class Chosen(NamedTuple):
    """The literals that a rule set may use.

    Attributes
    ----------
    literals : Literals
        Those of forced columns first: of literals that are true of the same rows the first is kept.
    also_missing : tuple of str
        Texts of those that a missing value satisfies too.
    forced : ndarray of int64, shape (n_literals,)
        Bit of the forced column that each looks at.
    """

    literals: Literals
    also_missing: tuple[str, ...]
    forced: NDArray[np.int64]


def chosen_literals(binarizer: DecileBinarizer | None, names: list[str], estimator: Any) -> Chosen:
    """Return the literals that a rule set may use.

    Parameters
    ----------
    binarizer : DecileBinarizer or None
        Fitted.
    names : list of str
        Of the columns of X.
    estimator : BooleanRuleClassifier
        Its ``forbidden_columns``, ``monotone``, ``forced_columns`` and ``complexity`` are used.
    """
    if binarizer is None:
        literals = Literals.binary(tuple(names))
        columns = np.arange(len(names))
        ordered = np.full(len(names), 2)
        missing = np.zeros(len(names), dtype=bool)
    else:
        literals, columns = binarizer.literals_, binarizer.columns_
        ordered = np.array([attribute.n_ordered for attribute in binarizer.attributes_], dtype=np.intp)
        missing = binarizer.true_where_missing()
    kept = allowed_literals(
        literals, columns, names, ordered, estimator.forbidden_columns, estimator.monotone
    )
    also = tuple(literals.names[j] for j in kept if missing[j])
    bits = forced_bits(literals.take(kept), columns, names, estimator.forced_columns, estimator.complexity)
    first = np.argsort(bits == 0, kind="stable")
    return Chosen(literals.take(kept[first]), also, bits[first])
