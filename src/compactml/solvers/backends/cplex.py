"""CPLEX: one problem solved once, and an LP that is kept warm. Nothing of cplex leaves this module."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import cplex
import numpy as np
from cplex.exceptions import CplexError
from numpy.typing import NDArray
from scipy import sparse

from compactml.clock import Clock
from compactml.solvers.adapter import Solver, WarmLP, grace
from compactml.solvers.errors import SolverNotAvailableError, SolverStatusError
from compactml.solvers.licences import Level, Licence, refused
from compactml.solvers.problem import INFINITE, MixedIntegerProgram
from compactml.solvers.registry import licence
from compactml.solvers.result import EXACT, FEASIBILITY, Outcome, RawResult, SolveOptions
from compactml.solvers.verify import TOLERANCE

__all__ = ["Cplex", "WarmCplex"]

TOO_LARGE = 1016  # error code of the Community Edition
TICKS_PER_WORK = 1000.0
LICENCE_ERRORS = range(32000, 33000)
CONVEX = 1
"""The optimalitytarget of products of binary columns, which CPLEX makes convex: with 3, a global optimum, CPLEX 22.2
calls some points optimal that are not."""
ABORTED_WITH_SOLUTION = 113
ABORTED = {13: Outcome.NO_SOLUTION, ABORTED_WITH_SOLUTION: Outcome.FEASIBLE, 114: Outcome.NO_SOLUTION}
# An optimum with unscaled infeasibilities (5, 115) is judged by the verification.
OUTCOMES = (
    dict.fromkeys((1, 5, 101, 102, 115), Outcome.OPTIMAL)
    | dict.fromkeys((3, 103), Outcome.INFEASIBLE)
    | dict.fromkeys((2, 4, 118, 119), Outcome.UNBOUNDED)
    | dict.fromkeys((107, 131), Outcome.FEASIBLE)
    | dict.fromkeys((11, 25, 108, 132), Outcome.NO_SOLUTION)
)


class Cplex(Solver):
    """CPLEX; its Community Edition takes 1000 columns and rows, with products too (measured with 22.2).

    With presolve, 22.2 calls some points optimal while its bound is still far off (14 of 1080 feasible random programs
    of two equality rows, all of them right); these are solved once more without presolve, which has the bound.
    """

    name = "cplex"

    def licence(self) -> Licence:
        """Solve a model one column too large for the Community Edition."""
        version = ""
        try:
            with cplex.Cplex() as model:
                version = model.get_version()
                _silence(model)
                model.variables.add(obj=[1.0] * 1001)
                model.solve()
            return Licence("cplex", Level.FULL, version)
        except CplexError as error:
            if error.args[-1] == TOO_LARGE:
                return Licence("cplex", Level.SIZE_LIMITED, version, "", 1000, 1000, 1000)
            return refused("cplex", version, str(error.args[0]))

    def solve(self, problem: MixedIntegerProgram, options: SolveOptions) -> RawResult:
        """Solve a problem; products of binary columns as they stand. See `Solver.solve`."""
        if options.target is not None and problem.sense == "max":
            return self._solve_negated(problem, options)
        clock = Clock(options.time_limit)
        raw = self._solve_once(problem, options)
        if problem.is_lp or raw.x is None or raw.outcome is not Outcome.OPTIMAL or _is_proved(raw, options):
            return raw
        again = replace(options, start=raw.x, time_limit=clock.allowance())
        return self._solve_once(problem, again, presolve=False)

    def _solve_once(
        self, problem: MixedIntegerProgram, options: SolveOptions, *, presolve: bool = True
    ) -> RawResult:
        with cplex.Cplex() as model:
            _load(model, problem, options)
            model.parameters.preprocessing.presolve.set(int(presolve))
            if options.start is not None and not problem.is_lp:
                known = np.flatnonzero(~np.isnan(options.start))
                model.MIP_starts.add(
                    [known.tolist(), options.start[known].tolist()], model.MIP_starts.effort_level.auto
                )
            overran = _solve(model, problem, options.time_limit)
            raw = _read(model, problem, options.target, overran=overran)
            if raw.x is None or problem.is_lp or not options.pool:
                return raw
            kept = model.solution.pool
            return replace(raw, pool=tuple(np.array(kept.get_values(k)) for k in range(kept.get_num())))

    def warm(self, problem: MixedIntegerProgram) -> WarmLP:
        """Open an LP that grows."""
        return WarmCplex(problem)

    def _solve_negated(self, problem: MixedIntegerProgram, options: SolveOptions) -> RawResult:
        """Minimise the negative: with products and upperobjstop CPLEX 22.2 ends a maximisation at any solution."""
        assert options.target is not None
        quadratic = None if problem.quadratic is None else -problem.quadratic
        negative = replace(
            problem, objective=-problem.objective, quadratic=quadratic, offset=-problem.offset, sense="min"
        )
        raw = self.solve(negative, replace(options, target=-options.target))
        duals = None if raw.duals is None else -raw.duals
        return replace(raw, objective=-raw.objective, bound=-raw.bound, duals=duals)


class WarmCplex:
    """An LP that grows and is solved from its last basis."""

    def __init__(self, problem: MixedIntegerProgram) -> None:
        self._model = cplex.Cplex()
        _load(self._model, problem, SolveOptions())

    def add_columns(
        self, objective: NDArray[np.float64], matrix: sparse.csc_array, bounds: tuple[Any, Any]
    ) -> None:
        """Append columns."""
        lower, upper = (_clipped(bound) for bound in bounds)
        self._model.variables.add(obj=objective.tolist(), lb=lower, ub=upper, columns=_pairs(matrix))

    def add_rows(
        self, matrix: sparse.csr_array, lower: NDArray[np.float64], upper: NDArray[np.float64]
    ) -> None:
        """Append rows."""
        _add_rows(self._model, matrix, lower, upper)

    def solve(self, problem: MixedIntegerProgram, time_limit: float | None) -> RawResult:
        """Solve what has been built up, which ``problem`` describes."""
        self._model.parameters.timelimit.set(1e75 if time_limit is None else float(time_limit))
        overran = _solve(self._model, problem, time_limit)
        return _read(self._model, problem, overran=overran)

    def close(self) -> None:
        """Free the model."""
        self._model.end()


def _is_proved(raw: RawResult, options: SolveOptions) -> bool:
    """Whether the bound of an optimum is as near as was asked for, within the tolerance."""
    allowed = max(options.gap * abs(raw.objective), options.gap_abs)
    return abs(raw.objective - raw.bound) <= allowed + TOLERANCE * (1 + abs(raw.objective))


def _silence(model: Any) -> None:
    """Close all of a model's streams; the mode of its licence comes as a warning."""
    for stream in ("log", "results", "warning", "error"):
        getattr(model, f"set_{stream}_stream")(None)


