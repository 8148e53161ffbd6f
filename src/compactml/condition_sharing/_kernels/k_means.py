"""Compiled: optimal clusters of sorted numbers."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["optimal_cuts"]


@numba.njit(cache=True)
def optimal_cuts(values: np.ndarray, weights: np.ndarray, k: int) -> np.ndarray:
    """First index of each of the k clusters of sorted distinct values."""
    n = values.size
    weight = np.concatenate((np.zeros(1), np.cumsum(weights)))
    first = np.concatenate((np.zeros(1), np.cumsum(weights * values)))
    second = np.concatenate((np.zeros(1), np.cumsum(weights * values * values)))
    cost = np.full(n + 1, np.inf)
    cost[0] = 0.0
    cut = np.zeros((k, n + 1), dtype=np.int32)
    for layer in range(k):
        new = np.full(n + 1, np.inf)
        fill_layer(cost, new, cut[layer], weight, first, second, layer)
        cost = new
    starts = np.empty(k, dtype=np.int64)
    stop = n
    for layer in range(k - 1, -1, -1):
        stop = cut[layer, stop]
        starts[layer] = stop
    return starts


@numba.njit(cache=True)
def fill_layer(
    cost: np.ndarray,
    new: np.ndarray,
    cut: np.ndarray,
    weight: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
    layer: int,
) -> None:
    """new[stop] = min over start of cost[start] + within-cluster cost of values start .. stop - 1."""
    stack = [(layer + 1, cost.size - 1, layer, cost.size - 2)]
    while len(stack) > 0:
        low, high, cut_low, cut_high = stack.pop()
        if low > high:
            continue
        stop = (low + high) // 2
        for start in range(cut_low, min(cut_high, stop - 1) + 1):
            mass = weight[stop] - weight[start]
            moment = first[stop] - first[start]
            within = second[stop] - second[start] - moment * moment / mass
            value = cost[start] + max(within, 0.0)
            if value < new[stop]:
                new[stop], cut[stop] = value, start
        stack.append((low, stop - 1, cut_low, cut[stop]))
        stack.append((stop + 1, high, cut[stop], cut_high))
