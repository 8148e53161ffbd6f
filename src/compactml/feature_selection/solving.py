"""One door to every exact method: the paper's MILPs and parametric algorithms, and our certified one."""

from __future__ import annotations

import math
from collections.abc import Callable
from numbers import Integral
from typing import Any

import numpy as np

from compactml.clock import Clock
from compactml.errors import InvalidParameterError, check_choice, check_finite, check_instance
from compactml.feature_selection.allowed_sets import best_known
from compactml.feature_selection.common_factors import CommonFactors
from compactml.feature_selection.milp import milp1, milp2, milp3, value_disjunction
from compactml.feature_selection.parametric import binary_search, newton
from compactml.feature_selection.program import FractionalProgram
from compactml.feature_selection.result import FractionalResult, Tolerance
from compactml.solvers import SOLVERS, MixedIntegerProgram, Outcome, SolveOptions
from compactml.solvers import solve as solve_mip
from compactml.solvers.problem import leaves_time_for
from compactml.watch import Callback, Watch, checked_limit

__all__ = ["METHODS", "check_stopping", "ended_by_limit", "solve", "solve_watched"]

Builder = Callable[[FractionalProgram, int | None], MixedIntegerProgram]

PARAMETRIC = {"newton": newton, "binary_search": binary_search}
MILPS: dict[str, Builder] = {
    "milp1": milp1,
    "milp2": milp2,
    "milp3": milp3,
    "value_disjunction": value_disjunction,
}
ENTRIES = 6
"""Of the matrix of a MILP, at most, for each pair (j, k)."""
METHODS = ("certified", *PARAMETRIC, *MILPS)
NEARLY = 0.01
"""Part of the time limit that is left where a solver counts as stopped by it."""
LARGEST_GAP = math.nextafter(1.0, 0.0)  # the solvers take relative gaps below 1 only


def solve(
    program: FractionalProgram,
    *,
    method: str = "certified",
    solver: str = "auto",
    gap_rel: float = 0.01,
    gap_abs: float = 0.001,
    time_limit: float | None = 60.0,
    work_limit: float | None = None,
    n_features: int | None = None,
    early_stop: bool = True,
    verbose: bool = False,
    callback: Callback | None = None,
) -> FractionalResult:
    """Find the best set of features and prove how far from the best it can be at most.

    Parameters
    ----------
    program : FractionalProgram
    method : {"certified", "newton", "binary_search", "milp1", "milp2", "milp3", "value_disjunction"}
        "certified" is our own bounds and branch and bound, without a solver. The others are the paper's: Algorithms 2
        and 1, its three MILPs and its model (12). "milp3" and "value_disjunction" take mRMR only.
    solver : {"auto", "gurobi", "cplex", "highs", "scip"}
        For the paper's methods.
    gap_rel, gap_abs : float
        The run stops, and the set is called proved, when bound - value is at most ``gap_rel * abs(value)`` or at most
        ``gap_abs``. The defaults are the paper's; where values are small pass a smaller ``gap_abs``, as selectors do.
    time_limit : float or None, default=60.0
        Seconds of the whole call, None for no limit; what compiling takes does not count. With 0
        the better of all features and the best single one is returned, without a bound.
    work_limit : float, optional
        Of each program of the paper's methods, see `compactml.solvers.SolveOptions`. It ends a run at the same place
        every time; "certified" looks at no such limit.
    n_features : int, optional
        Exact size of the set; that of the program by default, where it values one size only.
    early_stop : bool, default True
        Whether Algorithms 1 and 2 end a parametric problem at a set that is good enough (sections 4.1 and 4.2), or
        solve each to the end.
    verbose : bool, default False
        Print a line at each change of value or bound.
    callback : callable (News) -> object, optional
        Called at each change of value or bound, see `compactml.watch.News`.

    Returns
    -------
    FractionalResult
        Of a MILP, what its solver found: value -inf and no features where it stopped without a set.

    Raises
    ------
    InvalidParameterError
        An argument outside of what is allowed.
    InvalidDataError
        "milp3" or "value_disjunction" on a program whose g is not the square of the number of features.
    ModelTooLargeError, SolverNotAvailableError
        A solver that was asked for by name cannot take the problem.

    Warns
    -----
    EndedEarlyWarning
        A limit ended the run before the gaps were met: with value, bound and gap.
    """
    check_instance("program", program, FractionalProgram)
    check_choice("method", method, METHODS)
    check_choice("early_stop", early_stop, (True, False))
    tolerance, limit = check_stopping(gap_rel, gap_abs, solver), checked_limit(time_limit)
    work_limit = None if work_limit is None else check_finite("work_limit", work_limit, 0.0)
    n_features = checked_size(program, n_features)
    watch = Watch("solve", Clock(limit), verbose=verbose, callback=callback)
    result = solve_watched(
        program, tolerance, watch, method, solver,
        work_limit=work_limit, n_features=n_features, early_stop=early_stop,
    )  # fmt: skip
    if ended_by_limit(result, method, watch.clock):
        watch.warn(result.value, result.bound)
    elif not result.proved and work_limit is not None and method != "certified":
        watch.warn(result.value, result.bound, limit=f"work_limit={work_limit:g}")
    return result


