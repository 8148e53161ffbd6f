"""Local search for separating points: hill climbing on single codes within the region."""

from __future__ import annotations

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from compactml.clock import Clock
from compactml.forests import SplitGrid
from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.model.region import Region
from compactml.pace.separation._kernels.climbing import climb_some
from compactml.pace.separation.pieces import Board
from compactml.pace.separation.rows import conditions

__all__ = ["Climber", "climb"]

N_STARTS = 32
"""Starts of one climb: those where the current margin is smallest."""
PER_LOOK = 2_000_000
"""Boxes, and codes of all features, that are looked at between two looks at the clock: some hundredths of a second."""


class Climber:
    """Local search that keeps the packed trees between calls.

    Parameters
    ----------
    grid : SplitGrid
    region : Region
    """

    def __init__(self, grid: SplitGrid, region: Region) -> None:
        self.grid, self.region = grid, region
        self._board = Board(grid.sizes)

    def climb(
        self, current: IntegerEnsemble, pair: tuple[int, int], starts: NDArray[np.int32], clock: Clock
    ) -> NDArray[np.int32]:
        """Raise the left side of (11) from the most promising starts of a pair, as far as single codes can.

        Parameters
        ----------
        current : IntegerEnsemble
        pair : (label, other label)
        starts : ndarray of int32, shape (n, p)
            Those outside the region, or of another initial label, are left out.
        clock : Clock

        Returns
        -------
        ndarray of int32, shape (k, p)
            Distinct separating points, at most `N_STARTS`.
        """
        label, other = pair
        scores = current.scores(starts)
        order = np.argsort(scores[:, label] - scores[:, other], kind="stable")
        usable = self.region.contains(starts) & (self.region.labels(starts) == label)
        points = starts[order[usable[order]][:N_STARTS]].astype(np.int64)
        rows = self._board.values(conditions(self.region, current, pair))
        separates = np.zeros(len(points), dtype=bool)
        packed, i = self._board.packed, 0
        step = len(packed.low) + len(points[0]) * int(packed.offset[-1]) if len(points) else 1
        while i < len(points) and not clock.stopped():
            i = climb_some(packed, rows, points, separates, i, max(PER_LOOK // step, 2))
        return np.unique(points[separates], axis=0).astype(np.int32)


def climb(
    grid: SplitGrid,
    region: Region,
    current: IntegerEnsemble,
    starts: NDArray[np.int32],
    *,
    time_limit: float | None = None,
) -> NDArray[np.int32]:
    """Climb for every ordered pair of labels; the answer proves nothing where it is empty.

    Parameters and result as in `Climber.climb`; ``time_limit`` is in seconds for all pairs.
    """
    climber, clock = Climber(grid, region), Clock(time_limit)
    points = [starts[:0].astype(np.int32)]
    for pair in permutations(range(current.n_classes), 2):
        if clock.stopped():
            break
        points.append(climber.climb(current, pair, starts, clock))
    return np.unique(np.concatenate(points), axis=0)
