"""The contract of a solver: one class in one module, everything else asks it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from compactml.solvers.errors import ModelTooLargeError
from compactml.solvers.licences import Licence
from compactml.solvers.problem import MixedIntegerProgram
from compactml.solvers.result import RawResult, SolveOptions

__all__ = ["Features", "Solver", "WarmLP", "grace"]


@dataclass(frozen=True)
class Features:
    """What a solver takes as it stands.

    Attributes
    ----------
    quadratic : bool
        Products of binary columns in the objective; a solver without gets an exactly equal linear form.
    interior : bool
        An interior point method with crossover for LPs; a solver without uses its simplex method.
    threads : bool
        More than one thread; a solver without runs on one.
    """

    quadratic: bool = True
    interior: bool = True
    threads: bool = True


class WarmLP(Protocol):
    """An LP that grows and is solved from its last basis, which is the solver's own affair."""

    def add_columns(
        self, objective: NDArray[np.float64], matrix: sparse.csc_array, bounds: tuple[Any, Any]
    ) -> None:
        """Append columns."""

    def add_rows(
        self, matrix: sparse.csr_array, lower: NDArray[np.float64], upper: NDArray[np.float64]
    ) -> None:
        """Append rows."""

    def solve(self, problem: MixedIntegerProgram, time_limit: float | None) -> RawResult:
        """Solve what has been built up, which ``problem`` describes."""

    def close(self) -> None:
        """Free the solver."""


class Solver(ABC):
    """A solver; the module that holds it may import the solver's package, and nothing else does.

    Attributes
    ----------
    name : str
        As in ``solve(problem, solver=name)``.
    features : Features
    """

    name: ClassVar[str]
    features: ClassVar[Features] = Features()

    @abstractmethod
    def licence(self) -> Licence:
        """Ask the solver what it may do on this machine."""

    def available(self) -> bool:
        """Return whether the solver takes any model on this machine."""
        return self.licence().usable

    @abstractmethod
    def solve(self, problem: MixedIntegerProgram, options: SolveOptions) -> RawResult:
        """Solve a problem once; the answer is the solver's word, `compactml.solvers.solve` verifies it.

        Raises
        ------
        ModelTooLargeError, SolverNotAvailableError
            The licence does not take the model, or there is none.
        SolverStatusError
            The solver stopped without an answer and not at a limit.
        """

    @abstractmethod
    def warm(self, problem: MixedIntegerProgram) -> WarmLP:
        """Open an LP that grows."""

    def rows_used(self, problem: MixedIntegerProgram) -> int:
        """Count the rows as the solver's licence does."""
        return problem.n_rows

    def too_large(self, problem: MixedIntegerProgram, licence: Licence) -> ModelTooLargeError:
        """Make the error of a model beyond a licence."""
        quadratic = problem.quadratic is not None
        columns = licence.max_quadratic_columns if quadratic else licence.max_columns
        rows = self.rows_used(problem)
        return ModelTooLargeError(
            self.name, problem.n_columns, rows, int(columns), int(licence.max_rows), quadratic
        )


def grace(time_limit: float) -> float:
    """Return the seconds after a limit at which a solver that has not stopped by itself is ended from outside.

    Half of what a caller is promised: a second, or a tenth of the limit where that is more.
    """
    return max(0.5, time_limit / 20)
