"""`encode`: from a table to small integers, the symbols whose frequencies the measures count."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.feature_selection.errors import ContinuousFeaturesError
from compactml.native import native

__all__ = [
    "AUTO",
    "Codes",
    "Discretizer",
    "as_array",
    "as_table",
    "binned",
    "encode",
    "has_fractions",
    "is_continuous",
    "symbols",
    "values_of",
]

Discretizer: TypeAlias = str | tuple[str, int] | None
Codes: TypeAlias = NDArray[np.int32]

AUTO = "auto"
DEFAULT_BINS = {"equal_width": 10, "equal_frequency": 5, AUTO: 5}
MOST_BINS = 2**31 - 1
MANY_BINS = 1 << 20
"""Intervals of equal length whose ends are written down; of more, each value's is computed."""
FEW_VALUES = 20
"""Distinct values up to which a column counts as discrete, however its values are written."""
KINDS = "numbers, booleans, text or categories"
ALLOWED = "'auto', 'equal_width', 'equal_frequency', 'integer' or a pair such as ('equal_width', 10)"


def encode(X: Any, discretizer: Discretizer = None) -> Codes:
    """Return the code of each value: 0, 1, ... for the distinct values (or bins) of each column.

    Parameters
    ----------
    X : DataFrame or array-like, shape (n, p)
        Numbers, booleans, text or categories. Text, booleans and categories are symbols whatever ``discretizer`` is,
        a missing one too. A missing number is a symbol of its own, too, unless ``discretizer`` is None.
    discretizer : str, pair or None, default=None
        What to do with the columns of numbers:

        - None: each distinct value is a symbol, the estimate that matches the paper on its discrete datasets. A
          column that looks continuous is refused (see Notes), and so is one with missing values.
        - "auto", or ("auto", bins): columns that look continuous and integers with more than 20 distinct values are
          cut at their quantiles (5 bins by default), and a value that fills a bin by itself gets one for itself;
          others keep their values.
        - "equal_width", or ("equal_width", bins): intervals of equal length from the smallest to the largest value
          (10 by default), open on the right except the last.
        - "equal_frequency", or ("equal_frequency", bins): columns with more than 20 distinct values are cut at their
          quantiles (5 bins by default; linear interpolation), a cut belongs to the bin above; others keep their values.
        - "integer": the fractional part is cut off.

    Returns
    -------
    ndarray of int32, shape (n, p)
        Every code from 0 to a column's largest occurs. Numbers are coded in order, other values as they appear.

    Raises
    ------
    ContinuousFeaturesError
        ``discretizer`` is None and a column looks continuous.
    InvalidDataError
        No rows or columns, a column of numbers with infinity, or with NaN and no discretizer, or one of dates or the
        like.
    InvalidParameterError
        Another ``discretizer``.

    Notes
    -----
    A column looks continuous if it has a value that is no integer and more than 20 distinct values, or more than half
    as many as there are samples if that is less. With nearly all values distinct every plug-in estimate degenerates:
    I(f; C) = H(C) and SU = 1 for each pair, whatever the data say. Integers pass, however many: counts, grey levels
    and digitised amplitudes are the paper's "discrete" data, and a unit is a natural width of a bin.
    """
    method, bins = _checked(discretizer)
    frame = as_table(X)
    if method is None:
        _refuse_continuous(frame)
    codes = np.empty(frame.shape, dtype=np.int32, order="F")
    for j, (name, column) in enumerate(frame.items()):
        values = values_of(str(name), column, missing=method is not None)
        try:
            codes[:, j] = symbols(values) if values.dtype == object else _of_numbers(values, method, bins)
        except TypeError as error:  # lists and the like have no hash
            raise InvalidDataError(
                f"column {str(name)!r}", KINDS, f"values that are none ({error})"
            ) from error
    return codes


def as_table(X: Any) -> pd.DataFrame:
    """Return X as a DataFrame; columns without names are called 0, 1, ...

    Raises
    ------
    InvalidDataError
        Not two-dimensional, or without rows or columns.
    """
    frame = native(X if isinstance(X, pd.DataFrame) else pd.DataFrame(as_array("X", X, 2))).infer_objects()
    if frame.empty:
        raise InvalidDataError("X", "a table with rows and columns", f"shape {frame.shape}")
    return frame


def as_array(name: str, values: Any, n_dimensions: int) -> NDArray[Any]:
    """Return values as an array of so many dimensions, or raise `InvalidDataError`."""
    try:
        array = np.asarray(values)
    except ValueError as error:  # rows of different lengths
        raise InvalidDataError(name, f"values in {n_dimensions} dimensions", str(error)) from error
    if array.ndim != n_dimensions or array.size == 0:
        raise InvalidDataError(name, f"values in {n_dimensions} dimensions", f"shape {array.shape}")
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    return array


