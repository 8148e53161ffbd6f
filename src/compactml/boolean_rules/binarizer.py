"""`DecileBinarizer`: from a table of numbers, categories and missing values to literals.

The rules are those of section 4 of Dash, Günlük and Wei (2018) and, where the paper is silent (missing values, columns
of few values), of `FeatureBinarizer` in the authors' toolkit AIX360.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from compactml.boolean_rules.literals import Literals
from compactml.exceptions import InvalidDataError, InvalidParameterError, check_integer
from compactml.validation import check_array, validate_data

__all__ = ["DecileBinarizer"]

UNSEEN = -1
"""Code of a value that no ``==`` literal knows; it lies outside every range of bins."""
READABLE_DIGITS = 12
CELLS_PER_BLOCK = 10_000_000


class _Literal(NamedTuple):
    """One literal of an attribute; those of one ``family`` share a group."""

    lo: int
    hi: int
    complement: bool
    family: str
    text: str


@dataclass(frozen=True)
class _Cuts:
    """A numeric attribute: bin j holds ``thresholds[j-1] < x <= thresholds[j]``, the last bin NaN if trained on."""

    thresholds: NDArray[np.float64]
    missing: bool

    @property
    def missing_bin(self) -> int:
        return len(self.thresholds) + 1

    def codes(self, column: pd.Series) -> NDArray[np.integer]:
        # NaN sorts above every threshold: "<=" is false and ">" true where training knew no missing value.
        values = column.to_numpy(float, na_value=np.nan)
        bins = np.searchsorted(self.thresholds, values)
        if self.missing:
            bins[np.isnan(values)] = self.missing_bin
        return bins

    def literals(self) -> Iterator[_Literal]:
        for j, t in enumerate(self.thresholds, 1):
            yield _Literal(0, j, False, "<=", f"<= {_text(t)}")
        for j, t in enumerate(self.thresholds, 1):
            yield _Literal(j, self.missing_bin, False, ">", f"> {_text(t)}")


@dataclass(frozen=True)
class _Values:
    """An attribute of unordered values, one bin each, then a bin for missing values if trained on."""

    values: tuple[Any, ...]
    missing: bool
    numeric: bool

    @property
    def missing_bin(self) -> int:
        return len(self.values)

    def codes(self, column: pd.Series) -> NDArray[np.integer]:
        known = pd.Index(self.values, dtype=float if self.numeric else object)
        bins = known.get_indexer(pd.Index(_plain(column, self.numeric)))
        bins[column.isna()] = self.missing_bin if self.missing else UNSEEN
        return bins

    def literals(self) -> Iterator[_Literal]:
        """``==`` for each value; ``!=`` too, unless "the other value" says the same."""
        if len(self.values) > 1:
            for j in reversed(range(len(self.values))) if len(self.values) == 2 else range(len(self.values)):
                yield _Literal(j, j + 1, False, "==", f"== {_text(self.values[j])}")
        if len(self.values) > 2:
            for j, value in enumerate(self.values):
                yield _Literal(j, j + 1, True, f"!= {j}", f"!= {_text(value)}")


_Attribute: TypeAlias = _Cuts | _Values


class DecileBinarizer(TransformerMixin, BaseEstimator):
    """Turn the columns of a table into 0/1 literals that print in original units.

    Parameters
    ----------
    n_thresholds : int, default=9
        Quantiles taken of each numeric column, evenly spaced: 9 are the deciles.
    categorical : "auto" or list of str, default="auto"
        Columns of text, of booleans and of pandas categories are categorical always; a list names numeric columns to
        treat so as well (``x0``, ``x1``, ... where X has no column names).

    Attributes
    ----------
    literals_ : Literals
        The d literals, columns in order, for each ``==`` then ``!=``, or ``<=`` then ``>``, then missing.
    columns_ : ndarray of int, shape (n_attributes,)
        Column of X behind each attribute, that is, behind each column of `codes`.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only if X had column names.

    Notes
    -----
    Rules for a column, the first that fits, counting its distinct values that are not missing, in training:

    1. None or one: nothing (beside rule 4), since no literal would tell two rows apart.
    2. Two: ``== larger`` and ``== smaller``.
    3. Categorical: ``== v`` and ``!= v`` for each v. Numeric: ``<= t`` and ``> t`` for each quantile t (linear
       interpolation) below the maximum; for each value but the largest if there are at most ``n_thresholds + 1``.
       Quantiles are rounded to 12 digits where no training row changes side.
    4. Also ``is missing`` and ``is not missing`` if some but not all values are missing in training. Such rows are
       false in ``==``, ``<=`` and ``>``.

    A category not seen in training is ``!=`` each v. So are missing values, in training (a clause over ranges of bins
    cannot say otherwise) or not. A missing number in a column that had none in training is ``>`` every t, as in AIX360.

    References
    ----------
    S. Dash, O. Günlük and D. Wei, Boolean Decision Rules via Column Generation, NeurIPS 2018, section 4.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"age": [20.0, 30.0, 40.0], "sex": ["male", "female", "male"]})
    >>> DecileBinarizer().fit(X).get_feature_names_out()[[0, 2, 4]].tolist()
    ['age <= 20', 'age > 20', 'sex == male']
    """

    def __init__(self, n_thresholds: int = 9, categorical: str | Sequence[str] = "auto") -> None:
        self.n_thresholds = n_thresholds
        self.categorical = categorical

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn thresholds and categories.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n, n_features)
            Numbers, text, booleans, categories; NaN, None and NA are missing values.
        y : ignored

        Raises
        ------
        InvalidParameterError
            ``n_thresholds`` below 1, or ``categorical`` names a column that is not there.
        InvalidDataError
            No rows, infinite values, or a column of dates or the like.
        """
        check_integer("n_thresholds", self.n_thresholds, 1)
        frame = self._frame(X, reset=True)
        names = [str(name) for name in _check_feature_names_in(self)]
        named = self._named_categorical(names)
        fitted = {
            i: _attribute(_checked(frame.iloc[:, i], name), name in named, self.n_thresholds)
            for i, name in enumerate(names)
        }
        useful = {i: attribute for i, attribute in fitted.items() if any(_all_literals(attribute))}
        self.columns_ = np.array(list(useful), dtype=np.intp)
        self.attributes_ = tuple(useful.values())
        self.literals_ = _literals([names[i] for i in useful], self.attributes_)
        return self

    def codes(self, X: Any) -> NDArray[np.integer]:
        """Bin of each value.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n, n_features)

        Returns
        -------
        ndarray of int16 (int32 if a column has 32768 bins or more), shape (n, n_attributes)
            ``0 .. literals_.n_bins - 1``, or -1 for a value that was not there in training and has no order.

        Raises
        ------
        InvalidDataError
            Infinite values, or text in a column that held numbers.
        """
        check_is_fitted(self)
        frame = self._frame(X, reset=False)
        wide = self.literals_.n_bins.max(initial=0) > np.iinfo(np.int16).max
        codes = np.empty((len(frame), len(self.attributes_)), dtype=np.int32 if wide else np.int16)
        for a, (i, attribute) in enumerate(zip(self.columns_, self.attributes_, strict=True)):
            column = _checked(frame.iloc[:, i], str(frame.columns[i]))
            if (isinstance(attribute, _Cuts) or attribute.numeric) and not _is_numeric(column):
                if column.notna().any():
                    raise InvalidDataError(
                        f"column {frame.columns[i]!r}", "numeric as in training", str(column.dtype)
                    )
                column = pd.Series(np.nan, column.index)  # nothing but gaps has no type of its own
            codes[:, a] = attribute.codes(column)
        return codes

    def transform(self, X: Any) -> NDArray[np.uint8]:
        """Truth of each literal on each row.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n, n_features)

        Returns
        -------
        ndarray of uint8, shape (n, d)
        """
        codes = self.codes(X)
        out = np.empty((len(codes), len(self.literals_)), dtype=np.uint8)
        step = max(1, CELLS_PER_BLOCK // max(1, out.shape[1]))  # blocks keep the intermediate arrays small
        for start in range(0, len(out), step):
            out[start : start + step] = self.literals_.evaluate(codes[start : start + step])
        return out

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Text of each literal, such as ``"age <= 43"``."""
        check_is_fitted(self)
        _check_feature_names_in(self, input_features)
        return np.array(self.literals_.names, dtype=object)

    def _frame(self, X: Any, *, reset: bool) -> pd.DataFrame:
        if isinstance(X, pd.DataFrame):
            validate_data(self, X, reset=reset, skip_check_array=True)
            if X.empty:
                raise InvalidDataError("X", "a table with rows and columns", f"shape {X.shape}")
            return X.infer_objects()
        array = check_array(X, dtype=None, ensure_all_finite=False, estimator=self)
        validate_data(self, X, reset=reset, skip_check_array=True)
        return pd.DataFrame(array).infer_objects()

    def _named_categorical(self, names: Sequence[str]) -> frozenset[str]:
        if isinstance(self.categorical, str):
            if self.categorical != "auto":
                raise InvalidParameterError("categorical", "'auto' or a list of columns", self.categorical)
            return frozenset()
        if unknown := set(self.categorical) - set(names):
            raise InvalidParameterError("categorical", f"columns of X ({', '.join(names)})", sorted(unknown))
        return frozenset(self.categorical)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.transformer_tags.preserves_dtype = []
        return tags


def _checked(column: pd.Series, name: str) -> pd.Series:
    """The column, if it is of a kind that has literals."""
    kind = column.dtype.kind
    if kind not in "biufO" or isinstance(column.dtype, pd.PeriodDtype | pd.IntervalDtype):
        raise InvalidDataError(f"column {name!r}", "numbers, text, booleans or categories", str(column.dtype))
    if kind == "f" and np.isinf(column.to_numpy(float, na_value=np.nan)).any():
        raise InvalidDataError(f"column {name!r}", "finite or missing", "infinity")
    return column


def _is_numeric(column: pd.Series) -> bool:
    return column.dtype.kind in "iuf" and not isinstance(column.dtype, pd.CategoricalDtype)


def _plain(column: pd.Series, numeric: bool) -> NDArray[Any]:
    return column.to_numpy(float, na_value=np.nan) if numeric else column.to_numpy(object)


def _attribute(column: pd.Series, categorical: bool, n_thresholds: int) -> _Attribute:
    """Rules 1 to 3 of `DecileBinarizer`."""
    missing = bool(column.isna().any())
    numeric = _is_numeric(column)
    plain = _plain(column, numeric)[column.notna().to_numpy()]
    if not numeric:
        return _Values(_sorted(pd.unique(plain)), missing, numeric)
    ordered = np.sort(plain)
    distinct = ordered[np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)]]
    if categorical or len(distinct) <= 2:
        return _Values(tuple(distinct.tolist()), missing, numeric)
    if len(distinct) <= n_thresholds + 1:
        return _Cuts(distinct[:-1], missing)
    quantiles = np.unique(np.quantile(ordered, np.arange(1, n_thresholds + 1) / (n_thresholds + 1)))
    return _Cuts(_readable(quantiles[quantiles < distinct[-1]], ordered), missing)


def _readable(thresholds: NDArray[np.float64], ordered: NDArray[np.float64]) -> NDArray[np.float64]:
    """Thresholds without the noise of interpolation (0.30000000000000004) where all rows keep their side."""
    rounded = np.array([float(f"{t:.{READABLE_DIGITS}g}") for t in thresholds])
    same = np.searchsorted(ordered, rounded, "right") == np.searchsorted(ordered, thresholds, "right")
    return np.unique(np.where(same, rounded, thresholds))


def _sorted(values: Any) -> tuple[Any, ...]:
    """Categories in their own order, or by type and text where they have none (a column of 1 and "a")."""
    try:
        return tuple(sorted(values))
    except TypeError:
        return tuple(sorted(values, key=lambda value: (type(value).__name__, str(value))))


def _text(value: Any) -> str:
    """Shortest text that gives the same number back; other values as they print."""
    return repr(float(value)).removesuffix(".0") if isinstance(value, float) else str(value)


def _all_literals(attribute: _Attribute) -> Iterator[_Literal]:
    """The literals of an attribute with those of rule 4."""
    yield from attribute.literals()
    if attribute.missing and attribute.missing_bin > 0:  # bin 0 would hold every row: all values missing
        m = attribute.missing_bin
        yield _Literal(m, m + 1, False, "missing", "is missing")
        yield _Literal(m, m + 1, True, "not missing", "is not missing")


def _literals(names: Sequence[str], attributes: Sequence[_Attribute]) -> Literals:
    """All literals as arrays, groups numbered in order of appearance."""
    rows = [(a, row) for a, attribute in enumerate(attributes) for row in _all_literals(attribute)]
    groups: dict[tuple[int, str], int] = {}
    n_bins = [attribute.missing_bin + attribute.missing for attribute in attributes]
    return Literals(
        attribute=np.array([a for a, _ in rows], dtype=np.int32),
        lo=np.array([row.lo for _, row in rows], dtype=np.int32),
        hi=np.array([row.hi for _, row in rows], dtype=np.int32),
        complement=np.array([row.complement for _, row in rows], dtype=bool),
        group=np.array([groups.setdefault((a, row.family), len(groups)) for a, row in rows], dtype=np.int32),
        names=tuple(f"{names[a]} {row.text}" for a, row in rows),
        n_bins=np.array(n_bins, dtype=np.int32),
    )
