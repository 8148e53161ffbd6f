"""`BooleanRuleClassifierCV`: the complexity chosen by cross-validation."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.metrics import check_scoring
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import check_is_fitted

from compactml.boolean_rules.classifier import BooleanRuleClassifier
from compactml.boolean_rules.classifying.asked import LimitsNotKeptError
from compactml.boolean_rules.classifying.preparing import prepare
from compactml.boolean_rules.classifying.ways import AUTO
from compactml.boolean_rules.classifying.weights import row_weights
from compactml.boolean_rules.learning import check_time_limit
from compactml.boolean_rules.pricing.search import LARGEST
from compactml.checks import check_array, check_consistent_length, checked_folds, column_or_1d, n_samples
from compactml.clock import Clock
from compactml.errors import CompactmlError, InvalidDataError, InvalidParameterError, check_integer
from compactml.native import native
from compactml.watch import Callback, Watch

__all__ = ["BooleanRuleClassifierCV"]

REFIT_SHARE = 0.3
"""Part of the time that is kept for the last fit, on all rows."""

AFTER_AN_INTERRUPT = 2.0
"""Seconds for the last fit after Ctrl-C."""

UNKNOWN = -1e300
"""A score that Ctrl-C came before."""


class BooleanRuleClassifierCV(ClassifierMixin, BaseEstimator):
    """`BooleanRuleClassifier` whose complexity is the one of the best cross-validated score.

    Each fold is binarised once, for all complexities. The rules at the end are learned anew from all rows.

    Parameters
    ----------
    complexities : sequence of int, default (2, 4, 6, 8, 10, 14, 20)
        Tried in rising order; of equal scores the smallest wins.
    cv : int, splitter or iterable, default 5
        As in scikit-learn; folds are stratified by class, and a number of them is lowered to the rows of the most
        frequent class, with a warning.
    scoring : str or callable, optional
        As in scikit-learn; accuracy by default.
    estimator : BooleanRuleClassifier, optional
        All other parameters; its complexity, time_limit, verbose and callback are not used. What
        ``several_classes="auto"`` means is decided once, at the largest complexity.
    time_limit : float or None, default 60.0
        Seconds of the whole call, None for no limit. Three tenths are kept for the last fit, the rest is shared fairly
        by the fits of the folds. A warning says where Ctrl-C ended them, or a limit the last fit before its proof.
    verbose : bool, default False
        Print a line for each change of loss or bound in the last fit.
    callback : callable (News) -> object, optional
        Called at each such change, see `compactml.watch.News`.

    Attributes
    ----------
    complexity_ : int
    best_score_ : float
        Mean over the folds.
    cv_results_ : dict of ndarray
        For each complexity ``complexity``, ``mean_test_score``, ``std_test_score``, ``split0_test_score``, ..., and
        ``n_proved``, how many folds ended with a proof. NaN where Ctrl-C came first, or where no rule set of this
        complexity is known to keep the limits; a complexity of which that holds in one fold is not chosen.
    best_estimator_ : BooleanRuleClassifier
        Learned from all rows.
    classes_ : ndarray
    rules_ : Rules, RuleList or list of Rules
        Those of ``best_estimator_``.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).integers(0, 2, (200, 6))
    >>> y = X[:, 0] & X[:, 1] | X[:, 2]
    >>> model = BooleanRuleClassifierCV((2, 5), estimator=BooleanRuleClassifier(binarizer=None)).fit(X, y)
    >>> model.complexity_, model.best_score_
    (5, 1.0)
    >>> sorted(model.rules_)
    [('x0', 'x1'), ('x2',)]
    """

    def __init__(
        self,
        complexities: Sequence[int] = (2, 4, 6, 8, 10, 14, 20),
        *,
        cv: Any = 5,
        scoring: Any = None,
        estimator: BooleanRuleClassifier | None = None,
        time_limit: float | None = 60.0,
        verbose: bool = False,
        callback: Callback | None = None,
    ) -> None:
        self.complexities = complexities
        self.cv = cv
        self.scoring = scoring
        self.estimator = estimator
        self.time_limit = time_limit
        self.verbose = verbose
        self.callback = callback

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Choose the complexity, then learn the rules from all rows.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n, n_features)
        y : array-like, shape (n,)
        sample_weight : array-like of float, shape (n,), optional
            For learning and for scoring; a ``scoring`` that is a function must take it.
        groups : str or array-like, shape (n,), optional
            A column of X, or the group of each row, for ``equal_opportunity`` of the estimator; each fold learns with
            its part of them. They do not say how rows are split.

        Raises
        ------
        InvalidParameterError
            A parameter outside its range, or limits that no rule set of any complexity keeps.
        InvalidDataError
            As in `BooleanRuleClassifier.fit`; fewer than two groups have rows of the class in a fold.
        """
        complexities, template = self._checked()
        clock = Clock(self.time_limit)
        watch = Watch.of_fit(self, clock)
        rows = prepare(template, X, y, sample_weight, groups)
        check_consistent_length(X, y)
        if len(rows.classes) > 2 and template.several_classes == AUTO:
            choosing = clock.part((1 - REFIT_SHARE) * clock.left)
            template.several_classes = template._ways(rows).chosen(rows, choosing, watch)
        weights = row_weights(sample_weight, n_samples(X))
        # what has rows to choose from
        X = native(X) if isinstance(X, pd.DataFrame) else check_array(X, dtype=None, ensure_all_finite=False)
        scores, proved, refused = self._scores(template, complexities, X, y, weights, groups, clock, watch)
        with warnings.catch_warnings():  # a mean of nothing, after an interrupt
            warnings.simplefilter("ignore", RuntimeWarning)
            mean, spread = np.nanmean(scores, axis=1), np.nanstd(scores, axis=1)
        mean[refused] = spread[refused] = np.nan
        splits = {f"split{f}_test_score": scores[:, f] for f in range(scores.shape[1])}
        self.cv_results_ = {
            "complexity": np.array(complexities),
            "mean_test_score": mean,
            "std_test_score": spread,
            **splits,
            "n_proved": proved,
        }
        best = int(np.argmax(np.where(refused, -np.inf, np.nan_to_num(mean, nan=UNKNOWN))))
        self.complexity_, self.best_score_ = complexities[best], float(mean[best])
        self.best_estimator_ = template.set_params(complexity=self.complexity_)
        last = clock.part(AFTER_AN_INTERRUPT) if watch.interrupted else clock
        cut, watch.interrupted = watch.interrupted, False
        early = template._learn(rows, last, watch)
        watch.interrupted |= cut
        for name in ("n_features_in_", "feature_names_in_", "classes_", "rules_"):
            if hasattr(template, name):
                setattr(self, name, getattr(template, name))
        if early is not None:
            watch.warn(early.value, early.bound, limit=early.cause)
        elif cut:
            total = float(np.sum(template.objective_))
            watch.warn(total, total)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Class of each row, see `BooleanRuleClassifier.predict`."""
        check_is_fitted(self)
        return self.best_estimator_.predict(X)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Probability of each class, see `BooleanRuleClassifier.predict_proba`."""
        check_is_fitted(self)
        return self.best_estimator_.predict_proba(X)

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Log-odds, see `BooleanRuleClassifier.decision_function`."""
        check_is_fitted(self)
        return self.best_estimator_.decision_function(X)

    def _checked(self) -> tuple[list[int], BooleanRuleClassifier]:
        """The complexities and what is to be copied for each of them."""
        if self.estimator is not None and not isinstance(self.estimator, BooleanRuleClassifier):
            raise InvalidParameterError("estimator", "a BooleanRuleClassifier, or None", self.estimator)
        allowed = "at least one integer of at least 2"
        if not isinstance(self.complexities, Sequence | np.ndarray):
            raise InvalidParameterError("complexities", allowed, self.complexities)
        complexities = sorted({check_integer("complexities", one, 2, LARGEST) for one in self.complexities})
        if not complexities:
            raise InvalidParameterError("complexities", allowed, self.complexities)
        check_time_limit(self.time_limit)
        template = clone(self.estimator or BooleanRuleClassifier())
        template.set_params(complexity=complexities[-1], time_limit=None, verbose=False, callback=None)
        template._check_parameters()
        return complexities, template

    def _scores(
        self,
        template: BooleanRuleClassifier,
        complexities: list[int],
        X: Any,
        y: Any,
        weights: NDArray[np.float64] | None,
        groups: Any,
        clock: Clock,
        watch: Watch,
    ) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.bool_]]:
        """Score of each complexity in each fold, shape (n_complexities, n_folds), the number of folds proved, and
        which complexities a fold refused; the last error where all were.
        """
        try:
            scorer = check_scoring(template, scoring=self.scoring)
        except (TypeError, ValueError) as error:
            allowed = "a scorer of scikit-learn, its name, or None"
            raise InvalidParameterError("scoring", allowed, self.scoring) from error
        labels = column_or_1d(y)
        folds = checked_folds(self.cv, X, labels, classifier=True)
        scores = np.full((len(complexities), len(folds)), np.nan)
        proved = np.zeros(len(complexities), dtype=np.int64)
        refused = np.zeros(len(complexities), dtype=bool)
        column = groups is None or isinstance(groups, str)
        folding = clock.part((1 - REFIT_SHARE) * clock.left)
        with watch.interruptible():
            for f, (train, test) in enumerate([] if watch.interrupted else folds):
                fold = clone(template)
                own = None if weights is None else weights[train]
                part = groups if column else _safe_indexing(groups, train)
                rows = prepare(fold, _safe_indexing(X, train), labels[train], own, part)
                scored = {} if weights is None else {"sample_weight": weights[test]}
                for c, complexity in enumerate(complexities):
                    model = copy.copy(fold).set_params(complexity=complexity)
                    left = (len(folds) - f) * len(complexities) - c
                    own_time = folding.part(folding.left / left)
                    try:
                        early = model._learn(rows, own_time, Watch(watch.name, clock))
                    except LimitsNotKeptError:
                        refused[c] = True
                        if refused.all():
                            raise
                        continue
                    except InvalidDataError as error:  # rows of a fold have too few groups
                        raise InvalidDataError(
                            error.name, f"{error.allowed}, in each fold", error.got
                        ) from None
                    proved[c] += early is None
                    scores[c, f] = self._score(scorer, model, _safe_indexing(X, test), labels[test], scored)
        return scores, proved, refused

    def _score(self, scorer: Any, model: Any, X: Any, y: NDArray[Any], weights: dict[str, Any]) -> float:
        try:
            return float(scorer(model, X, y, **weights))
        except CompactmlError:
            raise
        except (TypeError, ValueError) as error:
            raise InvalidParameterError(
                "scoring", f"a scorer of these rows ({error})", self.scoring
            ) from error

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = (self.estimator or BooleanRuleClassifier()).__sklearn_tags__().input_tags
        return tags
