"""The one door: a problem goes in, a verified answer of the best usable solver comes out."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from compactml.exceptions import InvalidDataError
from compactml.solvers import verify
from compactml.solvers.answers import noted
from compactml.solvers.choice import candidates
from compactml.solvers.errors import ModelTooLargeError, SolverNotAvailableError
from compactml.solvers.linearise import linearise, products
from compactml.solvers.problem import MixedIntegerProgram, floats
from compactml.solvers.result import Outcome, RawResult, SolveOptions, SolverChoice, SolveResult

__all__ = ["solve"]

BACKENDS = {
    "highs": ("compactml.solvers.highs", "solve_highs"),
    "gurobi": ("compactml.solvers.gurobi", "solve_gurobi"),
    "cplex": ("compactml.solvers.cplex_backend", "solve_cplex"),
}


@noted
def solve(
    problem: MixedIntegerProgram, solver: str = "auto", options: SolveOptions | None = None
) -> SolveResult:
    """Solve a problem and check the answer from the problem's own matrix.

    Parameters
    ----------
    problem : MixedIntegerProgram
    solver : {"auto", "gurobi", "cplex", "highs"}
        "auto" takes COMPACTML_SOLVER if it is set; else the first of full Gurobi, full CPLEX, a size-limited licence
        that the model fits, HiGHS. It passes on to the next where one refuses; a forced solver does not.
    options : SolveOptions, optional

    Returns
    -------
    SolveResult
        With the outcome NO_SOLUTION an LP stopped at a limit even where the solver had a feasible point. A
        complete feasible ``options.start`` of an integer problem is not lost at a limit.

    Raises
    ------
    ModelTooLargeError, SolverNotAvailableError
        A forced solver cannot take the model.
    SolverStatusError
        The solver stopped without an answer and not at a limit.
    VerificationError
        The solver's answer is wrong: infeasible, another objective than it says, or a bound beyond it.
    InvalidParameterError, InvalidDataError
        An unknown solver; a start of the wrong shape.
    """
    options = options or SolveOptions()
    if options.start is not None:
        options = replace(options, start=_checked_start(problem, options.start))
    begin = time.perf_counter()
    refusals: list[str] = []
    last: ModelTooLargeError | SolverNotAvailableError | None = None
    for choice in candidates(problem, solver):
        choice = replace(choice, reason="; ".join([choice.reason, *refusals]))
        try:
            return _solve_with(problem, choice, options, begin)
        except (ModelTooLargeError, SolverNotAvailableError) as error:
            last = error
            refusals.append(refusal(error))
    assert last is not None  # `candidates` raises rather than be empty
    raise last


def refusal(error: ModelTooLargeError | SolverNotAvailableError) -> str:
    """Say in short why a solver that had been chosen did not answer."""
    if isinstance(error, ModelTooLargeError):
        return f"{error.solver}: {error.columns} columns and {error.rows} rows refused when solved"
    return f"{error.solver}: {error.reason}"


def _checked_start(problem: MixedIntegerProgram, start: NDArray[np.float64]) -> NDArray[np.float64]:
    start = floats("start", start)
    if start.shape != (problem.n_columns,) or np.isinf(start).any():
        raise InvalidDataError("start", f"{problem.n_columns} finite numbers or NaN", f"shape {start.shape}")
    return start


def _solve_with(
    problem: MixedIntegerProgram, choice: SolverChoice, options: SolveOptions, begin: float
) -> SolveResult:
    """Solve with one solver; the only way to a `SolveResult`."""
    backend = _backend(choice.solver)
    if choice.solver == "highs" and problem.quadratic is not None:
        raw = backend(linearise(problem), _extended_start(problem, options))
        raw = _without_products(problem, raw)
    else:
        raw = backend(problem, options)
    if raw.outcome is Outcome.UNBOUNDED:
        raw = _unbounded_or_infeasible(problem, backend, options, begin)
    if raw.outcome is Outcome.NO_SOLUTION:
        raw = _with_start(problem, options, raw)
    return _result(problem, choice, options, raw, begin)


def _backend(solver: str) -> Callable[[MixedIntegerProgram, SolveOptions], RawResult]:
    """Import a solver's module now and not before."""
    module, name = BACKENDS[solver]
    try:
        backend: Callable[[MixedIntegerProgram, SolveOptions], RawResult]
        backend = getattr(importlib.import_module(module), name)
    except (ImportError, OSError) as error:
        raise SolverNotAvailableError(solver, str(error)) from error
    return backend


def _without_products(problem: MixedIntegerProgram, raw: RawResult) -> RawResult:
    """Cut a solution of the linearised problem to the columns of its own problem.

    A product has rows on its profitable side only, so before the optimum it may be worth more than its column says.
    """
    if raw.x is None:
        return raw
    x = raw.x[: problem.n_columns]
    best = min if problem.sense == "min" else max
    return replace(raw, x=x, objective=best(raw.objective, problem.value(verify.rounded(problem, x))))


def _extended_start(problem: MixedIntegerProgram, options: SolveOptions) -> SolveOptions:
    """Give the columns of the products their values too."""
    if options.start is None:
        return options
    i, j, _ = products(problem)
    start = options.start
    return replace(options, start=np.append(start, start[i] * start[j]))


def _unbounded_or_infeasible(
    problem: MixedIntegerProgram,
    backend: Callable[[MixedIntegerProgram, SolveOptions], RawResult],
    options: SolveOptions,
    begin: float,
) -> RawResult:
    """Decide by looking for any feasible point: a ray alone does not say that there is one.

    Only a linear objective can be unbounded, since quadratic terms have binary columns only.
    """
    if options.time_limit is not None:
        left = max(0.0, options.time_limit - (time.perf_counter() - begin))
        options = replace(options, time_limit=left)
    anywhere = replace(problem, objective=np.zeros(problem.n_columns), quadratic=None, offset=0.0)
    raw = backend(anywhere, options)
    if raw.outcome in (Outcome.OPTIMAL, Outcome.FEASIBLE):
        return RawResult(Outcome.UNBOUNDED, nodes=raw.nodes)
    return replace(raw, bound=np.nan)


def _with_start(problem: MixedIntegerProgram, options: SolveOptions, raw: RawResult) -> RawResult:
    """Fall back on a start that is complete and feasible."""
    start = options.start
    if start is None or problem.is_lp or np.isnan(start).any():
        return raw
    if verify.violation(problem, start) > verify.TOLERANCE:
        return raw
    return replace(raw, outcome=Outcome.FEASIBLE, x=start.copy(), objective=problem.value(start))


def _result(
    problem: MixedIntegerProgram, choice: SolverChoice, options: SolveOptions, raw: RawResult, begin: float
) -> SolveResult:
    """Verify a solver's word and turn it into a result."""
    if raw.x is not None:
        answer = vars(verify.verified(problem, choice.solver, raw, options.gap, options.gap_abs))
    else:
        limited = raw.outcome is Outcome.NO_SOLUTION
        answer = dict.fromkeys(("x", "objective", "gap", "duals", "reduced_costs"))
        answer["bound"] = verify.bound_or_infinite(problem, raw.bound) if limited else None
    seconds = time.perf_counter() - begin
    return SolveResult(raw.outcome, **answer, seconds=seconds, nodes=int(raw.nodes), choice=choice)
