"""Which solver answers: the best licence that takes the model, and the reasons against the others.

The order is: a full licence of Gurobi, a full licence of CPLEX, a size-limited licence of either that the model
fits, then HiGHS for linear and SCIP for quadratic programs, and last the other one of these two, which is reached
after a failure only. The choice changes the solver, never the problem: a quadratic objective reaches HiGHS in an
exactly equal linear form.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from compactml.errors import check_choice
from compactml.solvers.errors import SolverNotAvailableError
from compactml.solvers.licences import Level, Licence
from compactml.solvers.problem import MixedIntegerProgram
from compactml.solvers.registry import SOLVERS, adapter, by_preference, licence
from compactml.solvers.result import SolverChoice

__all__ = ["candidates", "requested"]

VARIABLE = "COMPACTML_SOLVER"


def requested(solver: str) -> tuple[str, str]:
    """Return the solver to use, "auto" included, and who asked for it; an argument beats COMPACTML_SOLVER.

    Raises
    ------
    InvalidParameterError
        An unknown solver.
    """
    allowed = ("auto", *SOLVERS)
    check_choice("solver", solver, allowed)
    if solver != "auto":
        return solver, "asked for by argument"
    named = os.environ.get(VARIABLE, "").strip().lower() or "auto"
    check_choice(VARIABLE, named, allowed)
    return named, f"asked for by {VARIABLE}"


def candidates(problem: MixedIntegerProgram, solver: str = "auto") -> Iterator[SolverChoice]:
    """Yield the solvers that take the problem, best first; one only where a solver is forced.

    Raises
    ------
    SolverNotAvailableError
        The forced solver is not installed or has no valid licence; or no solver is left.
    ModelTooLargeError
        The forced solver's licence does not take a model of this size.
    """
    name, by_whom = requested(solver)
    if name != "auto":
        yield _forced(problem, licence(name), by_whom)
        return
    against: list[str] = []
    usable = False
    for found in by_preference([licence(one) for one in SOLVERS], quadratic=problem.quadratic is not None):
        refusal = _refusal(problem, found)
        if refusal:
            against.append(f"{found.solver}: {refusal}")
        else:
            usable = True
            yield _choice(problem, found, against)
    if not usable:
        raise SolverNotAvailableError("auto", "; ".join(against))


def _forced(problem: MixedIntegerProgram, found: Licence, by_whom: str) -> SolverChoice:
    if not found.usable:
        raise SolverNotAvailableError(found.solver, found.refusal)
    if _excess(problem, found):
        raise adapter(found.solver).too_large(problem, found)
    return _choice(problem, found, [by_whom])


def _choice(problem: MixedIntegerProgram, found: Licence, reasons: list[str]) -> SolverChoice:
    """State the use of a limited licence, what was done to the model, and the reasons."""
    parts = list(reasons)
    if found.level is Level.SIZE_LIMITED:
        parts.insert(0, _usage(problem, found))
    if problem.quadratic is not None and not adapter(found.solver).features.quadratic:
        parts.insert(0, "quadratic objective linearised exactly")
    return SolverChoice(found.solver, found.version, str(found.level), "; ".join(parts) or "no size limit")


def _usage(problem: MixedIntegerProgram, found: Licence) -> str:
    """Say how much of the tightest limit is used: "812 of 2000 rows used"."""
    sizes = _sizes(problem, found)
    what = max(sizes, key=lambda name: sizes[name][0] / sizes[name][1])
    used, limit = sizes[what]
    return f"{used} of {limit:g} {what} used"


def _refusal(problem: MixedIntegerProgram, found: Licence) -> str | None:
    """Why an unforced solver is passed over."""
    try:
        return _excess(problem, found) if found.usable else found.refusal
    except SolverNotAvailableError as error:  # it was there when it was asked for its licence
        return error.reason


def _excess(problem: MixedIntegerProgram, found: Licence) -> str | None:
    """Name the sizes that the licence does not take."""
    over = [
        f"{used} {what}, {found.level} takes {limit:g}"
        for what, (used, limit) in _sizes(problem, found).items()
        if used > limit
    ]
    return " and ".join(over) or None


def _sizes(problem: MixedIntegerProgram, found: Licence) -> dict[str, tuple[int, float]]:
    """Return the sizes that count and their limits."""
    quadratic = problem.quadratic is not None
    columns = found.max_quadratic_columns if quadratic else found.max_columns
    noun = "columns of a quadratic model" if quadratic else "columns"
    return {
        noun: (problem.n_columns, columns),
        "rows": (adapter(found.solver).rows_used(problem), found.max_rows),
    }
