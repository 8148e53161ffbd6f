r"""What the mean of a set of members costs, in a form that search and branching can use.

With the residuals :math:`r_{uj}` of member j in row u the squared error of the mean of a set S of s members is
:math:`x^\top G x / s^2`, where x is 1 for the members of S and :math:`G = R^\top R / n`. The absolute error is
:math:`\sum_u |\sum_j r_{uj} w_j| / n` at :math:`w = x / s`, and for all :math:`|\lambda_u| \le 1 / n` at least
:math:`\lambda^\top R w`, which is least where sorting says.

Each call ends soon after its clock has stopped: neighbours that were not looked at by then are infinite, and a bound is
the best one until then.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from compactml.clock import Clock
from compactml.ensemble_pruning.averaging._kernels import relaxed

__all__ = ["AbsoluteLoss", "Loss", "Neighbours", "SquaredLoss", "UnpreparedLoss", "products"]

EXCHANGES = 50
"""Of weight in a node, at most, for each member."""

ROUNDS, SHARPER = 30, 0.8
"""Squared errors that stand in for an absolute one, and the smoothing of each as a part of the last one's."""

PRODUCTS, MOVES = 500_000_000, 40_000_000
"""Products of two residuals, and of an exchange with a member, between two looks at the clock: some tenths of a second.
"""
Floats = NDArray[np.float64]
Members = NDArray[np.bool_]


class Neighbours(NamedTuple):
    """Values of the sets with one member more, one less, and one exchanged, shape (inside, outside)."""

    added: Floats
    dropped: Floats
    exchanged: Floats


class Loss(Protocol):
    """What is to be least."""

    @property
    def alone(self) -> Floats:
        """Value of each member alone, shape (K,)."""

    def value(self, members: Members) -> float:
        """Value of a set, up to rounding."""

    def neighbours(self, members: Members, clock: Clock) -> Neighbours:
        """Values of the sets that differ by one member; those dropped are infinite where none would be left."""

    def bound(self, low: Floats, high: Floats, weights: Floats, enough: float, clock: Clock) -> float:
        """What no weights of sum 1 between the limits are below; moves ``weights`` towards the least."""


@dataclass(frozen=True, eq=False)
class SquaredLoss:
    """Mean squared error, by the products G of the residuals, shape (K, K)."""

    gram: Floats

    @property
    def alone(self) -> Floats:
        return np.asarray(np.diag(self.gram))

    def value(self, members: Members) -> float:
        return float(members @ self.gram @ members) / int(members.sum()) ** 2

    def neighbours(self, members: Members, clock: Clock) -> Neighbours:
        s, inside, outside = int(members.sum()), np.flatnonzero(members), np.flatnonzero(~members)
        x = members.astype(np.float64)
        products, alone = self.gram @ x, self.alone
        total = float(x @ products)
        new = alone[outside] + 2 * products[outside]
        gone = alone[inside] - 2 * products[inside]
        both = total + gone[:, np.newaxis] + new[np.newaxis] - 2 * self.gram[np.ix_(inside, outside)]
        dropped = (total + gone) / (s - 1) ** 2 if s > 1 else np.full(1, np.inf)
        return Neighbours((total + new) / (s + 1) ** 2, dropped, both / s**2)

    def bound(self, low: Floats, high: Floats, weights: Floats, enough: float, clock: Clock) -> float:
        return _relaxed(self.gram, (low, high), weights, enough, clock)


@dataclass(frozen=True, eq=False)
class UnpreparedLoss:
    """Mean squared error from the residuals, shape (n, K), where the time ended before their products were there.

    It can say what a set is worth, but leaves search and proof nothing to do.
    """

    residuals: Floats
    n_rows: int

    @cached_property
    def alone(self) -> Floats:
        return np.einsum("ij,ij->j", self.residuals, self.residuals) / self.n_rows

    def value(self, members: Members) -> float:
        return float((self.residuals[:, members].mean(axis=1) ** 2).sum() / self.n_rows)

    def neighbours(self, members: Members, clock: Clock) -> Neighbours:
        inside, outside = int(members.sum()), int((~members).sum())
        return Neighbours(
            np.full(outside, np.inf), np.full(inside, np.inf), np.full((inside, outside), np.inf)
        )

    def bound(self, low: Floats, high: Floats, weights: Floats, enough: float, clock: Clock) -> float:
        return 0.0  # no square is smaller


