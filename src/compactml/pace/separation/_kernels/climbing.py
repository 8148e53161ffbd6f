"""Compiled hill climbing on codes over packed pieces."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from compactml.pace.separation.pieces import Packed, Values


@njit(cache=True)
def violated(packed: Packed, t: int, bound: int, point: NDArray[np.int64]) -> int:
    """The only feature in which a point is outside a box of piece t: -1 if none is, -2 if several are."""
    outside = -1
    for f in range(packed.first_feature[t + 1] - packed.first_feature[t]):
        code = point[packed.features[packed.first_feature[t] + f]]
        if code < packed.low[bound + f] or code > packed.high[bound + f]:
            if outside >= 0:
                return -2
            outside = f
    return outside


@njit(cache=True)
def add(total: NDArray[np.int64], values: NDArray[np.int64]) -> None:
    for r in range(len(total)):
        total[r] += values[r]


@njit(cache=True)
def take(total: NDArray[np.int64], values: NDArray[np.int64]) -> None:
    for r in range(len(total)):
        total[r] -= values[r]


@njit(cache=True)
def survey(
    packed: Packed,
    values: NDArray[np.int64],
    least: NDArray[np.int64],
    point: NDArray[np.int64],
    slack: NDArray[np.int64],
    change: NDArray[np.int64],
) -> None:
    """The slack of every row at a point, and its change when one feature gets another code."""
    for r in range(len(least)):
        slack[r] = -least[r]
    change[:] = 0
    for t in range(len(packed.first) - 1):
        f0, width = packed.first_feature[t], packed.first_feature[t + 1] - packed.first_feature[t]
        bound = packed.first_bound[t]
        for box in range(packed.first[t], packed.first[t + 1]):
            outside = violated(packed, t, bound, point)
            if outside >= 0:  # reached by changing this feature
                place = packed.offset[packed.features[f0 + outside]]
                for k in range(packed.low[bound + outside], packed.high[bound + outside] + 1):
                    add(change[place + k], values[box])
            elif outside == -1:  # left by changing any of its features beyond its bounds
                add(slack, values[box])
                for f in range(width):
                    j = packed.features[f0 + f]
                    place = packed.offset[j]
                    for k in range(packed.low[bound + f]):
                        take(change[place + k], values[box])
                    for k in range(packed.high[bound + f] + 1, packed.offset[j + 1] - place):
                        take(change[place + k], values[box])
            bound += width


@njit(cache=True)
def ascend(
    packed: Packed,
    rows: Values,
    point: NDArray[np.int64],
    slack: NDArray[np.int64],
    change: NDArray[np.int64],
    steps: int,
) -> int:
    """Change the one code that raises the last row most and keeps all others, until none does.

    Return how many of the ``steps`` are left: 0 where there may be more to do.
    """
    last = len(slack) - 1
    while steps > 0:
        survey(packed, rows.values, rows.least, point, slack, change)
        steps -= 1
        for r in range(last):
            if slack[r] < 0:
                return steps + 1
        best, feature, code = np.int64(0), -1, -1
        for j in range(len(point)):
            for k in range(packed.offset[j + 1] - packed.offset[j]):
                place = packed.offset[j] + k
                if change[place, last] <= best:
                    continue
                kept = True
                for r in range(last):
                    kept &= slack[r] + change[place, r] >= 0
                if kept:
                    best, feature, code = change[place, last], j, k
        if feature < 0:
            return steps + 1
        point[feature] = code
    return 0


@njit(cache=True)
def climb_some(
    packed: Packed,
    rows: Values,
    points: NDArray[np.int64],
    separates: NDArray[np.bool_],
    first: int,
    steps: int,
) -> int:
    """Climb from the points in place, and say where all rows hold at the top; so many steps, from the first one on.

    Return the first point that is not at its top.
    """
    n_rows = len(rows.least)
    slack = np.empty(n_rows, dtype=np.int64)
    change = np.empty((packed.offset[-1], n_rows), dtype=np.int64)
    for i in range(first, len(points)):
        steps = ascend(packed, rows, points[i], slack, change, steps)
        if steps == 0:
            return i
        separates[i] = True
        for r in range(n_rows):
            separates[i] &= slack[r] >= 0
        steps -= 1
        if steps == 0:
            return i + 1
    return len(points)
