"""From the table of a caller to codes and literals, by a binarizer or as it stands."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from compactml.boolean_rules.binarizer import DecileBinarizer
from compactml.boolean_rules.classifying.constraints import allowed_literals
from compactml.boolean_rules.literals import Literals
from compactml.checks import validate_data
from compactml.errors import InvalidDataError, InvalidParameterError

__all__ = ["binary_codes", "chosen_literals", "fitted_binarizer"]


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


def chosen_literals(
    binarizer: DecileBinarizer | None, names: list[str], forbidden: Any, monotone: Any
) -> tuple[Literals, tuple[str, ...]]:
    """Return the literals that a rule set may use, and the texts of those that a missing value satisfies.

    Parameters
    ----------
    binarizer : DecileBinarizer or None
        Fitted.
    names : list of str
        Of the columns of X.
    forbidden, monotone
        As in `allowed_literals`.
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
    kept = allowed_literals(literals, columns, names, ordered, forbidden, monotone)
    also = tuple(literals.names[j] for j in kept if missing[j])
    return literals.take(kept), also
