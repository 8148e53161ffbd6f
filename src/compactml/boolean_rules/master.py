"""The restricted master problem in its dual form: a row per clause, warm from round to round.

    max  sum_u mu_u - C lambda
    s.t. sum_{u in cov k} mu_u - c_k lambda <= N_k      for every clause k      (multiplier w_k)
         0 <= mu_u <= p_u,  lambda >= 0

is the dual of (1)-(3) with equal rows grouped. Its basis is as large as the number of clauses, not of samples, a
new clause is a new row after which the last basis stays dual feasible, and xi is not there at all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from compactml.boolean_rules.columns import Columns
from compactml.solvers import (
    MixedIntegerProgram,
    RestrictedMaster,
    SolveOptions,
    SolverStatusError,
    VerificationError,
    solve,
)

__all__ = ["Master", "MasterSolution"]


@dataclass(frozen=True)
class MasterSolution:
    """An optimum of the restricted master LP.

    Attributes
    ----------
    value : float
        z_RMLP.
    mu : ndarray of float, shape (U,)
    price : float
        lambda.
    weights : ndarray of float, shape (K,)
        w_k.
    """

    value: float
    mu: NDArray[np.float64]
    price: float
    weights: NDArray[np.float64]


class Master:
    """The LP over the clauses in ``columns``, which may grow between two solves.

    Parameters
    ----------
    columns : Columns
    complexity : int
        C of (3).
    """

    def __init__(self, columns: Columns, complexity: int) -> None:
        self.columns = columns
        self._rows = columns.instance.positive_rows
        n = len(self._rows)
        self._lp = RestrictedMaster(
            MixedIntegerProgram(
                objective=np.append(np.ones(n), -float(complexity)),
                matrix=sparse.csr_array((0, n + 1)),
                lower=np.zeros(n + 1),
                upper=np.append(columns.instance.positives[self._rows].astype(float), np.inf),
                sense="max",
            )
        )
        self._n_added = 0

    def solve(self, time_limit: float | None = None) -> MasterSolution:
        """Add the clauses that are new and solve from the last basis.

        Raises
        ------
        MasterNotSolvedError
            ``time_limit`` seconds were not enough; the next call goes on.
        """
        first, self._n_added = self._n_added, len(self.columns)
        if self._n_added > first:
            costs = sparse.csr_array(-self.columns.complexities[first:, None].astype(float))
            rows = sparse.hstack([self.columns.coverage(first), costs], format="csr")
            self._lp.add_rows(rows, row_upper=self.columns.negatives[first:].astype(float))
        solution = self._lp.solve(time_limit)
        mu, price = self._unpacked(solution.x)
        return MasterSolution(solution.objective, mu, price, np.maximum(solution.duals, 0.0))

    def dearest(
        self, value: float, time_limit: float | None = None
    ) -> tuple[NDArray[np.float64], float] | None:
        """Return the duals (mu, lambda) with the largest lambda of those whose objective is at least ``value``.

        None where there are none, the time does not suffice, or the solver fails. Of the clauses that the last `solve`
        knew.
        """
        problem = self._lp.problem
        dearest = MixedIntegerProgram(
            objective=np.append(np.zeros(len(self._rows)), 1.0),
            matrix=sparse.vstack([problem.matrix, problem.objective[None, :]], format="csr"),
            lower=problem.lower,
            upper=problem.upper,
            row_lower=np.append(problem.row_lower, value),
            row_upper=np.append(problem.row_upper, np.inf),
            sense="max",
        )
        try:
            answer = solve(dearest, "highs", SolveOptions(time_limit=time_limit, interior=True))
        except (SolverStatusError, VerificationError):
            return None
        return None if answer.x is None else self._unpacked(answer.x)

    def _unpacked(self, x: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
        mu = np.zeros(len(self.columns.instance.codes))
        mu[self._rows] = x[:-1]
        return mu, float(x[-1])
