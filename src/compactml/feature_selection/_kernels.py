"""Compiled: the sums behind joint entropies."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["joint_sums"]


@njit(cache=True)
def joint_sums(
    rows: NDArray[np.uint32],
    groups: NDArray[np.int64],
    columns: NDArray[np.uint32],
    others: NDArray[np.int64],
    counts: NDArray[np.int32],
    starts: NDArray[np.integer],
    k_log_k: NDArray[np.float64],
) -> NDArray[np.float64]:
    sums = np.empty(len(others))
    most_values = 0
    for i in range(len(starts) - 1):
        most_values = max(most_values, starts[i + 1] - starts[i])
    cell = np.zeros(most_values, dtype=np.int32)  # samples of this group with each value of the column
    left = np.empty(most_values, dtype=np.int32)  # samples of the groups not seen yet
    for i in range(len(others)):
        column, value_counts = columns[others[i]], counts[starts[others[i]] : starts[others[i] + 1]]
        for value in range(len(value_counts)):  # not a slice: numba would compile its error message, too
            left[value] = value_counts[value]
        total = 0.0
        for g in range(len(groups) - 1):
            for position in range(groups[g], groups[g + 1]):
                cell[column[rows[position]]] += 1
            for position in range(groups[g], groups[g + 1]):
                value = column[rows[position]]
                total += k_log_k[cell[value]]  # 0 from the second time on
                left[value] -= cell[value]
                cell[value] = 0
        for value in range(len(value_counts)):
            total += k_log_k[left[value]]
        sums[i] = total
    return sums
