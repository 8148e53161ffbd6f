"""Compiled: a convex quadratic problem on a slice of the simplex, and its linear bound.

All indices are places within the base of some multipliers; ``k`` is their K.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from compactml._kernels import ascending

__all__ = ["FREE", "IN", "OUT", "UNITS", "descend", "linear_bound", "put_on_plane", "value_of_all"]

UNITS = 65535
"""A point is stored as whole units; only its direction counts, it is scaled to the plane e'x = l."""

FREE, IN, OUT = 0, 1, 2


@njit(cache=True)
def put_on_plane(x: NDArray[np.float64], free: NDArray[np.int64], n_free: int, left: int) -> None:
    """Scale the free entries of x, all in [0, 1], so that they sum up to ``left`` and stay in [0, 1]."""
    total = 0.0
    for i in range(n_free):
        x[free[i]] = min(max(x[free[i]], 0.0), 1.0)
        total += x[free[i]]
    if total > left:
        for i in range(n_free):
            x[free[i]] *= left / total
    elif total < left:
        share = (left - total) / (n_free - total)
        for i in range(n_free):
            x[free[i]] += share * (1.0 - x[free[i]])


@njit(cache=True)
def descend(
    k: NDArray[np.float64],
    linear: NDArray[np.float64],
    free: NDArray[np.int64],
    n_free: int,
    left: int,
    x: NDArray[np.float64],
    gradient: NDArray[np.float64],
    tolerance: float,
    max_steps: int,
) -> None:
    """Minimise x'Kx + linear'x over the free entries by exchanging mass between two of them at a time."""
    for i in range(n_free):
        gradient[free[i]] = linear[free[i]]
    for j in range(n_free):
        v = 2.0 * x[free[j]]
        if v > 0.0:
            row = k[free[j]]
            for i in range(n_free):
                gradient[free[i]] += v * row[free[i]]
    for _ in range(max_steps):
        low, high = np.inf, -np.inf
        gets, gives = -1, -1
        for i in range(n_free):
            j = free[i]
            if gradient[j] < low and x[j] < 1.0:
                low, gets = gradient[j], j
            if gradient[j] > high and x[j] > 0.0:
                high, gives = gradient[j], j
        if gets < 0 or gives < 0 or high - low <= tolerance:
            break
        most = min(1.0 - x[gets], x[gives])
        curvature = 2.0 * (k[gets, gets] + k[gives, gives] - 2.0 * k[gets, gives])
        mass = most if curvature <= 0.0 else min(most, (high - low) / curvature)
        if mass == most:  # leave no dust behind
            if x[gives] <= 1.0 - x[gets]:
                x[gets] += x[gives]
                x[gives] = 0.0
            else:
                x[gives] -= 1.0 - x[gets]
                x[gets] = 1.0
        else:
            x[gets] += mass
            x[gives] -= mass
        plus, minus = k[gets], k[gives]
        for i in range(n_free):
            gradient[free[i]] += 2.0 * mass * (plus[free[i]] - minus[free[i]])


@njit(cache=True)
def linear_bound(
    k: NDArray[np.float64],
    linear: NDArray[np.float64],
    constant: float,
    free: NDArray[np.int64],
    n_free: int,
    left: int,
    x: NDArray[np.float64],
    gradient: NDArray[np.float64],
    units: NDArray[np.uint16],
    margin: float,
    decision: NDArray[np.int8],
) -> tuple[float, int]:
    """Return the bound of x, which it rounds to ``units`` first; unless that closes the slice, what it decides.

    Returns the bound and the number of features decided; ``decision`` (by position in ``free``) is IN, OUT or FREE.
    """
    total = 0.0
    for i in range(n_free):
        units[i] = np.uint16(np.round(x[free[i]] * UNITS))
        total += units[i]
    curved = 0.0
    slopes = np.empty(n_free)
    for i in range(n_free):
        gradient[free[i]] = linear[free[i]]
    for j in range(n_free):
        if units[j] > 0:
            v = units[j] * (left / total)
            row = k[free[j]]
            for i in range(n_free):
                gradient[free[i]] += 2.0 * v * row[free[i]]
    for j in range(n_free):
        slopes[j] = gradient[free[j]]
        if units[j] > 0:
            curved += units[j] * (left / total) * (gradient[free[j]] - linear[free[j]])
    order = ascending(slopes)
    bound = constant - curved / 2.0
    for i in range(left):
        bound += slopes[order[i]]
    n_decided = 0
    if bound < margin:
        last_in, first_out = slopes[order[left - 1]], slopes[order[left]]
        for i in range(n_free):
            place = order[i]
            decision[place] = FREE
            if i < left and bound + first_out - slopes[place] >= margin:
                decision[place] = IN
            elif i >= left and bound + slopes[place] - last_in >= margin:
                decision[place] = OUT
            if decision[place] != FREE:
                n_decided += 1
    return bound, n_decided


@njit(cache=True)
def value_of_all(
    m: NDArray[np.float64], linear: NDArray[np.float64], constant: float, free: NDArray[np.int64], n_free: int
) -> float:
    """Return F with all free features in."""
    value = constant
    for i in range(n_free):
        value += linear[free[i]]
        for j in range(n_free):
            value += m[free[i], free[j]]
    return value
