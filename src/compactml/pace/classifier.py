"""`PaceClassifier`: fit an ensemble, compress it, predict with what is left."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import IsolationForest, RandomForestClassifier
from sklearn.utils.validation import check_is_fitted

from compactml.checks import check_classification_targets, validate_data
from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.forests import check_kind, check_matrix
from compactml.pace._compress import PRUNE_FIRST, checked_clock, compressed_under, stated_depth
from compactml.pace.loop import LEARNERS
from compactml.pace.model.setting import check_seed
from compactml.pace.trees.pricing import INITIAL
from compactml.watch import Callback, Watch

__all__ = ["PaceClassifier"]


class PaceClassifier(ClassifierMixin, BaseEstimator):
    """A compressed tree ensemble with a certificate (Akkerman, Ferry, Guyard and Vidal, 2026).

    Parameters
    ----------
    estimator : RandomForestClassifier, ExtraTreesClassifier or AdaBoostClassifier, optional
        Fitted as a clone; by default a forest of 25 trees of depth 2.
    alpha : float, default 0.1
        Predictions must agree with the ensemble's where its margin is at least this share of the total weight. With
        0 they must agree nearly everywhere, which hardly any tree can be spared for.
    beta : float, default 0.0
        Share of the training samples that may be flagged as outliers, and need not agree.
    generate, prune : bool, default True
        The two phases: whether new trees are generated, and whether trees are left out.
    pricing : {"cart", "exact"}, default "cart"
        How trees are generated, see `compactml.pace.trees.pricing.price`.
    separation : {"auto", "search", "constraint", "objective", "both", "milp"}, default "auto"
        How faithfulness is proved, see `compactml.pace.separation.separator.Separator`.
    max_depth : int, "initial" or None, default "initial"
        Of generated trees: None is no limit, "initial" the depth of the deepest initial tree.
    duals : {"vertex", "interior", "uniform"}, default "vertex"
    order : {"prune first", "generate first"}, default "prune first"
    objective : {"learners", "leaves"}, default "learners"
        See `compactml.pace.compress`.
    uncertified : bool, default False
        Whether the compressed ensemble may be one without a certificate, see `compactml.pace.compress`. By default it
        is certified, and never larger than the ensemble.
    time_limit : float or None, default 60.0
        Seconds for compressing, None for no limit. An `compactml.watch.EndedEarlyWarning` says what was reached; Ctrl-C
        ends the work as well, and keeps the best certified ensemble so far.
    solver : str, default "auto"
        See `compactml.solvers`.
    random_state : int, default 0
    votes : {"auto", "soft", "hard"}, default "auto"
        See `compactml.forests.forest_arrays`.
    isolation_forest : IsolationForest, optional
        Fitted as a clone; without effect if beta is 0. By default see `compactml.pace.compress`.
    verbose : bool, default False
        Print a line at each better certified ensemble, and at each better bound.
    callback : callable, optional
        Called then with a `compactml.watch.News`, see `compactml.pace.compress`.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    estimator_ : fitted ensemble
        What was compressed.
    compressed_ : CompressedEnsemble
    certificate_ : Certificate
        For each ordered pair of labels, proved or not.
    n_learners_, n_generated_, n_leaves_ : int
    weights_ : ndarray of int64, shape (k,)
    history_ : tuple

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = PaceClassifier(alpha=0.1, generate=False).fit(X, y)
    >>> model.certificate_.faithful
    True
    >>> inside = model.compressed_.in_region(X)
    >>> bool((model.predict(X) == model.estimator_.predict(X))[inside].all())
    True
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        alpha: float = 0.1,
        beta: float = 0.0,
        generate: bool = True,
        prune: bool = True,
        pricing: str = "cart",
        separation: str = "auto",
        max_depth: int | str | None = INITIAL,
        duals: str = "vertex",
        order: str = PRUNE_FIRST,
        objective: str = LEARNERS,
        uncertified: bool = False,
        time_limit: float | None = 60.0,
        solver: str = "auto",
        random_state: int = 0,
        votes: str = "auto",
        isolation_forest: IsolationForest | None = None,
        verbose: bool = False,
        callback: Callback | None = None,
    ) -> None:
        self.estimator = estimator
        self.alpha = alpha
        self.beta = beta
        self.generate = generate
        self.prune = prune
        self.pricing = pricing
        self.separation = separation
        self.max_depth = max_depth
        self.duals = duals
        self.order = order
        self.objective = objective
        self.uncertified = uncertified
        self.time_limit = time_limit
        self.solver = solver
        self.random_state = random_state
        self.votes = votes
        self.isolation_forest = isolation_forest
        self.verbose = verbose
        self.callback = callback

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the ensemble and compress it.

        Parameters
        ----------
        X : array-like, shape (n, n_features)
            Finite numbers; of features with whole numbers only see `compactml.pace.compress`.
        y : array-like, shape (n,)

        Raises
        ------
        InvalidDataError
            One class only, or values outside the range of float32.
        InvalidParameterError
            A parameter outside its range.
        EmptyRegionError
            No point is in the region.
        UnsupportedEnsembleError
            Another kind of estimator.
        ScoreOverflowError, WeightRoundingError
            Weights that no integers of the size allowed can stand for.
        """
        check_seed(self.random_state)
        X, y = validate_data(self, X, y)
        check_matrix(self, X)
        check_classification_targets(y)
        if len(np.unique(y)) < 2:
            raise InvalidDataError("y", "labels of at least two classes", "1 class")
        wanted = self.estimator
        if wanted is None:
            wanted = RandomForestClassifier(25, max_depth=2, random_state=self.random_state)
        check_kind(wanted)
        self.estimator_ = clone(wanted).fit(X, y)
        if hasattr(self, "feature_names_in_"):  # the compressed ensemble is asked about the same columns
            self.estimator_.feature_names_in_ = self.feature_names_in_
        parameters = self.get_params(deep=False)
        del parameters["estimator"], parameters["verbose"], parameters["callback"], parameters["time_limit"]
        parameters["isolation_forest"] = self._fitted_isolation_forest(X)
        clock = checked_clock(self.time_limit, stated_depth(self.max_depth), self.random_state)
        watch = Watch.of_fit(self, clock)
        self.compressed_ = compressed_under(watch, self.estimator_, X, **parameters)
        self.classes_ = self.compressed_.classes_
        self.certificate_ = self.compressed_.certificate_
        self.n_learners_ = self.compressed_.n_learners_
        self.n_generated_ = self.compressed_.n_generated_
        self.n_leaves_ = self.compressed_.n_leaves_
        self.weights_ = self.compressed_.weights_
        self.history_ = self.compressed_.history_
        return self

    def _fitted_isolation_forest(self, X: NDArray[Any]) -> IsolationForest | None:
        given = self.isolation_forest
        if given is None:
            return None
        if not isinstance(given, IsolationForest):
            raise InvalidParameterError(
                "isolation_forest", "None or an IsolationForest", type(given).__name__
            )
        return clone(given).fit(X)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the label of each sample, shape (n,): in the region the ensemble's, where that is proved."""
        check_is_fitted(self)
        return self.compressed_.predict(validate_data(self, X, reset=False))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the weighted shares of the votes, shape (n, n_classes)."""
        check_is_fitted(self)
        return self.compressed_.predict_proba(validate_data(self, X, reset=False))
