"""The best weights on a support: by our simplex method, and by an LP solver for many learners or where that fails."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from compactml.clock import Clock
from compactml.pace.weights._kernels.simplex import game
from compactml.pace.weights.master import AT_ONCE, entering
from compactml.solvers import MixedIntegerProgram, RestrictedMaster

__all__ = ["best_weights", "weights_by_solver"]

LARGEST = 100
"""Learners up to which our simplex method, whose inverse is dense, is about as fast as a solver; at 200 it takes ten
times as long."""
SLACK = 1e-9
"""What a row may miss without entering the LP."""
Weights = tuple[float, NDArray[np.float64], NDArray[np.float64]]


def best_weights(
    margins: NDArray[np.float64], support: NDArray[np.intp], clock: Clock | None = None
) -> Weights:
    """Find the weights on a support, with sum 1, whose least margin is largest.

    Parameters
    ----------
    margins : ndarray of float, shape (m, k)
        In [-1, 1].
    support : ndarray of int, shape (s,)
        Not empty.
    clock : Clock, optional
        Of the LP solver.

    Returns
    -------
    value : float
        The least margin that the weights reach.
    weights : ndarray of float, shape (s,)
    multipliers : ndarray of float, shape (m,)
        With sum 1; no weights on the support reach more than max over the support of A'u.

    Raises
    ------
    MasterNotSolvedError
        The clock has stopped.
    SolverStatusError, VerificationError
        Neither the simplex method nor any LP solver came to an end.
    """
    if support.size <= LARGEST:
        value, weights, multipliers = game(margins, support)
        if np.isfinite(value) and np.isfinite(weights).all():
            return value, weights, multipliers
    return weights_by_solver(margins, support, clock)


def weights_by_solver(
    margins: NDArray[np.float64], support: NDArray[np.intp], clock: Clock | None = None
) -> Weights:
    """As `best_weights`, by an LP solver: max v subject to A w >= v, sum w = 1, w >= 0.

    Most rows are slack, so they come in when they are violated, the worst of them first.
    """
    clock, chosen = clock or Clock(None), margins[:, support]
    m, s = chosen.shape
    active = np.argsort(chosen.sum(axis=1), kind="stable")[:AT_ONCE]
    problem = MixedIntegerProgram(
        np.append(np.zeros(s), 1.0),
        np.vstack([np.append(np.ones(s), 0.0), _rows(chosen, active)]),
        row_lower=np.append(1.0, np.zeros(len(active))),
        row_upper=np.append(1.0, np.full(len(active), np.inf)),
        lower=np.append(np.zeros(s), -np.inf),
        sense="max",
    )
    with RestrictedMaster(problem) as lp:
        while True:
            solution = lp.solve(clock.allowance())
            worst = entering(solution.x[s] - chosen @ solution.x[:s], active, SLACK)
            if len(worst) == 0:
                break
            lp.add_rows(_rows(chosen, worst), row_lower=0.0)
            active = np.append(active, worst)
    weights = np.maximum(solution.x[:s], 0.0)
    weights /= weights.sum()
    prices = np.zeros(m)
    prices[active] = np.maximum(-solution.duals[1:], 0.0)
    total = prices.sum()
    multipliers = prices / total if total > 0 else np.full(m, 1.0 / m)
    return float((chosen @ weights).min()), weights, multipliers


def _rows(chosen: NDArray[np.float64], which: NDArray[np.intp]) -> NDArray[np.float64]:
    return np.column_stack([chosen[which], np.full(len(which), -1.0)])
