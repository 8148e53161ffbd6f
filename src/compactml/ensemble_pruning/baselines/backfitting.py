"""Reduced-error pruning with backfitting, and Kappa pruning (section 5.2): greedy addition up to a size M."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from compactml.clock import Clock
from compactml.ensemble_pruning.baselines.majority import BaselineResult, LabelledVotes
from compactml.watch import Callback, Watch, checked_limit

__all__ = ["backfitting", "kappa", "kappa_pruning", "sizes_tried"]


def sizes_tried(n_classifiers: int) -> range:
    """Every M from 20 % to 80 % of K (the paper does not give its steps)."""
    return range(-(-n_classifiers // 5), 4 * n_classifiers // 5 + 1)


def backfitting(
    votes: ArrayLike,
    y: ArrayLike,
    *,
    time_limit: float | None = 60.0,
    verbose: bool = False,
    callback: Callback | None = None,
) -> BaselineResult:
    """BFT: add the classifier that gives the largest accuracy, then exchange members while the accuracy rises.

    Members are gone through in the order of their entry; each is exchanged for the best left-out classifier if the
    accuracy rises, and then the revision starts again. As the ensemble of M classifiers is the beginning of the run
    for M + 1, one run has the results for every M, of which the most accurate counts; among equals the first classifier
    and the smallest M.

    Parameters
    ----------
    votes : array-like of 0/1, shape (n, K)
    y : array-like of 0/1, shape (n,)
    time_limit : float or None, default 60.0
        Seconds, None for none; the paper has 300. What is best until then counts, even if it is smaller than the
        smallest M. An `EndedEarlyWarning` says that it
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
    InvalidDataError
    """
    watch = Watch("backfitting", Clock(checked_limit(time_limit)), verbose=verbose, callback=callback)
    points = LabelledVotes.of(votes, y)
    found = _best(points, _backfitted(points, watch.clock), watch)
    if not found.complete:
        watch.warn(found.accuracy, 1.0)
    return found


def kappa_pruning(
    votes: ArrayLike,
    y: ArrayLike,
    *,
    time_limit: float | None = 60.0,
    verbose: bool = False,
    callback: Callback | None = None,
) -> BaselineResult:
    """Add the classifier that gives the largest kappa, without a revision.

    Kappa measures the agreement of the ensemble's majority vote with the labels, and also decides on M. (The method of
    that name of Margineantu and Dietterich takes it between pairs of classifiers; the paper describes a greedy choice
    like that of backfitting.)

    Parameters
    ----------
    votes : array-like of 0/1, shape (n, K)
    y : array-like of 0/1, shape (n,)
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
    InvalidDataError
    """
    watch = Watch("kappa_pruning", Clock(checked_limit(time_limit)), verbose=verbose, callback=callback)
    points = LabelledVotes.of(votes, y)
    found = _best(points, _by_kappa(points), watch)
    if not found.complete:
        watch.warn(found.accuracy, 1.0)
    return found


def kappa(
    true_positive: NDArray[np.float64], true_negative: NDArray[np.float64], n_positive: int, n_negative: int
) -> NDArray[np.float64]:
    """Cohen's kappa of calls and labels: (agreement - agreement by chance) / (1 - agreement by chance).

    0 where chance alone agrees everywhere. Computed from integers, so equal values compare equal.
    """
    n = n_positive + n_negative
    called = true_positive + n_negative - true_negative
    chance = n_positive * called + n_negative * (n - called)
    above = n * (true_positive + true_negative) - chance
    return np.divide(above, n * n - chance, out=np.zeros_like(above), where=chance < n * n)


def _backfitted(points: LabelledVotes, clock: Clock) -> Iterator[tuple[float, list[int]]]:
    """Accuracy (as a number of points) and members after each addition and its revision."""
    members: list[int] = []
    while len(members) < points.n_classifiers:
        scores = _left_out(points, members, members)
        members.append(int(np.argmax(scores)))
        correct = float(scores.max())
        while (better := _exchange(points, members, correct, clock)) is not None:
            members, correct = better
        yield correct, list(members)


def _exchange(
    points: LabelledVotes, members: list[int], correct: float, clock: Clock
) -> tuple[list[int], float] | None:
    """The first exchange of a member for the best left-out classifier that raises the accuracy."""
    for place in range(len(members)):
        if clock.stopped():
            return None
        scores = _left_out(points, members[:place] + members[place + 1 :], members)
        if scores.max() > correct:
            new = int(np.argmax(scores))
            return [*members[:place], new, *members[place + 1 :]], float(scores.max())
    return None


def _left_out(points: LabelledVotes, others: list[int], members: list[int]) -> NDArray[np.float64]:
    """Points called rightly with each classifier that is no member, -inf for members."""
    scores = points.correct_with_each(points.right[:, others].sum(axis=1), len(others))
    scores[members] = -np.inf
    return scores


def _by_kappa(points: LabelledVotes) -> Iterator[tuple[float, list[int]]]:
    """Kappa and members after each addition."""
    members: list[int] = []
    right_votes = np.zeros(len(points.count))
    n_positive = int(points.count @ points.positive)
    while len(members) < points.n_classifiers:
        needed = points.needed(len(members) + 1)
        with_it, without = right_votes + 1 >= needed, right_votes >= needed
        true_positive, true_negative = (
            points.score_each(
                (of_label & with_it).astype(np.float64), (of_label & without).astype(np.float64)
            )
            for of_label in (points.positive, ~points.positive)
        )
        scores = kappa(true_positive, true_negative, n_positive, points.n_points - n_positive)
        scores[members] = -np.inf
        members.append(int(np.argmax(scores)))
        right_votes += points.right[:, members[-1]]
        yield float(scores.max()), list(members)


def _best(points: LabelledVotes, steps: Iterator[tuple[float, list[int]]], watch: Watch) -> BaselineResult:
    """The best ensemble of the sizes that are tried; the last one if the time does not reach them."""
    sizes, clock = sizes_tried(points.n_classifiers), watch.clock
    best, chosen = -np.inf, None
    members: list[int] = []
    for score, members in steps:
        if len(members) in sizes and score > best:
            best, chosen = score, members
            watch.tell(points.correct(np.array(members)) / points.n_points, 1.0)
        if clock.stopped() or len(members) == sizes[-1]:
            break
    complete = len(members) == sizes[-1] and not clock.stopped()
    return points.result(np.array(members if chosen is None else chosen), clock.seconds, complete)
