"""`k="cv"`: how many features a predictor needs, by cross-validation of the whole selection."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from compactml.checks import checked_folds
from compactml.clock import Clock
from compactml.errors import InvalidParameterError
from compactml.feature_selection.building import Coded, Measures
from compactml.feature_selection.errors import NoUsableFeatureError, TimeLimitTooShortError
from compactml.feature_selection.program import FractionalProgram
from compactml.feature_selection.selectors.measuring import measured

__all__ = ["Folds", "smallest_good_size"]

N_TREES = 20

Build = Callable[[Measures, int | None], FractionalProgram]


@dataclass
class Folds:
    """The scores of 1, 2, ... features on the rows of each fold that are left out.

    In each fold the features are measured and selected on the other rows alone. The sets are those of the certified
    method's search, without proofs, so that the choice does not depend on the speed of a machine. The codes of the
    columns, which know nothing of the target, are those of all rows.

    Parameters
    ----------
    table : Coded
    y : array-like, shape (n,)
        What the estimator predicts.
    build : callable (Measures, k) -> FractionalProgram
    cv : int or splitter
    estimator : estimator or None

    Attributes
    ----------
    n_folds : int
        How many there are.
    scores : ndarray of float, shape (n_folds, largest)
        Of the folds that are finished; a fold with fewer usable columns repeats its last score.
    """

    table: Coded
    y: Any
    build: Build
    cv: Any
    estimator: Any
    n_folds: int = field(init=False, default=0)
    scores: NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        self.y = np.asarray(self.y)
        if self.estimator is not None and not (
            hasattr(self.estimator, "fit") and hasattr(self.estimator, "score")
        ):
            raise InvalidParameterError(
                "estimator", "an estimator with fit and score, or None", self.estimator
            )

    def run(self, largest: int, clock: Clock) -> None:
        """Score all sizes on one fold after the other, until the clock stops."""
        self.scores = np.empty((0, largest))
        splits = checked_folds(self.cv, self.table.codes, self.y, classifier=not self.table.numbers)
        self.n_folds = len(splits)
        for train, test in splits:
            scores = []
            for columns in self._sets(train, largest, clock):
                if clock.stopped():
                    return
                one = clone(self._estimator()).fit(self.table.codes[np.ix_(train, columns)], self.y[train])
                scores.append(one.score(self.table.codes[np.ix_(test, columns)], self.y[test]))
            if clock.stopped():
                return
            row = [*scores, *[scores[-1]] * (largest - len(scores))] if scores else [0.0] * largest
            self.scores = np.vstack([self.scores, row])

    def _sets(self, train: NDArray[np.intp], largest: int, clock: Clock) -> Any:
        """Columns of the best known set of each size on some rows."""
        # Imported here since it compiles kernels that other methods do not need.
        from compactml.feature_selection.certified import tabu

        try:
            measures = measured(self.table.rows(train), clock)
        except (NoUsableFeatureError, TimeLimitTooShortError):
            return
        for size in range(1, min(largest, measures.n_features) + 1):
            if clock.stopped():
                return
            support = tabu.search(self.build(measures, size), size, stopped=clock.stopped)
            yield np.searchsorted(self.table.features, measures.features[support])

    def _estimator(self) -> Any:
        if self.estimator is not None:
            return self.estimator
        forest = RandomForestRegressor if self.table.numbers else RandomForestClassifier
        return forest(N_TREES, random_state=0)


def smallest_good_size(scores: NDArray[np.float64]) -> int:
    """The smallest size whose mean score is within a standard error of the best one; the largest without a fold."""
    if not len(scores):
        return scores.shape[1]
    mean = scores.mean(axis=0)
    best = int(mean.argmax())
    error = scores[:, best].std(ddof=1) / np.sqrt(len(scores)) if len(scores) > 1 else 0.0
    return int(np.argmax(mean >= mean[best] - error)) + 1
