"""What all selectors share: from a table to measures, a program, and the columns that are best."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import replace
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from compactml.checks import check_array, column_or_1d, validate_data
from compactml.clock import Clock
from compactml.errors import InvalidParameterError, check_choice, check_integer
from compactml.feature_selection.building import Coded, Measures, coded
from compactml.feature_selection.discretize import Discretizer, as_table
from compactml.feature_selection.greedy import GreedyResult, check_size
from compactml.feature_selection.program import FractionalProgram
from compactml.feature_selection.result import FractionalResult, Tolerance
from compactml.feature_selection.selectors.measuring import measured
from compactml.feature_selection.selectors.sizes import Folds, smallest_good_size
from compactml.feature_selection.solving import (
    METHODS,
    check_stopping,
    ended_by_limit,
    solve_watched,
)
from compactml.watch import Callback, Watch, checked_limit

__all__ = ["FractionalSelector", "Scores"]

Scores = NDArray[np.float64]

NOTHING = 0.001
"""By default a difference of this share of the best feature's value counts as none."""


class FractionalSelector(SelectorMixin, BaseEstimator):
    """A selector that maximises a fractional program of the features."""

    k: int | str | None
    method: str
    discretizer: Discretizer
    target: str
    gap_rel: float
    gap_abs: float | None
    time_limit: float | None
    solver: str
    largest_k: int
    cv: Any
    estimator: Any
    verbose: bool
    callback: Callback | None

    def fit(self, X: Any, y: Any) -> Self:
        """Measure the features and choose among them.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n, p)
            Numbers, booleans, text or categories; missing values are symbols of their own.
        y : array-like, shape (n,)
            Class labels, or numbers.

        Raises
        ------
        ContinuousFeaturesError
            A column looks continuous and there is no ``discretizer``.
        InvalidDataError, NoUsableFeatureError
            Data without two samples, two classes and a column that varies; infinity in a column of numbers, or NaN
            where there is no ``discretizer``.
        InvalidParameterError
            A parameter out of its range, or more features asked for than there are columns that vary.
        TimeLimitTooShortError
            The features could not be measured within the limit and half a second, or a twentieth, more.

        Warns
        -----
        EndedEarlyWarning
            The limit or Ctrl-C ended the selection before the gaps were met, or the choice of ``k`` before its last
            fold; the set is the best so far.
        """
        tolerance, watch = self._checked(), Watch.of_fit(self, Clock(checked_limit(self.time_limit)))
        table = self._table(X, y)
        measures = measured(table, watch.clock)
        k = self.k
        self.cv_scores_, unfinished = None, 0
        if isinstance(k, str):
            largest = min(check_integer("largest_k", self.largest_k, 1), measures.n_features)
            folds = Folds(table, y, self._program, self.cv, self.estimator)
            with watch.interruptible():
                folds.run(largest, watch.clock.part(watch.clock.left / 2))  # the other half is for the proof
            self.cv_scores_ = folds.scores
            unfinished = folds.n_folds - len(folds.scores)
            k = smallest_good_size(folds.scores)
        check_size(k, measures.n_features)
        self.program_ = self._program(measures, k)
        self.result_ = self._selected(measures, self.program_, k, tolerance, watch)
        watch.finish(lambda: self._describe(measures, self.result_.support))
        ended = ended_by_limit(self.result_, self.method, watch.clock)
        if ended or unfinished or (watch.interrupted and not self.result_.proved):
            limit = (
                f"time_limit={self.time_limit} s, {unfinished} folds before their end,"
                if unfinished
                else None
            )
            watch.warn(self.result_.value, self.result_.bound, limit=limit)
        return self

    def _checked(self) -> Tolerance:
        """The gaps, after a look at all that is not checked on the way."""
        check_choice("method", self.method, ("greedy", *METHODS))
        if isinstance(self.k, str) and self.k != "cv":
            raise InvalidParameterError("k", "an integer, 'cv' or None", self.k)
        return check_stopping(self.gap_rel, 0.0 if self.gap_abs is None else self.gap_abs, self.solver)

    def _table(self, X: Any, y: Any) -> Coded:
        if not isinstance(X, pd.DataFrame):
            X = check_array(X, dtype=None, ensure_all_finite=False, estimator=self)
        validate_data(self, X, y, skip_check_array=True)
        self._has_symbols = any(dtype.kind not in "iuf" for dtype in as_table(X).dtypes)
        return coded(X, column_or_1d(y, warn=True), discretizer=self.discretizer, target=self.target)

    def _selected(
        self,
        measures: Measures,
        program: FractionalProgram,
        k: int | None,
        tolerance: Tolerance,
        watch: Watch,
    ) -> FractionalResult:
        """The best set, by the method asked for."""
        size = program.size if k is None else k
        if self.method == "greedy":
            found = self._forward(measures, program, k)
            support = found.best_prefix if size is None else found.support
            value = program.value(support)
            watch.tell(value, math.inf)
            return FractionalResult(value, math.inf, support, False, None, 0, watch.clock.seconds, None)
        if watch.interrupted:
            result = FractionalResult(
                -math.inf, math.inf, np.zeros(0, dtype=np.intp), False, None, 0, watch.clock.seconds, None
            )
        else:
            if self.gap_abs is None:
                tolerance = replace(tolerance, absolute=NOTHING * self._best_alone(measures))
            result = solve_watched(program, tolerance, watch, self.method, self.solver, n_features=size)
        if result.proved:
            return result
        # A program that was stopped may have no set, or one that forward selection betters at once.
        forward = self._forward(measures, program, k)
        support = forward.best_prefix if size is None else forward.support
        value = program.value(support)
        if len(result.support) and value <= result.value:
            return result
        with watch.interruptible():
            watch.tell(value, result.bound)
        return replace(result, support=support, value=value)

    def _describe(self, measures: Measures, support: NDArray[np.intp]) -> None:
        """Set what is said of each column."""
        p, used = self.n_features_in_, measures.features
        self.k_ = len(support)
        self.support_ = np.zeros(p, dtype=bool)
        self.support_[used[support]] = True
        self.scores_ = np.zeros(p)
        self.scores_[used] = self._scores(measures)
        order = self._order(measures, self.program_, support)
        self.ranking_ = np.full(p, len(order) + 2)
        self.ranking_[used[support]] = 1
        self.ranking_[used[order]] = np.arange(len(order)) + 2

    @abstractmethod
    def _program(self, measures: Measures, k: int | None) -> FractionalProgram: ...

    @abstractmethod
    def _forward(self, measures: Measures, program: FractionalProgram, k: int | None) -> GreedyResult: ...

    @abstractmethod
    def _scores(self, measures: Measures) -> Scores: ...

    @abstractmethod
    def _order(
        self, measures: Measures, program: FractionalProgram, support: NDArray[np.intp]
    ) -> NDArray[np.intp]: ...

    @abstractmethod
    def _best_alone(self, measures: Measures) -> float:
        """Value of the best feature alone, without what it costs: the scale of all values."""

    @property
    @abstractmethod
    def _falls(self) -> bool:
        """Whether the best value never grows with k."""

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        # Columns of text and categories may have gaps, if not in training then later: `transform` must let them pass.
        tags.input_tags.allow_nan = self.discretizer is not None or getattr(self, "_has_symbols", False)
        return tags