def _load(model: Any, problem: MixedIntegerProgram, options: SolveOptions) -> None:
    """Fill an empty model."""
    _silence(model)
    _set(model.parameters, problem, options)
    sense = model.objective.sense
    model.objective.set_sense(sense.minimize if problem.sense == "min" else sense.maximize)
    model.objective.set_offset(problem.offset)
    kinds = "" if problem.is_lp else "".join(np.where(problem.integrality, "I", "C"))  # kinds make it a MIP
    model.variables.add(
        obj=problem.objective.tolist(),
        lb=_clipped(problem.lower),
        ub=_clipped(problem.upper),
        types=kinds,
    )
    if problem.quadratic is not None:
        model.objective.set_quadratic(_pairs(2 * problem.quadratic))  # CPLEX has a factor 1/2 before x'Qx
    _add_rows(model, problem.matrix, problem.row_lower, problem.row_upper)


def _set(parameters: Any, problem: MixedIntegerProgram, options: SolveOptions) -> None:
    """CPLEX's names of the options."""
    parameters.threads.set(options.threads)
    parameters.parallel.set(1)  # deterministic
    parameters.randomseed.set(options.seed)
    parameters.mip.tolerances.mipgap.set(max(options.gap, EXACT))
    parameters.mip.tolerances.absmipgap.set(max(options.gap_abs, EXACT))
    parameters.mip.tolerances.integrality.set(FEASIBILITY)
    parameters.simplex.tolerances.feasibility.set(FEASIBILITY)
    parameters.simplex.tolerances.optimality.set(FEASIBILITY)
    if problem.quadratic is not None:
        parameters.optimalitytarget.set(CONVEX)
    if options.interior and problem.is_lp:
        parameters.lpmethod.set(parameters.lpmethod.values.barrier)
    if options.target is not None and not problem.is_lp:
        parameters.mip.limits.lowerobjstop.set(float(options.target))
    if options.time_limit is not None:
        parameters.timelimit.set(float(options.time_limit))
    if options.work_limit is not None:
        parameters.dettimelimit.set(TICKS_PER_WORK * options.work_limit)


