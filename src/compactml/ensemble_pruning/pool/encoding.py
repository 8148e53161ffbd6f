"""From tables with texts and missing values to numbers: medians for missing numbers, a column for each category."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder

from compactml.errors import InvalidDataError

__all__ = ["encoder_for", "is_plain"]

MOST_CATEGORIES = 30
"""Columns of a text; rarer categories share the last one, and so do those that training rows lack."""
MISSING = "(missing)"


def is_plain(X: Any) -> bool:
    """Whether a table needs no encoder: numbers only and none missing, or nothing that is a table at all."""
    if sparse.issparse(X):
        return True
    try:
        table = X if isinstance(X, pd.DataFrame) else np.asarray(X)
    except ValueError:  # rows of different lengths, which scikit-learn's check refuses
        return True
    if table.ndim != 2:
        return True
    if isinstance(table, pd.DataFrame):
        plain = all(isinstance(kind, np.dtype) and kind.kind in "fiubc" for kind in table.dtypes)
        return plain and not table.isna().any(axis=None)
    if table.dtype.kind == "O":
        try:
            return not np.isnan(table.astype(np.float64)).any()
        except (TypeError, ValueError):
            return False
    return table.dtype.kind in "iubc" or (table.dtype.kind == "f" and not np.isnan(table).any())


def encoder_for(X: Any) -> ColumnTransformer:
    """Return an encoder of a table that is not plain, unfitted.

    A missing number becomes the median of its column. A column with anything that is no number is a text: each of its
    most frequent values has a column, a missing value is one of them.

    Parameters
    ----------
    X : data frame or array-like, shape (n, n_features)

    Raises
    ------
    InvalidDataError
        A column of dates or of complex numbers.
    """
    frame = pd.DataFrame(X)
    numbers = []
    for place, (name, column) in enumerate(frame.items()):
        if column.dtype.kind in "mMc":
            raise InvalidDataError(f"X, column {name!r}", "numbers or categories", f"{column.dtype}")
        if _is_number(column):
            numbers.append(place)
    texts = [place for place in range(frame.shape[1]) if place not in numbers]
    columns = [
        (
            "numbers",
            make_pipeline(
                FunctionTransformer(as_numbers), SimpleImputer(strategy="median", keep_empty_features=True)
            ),
            numbers,
        ),
        (
            "texts",
            make_pipeline(
                FunctionTransformer(as_texts),
                OneHotEncoder(
                    max_categories=MOST_CATEGORIES,
                    handle_unknown="infrequent_if_exist",
                    sparse_output=False,
                ),
            ),
            texts,
        ),
    ]
    return ColumnTransformer([column for column in columns if column[2]])


def _is_number(column: pd.Series) -> bool:
    if isinstance(column.dtype, pd.CategoricalDtype):
        return False
    if pd.api.types.is_numeric_dtype(column.dtype):
        return True
    if column.dtype != object:
        return False
    present = column.dropna()
    return all(isinstance(value, (int, float, np.number, np.bool_)) for value in present)


def as_numbers(X: Any) -> NDArray[np.float64]:
    """Columns as numbers, NaN where one is missing.

    Raises
    ------
    InvalidDataError
        Infinity, or a text among the numbers.
    """
    frame = pd.DataFrame(X)
    try:
        numbers = np.column_stack(
            [column.to_numpy(dtype=np.float64, na_value=np.nan) for _, column in frame.items()]
        )
    except (TypeError, ValueError) as error:
        raise InvalidDataError(
            "X", "numbers in the columns that had numbers in training", str(error)
        ) from None
    if np.isinf(numbers).any():
        raise InvalidDataError("X", "finite or missing", "infinity")
    return numbers


def as_texts(X: Any) -> NDArray[np.object_]:
    """Columns as texts, a missing value as one of them."""
    frame = pd.DataFrame(X).astype(object)
    return frame.where(frame.notna(), MISSING).astype(str).to_numpy(dtype=object)
