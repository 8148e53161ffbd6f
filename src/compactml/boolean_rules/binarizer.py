"""`DecileBinarizer`: from a table of numbers, categories and missing values to literals.

The rules are those of section 4 of Dash, Günlük and Wei (2018) and, where the paper is silent (missing values, columns
of few values), of `FeatureBinarizer` in the authors' toolkit AIX360.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from compactml.boolean_rules.attributes import (
    Cuts,
    checked,
    countable,
    fitted_attribute,
    has_literals,
    hashable,
    is_numeric,
    joined,
)
from compactml.boolean_rules.classifying.weights import row_weights
from compactml.checks import check_array, validate_data
from compactml.errors import InvalidDataError, InvalidParameterError, check_choice, check_integer
from compactml.native import native

__all__ = ["DecileBinarizer"]

CELLS_PER_BLOCK = 10_000_000


class DecileBinarizer(TransformerMixin, BaseEstimator):
    """Turn the columns of a table into 0/1 literals that print in original units.

    Parameters
    ----------
    n_thresholds : int, default=9
        Quantiles taken of each numeric column, evenly spaced: 9 are the deciles.
    categorical : "auto" or list of str, default="auto"
        Columns of text, of booleans and of pandas categories are categorical always; a list names numeric columns to
        treat so as well (``x0``, ``x1``, ... where X has no column names).
    missing : {"never", "above"}, default="never"
        What a missing number satisfies in a column that had none in training: neither ``<=`` nor ``>``, as NULL in SQL;
        or ``>`` every t, as in AIX360. Where training had some, they are false in both.

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
    cannot say otherwise) or not: `true_where_missing` names such literals, and `Rules` print them.

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

    def __init__(
        self, n_thresholds: int = 9, categorical: str | Sequence[str] = "auto", missing: str = "never"
    ) -> None:
        self.n_thresholds = n_thresholds
        self.categorical = categorical
        self.missing = missing

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn thresholds and categories.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n, n_features)
            Numbers, text, booleans, categories; NaN, None and NA are missing values.
        y : ignored
        sample_weight : array-like of float, shape (n,), optional
            Rows of weight 0 are left out. If all are whole numbers, the quantiles are those of rows repeated so often;
            other weights do not move them.

        Raises
        ------
        InvalidParameterError
            ``n_thresholds`` below 1, ``categorical`` names a column that is not there, or another ``missing``.
        InvalidDataError
            No rows, infinite values, integers from 2**53 on, which floats do not tell apart, a column of dates or of
            lists or the like, or weights that are negative or all zero.
        """
        check_integer("n_thresholds", self.n_thresholds, 1)
        check_choice("missing", self.missing, ("never", "above"))
        frame = self._frame(X, reset=True)
        counts, weights = None, row_weights(sample_weight, len(frame))
        if weights is not None:
            frame, weights = frame.loc[weights > 0], weights[weights > 0]
            if (weights == np.floor(weights)).all() and weights.max() > 1:
                counts = weights
        names = [str(name) for name in _check_feature_names_in(self)]
        named = self._named_categorical(names)
        fitted = {
            i: fitted_attribute(
                countable(checked(frame.iloc[:, i], name), name),
                name in named,
                self.n_thresholds,
                above=self.missing == "above",
                counts=counts,
            )
            for i, name in enumerate(names)
        }
        useful = {i: attribute for i, attribute in fitted.items() if has_literals(attribute)}
        self.columns_ = np.array(list(useful), dtype=np.intp)
        self.attributes_ = tuple(useful.values())
        self.literals_ = joined([names[i] for i in useful], self.attributes_)
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
            column = hashable(checked(frame.iloc[:, i], str(frame.columns[i])), str(frame.columns[i]))
            if (isinstance(attribute, Cuts) or attribute.numeric) and not is_numeric(column):
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

    def true_where_missing(self) -> NDArray[np.bool_]:
        """Literals that a missing value satisfies though they do not speak of missing values, shape (d,)."""
        check_is_fitted(self)
        codes = np.array([[attribute.missing_code for attribute in self.attributes_]], dtype=np.int64)
        says = [name.endswith((" is missing", " is not missing")) for name in self.literals_.names]
        return self.literals_.evaluate(codes.reshape(1, -1))[0] & ~np.array(says, dtype=bool)

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
            return native(X).infer_objects()
        array = check_array(X, dtype=None, ensure_all_finite=False, estimator=self)
        validate_data(self, X, reset=reset, skip_check_array=True)
        return native(pd.DataFrame(array)).infer_objects()

    def _named_categorical(self, names: Sequence[str]) -> frozenset[str]:
        if isinstance(self.categorical, str):
            if self.categorical != "auto":
                raise InvalidParameterError("categorical", "'auto' or a list of columns", self.categorical)
            return frozenset()
        named: list[Any]
        try:
            named = list(self.categorical)
        except TypeError:
            named = [self.categorical]
        if not all(isinstance(name, str) for name in named):
            raise InvalidParameterError("categorical", "'auto' or a list of columns", self.categorical)
        if unknown := set(named) - set(names):
            raise InvalidParameterError("categorical", f"columns of X ({', '.join(names)})", sorted(unknown))
        return frozenset(named)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.transformer_tags.preserves_dtype = []
        return tags
