"""A restricted master LP that grows by columns and rows and stays warm in the solver."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from compactml.clock import Clock
from compactml.errors import CompactmlError, InvalidDataError, check_instance
from compactml.solvers._answers import noted_master
from compactml.solvers._solve import checked_answer, refusal
from compactml.solvers.adapter import WarmLP
from compactml.solvers.choice import candidates
from compactml.solvers.errors import (
    MasterNotSolvedError,
    ModelTooLargeError,
    SolverNotAvailableError,
    SolverStatusError,
    VerificationError,
)
from compactml.solvers.problem import MixedIntegerProgram
from compactml.solvers.registry import SOLVERS, adapter
from compactml.solvers.result import Outcome, SolverChoice
from compactml.solvers.scaling import Scaling, objective_exponent
from compactml.solvers.verify import Verified, verified

__all__ = ["MasterSolution", "RestrictedMaster"]

DRIFT = 10
"""The LP is opened anew where the exponent of two that its costs need has moved by more than this."""


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

    Examples
    --------
    >>> from compactml.solvers import MixedIntegerProgram, RestrictedMaster
    >>> lp = MixedIntegerProgram([5.0, 4.0], [[1, 0], [0, 1]], row_lower=[2, 3])
    >>> with RestrictedMaster(lp) as master:
    ...     found = master.solve()
    >>> found.objective, found.x.tolist(), found.duals.tolist()
    (22.0, [2.0, 3.0], [5.0, 4.0])
    """

    objective: float
    x: NDArray[np.float64]
    duals: NDArray[np.float64]
    reduced_costs: NDArray[np.float64]


class RestrictedMaster:
    """An LP to which columns and rows are added, solved each time from its last basis, with one thread.

    Use it in a ``with`` block, which frees the solver. A size-limited licence that the LP outgrows hands it over to
    HiGHS as a whole; so does a solver whose answers fail, twice in a row, to the next usable one. ``choice`` says so.

    Parameters
    ----------
    problem : MixedIntegerProgram
        Without integer columns.
    solver : {"highs", "gurobi", "cplex", "scip", "auto"}
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
        check_instance("problem", problem, MixedIntegerProgram)
        if not problem.is_lp:
            raise InvalidDataError("problem", "an LP", f"{int(problem.integrality.sum())} integer columns")
        self.problem = problem
        self.choice: SolverChoice = next(candidates(problem, solver))
        self._stale = False
        self._exponent = objective_exponent(problem)
        self._lp: WarmLP = _open(self.choice.solver, self._scaling.problem(problem))

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
        costs = np.ldexp(grown.objective[n:], self._exponent)
        self._grow(lambda: self._lp.add_columns(costs, added, (grown.lower[n:], grown.upper[n:])))

    def add_rows(self, matrix: Any, row_lower: ArrayLike = -np.inf, row_upper: ArrayLike = np.inf) -> None:
        """Append k rows with their coefficients in the columns, ``matrix`` of shape (k, n)."""
        m = self.problem.n_rows
        self.problem = self.problem.with_rows(matrix, row_lower, row_upper)
        grown = self.problem
        self._grow(lambda: self._lp.add_rows(grown.matrix[m:], grown.row_lower[m:], grown.row_upper[m:]))

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
            As `solve`, of the last usable solver.
        """
        clock, tried = Clock(time_limit), {self.choice.solver}
        if self._stale or abs(objective_exponent(self.problem) - self._exponent) > DRIFT:
            self._start_anew()
        while True:
            try:
                answer = self._twice(clock)
                break
            except (VerificationError, SolverStatusError) as error:
                if not self._move(f"failed: {str(error).rstrip('.')}", tried):
                    raise
        assert answer.duals is not None
        assert answer.reduced_costs is not None
        return MasterSolution(answer.objective, answer.x, answer.duals, answer.reduced_costs)

    @property
    def _scaling(self) -> Scaling:
        return Scaling(self._exponent, np.zeros(self.problem.n_rows, dtype=np.int64))

    def _grow(self, add: Callable[[], None]) -> None:
        """Add to the solver's LP; one that fails in it is filled anew before it is solved."""
        try:
            if not self._stale:
                add()
        except Exception:
            self._stale = True

    def _twice(self, clock: Clock) -> Verified:
        try:
            return self._verified(clock)
        except (ModelTooLargeError, SolverNotAvailableError) as error:
            if not self._move(refusal(error), {self.choice.solver}):
                raise
        except (VerificationError, SolverStatusError):
            # The basis of many solves may have lost its accuracy: once more without it.
            self._start_anew()
        return self._verified(clock)

    def _verified(self, clock: Clock) -> Verified:
        scaled = self._scaling.problem(self.problem)
        try:
            raw = self._lp.solve(scaled, clock.allowance())
        except CompactmlError:
            raise
        except Exception as error:
            raise SolverStatusError(self.choice.solver, f"{type(error).__name__}: {error}") from error
        raw = checked_answer(self.choice.solver, raw)
        if raw.outcome is not Outcome.OPTIMAL:
            outcome = "infeasible or unbounded" if raw.outcome is Outcome.UNBOUNDED else str(raw.outcome)
            raise MasterNotSolvedError(self.choice.solver, outcome)
        if raw.duals is None:
            raise SolverStatusError(self.choice.solver, "an optimum without duals")
        return self._scaling.answer(self.problem, verified(scaled, self.choice.solver, raw))

    def _move(self, reason: str, tried: set[str]) -> bool:
        """Hand the LP over to HiGHS, else to the next solver not tried yet that takes it; False if there is none."""
        for name in ("highs", *SOLVERS):
            if name in tried:
                continue
            tried.add(name)
            try:
                self.choice = replace(
                    next(candidates(self.problem, name)), reason=f"moved while growing; {reason}"
                )
                self._start_anew()
            except (ModelTooLargeError, SolverNotAvailableError, SolverStatusError):
                continue
            return True
        return False

    def _start_anew(self) -> None:
        """Open the LP again with all that has been added."""
        self._lp.close()
        self._exponent = objective_exponent(self.problem)
        self._lp = _open(self.choice.solver, self._scaling.problem(self.problem))
        self._stale = False


def _open(solver: str, problem: MixedIntegerProgram) -> WarmLP:
    """Open an LP with a solver.

    Raises
    ------
    SolverNotAvailableError, SolverStatusError
        Its package does not import; whatever goes wrong in it.
    """
    try:
        return adapter(solver).warm(problem)
    except CompactmlError:
        raise
    except Exception as error:
        raise SolverStatusError(solver, f"{type(error).__name__}: {error}") from error
