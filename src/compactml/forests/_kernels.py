"""Compiled: distinct branching conditions."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["count_distinct"]


@numba.njit(cache=True, nogil=True)
def count_distinct(feature: np.ndarray, threshold: np.ndarray) -> int:
    """Count the distinct pairs of a feature and a threshold that is a number; negative features are leaves."""
    n_features = 0
    for node in range(feature.size):
        n_features = max(n_features, feature[node] + 1)
    ends = np.zeros(n_features + 1, dtype=np.int64)
    for node in range(feature.size):
        ends[feature[node] + 1] += feature[node] >= 0
    largest = 0
    for i in range(1, n_features + 1):
        largest = max(largest, ends[i])
        ends[i] += ends[i - 1]
    sorted_by_feature = np.empty(ends[n_features])
    place = ends.copy()
    for node in range(feature.size):
        if feature[node] >= 0:
            sorted_by_feature[place[feature[node]]] = (
                threshold[node] + 0.0
            )  # of the two zeros the positive one
            place[feature[node]] += 1
    bits = sorted_by_feature.view(np.uint64)
    width = 1
    while (1 << width) < 2 * largest:
        width += 1
    table = np.empty(1 << width, dtype=np.uint64)
    free = np.uint64(0x7FF8000000000001)  # no number has these bits
    distinct = 0
    for i in range(n_features):
        width = 1
        while (1 << width) < 2 * (ends[i + 1] - ends[i]):
            width += 1
        table[: 1 << width] = free
        for j in range(ends[i], ends[i + 1]):
            slot = (bits[j] * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - width)
            while table[slot] != free and table[slot] != bits[j]:
                slot = (slot + np.uint64(1)) & np.uint64((1 << width) - 1)
            distinct += table[slot] == free
            table[slot] = bits[j]
    return distinct
