"""Proofs: branch on members and on the size, with a convex bound at each node."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from itertools import count

import numpy as np
from numpy.typing import NDArray

from compactml.clock import Clock
from compactml.ensemble_pruning.averaging._kernels import relaxed
from compactml.ensemble_pruning.averaging.losses import Loss

__all__ = ["AverageTree", "compile_averages"]

FREE, IN, OUT = 0, 1, 2


@dataclass(eq=False)
class AverageTree:
    """All sets of some sizes, the nodes that are open, and what is proved of them.

    Parameters
    ----------
    loss : Loss
    sizes : (int, int)
    target : callable () -> float
        A node whose sets are not below it needs no further look; it may fall.
    offer : callable (ndarray of bool)
        Called with sets that the nodes suggest.
    clock : Clock
        Sizes that it leaves no time for stay open, with 0 as their bound.
    """

    loss: Loss
    sizes: tuple[int, int]
    target: Callable[[], float]
    offer: Callable[[NDArray[np.bool_]], object]
    clock: Clock
    open: list[tuple[float, int, int, NDArray[np.int8], NDArray[np.float64]]] = field(default_factory=list)
    _number: count[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        k = len(self.loss.alone)
        for size in range(self.sizes[0], self.sizes[1] + 1):
            nothing, even = np.zeros(k, dtype=np.int8), np.full(k, 1.0 / k)
            if self.clock.stopped():
                heapq.heappush(self.open, (0.0, next(self._number), size, nothing, even))
            else:
                self._look(size, nothing, even)

    @property
    def bound(self) -> float:
        """No set is below it, or below the target."""
        return self.open[0][0] if self.open else np.inf

    def run(self, tell: Callable[[], object]) -> None:
        """Take the node of the least bound, time and again, until none is open or the time is up."""
        while self.open and not self.clock.stopped():
            bound, _, size, fixed, weights = heapq.heappop(self.open)
            if bound >= self.target():  # so are the others
                self.open.clear()
                return
            tell()
            free = np.flatnonzero(fixed == FREE)
            undecided = np.abs(weights[free] * size - 0.5)
            member = free[undecided.argmin()]
            for state in (IN, OUT):
                child = fixed.copy()
                child[member] = state
                self._look(size, child, weights.copy())

    def _look(self, size: int, fixed: NDArray[np.int8], weights: NDArray[np.float64]) -> None:
        """Bound a node, and keep it if it may hold a set below the target."""
        chosen, free = int((fixed == IN).sum()), int((fixed == FREE).sum())
        if chosen > size or chosen + free < size:
            return
        if chosen == size or chosen + free == size:  # only one set is left
            self.offer(fixed == IN if chosen == size else fixed != OUT)
            return
        low, high = np.where(fixed == IN, 1.0 / size, 0.0), np.where(fixed == OUT, 0.0, 1.0 / size)
        weights = _within(weights, low, high)
        bound = self.loss.bound(low, high, weights, self.target(), self.clock)
        if bound >= self.target():
            return
        self.offer(_rounded(weights, size))
        if bound < self.target():
            heapq.heappush(self.open, (bound, next(self._number), size, fixed, weights))


@cache
def compile_averages() -> None:
    """Bound a tiny pool, once in a process: for trials that measure seconds."""
    relaxed(np.eye(2), np.zeros(2), np.ones(2), np.full(2, 0.5), 0.0, 1)


def _within(
    weights: NDArray[np.float64], low: NDArray[np.float64], high: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Weights of sum 1 between the limits, near the given ones."""
    near = np.clip(weights, low, high)
    excess = near.sum() - 1.0
    room = (near - low) if excess > 0 else (high - near)
    return near - room * (excess / room.sum()) if excess and room.sum() > 0 else near


def _rounded(weights: NDArray[np.float64], size: int) -> NDArray[np.bool_]:
    members = np.zeros(len(weights), dtype=bool)
    members[np.argpartition(-weights, size - 1)[:size]] = True
    return members
