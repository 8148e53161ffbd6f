"""`MRMRSelector` and `CFSSelector`: exact feature selection as scikit-learn transformers."""

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
from compactml.errors import check_choice
from compactml.feature_selection.allowed_sets import best_known
from compactml.feature_selection.building import Measures, measure
from compactml.feature_selection.discretize import Discretizer, as_table
from compactml.feature_selection.greedy import GreedyResult, cfs_forward, check_size, mrmr_forward
from compactml.feature_selection.program import FractionalProgram, cfs_program, mrmr_program
from compactml.feature_selection.result import FractionalResult, Tolerance
from compactml.feature_selection.solving import (
    METHODS,
    check_stopping,
    nearly_over,
    solve_watched,
    started_clock,
)
from compactml.watch import Callback, Watch, checked_limit

__all__ = ["CFSSelector", "MRMRSelector"]


class _FractionalSelector(SelectorMixin, BaseEstimator):
    """A selector that maximises a fractional program of the features."""

    k: int | None
    method: str
    discretizer: Discretizer
    gap_rel: float
    gap_abs: float
    time_limit: float | None
    solver: str
    verbose: bool
    callback: Callback | None

    def fit(self, X: Any, y: Any) -> Self:
        """Measure the features and choose among them.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n, p)
            Numbers, booleans, text or categories.
        y : array-like, shape (n,)
            Class labels.

        Raises
        ------
        ContinuousFeaturesError
            A column looks continuous and there is no ``discretizer``.
        InvalidDataError, NoUsableFeatureError
            Data without two samples, two classes and a column that varies; NaN or infinity in a column of numbers.
        InvalidParameterError
            A parameter out of its range, or more features asked for than there are columns that vary.

        Warns
        -----
        EndedEarlyWarning
            The limit or Ctrl-C ended the selection before the gaps were met; the set is the best so far.
        """
        check_choice("method", self.method, ("greedy", *METHODS))
        tolerance = check_stopping(self.gap_rel, self.gap_abs, self.solver)
        clock = started_clock(self.method, checked_limit(self.time_limit))
        watch = Watch(type(self).__name__, clock, verbose=self.verbose, callback=self.callback, keep=True)
        if not isinstance(X, pd.DataFrame):
            X = check_array(X, dtype=None, ensure_all_finite=False, estimator=self)
        validate_data(self, X, y, skip_check_array=True)
        measures = measure(X, column_or_1d(y, warn=True), discretizer=self.discretizer)
        check_size(self.k, measures.n_features)
        self._has_symbols = any(dtype.kind not in "biuf" for dtype in as_table(X).dtypes)
        self.program_ = self._program(measures)
        greedy = self.method == "greedy"
        self.result_ = self._by_forward(measures, watch) if greedy else self._exactly(tolerance, watch)
        self.support_ = np.zeros(self.n_features_in_, dtype=bool)
        self.support_[self.program_.features[self.result_.support]] = True
        if not greedy and not self.result_.proved and (watch.interrupted or nearly_over(clock)):
            watch.warn(self.result_.value, self.result_.bound)
        return self

    def _exactly(self, tolerance: Tolerance, watch: Watch) -> FractionalResult:
        result = solve_watched(self.program_, tolerance, watch, self.method, self.solver, n_features=self.k)
        if len(result.support):
            return result
        # A program that was stopped may have no set; a selector must.
        support = best_known(self.program_, self.k)
        return replace(result, support=support, value=self.program_.value(support))

    def _by_forward(self, measures: Measures, watch: Watch) -> FractionalResult:
        found = self._forward(measures)
        support = found.best_prefix if self.k is None else found.support
        value = self.program_.value(support)
        watch.tell(value, math.inf)
        return FractionalResult(value, math.inf, support, False, None, 0, watch.clock.seconds, None)

    @abstractmethod
    def _program(self, measures: Measures) -> FractionalProgram: ...

    @abstractmethod
    def _forward(self, measures: Measures) -> GreedyResult: ...

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        # Columns of text and categories may have gaps, if not in training then later: `transform` must let them pass.
        tags.input_tags.allow_nan = getattr(self, "_has_symbols", False)
        return tags


