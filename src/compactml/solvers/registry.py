"""The solvers that there are; the only place that names them all, and none is imported before it is asked for."""

from __future__ import annotations

import importlib
from functools import cache

from compactml.errors import check_choice
from compactml.solvers.adapter import Solver
from compactml.solvers.errors import SolverNotAvailableError
from compactml.solvers.licences import Level, Licence

__all__ = ["ADAPTERS", "SOLVERS", "adapter", "by_preference", "kept_licence", "licence"]

ADAPTERS = {
    "gurobi": ("compactml.solvers.backends.gurobi", "Gurobi"),
    "cplex": ("compactml.solvers.backends.cplex", "Cplex"),
    "highs": ("compactml.solvers.backends.highs", "Highs"),
    "scip": ("compactml.solvers.backends.scip", "Scip"),
}
"""Module and class of each solver, in the order in which equally capable ones are preferred."""

SOLVERS = tuple(ADAPTERS)
RANK = {Level.FULL: 0, Level.SIZE_LIMITED: 1, Level.OPEN: 2}


def adapter(solver: str) -> Solver:
    """Return a solver's adapter; imports its module now and not before.

    Raises
    ------
    InvalidParameterError
        An unknown solver.
    SolverNotAvailableError
        Its package does not import.
    """
    check_choice("solver", solver, SOLVERS)
    module, name = ADAPTERS[solver]
    try:
        found: type[Solver] = getattr(importlib.import_module(module), name)
    except (ImportError, OSError) as error:  # OSError: a shared library does not load
        raise SolverNotAvailableError(solver, str(error)) from error
    return found()


def licence(solver: str) -> Licence:
    """Ask a solver for its licence; the answer is kept for the life of the process.

    Raises
    ------
    InvalidParameterError
        An unknown solver.
    """
    check_choice("solver", solver, SOLVERS)
    return kept_licence(solver)


@cache
def kept_licence(solver: str) -> Licence:
    """What `licence` gives, asked for once."""
    try:
        return adapter(solver).licence()
    except (ImportError, OSError) as error:
        return Licence(solver, Level.MISSING, detail=str(error))
    except SolverNotAvailableError as error:
        missing = isinstance(error.__cause__, ModuleNotFoundError)
        return Licence(solver, Level.MISSING, detail="" if missing else error.reason)


def by_preference(licences: list[Licence], *, quadratic: bool = False) -> list[Licence]:
    """Sort licences: full ones first, then size-limited ones, then free solvers.

    Of the free ones, those that take products as they stand come first for a ``quadratic`` problem.
    """

    def rank(found: Licence) -> tuple[int, bool]:
        last = quadratic and found.level is Level.OPEN and not adapter(found.solver).features.quadratic
        return RANK.get(found.level, 1), last

    return sorted(licences, key=rank)
