"""Good sets to average, without a proof: exchange, add and drop single members while that helps."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from compactml.clock import Clock

__all__ = ["climb", "starts"]

RANDOM_STARTS = 20


def starts(gram: NDArray[np.float64], sizes: tuple[int, int], seed: int) -> list[NDArray[np.bool_]]:
    """Return the best members alone, as few as allowed, the best ones as many as allowed, and random sets."""
    k, random = len(gram), np.random.default_rng(seed)
    ranks = np.argsort(np.argsort(np.diag(gram), kind="stable"), kind="stable")
    sets = [ranks < sizes[0], ranks < sizes[1]]
    for _ in range(RANDOM_STARTS):
        size = random.integers(sizes[0], sizes[1] + 1)
        sets.append(np.isin(np.arange(k), random.permutation(k)[:size]))
    return sets


def climb(
    gram: NDArray[np.float64],
    members: NDArray[np.bool_],
    sizes: tuple[int, int],
    clock: Clock,
    offer: Callable[[NDArray[np.bool_]], object],
) -> None:
    """Offer a set, and each better one on the way to a set that no single change makes better."""
    members = members.copy()
    offer(members)
    while not clock.stopped():
        x, s = members.astype(np.float64), int(members.sum())
        products, alone = gram @ x, np.diag(gram)
        total = float(x @ products)
        best, change = total / s**2 * (1 - 1e-12), None
        inside, outside = np.flatnonzero(members), np.flatnonzero(~members)
        if len(outside) and s < sizes[1]:
            values = (total + 2 * products[outside] + alone[outside]) / (s + 1) ** 2
            if values.min() < best:
                best, change = values.min(), [outside[values.argmin()]]
        if s > max(sizes[0], 1):
            values = (total - 2 * products[inside] + alone[inside]) / (s - 1) ** 2
            if values.min() < best:
                best, change = values.min(), [inside[values.argmin()]]
        if len(outside):
            gone = (alone[inside] - 2 * products[inside])[:, np.newaxis]
            new = (alone[outside] + 2 * products[outside])[np.newaxis]
            values = (total + gone + new - 2 * gram[np.ix_(inside, outside)]) / s**2
            if values.min() < best:
                i, j = np.unravel_index(values.argmin(), values.shape)
                best, change = values.min(), [inside[i], outside[j]]
        if change is None:
            return
        members[change] = ~members[change]
        offer(members)
