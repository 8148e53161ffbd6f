"""HiGHS: one problem solved once, and an LP that is kept warm. Nothing of highspy leaves this module."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import highspy
import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from compactml.solvers.adapter import Features, Solver, WarmLP
from compactml.solvers.backends.banner import without_banner
from compactml.solvers.backends.highs_apart import IS_POSSIBLE, Told, solved_apart
from compactml.solvers.backends.highs_late import in_haste, is_deaf, lateness
from compactml.solvers.errors import SolverStatusError
from compactml.solvers.licences import Level, Licence
from compactml.solvers.problem import MixedIntegerProgram
from compactml.solvers.result import EXACT, FEASIBILITY, Outcome, RawResult, SolveOptions

__all__ = ["Highs", "WarmHighs"]

NODES_PER_WORK, ITERATIONS_PER_WORK = 1000, 10_000
NEW: Any = highspy.Highs  # not annotated
with without_banner():  # printed with the first object of a process only
    VERSION: str = NEW().version()
WARM = {"presolve": "off", "simplex_strategy": 0}
"""Strategy 0 takes the primal simplex after new columns, the dual one after new rows; the default is always dual."""
HASTY = {"presolve": "off", "mip_detect_symmetry": False, "mip_heuristic_run_feasibility_jump": False}
"""Without what never looks at the clock. Feasibility jump took 25 s of a limit of 3, on a form of 1,000 features."""
LATE = 0.1
"""Seconds after a limit that nobody minds; what would stop later and has no time in haste does not begin."""
STATUS = highspy.HighsModelStatus
LIMITS = (
    STATUS.kTimeLimit,
    STATUS.kIterationLimit,
    STATUS.kSolutionLimit,
    STATUS.kObjectiveTarget,
)  # kSolutionLimit: of nodes
OUTCOMES = {
    STATUS.kOptimal: Outcome.OPTIMAL,
    STATUS.kInfeasible: Outcome.INFEASIBLE,
    STATUS.kUnbounded: Outcome.UNBOUNDED,
    STATUS.kUnboundedOrInfeasible: Outcome.UNBOUNDED,
}


class Highs(Solver):
    """HiGHS, without a licence or a limit; products of binary columns reach it in a linear form.

    A restart presolves the program once more without a look at the clock, and 1.16.0 may not come back from it: on the
    pricing program of a fold of WDBC ``HPresolve::strengthenInequalities`` ran for 20 minutes, for a limit of 15 s, and
    was killed. Without restarts the optimum is there after 7 s. So none is allowed.

    From a start, 1.16.0 reports an objective that its point does not have in about one of 400 small programs (counts
    in ``benchmarks/highs_random.py``); the verification finds it, and `solve` asks once more without the start.
    """

    name = "highs"
    features = Features(quadratic=False)

    def licence(self) -> Licence:
        """Return the licence, which is free for all sizes."""
        return Licence("highs", Level.OPEN, VERSION)

    def solve(self, problem: MixedIntegerProgram, options: SolveOptions) -> RawResult:
        """Solve a problem without quadratic terms. See `Solver.solve`."""
        limit = None if problem.is_lp else options.time_limit
        if limit is not None and IS_POSSIBLE and is_deaf(problem, limit):
            return solved_apart(problem, options)
        settings = _settings(problem, options)
        if limit is not None and settings["time_limit"] == 0.0 and lateness(problem, limit) > LATE:
            return RawResult(Outcome.NO_SOLUTION, bound=np.nan)
        return _solved(problem, options, _load(problem, settings))

    def solve_here(self, problem: MixedIntegerProgram, options: SolveOptions, told: Told) -> RawResult:
        """Solve in a process that another one ends: the limit is as it is, better solutions and bounds are told."""
        limit = {} if options.time_limit is None else {"time_limit": options.time_limit}
        highs = _load(problem, _settings(problem, options) | limit)
        highs.cbMipImprovingSolution.subscribe(
            lambda event: told(np.array(event.data_out.mip_solution), event.data_out.mip_dual_bound)
        )
        highs.cbMipInterrupt.subscribe(lambda event: told(None, event.data_out.mip_dual_bound))
        return _solved(problem, options, highs)

    def warm(self, problem: MixedIntegerProgram) -> WarmLP:
        """Open an LP that grows."""
        return WarmHighs(problem)


class WarmHighs:
    """An LP that grows and is solved from its last basis."""

    def __init__(self, problem: MixedIntegerProgram) -> None:
        self._highs = _load(problem, _settings(problem, SolveOptions()) | WARM)

    def add_columns(
        self, objective: NDArray[np.float64], matrix: sparse.csc_array, bounds: tuple[ArrayLike, ArrayLike]
    ) -> None:
        """Append columns; the basis stays primal feasible."""
        self._highs.addCols(objective.size, objective, *bounds, matrix.nnz, *_arrays(matrix))

    def add_rows(
        self, matrix: sparse.csr_array, lower: NDArray[np.float64], upper: NDArray[np.float64]
    ) -> None:
        """Append rows; the basis stays dual feasible."""
        self._highs.addRows(lower.size, lower, upper, matrix.nnz, *_arrays(matrix))

    def solve(self, problem: MixedIntegerProgram, time_limit: float | None) -> RawResult:
        """Solve what has been built up, which ``problem`` describes."""
        limit = np.inf if time_limit is None else self._highs.getRunTime() + time_limit  # its clock runs on
        self._highs.setOptionValue("time_limit", limit)
        return _run(self._highs, problem)

    def close(self) -> None:
        """Free the model."""
        self._highs.clear()


def _settings(problem: MixedIntegerProgram, options: SolveOptions) -> dict[str, Any]:
    """HiGHS's names of the options."""
    settings: dict[str, Any] = {
        "output_flag": False,
        "threads": options.threads,
        "mip_allow_restart": False,
        "random_seed": options.seed,
        "mip_rel_gap": max(options.gap, EXACT),
        "mip_abs_gap": max(options.gap_abs, EXACT),
        "mip_feasibility_tolerance": FEASIBILITY,
        "primal_feasibility_tolerance": FEASIBILITY,
        "dual_feasibility_tolerance": FEASIBILITY,
    }
    if options.interior and problem.is_lp:
        settings["solver"] = "ipm"
    if options.target is not None and not problem.is_lp:
        settings["objective_target"] = float(options.target)
    if options.time_limit is not None:
        settings["time_limit"] = float(options.time_limit)
        if not problem.is_lp:
            settings |= HASTY if in_haste(problem, options.time_limit) else {}
            late = lateness(problem, options.time_limit)
            settings["time_limit"] = max(options.time_limit - late, 0.0)
    if options.work_limit is not None and problem.is_lp:
        settings["simplex_iteration_limit"] = int(ITERATIONS_PER_WORK * options.work_limit)
    elif options.work_limit is not None:
        settings["mip_max_nodes"] = int(NODES_PER_WORK * options.work_limit)
    return settings


