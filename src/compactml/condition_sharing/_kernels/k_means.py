"""Compiled: optimal clusters of sorted numbers, and clusters by Lloyd's algorithm from random starts."""

from __future__ import annotations

import numba
import numpy as np

from compactml.condition_sharing._kernels.double_double import (
    pair_difference,
    pair_quotient,
    pair_square,
    pair_sum,
    product,
)

__all__ = ["lloyd_cuts", "optimal_cuts"]


@numba.njit(cache=True)
def optimal_cuts(values: np.ndarray, weights: np.ndarray, ks: np.ndarray) -> list[np.ndarray]:
    """First index of each of the k clusters of sorted distinct values, for every k: they share the layers."""
    n = values.size
    weight = np.concatenate((np.zeros(1), np.cumsum(weights)))
    first, second = moments(values, weights)
    cost = np.full(n + 1, np.inf)
    cost[0] = 0.0
    cut = np.zeros((ks.max(), n + 1), dtype=np.int32)
    for layer in range(cut.shape[0]):
        new = np.full(n + 1, np.inf)
        fill_layer(cost, new, cut[layer], weight, first, second, layer)
        cost = new
    return [_read_back(cut[:k]) for k in ks]


@numba.njit(cache=True)
def _read_back(cut: np.ndarray) -> np.ndarray:
    """First index of each cluster, from the best last cut of every layer."""
    starts = np.empty(cut.shape[0], dtype=np.int64)
    stop = cut.shape[1] - 1
    for layer in range(starts.size - 1, -1, -1):
        stop = cut[layer, stop]
        starts[layer] = stop
    return starts


@numba.njit(cache=True)
def moments(values: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sums of weight * value and of weight * value**2 over the first values, as pairs (sum, error)."""
    first, second = np.zeros((values.size + 1, 2)), np.zeros((values.size + 1, 2))
    for i in range(values.size):
        moment = product(weights[i], values[i])
        first[i + 1] = pair_sum(first[i, 0], first[i, 1], moment[0], moment[1])
        square = product(values[i], values[i])
        high = product(weights[i], square[0])
        second[i + 1] = pair_sum(second[i, 0], second[i, 1], high[0], high[1] + weights[i] * square[1])
    return first, second


@numba.njit(cache=True, inline="always")
def within(weight: np.ndarray, first: np.ndarray, second: np.ndarray, start: int, stop: int) -> float:
    """Cost of the cluster of values start .. stop - 1: sum of squares less the square of the sum over the weight."""
    moment = pair_difference(first[stop, 0], first[stop, 1], first[start, 0], first[start, 1])
    square = pair_square(moment[0], moment[1])
    mean = pair_quotient(square[0], square[1], weight[stop] - weight[start])
    total = pair_difference(second[stop, 0], second[stop, 1], second[start, 0], second[start, 1])
    cost = pair_difference(total[0], total[1], mean[0], mean[1])
    return max(cost[0] + cost[1], 0.0)


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
        for start in range(min(cut_high, stop - 1), cut_low - 1, -1):
            alone = within(weight, first, second, start, stop)
            if alone > new[stop]:  # a cluster that begins earlier costs no less
                break
            value = cost[start] + alone
            if value <= new[stop]:
                new[stop], cut[stop] = value, start
        stack.append((low, stop - 1, cut_low, cut[stop]))
        stack.append((stop + 1, high, cut[stop], cut_high))


@numba.njit(cache=True)
def lloyd_cuts(values: np.ndarray, weights: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
    """First index of each cluster, the best of some starts of Lloyd's algorithm.

    Row s of ``uniforms``, shape (n_starts, k), draws the seeds of start s: the first by weight, each next one by
    weight times squared distance from those before (k-means++).
    """
    n, k = values.size, uniforms.shape[1]
    best, best_cost = np.zeros(k, dtype=np.int64), np.inf
    for s in range(uniforms.shape[0]):
        centres = np.sort(_seeds(values, weights, uniforms[s]))
        cuts = np.full(k, -1, dtype=np.int64)
        while True:
            new = np.zeros(k, dtype=np.int64)
            new[1:] = np.searchsorted(values, (centres[:-1] + centres[1:]) / 2, side="right")
            if np.array_equal(new, cuts):
                break
            cuts = new
            for j in range(k):
                moment, total = 0.0, 0.0
                for i in range(cuts[j], cuts[j + 1] if j + 1 < k else n):
                    moment += values[i] * weights[i]
                    total += weights[i]
                if total > 0:  # a cluster that loses all its values keeps its centre
                    centres[j] = moment / total
        cost = _lloyd_cost(values, weights, cuts, centres)
        if cost < best_cost:
            best, best_cost = cuts, cost
    return best


@numba.njit(cache=True)
def _lloyd_cost(values: np.ndarray, weights: np.ndarray, cuts: np.ndarray, centres: np.ndarray) -> float:
    """Weighted sum of squares of all clusters, added up cluster by cluster."""
    cost = 0.0
    for j in range(cuts.size):
        own = 0.0
        for i in range(cuts[j], cuts[j + 1] if j + 1 < cuts.size else values.size):
            own += weights[i] * (values[i] - centres[j]) ** 2
        cost += own
    return cost


@numba.njit(cache=True)
def _seeds(values: np.ndarray, weights: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
    """Values drawn by k-means++, one for each uniform number."""
    seeds = np.empty(uniforms.size)
    chances = weights.copy()
    nearest = np.full(values.size, np.inf)
    for j in range(uniforms.size):
        sums = np.cumsum(chances)
        drawn = min(np.searchsorted(sums, uniforms[j] * sums[-1], side="right"), values.size - 1)
        seeds[j] = values[drawn]
        nearest = np.minimum(nearest, (values - seeds[j]) ** 2)
        chances = weights * nearest
    return seeds
