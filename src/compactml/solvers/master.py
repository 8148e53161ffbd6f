"""A restricted master LP that grows by columns and rows and stays warm in the solver."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from compactml.clock import Clock
from compactml.exceptions import InvalidDataError
from compactml.solvers.answers import noted_master
from compactml.solvers.choice import candidates
from compactml.solvers.errors import (
    MasterNotSolvedError,
    ModelTooLargeError,
    SolverNotAvailableError,
    VerificationError,
)
from compactml.solvers.problem import MixedIntegerProgram
from compactml.solvers.result import Outcome, RawResult, SolverChoice
from compactml.solvers.solve import refusal
from compactml.solvers.verify import Verified, verified

__all__ = ["MasterSolution", "RestrictedMaster"]


class WarmLP(Protocol):
    """What a solver's module offers for an LP that grows; the basis is the solver's own affair."""

    def add_columns(
        self, objective: NDArray[np.float64], matrix: sparse.csc_array, bounds: tuple[Any, Any]
    ) -> None: ...

    def add_rows(
        self, matrix: sparse.csr_array, lower: NDArray[np.float64], upper: NDArray[np.float64]
    ) -> None: ...

    def solve(self, problem: MixedIntegerProgram, time_limit: float | None) -> RawResult: ...

    def close(self) -> None: ...


WARM = {
    "highs": ("compactml.solvers.highs", "WarmHighs"),
    "gurobi": ("compactml.solvers.gurobi", "WarmGurobi"),
    "cplex": ("compactml.solvers.cplex_backend", "WarmCplex"),
}


@dataclass(frozen=True, eq=False)
class MasterSolution:
    """A verified optimum of the master LP; signs as in `SolveResult`.

    Attributes
    ----------
    objective : float
    x : ndarray of float, shape (n,)
    duals : ndarray of float, shape (m,)
        Derivative of the optimal objective with respect to each row's right-hand side.
    reduced_costs : ndarray of float, shape (n,)
        c - A'y.
    """

    objective: float
    x: NDArray[np.float64]
    duals: NDArray[np.float64]
    reduced_costs: NDArray[np.float64]


class RestrictedMaster:
    """An LP to which columns and rows are added, solved each time from its last basis, with one thread.

    Use it in a ``with`` block, which frees the solver. A size-limited licence that the LP outgrows hands it over to
    HiGHS as a whole, and ``choice`` says so.

    Parameters
    ----------
    problem : MixedIntegerProgram
        Without integer columns.
    solver : {"highs", "gurobi", "cplex", "auto"}
        Other than in `solve`, HiGHS unless asked otherwise: it takes every size, and new columns as arrays.

    Attributes
    ----------
    problem : MixedIntegerProgram
        The LP as it stands now.
    choice : SolverChoice

    Raises
    ------
    ModelTooLargeError, SolverNotAvailableError
        As `solve` does for a forced solver.

    Examples
    --------
    >>> lp = MixedIntegerProgram([5.0, 4.0], [[1, 0], [0, 1]], row_lower=[2, 3])
    >>> with RestrictedMaster(lp) as master:
    ...     first = master.solve()
    ...     master.add_columns([6.0], [[1], [1]])
    ...     second = master.solve()
    >>> first.objective, first.duals.tolist(), second.objective
    (22.0, [5.0, 4.0], 16.0)
    """

    def __init__(self, problem: MixedIntegerProgram, solver: str = "highs") -> None:
        if not problem.is_lp:
            raise InvalidDataError("problem", "an LP", f"{int(problem.integrality.sum())} integer columns")
        self.problem = problem
        self.choice: SolverChoice = next(candidates(problem, solver))
        self._lp: WarmLP = _open(self.choice.solver, problem)

    def __enter__(self) -> RestrictedMaster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the solver; the master cannot be used any more."""
        self._lp.close()

    def add_columns(
        self, objective: ArrayLike, matrix: Any, lower: ArrayLike = 0.0, upper: ArrayLike = np.inf
    ) -> None:
        """Append k columns with their coefficients in the rows, ``matrix`` of shape (m, k)."""
        n = self.problem.n_columns
        self.problem = self.problem.with_columns(objective, matrix, lower, upper)
        grown = self.problem
        added = sparse.csc_array(matrix, dtype=np.float64)
        added.sum_duplicates()
        self._lp.add_columns(grown.objective[n:], added, (grown.lower[n:], grown.upper[n:]))

    def add_rows(self, matrix: Any, row_lower: ArrayLike = -np.inf, row_upper: ArrayLike = np.inf) -> None:
        """Append k rows with their coefficients in the columns, ``matrix`` of shape (k, n)."""
        m = self.problem.n_rows
        self.problem = self.problem.with_rows(matrix, row_lower, row_upper)
        grown = self.problem
        self._lp.add_rows(grown.matrix[m:], grown.row_lower[m:], grown.row_upper[m:])

    @noted_master
    def solve(self, time_limit: float | None = None) -> MasterSolution:
        """Solve the LP as it stands now.

        Parameters
        ----------
        time_limit : float, optional
            Seconds for this call.

        Raises
        ------
        MasterNotSolvedError
            Infeasible, unbounded, or stopped at the limit; the master can be added to and solved again.
        SolverStatusError, VerificationError
            As `solve`.
        """
        clock = Clock(time_limit)
        try:
            answer = self._verified(clock)
        except VerificationError:  # the basis of many solves may have lost its accuracy: once more without it
            self._start_anew()
            answer = self._verified(clock)
        assert answer.duals is not None
        assert answer.reduced_costs is not None
        return MasterSolution(answer.objective, answer.x, answer.duals, answer.reduced_costs)

    def _verified(self, clock: Clock) -> Verified:
        try:
            raw = self._lp.solve(self.problem, clock.allowance())
        except (ModelTooLargeError, SolverNotAvailableError) as error:
            self._move_to_highs(refusal(error))
            raw = self._lp.solve(self.problem, clock.allowance())
        if raw.outcome is not Outcome.OPTIMAL:
            outcome = "infeasible or unbounded" if raw.outcome is Outcome.UNBOUNDED else str(raw.outcome)
            raise MasterNotSolvedError(self.choice.solver, outcome)
        return verified(self.problem, self.choice.solver, raw)

    def _move_to_highs(self, reason: str) -> None:
        self.choice = replace(
            next(candidates(self.problem, "highs")), reason=f"moved while growing; {reason}"
        )
        self._start_anew()

    def _start_anew(self) -> None:
        """Open the LP again with all that has been added."""
        self._lp.close()
        self._lp = _open(self.choice.solver, self.problem)


def _open(solver: str, problem: MixedIntegerProgram) -> WarmLP:
    """Import a solver's module now and not before."""
    module, name = WARM[solver]
    try:
        opened: WarmLP = getattr(importlib.import_module(module), name)(problem)
    except (ImportError, OSError) as error:
        raise SolverNotAvailableError(solver, str(error)) from error
    return opened