@dataclass(frozen=True, eq=False)
class AbsoluteLoss:
    """Mean absolute error, by the residuals, shape (n, K); of several numbers a row with ``n`` as their rows."""

    residuals: Floats
    n_rows: int

    @cached_property
    def alone(self) -> Floats:
        return np.asarray(np.abs(self.residuals).sum(axis=0) / self.n_rows)

    def value(self, members: Members) -> float:
        return self._of(self.residuals[:, members].mean(axis=1))

    def neighbours(self, members: Members, clock: Clock) -> Neighbours:
        s, inside, outside = int(members.sum()), np.flatnonzero(members), np.flatnonzero(~members)
        total = self.residuals[:, inside].sum(axis=1, keepdims=True)
        others, of_inside = self.residuals[:, outside], self.residuals[:, inside]
        scale = 1.0 / self.n_rows
        exchanged = np.full((s, len(outside)), np.inf)
        for i in range(s):
            if clock.stopped():
                break
            exchanged[i] = np.abs(total - of_inside[:, i, None] + others).sum(axis=0)
        dropped = np.abs(total - of_inside).sum(axis=0) * scale / (s - 1) if s > 1 else np.full(1, np.inf)
        return Neighbours(
            np.abs(total + others).sum(axis=0) * scale / (s + 1), dropped, exchanged * scale / s
        )

    def bound(self, low: Floats, high: Floats, weights: Floats, enough: float, clock: Clock) -> float:
        """By squares weighted so that they touch the absolute values: their slopes are the multipliers."""
        best, smoothing = -np.inf, float(np.abs(self.residuals @ weights).mean())
        for _ in range(ROUNDS):
            said = self.residuals @ weights
            value = self._of(said)
            multipliers = (
                said / np.maximum(np.abs(said), smoothing) / self.n_rows if smoothing else 0.0 * said
            )
            best = max(best, _least(self.residuals.T @ multipliers, low, high))
            if best >= enough or value - best <= 1e-13 * value:
                break
            scaled = self.residuals / np.sqrt(self.n_rows * np.maximum(np.abs(said), smoothing))[:, None]
            gram = products(scaled, clock)
            if gram is None:
                break
            _relaxed(gram, (low, high), weights, np.inf, clock)
            smoothing *= SHARPER
        return best

    def _of(self, mean: Floats) -> float:
        return float(np.abs(mean).sum() / self.n_rows)


def products(residuals: Floats, clock: Clock) -> Floats | None:
    """The products of each two columns, shape (K, K), or None if there is no time for all of them."""
    k = residuals.shape[1]
    at_once = max(1, PRODUCTS // k**2)
    total: Floats | None = None
    for start in range(0, len(residuals), at_once):
        if clock.stopped():
            return None
        part = residuals[start : start + at_once]
        total = part.T @ part if total is None else total + part.T @ part
    return total


def _relaxed(
    gram: Floats, limits: tuple[Floats, Floats], weights: Floats, enough: float, clock: Clock
) -> float:
    """The best bound that so many exchanges give, as far as there is time for them."""
    best, left, at_once = -np.inf, EXCHANGES * len(weights), max(1, MOVES // len(weights))
    while left > 0:
        best = max(best, relaxed(gram, *limits, weights, enough, min(left, at_once)))
        left -= at_once
        if best >= enough or clock.stopped():
            break
    return best


def _least(slope: Floats, low: Floats, high: Floats) -> float:
    """The least sum of slopes times weights of sum 1 between the limits."""
    order = np.argsort(slope)
    room = (high - low)[order]
    before = np.cumsum(room) - room
    part = np.clip(1.0 - low.sum() - before, 0.0, room)
    return float(slope @ low + slope[order] @ part)
