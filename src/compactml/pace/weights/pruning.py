"""(P0): the smallest support whose weights keep every label of S.

A support is feasible if weights on it, with sum 1, reach a margin of ``epsilon`` on all rows: the value of a small
matrix game. Upper bounds come from swaps of learners, lower bounds from a search by implicit hitting sets as long as
supports are small, and from the mixed-integer program of `compactml.pace.weights.big_m` where they are not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from compactml.clock import Clock
from compactml.errors import InvalidDataError, check_choice
from compactml.pace.weights.big_m import LEAST_EPSILON, least_support, weight_bounds
from compactml.pace.weights.errors import NoPositiveMarginError
from compactml.pace.weights.games import best_weights
from compactml.pace.weights.hitting import FOUND, REFUTED, search
from compactml.pace.weights.master import margin_matrix
from compactml.pace.weights.swapping import greedy, thinned
from compactml.pace.weights.undominated import undominated
from compactml.solvers import SOLVERS

__all__ = ["EPSILON", "Pruned", "Pruner"]

EPSILON = 1e-5
"""Least margin, as a share of the total weight, that weights must reach to count as positive."""
SMALLEST = 1e-8
"""Values of a game below it are rounding errors."""
NODES = 20_000
"""Nodes of one search; some tenths of a second."""
RESTARTS = 2
"""Restarts of the swaps, for each size."""
GROWTH = 4
EFFORTS = (1, GROWTH, GROWTH**2)
"""Multiples of nodes and restarts in the rounds of a proof, and work units of the mixed-integer program."""


@dataclass(frozen=True, eq=False)
class Pruned:
    """A support and what is proved about its size.

    Attributes
    ----------
    support : ndarray of int
        Ascending.
    weights : ndarray of float, shape (k,)
        With sum 1 and the largest least margin that the support allows; 0 outside of it.
    least_margin : float
    bound : int
        Proved: no support that costs less reaches ``epsilon`` on these rows.
    epsilon : float
    cost : int
        Its learners, unless these have costs of their own.
    """

    support: NDArray[np.intp]
    weights: NDArray[np.float64]
    least_margin: float
    bound: int
    epsilon: float
    cost: int

    @property
    def size(self) -> int:
        return len(self.support)

    @property
    def proved(self) -> bool:
        """Whether no support costs less."""
        return self.cost == self.bound


class Pruner:
    """(P0) on a matrix of margins that gets more rows from call to call, never more columns.

    With more rows the optimum can only grow: bounds, cuts and, while it stays feasible, the support are kept.

    Parameters
    ----------
    solver : {"auto", "gurobi", "cplex", "highs", "scip"}, default "auto"
        Of the mixed-integer program.
    random_state : int, default 0

    Raises
    ------
    InvalidParameterError
        An unknown solver.
    """

    def __init__(self, *, solver: str = "auto", random_state: int = 0) -> None:
        check_choice("solver", solver, ("auto", *SOLVERS))
        self.solver, self.random_state = solver, random_state
        self.epsilon, self.bound = EPSILON, 1
        self._costs: NDArray[np.int64] | None = None
        self._support: NDArray[np.int64] | None = None
        self._rows = np.empty((0, 0))
        self._largest: NDArray[np.float64] | None = None  # weights, on these rows
        # of all learners on these rows: the value, the weights and where these are positive
        self._of_all = 0.0, np.empty(0), np.empty(0, dtype=np.int64)
        self._n_seen, self._too_hard = 0, 0
        self._cuts, self._n_cuts = np.empty((0, 0), dtype=np.uint64), 0

    def prune(self, margins: ArrayLike, clock: Clock | None = None) -> Pruned:
        """Find a small support; it is a smallest one where a quick search finds it.

        Parameters
        ----------
        margins : array-like of float, shape (m, k)
            Entries in [-1, 1]; the rows of the last call, and new ones behind them.
        clock : Clock, optional
            Stops the swaps; the support is feasible all the same.

        Raises
        ------
        InvalidDataError
            Margins of another shape, without any row, or not finite.
        NoPositiveMarginError
            No weights at all have a positive margin on every row.
        MasterNotSolvedError
            There was no time to find that out.
        SolverStatusError, VerificationError
            Neither the simplex method nor an LP solver in its place came to an end.
        """
        matrix = margin_matrix(margins, columns=self._rows.shape[1] if self._n_seen else None)
        if len(matrix) == 0:
            raise InvalidDataError("margins", "of at least one row", "none")
        clock = clock or Clock(None)
        self._take(matrix, clock)
        if not self._feasible():
            self._start(clock)
        return self._pruned()

    def prove(self, clock: Clock) -> Pruned:
        """Look for a smaller support, or the proof that there is none, on the rows of the last call.

        The effort grows from round to round up to a fixed one, or until the time is over.
        """
        assert self._support is not None
        spent = 0.0
        for effort in EFFORTS:
            started = clock.seconds
            if clock.stopped() or GROWTH * spent > clock.left:
                break  # the next round would not end in time
            if self._search(effort * NODES, clock) or self.bound == len(self._support):
                break
            self._swap(self._support, effort * RESTARTS, clock)
            self._solve(effort, clock)
            spent = clock.seconds - started
        return self._pruned()

    def _take(self, margins: NDArray[np.float64], clock: Clock) -> None:
        """Keep the rows that matter; give the bound up where it does not stay valid."""
        k = margins.shape[1]
        if self._n_seen == 0:
            self._rows, self._cuts = np.empty((0, k)), np.zeros((64, -(-k // 64)), dtype=np.uint64)
        rows = np.concatenate([self._rows, margins[self._n_seen :]])
        self._rows, self._n_seen = np.ascontiguousarray(rows[undominated(rows, clock)]), len(margins)
        self._largest = None
        value, weights, _ = best_weights(self._rows, np.arange(k), clock)
        self._of_all = value, weights, np.flatnonzero(weights > 0)
        if value <= SMALLEST:
            raise NoPositiveMarginError(value)
        if value / 2 < self.epsilon:  # cuts and bound are for the old epsilon
            self.epsilon = value / 2
            self._n_cuts, self.bound, self._too_hard = 0, 1, 0

    def _start(self, clock: Clock) -> None:
        """A new support: by search where that is quick, else by adding to the old one, and swaps."""
        if not clock.stopped() and self._too_hard != self.bound and self._search(NODES, clock):
            return
        nothing = np.empty(0, dtype=np.int64)
        old = nothing if self._support is None else self._support
        support = greedy(self._rows, self.epsilon, old, self._allowed(), clock)
        everything = self._of_all[2]
        if clock.stopped() and len(support) >= len(everything):  # a game of so many would take another second
            self._support = everything
        else:
            self._swap(support, RESTARTS, clock)

    def _swap(self, support: NDArray[np.int64], restarts: int, clock: Clock) -> None:
        allowed = self._allowed()
        found = thinned(self._rows, self.epsilon, support, allowed, restarts, self.random_state, clock)
        self._support = np.sort(found)

    def _solve(self, effort: int, clock: Clock) -> None:
        """Ask the mixed-integer program, unless margins come close to its tolerances."""
        assert self._support is not None
        if self.epsilon < LEAST_EPSILON:
            return
        if self._largest is None:
            self._largest = weight_bounds(self._rows, self.epsilon, clock)
        answer = least_support(
            self._rows,
            self.epsilon,
            self._support,
            self.bound,
            self._largest,
            solver=self.solver,
            work_limit=effort,
            clock=clock,
            random_state=self.random_state,
            costs=self._costs,
        )
        self.bound = answer.bound
        if answer.support is not None:
            self._support = answer.support

    def _search(self, nodes: int, clock: Clock) -> bool:
        """Raise the bound by searches of limited size; whether a smallest support was found or proved."""
        allowed = np.zeros(self._rows.shape[1], dtype=bool)
        allowed[self._allowed()] = True
        while self._support is None or self.bound < len(self._support) or not self._feasible():
            status, support, self._cuts, self._n_cuts, _ = search(
                self._rows, self.epsilon, self.bound, self._cuts, self._n_cuts, allowed, nodes, clock
            )
            if status == FOUND:
                self._support = np.sort(support)
                return True
            if status != REFUTED:
                self._too_hard = self.bound
                return False
            self.bound += 1
        return True

    def _feasible(self) -> bool:
        return self._support is not None and best_weights(self._rows, self._support)[0] >= self.epsilon

    def _allowed(self) -> NDArray[np.int64]:
        """Learners that are not everywhere at most as good as another one; of equal ones the first."""
        return undominated(-self._rows.T)

    def _pruned(self) -> Pruned:
        assert self._support is not None
        value, weights, everything = self._of_all
        if self._support is not everything:
            value, on_support, _ = best_weights(self._rows, self._support)
            weights = np.zeros(self._rows.shape[1])
            weights[self._support] = on_support
        kept = np.flatnonzero(weights > 0)
        return Pruned(kept, weights, value, self.bound, self.epsilon, self._cost(kept))

    def _cost(self, support: NDArray[np.int64]) -> int:
        return len(support)
