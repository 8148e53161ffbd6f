"""One door to every exact method: the paper's MILPs and parametric algorithms, and our certified one."""

from __future__ import annotations

import math
from collections.abc import Callable
from numbers import Integral, Real
from typing import Any

import numpy as np

from compactml.clock import Clock
from compactml.errors import InvalidParameterError, check_choice, check_finite
from compactml.feature_selection.allowed_sets import best_known
from compactml.feature_selection.common_factors import CommonFactors
from compactml.feature_selection.milp import milp1, milp2, milp3, value_disjunction
from compactml.feature_selection.parametric import binary_search, newton
from compactml.feature_selection.program import FractionalProgram
from compactml.feature_selection.result import FractionalResult, Tolerance
from compactml.solvers import SOLVERS, MixedIntegerProgram, SolveOptions
from compactml.solvers import solve as solve_mip

__all__ = ["METHODS", "solve"]

Builder = Callable[[FractionalProgram, int | None], MixedIntegerProgram]

PARAMETRIC = {"newton": newton, "binary_search": binary_search}
MILPS: dict[str, Builder] = {
    "milp1": milp1,
    "milp2": milp2,
    "milp3": milp3,
    "value_disjunction": value_disjunction,
}
METHODS = ("certified", *PARAMETRIC, *MILPS)
LARGEST_GAP = math.nextafter(1.0, 0.0)  # the solvers take relative gaps below 1 only


def solve(
    program: FractionalProgram,
    *,
    method: str = "certified",
    solver: str = "auto",
    gap_rel: float = 0.01,
    gap_abs: float = 0.001,
    time_limit: float | None = None,
    work_limit: float | None = None,
    n_features: int | None = None,
    early_stop: bool = True,
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
        The run stops when bound - value is at most ``gap_rel * abs(value)`` or at most ``gap_abs``.
    time_limit : float, optional
        Seconds; what compiling takes at the first use comes before them. With 0 the better of all features and the
        best single one is returned, without a bound.
    work_limit : float, optional
        Of each program of the paper's methods, see `compactml.solvers.SolveOptions`. It ends a run at the same place
        every time; "certified" looks at no such limit.
    n_features : int, optional
        Exact size of the set.
    early_stop : bool, default True
        Whether Algorithms 1 and 2 end a parametric problem at a set that is good enough (sections 4.1 and 4.2), or
        solve each to the end.

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
    """
    check_choice("method", method, METHODS)
    tolerance = check_stopping(gap_rel, gap_abs, solver, time_limit)
    _check_limit("work_limit", work_limit)
    _check_size(program, n_features)
    if time_limit == 0:
        return _without_time(program, n_features)
    if method == "certified":
        # Imported here since it compiles kernels that the paper's methods do not need.
        from compactml.feature_selection.certified.proved_optima import certified

        return certified(program, tolerance, time_limit=time_limit, n_features=n_features)
    factors = CommonFactors.of(program)
    scaled, allowed = factors.program(program), factors.tolerance(tolerance)
    if method in PARAMETRIC:
        algorithm: Callable[..., FractionalResult] = PARAMETRIC[method]
        result = algorithm(
            scaled,
            allowed,
            solver=solver,
            time_limit=time_limit,
            work_limit=work_limit,
            n_features=n_features,
            early_stop=early_stop,
        )
    else:
        result = _by_milp(scaled, MILPS[method], allowed, solver, (time_limit, work_limit), n_features)
    return factors.result(program, tolerance, result)


def check_stopping(gap_rel: Any, gap_abs: Any, solver: Any, time_limit: Any) -> Tolerance:
    """Return the two gaps, or raise `InvalidParameterError` where `solve` does not take one of these."""
    check_choice("solver", solver, ("auto", *SOLVERS))
    _check_limit("time_limit", time_limit)
    return Tolerance(check_finite("gap_rel", gap_rel, 0.0), check_finite("gap_abs", gap_abs, 0.0))


def _check_limit(name: str, value: Any) -> None:
    if value is not None and not (_is(Real, value) and 0 <= value < math.inf):
        raise InvalidParameterError(name, "None or a finite number of at least 0", value)


def _check_size(program: FractionalProgram, n_features: Any) -> None:
    p = program.n_features
    if n_features is not None and not (_is(Integral, n_features) and 1 <= n_features <= p):
        raise InvalidParameterError("n_features", f"None or an integer in 1 .. {p}", n_features)


def _is(kind: type, value: Any) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)


def _without_time(program: FractionalProgram, n_features: int | None) -> FractionalResult:
    """The best set known before any work."""
    support = best_known(program, n_features)
    value = program.value(support)
    return FractionalResult(value, math.inf, support, False, None, 0, 0.0, None)


def _by_milp(
    program: FractionalProgram,
    build: Builder,
    tolerance: Tolerance,
    solver: str,
    limits: tuple[float | None, float | None],
    n_features: int | None,
) -> FractionalResult:
    """Solve one MILP; only the set is taken from its solution, the value is recomputed."""
    clock, work_limit = Clock(limits[0]), limits[1]
    problem = build(program, n_features)
    options = SolveOptions(
        time_limit=clock.allowance(),
        work_limit=work_limit,
        gap=min(tolerance.relative, LARGEST_GAP),
        gap_abs=tolerance.absolute,
    )
    result = solve_mip(problem, solver, options)
    bound = math.inf if result.bound is None else result.bound
    support = np.zeros(0, dtype=np.intp)
    value, proved = -math.inf, False
    if result.x is not None:
        support = np.flatnonzero(result.x[: program.n_features] > 0.5)
        value = program.value(support)
        bound = max(bound, value)  # a solver's rounding must not put the bound below a set
        proved = bound - value <= tolerance.allows(value)
    return FractionalResult(value, bound, support, proved, None, 0, clock.seconds, result.choice)
