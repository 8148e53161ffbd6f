"""Which cuts a point e of the covering LP violates: dominated pairs, and quadruples of excess at most 1."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from compactml.ensemble_pruning.bounds._kernels.quadruples import violated_quadruples
from compactml.ensemble_pruning.instance import PruningInstance

__all__ = ["Separator"]

TARGET = 1.0 - 1e-6
"""A row whose errors sum to less is violated."""
PAIRS_PER_PATTERN = 5
QUADRUPLES = (3, 10, 800)
"""Most rows of a round for each pair of positive patterns, for each pattern, and in all."""

MOST_PATTERNS = 3000
"""Positive patterns of least error that are paired, for the sake of memory."""


@dataclass(frozen=True, eq=False)
class Separator:
    """Finds violated cuts; patterns are named by their row in ``instance.patterns``.

    Attributes
    ----------
    instance : PruningInstance
    dominated : ndarray of int, shape (r, 2)
        Pairs b <= a, see `compactml.ensemble_pruning.bounds.dominated.dominated_pairs`.
    """

    instance: PruningInstance
    dominated: NDArray[np.intp]

    @cached_property
    def positive(self) -> NDArray[np.intp]:
        return np.flatnonzero(self.instance.gains > 0)

    @cached_property
    def negative(self) -> NDArray[np.intp]:
        return np.flatnonzero(self.instance.gains < 0)

    def pairs(self, errors: NDArray[np.float64]) -> NDArray[np.intp]:
        """Return the most violated dominated pairs of each pattern, shape (r, 2)."""
        sums = errors[self.dominated].sum(axis=1)
        violated = np.flatnonzero(sums < TARGET)
        found = self.dominated[violated[np.argsort(sums[violated], kind="stable")]]
        rank = pd.DataFrame(found)
        few = [rank.groupby(side).cumcount().to_numpy() < PAIRS_PER_PATTERN for side in (0, 1)]
        return found[few[0] & few[1]]

    def quadruples(self, errors: NDArray[np.float64], work: int) -> tuple[NDArray[np.intp], bool]:
        """Return violated quadruples, shape (r, 4), and whether the search left pairs out, by ``work`` tests."""
        low = self.positive[np.argsort(errors[self.positive], kind="stable")]
        high = self.negative[np.argsort(errors[self.negative], kind="stable")]
        packed = self.instance.packed
        pairs = _pairs_by_sum(errors[low[:MOST_PATTERNS]])
        rows, tests = violated_quadruples(
            packed[low], packed[high], errors[low], errors[high], pairs, QUADRUPLES, work, TARGET
        )
        cut_off = tests >= work or len(low) > MOST_PATTERNS
        return np.column_stack([low[rows[:, :2]], high[rows[:, 2:]]]), cut_off


def _pairs_by_sum(errors: NDArray[np.float64]) -> NDArray[np.int64]:
    """Pairs i < j whose errors leave room for a violated row, by increasing sum."""
    i, j = np.triu_indices(len(errors), 1)
    sums = errors[i] + errors[j]
    open_ = np.flatnonzero(sums < TARGET)
    order = open_[np.argsort(sums[open_], kind="stable")]
    return np.column_stack([i[order], j[order]]).astype(np.int64)
