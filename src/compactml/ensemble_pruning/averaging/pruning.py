"""Pruning for averages: search, and branching on a convex bound, together."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from compactml.clock import Clock
from compactml.ensemble_pruning.averaging.branching import AverageTree
from compactml.ensemble_pruning.averaging.instance import ABSOLUTE, SQUARED, AverageInstance
from compactml.ensemble_pruning.averaging.result import AverageResult
from compactml.ensemble_pruning.averaging.search import climb, starts
from compactml.ensemble_pruning.program.feasible_sets import check_sizes
from compactml.ensemble_pruning.pruning import LARGEST_SEED
from compactml.ensemble_pruning.result import Progress
from compactml.errors import check_choice, check_integer
from compactml.watch import Callback, Watch, checked_limit

__all__ = ["averages_pruned", "prune_average"]

RELATIVE, ROUNDING = 1e-10, 1e-13
"""A set counts as better from so much on: of the best value, and of the largest error of a member."""
SEARCH_SHARE = 0.2
"""Of the time, at most."""
RULES = ("best", "one_standard_error")


def prune_average(
    predictions: ArrayLike,
    y: ArrayLike,
    *,
    loss: str = SQUARED,
    min_size: int = 1,
    max_size: int | None = None,
    rule: str = "best",
    time_limit: float | None = 60.0,
    random_state: int = 0,
    verbose: bool = False,
    callback: Callback | None = None,
) -> AverageResult:
    """Choose members whose mean prediction has the least error, with a bound. Not in the paper.

    Parameters
    ----------
    predictions : array-like of float, shape (n, K) or (n, K, d)
        What each member predicts: numbers, or d numbers such as probabilities of classes, whose errors are added
        (squared, that is the Brier score). K >= 2.
    y : array-like of float, shape (n,) or (n, d)
        Targets; of classes 1 for the true one and 0 for the others.
    loss : {"squared", "absolute"}, default="squared"
        Error of a row. Take the absolute one where a few rows are far off and should not decide; its proofs take
        longer.
    min_size, max_size : int, optional
        Limits on the number of members; at least 1, at most K.
    rule : {"best", "one_standard_error"}, default="best"
        The set of least error, or the best one of the smallest size whose error is within one standard error of it.
    time_limit : float or None, default=60.0
        Seconds for the whole call, None for as long as the proof takes. What ends a call before its proof gives an
        `compactml.watch.EndedEarlyWarning`.
    random_state : int, default=0
        Seed of the search.
    verbose : bool, default=False
        Print a line for each better set or bound.
    callback : callable, optional
        Called with a `compactml.watch.News` at each better set or bound.

    Returns
    -------
    AverageResult
        Value and bound hold at any time limit. Within the sizes, the set is never worse than the best single member
        and all of them. With "one_standard_error" the bound is on all sets.

    Raises
    ------
    InvalidDataError
        Predictions or targets that are not finite, or of other shapes; K < 2.
    InvalidParameterError
        Sizes that exclude each other, an unknown loss or rule.

    Examples
    --------
    >>> result = prune_average([[1.0, 3.0, 9.0], [2.0, 0.0, 9.0]], [2.0, 1.0])
    >>> result.selected.tolist(), result.value, result.bound
    ([0, 1], 0.0, 0.0)
    """
    limit = checked_limit(time_limit)
    watch = Watch("prune_average", Clock(limit), verbose=verbose, callback=callback)
    result = averages_pruned(
        predictions,
        y,
        watch,
        loss=loss,
        min_size=min_size,
        max_size=max_size,
        rule=rule,
        random_state=random_state,
    )
    if not result.complete:
        watch.warn(result.value, result.bound)
    return result


def averages_pruned(
    predictions: ArrayLike,
    y: ArrayLike,
    watch: Watch,
    *,
    loss: str = SQUARED,
    min_size: int = 1,
    max_size: int | None = None,
    rule: str = "best",
    random_state: int = 0,
) -> AverageResult:
    """Prune as `prune_average` does, by the watch's clock and without a warning."""
    check_integer("random_state", random_state, 0, LARGEST_SEED - 1)
    check_integer("min_size", min_size, 1)
    check_choice("rule", rule, RULES)
    check_choice("loss", loss, (SQUARED, ABSOLUTE))
    instance = AverageInstance.of(predictions, y, loss, watch.clock)
    sizes = check_sizes(min_size, max_size, instance.n_members)
    best = _run(instance, sizes, watch, random_state)
    if rule == "best" or watch.interrupted:
        return best
    quiet = Watch(watch.name, watch.clock, keep=watch.keep)
    smallest = _smallest(instance, sizes, best, quiet, random_state)
    watch.interrupted |= quiet.interrupted
    return smallest


