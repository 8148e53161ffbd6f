"""`PrunedEnsembleRegressor`: some regressors of a pool whose mean is best, with a proved bound."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import joblib
import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.model_selection import KFold, train_test_split
from sklearn.utils import InputTags, _safe_indexing
from sklearn.utils.validation import check_is_fitted

from compactml.checks import (
    assert_all_finite,
    check_consistent_length,
    column_or_1d,
    refused_by,
    validate_data,
)
from compactml.clock import Clock
from compactml.ensemble_pruning.averaging.instance import ABSOLUTE, SQUARED
from compactml.ensemble_pruning.averaging.pruning import RULES, averages_pruned
from compactml.ensemble_pruning.averaging.regressors import default_regressors
from compactml.ensemble_pruning.averaging.result import Averaged
from compactml.ensemble_pruning.pool.members import check_prefitted, fit_member, input_tags, listed
from compactml.ensemble_pruning.pruning import LARGEST_SEED
from compactml.errors import (
    InvalidDataError,
    InvalidParameterError,
    check_choice,
    check_integer,
    check_jobs,
    check_share,
)
from compactml.watch import Callback, Watch, checked_limit

__all__ = ["PrunedEnsembleRegressor"]

SELECTIONS = ("holdout", "cross_validation")


class PrunedEnsembleRegressor(RegressorMixin, BaseEstimator):
    """A small ensemble of regressors whose mean has the least error, with a proof of how good it is.

    Regressors are trained, they predict rows that they were not trained on, and the set whose mean prediction has the
    least error on these rows is chosen; there it is never worse than the best single regressor and the mean of
    all. This is not in a paper of the book.

    Parameters
    ----------
    estimators : sequence of regressors, optional
        They are cloned, unless ``prefit``. By default ``n_regressors`` of seven families, which take numbers.
    n_regressors : int, default 21
        How many there are by default.
    prefit : bool, default False
        Whether ``estimators`` are fitted: then all rows are for the selection, and should not be those that the
        regressors have seen.
    selection : {"holdout", "cross_validation"}, default "holdout"
        The rows that the selection is made on: a part that is set aside, or all, each predicted by regressors that
        were fitted without its fold; then the regressors are fitted again on all rows.
    validation_fraction : float, default 0.3
        Share of the rows that is set aside.
    folds : int, default 5
        Of the cross-validation; at most as many as there are rows.
    loss : {"squared", "absolute"}, default "squared"
        Error of a row. Take the absolute one where a few rows are far off and should not decide; its proofs take
        longer.
    rule : {"best", "one_standard_error"}, default "best"
        The set of least error, or the best one of the smallest size whose error is within one standard error of it: on
        few rows the least error is partly luck.
    min_size, max_size : int or None, default 1 and None
        Limits on the number of selected regressors.
    time_limit : float or None, default 60.0
        Seconds of the selection, which begins once the regressors are fitted; None for as long as the proof takes.
        Fitting them is the regressors' own work, which no limit of this class ends.
    n_jobs : int or None, default None
        Processes that fit regressors, as in joblib.
    random_state : int, default 0
        Of the split, the default regressors and the search.
    verbose : bool, default False
        Print a line for each better ensemble or bound.
    callback : callable, optional
        Called with a `compactml.watch.News` at each better ensemble or bound.

    Attributes
    ----------
    estimators_ : list of fitted regressors
        All of them.
    selected_ : ndarray of int
        Positions of the chosen ones.
    value_ : float
        Mean error of the ensemble on the rows of the selection, squared or absolute.
    bound_ : float
        Proved: no selection of the allowed sizes has a smaller one on these rows.
    gap_ : float
        (value - bound) / value; 0 says optimal.
    score_, score_bound_ : float
        R2 of both, with ``loss="absolute"`` scikit-learn's ``d2_absolute_error_score``, on the rows that the selection
        was made on, hence flattering; NaN where the targets are all equal.
    result_ : AverageResult

    Warns
    -----
    EndedEarlyWarning
        The limit, or Ctrl-C during the selection, ended the work before the proof; the model is fitted with the best
        selection so far. Ctrl-C while regressors are fitted ends the call.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = PrunedEnsembleRegressor(n_regressors=7).fit(X[:300], y[:300])
    >>> model.score_ <= model.score_bound_, bool(model.score(X[300:], y[300:]) > 0.4)
    (True, True)
    """

    def __init__(
        self,
        estimators: Sequence[Any] | None = None,
        *,
        n_regressors: int = 21,
        prefit: bool = False,
        selection: str = "holdout",
        validation_fraction: float = 0.3,
        folds: int = 5,
        loss: str = SQUARED,
        rule: str = "best",
        min_size: int = 1,
        max_size: int | None = None,
        time_limit: float | None = 60.0,
        n_jobs: int | None = None,
        random_state: int = 0,
        verbose: bool = False,
        callback: Callback | None = None,
    ) -> None:
        self.estimators = estimators
        self.n_regressors = n_regressors
        self.prefit = prefit
        self.selection = selection
        self.validation_fraction = validation_fraction
        self.folds = folds
        self.loss = loss
        self.rule = rule
        self.min_size = min_size
        self.max_size = max_size
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback

    def fit(self, X: Any, y: Any) -> Self:
        """Train the regressors and choose some of them.

        Parameters
        ----------
        X : array-like or data frame, shape (n, n_features)
            Whatever the regressors take; numbers for the default ones.
        y : array-like of float, shape (n,)

        Raises
        ------
        InvalidParameterError
            A parameter outside its range; ``prefit`` regressors that are not fitted.
        InvalidDataError
            Fewer than two rows; targets or predictions that are not finite.
        ValueError
            What a given regressor refuses.
        """
        limit = self._check()
        watch = Watch.of_fit(self, Clock(limit))
        X = self._checked(X, reset=True)
        target = column_or_1d(y, warn=True)
        assert_all_finite(target, input_name="y")
        check_consistent_length(X, target)
        self.estimators_, said, rest = self._predictions(X, target)
        watch.clock = Clock(limit)  # of the selection
        names = ("loss", "rule", "random_state", "min_size", "max_size")
        result = averages_pruned(said, target[rest], watch, **{name: getattr(self, name) for name in names})
        self.result_, self.selected_ = result, result.selected
        self.value_, self.bound_, self.gap_ = result.value, result.bound, result.gap
        self.score_, self.score_bound_ = Averaged(result, self._trivial(target[rest])).shares
        if not result.complete:
            watch.warn(self.value_, self.bound_)
        return self

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the mean prediction of the selected regressors, shape (n,)."""
        check_is_fitted(self)
        X = self._checked(X, reset=False)
        return np.asarray(_said([self.estimators_[k] for k in self.selected_], X).mean(axis=1))

    def _trivial(self, y: NDArray[Any]) -> float:
        """Error of the best constant."""
        target = np.asarray(y, dtype=np.float64)
        return float(target.var() if self.loss == SQUARED else np.abs(target - np.median(target)).mean())

    def _check(self) -> float | None:
        check_integer("n_regressors", self.n_regressors, 2)
        check_integer("random_state", self.random_state, 0, LARGEST_SEED - 1)
        check_integer("folds", self.folds, 2)
        check_jobs(self.n_jobs)
        check_integer("min_size", self.min_size, 1)
        check_choice("selection", self.selection, SELECTIONS)
        check_choice("loss", self.loss, (SQUARED, ABSOLUTE))
        check_choice("rule", self.rule, RULES)
        check_share("validation_fraction", self.validation_fraction)
        if not isinstance(self.prefit, bool):
            raise InvalidParameterError("prefit", "True or False", self.prefit)
        if self.estimators is not None or self.prefit:
            allowed = "at least two fitted regressors" if self.prefit else "at least two regressors, or None"
            listed(self.estimators, "regressor", allowed)
        return checked_limit(self.time_limit)

    def _predictions(
        self, X: Any, y: NDArray[Any]
    ) -> tuple[list[Any], NDArray[np.float64], NDArray[np.intp]]:
        """The fitted regressors, what such ones say of rows that they have not seen, and the rows."""
        rows = np.arange(len(y))
        if self.prefit:
            assert self.estimators is not None
            columns = getattr(self, "n_features_in_", None)
            for k, member in enumerate(self.estimators):
                check_prefitted(member, f"estimators[{k}]", "regressor", columns)
            return list(self.estimators), _said(self.estimators, X), rows
        if len(rows) < 2:
            raise InvalidDataError("X", "at least two rows, to train and to select on", "n_samples=1")
        if self.selection == "cross_validation":
            splits = KFold(min(self.folds, len(rows)), shuffle=True, random_state=self.random_state)
            said = [
                _said(self._fitted(_safe_indexing(X, train), y[train]), _safe_indexing(X, rest))
                for train, rest in splits.split(rows)
            ]
            order = np.argsort(np.concatenate([rest for _, rest in splits.split(rows)]))
            return self._fitted(X, y), np.concatenate(said)[order], rows
        n_rest = min(max(round(float(self.validation_fraction) * len(rows)), 1), len(rows) - 1)
        train, rest = train_test_split(rows, test_size=n_rest, random_state=self.random_state)
        members = self._fitted(_safe_indexing(X, train), y[train])
        return members, _said(members, _safe_indexing(X, rest)), rest

    def _fitted(self, X: Any, y: NDArray[Any]) -> list[Any]:
        given = self.estimators
        if given is None:
            given = default_regressors(self.n_regressors, self.random_state, len(y))
        return list(
            joblib.Parallel(n_jobs=self.n_jobs)(joblib.delayed(fit_member)(one, X, y) for one in given)
        )

    def _checked(self, X: Any, *, reset: bool) -> Any:
        """The default regressors' input as they take it; given ones check their own."""
        if self.estimators is None or hasattr(X, "iloc"):
            return validate_data(self, X, reset=reset, skip_check_array=self.estimators is not None)
        sparse = "csr" if self.__sklearn_tags__().input_tags.sparse else False
        return validate_data(self, X, reset=reset, dtype=None, accept_sparse=sparse, ensure_all_finite=False)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        given = self.estimators
        members = isinstance(given, Sequence) and not isinstance(given, str) and given
        tags.input_tags = input_tags(given) if members else InputTags()
        return tags


def _said(members: Sequence[Any], X: Any) -> NDArray[np.float64]:
    """What each regressor predicts, shape (n, K)."""
    said = []
    for k, member in enumerate(members):
        named = f"predictions of estimators[{k}] ({type(member).__name__})"
        with refused_by(f"estimators[{k}] ({type(member).__name__})"):
            answer = member.predict(X)
        try:
            predicted = np.asarray(answer, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise InvalidDataError(named, "a finite number for each row", str(error)) from error
        if predicted.ndim != 1 or not np.isfinite(predicted).all():
            got = "others" if predicted.ndim == 1 else f"shape {predicted.shape}"
            raise InvalidDataError(named, "a finite number for each row", got)
        said.append(predicted)
    return np.column_stack(said)
