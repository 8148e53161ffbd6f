"""Compiled: points that meet all intervals, and the cells that they may lie in."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["by_feature_and_end", "group_cells", "stab", "stab_each"]


@numba.njit(cache=True)
def stab(lower: np.ndarray, upper: np.ndarray) -> tuple[np.ndarray, int]:
    """Algorithm 1 on intervals sorted by their lower end: the group of each and the number of groups."""
    group = np.empty(lower.size, dtype=np.int64)
    k = -1
    smallest_upper = -np.inf
    for j in range(lower.size):
        if k < 0 or lower[j] >= smallest_upper:  # nothing is common any more: open the next group
            k += 1
            smallest_upper = upper[j]
        elif upper[j] < smallest_upper:
            smallest_upper = upper[j]
        group[j] = k
    return group, k + 1


@numba.njit(cache=True)
def stab_each(lower: np.ndarray, upper: np.ndarray, feature: np.ndarray) -> tuple[np.ndarray, int]:
    """Algorithm 1 on the intervals of all features at once: a group ends with its feature, too."""
    order = by_feature_and_end(feature, lower.view(np.uint32))
    group = np.empty(lower.size, dtype=np.int64)
    k, last = -1, np.int32(-1)
    smallest_upper = np.float32(-np.inf)
    for position in range(lower.size):
        j = order[position]
        if feature[j] != last or lower[j] >= smallest_upper:
            k += 1
            smallest_upper = upper[j]
            last = feature[j]
        elif upper[j] < smallest_upper:
            smallest_upper = upper[j]
        group[j] = k
    return group, k + 1


@numba.njit(cache=True)
def by_feature_and_end(feature: np.ndarray, bits: np.ndarray) -> np.ndarray:
    """Order by feature, then by end: digits of 11 bits from the last to the first, then the feature."""
    n_features = 0
    order, spare = np.empty(bits.size, dtype=np.int32), np.empty(bits.size, dtype=np.int32)
    for j in range(bits.size):
        n_features = max(n_features, feature[j] + 1)
        order[j] = j
    count = np.zeros(max(2048, n_features) + 1, dtype=np.int64)
    for digit in range(4):
        count[:] = 0
        for position in range(bits.size):
            count[_digit(bits, feature, np.int32(position), digit) + 1] += 1
        for value in range(1, count.size):
            count[value] += count[value - 1]
        for position in range(bits.size):
            j = order[position]
            value = _digit(bits, feature, j, digit)
            spare[count[value]] = j
            count[value] += 1
        order, spare = spare, order
    return order


@numba.njit(cache=True)
def _digit(bits: np.ndarray, feature: np.ndarray, j: int | np.int32, digit: int) -> int:
    """Digit of the ``j``-th end, which grows with it; the feature is the last one."""
    if digit == 3:
        return int(feature[j])
    word = int(np.int64(bits[j]))
    word = word ^ (
        0xFFFFFFFF if word >> 31 else 0x80000000
    )  # negative numbers come first, and the largest of them last
    return (word >> (11 * digit)) & 2047


@numba.njit(cache=True)
def group_cells(
    lower: np.ndarray, upper: np.ndarray, group: np.ndarray, n_groups: int
) -> tuple[np.ndarray, np.ndarray]:
    """Intersection ``[low, high)`` of the intervals of every group."""
    low = np.full(n_groups, -np.inf)
    high = np.full(n_groups, np.inf)
    for j in range(lower.size):
        g = group[j]
        low[g] = max(low[g], lower[j])
        high[g] = min(high[g], upper[j])
    return low, high
