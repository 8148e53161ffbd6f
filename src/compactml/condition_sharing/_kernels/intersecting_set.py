"""Compiled: points that meet all intervals, and the cells that they may lie in."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["group_cells", "stab"]


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
