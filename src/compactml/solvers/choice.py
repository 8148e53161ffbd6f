"""Which solver answers: the best licence that takes the model, and the reasons against the others.

The order is: a full licence of Gurobi, a full licence of CPLEX, a size-limited licence of either that the model
fits, HiGHS. The choice changes the solver, never the problem: a quadratic objective reaches HiGHS in an exactly
equal linear form.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import numpy as np

from compactml.exceptions import check_choice
from compactml.solvers.errors import ModelTooLargeError, SolverNotAvailableError
from compactml.solvers.licences import SOLVERS, Level, Licence, licence
from compactml.solvers.problem import MixedIntegerProgram
from compactml.solvers.result import SolverChoice

__all__ = ["candidates", "requested", "rows_used", "too_large"]

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
    for found in _by_preference():
        refusal = _refusal(problem, found)
        if refusal:
            against.append(f"{found.solver}: {refusal}")
        else:
            yield _choice(problem, found, against)
    if not licence("highs").usable:
        raise SolverNotAvailableError("auto", "; ".join(against))


def _by_preference() -> list[Licence]:
    """Full licences first, HiGHS last."""
    rank = {Level.FULL: 0, Level.OPEN: 2}
    return sorted(map(licence, SOLVERS), key=lambda found: rank.get(found.level, 1))


def _forced(problem: MixedIntegerProgram, found: Licence, by_whom: str) -> SolverChoice:
    if not found.usable:
        raise SolverNotAvailableError(found.solver, found.refusal)
    if _excess(problem, found):
        raise too_large(problem, found)
    return _choice(problem, found, [by_whom])


def _choice(problem: MixedIntegerProgram, found: Licence, reasons: list[str]) -> SolverChoice:
    """State the use of a limited licence, what was done to the model, and the reasons."""
    parts = list(reasons)
    if found.level is Level.SIZE_LIMITED:
        parts.insert(0, _usage(problem, found))
    if found.solver == "highs" and problem.quadratic is not None:
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
    return _excess(problem, found) if found.usable else found.refusal


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
    return {noun: (problem.n_columns, columns), "rows": (rows_used(found.solver, problem), found.max_rows)}


def rows_used(solver: str, problem: MixedIntegerProgram) -> int:
    """Count the rows as the solver does: Gurobi has none with two different sides, it takes two for one."""
    if solver != "gurobi":
        return problem.n_rows
    sides = np.isfinite(problem.row_lower).astype(int) + np.isfinite(problem.row_upper)
    return int(sides.sum() - (problem.row_lower == problem.row_upper).sum())


def too_large(problem: MixedIntegerProgram, found: Licence) -> ModelTooLargeError:
    """Make the error of a model beyond a licence."""
    quadratic = problem.quadratic is not None
    columns = found.max_quadratic_columns if quadratic else found.max_columns
    rows = rows_used(found.solver, problem)
    return ModelTooLargeError(
        found.solver, problem.n_columns, rows, int(columns), int(found.max_rows), quadratic
    )
