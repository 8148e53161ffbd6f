"""(P0) as a mixed-integer program with bounds on the weights that are valid.

    min  sum_h z_h
    s.t. A w >= epsilon,  sum_h w_h = 1,  0 <= w_h <= M_h z_h,  z binary

The scale of the weights is free, so their sum is fixed. M_h is the largest w_h of all weights that meet the rows, found
by a small LP; 1 would do, too. Learners may have costs: then the objective is sum_h c_h z_h. (With the rows A w >= 1
and M the sum of the weights that minimise it, as in Fipe's l0 model, sparser supports may be cut off: oracle O2 of the
tests.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from compactml.clock import Clock
from compactml.pace.weights._kernels.simplex import OPTIMAL, cover
from compactml.pace.weights.games import best_weights
from compactml.solvers import MixedIntegerProgram, Outcome, SolveOptions, SolverChoice, solve

__all__ = ["LEAST_EPSILON", "LeastSupport", "least_support", "weight_bounds"]

SCALE = 100.0
"""Rows of the program are multiplied by it, so that epsilon stays far above the solvers' tolerance of 1e-7."""
LEAST_EPSILON = 1e-6
FIRST_ROWS = 100
TOLERANCE = 1e-6


@dataclass(frozen=True, eq=False)
class LeastSupport:
    """Answer of the program.

    Attributes
    ----------
    support : ndarray of int or None
        Reaches epsilon on all rows; None if none was found that is smaller than the start.
    bound : int
        Proved: every support that reaches epsilon costs at least as much.
    choice : SolverChoice or None
        None if the time ran out before a solver was asked.
    """

    support: NDArray[np.intp] | None
    bound: int
    choice: SolverChoice | None


def weight_bounds(margins: NDArray[np.float64], epsilon: float, clock: Clock) -> NDArray[np.float64]:
    """Return M_h = max w_h subject to A w >= epsilon, sum w = 1, w >= 0; shape (k,).

    Each bound is the value of a dual solution, so it holds whatever the simplex method did; 1 where there is none,
    also for the learners that the time does not suffice for.
    """
    rows = margins - epsilon  # sum w = 1 makes the rows homogeneous, then w_h = 1 instead
    bounds = np.ones(rows.shape[1])
    for h in range(rows.shape[1]):
        if clock.stopped():
            break
        others = np.ascontiguousarray(np.delete(rows, h, axis=1))
        if others.shape[1] == 0:
            continue
        status, _, p = cover(others, -rows[:, h].copy())
        if status == OPTIMAL:
            p = p / max(1.0, float((p @ others).max()))
            bounds[h] = 1.0 / (1.0 + max(0.0, float(-rows[:, h] @ p)))
    return np.minimum(bounds + TOLERANCE, 1.0)


def least_support(
    margins: NDArray[np.float64],
    epsilon: float,
    start: NDArray[np.intp],
    bound: int,
    largest: NDArray[np.float64],
    *,
    solver: str = "auto",
    work_limit: float | None = None,
    clock: Clock,
    random_state: int = 0,
    costs: NDArray[np.int64] | None = None,
) -> LeastSupport:
    """Find a smallest support that reaches epsilon; rows enter the program when they are violated.

    Parameters
    ----------
    margins : ndarray of float, shape (m, k)
    epsilon : float
        Least margin of weights with sum 1; at least `LEAST_EPSILON`.
    start : ndarray of int
        A support that reaches epsilon.
    bound : int
        A known lower bound on the cost.
    largest : ndarray of float, shape (k,)
        Upper bounds on the weights, from `weight_bounds` on these rows or some of them.
    solver : {"auto", "gurobi", "cplex", "highs", "scip"}
    work_limit : float, optional
        Of each program that is solved, see `compactml.solvers.SolveOptions`.
    clock : Clock
    random_state : int
    costs : ndarray of int, shape (k,), optional
        Of the learners; by default 1 each.
    """
    price = np.ones(margins.shape[1], dtype=np.int64) if costs is None else costs
    worth = int(price[start].sum())
    weights = np.zeros(margins.shape[1])
    weights[start] = best_weights(margins, start)[1]
    active = np.argsort(margins @ weights, kind="stable")[:FIRST_ROWS]
    best, choice = None, None
    while bound < worth and not clock.stopped():
        program = _program(margins[active], epsilon, largest, bound, price)
        begin = np.concatenate([weights, weights > 0])
        options = SolveOptions(
            time_limit=clock.allowance(), work_limit=work_limit, seed=random_state, start=begin
        )
        result = solve(program, solver, options)
        choice = result.choice
        if result.bound is not None and np.isfinite(result.bound):
            bound = max(bound, math.ceil(result.bound - TOLERANCE))
        if result.outcome is Outcome.INFEASIBLE or result.x is None:
            break
        support = np.flatnonzero(result.x[margins.shape[1] :] > 0.5)
        value, w, _ = best_weights(margins, support)
        if value >= epsilon:
            best = support if price[support].sum() < worth else None
            break
        if result.outcome is not Outcome.OPTIMAL:
            break
        grown = np.union1d(active, _violated(margins, support, w, active))
        if len(grown) == len(active):  # short of epsilon by less than the solver's tolerance: the same again
            break
        active = grown
    return LeastSupport(best, min(bound, worth), choice)


def _program(
    margins: NDArray[np.float64],
    epsilon: float,
    largest: NDArray[np.float64],
    bound: int,
    price: NDArray[np.int64],
) -> MixedIntegerProgram:
    m, k = margins.shape
    rows = sparse.bmat(
        [
            [SCALE * sparse.csr_array(margins), sparse.csr_array((m, k))],
            [sparse.csr_array(np.ones((1, k))), None],
            [sparse.eye_array(k), -sparse.diags_array(largest)],
            [None, sparse.csr_array(price[None].astype(np.float64))],
        ],
        format="csr",
    )
    return MixedIntegerProgram(
        objective=np.concatenate([np.zeros(k), price]),
        matrix=rows,
        row_lower=np.concatenate([np.full(m, SCALE * epsilon), [1.0], np.full(k, -np.inf), [bound]]),
        row_upper=np.concatenate([np.full(m, np.inf), [1.0], np.zeros(k), [np.inf]]),
        upper=np.concatenate([largest, np.ones(k)]),
        integrality=np.repeat([False, True], k),
    )


def _violated(
    margins: NDArray[np.float64],
    support: NDArray[np.intp],
    weights: NDArray[np.float64],
    active: NDArray[np.intp],
) -> NDArray[np.intp]:
    """The rows of a proof that the support fails, and those that its best weights violate most."""
    _, _, u = best_weights(margins, support)
    reached = margins[:, support] @ weights
    reached[active] = np.inf
    return np.union1d(np.flatnonzero(u > 0), np.argsort(reached, kind="stable")[:20])
