"""(P1): least total weight such that every sample of S keeps its label with a margin of 1.

    min  sum_h w_h
    s.t. sum_h w_h (h_y(x) - h_c(x)) >= 1      for every row (x, c)      (multiplier u_{x,c})
         w >= 0

The paper's perspectives let a learner cost what it takes, its leaves say, instead of 1: sum_h c_h w_h.
Rows enter the solver when they are violated: of some ten thousand training samples a few hundred matter.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from compactml.errors import InvalidDataError
from compactml.solvers import MixedIntegerProgram, RestrictedMaster

__all__ = ["AT_ONCE", "LinearMaster", "LinearSolution", "entering", "margin_matrix", "reduced_cost"]

TOLERANCE = 1e-6
AT_ONCE = 100  # rows that enter together


@dataclass(frozen=True, eq=False)
class LinearSolution:
    """An optimum of (P1).

    Attributes
    ----------
    value : float
        v_1, at least 1 where margins are at most 1 and learners cost 1.
    weights : ndarray of float, shape (k,)
    duals : ndarray of float, shape (m,)
        u >= 0; their sum is ``value``.
    """

    value: float
    weights: NDArray[np.float64]
    duals: NDArray[np.float64]


class LinearMaster:
    """(P1) on a matrix of margins that may grow in both directions between two solves.

    Parameters
    ----------
    margins : array-like of float, shape (m, k)
        Entries (18), of at most about 1. Needs a w >= 0 with positive margins on all rows.
    solver : {"highs", "gurobi", "cplex", "scip", "auto"}, default "highs"
        See `compactml.solvers.RestrictedMaster`.
    costs : array-like of float, shape (k,), optional
        Of the learners, positive; by default 1 each.

    Raises
    ------
    InvalidDataError
        Margins, also those that are added, of another shape or not finite.

    Examples
    --------
    >>> with LinearMaster([[1, 1, -1], [1, -1, 1], [-1, 1, 1]]) as master:
    ...     first = master.solve()
    ...     master.add_columns([[1], [1], [1]])
    ...     second = master.solve()
    >>> first.value, reduced_cost(first.duals, [1, 1, 1]), second.value
    (3.0, -2.0, 1.0)
    """

    def __init__(self, margins: ArrayLike, solver: str = "highs", costs: ArrayLike | None = None) -> None:
        self._margins = margin_matrix(margins)
        self._active = np.empty(0, dtype=np.intp)
        objective = np.ones(self._margins.shape[1]) if costs is None else costs
        self._lp = RestrictedMaster(MixedIntegerProgram(objective), solver)

    def __enter__(self) -> LinearMaster:
        return self

    def __exit__(self, *_: object) -> None:
        self._lp.close()

    def add_rows(self, margins: ArrayLike) -> None:
        """Append rows of new samples, shape (m', k)."""
        new = margin_matrix(margins, columns=self._margins.shape[1])
        self._margins = np.concatenate([self._margins, new])

    def add_columns(self, margins: ArrayLike, cost: float = 1.0) -> None:
        """Append columns of new learners that cost as much each, shape (m, k')."""
        new = margin_matrix(margins, rows=len(self._margins))
        self._margins = np.column_stack([self._margins, new])
        self._lp.add_columns(np.full(new.shape[1], cost), new[self._active])

    def solve(self) -> LinearSolution:
        """Solve from the last basis.

        Raises
        ------
        MasterNotSolvedError
            No weights give a positive margin on all rows.
        """
        while True:
            solution = self._lp.solve()
            worst = entering(1.0 - self._margins @ solution.x, self._active, TOLERANCE)
            if len(worst) == 0:
                break
            self._lp.add_rows(self._margins[worst], row_lower=1.0)
            self._active = np.append(self._active, worst)
        duals = np.zeros(len(self._margins))
        duals[self._active] = np.maximum(solution.duals, 0.0)
        return LinearSolution(solution.objective, np.maximum(solution.x, 0.0), duals)


def entering(violation: NDArray[np.float64], active: NDArray[np.intp], tolerance: float) -> NDArray[np.intp]:
    """Rows that enter an LP next: the most violated ones of those that are not active, up to `AT_ONCE`."""
    violation[active] = 0.0
    worst = np.argsort(-violation, kind="stable")[:AT_ONCE]
    return worst[violation[worst] > tolerance]


def margin_matrix(
    margins: ArrayLike, rows: int | None = None, columns: int | None = None
) -> NDArray[np.float64]:
    """Return margins as an array of so many rows, or any number, and so many columns, or at least one.

    Raises
    ------
    InvalidDataError
        Another shape, or not finite.
    """
    matrix = np.asarray(margins, dtype=np.float64)
    m, k = matrix.shape if matrix.ndim == 2 else (-1, -1)
    if k < 1 or rows not in (None, m) or columns not in (None, k):
        allowed = f"of shape ({'m' if rows is None else rows}, {columns or 'k >= 1'})"
        raise InvalidDataError("margins", allowed, f"shape {matrix.shape}")
    if not np.isfinite(matrix).all():
        raise InvalidDataError("margins", "finite", "NaN or infinity")
    return matrix


def reduced_cost(duals: ArrayLike, margins: ArrayLike, cost: float = 1.0) -> float:
    """Reduced cost (6) of a learner with these margins, each of shape (m,).

    Below 0 it promises no more than that the LP value does not rise (see oracle O3 of the tests).
    """
    return cost - float(np.asarray(duals) @ np.asarray(margins))
