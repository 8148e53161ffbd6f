"""Good sets to average, without a proof: exchange, add and drop single members while that helps."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from compactml.clock import Clock
from compactml.ensemble_pruning.averaging.losses import Loss

__all__ = ["climb", "starts"]

RANDOM_STARTS = 20


def starts(loss: Loss, sizes: tuple[int, int], seed: int) -> list[NDArray[np.bool_]]:
    """Return the best members alone, as few as allowed, the best ones as many as allowed, and random sets."""
    k, random = len(loss.alone), np.random.default_rng(seed)
    ranks = np.argsort(np.argsort(loss.alone, kind="stable"), kind="stable")
    sets = [ranks < sizes[0], ranks < sizes[1]]
    for _ in range(RANDOM_STARTS):
        size = random.integers(sizes[0], sizes[1] + 1)
        sets.append(np.isin(np.arange(k), random.permutation(k)[:size]))
    return sets


def climb(
    loss: Loss,
    members: NDArray[np.bool_],
    sizes: tuple[int, int],
    clock: Clock,
    offer: Callable[[NDArray[np.bool_]], object],
) -> None:
    """Offer a set, and each better one on the way to a set that no single change makes better."""
    members = members.copy()
    offer(members)
    while not clock.stopped():
        s, near = int(members.sum()), loss.neighbours(members, clock)
        best, change = loss.value(members) * (1 - 1e-12), None
        inside, outside = np.flatnonzero(members), np.flatnonzero(~members)
        if len(outside) and s < sizes[1] and near.added.min() < best:
            best, change = near.added.min(), [outside[near.added.argmin()]]
        if s > max(sizes[0], 1) and near.dropped.min() < best:
            best, change = near.dropped.min(), [inside[near.dropped.argmin()]]
        if len(outside) and near.exchanged.min() < best:
            i, j = np.unravel_index(near.exchanged.argmin(), near.exchanged.shape)
            best, change = near.exchanged.min(), [inside[i], outside[j]]
        if change is None:
            return
        members[change] = ~members[change]
        offer(members)
