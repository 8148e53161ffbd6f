"""From a fitted ensemble and its training samples to the grid, the region and the samples in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.ensemble import IsolationForest

from compactml.clock import Clock
from compactml.errors import InvalidDataError, InvalidParameterError, check_integer
from compactml.forests import (
    ForestArrays,
    SplitGrid,
    TreeArrays,
    check_matrix,
    forest_arrays,
    isolation_trees,
)
from compactml.pace.model.ensemble import IntegerEnsemble, integer_ensemble
from compactml.pace.model.region import Region, region, share

__all__ = ["AT_ONCE", "Setting", "check_seed", "make_setting"]

LARGEST_SEED = 2**31 - 1
"""Of CP-SAT."""
AT_ONCE = 5_000
"""Samples between two looks at the clock: some tenths of a second for hundreds of trees."""


@dataclass(frozen=True, eq=False)
class Setting:
    """What is to be compressed, and where it must stay the same.

    Attributes
    ----------
    forest : ForestArrays
        The ensemble as scikit-learn fitted it.
    grid : SplitGrid
    region : Region
        With the initial ensemble in integers.
    samples : ndarray of int32, shape (n, n_features)
        Codes of the distinct training samples in the region, of those that there was time for: the first faithfulness
        set S.
    alpha, beta : float
        See `compactml.pace.model.region.region`.
    feature_names : ndarray of str or None
        Columns of the DataFrame that the ensemble was fitted on.
    """

    forest: ForestArrays
    grid: SplitGrid
    region: Region
    samples: NDArray[np.int32]
    alpha: float
    beta: float
    feature_names: NDArray[Any] | None = None

    @property
    def initial(self) -> IntegerEnsemble:
        return self.region.initial


def make_setting(
    ensemble: Any,
    X: ArrayLike,
    *,
    alpha: float = 0.0,
    beta: float = 0.0,
    votes: str = "auto",
    isolation_forest: Any = None,
    random_state: int = 0,
    clock: Clock | None = None,
) -> Setting:
    """Prepare a fitted ensemble for compression.

    Features whose training values are all whole numbers are taken to have whole values everywhere (bins, counts,
    indicators): the sample space is the whole numbers there, and all float32 numbers elsewhere.

    Parameters
    ----------
    ensemble : RandomForestClassifier, ExtraTreesClassifier or AdaBoostClassifier
        Fitted.
    X : array-like, shape (n, n_features)
        Training samples.
    alpha, beta : float, default 0.0
        See `compactml.pace.model.region.region`.
    votes : {"auto", "soft", "hard"}, default "auto"
        See `compactml.forests.forest_arrays`.
    isolation_forest : IsolationForest, optional
        Fitted on samples like X; by default, if beta > 0, scikit-learn's standard one is fitted on X.
    random_state : int, default 0
        Of the isolation forest that is fitted by default.
    clock : Clock, optional
        Training samples that it leaves no time for are left out of S, but for the first thousands.

    Raises
    ------
    UnsupportedEnsembleError, UnfittedEnsembleError, InvalidDataError, InvalidParameterError
    """
    check_seed(random_state)
    forest = forest_arrays(ensemble, votes)
    matrix = check_matrix(ensemble, X)
    flags = share("beta", beta) > 0
    if flags and isolation_forest is None:
        isolation_forest = IsolationForest(random_state=random_state).fit(matrix)
    outliers = () if isolation_forest is None else _checked_trees(isolation_forest, matrix.shape[1])
    whole = (matrix == np.floor(matrix)).all(axis=0)
    grid = SplitGrid.from_trees((*forest.trees, *(outliers if flags else ())), matrix.shape[1], whole)
    initial = integer_ensemble(forest, grid)
    within = region(initial, grid, matrix, alpha=alpha, beta=beta, isolation_forest=isolation_forest)
    codes = np.unique(grid.codes(matrix), axis=0)
    names = getattr(ensemble, "feature_names_in_", None)
    return Setting(forest, grid, within, _samples(within, codes, clock or Clock(None)), alpha, beta, names)


def _samples(within: Region, codes: NDArray[np.int32], clock: Clock) -> NDArray[np.int32]:
    samples = [codes[:0]]
    for start in range(0, len(codes), AT_ONCE):
        if start and clock.stopped():
            break
        part = codes[start : start + AT_ONCE]
        samples.append(part[within.contains(part)])
    return np.concatenate(samples)


def check_seed(random_state: Any) -> None:
    """Raise `InvalidParameterError` unless all solvers take this as their seed."""
    check_integer("random_state", random_state, 0, LARGEST_SEED)


def _checked_trees(isolation_forest: Any, n_features: int) -> tuple[TreeArrays, ...]:
    if not isinstance(isolation_forest, IsolationForest):
        got = type(isolation_forest).__name__
        raise InvalidParameterError("isolation_forest", "None or a fitted IsolationForest", got)
    trees = isolation_trees(isolation_forest)
    if isolation_forest.n_features_in_ != n_features:
        wanted, got = f"fitted on {n_features} features", f"one of {isolation_forest.n_features_in_}"
        raise InvalidDataError("isolation_forest", wanted, got)
    return trees
