"""SCIP: one problem solved once, and an LP that is kept warm. Nothing of pyscipopt leaves this module."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pyscipopt
from numpy.typing import NDArray
from pyscipopt.scip import PY_SCIP_LPPARAM as PARAMETER
from pyscipopt.scip import ExprCons
from scipy import sparse

from compactml.solvers._linearise import solve_linearised
from compactml.solvers.adapter import Features, Solver, WarmLP
from compactml.solvers.errors import SolverStatusError
from compactml.solvers.licences import Level, Licence
from compactml.solvers.problem import INFINITE, MixedIntegerProgram
from compactml.solvers.result import EXACT, FEASIBILITY, Outcome, RawResult, SolveOptions

__all__ = ["Scip", "WarmScip"]

NODES_PER_WORK = 1000
OUTCOMES = {
    "optimal": Outcome.OPTIMAL,
    "gaplimit": Outcome.OPTIMAL,
    "infeasible": Outcome.INFEASIBLE,
    "unbounded": Outcome.UNBOUNDED,
    "inforunbd": Outcome.UNBOUNDED,
}
LIMITS = ("timelimit", "nodelimit", "totalnodelimit", "primallimit")


class Scip(Solver):
    """SCIP, without a licence or a limit, on one thread.

    Products of binary columns reach its branch and bound in the linear form of `linearise`: with the products in a
    nonlinear row SCIP 10 took twice as long on random programs of 14 to 30 columns. LPs go to its simplex method
    (SoPlex), which has duals without conditions.
    """

    name = "scip"
    features = Features(interior=False, threads=False)

    def licence(self) -> Licence:
        """Return the licence, which is free for all sizes."""
        model = pyscipopt.Model()
        version = f"{model.getMajorVersion()}.{model.getMinorVersion()}.{model.getTechVersion()}"
        return Licence("scip", Level.OPEN, version)

    def solve(self, problem: MixedIntegerProgram, options: SolveOptions) -> RawResult:
        """Solve a problem; see `Solver.solve`."""
        if problem.is_lp:
            return self._solve_lp(problem, options)
        return solve_linearised(_solve_linear, problem, options)

    def warm(self, problem: MixedIntegerProgram) -> WarmLP:
        """Open an LP that grows."""
        return WarmScip(problem)

    def _solve_lp(self, problem: MixedIntegerProgram, options: SolveOptions) -> RawResult:
        lp = WarmScip(problem)
        if options.work_limit is not None:
            lp.limit_iterations(int(10 * NODES_PER_WORK * options.work_limit))
        return lp.solve(problem, options.time_limit)


def _solve_linear(problem: MixedIntegerProgram, options: SolveOptions) -> RawResult:
    if _has_impossible_row(problem):
        return RawResult(Outcome.INFEASIBLE)
    model = pyscipopt.Model()
    columns = _load(model, problem)
    _set(model, options)
    if options.start is not None:
        _add_start(model, columns, options.start)
    model.optimizeNogil()  # so that other threads see that a coordinator is gone, or measure its memory
    raw = _read(model, columns)
    if raw.x is None or not options.pool:
        return raw
    return replace(raw, pool=tuple(_point(model, one, columns) for one in model.getSols()))


class WarmScip:
    """An LP that grows and is solved from its last basis."""

    def __init__(self, problem: MixedIntegerProgram) -> None:
        self._lp: Any = pyscipopt.LP("", "minimize" if problem.sense == "min" else "maximize")
        for parameter in (PARAMETER.FEASTOL, PARAMETER.DUALFEASTOL):
            self._lp.setRealParam(parameter, FEASIBILITY)
        # With its presolving SoPlex 8.0.2 gives some small LPs (3 of 8,000 at random) duals of 0 that prove nothing.
        self._lp.setIntParam(PARAMETER.PRESOLVING, 0)
        self._n_columns = 0
        self.add_columns(
            problem.objective, sparse.csc_array((0, problem.n_columns)), (problem.lower, problem.upper)
        )
        self.add_rows(problem.matrix, problem.row_lower, problem.row_upper)

    def limit_iterations(self, count: int) -> None:
        """Stop after so many pivots."""
        self._lp.setIntParam(PARAMETER.LPITLIM, count)

    def add_columns(
        self, objective: NDArray[np.float64], matrix: sparse.csc_array, bounds: tuple[Any, Any]
    ) -> None:
        """Append columns."""
        if objective.size:
            self._lp.addCols(_entries(matrix, objective.size), objective.tolist(), *map(_clipped, bounds))
        self._n_columns += objective.size

    def add_rows(
        self, matrix: sparse.csr_array, lower: NDArray[np.float64], upper: NDArray[np.float64]
    ) -> None:
        """Append rows."""
        if lower.size:
            self._lp.addRows(_entries(matrix, lower.size), _clipped(lower), _clipped(upper))

    def solve(self, problem: MixedIntegerProgram, time_limit: float | None) -> RawResult:
        """Solve what has been built up, which ``problem`` describes."""
        if time_limit is not None and time_limit <= 0:
            return RawResult(Outcome.NO_SOLUTION)
        self._lp.setRealParam(PARAMETER.LPTILIM, INFINITE if time_limit is None else float(time_limit))
        value = self._lp.solve(dual=False)
        if self._lp.isOptimal() and abs(value) < INFINITE:
            x = np.array(self._lp.getPrimal(), dtype=float)
            duals = np.array(self._lp.getDual() or [], dtype=float)
            return RawResult(Outcome.OPTIMAL, x, problem.value(x), duals=duals)
        if self._lp.getDualRay() is not None:
            return RawResult(Outcome.INFEASIBLE)
        if self._lp.getPrimalRay() is not None or abs(value) >= INFINITE:
            return RawResult(Outcome.UNBOUNDED)
        return RawResult(Outcome.NO_SOLUTION)

    def close(self) -> None:
        """Free the model."""
        self._lp = None


def _clipped(bounds: NDArray[np.float64]) -> list[float]:
    """SCIP's infinity is 1e20."""
    clipped: list[float] = np.clip(bounds, -INFINITE, INFINITE).tolist()
    return clipped


