"""The methods that the paper compares with (section 5.2), all by majority vote."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from compactml.clock import Clock
from compactml.ensemble_pruning.baselines.backfitting import backfitting, kappa_pruning
from compactml.ensemble_pruning.baselines.hill_climbing import FITNESS, hill_climbing
from compactml.ensemble_pruning.baselines.majority import BaselineResult, LabelledVotes, majority_threshold
from compactml.watch import Callback, Watch, checked_limit

__all__ = [
    "BASELINES",
    "FITNESS",
    "BaselineResult",
    "backfitting",
    "full_ensemble",
    "hill_climbing",
    "kappa_pruning",
    "majority_threshold",
]


def full_ensemble(
    votes: ArrayLike,
    y: ArrayLike,
    *,
    time_limit: float | None = 60.0,
    verbose: bool = False,
    callback: Callback | None = None,
) -> BaselineResult:
    """FE: all K classifiers.

    Parameters
    ----------
    votes : array-like of 0/1, shape (n, K)
    y : array-like of 0/1, shape (n,)
    time_limit : float or None, default 60.0
        Of no use here: nothing is searched. All methods are called alike.
    verbose : bool, default False
        Print the accuracy.
    callback : callable, optional
        Called with a `compactml.watch.News` of the accuracy; the bound is 1.

    Returns
    -------
    BaselineResult

    Raises
    ------
    InvalidDataError
    """
    watch = Watch("full_ensemble", Clock(checked_limit(time_limit)), verbose=verbose, callback=callback)
    points = LabelledVotes.of(votes, y)
    found = points.result(np.arange(points.n_classifiers), watch.clock.seconds)
    watch.tell(found.accuracy, 1.0)
    return found


BASELINES: dict[str, Callable[..., BaselineResult]] = {
    "FE": full_ensemble,
    "BFT": backfitting,
    "KAPPA": kappa_pruning,
    "HC-ACC": partial(hill_climbing, fitness="accuracy"),
    "HC-COM": partial(hill_climbing, fitness="complementariness"),
    "HC-CON": partial(hill_climbing, fitness="concurrency"),
    "HC-UWA": partial(hill_climbing, fitness="uncertainty_weighted_accuracy"),
}
"""By the paper's names, those it does not report too; called with votes, y and time_limit."""
