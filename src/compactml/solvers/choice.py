"""Which solver answers: the best licence that takes the model, and the reasons against the others.

The order is: a full licence of Gurobi, a full licence of CPLEX, a size-limited licence of either that the model
fits, then HiGHS for linear and SCIP for quadratic programs, and last the other one of these two, which is reached
after a failure only. The choice changes the solver, never the problem: a quadratic objective reaches HiGHS in an
exactly equal linear form.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from compactml.errors import check_choice, check_instance
from compactml.solvers.errors import SolverNotAvailableError
from compactml.solvers.licences import Level, Licence
from compactml.solvers.problem import MixedIntegerProgram
from compactml.solvers.registry import SOLVERS, adapter, by_preference
from compactml.solvers.registry import licence as licence_of
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
    InvalidDataError
        What is no `MixedIntegerProgram`.
    SolverNotAvailableError
        The forced solver is not installed or has no valid licence; or no solver is left.
    ModelTooLargeError
        The forced solver's licence does not take a model of this size.
    """
    check_instance("problem", problem, MixedIntegerProgram)
    return _candidates(problem, *requested(solver))


def _candidates(problem: MixedIntegerProgram, name: str, by_whom: str) -> Iterator[SolverChoice]:
    if name != "auto":
        yield _forced(problem, licence_of(name), by_whom)
        return
    against: list[str] = []
    usable = False
    for licence in by_preference(list(map(licence_of, SOLVERS)), quadratic=problem.quadratic is not None):
        refusal = _refusal(problem, licence)
        if refusal:
            against.append(f"{licence.solver}: {refusal}")
        else:
            usable = True
            yield _choice(problem, licence, against)
    if not usable:
        raise SolverNotAvailableError("auto", "; ".join(against))


def _forced(problem: MixedIntegerProgram, licence: Licence, by_whom: str) -> SolverChoice:
    if not licence.usable:
        raise SolverNotAvailableError(licence.solver, licence.refusal)
    if _excess(problem, licence):
        raise adapter(licence.solver).too_large(problem, licence)
    return _choice(problem, licence, [by_whom])


def _choice(problem: MixedIntegerProgram, licence: Licence, reasons: list[str]) -> SolverChoice:
    """State the use of a limited licence, what was done to the model, and the reasons."""
    parts = list(reasons)
    if licence.level is Level.SIZE_LIMITED:
        parts.insert(0, _usage(problem, licence))
    if problem.quadratic is not None and not adapter(licence.solver).features.quadratic:
        parts.insert(0, "quadratic objective linearised exactly")
    return SolverChoice(
        licence.solver, licence.version, str(licence.level), "; ".join(parts) or "no size limit"
    )


def _usage(problem: MixedIntegerProgram, licence: Licence) -> str:
    """Say how much of the tightest limit is used: "812 of 2000 rows used"."""
    sizes = _sizes(problem, licence)
    what = max(sizes, key=lambda name: sizes[name][0] / sizes[name][1])
    used, limit = sizes[what]
    return f"{used} of {limit:g} {what} used"


def _refusal(problem: MixedIntegerProgram, licence: Licence) -> str | None:
    """Why an unforced solver is passed over."""
    try:
        return _excess(problem, licence) if licence.usable else licence.refusal
    except SolverNotAvailableError as error:  # it was there when it was asked for its licence
        return error.reason


def _excess(problem: MixedIntegerProgram, licence: Licence) -> str | None:
    """Name the sizes that the licence does not take."""
    over = [
        f"{used} {what}, {licence.level} takes {limit:g}"
        for what, (used, limit) in _sizes(problem, licence).items()
        if used > limit
    ]
    return " and ".join(over) or None


def _sizes(problem: MixedIntegerProgram, licence: Licence) -> dict[str, tuple[int, float]]:
    """Return the sizes that count and their limits."""
    quadratic = problem.quadratic is not None
    columns = licence.max_quadratic_columns if quadratic else licence.max_columns
    noun = "columns of a quadratic model" if quadratic else "columns"
    return {
        noun: (problem.n_columns, columns),
        "rows": (adapter(licence.solver).rows_used(problem), licence.max_rows),
    }