def _entries(matrix: Any, count: int) -> list[list[tuple[int, float]]]:
    """Pairs of index and value of each compressed row or column."""
    if not matrix.shape[0] or not matrix.shape[1]:
        return [[] for _ in range(count)]
    indices, values, pointer = matrix.indices.tolist(), matrix.data.tolist(), matrix.indptr.tolist()
    return [list(zip(indices[a:b], values[a:b], strict=True)) for a, b in pairwise(pointer)]


def _has_impossible_row(problem: MixedIntegerProgram) -> bool:
    """Whether a row without entries excludes 0; SCIP takes no row without entries."""
    empty = np.diff(problem.matrix.indptr) == 0
    return bool((empty & ((problem.row_lower > 0) | (problem.row_upper < 0))).any())


def _load(model: Any, problem: MixedIntegerProgram) -> list[Any]:
    """Fill an empty model; returns its columns."""
    model.hideOutput()
    kinds = np.where(problem.binary, "B", np.where(problem.integrality, "I", "C"))
    columns = [
        model.addVar(vtype=kind, lb=_side(low), ub=_side(high), obj=cost)
        for kind, low, high, cost in zip(
            kinds.tolist(), problem.lower.tolist(), problem.upper.tolist(), problem.objective.tolist(),
            strict=True,
        )
    ]  # fmt: skip
    if problem.sense == "max":
        model.setMaximize()
    model.addObjoffset(problem.offset)
    rows = zip(
        _entries(problem.matrix, problem.n_rows),
        problem.row_lower.tolist(),
        problem.row_upper.tolist(),
        strict=True,
    )
    for entries, low, high in rows:
        if entries and (np.isfinite(low) or np.isfinite(high)):
            first, value = entries[0]
            row = model.addCons(ExprCons(value * columns[first], lhs=_side(low), rhs=_side(high)))
            for j, value in entries[1:]:
                model.addConsCoeff(row, columns[j], value)
    return columns


def _side(bound: float) -> float | None:
    return bound if np.isfinite(bound) else None


def _set(model: Any, options: SolveOptions) -> None:
    """SCIP's names of the options."""
    settings: dict[str, Any] = {
        "limits/gap": max(options.gap, EXACT),
        "limits/absgap": max(options.gap_abs, EXACT),
        "numerics/feastol": FEASIBILITY,
        "numerics/dualfeastol": FEASIBILITY,
        "randomization/randomseedshift": options.seed,
        "lp/threads": 1,
        "timing/clocktype": 2,  # wall clock
    }
    if options.target is not None:
        settings["limits/primal"] = float(options.target)
    if options.time_limit is not None:
        settings["limits/time"] = float(options.time_limit)
    if options.work_limit is not None:
        settings["limits/totalnodes"] = int(NODES_PER_WORK * options.work_limit)
    model.setParams(settings)


def _add_start(model: Any, columns: list[Any], start: NDArray[np.float64]) -> None:
    """Hand a start over; what is unknown, SCIP looks for."""
    known = ~np.isnan(start)
    solution = model.createSol() if known.all() else model.createPartialSol()
    for j in np.flatnonzero(known):
        model.setSolVal(solution, columns[j], float(start[j]))
    model.addSol(solution)


def _read(model: Any, columns: list[Any]) -> RawResult:
    """Read back what the status allows."""
    status, nodes = model.getStatus(), int(model.getNTotalNodes())
    if status == "userinterrupt":
        raise KeyboardInterrupt  # SCIP caught it
    if status in LIMITS:
        outcome = Outcome.FEASIBLE if model.getNSols() else Outcome.NO_SOLUTION
    elif status in OUTCOMES:
        outcome = OUTCOMES[status]
    else:
        raise SolverStatusError("scip", status)
    bound = np.nan if outcome in (Outcome.INFEASIBLE, Outcome.UNBOUNDED) else float(model.getDualbound())
    if outcome not in (Outcome.OPTIMAL, Outcome.FEASIBLE):
        return RawResult(outcome, bound=bound, nodes=nodes)
    best = model.getBestSol()
    return RawResult(
        outcome, _point(model, best, columns), float(model.getSolObjVal(best)), bound, nodes=nodes
    )


def _point(model: Any, solution: Any, columns: list[Any]) -> NDArray[np.float64]:
    """The values of all columns."""
    return np.array([model.getSolVal(solution, column) for column in columns])
