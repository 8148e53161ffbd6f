"""What annealing is asked for and goes through: bands of the number of classifiers, and the votes in words of bits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from compactml.ensemble_pruning._failure_credit import Diversity
from compactml.ensemble_pruning._kernels import Problem
from compactml.ensemble_pruning.instance import PruningInstance, check_selected, pack
from compactml.errors import (
    InvalidDataError,
    InvalidParameterError,
    check_finite,
    check_instance,
    check_integer,
)

__all__ = ["Band", "bands", "check_search", "checked_start", "problem_of"]

BANDS = ((1, 6), (7, 12), (10, 20), (15, 30), (25, 45))
AROUND = 3
"""Half the width of the band around the best ensemble."""

FIRST_LENGTH = 20_000
"""Moves in a band in the first round; each round doubles them."""

SCALE = 2**50
"""Gains that are no integers are rounded so that their sum is about this many units."""


class Band(NamedTuple):
    """Annealing with ``low`` to ``high`` classifiers, from the best ensemble or from a random one."""

    low: int
    high: int
    moves: int
    from_best: bool


def bands(least: int, most: int, moves: int, best_size: Callable[[], int | None]) -> Iterator[Band]:
    """Bands until all moves are used.

    Parameters
    ----------
    least, most : int
        Limits on the number of classifiers.
    moves : int
    best_size : callable
        Number of classifiers of the best ensemble so far, None before the first.
    """
    left = moves
    for band in _rounds(least, most, best_size):
        if left <= 0:
            return
        yield band._replace(moves=min(band.moves, left))
        left -= band.moves


def _rounds(least: int, most: int, best_size: Callable[[], int | None]) -> Iterator[Band]:
    """All bands, then around the best ensemble; again and again with twice the moves."""
    clipped = [(max(low, least), min(high, most)) for low, high in BANDS]
    allowed = [(low, high) for low, high in clipped if low <= high] or [(least, most)]
    length = FIRST_LENGTH
    while True:
        for low, high in allowed:
            yield Band(low, high, length, False)
        size = best_size()
        if size is not None:
            yield Band(max(size - AROUND, least), min(max(size + AROUND, least), most), length, True)
        length *= 2


def problem_of(instance: PruningInstance, limits: Diversity | None) -> tuple[Problem, float]:
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


def check_search(
    instance: Any,
    diversity: Any,
    random_state: Any,
    max_size: Any,
    min_size: Any,
    moves: Any,
    target: Any,
    on_improvement: Any,
) -> None:
    """Refuse arguments of `compactml.ensemble_pruning.local_search`, named, that are of another kind or range."""
    check_instance("instance", instance, PruningInstance)
    if diversity is not None and not isinstance(diversity, Diversity):
        raise InvalidParameterError("diversity", "a Diversity, or None", diversity)
    K = instance.n_classifiers
    if diversity is not None and len(diversity.credit) != K:
        raise InvalidDataError("diversity", f"of {K} classifiers", f"{len(diversity.credit)}")
    check_integer("random_state", random_state, 0)
    check_integer("min_size", min_size, 0)
    check_integer("moves", moves, 0)
    if max_size is not None:
        check_integer("max_size", max_size, 0)
    if target is not None:
        check_finite("target", target)
    if on_improvement is not None and not callable(on_improvement):
        raise InvalidParameterError("on_improvement", "a function of two arguments, or None", on_improvement)


def checked_start(instance: PruningInstance, start: Any) -> tuple[NDArray[np.intp], int] | None:
    """Return an ensemble to begin with, checked."""
    if start is None:
        return None
    if not isinstance(start, tuple | list) or len(start) != 2:
        raise InvalidParameterError("start", "a pair of selected classifiers and a threshold, or None", start)
    selected = check_selected("start[0]", start[0], instance.n_classifiers)
    return selected, check_integer("start[1]", start[1], 0, instance.n_classifiers)