class MRMRSelector(_FractionalSelector):
    """Select the features with the largest mean relevance less mean redundancy, (1) of Mehmanchi et al. (2021).

    Parameters
    ----------
    k : int or None, default=None
        Number of features; None lets the objective decide.
    method : str, default="certified"
        A method of `compactml.feature_selection.solve`, or "greedy": forward selection without a bound, of k features
        or, of any number, the best prefix.
    discretizer : str, pair or None, default=None
        How columns of numbers become symbols, see `compactml.feature_selection.encode`; None refuses continuous ones.
    gap_rel, gap_abs : float, default=0.01, 0.001
        Stop when bound - value is at most ``gap_rel * abs(value)`` or at most ``gap_abs``.
    time_limit : float or None, default=60.0
        Seconds of the whole fit, None for no limit. The measures are finished in any case, and what compiling takes
        at the first use does not count. When it ends the search, the best set so far is selected, with a warning.
    solver : {"auto", "gurobi", "cplex", "highs", "scip"}, default="auto"
        For the paper's methods.
    verbose : bool, default=False
        Print a line at each change of value or bound.
    callback : callable (News) -> object, optional
        Called at each change of value or bound, see `compactml.watch.News`.

    Attributes
    ----------
    support_ : ndarray of bool, shape (p,)
    result_ : FractionalResult
        Value, bound, gaps, certificate; its ``support`` numbers the variables of ``program_``.
    program_ : FractionalProgram
        ``program_.features`` are the columns of X that vary, ``program_.preparation`` names the others.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only if X had column names.

    References
    ----------
    E. Mehmanchi, A. Gómez and O. A. Prokopyev, Solving a class of feature selection problems via fractional 0-1
    programming, Annals of Operations Research, 2021.

    Examples
    --------
    >>> X = [[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]]
    >>> MRMRSelector(method="greedy").fit(X, [0, 1, 2, 3]).get_support().tolist()
    [True, False, True]
    """

    def __init__(
        self,
        k: int | None = None,
        *,
        method: str = "certified",
        discretizer: Discretizer = None,
        gap_rel: float = 0.01,
        gap_abs: float = 0.001,
        time_limit: float | None = 60.0,
        solver: str = "auto",
        verbose: bool = False,
        callback: Callback | None = None,
    ) -> None:
        self.k = k
        self.method = method
        self.discretizer = discretizer
        self.gap_rel = gap_rel
        self.gap_abs = gap_abs
        self.time_limit = time_limit
        self.solver = solver
        self.verbose = verbose
        self.callback = callback

    def _program(self, measures: Measures) -> FractionalProgram:
        return mrmr_program(measures)

    def _forward(self, measures: Measures) -> GreedyResult:
        return mrmr_forward(measures, self.program_, k=self.k)


class CFSSelector(_FractionalSelector):
    """Select the features with the largest correlation with the class for their correlation, (4) of the same paper.

    Parameters
    ----------
    k : int or None, default=None
        Number of features; None lets the objective decide.
    su : {"geometric", "usual", "printed"}, default="geometric"
        Symmetrical uncertainty, see `compactml.feature_selection.symmetrical_uncertainty`.
    redundancy_factor : float, default=2.0
        Factor of the correlations between features, over ordered pairs; 1 is the square of Hall's merit.
    method, discretizer, gap_rel, gap_abs, time_limit, solver, verbose, callback
        As of `MRMRSelector`.

    Attributes
    ----------
    support_, result_, program_, n_features_in_, feature_names_in_
        As of `MRMRSelector`.

    References
    ----------
    E. Mehmanchi, A. Gómez and O. A. Prokopyev, Solving a class of feature selection problems via fractional 0-1
    programming, Annals of Operations Research, 2021.

    Examples
    --------
    >>> X = [[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]]
    >>> CFSSelector(2, method="greedy").fit(X, [0, 1, 2, 3]).get_feature_names_out().tolist()
    ['x0', 'x2']
    """

    def __init__(
        self,
        k: int | None = None,
        *,
        su: str = "geometric",
        redundancy_factor: float = 2.0,
        method: str = "certified",
        discretizer: Discretizer = None,
        gap_rel: float = 0.01,
        gap_abs: float = 0.001,
        time_limit: float | None = 60.0,
        solver: str = "auto",
        verbose: bool = False,
        callback: Callback | None = None,
    ) -> None:
        self.k = k
        self.su = su
        self.redundancy_factor = redundancy_factor
        self.method = method
        self.discretizer = discretizer
        self.gap_rel = gap_rel
        self.gap_abs = gap_abs
        self.time_limit = time_limit
        self.solver = solver
        self.verbose = verbose
        self.callback = callback

    def _program(self, measures: Measures) -> FractionalProgram:
        return cfs_program(measures, su=self.su, redundancy_factor=self.redundancy_factor)

    def _forward(self, measures: Measures) -> GreedyResult:
        return cfs_forward(measures, self.program_, k=self.k)
