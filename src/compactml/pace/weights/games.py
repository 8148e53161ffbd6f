"""The best weights on a support: by our simplex method, and by an LP solver for many learners or where that fails."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from compactml.pace.weights._kernels.simplex import game
from compactml.solvers import MixedIntegerProgram, RestrictedMaster

__all__ = ["best_weights", "weights_by_solver"]

LARGEST = 100
"""Learners up to which our simplex method, whose inverse is dense, is about as fast as a solver; at 200 it takes ten
times as long."""
Weights = tuple[float, NDArray[np.float64], NDArray[np.float64]]


def best_weights(margins: NDArray[np.float64], support: NDArray[np.intp]) -> Weights:
    """Find the weights on a support, with sum 1, whose least margin is largest.

    Parameters
    ----------
    margins : ndarray of float, shape (m, k)
        In [-1, 1].
    support : ndarray of int, shape (s,)
        Not empty.

    Returns
    -------
    value : float
        The least margin that the weights reach.
    weights : ndarray of float, shape (s,)
    multipliers : ndarray of float, shape (m,)
        With sum 1; no weights on the support reach more than max over the support of A'u.

    Raises
    ------
    SolverStatusError, VerificationError
        Neither the simplex method nor any LP solver came to an end.
    """
    if support.size <= LARGEST:
        value, weights, multipliers = game(margins, support)
        if np.isfinite(value) and np.isfinite(weights).all():
            return value, weights, multipliers
    return weights_by_solver(margins, support)


def weights_by_solver(margins: NDArray[np.float64], support: NDArray[np.intp]) -> Weights:
    """As `best_weights`, by an LP solver: max v subject to A w >= v, sum w = 1, w >= 0."""
    chosen = margins[:, support]
    m, s = chosen.shape
    rows = np.block([[chosen, -np.ones((m, 1))], [np.ones((1, s)), np.zeros((1, 1))]])
    problem = MixedIntegerProgram(
        np.append(np.zeros(s), 1.0),
        rows,
        row_lower=np.append(np.zeros(m), 1.0),
        row_upper=np.append(np.full(m, np.inf), 1.0),
        lower=np.append(np.zeros(s), -np.inf),
        sense="max",
    )
    with RestrictedMaster(problem) as lp:
        solution = lp.solve()
    weights = np.maximum(solution.x[:s], 0.0)
    weights /= weights.sum()
    prices = np.maximum(-solution.duals[:m], 0.0)
    total = prices.sum()
    multipliers = prices / total if total > 0 else np.full(m, 1.0 / m)
    return float((chosen @ weights).min()), weights, multipliers