def _run(instance: AverageInstance, sizes: tuple[int, int], watch: Watch, seed: int) -> AverageResult:
    run = _Run(instance, sizes, watch, seed)
    run.begin()
    with watch.interruptible():
        run.search()
        run.prove()
    return run.result()


def _smallest(
    instance: AverageInstance, sizes: tuple[int, int], best: AverageResult, watch: Watch, seed: int
) -> AverageResult:
    """The best set of the smallest size that is within one standard error of the best of all."""
    errors = instance.errors(best.selected)
    allowed = best.value + float(errors.std() / np.sqrt(len(errors)))
    complete, chosen = best.complete, best
    for size in range(sizes[0], len(best.selected)):
        near = _run(instance, (sizes[0], size), watch, seed)
        within = near.value <= allowed
        complete &= near.complete or (not within and near.bound > allowed)
        if within or watch.interrupted:
            chosen = near if within else best
            break
    return AverageResult(
        chosen.selected, chosen.value, best.bound, watch.clock.seconds, best.history, complete
    )


@dataclass
class _Run:
    """The best set and the best bound so far."""

    instance: AverageInstance
    sizes: tuple[int, int]
    watch: Watch
    seed: int
    best: NDArray[np.intp] | None = None
    value: float = np.inf
    quick: float = np.inf
    bound: float = 0.0
    complete: bool = False
    history: list[Progress] = field(default_factory=list)

    @property
    def target(self) -> float:
        """What a set that counts as better is below."""
        return self.value - RELATIVE * self.value - ROUNDING * float(self.instance.loss.alone.max())

    def offer(self, members: NDArray[np.bool_], step: str = "branching") -> None:
        """Keep a set that is better; what it is worth is first looked up, then counted."""
        quick = self.instance.loss.value(members)
        if self.best is not None and quick >= self.quick:
            return
        self.quick, selected = min(quick, self.quick), np.flatnonzero(members)
        value = self.instance.value(selected)
        if self.best is None or value < self.value:
            self.best, self.value = selected, value
            self._note(step)

    def begin(self) -> None:
        """The best members alone, as few as allowed, and the best ones, as many as allowed: there is an answer."""
        for members in starts(self.instance.loss, self.sizes, self.seed)[:2]:
            self.offer(members, "start")

    def search(self) -> None:
        """Climb from many sets."""
        clock = self.watch.clock
        part = clock if clock.limit is None else clock.part(SEARCH_SHARE * clock.limit)
        for members in starts(self.instance.loss, self.sizes, self.seed):
            if part.stopped():
                return
            climb(self.instance.loss, members, self.sizes, part, lambda found: self.offer(found, "search"))

    def prove(self) -> None:
        """Branch until nothing better can be left, or the time is up."""
        if self.target <= 0.0:
            self.complete = True
            return
        tree = AverageTree(self.instance.loss, self.sizes, lambda: self.target, self.offer, self.watch.clock)
        self._limit(tree)
        tree.run(lambda: self._limit(tree))
        self._limit(tree)
        self.complete = not tree.open

    def _limit(self, tree: AverageTree) -> None:
        bound = max(self.bound, min(tree.bound, self.target))
        if bound > self.bound + 1e-4 * self.value or (not tree.open and bound > self.bound):
            self.bound = bound
            self._note("branching")

    def result(self) -> AverageResult:
        assert self.best is not None
        return AverageResult(
            selected=self.best,
            value=self.value,
            bound=min(self.bound, self.value),
            seconds=self.watch.clock.seconds,
            history=tuple(self.history),
            complete=self.complete,
        )

    def _note(self, step: str) -> None:
        self.history.append(Progress(step, self.watch.clock.seconds, self.value, self.bound))
        if not self.watch.interrupted:
            self.watch.tell(self.value, self.bound)
