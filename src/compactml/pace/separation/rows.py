"""The linear conditions of the separation problem as rows over leaves.

Every condition of Section 4 of Akkerman, Ferry, Guyard and Vidal (2026) asks that a sum over trees of a number at the
reached leaf be large enough; all numbers are integers. The forms of the problem differ only in what they do with these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.model.learners import Learner
from compactml.pace.model.region import Region

__all__ = ["Row", "conditions", "region_rows", "separating_row"]


@dataclass(frozen=True, eq=False)
class Row:
    """The sum over learners of the value of the leaf that a point reaches must be at least ``least``.

    Attributes
    ----------
    learners : tuple of Learner
    values : tuple of ndarray of int64
        Of each learner one value per leaf.
    least : int
    """

    learners: tuple[Learner, ...]
    values: tuple[NDArray[np.int64], ...]
    least: int

    def reduced(self) -> Row:
        """The same condition divided by the greatest common divisor of all differences within a learner."""
        lows = [int(value.min()) for value in self.values]
        moved = [value - low for value, low in zip(self.values, lows, strict=True)]
        divisor = int(np.gcd.reduce(np.concatenate([*moved, [0]]))) or 1
        least = -((sum(lows) - self.least) // divisor)
        return Row(self.learners, tuple(value // divisor for value in moved), least)

    def total(self, codes: NDArray[np.int32]) -> NDArray[np.int64]:
        """Left side at every point, shape (n,)."""
        total = np.zeros(len(codes), dtype=np.int64)
        for learner, value in zip(self.learners, self.values, strict=True):
            total += value[learner.leaves_of(codes)]
        return total


def region_rows(region: Region, label: int) -> list[Row]:
    """(12) for every other label, and (13) where the region has an isolation forest."""
    initial = region.initial
    rows = [
        _margin_row(initial, label, other, region.least_margin)
        for other in range(initial.n_classes)
        if other != label
    ]
    if region.isolation is not None:
        trees = region.isolation.learners
        rows.append(Row(trees, tuple(tree.scores[:, 0] for tree in trees), region.least_length))
    return rows


def separating_row(current: IntegerEnsemble, label: int, other: int) -> Row:
    """(11): ``other`` scores at least as much as the initial label; a tie separates."""
    return _margin_row(current, other, label, 0)


def conditions(region: Region, current: IntegerEnsemble, pair: tuple[int, int]) -> list[Row]:
    """All conditions on a separating point: the region's, and (11) as the last one."""
    label, other = pair
    return [*region_rows(region, label), separating_row(current, label, other)]


def _margin_row(ensemble: IntegerEnsemble, label: int, other: int, least: int) -> Row:
    used: Sequence[int] = np.flatnonzero(ensemble.weights).tolist()
    learners = tuple(ensemble.learners[h] for h in used)
    weights = (int(ensemble.weights[h]) for h in used)
    values = tuple(
        weight * (learner.scores[:, label] - learner.scores[:, other])
        for weight, learner in zip(weights, learners, strict=True)
    )
    return Row(learners, values, least)
