"""`encode_target`: from class labels, or numbers to predict, to small integers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from compactml.errors import InvalidDataError, check_choice
from compactml.feature_selection.discretize import (
    AUTO,
    DEFAULT_BINS,
    FEW_VALUES,
    Codes,
    as_array,
    binned,
    has_fractions,
    symbols,
    values_of,
)

__all__ = ["KINDS", "coded_target", "encode_target"]

FEW_SAMPLES = 5
"""Samples for each distinct value below which "auto" takes many integers for numbers."""
KINDS = ("classes", "numbers", "auto")


def encode_target(y: Any, kind: str = "classes") -> Codes:
    """Return the code of each class label, 0, 1, ..., or of the bin of each number.

    Parameters
    ----------
    y : array-like, shape (n,)
        Numbers, booleans, text or categories.
    kind : {"classes", "numbers", "auto"}, default="classes"
        "numbers" are cut at their quantiles into 5 bins where there are more than 20 distinct ones, see "auto" of
        `encode`. "auto" takes for numbers what has a value that is no integer, and integers with more than 20 distinct
        values and fewer than five samples for each on average; everything else is a class.

    Returns
    -------
    ndarray of int32, shape (n,)

    Raises
    ------
    InvalidDataError
        Another shape, missing or infinite values, fractions as classes, something else as numbers, or fewer than two
        classes or bins.
    InvalidParameterError
        Another ``kind``.
    """
    return coded_target(y, kind)[0]


def coded_target(y: Any, kind: str) -> tuple[Codes, bool]:
    """Return the codes of a target, and whether it is one of numbers."""
    check_choice("target", kind, KINDS)
    column = pd.Series(as_array("y", y, 1)).infer_objects() if _foreign(y) else y
    allowed = "numbers" if kind == "numbers" else "class labels"
    if column.isna().any():
        raise InvalidDataError("y", allowed, "missing values (NaN)")
    values = values_of("y", column)
    numbers = kind == "numbers" or (kind == "auto" and _are_numbers(values))
    if numbers:
        if values.dtype == object:
            raise InvalidDataError("y", allowed, f"values such as {values[0]!r}")
        codes = symbols(binned(values, AUTO, DEFAULT_BINS[AUTO]))
    else:
        if values.dtype != object and has_fractions(values):
            raise InvalidDataError("y", "class labels", "numbers that are no integers")
        try:
            codes = symbols(values)
        except TypeError as error:  # lists and the like have no hash
            raise InvalidDataError("y", allowed, f"values that are none ({error})") from error
    n_classes = int(codes.max(initial=-1)) + 1
    if n_classes < 2:
        raise InvalidDataError("y", "labels of at least two classes", "1 class" if n_classes else "no labels")
    return codes, numbers


def _foreign(y: Any) -> bool:
    """Whether this is no Series, or one in another order of bytes, which pandas does not count."""
    return not isinstance(y, pd.Series) or (isinstance(y.dtype, np.dtype) and not y.dtype.isnative)


def _are_numbers(values: NDArray[Any]) -> bool:
    if values.dtype == object:
        return False
    return has_fractions(values) or len(np.unique(values)) > max(FEW_VALUES, len(values) / FEW_SAMPLES)
