"""Gurobi: one problem solved once, and an LP that is kept warm. Nothing of gurobipy leaves this module."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from datetime import date
from typing import Any

import gurobipy
import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from compactml.solvers.adapter import Solver, WarmLP
from compactml.solvers.errors import SolverNotAvailableError, SolverStatusError
from compactml.solvers.licences import Level, Licence, refused
from compactml.solvers.problem import INFINITE, MixedIntegerProgram
from compactml.solvers.registry import licence
from compactml.solvers.result import EXACT, FEASIBILITY, Outcome, RawResult, SolveOptions

__all__ = ["Gurobi", "WarmGurobi"]

GRB = gurobipy.GRB
TOO_LARGE = 10010  # error code of the size-limited licence
NEVER = 99999999  # LicenseExpiration of a licence without a last day
LIMITS = (GRB.TIME_LIMIT, GRB.WORK_LIMIT, GRB.USER_OBJ_LIMIT)
OUTCOMES = {
    GRB.OPTIMAL: Outcome.OPTIMAL,
    GRB.INFEASIBLE: Outcome.INFEASIBLE,
    GRB.UNBOUNDED: Outcome.UNBOUNDED,
    GRB.INF_OR_UNBD: Outcome.UNBOUNDED,
}


class Gurobi(Solver):
    """Gurobi; the licence that comes with its package takes 2000 columns and rows (200 columns with products).

    These limits are written down nowhere in the package; they were measured with 13.0.3, and a test does so again.
    """

    name = "gurobi"

    def licence(self) -> Licence:
        """Solve a model one column too large for the size-limited licence."""
        version = ".".join(map(str, gurobipy.gurobi.version()))
        try:
            with gurobipy.Env(params={"OutputFlag": 0}) as env, gurobipy.Model(env=env) as model:
                model.addMVar(2001)
                expires = _date(model.LicenseExpiration)
                try:
                    model.optimize()
                except gurobipy.GurobiError as error:
                    if error.errno != TOO_LARGE:
                        raise
                    return Licence("gurobi", Level.SIZE_LIMITED, version, "", 2000, 2000, 200, expires)
                return Licence("gurobi", Level.FULL, version, expires=expires)
        except gurobipy.GurobiError as error:
            return refused("gurobi", version, str(error))

    def solve(self, problem: MixedIntegerProgram, options: SolveOptions) -> RawResult:
        """Solve a problem; products of binary columns as they stand. See `Solver.solve`."""
        with ExitStack() as stack:
            model, columns, owner = _load(stack, problem, options)
            if options.start is not None and not problem.is_lp:
                columns.Start = np.where(np.isnan(options.start), GRB.UNDEFINED, options.start)
            _optimize(model, problem)
            raw = _read(model, problem, owner)
            return replace(raw, pool=_pool(model, raw)) if options.pool and not problem.is_lp else raw

    def warm(self, problem: MixedIntegerProgram) -> WarmLP:
        """Open an LP that grows."""
        return WarmGurobi(problem)

    def rows_used(self, problem: MixedIntegerProgram) -> int:
        """Count a row with two different sides twice: Gurobi has none, it takes two for one."""
        sides = np.isfinite(problem.row_lower).astype(int) + np.isfinite(problem.row_upper)
        return int(sides.sum() - (problem.row_lower == problem.row_upper).sum())


def _date(number: int) -> date | None:
    """Read Gurobi's yyyymmdd."""
    return None if number >= NEVER else date(number // 10000, number // 100 % 100, number % 100)


class WarmGurobi:
    """An LP that grows and is solved from its last basis."""

    def __init__(self, problem: MixedIntegerProgram) -> None:
        self._stack, self._n_rows = ExitStack(), problem.n_rows
        try:
            self._model, _, self._owner = _load(self._stack, problem, SolveOptions())
        except BaseException:
            self._stack.close()
            raise

    def add_columns(
        self, objective: NDArray[np.float64], matrix: sparse.csc_array, bounds: tuple[Any, Any]
    ) -> None:
        """Append columns."""
        rows = np.array(self._model.getConstrs(), dtype=object)
        expanded = sparse.csr_array(matrix)[self._owner].tocsc()
        for j in range(objective.size):  # gurobipy takes columns only one by one
            part = slice(expanded.indptr[j], expanded.indptr[j + 1])
            column = gurobipy.Column(expanded.data[part].tolist(), rows[expanded.indices[part]].tolist())
            self._model.addVar(bounds[0][j], bounds[1][j], objective[j], column=column)
        self._model.update()

    def add_rows(
        self, matrix: sparse.csr_array, lower: NDArray[np.float64], upper: NDArray[np.float64]
    ) -> None:
        """Append rows."""
        columns = gurobipy.MVar.fromlist(self._model.getVars())
        owner = _add_rows(self._model, columns, matrix, lower, upper)
        self._owner = np.append(self._owner, owner + self._n_rows)
        self._n_rows += lower.size
        self._model.update()

    def solve(self, problem: MixedIntegerProgram, time_limit: float | None) -> RawResult:
        """Solve what has been built up, which ``problem`` describes."""
        self._model.Params.TimeLimit = GRB.INFINITY if time_limit is None else time_limit
        _optimize(self._model, problem)
        return _read(self._model, problem, self._owner)

    def close(self) -> None:
        """Free the model and the licence."""
        self._stack.close()


def _load(stack: ExitStack, problem: MixedIntegerProgram, options: SolveOptions) -> tuple[Any, Any, Any]:
    """Build the model; returns it, its columns, and for each of its rows the row of the problem."""
    try:
        env = stack.enter_context(gurobipy.Env(params=_settings(problem, options)))
    except gurobipy.GurobiError as error:
        raise SolverNotAvailableError("gurobi", str(error)) from error
    model = stack.enter_context(gurobipy.Model(env=env))
    kinds = np.where(problem.integrality, GRB.INTEGER, GRB.CONTINUOUS)
    columns = model.addMVar(problem.n_columns, lb=problem.lower, ub=problem.upper, vtype=kinds)
    sense = GRB.MINIMIZE if problem.sense == "min" else GRB.MAXIMIZE
    # gurobipy's annotations do not know None, and its code no read-only array.
    quadratic: Any = None if problem.quadratic is None else problem.quadratic.copy()
    model.setMObjective(quadratic, problem.objective, problem.offset, columns, columns, columns, sense=sense)
    owner = _add_rows(model, columns, problem.matrix, problem.row_lower, problem.row_upper)
    model.update()
    return model, columns, owner


def _settings(problem: MixedIntegerProgram, options: SolveOptions) -> dict[str, Any]:
    """Gurobi's names of the options."""
    settings: dict[str, Any] = {
        "OutputFlag": 0,
        "Threads": options.threads,
        "Seed": options.seed,
        "MIPGap": max(options.gap, EXACT),
        "MIPGapAbs": max(options.gap_abs, EXACT),
        "FeasibilityTol": FEASIBILITY,
        "IntFeasTol": FEASIBILITY,
        "OptimalityTol": FEASIBILITY,
    }
    if not problem.is_lp and _may_be_unbounded(problem):
        settings["DualReductions"] = 0  # with them, Gurobi 13.0.3 calls some unbounded problems optimal
    if options.interior and problem.is_lp:
        settings["Method"] = 2
    if options.target is not None and not problem.is_lp:
        settings["BestObjStop"] = options.target
    if options.time_limit is not None:
        settings["TimeLimit"] = options.time_limit
    if options.work_limit is not None:
        settings["WorkLimit"] = options.work_limit
    return settings


def _may_be_unbounded(problem: MixedIntegerProgram) -> bool:
    """Whether the objective gains without end along some column, the rows left aside."""
    cost = problem.objective if problem.sense == "min" else -problem.objective
    gains = ((cost < 0) & np.isinf(problem.upper)) | ((cost > 0) & np.isinf(problem.lower))
    return bool(gains.any())


def _add_rows(
    model: Any,
    columns: Any,
    matrix: sparse.csr_array,
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
) -> NDArray[np.int64]:
    """Add one row for each side (Gurobi's own range rows bring a column each); returns which row each is of."""
    equal = lower == upper
    parts = (
        (np.flatnonzero(equal), "=", lower),
        (np.flatnonzero(~equal & np.isfinite(lower)), ">", lower),
        (np.flatnonzero(~equal & np.isfinite(upper)), "<", upper),
    )
    for rows, sign, side in parts:
        if rows.size:
            model.addMConstr(matrix[rows], columns, sign, side[rows])
    return np.concatenate([rows for rows, _, _ in parts])


def _optimize(model: Any, problem: MixedIntegerProgram) -> None:
    """Solve; the size of a model is only judged here."""
    try:
        model.optimize()
    except gurobipy.GurobiError as error:
        if error.errno == TOO_LARGE:
            raise Gurobi().too_large(problem, licence("gurobi")) from error
        if error.errno == GRB.Error.NO_LICENSE:
            raise SolverNotAvailableError("gurobi", str(error)) from error
        raise SolverStatusError("gurobi", str(error)) from error


def _pool(model: Any, raw: RawResult) -> tuple[NDArray[np.float64], ...]:
    """The solutions that Gurobi kept on its way, ten at most by its default."""
    if raw.x is None:
        return ()
    points = []
    for number in range(model.SolCount):
        model.Params.SolutionNumber = number
        points.append(np.array(model.getAttr("Xn")))
    return tuple(points)


def _read(model: Any, problem: MixedIntegerProgram, owner: NDArray[np.int64]) -> RawResult:
    """Read back what the status allows."""
    status, nodes = model.Status, int(model.NodeCount)
    if status == GRB.INTERRUPTED:
        raise KeyboardInterrupt  # gurobipy caught it
    if status in LIMITS:
        bound = np.nan if problem.is_lp else float(model.ObjBound)
        if problem.is_lp or model.SolCount == 0:
            return RawResult(Outcome.NO_SOLUTION, bound=bound, nodes=nodes)
        outcome = Outcome.FEASIBLE
    elif status in OUTCOMES:
        outcome = OUTCOMES[status]
        if outcome is Outcome.OPTIMAL and abs(model.ObjVal) >= INFINITE:
            outcome = Outcome.UNBOUNDED  # an "optimal" point at infinity
        if outcome is not Outcome.OPTIMAL:
            return RawResult(outcome, nodes=nodes)
    else:
        names = {value: name for name, value in vars(GRB.Status).items() if not name.startswith("_")}
        raise SolverStatusError("gurobi", names.get(status, str(status)))
    return RawResult(
        outcome,
        x=np.array(model.getAttr("X")),
        objective=float(model.ObjVal),
        bound=np.nan if problem.is_lp else float(model.ObjBound),
        duals=np.bincount(owner, model.getAttr("Pi"), problem.n_rows).astype(float)
        if problem.is_lp
        else None,
        nodes=nodes,
    )
