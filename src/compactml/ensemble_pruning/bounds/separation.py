"""Which cuts a point e of the covering LP violates: dominated pairs, and quadruples of excess at most 1."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from compactml.clock import Clock
from compactml.ensemble_pruning.bounds._kernels.pairs import number_below, pairs_between
from compactml.ensemble_pruning.bounds._kernels.quadruples import extend, quadruple_search
from compactml.ensemble_pruning.instance import PruningInstance

__all__ = ["Separator"]

TARGET = 1.0 - 1e-6
"""A row whose errors sum to less is violated."""
PAIRS_PER_PATTERN = 5
QUADRUPLES = (3, 10, 800)
"""Most rows of a round for each pair of positive patterns, for each pattern, and in all."""

MOST_PATTERNS = 3000
"""Positive patterns of least error that are paired."""
SORTED_AT_ONCE = 100_000
AT_ONCE = 50_000_000
"""Tests between two looks at the clock: some tenths of a second."""


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

    def quadruples(
        self, errors: NDArray[np.float64], work: int, clock: Clock | None = None
    ) -> tuple[NDArray[np.intp], bool]:
        """Return violated quadruples, shape (r, 4), and whether work or time ended the search before all pairs."""
        low = self.positive[np.argsort(errors[self.positive], kind="stable")]
        high = self.negative[np.argsort(errors[self.negative], kind="stable")]
        packed, (per_pair, per_pattern, most) = self.instance.packed, QUADRUPLES
        search = quadruple_search(packed[low], packed[high], errors[low], errors[high], most)
        cut_off = len(low) > MOST_PATTERNS
        for pairs in _pairs_by_sum(errors[low[:MOST_PATTERNS]], max(1, AT_ONCE // max(len(high), 1))):
            ended = extend(search, pairs, (per_pair, per_pattern), work, TARGET)
            if ended or (clock is not None and clock.stopped()):
                cut_off = True
                break
        rows = search.quadruples[: search.counts[0]]
        return np.column_stack([low[rows[:, :2]], high[rows[:, 2:]]]), cut_off


def _pairs_by_sum(errors: NDArray[np.float64], at_once: int) -> Iterator[NDArray[np.int64]]:
    """Pairs i < j whose errors, which increase, leave room for a violated row, by increasing sum, some at a time.

    They are millions, of which a search tries the first thousands, so they are sorted as they are needed.
    """
    least = -np.inf
    while least < TARGET:
        most = _edge(errors, least)
        pairs = pairs_between(errors, least, most)
        pairs = pairs[np.argsort(errors[pairs].sum(axis=1), kind="stable")]
        yield from (pairs[start : start + at_once] for start in range(0, len(pairs), at_once))
        least = most


def _edge(errors: NDArray[np.float64], least: float) -> float:
    """A sum above ``least`` with some `SORTED_AT_ONCE` pairs between, and those with the last one's sum."""
    enough = number_below(errors, least) + SORTED_AT_ONCE
    few, many = max(least, 2 * float(errors[:1].sum()) - 1.0), TARGET
    if number_below(errors, many) <= enough:
        return many
    while few < (middle := (few + many) / 2) < many:
        few, many = (few, middle) if number_below(errors, middle) > enough else (middle, many)
    return many
