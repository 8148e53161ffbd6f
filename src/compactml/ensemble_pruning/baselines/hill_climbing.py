"""Directed hill climbing, forward, with four measures of fitness (section 5.2; Partalas et al., 2010)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from compactml.clock import Clock
from compactml.ensemble_pruning.baselines.majority import BaselineResult, LabelledVotes
from compactml.errors import check_choice
from compactml.watch import Callback, Watch, checked_limit

__all__ = ["FITNESS", "hill_climbing"]


def accuracy(points: LabelledVotes, votes: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """Points called rightly by the ensemble and the candidate together."""
    return points.correct_with_each(votes, size)


def complementariness(points: LabelledVotes, votes: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """COM: points on which the candidate is right and the ensemble wrong."""
    wrong = votes < points.needed(size)
    return points.score_each(wrong.astype(np.float64), np.zeros(len(wrong)))


def concurrency(points: LabelledVotes, votes: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """CON: 2 where only the candidate is right, 1 where both are, -2 where both are wrong."""
    wrong = votes < points.needed(size)
    return points.score_each(np.where(wrong, 2.0, 1.0), np.where(wrong, -2.0, 0.0))


def uncertainty_weighted_accuracy(
    points: LabelledVotes, votes: NDArray[np.float64], size: int
) -> NDArray[np.float64]:
    """UWA, times the size of the ensemble, which makes it an integer.

    A point counts with the share NT of members that are right on it where the ensemble is wrong, with 1 - NT where it
    is right; for the candidate if it is right, against it if not.
    """
    weight = np.where(votes < points.needed(size), votes, size - votes)
    return points.score_each(weight, -weight)


FITNESS = {
    "accuracy": accuracy,
    "complementariness": complementariness,
    "concurrency": concurrency,
    "uncertainty_weighted_accuracy": uncertainty_weighted_accuracy,
}


def hill_climbing(
    votes: ArrayLike,
    y: ArrayLike,
    fitness: str,
    *,
    time_limit: float | None = 60.0,
    verbose: bool = False,
    callback: Callback | None = None,
) -> BaselineResult:
    """Add the fittest classifier until all are in, and return the most accurate ensemble on the way.

    The first is the most accurate classifier. The measures other than the accuracy are about a candidate, not about an
    ensemble, so that the paper's "ensemble with the best fitness" has no meaning for them; here the most accurate one
    counts for all four, as in Partalas et al. (2010). Among equals the first classifier and the smallest ensemble.

    Parameters
    ----------
    votes : array-like of 0/1, shape (n, K)
    y : array-like of 0/1, shape (n,)
    fitness : {"accuracy", "complementariness", "concurrency", "uncertainty_weighted_accuracy"}
    time_limit : float or None, default 60.0
        Seconds, None for none; the paper has 300. An `EndedEarlyWarning` says that it
        ended the work.
    verbose : bool, default False
        Print a line for each better accuracy.
    callback : callable, optional
        Called with a `compactml.watch.News` at each better accuracy; the bound is 1.

    Returns
    -------
    BaselineResult

    Raises
    ------
    InvalidDataError, InvalidParameterError
    """
    check_choice("fitness", fitness, FITNESS)
    clock = Clock(checked_limit(time_limit))
    watch = Watch("hill_climbing", clock, verbose=verbose, callback=callback)
    points = LabelledVotes.of(votes, y)
    order: list[int] = []
    best, best_size = -np.inf, 1
    right_votes, left = np.zeros(len(points.count)), np.ones(points.n_classifiers, dtype=bool)
    while left.any() and not (order and clock.stopped()):
        measure = FITNESS[fitness] if order else accuracy
        scores = np.where(left, measure(points, right_votes, len(order)), -np.inf)
        order.append(int(np.argmax(scores)))
        left[order[-1]] = False
        right_votes += points.right[:, order[-1]]
        correct = float(points.count @ (right_votes >= points.needed(len(order))))
        if correct > best:
            best, best_size = correct, len(order)
            watch.tell(correct / points.n_points, 1.0)
    found = points.result(np.array(order[:best_size]), clock.seconds, not left.any())
    if not found.complete:
        watch.warn(found.accuracy, 1.0)
    return found
