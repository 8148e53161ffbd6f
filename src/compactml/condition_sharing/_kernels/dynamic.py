"""Compiled: the dynamic program of the paper."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["dynamic_cells"]


@numba.njit(cache=True)
def dynamic_cells(lower: np.ndarray, upper: np.ndarray, c: int) -> tuple[np.ndarray, np.ndarray]:
    """Cells ``[low, high)`` of the points, for intervals sorted by lower end (0-based: interval p is the end)."""
    p = lower.size
    beta = np.searchsorted(lower, upper)
    fewest = np.zeros((p + 1, c + 1), dtype=np.int32)
    skipped = np.zeros((p + 1, c + 1), dtype=np.int32)
    # alpha[i, h] for h <= c: a row is the next row with interval i inserted into the order by upper ends
    alpha = np.zeros((p + 1, c + 1), dtype=np.int32)
    length = 0
    for i in range(p - 1, -1, -1):
        length = _insert(alpha, upper, i, length, c)
        for j in range(c + 1):
            if p - i <= j:
                continue
            best, best_h = p + 1, 0
            for h in range(min(j, p - i - 1) + 1):
                value = fewest[beta[alpha[i, h]], j - h] + 1
                if value < best:  # ties keep the smallest h
                    best, best_h = value, h
            fewest[i, j], skipped[i, j] = best, best_h
    return _read_back(lower, upper, beta, alpha, fewest, skipped)


@numba.njit(cache=True)
def _insert(alpha: np.ndarray, upper: np.ndarray, i: int, length: int, c: int) -> int:
    """Write row i of alpha: the c + 1 intervals among i..p-1 with the smallest upper ends."""
    position = 0
    while position < length and upper[alpha[i + 1, position]] < upper[i]:
        alpha[i, position] = alpha[i + 1, position]
        position += 1
    if position <= c:
        alpha[i, position] = i
    new_length = min(length + 1, c + 1)
    for h in range(position + 1, new_length):
        alpha[i, h] = alpha[i + 1, h - 1]
    return new_length


@numba.njit(cache=True)
def _read_back(
    lower: np.ndarray,
    upper: np.ndarray,
    beta: np.ndarray,
    alpha: np.ndarray,
    fewest: np.ndarray,
    skipped: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Follow the choices from D(1, j), j the fewest exceptions that allow the minimum."""
    j = fewest.shape[1] - 1
    while j > 0 and fewest[0, j - 1] == fewest[0, j]:
        j -= 1
    low, high = np.empty(fewest[0, j]), np.empty(fewest[0, j])
    i = 0
    for k in range(low.size):
        h = skipped[i, j]
        a = alpha[i, h]
        low[k], high[k] = lower[beta[a] - 1], upper[a]
        i, j = beta[a], j - h
    return low, high
