"""`PrunedEnsembleClassifier`: some classifiers of a pool and how their votes decide, with a proved bound."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing

from compactml.checks import check_consistent_length
from compactml.clock import Clock
from compactml.ensemble_pruning.averaging.pruning import averages_pruned
from compactml.ensemble_pruning.averaging.result import Averaged
from compactml.ensemble_pruning.diversity import check_limits, limits_of
from compactml.ensemble_pruning.pool.classifier_pool import ClassifierPool
from compactml.ensemble_pruning.pool.members import (
    Members,
    check_trained,
    fitted,
    holdout,
    input_tags,
    known_codes,
    out_of_fold,
    prefitted,
)
from compactml.ensemble_pruning.pool.voting import class_codes
from compactml.ensemble_pruning.pruning import LARGEST_SEED
from compactml.ensemble_pruning.selection import RULES, Selection, select
from compactml.ensemble_pruning.voting import VotingModel
from compactml.errors import InvalidParameterError, check_choice, check_integer, check_jobs
from compactml.watch import Callback, Watch, checked_limit

__all__ = ["PrunedEnsembleClassifier"]

SELECTIONS = ("holdout", "cross_validation")


class PrunedEnsembleClassifier(VotingModel):
    """A small ensemble, chosen from a pool of classifiers by integer programming, with a proof of how good it is.

    Classifiers are trained, they vote on rows that they were not trained on, and the selection that calls most of these
    rows rightly is chosen. Of two classes the second one is called where more than ``threshold_`` of the selected
    classifiers vote for it (Bastos, Brandão and Valle, INOC 2024). Of more classes the one with most votes is called,
    among equals the first; this is not in the paper.

    Parameters
    ----------
    estimators : ClassifierPool or sequence of classifiers, optional
        They are cloned, unless ``prefit``. By default a `ClassifierPool` of ``n_classifiers`` with this
        ``random_state``, which takes numbers, texts and missing values.
    n_classifiers : int, default 40
        Size of the default pool.
    prefit : bool, default False
        Whether ``estimators`` are fitted, all on the same classes: then all rows are for the selection, and should not
        be those that the classifiers have seen. scikit-learn's clones forget what was fitted; wrap each in its
        ``FrozenEstimator`` where this estimator is cloned, as in cross-validation.
    selection : {"holdout", "cross_validation"}, default "holdout"
        The rows that the selection is made on: a part that is set aside, or all, each with the votes of classifiers
        that were fitted without its fold; then the classifiers are fitted again on all rows.
    validation_fraction : float, default 0.3
        Share of the rows that is set aside; 27 of 90 per cent in the paper.
    folds : int, default 5
        Of the cross-validation; at most as many as the rarest class has rows.
    voting : {"hard", "soft"}, default "hard"
        Whether classifiers vote, or their probabilities are averaged and the likeliest class is called. Then the
        selection has the least Brier score: the squared errors of the probabilities of all classes, added.
    rule : {"best", "one_standard_error"}, default "best"
        The ensemble of largest value, or the best one of the smallest size whose value is within one standard error
        of it: on few rows the largest value is partly luck.
    objective : {"accuracy", "balanced_accuracy", "recall"}, four numbers, or Weights, default "accuracy"
        What the selection maximises, see `objective_weights`; of more than two classes one of the first two. Soft votes
        have their own.
    diversity : {"F2", "F3"}, pair of numbers, or None, default None
        How much the selected classifiers must fail on different rows: not at all, as the paper takes it from the full
        ensemble (F3 for each of them, F2 on average only), or the least value of a classifier and the least average.
        None with soft votes.
    min_size, max_size : int or None, default 0 and None
        Limits on the number of selected classifiers; of more than two classes at least one is selected.
    formulation : {"strengthened", "plain"}, default "strengthened"
        For two classes; "plain" is the paper's program on a solver and nothing else.
    solver : str, default "auto"
        For the integer program, see `compactml.solvers`.
    time_limit : float or None, default 60.0
        Seconds of the selection, which begins once the classifiers are fitted; None for as long as the proof takes.
        Fitting them is the classifiers' own work, which no limit of this class ends.
    n_jobs : int or None, default None
        Processes that fit classifiers, as in joblib; None for one, or for the given pool's own number.
    random_state : int, default 0
        Of the split, the default pool and the search.
    verbose : bool, default False
        Print a line for each better ensemble or bound.
    callback : callable, optional
        Called with a `compactml.watch.News` at each better ensemble or bound.

    Attributes
    ----------
    classes_ : ndarray, shape (C,)
    estimators_ : list of fitted classifiers
        All of them, fitted on labels False and True (the second class), with more classes on 0 to C - 1; if
        ``prefit``, as they were given.
    pool_ : ClassifierPool or None
        The fitted pool; None if single classifiers were given.
    selected_ : ndarray of int
        Positions of the chosen ones.
    threshold_ : int or None
        More than so many positive votes call the second class; None with more than two classes, or soft votes.
    value_ : float
        The objective on the validation rows: for "accuracy" the number that is called rightly, for soft votes the
        mean Brier score.
    bound_ : float
        Proved: no selection that meets the limits has a larger value, or smaller Brier score, on these rows.
    gap_ : float
        abs(bound - value) / abs(value); 0 says optimal.
    score_, score_bound_ : float
        Value and bound as shares of what calling every validation row rightly gives: accuracies, for
        "balanced_accuracy" balanced ones; for soft votes 1 less half the Brier score. They are of the rows that the
        selection was made on, hence flattering.
    solver_ : str or None
        Solver of the integer program; None if none was needed.
    result_ : PruningResult, PluralityResult or AverageResult

    Warns
    -----
    EndedEarlyWarning
        The limit, or Ctrl-C during the selection, ended the work before the proof; the model is fitted with the best
        selection so far. Ctrl-C while classifiers are fitted ends the call.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = PrunedEnsembleClassifier(n_classifiers=10).fit(X[:400], y[:400])
    >>> model.score_ <= model.score_bound_
    True
    >>> bool(model.score(X[400:], y[400:]) > 0.9)
    True
    """

    def __init__(
        self,
        estimators: ClassifierPool | Sequence[Any] | None = None,
        *,
        n_classifiers: int = 40,
        prefit: bool = False,
        selection: str = "holdout",
        validation_fraction: float = 0.3,
        folds: int = 5,
        voting: str = "hard",
        rule: str = "best",
        objective: Any = "accuracy",
        diversity: str | tuple[float, float] | None = None,
        min_size: int = 0,
        max_size: int | None = None,
        formulation: str = "strengthened",
        solver: str = "auto",
        time_limit: float | None = 60.0,
        n_jobs: int | None = None,
        random_state: int = 0,
        verbose: bool = False,
        callback: Callback | None = None,
    ) -> None:
        self.estimators = estimators
        self.n_classifiers = n_classifiers
        self.prefit = prefit
        self.selection = selection
        self.validation_fraction = validation_fraction
        self.folds = folds
        self.voting = voting
        self.rule = rule
        self.objective = objective
        self.diversity = diversity
        self.min_size = min_size
        self.max_size = max_size
        self.formulation = formulation
        self.solver = solver
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback

    def fit(self, X: Any, y: Any) -> Self:
        """Train the classifiers and choose some of them.

        Parameters
        ----------
        X : array-like or data frame, shape (n, n_features)
            Whatever the classifiers take; numbers, texts and missing values for the default pool.
        y : array-like, shape (n,)
            Labels of two or more classes.

        Raises
        ------
        InvalidParameterError
            A parameter outside its range; ``prefit`` classifiers that are not fitted on the same classes.
        InvalidDataError
            One class only, or no two classes of two rows; for a pool, no more rows to train on than classes;
            a probability outside [0, 1].
        DiversityInfeasibleError
            No selection of the sizes asked for is as diverse as asked for.
        DiversityUndecidedError
            The time was up before that was known.
        ValueError
            What a given classifier refuses.
        """
        limit = self._check()
        watch = Watch.of_fit(self, Clock(limit))
        X = self._checked(X, reset=True)
        check_consistent_length(X, y)
        self._members, said, y = self._voting(X, y)
        watch.clock = Clock(limit)  # of the selection
        choice = self._soft(said, y, watch) if self.voting == "soft" else self._hard(said, y, watch)
        self.estimators_, self.pool_ = self._members.estimators, self._members.pool
        self.result_, self.value_, self.bound_ = choice.result, choice.result.value, choice.bound
        self.selected_ = choice.result.selected
        self.threshold_ = getattr(choice.result, "threshold", None)
        self.gap_ = choice.gap
        self.score_, self.score_bound_ = choice.shares
        solved = getattr(choice.result, "choice", None)
        self.solver_ = None if solved is None else solved.solver
        if not choice.complete:
            watch.warn(self.value_, self.bound_)
        return self

    def _hard(self, codes: NDArray[np.intp], y: NDArray[np.intp], watch: Watch) -> Selection:
        """Choose among votes."""
        least, average = limits_of(self.diversity, codes == y[:, np.newaxis])
        names = ("objective", "formulation", "solver", "random_state", "min_size", "max_size")
        options = {name: getattr(self, name) for name in names}
        options |= {"min_pfc": least, "mean_pfc": average}
        return select(codes, y, len(self.classes_), watch, rule=self.rule, options=options)

    def _soft(self, given: NDArray[np.float64], y: NDArray[np.intp], watch: Watch) -> Averaged:
        """Choose among probabilities."""
        targets = np.eye(len(self.classes_))[y]
        options: dict[str, Any] = {name: getattr(self, name) for name in ("rule", "random_state", "max_size")}
        options["min_size"] = check_integer("min_size", self.min_size, 0) or 1
        return Averaged(averages_pruned(given, targets, watch, **options), 2.0)

    def _check(self) -> float | None:
        """The time limit, after a look at what no other function looks at."""
        check_integer("random_state", self.random_state, 0, LARGEST_SEED - 1)
        check_integer("folds", self.folds, 2)
        check_jobs(self.n_jobs)
        check_choice("selection", self.selection, SELECTIONS)
        check_choice("rule", self.rule, RULES)
        check_choice("voting", self.voting, ("hard", "soft"))
        for name, only in (("objective", "accuracy"), ("diversity", None)) if self.voting == "soft" else ():
            if getattr(self, name) is not only and getattr(self, name) != only:
                raise InvalidParameterError(name, f"{only!r} with soft votes", getattr(self, name))
        if not isinstance(self.prefit, bool):
            raise InvalidParameterError("prefit", "True or False", self.prefit)
        if self.prefit and self.estimators is None:
            raise InvalidParameterError("estimators", "fitted classifiers, as prefit=True says", None)
        check_limits(self.diversity)
        return checked_limit(self.time_limit)

    def _voting(self, X: Any, y: Any) -> tuple[Members, NDArray[Any], NDArray[np.intp]]:
        """The members, what they say of the validation rows, and the classes of these rows, as numbers."""
        say = Members.probabilities if self.voting == "soft" else Members.codes
        if self.prefit:
            members = prefitted(self.estimators, getattr(self, "n_features_in_", None))
            self.classes_ = members.labels
            return members, say(members, X), known_codes(y, members.labels)
        self.classes_, codes = class_codes(y)
        given = self.estimators
        if given is None:
            given = ClassifierPool(self.n_classifiers, self.random_state)
        jobs, seed = self.n_jobs, self.random_state
        if self.selection == "cross_validation":
            said, rows = out_of_fold(given, X, codes, folds=self.folds, seed=seed, n_jobs=jobs, say=say)
            return fitted(given, X, codes, jobs), said, codes[rows]
        train, rest = holdout(codes, self.validation_fraction, seed)
        check_trained(given, codes, len(train))
        members = fitted(given, _safe_indexing(X, train), codes[train], jobs)
        return members, say(members, _safe_indexing(X, rest)), codes[rest]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = input_tags(self.estimators)
        return tags
