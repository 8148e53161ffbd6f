"""Good ensembles without a proof: simulated annealing in bands of the number of classifiers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
from compactml.ensemble_pruning.instance import PruningInstance, pack
from compactml.errors import InvalidParameterError

__all__ = ["Ensemble", "local_search"]

BANDS = ((1, 6), (7, 12), (10, 20), (15, 30), (25, 45))
AROUND = 3
"""Half the width of the band around the best ensemble."""

HOT, WARM, COLD = 1.5, 0.8, 0.2
"""Temperatures in errors: of a start, of a start from the best ensemble, of the end."""

FIRST_LENGTH = 20_000
"""Moves in a band in the first round; each round doubles them."""

MOVES_PER_CALL = 20_000
"""Moves between two looks at the clock, some milliseconds."""

DEFAULT_MOVES = 20_000_000
ROUNDING = 1e-12
"""Of a target, relative."""

SCALE = 2**50
"""Gains that are no integers are rounded so that their sum is about this many units."""


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


class Band(NamedTuple):
    """Annealing with ``low`` to ``high`` classifiers, from the best ensemble or from a random one."""

    low: int
    high: int
    moves: int
    from_best: bool


def local_search(
    instance: PruningInstance,
    *,
    diversity: Diversity | None = None,
    time_limit: float | None = None,
    random_state: int = 0,
    start: tuple[NDArray[np.intp], int] | None = None,
    max_size: int | None = None,
    min_size: int = 0,
    moves: int = DEFAULT_MOVES,
    target: float | None = None,
    on_improvement: Callable[[Ensemble, float], None] | None = None,
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
    time_limit : float, optional
        Seconds. The first call on a machine compiles for some seconds more.
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

    Returns
    -------
    Ensemble or None
        None if no ensemble that meets the limits has been found.

    Raises
    ------
    InvalidParameterError
    """
    most = instance.n_classifiers if max_size is None else min(max_size, instance.n_classifiers)
    if not 0 <= min_size <= most:
        raise InvalidParameterError("min_size", f"between 0 and the largest size, {most}", min_size)
    clock = Clock(time_limit)
    search = _Search.of(instance, diversity, (min_size, most), target, on_improvement, random_state)
    search.offer_simple(start)
    for band in _bands(max(min_size, 1), most, moves, search):
        if not search.anneal(band, clock):
            break
    return search.best


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
        goal = instance.unit * instance.ideal
        return cls(
            instance,
            *_problem(instance, limits),
            limits,
            np.random.default_rng(seed),
            sizes,
            goal if target is None else min(goal, target),
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
            if clock.stopped() or self.value >= self.target - ROUNDING * abs(self.target):
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


def _bands(least: int, most: int, moves: int, search: _Search) -> Iterator[Band]:
    """Bands until all moves are used."""
    left = moves if least <= most and len(search.problem.gains) else 0
    for band in _rounds(least, most, search):
        if left <= 0:
            return
        yield band._replace(moves=min(band.moves, left))
        left -= band.moves


def _rounds(least: int, most: int, search: _Search) -> Iterator[Band]:
    """All bands, then around the best ensemble; again and again with twice the moves."""
    clipped = [(max(low, least), min(high, most)) for low, high in BANDS]
    bands = [(low, high) for low, high in clipped if low <= high] or [(least, most)]
    length = FIRST_LENGTH
    while True:
        for low, high in bands:
            yield Band(low, high, length, False)
        if search.best is not None:
            size = len(search.best.selected)
            yield Band(max(size - AROUND, least), min(max(size + AROUND, least), most), length, True)
        length *= 2


def _problem(instance: PruningInstance, limits: Diversity | None) -> tuple[Problem, float]:
    """Vectors of equal gain in words of 64, gains in whole units; and the mean cost of a wrong point in these units."""
    total = float(np.abs(instance.gains).sum())
    scale = 1.0 if instance.integral or not total else SCALE / total
    values, group = np.unique(np.rint(instance.gains * scale).astype(np.int64), return_inverse=True)
    sizes = np.bincount(group, minlength=len(values))
    words = -(-sizes // 64)
    first = 64 * (np.cumsum(words) - words) - (np.cumsum(sizes) - sizes)
    order = np.argsort(group, kind="stable")
    K = instance.n_classifiers
    slots = np.zeros((K + 1, 64 * int(words.sum())), dtype=bool)
    slots[:K, np.arange(len(order)) + first[group[order]]] = instance.patterns[order].T
    credit = np.zeros((0, 0)) if limits is None else np.pad(limits.credit, (0, 1))
    least, mean = (0.0, 0.0) if limits is None else (limits.min_pfc, limits.mean_pfc)
    problem = Problem(pack(slots), np.repeat(values, words), credit, float(least), float(mean))
    positive, negative = abs(instance.weights.gain_positive), abs(instance.weights.gain_negative)
    share = instance.y.mean()
    error = (share * float(positive) + (1 - share) * float(negative)) / instance.unit * scale
    return problem, error