def _checked(discretizer: Discretizer) -> tuple[str | None, int]:
    """Method and number of bins (0 where it has none)."""
    method: Any = discretizer
    bins: Any = None
    if isinstance(discretizer, tuple | list) and len(discretizer) == 2:
        method, bins = discretizer
    elif isinstance(discretizer, str):
        bins = DEFAULT_BINS.get(discretizer)
    if bins is None and (method is None or (isinstance(method, str) and method == "integer")):
        return method, 0
    whole = isinstance(bins, int | np.integer) and not isinstance(bins, bool)
    if not isinstance(method, str) or method not in DEFAULT_BINS or not whole or not 2 <= bins <= MOST_BINS:
        allowed = f"None, {ALLOWED}, with 2 to {MOST_BINS} bins"
        raise InvalidParameterError("discretizer", allowed, discretizer)
    return method, int(bins)


def _refuse_continuous(frame: pd.DataFrame) -> None:
    few = min(FEW_VALUES, len(frame) / 2)
    continuous = [
        (str(name), int(column.nunique()))
        for name, column in frame.items()
        if column.dtype.kind == "f" and column.nunique() > few and has_fractions(values_of(str(name), column))
    ]
    if continuous:
        raise ContinuousFeaturesError(
            tuple(name for name, _ in continuous), continuous[0][1], len(frame), ALLOWED
        )


def has_fractions(values: NDArray[Any]) -> bool:
    """Whether some number is no integer."""
    return values.dtype.kind == "f" and bool((values != np.trunc(values)).any())


def values_of(name: str, column: pd.Series, *, missing: bool = False) -> NDArray[Any]:
    """Integers, or floats without infinity, and without NaN unless values may be ``missing``, or objects."""
    kind = column.dtype.kind
    if isinstance(column.dtype, pd.CategoricalDtype) or kind in "bO":
        return column.to_numpy(dtype=object)
    if kind not in "iuf":
        raise InvalidDataError(f"column {name!r}", KINDS, str(column.dtype))
    if kind in "iu" and not column.hasnans:
        return column.to_numpy(dtype=f"{kind}8")
    values = column.to_numpy(dtype=np.float64, na_value=np.nan)
    if np.isinf(values).any() or not (missing or np.isfinite(values).all()):
        allowed = "finite numbers" + (
            "" if missing else " (with discretizer='auto', missing is a value of its own)"
        )
        raise InvalidDataError(f"column {name!r}", allowed, "infinity" if missing else _first_flaw(values))
    return values


def _first_flaw(values: NDArray[Any]) -> str:
    return "NaN" if np.isnan(values).any() else "infinity"


def _of_numbers(values: NDArray[Any], method: str | None, bins: int) -> Codes:
    """Codes of numbers; the missing ones have the last."""
    missing = np.isnan(values)
    codes = np.zeros(len(values), dtype=np.int32)
    if not missing.all():
        codes[~missing] = symbols(binned(values[~missing], method, bins))
        codes[missing] = codes.max() + 1
    return codes


def binned(values: NDArray[Any], method: str | None, bins: int) -> NDArray[Any]:
    """Bins of numbers, or the numbers where they stay."""
    if method in ("equal_frequency", AUTO):
        bins = min(bins, 2 * len(values))  # with as many bins as values each distinct one has its own
    if method == "integer":
        return np.trunc(values)
    if method == "equal_width" and bins > MANY_BINS:
        low, high = float(values.min()), float(values.max())
        share = (values / 2 - low / 2) / ((high / 2 - low / 2) or 1.0)
        return np.minimum(np.floor(share * bins), bins - 1)
    if method == "equal_width":
        cuts = np.linspace(values.min(), values.max(), bins + 1)[1:-1]
        return np.searchsorted(cuts, values, side="right")
    if method == "equal_frequency" and len(np.unique(values)) > FEW_VALUES:
        cuts = np.quantile(values, np.arange(1, bins) / bins)
        return np.searchsorted(cuts, values, side="right")
    if method == AUTO and is_continuous(values):
        distinct, counts = np.unique(values, return_counts=True)
        alone = distinct[counts * bins >= len(values)].astype(np.float64)
        cuts = np.unique(
            [*np.quantile(values, np.arange(1, bins) / bins), *alone, *np.nextafter(alone, np.inf)]
        )
        return np.searchsorted(cuts, values, side="right")
    return values


def is_continuous(values: NDArray[Any]) -> bool:
    """Whether "auto" bins numbers."""
    few = min(FEW_VALUES, len(values) / 2) if has_fractions(values) else FEW_VALUES
    return len(np.unique(values)) > few


def symbols(values: NDArray[Any]) -> Codes:
    """Codes of numbers in their order, of objects as they appear; all kinds of missing value are one symbol."""
    if values.dtype == object:
        return pd.factorize(values, use_na_sentinel=False)[0].astype(np.int32)
    return np.unique(values, return_inverse=True)[1].astype(np.int32)
