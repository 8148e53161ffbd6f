"""Compiled: a convex lower bound on the squared error of all sets of a node."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["relaxed"]

BETWEEN = 8
"""Exchanges of weight between two looks at the bound."""


@njit(cache=True)
def relaxed(
    gram: NDArray[np.float64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    weights: NDArray[np.float64],
    enough: float,
    most: int,
) -> float:
    """Improve ``weights`` towards the least w'Gw with sum 1 within the limits, and return a lower bound on it.

    By convexity w'Gw is nowhere below its tangent at any weights, whose least value within the limits is found by
    sorting: so the bound holds wherever the exchanges stop, and that is at ``enough``, at the least value or after
    ``most`` of them. Each moves weight from the member of largest to that of smallest slope, as far as it pays.
    """
    k = len(weights)
    slope = 2.0 * (gram @ weights)
    bound: Any = -np.inf
    for step in range(most):
        if step % BETWEEN == 0:
            value = 0.5 * (slope @ weights)
            left, tangent = 1.0, -value
            for j in range(k):
                left -= low[j]
                tangent += slope[j] * low[j]
            for j in np.argsort(slope):
                part = min(high[j] - low[j], left)
                tangent += slope[j] * part
                left -= part
                if left <= 0.0:
                    break
            if tangent > bound:
                bound = float(tangent)
            if bound >= enough or value - bound <= 1e-13 * value:
                break
        giver, taker = -1, -1
        for j in range(k):
            if weights[j] > low[j] and (giver < 0 or slope[j] > slope[giver]):
                giver = j
            if weights[j] < high[j] and (taker < 0 or slope[j] < slope[taker]):
                taker = j
        if giver < 0 or taker < 0 or slope[giver] <= slope[taker]:
            if step % BETWEEN == 1:
                break
            continue
        curve = 2.0 * (gram[giver, giver] + gram[taker, taker] - 2.0 * gram[giver, taker])
        part = min(weights[giver] - low[giver], high[taker] - weights[taker])
        if curve > 0.0:
            part = min(part, (slope[giver] - slope[taker]) / curve)
        weights[giver] -= part
        weights[taker] += part
        for j in range(k):
            slope[j] += 2.0 * part * (gram[j, taker] - gram[j, giver])
    return float(bound)