def solve_watched(
    program: FractionalProgram,
    tolerance: Tolerance,
    watch: Watch,
    method: str,
    solver: str,
    *,
    work_limit: float | None = None,
    n_features: int | None = None,
    early_stop: bool = True,
) -> FractionalResult:
    """`solve` under the clock of a watch, without its checks and its warning."""
    if watch.clock.stopped():
        return _without_time(program, n_features, watch)
    if method == "certified":
        # Imported here since it compiles kernels that the paper's methods do not need.
        from compactml.feature_selection.certified.proved_optima import certified

        return certified(program, tolerance, n_features=n_features, watch=watch)
    factors = CommonFactors.of(program)
    scaled, allowed, told = factors.program(program), factors.tolerance(tolerance), factors.watch(watch)
    if method in PARAMETRIC:
        algorithm: Callable[..., FractionalResult] = PARAMETRIC[method]
        result = algorithm(
            scaled,
            allowed,
            solver=solver,
            work_limit=work_limit,
            n_features=n_features,
            early_stop=early_stop,
            watch=told,
        )
    else:
        result = _by_milp(scaled, MILPS[method], allowed, solver, told, work_limit, n_features)
    return factors.result(program, tolerance, result)


def ended_by_limit(result: FractionalResult, method: str, clock: Clock) -> bool:
    """Whether the limit has ended a run: solvers may stop a little before it, ours where no step fits."""
    if result.proved or clock.limit is None or method == "greedy":
        return False
    return (method == "certified" and result.certificate is None) or clock.left <= NEARLY * clock.limit


def check_stopping(gap_rel: Any, gap_abs: Any, solver: Any) -> Tolerance:
    """Return the two gaps, or raise `InvalidParameterError` where `solve` does not take one of these."""
    check_choice("solver", solver, ("auto", *SOLVERS))
    return Tolerance(check_finite("gap_rel", gap_rel, 0.0), check_finite("gap_abs", gap_abs, 0.0))


def checked_size(program: FractionalProgram, n_features: Any) -> int | None:
    """Return the size of the sets, or raise `InvalidParameterError`."""
    if n_features is None:
        return program.size
    low, high = (1, program.n_features) if program.size is None else (program.size, program.size)
    whole = isinstance(n_features, Integral) and not isinstance(n_features, bool)
    if not (whole and low <= n_features <= high):
        raise InvalidParameterError("n_features", f"None or an integer in {low} .. {high}", n_features)
    return int(n_features)


def _without_time(program: FractionalProgram, n_features: int | None, watch: Watch) -> FractionalResult:
    """The best set known before any work."""
    support = best_known(program, n_features)
    value = program.value(support)
    watch.tell(value, math.inf)
    return FractionalResult(value, math.inf, support, False, None, 0, watch.clock.seconds, None)


def _by_milp(
    program: FractionalProgram,
    build: Builder,
    tolerance: Tolerance,
    solver: str,
    watch: Watch,
    work_limit: float | None,
    n_features: int | None,
) -> FractionalResult:
    """Solve one MILP; only the set is taken from its solution, the value is recomputed."""
    bound, support, value, proved, choice = math.inf, np.zeros(0, dtype=np.intp), -math.inf, False, None
    if not leaves_time_for(ENTRIES * program.n_features**2, watch.clock):
        watch.clock.end()
        return _without_time(program, n_features, watch)
    with watch.interruptible():
        problem = build(program, n_features)
        options = SolveOptions(
            time_limit=watch.clock.allowance(),
            work_limit=work_limit,
            gap=min(tolerance.relative, LARGEST_GAP),
            gap_abs=tolerance.absolute,
        )
        result = solve_mip(problem, solver, options)
        bound, choice = math.inf if result.bound is None else result.bound, result.choice
        if result.x is not None:
            support = np.flatnonzero(result.x[: program.n_features] > 0.5)
            value = program.value(support)
            bound = max(bound, value)  # a solver's rounding must not put the bound below a set
            proved = bound - value <= tolerance.allows(value)
        if work_limit is None and result.outcome in (Outcome.FEASIBLE, Outcome.NO_SOLUTION):
            watch.clock.end()  # a solver may stop well before its limit
        watch.tell(value, bound)
    return FractionalResult(value, bound, support, proved, None, 0, watch.clock.seconds, choice)
