"""Compiled tabu search over sets of features for the ratio f / g."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray


@njit(cache=True)
def after(
    j: int,
    sign: float,
    f: float,
    g: float,
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    c: NDArray[np.float64],
    d: NDArray[np.float64],
    bx: NDArray[np.float64],
    dx: NDArray[np.float64],
) -> tuple[float, float]:
    """Numerator and denominator after feature j enters (sign 1) or leaves (sign -1); ``b`` and ``d`` are diagonals."""
    return f + sign * (a[j] + 2 * bx[j]) + b[j], g + sign * (c[j] + 2 * dx[j]) + d[j]


@njit(cache=True)
def best_move(
    x: NDArray[np.int64],
    inside: int,
    f: float,
    g: float,
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    c: NDArray[np.float64],
    d: NDArray[np.float64],
    bx: NDArray[np.float64],
    dx: NDArray[np.float64],
    until: NDArray[np.int64],
    now: int,
    record: float,
) -> int:
    """The feature to flip for the largest ratio, -1 if none; a tabu one only if it beats ``record``.

    ``inside`` says which may be flipped: 1 those of the set, 0 the others, 2 all.
    """
    chosen, value = -1, -np.inf
    for j in range(len(x)):
        if x[j] == 1 - inside:
            continue
        new_f, new_g = after(j, 1.0 - 2.0 * x[j], f, g, a, b, c, d, bx, dx)
        if new_g <= 0:
            continue  # the empty set, or close to it by rounding
        h = new_f / new_g
        if h > value and (until[j] <= now or h > record):
            chosen, value = j, h
    return chosen


@njit(cache=True)
def tabu(
    x: NDArray[np.int64],
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    c: NDArray[np.float64],
    d: NDArray[np.float64],
    n_steps: int,
    tenure: int,
    fixed_size: bool,
) -> float:
    """Improve the set ``x`` (0/1) in place, with all the time the best set kept; returns its ratio.

    A step flips a feature; with ``fixed_size`` one enters and then one leaves. What has moved stays for ``tenure``
    steps. The sums B x and D x are kept up to date, so a step costs O(p).
    """
    p = len(x)
    bx, dx = np.zeros(p), np.zeros(p)
    own_b, own_d = np.empty(p), np.empty(p)  # read p times a step, so side by side
    f, g, size = 0.0, 0.0, np.int64(0)
    for j in range(p):
        own_b[j], own_d[j] = b[j, j], d[j, j]
        size += x[j]
    for j in range(p):
        if x[j]:
            f, g = after(j, 1.0, f, g, a, own_b, c, own_d, bx, dx)
            for i in range(p):
                bx[i] += b[j, i]
                dx[i] += d[j, i]
    record, best = f / g, x.copy()
    until = np.zeros(p, dtype=np.int64)
    for now in range(1, n_steps + 1):
        for move in range(2 if fixed_size else 1):
            inside = move if fixed_size else 2
            limit = np.inf if fixed_size and move == 0 else record
            j = best_move(x, inside, f, g, a, own_b, c, own_d, bx, dx, until, now, limit)
            if j < 0 or (x[j] and size == 1):
                break
            sign = 1.0 - 2.0 * x[j]
            f, g = after(j, sign, f, g, a, own_b, c, own_d, bx, dx)
            for i in range(p):
                bx[i] += sign * b[j, i]
                dx[i] += sign * d[j, i]
            x[j] = 1 - x[j]
            size += 2 * x[j] - 1
            until[j] = now + tenure + 1
        if f / g > record + 1e-14 * abs(record):
            record = f / g
            for i in range(p):
                best[i] = x[i]
    for i in range(p):
        x[i] = best[i]
    return record
