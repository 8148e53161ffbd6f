"""(P0) with a cost for each learner: the support of least total cost whose weights keep every label of S.

The paper's perspectives: the leaves of a learner, say, tell more than that it is one. Supports come from the swaps of
`compactml.pace.weights.pruning`, which count learners, and then from the mixed-integer program with the costs, which
also gives the bound.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from compactml.clock import Clock
from compactml.errors import InvalidDataError
from compactml.pace.weights.pruning import EFFORTS, GROWTH, Pruned, Pruner
from compactml.pace.weights.undominated import undominated

__all__ = ["CheapestPruner"]


class CheapestPruner(Pruner):
    """As `Pruner`, where learners cost what they take.

    Parameters
    ----------
    costs : array-like of int, shape (k,)
        At least 1 each.
    solver : {"auto", "gurobi", "cplex", "highs", "scip"}, default "auto"
    random_state : int, default 0

    Raises
    ------
    InvalidDataError
        A cost below 1, or none.
    """

    def __init__(self, costs: ArrayLike, *, solver: str = "auto", random_state: int = 0) -> None:
        super().__init__(solver=solver, random_state=random_state)
        self._costs = self._each = np.asarray(costs, dtype=np.int64)
        if self._each.ndim != 1 or self._each.min(initial=1) < 1 or len(self._each) == 0:
            raise InvalidDataError("costs", "integers of at least 1", f"{costs!r}")
        self.bound = int(self._each.min())

    def prove(self, clock: Clock) -> Pruned:
        """Look for a cheaper support, or the proof that there is none, on the rows of the last call."""
        assert self._support is not None
        spent = 0.0
        for effort in EFFORTS:
            started = clock.seconds
            if clock.stopped() or GROWTH * spent > clock.left or self.bound == self._cost(self._support):
                break
            self._solve(effort, clock)
            spent = clock.seconds - started
        return self._pruned()

    def _start(self, clock: Clock) -> None:
        """A support by greedy choice and swaps, and then a cheaper one if the program finds one at once."""
        super()._start(clock)
        self._solve(1, clock)

    def _search(self, nodes: int, clock: Clock) -> bool:
        """Say that the search by size, which knows no costs, does not help."""
        return False

    def _allowed(self) -> NDArray[np.int64]:
        """Learners for which there is no other one that is nowhere worse and costs no more."""
        return undominated(np.column_stack([-self._rows.T, self._each]))

    def _cost(self, support: NDArray[np.int64]) -> int:
        return int(self._each[support].sum())
