"""An independent check of every answer: feasibility, objective and bound, recomputed from the problem's matrix."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from compactml.errors import InvalidDataError, check_instance
from compactml.solvers.errors import VerificationError
from compactml.solvers.problem import INFINITE, MixedIntegerProgram, floats
from compactml.solvers.result import EXACT, Outcome, RawResult

__all__ = [
    "Verified",
    "bound_or_infinite",
    "check_known",
    "dual_bound",
    "pool",
    "rounded",
    "rounding_error",
    "verified",
    "violation",
]

TOLERANCE = 1e-6
"""Allowed violation, relative to ``max(1, abs(bound))``; the solvers are asked for a tenth of it."""

SMALL = 1e-6
"""A reduced cost or dual below this does not ask for a bound that is not there."""


@dataclass(frozen=True, eq=False)
class Verified:
    """A solution that stood up to the check; the attributes are those of `SolveResult`."""

    x: NDArray[np.float64]
    objective: float
    bound: float
    gap: float
    duals: NDArray[np.float64] | None
    reduced_costs: NDArray[np.float64] | None


def verified(
    problem: MixedIntegerProgram, solver: str, raw: RawResult, gap: float = 0.0, gap_abs: float = 0.0
) -> Verified:
    """Check a solver's solution; its infeasible or unbounded is taken at its word.

    Raises
    ------
    VerificationError
        The point is infeasible, has another objective than the solver says, or the bound is beyond it; an optimum
        is farther from its bound than ``gap``. The bound of an LP is not the solver's, it is that of its duals.
    """
    assert raw.x is not None
    _check_point(solver, problem, raw, raw.x)
    duals = raw.duals
    bound = bound_or_infinite(problem, raw.bound) if duals is None else dual_bound(solver, problem, duals)
    minimise = problem.sense == "min"
    _check_bound(
        solver,
        raw,
        bound,
        minimise,
        rounding_error(problem, raw.x),
        max(gap * abs(raw.objective), gap_abs),
    )
    x = rounded(problem, raw.x)
    objective = problem.value(x)
    bound = min(bound, objective) if minimise else max(bound, objective)
    costs = None if duals is None else problem.objective - problem.matrix.T @ duals
    for array in (x, duals, costs):
        if array is not None:
            array.flags.writeable = False
    return Verified(x, objective, bound, _relative_gap(objective, bound), duals, costs)


def _relative_gap(objective: float, bound: float) -> float:
    difference = abs(objective - bound)
    if difference <= EXACT:
        return 0.0
    return difference / abs(objective) if objective else np.inf


def bound_or_infinite(problem: MixedIntegerProgram, bound: float) -> float:
    """Return a bound; solvers write that there is none in many ways."""
    if np.isnan(bound) or abs(bound) >= INFINITE:
        return -np.inf if problem.sense == "min" else np.inf
    return float(bound)


def violation(problem: MixedIntegerProgram, x: ArrayLike) -> float:
    """Return the largest violation of a row, a bound or an integrality, relative to ``max(1, abs(bound))``.

    Parameters
    ----------
    problem : MixedIntegerProgram
    x : array-like of float, shape (n,)

    Raises
    ------
    InvalidDataError
        What is no problem, or no vector of so many numbers.
    """
    check_instance("problem", problem, MixedIntegerProgram)
    x = floats("x", x)
    if x.shape != (problem.n_columns,) or np.isnan(x).any():
        raise InvalidDataError("x", f"{problem.n_columns} numbers", f"shape {x.shape}, or NaN")
    activity = problem.matrix @ x
    fraction = np.abs(x - np.round(x))[problem.integrality]
    parts = (
        _excess(problem.row_lower, activity),
        _excess(-problem.row_upper, -activity),
        _excess(problem.lower, x),
        _excess(-problem.upper, -x),
        fraction,
    )
    return float(max(part.max(initial=0.0) for part in parts))


def _excess(bound: NDArray[np.float64], value: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far values lie below their lower bounds."""
    finite = np.isfinite(bound)
    return (bound[finite] - value[finite]) / np.maximum(1.0, np.abs(bound[finite]))


