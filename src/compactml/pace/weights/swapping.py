"""Local search for a small support that reaches a least margin of epsilon.

Between the games the clock is looked at, since one of a hundred learners takes some tenths of a second.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from compactml.clock import Clock
from compactml.pace.weights._kernels.simplex import gains
from compactml.pace.weights._kernels.swapping import extended, promising, set_seed, shaken, shortened
from compactml.pace.weights.games import best_weights

__all__ = ["greedy", "thinned"]

PROGRESS = 1e-9


def greedy(
    A: NDArray[np.float64],
    epsilon: float,
    support: NDArray[np.int64],
    allowed: NDArray[np.int64],
    clock: Clock,
) -> NDArray[np.int64]:
    """Add the learner that helps most until epsilon is reached, or all of ``allowed``, which reach it, in the end.

    The clock is looked at before each game.
    """
    value = best_weights(A, support)[0] if support.size > 0 else -np.inf
    while value < epsilon and not clock.stopped():
        before = support
        support, value = _grown(A, before, allowed, clock)
        if support is before:
            break
    return support if value >= epsilon else allowed.copy()


def _grown(
    A: NDArray[np.float64], support: NDArray[np.int64], allowed: NDArray[np.int64], clock: Clock
) -> tuple[NDArray[np.int64], float]:
    """The support with the learner that helps most, and its value; the support itself if there is none in time."""
    u = best_weights(A, support)[2] if support.size > 0 else np.full(len(A), 1.0 / len(A))
    most, grown = -np.inf, support
    for h in promising(gains(A, u), support, allowed):
        if clock.stopped():
            break
        longer = extended(support, h)
        reached = best_weights(A, longer)[0]
        if reached > most:
            most, grown = reached, longer
    return grown, most


def thinned(
    A: NDArray[np.float64],
    epsilon: float,
    support: NDArray[np.int64],
    allowed: NDArray[np.int64],
    restarts: int,
    seed: int,
    clock: Clock,
) -> NDArray[np.int64]:
    """Make a support that reaches epsilon smaller, as long as swaps find one that still reaches it.

    Each try drops a learner and climbs by the best swap of one learner for another; after the first of each size
    come tries from supports of which one learner was replaced at random. The clock is looked at before each game.
    """
    set_seed(seed)
    best = support.copy()
    attempt = 0
    while best.size > 1 and attempt <= restarts and not clock.stopped():
        trial = shortened(best, _least_needed(A, best, clock)) if attempt == 0 else shaken(best, allowed)
        value = best_weights(A, trial)[0]
        better = True
        while value < epsilon and better and not clock.stopped():
            better, value, trial = _best_swap(A, trial, allowed, value, clock)
        if value >= epsilon:
            best, attempt = trial, 0
        else:
            attempt += 1
    return best


def _least_needed(A: NDArray[np.float64], support: NDArray[np.int64], clock: Clock) -> int:
    """Place of the learner without which the others reach most, of those that there is time for."""
    best, most = 0, -np.inf
    for out in range(support.size):
        if clock.stopped():
            break
        value = best_weights(A, shortened(support, out))[0]
        if value > most:
            best, most = out, value
    return best


def _best_swap(
    A: NDArray[np.float64],
    support: NDArray[np.int64],
    allowed: NDArray[np.int64],
    value: float,
    clock: Clock,
) -> tuple[bool, float, NDArray[np.int64]]:
    """Whether a swap of one learner for another helps, and the value and support after the best one in time."""
    most, best_out, best_in = value + PROGRESS, -1, -1
    for out in range(support.size):
        if clock.stopped():
            break
        others = shortened(support, out)
        u = np.full(len(A), 1.0 / len(A)) if others.size == 0 else best_weights(A, others)[2]
        gain = gains(A, u)
        for h in promising(gain, support, allowed):
            if (others.size > 0 and gain[h] <= most) or clock.stopped():
                break
            reached = best_weights(A, extended(others, h))[0]
            if reached > most:
                most, best_out, best_in = reached, out, h
    if best_out < 0:
        return False, value, support
    swapped = support.copy()
    swapped[best_out] = best_in
    return True, most, swapped
