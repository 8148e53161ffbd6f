"""Compiled moves of the local search over rule sets from a fixed list of clauses."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray


@njit(cache=True)
def gain_of(
    k: int,
    pointer: NDArray[np.int64],
    rows: NDArray[np.int32],
    positives: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> np.int64:
    """Positives that clause k covers and no chosen clause does."""
    gain = np.int64(0)
    for q in range(pointer[k], pointer[k + 1]):
        if counts[rows[q]] == 0:
            gain += positives[rows[q]]
    return gain


@njit(cache=True)
def shift(
    k: int, by: int, pointer: NDArray[np.int64], rows: NDArray[np.int32], counts: NDArray[np.int64]
) -> None:
    for q in range(pointer[k], pointer[k + 1]):
        counts[rows[q]] += by


@njit(cache=True)
def improve(
    chosen: NDArray[np.bool_],
    pointer: NDArray[np.int64],
    rows: NDArray[np.int32],
    positives: NDArray[np.int64],
    negatives: NDArray[np.int64],
    complexities: NDArray[np.int64],
    budget: int,
) -> bool:
    """Make the best of adding a clause and of replacing one (or dropping it); False if neither lowers objective (1).

    ``chosen`` (bool, shape (K,)) is changed in place; the complexity stays within ``budget``.
    """
    n_clauses = len(chosen)
    counts = np.zeros(len(positives), dtype=np.int64)
    used = np.int64(0)
    for k in range(n_clauses):
        if chosen[k]:
            shift(k, 1, pointer, rows, counts)
            used += complexities[k]
    best, best_out, best_in = np.int64(0), -1, -1
    for out in range(-1, n_clauses):
        if out >= 0 and not chosen[out]:
            continue
        base = np.int64(0)
        room = budget - used
        if out >= 0:
            shift(out, -1, pointer, rows, counts)
            base = negatives[out] - gain_of(out, pointer, rows, positives, counts)
            room += complexities[out]
            if base > best:
                best, best_out, best_in = base, out, -1
        for k in range(n_clauses):
            if chosen[k] or complexities[k] > room:
                continue
            change = base + gain_of(k, pointer, rows, positives, counts) - negatives[k]
            if change > best:
                best, best_out, best_in = change, out, k
        if out >= 0:
            shift(out, 1, pointer, rows, counts)
    if best == 0:
        return False
    if best_out >= 0:
        chosen[best_out] = False
    if best_in >= 0:
        chosen[best_in] = True
    return True
