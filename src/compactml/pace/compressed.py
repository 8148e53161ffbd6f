"""`CompressedEnsemble`: what compression returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from compactml.errors import InvalidDataError
from compactml.forests import check_matrix
from compactml.pace.certificate import Certificate
from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.model.exporting import to_sklearn
from compactml.pace.model.learners import tests_of
from compactml.pace.model.setting import Setting

__all__ = ["CompressedEnsemble"]


class CompressedEnsemble:
    """A small ensemble that stands for a large one on a region, with what is proved about that.

    Parameters
    ----------
    setting : Setting
        The large ensemble, its grid and its region.
    current : IntegerEnsemble
        Learners of weight 0 are dropped.
    proved : mapping
        Of each ordered pair of class indices: True, False or "unknown", see `Certificate`.
    history : sequence, optional
        One record for each step of the method.

    Attributes
    ----------
    n_learners_ : int
    weights_ : ndarray of int64, shape (k,)
    trees_ : tuple of Learner
    n_generated_ : int
        How many of them are not from the initial ensemble.
    n_leaves_ : int
        Leaves of all learners: their complexity also where generated trees are deeper than initial ones.
    classes_ : ndarray, shape (n_classes,)
    n_features_in_ : int
    feature_names_in_ : ndarray of str, shape (n_features,)
        If the initial ensemble has names; a DataFrame with other columns is refused.
    certificate_ : Certificate
    bound_ : int or None
        Proved: no support of the last pool of learners whose weights keep a margin of epsilon on S has a smaller
        objective, see `compactml.pace.weights.pruning.Pruned`. None where the last pool was not pruned.
    history_ : tuple
        A `compactml.pace.history.Step` each.

    Raises
    ------
    InvalidDataError
        No learner has a positive weight, or not every pair of classes has a state.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from compactml.pace import compress
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = RandomForestClassifier(10, max_depth=2, random_state=0).fit(X, y)
    >>> small = compress(forest, X, alpha=0.1, generate=False)
    >>> small.n_learners_ <= 10
    True
    >>> inside = small.in_region(X)
    >>> bool((small.predict(X) == forest.predict(X))[inside].all())
    True
    """

    def __init__(
        self,
        setting: Setting,
        current: IntegerEnsemble,
        proved: Mapping[tuple[int, int], bool | Literal["unknown"]],
        history: Sequence[Any] = (),
    ) -> None:
        kept = np.flatnonzero(current.weights)
        if len(kept) == 0:
            raise InvalidDataError("weights", "at least one positive weight", "none")
        self.setting = setting
        self.ensemble = IntegerEnsemble(
            tuple(current.learners[k] for k in kept), current.weights[kept], current.n_classes, current.scale
        )
        self.classes_ = setting.forest.classes
        self.n_features_in_ = setting.grid.n_features
        if setting.feature_names is not None:
            self.feature_names_in_ = setting.feature_names
        self.trees_, self.weights_ = self.ensemble.learners, self.ensemble.weights
        self.n_learners_ = len(kept)
        self.n_generated_ = sum(learner.origin is None for learner in self.trees_)
        self.n_leaves_ = sum(learner.n_leaves for learner in self.trees_)
        self.certificate_ = self._certificate(proved)
        self.history_ = tuple(history)

    @property
    def bound_(self) -> int | None:
        if not self.history_ or self.history_[-1].phase != "prune":
            return None
        last: int | None = self.history_[-1].bound
        return last

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the label of each sample: inside the region the initial ensemble's, where that is proved.

        Parameters
        ----------
        X : array-like, shape (n, n_features)

        Returns
        -------
        ndarray, shape (n,)

        Raises
        ------
        InvalidDataError
            Another shape, other columns than the initial ensemble was fitted on, not numeric, or not finite.
        """
        return self.classes_[self.ensemble.predict(self._codes(X))]

    def predict_proba(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the weighted shares of the votes, shape (n, n_classes); only their largest is certified."""
        scores = self.ensemble.scores(self._codes(X)).astype(np.float64)
        return scores / scores.sum(axis=1, keepdims=True)

    def n_tests(self, X: ArrayLike) -> NDArray[np.int64]:
        """Return how many thresholds are looked at to predict each sample, shape (n,).

        The mean is the expected path length: what a prediction costs, which the number of learners does not say.
        """
        return tests_of(self.ensemble.learners, self._codes(X))

    def in_region(self, X: ArrayLike) -> NDArray[np.bool_]:
        """Return for which samples the certificate speaks, shape (n,)."""
        matrix = check_matrix(self, X)
        return self.setting.grid.covers(matrix) & self.setting.region.contains(
            self.setting.grid.codes(matrix)
        )

    def to_sklearn(self) -> Any:
        """Return an ordinary fitted scikit-learn ensemble with the same labels inside the region.

        Returns
        -------
        AdaBoostClassifier, RandomForestClassifier or VotingClassifier
            See `compactml.pace.model.exporting.to_sklearn`.
        """
        return to_sklearn(self.ensemble, self.setting.grid, self.classes_, self.setting.feature_names)

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({self.n_learners_} of {len(self.setting.initial.learners)} learners, "
            f"{self.n_generated_} generated; {self.certificate_})"
        )

    def _codes(self, X: ArrayLike) -> NDArray[np.int32]:
        return self.setting.grid.codes(check_matrix(self, X))

    def _certificate(self, proved: Mapping[tuple[int, int], bool | Literal["unknown"]]) -> Certificate:
        labels = self.classes_.tolist()
        wanted = {(a, b) for a in range(len(labels)) for b in range(len(labels)) if a != b}
        if set(proved) != wanted:
            raise InvalidDataError("proved", f"a state for {len(wanted)} ordered pairs", f"{sorted(proved)}")
        states = {(labels[a], labels[b]): state for (a, b), state in proved.items()}
        return Certificate(states, self.setting.alpha, self.setting.beta)
