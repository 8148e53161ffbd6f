"""Good sets without a proof: climb by single classifiers, from many starts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from compactml.clock import Clock
from compactml.ensemble_pruning.plurality.instance import PluralityInstance

__all__ = ["climb"]

STARTS = 60
"""The first without any classifier, then with all, then random ones and the best with a quarter exchanged in turn."""
MOST_STEPS = 400
"""Of one climb; it ends before them unless it comes back to where it was."""

Offer = Callable[[NDArray[np.intp]], float]


def climb(
    instance: PluralityInstance,
    offer: Offer,
    *,
    sizes: tuple[int, int],
    clock: Clock,
    seed: int,
    goal: float,
) -> None:
    """Offer sets, each better than the one before in its climb.

    Parameters
    ----------
    instance : PluralityInstance
    offer : callable
        Called with each set; it returns the value of the best that is allowed.
    sizes : (int, int)
        Least and largest number of classifiers.
    clock : Clock
    seed : int
    goal : float
        A value that cannot be exceeded.
    """
    random, k = np.random.default_rng(seed), instance.n_classifiers
    best, most, reached = np.zeros(k, dtype=bool), -np.inf, -np.inf
    for number in range(STARTS):
        members, last = _start(number, best, random, sizes), -np.inf
        for _ in range(MOST_STEPS):
            if clock.stopped() or reached >= goal:
                return
            flipped, value = _best_flip(instance, members, sizes)
            settled = sizes[0] <= members.sum() <= sizes[1]
            if flipped < 0 or (settled and value <= last):
                break
            members[flipped] = ~members[flipped]
            last = value
            if value > most and sizes[0] <= members.sum() <= sizes[1]:
                best, most = members.copy(), value
                reached = offer(np.flatnonzero(members))


def _start(
    number: int, best: NDArray[np.bool_], random: np.random.Generator, sizes: tuple[int, int]
) -> NDArray[np.bool_]:
    k = len(best)
    if number < 2:
        return np.full(k, number == 1)
    if number % 2:
        return best ^ (random.random(k) < 0.25)
    members = np.zeros(k, dtype=bool)
    members[random.permutation(k)[: random.integers(sizes[0], sizes[1] + 1)]] = True
    return members


def _best_flip(
    instance: PluralityInstance, members: NDArray[np.bool_], sizes: tuple[int, int]
) -> tuple[int, float]:
    """The classifier whose change is worth most, and what the set is worth after it; -1 where none may change."""
    size = int(members.sum())
    allowed = np.where(members, size > sizes[0], size < sizes[1])
    if not allowed.any():
        return -1, -np.inf
    change = np.where(members, -instance.margins, instance.margins)
    left = instance.margins[:, members].sum(axis=1, dtype=np.int64) - instance.deltas
    missed = left[:, np.newaxis] + change < 0
    wrong = np.logical_or.reduceat(missed, instance.first, axis=0)
    values = np.where(allowed, instance.ideal - instance.gains @ wrong, -np.inf)
    return int(values.argmax()), float(values.max())
