"""The separation problem as a mixed-integer program, the form of Fipe with the objective (27).

The only integer columns are the order binaries "code of feature j at most k"; given them, a unit of flow from the root
of each tree can reach one leaf only.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from compactml.clock import Clock
from compactml.forests import SplitGrid
from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.model.learners import Learner
from compactml.pace.model.region import Region
from compactml.pace.separation.rows import Row, conditions
from compactml.solvers import MixedIntegerProgram, Outcome, SolveOptions, solve

__all__ = ["MilpSeparation"]

TOLERANCE = 1e-6
"""Of rows and bounds whose largest coefficient is 1; solvers keep them within 1e-7."""


@dataclass(frozen=True, eq=False)
class Flow:
    """Rows of one tree: ``order @ (order binaries) + leaves @ (its leaves) <= upper``, the first one an equation."""

    order: sparse.csr_array
    leaves: sparse.csr_array
    upper: NDArray[np.float64]


@dataclass
class MilpSeparation:
    """One mixed-integer program per pair of labels; the rows of a tree are built once.

    Attributes
    ----------
    grid : SplitGrid
    region : Region
    solver : {"auto", "gurobi", "cplex", "highs", "scip"}
    random_state : int
    """

    grid: SplitGrid
    region: Region
    solver: str = "auto"
    random_state: int = 0
    _flows: dict[Learner, Flow] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self._starts = np.cumsum([0, *(self.grid.sizes - 1).tolist()], dtype=np.int64)

    def solve(
        self, current: IntegerEnsemble, pair: tuple[int, int], clock: Clock
    ) -> tuple[NDArray[np.int32] | None, bool]:
        """Maximise the left side of (11) over the points of the region with label ``pair[0]``.

        Returns
        -------
        point : ndarray of int32, shape (p,), or None
        proved : bool
            False also where the optimum is so near to a tie that floating point cannot tell.

        Raises
        ------
        ModelTooLargeError, SolverNotAvailableError, SolverStatusError, VerificationError
            See `compactml.solvers.solve`.
        """
        if clock.stopped():
            return None, False
        rows = [row.reduced() for row in conditions(self.region, current, pair)]
        problem = self._program(rows)
        limit = clock.left if math.isfinite(clock.left) else None
        result = solve(problem, self.solver, SolveOptions(time_limit=limit, seed=self.random_state))
        if result.outcome is Outcome.INFEASIBLE:
            return None, True
        if result.x is not None:
            point = self._codes(result.x)
            if all(row.total(point[None])[0] >= row.least for row in rows):
                return point, True
        refuted = result.bound is not None and result.bound < rows[-1].least / _size(rows[-1]) - TOLERANCE
        return None, refuted

    def _program(self, rows: list[Row]) -> MixedIntegerProgram:
        """Flows of all trees, the region's rows, and (27) as the objective."""
        learners = tuple(dict.fromkeys(learner for row in rows for learner in row.learners))
        flows = [self._flow(learner) for learner in learners]
        n_order, n_leaves = int(self._starts[-1]), sum(learner.n_leaves for learner in learners)
        chains = self._chains()
        structure = sparse.vstack(
            [
                sparse.hstack([chains, sparse.csr_array((chains.shape[0], n_leaves))]),
                sparse.hstack(
                    [
                        sparse.vstack([flow.order for flow in flows]),
                        sparse.block_diag([flow.leaves for flow in flows]),
                    ]
                ),
            ]
        )
        upper = np.concatenate([np.zeros(chains.shape[0]), *(flow.upper for flow in flows)])
        lower = np.concatenate([np.full(chains.shape[0], -np.inf), *(_lower(flow) for flow in flows)])
        values = np.array([_values(row, learners) / _size(row) for row in rows])
        values = np.hstack([np.zeros((len(rows), n_order)), values])
        least = [row.least / _size(row) - min(TOLERANCE, 0.5 / _size(row)) for row in rows[:-1]]
        return MixedIntegerProgram(
            values[-1],
            sparse.vstack([structure, sparse.csr_array(values[:-1])]),
            np.concatenate([lower, least]),
            np.concatenate([upper, np.full(len(least), np.inf)]),
            0.0,
            1.0,
            np.arange(n_order + n_leaves) < n_order,
            sense="max",
        )

    def _chains(self) -> sparse.csr_array:
        """Each order binary is at most the next one of its feature."""
        last = self._starts[1:] - 1
        first = np.setdiff1d(np.arange(self._starts[-1]), last)
        rows = np.arange(len(first))
        entries = np.concatenate([np.ones(len(first)), -np.ones(len(first))])
        places = (np.concatenate([rows, rows]), np.concatenate([first, first + 1]))
        return sparse.csr_array((entries, places), shape=(len(first), int(self._starts[-1])))

    def _flow(self, learner: Learner) -> Flow:
        """The leaves' flows sum to 1; below each test they are at most its order binary, or 1 minus it."""
        if learner in self._flows:
            return self._flows[learner]
        inner = np.flatnonzero(learner.feature >= 0)
        below = _leaves_below(learner)
        columns = self._starts[learner.feature[inner]] + learner.cut[inner]
        rows = np.arange(len(inner))
        order = np.zeros((1 + 2 * len(inner), int(self._starts[-1])))
        order[1 + rows, columns], order[1 + len(inner) + rows, columns] = -1.0, 1.0
        leaves = np.vstack([below[0], below[learner.left[inner]], below[learner.right[inner]]])
        upper = np.concatenate([[1.0], np.zeros(len(inner)), np.ones(len(inner))])
        self._flows[learner] = Flow(sparse.csr_array(order), sparse.csr_array(leaves), upper)
        return self._flows[learner]

    def _codes(self, x: NDArray[np.float64]) -> NDArray[np.int32]:
        """The code of a feature is the number of its order binaries that are 0."""
        zero = np.concatenate([[0], np.cumsum(x[: self._starts[-1]] < 0.5)])
        return np.diff(zero[self._starts]).astype(np.int32)


def _leaves_below(learner: Learner) -> NDArray[np.float64]:
    """1 for each leaf below each node, shape (n_nodes, n_leaves)."""
    below = np.zeros((len(learner.feature), learner.n_leaves))
    order = [0]
    for node in order:
        if learner.feature[node] >= 0:
            order += [int(learner.left[node]), int(learner.right[node])]
    for node in reversed(order):
        if learner.feature[node] < 0:
            below[node, learner.leaf[node]] = 1.0
        else:
            below[node] = below[learner.left[node]] + below[learner.right[node]]
    return below


def _lower(flow: Flow) -> NDArray[np.float64]:
    return np.concatenate([[1.0], np.full(len(flow.upper) - 1, -np.inf)])


def _values(row: Row, learners: tuple[Learner, ...]) -> NDArray[np.float64]:
    """The value of every leaf of some trees, 0 for trees that the row does not mention."""
    value = dict(zip(row.learners, row.values, strict=True))
    parts = [value.get(learner, np.zeros(learner.n_leaves, dtype=np.int64)) for learner in learners]
    return np.concatenate(parts).astype(np.float64)


def _size(row: Row) -> float:
    return float(max((int(value.max()) for value in row.values), default=1) or 1)