def _load(problem: MixedIntegerProgram, settings: dict[str, Any]) -> Any:
    """Hand the arrays over in one call."""
    highs = NEW()
    for name, value in settings.items():
        _check(highs.setOptionValue(name, value), f"option {name}")
    loaded = highs.passModel(
        problem.n_columns,
        problem.n_rows,
        problem.matrix.nnz,
        int(highspy.MatrixFormat.kRowwise),
        int(highspy.ObjSense.kMinimize if problem.sense == "min" else highspy.ObjSense.kMaximize),
        problem.offset,
        problem.objective,
        problem.lower,
        problem.upper,
        problem.row_lower,
        problem.row_upper,
        *_arrays(problem.matrix),
        problem.integrality.astype(np.int32),
    )
    _check(loaded, "model")
    return highs


def _arrays(matrix: Any) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
    """Starts, indices and values of a compressed matrix, as HiGHS wants them."""
    return matrix.indptr[:-1].astype(np.int32), matrix.indices.astype(np.int32), matrix.data


def _check(status: Any, what: str) -> None:
    if status == highspy.HighsStatus.kError:
        raise SolverStatusError("highs", f"{what} refused")


def _solved(problem: MixedIntegerProgram, options: SolveOptions, highs: Any) -> RawResult:
    """Begin from the start, and keep the pool."""
    if problem.is_lp:
        return _run(highs, problem)
    if options.start is not None:
        known = np.flatnonzero(~np.isnan(options.start)).astype(np.int32)
        highs.setSolution(known.size, known, options.start[known])
    pool: list[NDArray[np.float64]] = []
    if options.pool:
        highs.cbMipSolution.subscribe(lambda event: pool.append(np.array(event.data_out.mip_solution)))
    return replace(_run(highs, problem), pool=tuple(pool))


def _run(highs: Any, problem: MixedIntegerProgram) -> RawResult:
    """Run and read back; the return value of ``run`` is a warning at every limit and says nothing."""
    if highs.run() == highspy.HighsStatus.kError and highs.getModelStatus() == STATUS.kNotset:
        # The scheduler of the whole process still has the number of threads of an earlier model.
        highs.resetGlobalScheduler(True)
        highs.run()
    if highs.getModelStatus() == STATUS.kSolveError:
        # Presolve fixes an integer column at a fraction (3 x = 1) and gives up, instead of calling it infeasible.
        highs.clearSolver()
        highs.setOptionValue("presolve", "off")
        highs.run()
    status, info, solution = highs.getModelStatus(), highs.getInfo(), highs.getSolution()
    nodes = max(0, int(info.mip_node_count))
    if status in LIMITS:
        bound = float(info.mip_dual_bound) if not problem.is_lp else np.nan
        if problem.is_lp or info.primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
            return RawResult(Outcome.NO_SOLUTION, bound=bound, nodes=nodes)
        outcome = Outcome.FEASIBLE
    elif status in OUTCOMES:
        outcome = OUTCOMES[status]
        if outcome is not Outcome.OPTIMAL:
            return RawResult(outcome, nodes=nodes)
    else:
        raise SolverStatusError("highs", highs.modelStatusToString(status))
    return RawResult(
        outcome,
        x=np.array(solution.col_value),
        objective=float(info.objective_function_value),
        bound=float(info.mip_dual_bound),
        duals=np.array(solution.row_dual) if problem.is_lp else None,
        nodes=nodes,
    )
