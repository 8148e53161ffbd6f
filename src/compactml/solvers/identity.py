"""What the choice of a solver depends on, as plain values."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from compactml.solvers.choice import requested
from compactml.solvers.registry import licence
from compactml.solvers.table import usable_solvers

__all__ = ["SolverIdentity", "solver_identity"]


@dataclass(frozen=True)
class SolverIdentity:
    """A solver that this machine can use; what of it decides which solver takes a model.

    Attributes
    ----------
    solver, version, licence : str
    max_columns, max_rows, max_quadratic_columns : float or None
        None without a limit.

    Examples
    --------
    >>> from compactml.solvers import SolverIdentity, solver_identity
    >>> found = [SolverIdentity(**one) for one in solver_identity()["usable"]]
    >>> {"highs", "scip"} <= {one.solver for one in found}
    True
    """

    solver: str
    version: str
    licence: str
    max_columns: float | None
    max_rows: float | None
    max_quadratic_columns: float | None


def solver_identity() -> dict[str, Any]:
    """Return what the choice of a solver depends on here, ready for JSON.

    Which solver takes a model is known only where it is solved; this is all that can change it.

    Returns
    -------
    dict
        ``requested`` (COMPACTML_SOLVER, or "auto") and ``usable``: a `SolverIdentity` as a dictionary for each usable
        solver, in the order in which they are asked.

    Raises
    ------
    InvalidParameterError
        COMPACTML_SOLVER names no solver.
    """
    usable = [asdict(_identity(solver)) for solver in usable_solvers()]
    return {"requested": requested("auto")[0], "usable": usable}


def _identity(solver: str) -> SolverIdentity:
    found = licence(solver)
    sizes = (found.max_columns, found.max_rows, found.max_quadratic_columns)
    finite = (None if size == float("inf") else size for size in sizes)
    return SolverIdentity(solver, found.version, str(found.level), *finite)