def rounded(problem: MixedIntegerProgram, x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return x with exact integers where that keeps it feasible, x itself where it does not."""
    exact = np.where(problem.integrality, np.round(x), x) + 0.0  # no -0.0
    return exact if violation(problem, exact) <= TOLERANCE else x


def pool(
    problem: MixedIntegerProgram, x: NDArray[np.float64], points: tuple[NDArray[np.float64], ...]
) -> tuple[NDArray[np.float64], ...]:
    """Return the feasible ones of a solver's points, the verified answer ``x`` among them; see `SolveResult.pool`."""
    if not points:
        return ()
    kept = {x.tobytes(): x}
    for point in points:
        if point.shape == x.shape and violation(problem, point) <= TOLERANCE:
            exact = rounded(problem, point)
            kept.setdefault(exact.tobytes(), exact)
    sign = 1.0 if problem.sense == "min" else -1.0
    found = sorted(kept.values(), key=lambda one: sign * problem.value(one))
    for one in found:
        one.flags.writeable = False
    return tuple(found)


def _check_point(solver: str, problem: MixedIntegerProgram, raw: RawResult, x: NDArray[np.float64]) -> None:
    """A point of finite numbers that is feasible and has the objective that the solver says."""
    if x.shape != (problem.n_columns,) or not np.isfinite(x).all():
        raise VerificationError(solver, "number of wrong entries", 0, float((~np.isfinite(x)).sum()))
    found = violation(problem, x)
    if found > TOLERANCE:
        raise VerificationError(solver, "violation of a row, bound or integrality", TOLERANCE, found)
    allowed = rounding_error(problem, x)
    difference = abs(problem.value(x) - raw.objective)
    if not difference <= allowed:
        raise VerificationError(solver, "error of the objective", allowed, difference)


def rounding_error(problem: MixedIntegerProgram, x: NDArray[np.float64]) -> float:
    """Return the difference of two values near x's that is within the tolerance."""
    return TOLERANCE * _scale(problem, x)


def check_known(
    problem: MixedIntegerProgram, solver: str, raw: RawResult, point: NDArray[np.float64]
) -> None:
    """Compare a solver's word with a feasible point that is known from elsewhere.

    Raises
    ------
    VerificationError
        The problem is called infeasible, or the bound excludes the point.
    """
    if raw.outcome is Outcome.INFEASIBLE:
        raise VerificationError(solver, "number of solutions of what is called infeasible", 0, 1)
    bound, value = bound_or_infinite(problem, raw.bound), problem.value(point)
    excess = bound - value if problem.sense == "min" else value - bound
    allowed = rounding_error(problem, point)
    if raw.outcome is not Outcome.UNBOUNDED and excess > allowed:
        raise VerificationError(solver, "excess of the bound over a known solution", allowed, excess)


def _scale(problem: MixedIntegerProgram, x: NDArray[np.float64]) -> float:
    """1 + the size of the objective's terms, in which its rounding error is measured."""
    scale = 1.0 + np.abs(problem.objective * x).sum() + abs(problem.offset)
    if problem.quadratic is not None:  # its linear form may differ by the tolerance in every product
        scale += np.abs(problem.quadratic.data).sum()
    return float(scale)


def _check_bound(
    solver: str, raw: RawResult, bound: float, minimise: bool, allowed: float, gap: float
) -> None:
    """The bound is on its side of the objective, and, of an optimum, as near as the gap that was asked for."""
    distance = raw.objective - bound if minimise else bound - raw.objective
    if -distance > allowed:
        raise VerificationError(solver, "excess of the bound over the objective", allowed, -distance)
    allowed += gap
    if raw.outcome is Outcome.OPTIMAL and not distance <= allowed:
        raise VerificationError(solver, "distance of the bound from a proved optimum", allowed, distance)


def dual_bound(solver: str, problem: MixedIntegerProgram, duals: NDArray[np.float64]) -> float:
    """Return the bound on an LP's optimum that its duals prove.

    For "min": offset + sum of y_i times the side of row i and of d_j times the bound of column j that their signs
    name, d = c - A'y (weak duality).

    Raises
    ------
    VerificationError
        A sign names an infinite side: the duals prove nothing.
    """
    sign = 1.0 if problem.sense == "min" else -1.0
    price = sign * np.concatenate([duals, problem.objective - problem.matrix.T @ duals])
    low = np.concatenate([problem.row_lower, problem.lower])
    high = np.concatenate([problem.row_upper, problem.upper])
    side = np.where(price > 0, low, high)
    needless = ~np.isfinite(side)
    excess = float(np.abs(price[needless]).max(initial=0.0))
    scale = max(1.0, float(np.abs(problem.objective).max()))
    if excess > SMALL * scale:
        raise VerificationError(solver, "infeasibility of the dual solution", SMALL * scale, excess)
    return float(problem.offset + sign * (price[~needless] @ side[~needless]))