def _clipped(bounds: NDArray[np.float64]) -> list[float]:
    """CPLEX's infinity is 1e20."""
    clipped: list[float] = np.clip(bounds, -INFINITE, INFINITE).tolist()
    return clipped


def _pairs(matrix: Any) -> list[list[list[float]]]:
    """Indices and values of each compressed row or column."""
    cuts = matrix.indptr[1:-1]
    parts = zip(np.split(matrix.indices, cuts), np.split(matrix.data, cuts), strict=True)
    return [[indices.tolist(), values.tolist()] for indices, values in parts]


def _add_rows(
    model: Any, matrix: sparse.csr_array, lower: NDArray[np.float64], upper: NDArray[np.float64]
) -> None:
    """Add rows: a range is lower <= ax <= lower + range, a free row is >= minus infinity."""
    if not lower.size:
        return
    low, high = np.isfinite(lower), np.isfinite(upper)
    senses = np.select([lower == upper, low & high, high], ["E", "R", "L"], "G")
    both = low & high
    span = np.zeros(lower.size)
    span[both] = upper[both] - lower[both]
    model.linear_constraints.add(
        lin_expr=_pairs(matrix),
        senses="".join(senses),
        rhs=_clipped(np.where(low, lower, np.where(high, upper, -np.inf))),
        range_values=span.tolist(),
    )


@contextmanager
def _overrun(model: Any, time_limit: float | None) -> Iterator[cplex.Aborter]:
    """End a solve that is past its limit: CPLEX 22.2 asks no clock within some runs of the dual simplex.

    One node of a tree took it 30 minutes more than the hour it had. The aborter is asked in the inner loops.
    """
    with cplex.Aborter() as aborter:
        if time_limit is None:
            yield aborter
            return
        model.use_aborter(aborter)
        timer = threading.Timer(time_limit + grace(time_limit), aborter.abort)
        timer.daemon = True
        timer.start()
        try:
            yield aborter
        finally:
            timer.cancel()
            timer.join()


def _solve(model: Any, problem: MixedIntegerProgram, time_limit: float | None) -> bool:
    """Solve, and return whether the aborter had to end it; the size of a model is only judged here."""
    try:
        with _overrun(model, time_limit) as aborter:
            model.solve()
            return bool(aborter.is_aborted())
    except CplexError as error:
        if error.args[-1] == TOO_LARGE:
            raise Cplex().too_large(problem, licence("cplex")) from error
        if error.args[-1] in LICENCE_ERRORS:
            raise SolverNotAvailableError("cplex", str(error.args[0])) from error
        raise SolverStatusError("cplex", str(error.args[0])) from error


def _read(
    model: Any, problem: MixedIntegerProgram, target: float | None = None, *, overran: bool = False
) -> RawResult:
    """Read back what the status allows."""
    solution = model.solution
    status = solution.get_status()
    if status == ABORTED_WITH_SOLUTION and target is not None and solution.get_objective_value() <= target:
        outcome = Outcome.FEASIBLE  # CPLEX has no status of its own for a target
    elif status in ABORTED and overran:
        outcome = ABORTED[status]
    elif status in ABORTED:
        raise KeyboardInterrupt  # cplex caught it
    elif status not in OUTCOMES:
        raise SolverStatusError("cplex", f"{status} {solution.get_status_string()}")
    else:
        outcome = OUTCOMES[status]
    nodes = 0 if problem.is_lp else solution.progress.get_num_nodes_processed()
    limited = outcome in (Outcome.FEASIBLE, Outcome.NO_SOLUTION)
    bound = np.nan
    if not problem.is_lp and (limited or outcome is Outcome.OPTIMAL):
        bound = solution.MIP.get_best_objective()
    if outcome not in (Outcome.OPTIMAL, Outcome.FEASIBLE):
        return RawResult(outcome, bound=bound, nodes=nodes)
    return RawResult(
        outcome,
        x=np.array(solution.get_values()),
        objective=solution.get_objective_value(),
        bound=bound,
        duals=np.array(solution.get_dual_values()) if problem.is_lp else None,
        nodes=nodes,
    )
