"""Compiled walks through trees that read a bank of conditions, or ranks."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["read_bank", "read_ranks"]


@numba.njit(cache=True)
def read_bank(
    X32: np.ndarray,
    first: np.ndarray,
    threshold: np.ndarray,
    condition: np.ndarray,
    left: np.ndarray,
    right: np.ndarray,
    roots: np.ndarray,
) -> np.ndarray:
    result = np.empty((X32.shape[0], roots.size), dtype=np.int32)
    bits = np.empty(threshold.size, dtype=np.bool_)
    for row in range(X32.shape[0]):
        for i in range(first.size - 1):
            value = np.float64(X32[row, i])
            for c in range(first[i], first[i + 1]):
                bits[c] = value <= threshold[c]
        for t in range(roots.size):
            node = roots[t]
            while condition[node] >= 0:
                node = left[node] if bits[condition[node]] else right[node]
            result[row, t] = node
    return result


@numba.njit(cache=True)
def read_ranks(
    ranks: np.ndarray,
    feature: np.ndarray,
    rank: np.ndarray,
    left: np.ndarray,
    right: np.ndarray,
    roots: np.ndarray,
) -> np.ndarray:
    result = np.empty((ranks.shape[0], roots.size), dtype=np.int32)
    for t in range(roots.size):
        for row in range(ranks.shape[0]):
            node = roots[t]
            while feature[node] >= 0:
                node = left[node] if ranks[row, feature[node]] <= rank[node] else right[node]
            result[row, t] = node
    return result
