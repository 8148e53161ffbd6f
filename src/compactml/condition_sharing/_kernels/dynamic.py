"""Compiled: the dynamic program of the paper."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["dynamic_choices"]


@numba.njit(cache=True, nogil=True)  # other threads may watch how much memory its tables take
def dynamic_choices(beta: np.ndarray, upper: np.ndarray, c: int) -> np.ndarray:
    """Intervals that bound the points, of intervals sorted by lower end (0-based: interval p is the end).

    Of the h that Equation (1) allows only those are tried at which beta grows, as in the paper, and the trials end at
    D(i + 1, j), below which D(i, j) cannot lie. Ties keep the smallest h, as Algorithm 4 does in line 28.
    """
    p = beta.size
    fewest = np.zeros((p + 1, c + 1), dtype=np.int32)
    skipped = np.zeros((p + 1, c + 1), dtype=np.int32)
    # alpha[i, h] for h <= c: a row is the next row with interval i inserted into the order by upper ends
    alpha = np.zeros((p + 1, c + 1), dtype=np.int32)
    growing, after = np.empty(c + 1, dtype=np.int64), np.empty(c + 1, dtype=np.int64)
    length = 0
    for i in range(p - 1, -1, -1):
        position, length = _insert(alpha, upper, i, length, c)
        d = _growing(alpha[i, :length], beta, growing, after)
        for j in range(min(c, p - i - 1) + 1):
            if j < position:  # Remark 4
                fewest[i, j], skipped[i, j] = fewest[i + 1, j], skipped[i + 1, j]
                continue
            least, best, best_h = max(fewest[i + 1, j], 1), p + 1, 0
            for k in range(d):
                h = growing[k]
                if h > j or best == least:
                    break
                value = fewest[after[k], j - h] + 1
                if value < best:
                    best, best_h = value, h
            fewest[i, j], skipped[i, j] = best, best_h
    return _read_back(beta, alpha, fewest, skipped)


@numba.njit(cache=True)
def _insert(alpha: np.ndarray, upper: np.ndarray, i: int, length: int, c: int) -> tuple[int, int]:
    """Write row i of alpha: the c + 1 intervals among i..p-1 with the smallest upper ends; where i stands, how many."""
    position = 0
    while position < length and upper[alpha[i + 1, position]] < upper[i]:
        alpha[i, position] = alpha[i + 1, position]
        position += 1
    if position <= c:
        alpha[i, position] = i
    new_length = min(length + 1, c + 1)
    for h in range(position + 1, new_length):
        alpha[i, h] = alpha[i + 1, h - 1]
    return position, new_length


@numba.njit(cache=True)
def _growing(alpha: np.ndarray, beta: np.ndarray, growing: np.ndarray, after: np.ndarray) -> int:
    """Write h_1, ..., h_d, at which beta(alpha(h)) is larger than before, and these values; return d."""
    d = 0
    for h in range(alpha.size):
        start = beta[alpha[h]]
        if d == 0 or start > after[d - 1]:
            growing[d], after[d] = h, start
            d += 1
    return d


@numba.njit(cache=True)
def _read_back(beta: np.ndarray, alpha: np.ndarray, fewest: np.ndarray, skipped: np.ndarray) -> np.ndarray:
    """Follow the choices from D(1, j), j the fewest exceptions that allow the minimum."""
    j = fewest.shape[1] - 1
    while j > 0 and fewest[0, j - 1] == fewest[0, j]:
        j -= 1
    bounding = np.empty(fewest[0, j], dtype=np.int64)
    i = 0
    for k in range(bounding.size):
        h = skipped[i, j]
        bounding[k] = alpha[i, h]
        i, j = beta[bounding[k]], j - h
    return bounding
