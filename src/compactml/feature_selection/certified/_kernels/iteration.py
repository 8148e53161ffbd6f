"""Compiled passes over the matrices of a relaxation's iteration: three instead of some twenty."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray


@njit(cache=True)
def sums_of_rest(
    c: NDArray[np.float64], x: NDArray[np.float64], z: NDArray[np.float64], n: NDArray[np.float64], s: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Row sums and diagonal of C - Z - N - X / s."""
    p = len(c)
    sums, diagonal = np.empty(p), np.empty(p)
    for i in range(p):
        total = 0.0
        for j in range(p):
            total += c[i, j] - z[i, j] - n[i, j] - x[i, j] / s
        sums[i], diagonal[i] = total, c[i, i] - z[i, i] - n[i, i] - x[i, i] / s
    return sums, diagonal


@njit(cache=True)
def update_n(
    c: NDArray[np.float64],
    x: NDArray[np.float64],
    z: NDArray[np.float64],
    n: NDArray[np.float64],
    s: float,
    constant: float,
    half: NDArray[np.float64],
    y: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    """N = max(0, C - A*y - Z - X / s) off the diagonal, and ``out`` = C - A*y - N - X / s."""
    p = len(c)
    for i in range(p):
        for j in range(p):
            rest = c[i, j] - x[i, j] / s - constant + half[i] + half[j]
            if i == j:
                rest -= y[i]
                n[i, j] = 0.0
            else:
                n[i, j] = max(0.0, rest - z[i, j])
            out[i, j] = rest - n[i, j]


@njit(cache=True)
def update_x_and_z(
    w: NDArray[np.float64],
    negative: NDArray[np.float64],
    s: float,
    step: float,
    x: NDArray[np.float64],
    z: NDArray[np.float64],
) -> float:
    """Z = W + its negative part, X towards s times that; returns the norm of X's change at a full step."""
    p = len(w)
    moved = 0.0
    for i in range(p):
        for j in range(p):
            z[i, j] = w[i, j] + negative[i, j]
            change = s * negative[i, j] - x[i, j]
            moved += change * change
            x[i, j] += step * change
    return np.sqrt(moved)
