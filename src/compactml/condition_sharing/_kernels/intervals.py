"""Compiled: the intervals of the nodes of a tree."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["tree_intervals"]


@numba.njit(cache=True, nogil=True)
def tree_intervals(
    columns: np.ndarray,
    rows: np.ndarray,
    feature: np.ndarray,
    threshold: np.ndarray,
    left: np.ndarray,
    right: np.ndarray,
    max_depth: int,
    path_change_rate: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Send ``rows`` (permuted in place) down one tree; ends per node, infinite where nothing is known."""
    lower = np.full(feature.size, -np.inf)
    upper = np.full(feature.size, np.inf)
    spare = np.empty_like(rows)
    stack = np.zeros((max_depth + 2, 3), dtype=np.int64)
    depth = _push(stack, 0, 0, 0, rows.size)
    while depth > 0:
        depth -= 1
        node, start, stop = stack[depth]
        if feature[node] < 0:
            continue
        column = columns[feature[node]]
        middle, largest, smallest = _partition(column, rows, spare, start, stop, threshold[node])
        # the small addend keeps a product such as 0.1 * 30 from falling just below the integer
        allowed = int(path_change_rate * (stop - start) + 1e-9)
        if allowed == 0:
            lower[node], upper[node] = largest, smallest
        else:
            if middle - start > allowed:
                values = column[rows[start:middle]]
                lower[node] = np.partition(values, values.size - 1 - allowed)[values.size - 1 - allowed]
            if stop - middle > allowed:
                upper[node] = np.partition(column[rows[middle:stop]], allowed)[allowed]
        if stop > middle:
            depth = _push(stack, depth, right[node], middle, stop)
        if middle > start:
            depth = _push(stack, depth, left[node], start, middle)
    return lower, upper


@numba.njit(cache=True, nogil=True, inline="always")
def _partition(
    column: np.ndarray, rows: np.ndarray, spare: np.ndarray, start: int, stop: int, threshold: float
) -> tuple[int, float, float]:
    """Move rows that go left to the front, stably; first row that goes right, and both interval ends.

    Both targets are written each time and only one advances: no branch to mispredict.
    """
    middle, n_right = start, 0
    largest, smallest = -np.inf, np.inf
    for position in range(start, stop):
        row = rows[position]
        value = column[row]
        goes_left = np.float32(value) <= threshold
        rows[middle] = row
        spare[n_right] = row
        middle += int(goes_left)
        n_right += int(not goes_left)
        largest = max(largest, value if goes_left else -np.inf)
        smallest = min(smallest, np.inf if goes_left else value)
    rows[middle:stop] = spare[:n_right]
    return middle, largest, smallest


@numba.njit(cache=True, nogil=True, inline="always")
def _push(stack: np.ndarray, depth: int, node: int, start: int, stop: int) -> int:
    stack[depth, 0], stack[depth, 1], stack[depth, 2] = node, start, stop
    return depth + 1
