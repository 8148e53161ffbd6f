"""`PrunedEnsembleClassifier`: some classifiers of a pool and a threshold on their votes, with a proved bound."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Real
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.model_selection import train_test_split
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import check_is_fitted

from compactml.checks import check_consistent_length, validate_data
from compactml.ensemble_pruning.diversity import CONFIGURATIONS, diversity_limits
from compactml.ensemble_pruning.pool.classifier_pool import ClassifierPool
from compactml.ensemble_pruning.pool.voting import binary_labels, positive_votes
from compactml.ensemble_pruning.pruning import LARGEST_SEED, prune
from compactml.errors import InvalidDataError, InvalidParameterError, check_integer

__all__ = ["PrunedEnsembleClassifier"]


class PrunedEnsembleClassifier(ClassifierMixin, BaseEstimator):
    """Ensemble pruned by integer programming (Bastos, Brandão and Valle, INOC 2024).

    A part of the rows is set aside for validation; the classifiers are trained on the others. Selection and threshold
    maximise the objective (1) on the votes for the validation rows: a point is positive iff more than ``threshold_``
    of the selected classifiers vote for the second one of the two classes.

    Parameters
    ----------
    estimators : ClassifierPool or sequence of classifiers, optional
        They are cloned. By default a `ClassifierPool` of ``n_classifiers`` with this ``random_state``.
    n_classifiers : int, default 40
        Size of the default pool.
    objective : {"accuracy", "balanced_accuracy", "recall"}, four numbers, or Weights, default "accuracy"
        As in `compactml.ensemble_pruning.objective_weights`; "balanced_accuracy" is the paper's F1
        (theta-weighted).
    diversity : {"F2", "F3"}, pair of numbers, or None, default None
        Limits on pairwise failure crediting: None for none (F1), those that the paper takes from the full ensemble, or
        tau and gamma of (18) and (20).
    validation_fraction : float, default 0.3
        Share of the rows that the selection is made on; 27 of 90 per cent in the paper.
    min_size, max_size : int or None, default 0 and None
        Limits on the number of selected classifiers.
    formulation : {"strengthened", "plain"}, default "strengthened"
    solver : str, default "auto"
        For the integer program, see `compactml.solvers`.
    time_limit : float or None, default 60.0
        Seconds for the selection; None for as long as it takes to prove the best one.
    random_state : int, default 0
        Of the split, the default pool and the search.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
    estimators_ : list of fitted classifiers
        All of them, fitted on labels False and True (the second class).
    pool_ : ClassifierPool or None
        The fitted pool; None if single classifiers were given.
    selected_ : ndarray of int
        Positions of the chosen ones.
    threshold_ : int
        L.
    value_ : float
        The objective (1) on the validation rows.
    bound_ : float
        Proved: no selection and threshold that meet the limits have a larger one.
    gap_ : float
        (bound - value) / abs(value); 0 says optimal.
    solver_ : str or None
        Solver of the integer program; None if none was needed.
    result_ : PruningResult

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = PrunedEnsembleClassifier(n_classifiers=10).fit(X[:400], y[:400])
    >>> model.value_ <= model.bound_
    True
    >>> bool(model.score(X[400:], y[400:]) > 0.9)
    True
    """

    def __init__(
        self,
        estimators: ClassifierPool | Sequence[Any] | None = None,
        *,
        n_classifiers: int = 40,
        objective: Any = "accuracy",
        diversity: str | tuple[float, float] | None = None,
        validation_fraction: float = 0.3,
        min_size: int = 0,
        max_size: int | None = None,
        formulation: str = "strengthened",
        solver: str = "auto",
        time_limit: float | None = 60.0,
        random_state: int = 0,
    ) -> None:
        self.estimators = estimators
        self.n_classifiers = n_classifiers
        self.objective = objective
        self.diversity = diversity
        self.validation_fraction = validation_fraction
        self.min_size = min_size
        self.max_size = max_size
        self.formulation = formulation
        self.solver = solver
        self.time_limit = time_limit
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Train the classifiers and choose some of them.

        Parameters
        ----------
        X : array-like, shape (n, n_features)
            Whatever the classifiers take; numbers for the default pool.
        y : array-like, shape (n,)
            Labels of two classes.

        Raises
        ------
        InvalidParameterError
            A parameter outside its range.
        InvalidDataError
            One class only, or a class with fewer than two rows; a probability outside [0, 1].
        DiversityInfeasibleError
            No selection of the sizes asked for is as diverse as asked for.
        DiversityUndecidedError
            The time was up before that was known.
        ValueError
            More than two classes (in the words that scikit-learn asks for); what a given classifier refuses.
        """
        check_integer("random_state", self.random_state, 0, LARGEST_SEED - 1)
        X = self._checked(X, reset=True)
        check_consistent_length(X, y)
        self.classes_, positive = binary_labels(y)
        train, validation = self._split(positive)
        self._train(_safe_indexing(X, train), positive[train])
        votes = self._votes(_safe_indexing(X, validation), range(len(self.estimators_)))
        min_pfc, mean_pfc = self._limits(votes, positive[validation])
        self.result_ = prune(
            votes,
            positive[validation],
            objective=self.objective,
            min_pfc=min_pfc,
            mean_pfc=mean_pfc,
            formulation=self.formulation,
            solver=self.solver,
            time_limit=self.time_limit,
            random_state=self.random_state,
            min_size=self.min_size,
            max_size=self.max_size,
        )
        self.selected_, self.threshold_ = self.result_.selected, self.result_.threshold
        self.value_, self.bound_, self.gap_ = self.result_.value, self.result_.bound, self.result_.gap
        self.solver_ = None if self.result_.choice is None else self.result_.choice.solver
        return self

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the positive votes of the selected classifiers less L + 1/2: above 0 for the positive class.

        Parameters
        ----------
        X : array-like, shape (n, n_features)

        Returns
        -------
        ndarray of float, shape (n,)
        """
        check_is_fitted(self)
        votes = self._votes(self._checked(X, reset=False), self.selected_)
        return np.asarray(votes.sum(axis=1) - self.threshold_ - 0.5)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each row, shape (n,)."""
        positive = self.decision_function(X) > 0
        return self.classes_[positive.astype(int)]

    def _checked(self, X: Any, *, reset: bool) -> Any:
        """A pool's input as an array of numbers; single classifiers check their own."""
        pooled = self.estimators is None or isinstance(self.estimators, ClassifierPool)
        return validate_data(self, X, reset=reset, skip_check_array=not pooled)

    def _split(self, positive: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Rows to train on and rows to select on, both classes in both."""
        share: Any = self.validation_fraction
        if isinstance(share, bool) or not isinstance(share, Real) or not 0 < float(share) < 1:
            raise InvalidParameterError("validation_fraction", "a number in (0, 1)", share)
        rare = min(int(positive.sum()), int((~positive).sum()))
        if rare < 2:
            raise InvalidDataError(
                "y", "at least two rows of each class, to train and to select on", f"{rare}"
            )
        n_validation = min(max(round(float(share) * len(positive)), 2), len(positive) - 2)
        train, validation = train_test_split(
            np.arange(len(positive)),
            test_size=n_validation,
            stratify=positive,
            random_state=self.random_state,
        )
        return train, validation

    def _train(self, X: Any, positive: NDArray[np.bool_]) -> None:
        """Fit clones of what was given, or a pool, on labels False and True."""
        given = self.estimators
        if given is None:
            given = ClassifierPool(self.n_classifiers, self.random_state)
        if isinstance(given, ClassifierPool):
            self.pool_ = clone(given).fit(X, positive)
            self.estimators_ = self.pool_.estimators_
            return
        if isinstance(given, str) or not isinstance(given, Sequence) or len(given) < 2:
            raise InvalidParameterError("estimators", "a ClassifierPool, or at least two classifiers", given)
        self.pool_ = None
        self.estimators_ = [clone(one).fit(X, positive) for one in given]

    def _votes(self, X: Any, chosen: Iterable[int]) -> NDArray[np.bool_]:
        return positive_votes([self.estimators_[k] for k in chosen], X, True)

    def _limits(self, votes: NDArray[np.bool_], positive: NDArray[np.bool_]) -> tuple[float, float]:
        """The limits tau and gamma; `prune` checks their values."""
        asked: Any = self.diversity
        if asked is None:
            return 0.0, 0.0
        if isinstance(asked, str) and asked in CONFIGURATIONS:
            return diversity_limits(votes, positive, asked)
        if isinstance(asked, str) or not isinstance(asked, Sequence) or len(asked) != 2:
            raise InvalidParameterError("diversity", "'F2', 'F3', a pair of numbers, or None", asked)
        least, average = asked
        return least, average

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
