"""Compiled: the first threshold of each group."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["first_of_group"]


@numba.njit(cache=True)
def first_of_group(values: np.ndarray, group: np.ndarray, n_groups: int) -> np.ndarray:
    """One original value per group, the first in node order."""
    first = np.zeros(n_groups)
    for j in range(group.size - 1, -1, -1):
        first[group[j]] = values[j]
    return first
