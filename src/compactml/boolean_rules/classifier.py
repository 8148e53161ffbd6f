"""`BooleanRuleClassifier`: rule sets of bounded complexity, with a proved bound on their training loss."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from compactml.boolean_rules.binarizer import DecileBinarizer
from compactml.boolean_rules.instance import Instance
from compactml.boolean_rules.learned import Learned
from compactml.boolean_rules.learning import check_parameters, learn
from compactml.boolean_rules.literals import Literals
from compactml.boolean_rules.rules import Rules
from compactml.checks import (
    assert_all_finite,
    check_classification_targets,
    check_consistent_length,
    column_or_1d,
    validate_data,
)
from compactml.errors import InvalidDataError, InvalidParameterError, check_choice, check_finite

__all__ = ["BooleanRuleClassifier"]


class BooleanRuleClassifier(ClassifierMixin, BaseEstimator):
    """Boolean decision rules by column generation (Dash, Günlük and Wei, NeurIPS 2018).

    The rule set minimises the Hamming loss (1), missed positives plus, for each negative, the number of clauses that
    it satisfies, over rule sets of complexity at most C (3). Several classes are learned one against the rest.

    Parameters
    ----------
    complexity : int, default 10
        C of (3): number of clauses + number of conditions allowed, at least 2.
    max_clause_size : int, optional
        D of (9): most conditions in a clause; by default C - 1, which excludes nothing.
    form : {"dnf", "cnf"}, default "dnf"
        OR of ANDs, or AND of ORs; the latter is the negation of a DNF for the other class.
    pricing : {"branch_and_bound", "mip", "heuristic", "paper"}, default "branch_and_bound"
        How clauses are generated: our exact search, the paper's integer program (6)-(10) and then its heuristic, or the
        heuristic alone, each with our local search; or the paper's whole procedure, which samples large data.
    time_limit : float, optional
        Seconds for each class (what compiling takes at the first use comes before them); without it the search runs
        until the gap is reached or nothing is left to try. With ``pricing="mip"`` a solver may overrun it by minutes on
        large data, see `compactml.solvers.SolveOptions`.
    gap : float, default 0.0
        Relative gap at which to stop.
    solver : str, default "auto"
        For integer programs, see `compactml.solvers`.
    binarizer : {"deciles"} or None, default "deciles"
        `DecileBinarizer`, or None if X has 0/1 columns already.
    random_state : int, default 0
        Of the samples of ``pricing="paper"``; nothing else is random.

    Attributes
    ----------
    classes_ : ndarray
    rules_ : Rules or list of Rules
        Readable text; a list with one for each class when there are more than two.
    objective_ : int or ndarray of int
        Hamming loss on the training data (one per class when there are more than two; so for the next two).
    lower_bound_ : int or ndarray of int
        Proved: no rule set of this complexity with clauses of at most ``bound_clause_size_`` conditions has a smaller
        loss.
    gap_ : float or ndarray of float
        (objective - lower bound) / objective; 0 says optimal.
    bound_clause_size_ : int
    class_counts_ : ndarray of int
        Training rows of each class.
    history_ : tuple of Round or list of tuple
        For each round of column generation the master's value, the best reduced cost, the bound, the number of columns
        and the seconds.
    training_errors_ : int
        Training rows predicted wrongly (the loss counts a negative once for each clause that it satisfies).
    learned_ : list of Learned
        What was learned for each class (for the second one only if there are two), with the duals of the bound.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1, 1, 0], [0, 1, 1], [1, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]])
    >>> model = BooleanRuleClassifier(9, binarizer=None).fit(X, [1, 1, 1, 0, 0, 0, 0])
    >>> model.objective_, model.lower_bound_
    (0, 0)
    >>> sorted(model.rules_)
    [('x0', 'x1'), ('x0', 'x2'), ('x1', 'x2')]
    """

    def __init__(
        self,
        complexity: int = 10,
        *,
        max_clause_size: int | None = None,
        form: str = "dnf",
        pricing: str = "branch_and_bound",
        time_limit: float | None = None,
        gap: float = 0.0,
        solver: str = "auto",
        binarizer: str | None = "deciles",
        random_state: int = 0,
    ) -> None:
        self.complexity = complexity
        self.max_clause_size = max_clause_size
        self.form = form
        self.pricing = pricing
        self.time_limit = time_limit
        self.gap = gap
        self.solver = solver
        self.binarizer = binarizer
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Learn the rules.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n, n_features)
            Numbers, categories and missing values; only 0 and 1 if ``binarizer`` is None.
        y : array-like, shape (n,)

        Raises
        ------
        InvalidParameterError
            A parameter outside its range.
        InvalidDataError
            No rows, one class only, labels that are missing, infinite values, or other values than 0 and 1 where they
            are asked for.
        """
        self._check_parameters()
        codes, literals = self._codes_and_literals(X)
        labels = column_or_1d(y, warn=True)
        if pd.isna(labels).any():  # None and NA beside text
            raise InvalidDataError("y", "class labels", "missing values")
        check_consistent_length(codes, labels)
        assert_all_finite(labels, input_name="y")
        check_classification_targets(labels)
        self.classes_, which = np.unique(labels, return_inverse=True)
        if len(self.classes_) < 2:
            raise InvalidDataError("y", "labels of at least two classes", f"{len(self.classes_)} class")
        self.class_counts_ = np.bincount(which)
        positive = range(1, 2) if len(self.classes_) == 2 else range(len(self.classes_))
        learning = literals if self.form == "dnf" else literals.negated()
        instances = [
            Instance.from_codes(codes, (which == k) == (self.form == "dnf"), learning) for k in positive
        ]
        self.learned_ = [self._learn(instance) for instance in instances]
        self._clauses = [
            [tuple(instance.kept[list(clause)].tolist()) for clause in one.clauses]
            for instance, one in zip(instances, self.learned_, strict=True)
        ]
        self._literals = learning
        self._describe(literals, [self.classes_[k] for k in positive])
        self.training_errors_ = int((self._predicted(codes) != labels).sum())
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Class of each row.

        With more than two classes: of the classes whose rule set is true the most frequent one in training, and the
        most frequent of all where none is.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n, n_features)

        Returns
        -------
        ndarray, shape (n,)
        """
        check_is_fitted(self)
        return self._predicted(self._codes(X))

    def _check_parameters(self) -> None:
        check_parameters(self.complexity, self.max_clause_size, self.pricing, self.gap, self.solver)
        check_choice("form", self.form, ("dnf", "cnf"))
        check_choice("binarizer", self.binarizer, ("deciles", None))
        if self.time_limit is not None and check_finite("time_limit", self.time_limit) <= 0:
            raise InvalidParameterError("time_limit", "seconds above 0, or None", self.time_limit)

    def _codes_and_literals(self, X: Any) -> tuple[NDArray[np.integer], Literals]:
        if self.binarizer is not None:
            self.binarizer_ = DecileBinarizer().fit(X)
            validate_data(self, X, skip_check_array=True)
            return self.binarizer_.codes(X), self.binarizer_.literals_
        codes = self._binary(X, reset=True)
        names = getattr(self, "feature_names_in_", [f"x{j}" for j in range(codes.shape[1])])
        return codes, Literals.binary(tuple(map(str, names)))

    def _codes(self, X: Any) -> NDArray[np.integer]:
        if self.binarizer is not None:
            return self.binarizer_.codes(X)
        return self._binary(X, reset=False)

    def _binary(self, X: Any, *, reset: bool) -> NDArray[np.integer]:
        matrix = validate_data(self, X, reset=reset)
        if not np.isin(matrix, (0, 1)).all():
            raise InvalidDataError("X", "0 and 1 only (or use binarizer='deciles')", "other values")
        return matrix.astype(np.int8)

    def _learn(self, instance: Instance) -> Learned:
        return learn(
            instance,
            int(self.complexity),
            max_clause_size=self.max_clause_size,
            pricing=self.pricing,
            time_limit=self.time_limit,
            gap=self.gap,
            solver=self.solver,
            random_state=self.random_state,
        )

    def _describe(self, literals: Literals, labels: list[Any]) -> None:
        """Fill the learnt attributes; scalars for two classes."""
        rules = [
            Rules(label, self.form, tuple(tuple(literals.names[j] for j in clause) for clause in clauses))
            for label, clauses in zip(labels, self._clauses, strict=True)
        ]
        values: dict[str, list[Any]] = {
            "rules_": rules,
            "objective_": [one.loss for one in self.learned_],
            "lower_bound_": [one.lower_bound for one in self.learned_],
            "gap_": [one.gap for one in self.learned_],
            "history_": [one.history for one in self.learned_],
        }
        for name, column in values.items():
            several = column if name in ("rules_", "history_") else np.array(column)
            setattr(self, name, column[0] if len(column) == 1 else several)
        self.bound_clause_size_ = self.learned_[0].max_clause_size

    def _predicted(self, codes: NDArray[np.integer]) -> NDArray[Any]:
        fired = np.stack([self._fires(codes, clauses) for clauses in self._clauses], axis=1)
        if len(self.classes_) == 2:
            return self.classes_[fired[:, 0].astype(int)]
        candidates = fired | ~fired.any(axis=1, keepdims=True)
        return self.classes_[np.where(candidates, self.class_counts_, 0).argmax(axis=1)]

    def _fires(self, codes: NDArray[np.integer], clauses: list[tuple[int, ...]]) -> NDArray[np.bool_]:
        """Rows for which the rule set is true."""
        any_clause = np.zeros(len(codes), dtype=bool)
        for clause in clauses:
            any_clause |= self._literals.take(clause).evaluate(codes).all(axis=1)
        return any_clause == (self.form == "dnf")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.binarizer is not None
        tags.input_tags.string = self.binarizer is not None
        tags.input_tags.categorical = self.binarizer is not None
        return tags
