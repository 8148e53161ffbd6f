"""The separation problem by an own branch and bound over boxes of codes.

The same answers as the constraint program, found with a Lagrangian bound that prices all trees at once; see
`compactml.pace.separation._kernels.bounding` for the reasons why a refuted box holds no separating point.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from compactml.clock import Clock
from compactml.forests import SplitGrid
from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.model.region import Region
from compactml.pace.separation._kernels.branching import (
    CHANCE,
    FOUND,
    N_COUNTERS,
    N_OPEN,
    NODES,
    Alive,
    Stack,
    search,
)
from compactml.pace.separation._kernels.memory import Groups, Scratch
from compactml.pace.separation.pieces import Board, Packed, Values
from compactml.pace.separation.rows import conditions

__all__ = ["BranchSeparation", "Hunt"]

NODES_PER_CALL = 100
"""Nodes between two looks at the clock."""
DIVE_EVERY, DIVE_NODES, TURNED = 2000, 200, 0.2
"""Nodes between two dives, nodes of a dive, and the share of its cuts that take the less promising half first.

Where a point exists the search finds one within some hundred nodes or, if an early half was wrong, not within millions.
A dive starts at the root again and leaves the order of the halves to chance now and then.
"""
SEED = 1
"""Of all dives: the same problem has the same answer."""
KEPT = 2**24
"""Boxes of pieces kept along a path; deeper nodes filter those of the last depth kept."""


@dataclass
class BranchSeparation:
    """Exact search, one thread, deterministic but for the clock.

    Attributes
    ----------
    grid : SplitGrid
    region : Region
    """

    grid: SplitGrid
    region: Region

    def __post_init__(self) -> None:
        self._board = Board(self.grid.sizes)

    def solve(
        self, current: IntegerEnsemble, pair: tuple[int, int], clock: Clock
    ) -> tuple[NDArray[np.int32] | None, bool]:
        """Look for a point of the region with label ``pair[0]`` where ``pair[1]`` scores at least as much.

        Returns
        -------
        point : ndarray of int32, shape (p,), or None
        proved : bool
            Whether the answer is final; without a point and a proof nothing is known.
        """
        hunt = self.begin(current, pair)
        ended = hunt.advance(math.inf, clock)
        return hunt.point, ended

    def begin(self, current: IntegerEnsemble, pair: tuple[int, int]) -> Hunt:
        """The same search, to be advanced by and by."""
        rows = self._board.values(conditions(self.region, current, pair))
        packed = self._board.packed  # of these rows
        values, groups = _grouped(packed, rows)
        return Hunt(packed, values, groups, self.grid.sizes)


class Hunt:
    """The search for a point that separates one pair, and its dives.

    Attributes
    ----------
    n_nodes : int
        Looked at so far.
    """

    def __init__(self, packed: Packed, rows: Values, groups: Groups, sizes: NDArray[np.int64]) -> None:
        self._problem = packed, rows, groups, sizes
        self._all = self._answer = _Descent(*self._problem)
        self._dive: _Descent | None = None

    def advance(self, n_nodes: float, clock: Clock) -> bool:
        """Look at so many nodes more, those of dives apart, as far as there is time; whether that ends the search."""
        end = self._all.n_nodes + n_nodes
        while self._all.n_nodes < end and not self.ended and not clock.stopped():
            to_dive = DIVE_EVERY - self._all.n_nodes % DIVE_EVERY
            self._all.advance(int(min(NODES_PER_CALL, to_dive, end - self._all.n_nodes)), 0.0)
            if not self.ended and self._all.n_nodes % DIVE_EVERY == 0:
                self._take_a_dive()
        return self.ended

    def _take_a_dive(self) -> None:
        if self._dive is None:
            self._dive = _Descent(*self._problem)
        self._dive.restart()
        self._dive.advance(DIVE_NODES, TURNED)
        if self._dive.ended:
            self._answer = self._dive

    @property
    def n_nodes(self) -> int:
        return self._all.n_nodes + (self._dive.n_nodes if self._dive else 0)

    @property
    def ended(self) -> bool:
        """Whether a point is found, or it is proved that there is none."""
        return self._answer.ended

    @property
    def point(self) -> NDArray[np.int32] | None:
        return self._answer.point


class _Descent:
    """A search that goes on where it was, or starts again."""

    def __init__(self, packed: Packed, rows: Values, groups: Groups, sizes: NDArray[np.int64]) -> None:
        self._problem, self._memory = (packed, rows, groups), _memory(packed, rows, sizes)
        self._root = tuple(part[0].copy() for part in self._memory[0])
        self._counters, self._point = (
            np.zeros(N_COUNTERS, dtype=np.int64),
            np.zeros(len(sizes), dtype=np.int64),
        )
        self._counters[CHANCE] = SEED
        self.restart()

    def restart(self) -> None:
        """Open the root alone."""
        for part, first in zip(self._memory[0], self._root, strict=True):
            part[0] = first
        self._counters[N_OPEN] = 1

    def advance(self, n_nodes: int, turned: float) -> None:
        """Look at so many nodes; see `compactml.pace.separation._kernels.branching.push` for ``turned``."""
        search(*self._problem, *self._memory, self._counters, self._point, n_nodes, turned)

    @property
    def n_nodes(self) -> int:
        return int(self._counters[NODES])

    @property
    def ended(self) -> bool:
        """Whether a point is found, or no node is open and there is none."""
        return bool(self._counters[FOUND] or self._counters[N_OPEN] == 0)

    @property
    def point(self) -> NDArray[np.int32] | None:
        return self._point.astype(np.int32) if self._counters[FOUND] else None


def _grouped(packed: Packed, rows: Values) -> tuple[Values, Groups]:
    """Put rows that share a piece, directly or through others, next to each other."""
    n_boxes = len(rows.values)
    of_box = np.repeat(np.arange(len(packed.first) - 1), np.diff(packed.first))
    used = sparse.csr_array((rows.values != 0).astype(np.int64))
    pieces = sparse.csr_array((np.ones(n_boxes, dtype=np.int64), (of_box, np.arange(n_boxes))))
    together = pieces @ used  # piece by row
    n_groups, of_row = sparse.csgraph.connected_components(together.T @ together, directed=False)
    order = np.argsort(of_row, kind="stable")
    of_piece = np.full(len(packed.first) - 1, -1, dtype=np.int64)  # a constant piece belongs to no row
    of_piece[together.nonzero()[0]] = of_row[together.nonzero()[1]]
    first_row = np.searchsorted(of_row[order], np.arange(n_groups + 1)).astype(np.int64)
    return Values(np.ascontiguousarray(rows.values[:, order]), rows.least[order], rows.unit), Groups(
        of_piece, first_row
    )


def _memory(packed: Packed, rows: Values, sizes: NDArray[np.int64]) -> tuple[Stack, Alive, Scratch]:
    """The root on the stack, all boxes alive above it."""
    p, n_rows, n_boxes, n_pieces = len(sizes), len(rows.least), int(packed.first[-1]), len(packed.first) - 1
    deepest = int((sizes - 1).sum()) + 2  # every cut removes a code
    stack = Stack(
        np.zeros((deepest + 1, p), dtype=np.int64),
        np.zeros((deepest + 1, p), dtype=np.int64),
        np.full((deepest + 1, n_rows), rows.unit),
        np.ones(deepest + 1, dtype=np.int64),
    )
    stack.high[0] = sizes - 1
    depths = max(3, min(deepest + 1, KEPT // max(n_boxes, 1)))
    alive = Alive(np.empty((depths, n_boxes), dtype=np.int32), np.empty((depths, n_pieces), dtype=np.int32))
    alive.boxes[0], alive.counts[0] = np.arange(n_boxes), np.diff(packed.first)

    return stack, alive, _scratch(p, n_rows, n_boxes, n_pieces, int(sizes.sum()), int(sizes.max()))


def _scratch(p: int, n_rows: int, n_boxes: int, n_pieces: int, n_places: int, widest: int) -> Scratch:
    def whole(n: int) -> NDArray[np.int64]:
        return np.zeros(n, dtype=np.int64)

    return Scratch(
        low=whole(p),
        high=whole(p),
        combined=whole(n_boxes),
        slack=whole(n_rows),
        top=whole(n_pieces),
        whole=whole(n_rows),
        best=whole(n_rows),
        direction=np.zeros(n_rows),
        lost_below=whole(n_places),
        lost_above=whole(n_places),
        share_below=np.zeros(n_places),
        share_above=np.zeros(n_places),
        from_low=whole(widest),
        from_high=whole(widest),
    )
