r"""What the mean of a set of members costs, in a form that search and branching can use.

With the residuals :math:`r_{uj}` of member j in row u the squared error of the mean of a set S of s members is
:math:`x^\top G x / s^2`, where x is 1 for the members of S and :math:`G = R^\top R / n`. The absolute error is
:math:`\sum_u |\sum_j r_{uj} w_j| / n` at :math:`w = x / s`, and for all :math:`|\lambda_u| \le 1 / n` at least
:math:`\lambda^\top R w`, which is least where sorting says.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from compactml.ensemble_pruning.averaging._kernels import relaxed

__all__ = ["AbsoluteLoss", "Loss", "Neighbours", "SquaredLoss"]

EXCHANGES = 50
"""Of weight in a node, at most, for each member."""

ROUNDS, SHARPER = 30, 0.8
"""Squared errors that stand in for an absolute one, and the smoothing of each as a part of the last one's."""

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

    def neighbours(self, members: Members) -> Neighbours:
        """Values of the sets that differ by one member; those dropped are infinite where none would be left."""

    def bound(self, low: Floats, high: Floats, weights: Floats, enough: float) -> float:
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

    def neighbours(self, members: Members) -> Neighbours:
        s, inside, outside = int(members.sum()), np.flatnonzero(members), np.flatnonzero(~members)
        x = members.astype(np.float64)
        products, alone = self.gram @ x, self.alone
        total = float(x @ products)
        new = alone[outside] + 2 * products[outside]
        gone = alone[inside] - 2 * products[inside]
        both = total + gone[:, np.newaxis] + new[np.newaxis] - 2 * self.gram[np.ix_(inside, outside)]
        dropped = (total + gone) / (s - 1) ** 2 if s > 1 else np.full(1, np.inf)
        return Neighbours((total + new) / (s + 1) ** 2, dropped, both / s**2)

    def bound(self, low: Floats, high: Floats, weights: Floats, enough: float) -> float:
        return relaxed(self.gram, low, high, weights, enough, EXCHANGES * len(weights))


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

    def neighbours(self, members: Members) -> Neighbours:
        s, inside, outside = int(members.sum()), np.flatnonzero(members), np.flatnonzero(~members)
        total = self.residuals[:, inside].sum(axis=1, keepdims=True)
        others, own = self.residuals[:, outside], self.residuals[:, inside]
        scale = 1.0 / self.n_rows
        exchanged = np.array([np.abs(total - own[:, i, None] + others).sum(axis=0) for i in range(s)])
        dropped = np.abs(total - own).sum(axis=0) * scale / (s - 1) if s > 1 else np.full(1, np.inf)
        return Neighbours(
            np.abs(total + others).sum(axis=0) * scale / (s + 1), dropped, exchanged * scale / s
        )

    def bound(self, low: Floats, high: Floats, weights: Floats, enough: float) -> float:
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
            relaxed(scaled.T @ scaled, low, high, weights, np.inf, EXCHANGES * len(weights))
            smoothing *= SHARPER
        return best

    def _of(self, mean: Floats) -> float:
        return float(np.abs(mean).sum() / self.n_rows)


def _least(slope: Floats, low: Floats, high: Floats) -> float:
    """The least sum of slopes times weights of sum 1 between the limits."""
    order = np.argsort(slope)
    room = (high - low)[order]
    before = np.cumsum(room) - room
    part = np.clip(1.0 - low.sum() - before, 0.0, room)
    return float(slope @ low + slope[order] @ part)
