"""Good ensembles without a proof: simulated annealing in bands of the number of classifiers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from compactml.clock import Clock
from compactml.ensemble_pruning._failure_credit import Diversity
from compactml.ensemble_pruning._kernels import (
    BEST,
    BEST_SIZE,
    BEST_THRESHOLD,
    Problem,
    State,
    anneal,
    place,
)
from compactml.ensemble_pruning.annealing import Band, bands, check_search, checked_start, problem_of
from compactml.ensemble_pruning.instance import PruningInstance
from compactml.errors import InvalidParameterError
from compactml.watch import Callback, Watch, checked_limit

__all__ = ["Ensemble", "local_search"]

HOT, WARM, COLD = 1.5, 0.8, 0.2
"""Temperatures in errors: of a start, of a start from the best ensemble, of the end."""

MOVES_PER_CALL = 20_000
"""Moves between two looks at the clock, some milliseconds."""

DEFAULT_MOVES = 20_000_000
ROUNDING = 1e-12
"""Of a target, relative."""


class Ensemble(NamedTuple):
    """Selected classifiers in increasing order, shape (s,), and the threshold L.

    Examples
    --------
    >>> import numpy as np
    >>> from compactml.ensemble_pruning import Ensemble, PruningInstance
    >>> instance = PruningInstance.from_votes([[1, 1, 0], [1, 0, 1], [0, 0, 1]], [1, 1, 0])
    >>> instance.value(*Ensemble(np.array([0]), 0))
    3.0
    """

    selected: NDArray[np.intp]
    threshold: int


def local_search(
    instance: PruningInstance,
    *,
    diversity: Diversity | None = None,
    time_limit: float | None = 60.0,
    random_state: int = 0,
    start: tuple[NDArray[np.intp], int] | None = None,
    max_size: int | None = None,
    min_size: int = 0,
    moves: int = DEFAULT_MOVES,
    target: float | None = None,
    on_improvement: Callable[[Ensemble, float], None] | None = None,
    verbose: bool = False,
    callback: Callback | None = None,
) -> Ensemble | None:
    """Search for an ensemble with a large objective (1).

    Rounds of simulated annealing, each with twice the moves of the one before: in bands of few to many classifiers,
    then around the best ensemble. The number of moves decides what is found; a time limit only cuts the same course
    of moves short, so a run that ends before it can be repeated anywhere with the same result.

    Parameters
    ----------
    instance : PruningInstance
    diversity : Diversity, optional
        (18) and (20), which the result meets.
    time_limit : float or None, default 60.0
        Seconds, None for all moves. What compiling takes does not count. Where it ends the
        moves, an `compactml.watch.EndedEarlyWarning` says so.
    random_state : int, default 0
    start : (selected, threshold), optional
        An ensemble to begin with beside the three simple ones (none, the best single classifier, all by majority).
    max_size, min_size : int, optional
        Limits of the number of classifiers.
    moves : int, default 20_000_000
    target : float, optional
        A value of (1) that cannot be exceeded, at which the search ends.
    on_improvement : callable, optional
        Called with each new best ensemble and its objective (1), some milliseconds after it is found.
    verbose : bool, default False
        Print a line for each better ensemble.
    callback : callable, optional
        Called with a `compactml.watch.News` at each better ensemble; its bound is what
        calling each vector of votes as is best for it would give.

    Returns
    -------
    Ensemble or None
        None if no ensemble that meets the limits has been found.

    Raises
    ------
    InvalidParameterError, InvalidDataError
        An argument of another kind or outside its range.
    """
    check_search(instance, diversity, random_state, max_size, min_size, moves, target, on_improvement)
    start = checked_start(instance, start)
    clock = Clock(checked_limit(time_limit))
    watch = Watch("local_search", clock, verbose=verbose, callback=callback)
    ideal = goal_of(instance, None)

    def told(ensemble: Ensemble, value: float) -> None:
        if on_improvement is not None:
            on_improvement(ensemble, value)
        watch.tell(value, ideal)

    best = searched(
        instance,
        clock=clock,
        diversity=diversity,
        random_state=random_state,
        start=start,
        max_size=max_size,
        min_size=min_size,
        moves=moves,
        target=target,
        on_improvement=told,
    )
    value = -math.inf if best is None else instance.value(*best)
    if clock.stopped() and not reached(value, goal_of(instance, target)):
        watch.warn(value, ideal)
    return best


def searched(
    instance: PruningInstance,
    *,
    clock: Clock,
    diversity: Diversity | None = None,
    random_state: int = 0,
    start: tuple[NDArray[np.intp], int] | None = None,
    max_size: int | None = None,
    min_size: int = 0,
    moves: int = DEFAULT_MOVES,
    target: float | None = None,
    on_improvement: Callable[[Ensemble, float], None] | None = None,
) -> Ensemble | None:
    """Search as `local_search` does, by a clock and without a warning."""
    most = instance.n_classifiers if max_size is None else min(max_size, instance.n_classifiers)
    if not 0 <= min_size <= most:
        raise InvalidParameterError("min_size", f"between 0 and the largest size, {most}", min_size)
    search = _Search.of(instance, diversity, (min_size, most), target, on_improvement, random_state)
    search.offer_simple(start)
    least = max(min_size, 1)
    if least > most or not len(search.problem.gains):
        return search.best
    for band in bands(least, most, moves, search.best_size):
        if not search.anneal(band, clock):
            break
    return search.best


def goal_of(instance: PruningInstance, target: float | None) -> float:
    """No ensemble has a larger objective: the target, or each vector of votes called as is best for it."""
    goal = instance.unit * instance.ideal
    return goal if target is None else min(goal, target)


def reached(value: float, goal: float) -> bool:
    """Whether nothing is left to find."""
    return value >= goal - ROUNDING * abs(goal)


@dataclass(eq=False)
class _Search:
    """The best ensemble so far and the way to better ones."""

    instance: PruningInstance
    problem: Problem
    error: float
    diversity: Diversity | None
    random: np.random.Generator
    sizes: tuple[int, int]
    target: float
    on_improvement: Callable[[Ensemble, float], None] | None
    best: Ensemble | None = None
    value: float = -np.inf
    seen: int = np.iinfo(np.int64).min
    state: State = field(init=False)

    @classmethod
    def of(
        cls,
        instance: PruningInstance,
        diversity: Diversity | None,
        sizes: tuple[int, int],
        target: float | None,
        on_improvement: Callable[[Ensemble, float], None] | None,
        seed: int,
    ) -> _Search:
        """A search that has not begun."""
        limits = diversity if diversity is not None and diversity.binding else None
        return cls(
            instance,
            *problem_of(instance, limits),
            limits,
            np.random.default_rng(seed),
            sizes,
            goal_of(instance, target),
            on_improvement,
        )

    def __post_init__(self) -> None:
        K, W = self.instance.n_classifiers, len(self.problem.gains)
        numbers = np.zeros(6, dtype=np.int64)
        numbers[BEST] = self.seen
        self.state = State(
            np.arange(K),
            np.zeros((K.bit_length(), W), dtype=np.uint64),
            np.zeros(W, dtype=np.uint64),
            np.zeros(W, dtype=np.uint64),
            np.zeros(K),
            np.zeros(K, dtype=np.int64),
            numbers,
            np.array([self.random.integers(1, 2**63)], dtype=np.uint64),
        )

    def best_size(self) -> int | None:
        """Number of classifiers of the best ensemble."""
        return None if self.best is None else len(self.best.selected)

    def offer(self, selected: NDArray[np.intp], threshold: int) -> None:
        """Keep an ensemble if it meets the limits and is better than the best one."""
        low, high = self.sizes
        if not low <= len(selected) <= high or not (self.diversity is None or self.diversity.met(selected)):
            return
        value = self.instance.value(selected, threshold)
        if value > self.value:
            self.best, self.value = Ensemble(selected, threshold), value
            if self.on_improvement is not None:
                self.on_improvement(self.best, value)

    def offer_simple(self, start: tuple[NDArray[np.intp], int] | None) -> None:
        """The ensembles that need no search."""
        K = self.instance.n_classifiers
        none, every = np.zeros(0, dtype=np.intp), np.arange(K)
        gains = self.instance.gains @ self.instance.patterns
        self.offer(none, 0)
        self.offer(np.array([int(np.argmax(gains))]), 0)
        self.offer(every, K // 2)
        if start is not None:
            self.offer(np.sort(np.asarray(start[0], dtype=np.intp)), int(start[1]))

    def anneal(self, band: Band, clock: Clock) -> bool:
        """Anneal in one band; whether there is reason to go on."""
        self.begin(band)
        hot = WARM if band.from_best else HOT
        done = 0
        while done < band.moves:
            if clock.stopped() or reached(self.value, self.target):
                return False
            n = min(MOVES_PER_CALL, band.moves - done)
            ends = (hot * (COLD / hot) ** (share / band.moves) for share in (done, done + n))
            first, last = (self.error * temperature for temperature in ends)
            anneal(self.problem, self.state, band.low, band.high, first, last, n)
            self.read_best()
            done += n
        return True

    def begin(self, band: Band) -> None:
        """Go to the best ensemble, or to a random one called by majority."""
        if band.from_best and self.best is not None:
            members, threshold = self.best
            threshold = min(threshold, max(len(members) - 1, 0))  # no move leads down from a larger one
        else:
            size = int(self.random.integers(band.low, band.high + 1))
            members, threshold = self.random.permutation(self.instance.n_classifiers)[:size], size // 2
        place(self.problem, self.state, members.astype(np.int64), threshold)

    def read_best(self) -> None:
        """Offer what the compiled code holds for the best one, counted again from the points."""
        numbers = self.state.numbers
        if numbers[BEST] > self.seen:
            self.seen = int(numbers[BEST])
            members = np.sort(self.state.best[: numbers[BEST_SIZE]]).astype(np.intp)
            self.offer(members, int(numbers[BEST_THRESHOLD]))
