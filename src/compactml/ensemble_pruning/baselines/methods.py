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


def full_ensemble(votes: ArrayLike, y: ArrayLike, *, time_limit: float | None = None) -> BaselineResult:
    """FE: all K classifiers.

    Parameters
    ----------
    votes : array-like of 0/1, shape (n, K)
    y : array-like of 0/1, shape (n,)
    time_limit : float, optional
        Of no use here; all methods are called alike.

    Returns
    -------
    BaselineResult

    Raises
    ------
    InvalidDataError
    """
    clock = Clock(None)
    points = LabelledVotes.of(votes, y)
    return points.result(np.arange(points.n_classifiers), clock.seconds)


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
