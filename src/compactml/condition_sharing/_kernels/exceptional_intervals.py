"""Compiled: shortest paths that stab intervals with exceptions."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["lagrangian_path"]


@numba.njit(cache=True)
def lagrangian_path(
    first_by_last: np.ndarray, starts: np.ndarray, n_candidates: int, multiplier: int, prefer: int
) -> tuple[np.ndarray, int]:
    """Minimise multiplier * points + misses; ties by fewest (prefer=1) or most (prefer=-1) points.

    Node 0 is the start, nodes 1..K the candidates. `gap[e]` is the label of the next live node minus that of e,
    always positive; costs are scaled by `unit` so that the tie-break fits into the same integer.
    """
    unit = n_candidates + 2
    step = multiplier * unit + prefer
    size = n_candidates + 1
    live = np.arange(size + 1)  # live[e + 1]: union-find link to the nearest live node <= e, shifted by one
    following = np.full(size, -1)
    gap = np.zeros(size, dtype=np.int64)
    previous = np.full(size + 1, -1)
    head, tail = 0, 0
    head_label, tail_label = 0, 0
    for s in range(1, size + 1):  # s = size is the end of the path
        for position in range(starts[s - 1], starts[s]):
            e = _find(live, first_by_last[position] + 1) - 1
            if e < 0:
                continue
            head_label += unit
            if e == tail:
                tail_label += unit
                continue
            gap[e] -= unit
            while gap[e] <= 0:  # e is not below its right neighbour any more
                before = _find(live, e) - 1
                live[e + 1] = e
                if before < 0:
                    head, head_label = following[e], head_label + gap[e]
                    break
                following[before] = following[e]
                gap[before] += gap[e]
                e = before
        previous[s] = head
        if s == size:
            break
        label = head_label + step
        while tail >= 0 and tail_label >= label:
            before = _find(live, tail) - 1
            live[tail + 1] = tail
            tail_label -= gap[before] if before >= 0 else 0
            tail = before
        if tail < 0:
            head, head_label = s, label
        else:
            following[tail] = s
            gap[tail] = label - tail_label
        tail, tail_label = s, label
    return _backtrack(previous, size, head_label, step, unit, multiplier)


@numba.njit(cache=True)
def _find(live: np.ndarray, x: int) -> int:
    """Nearest live entry at or before ``x`` with path halving; entry 0 is the sentinel."""
    while live[x] != x:
        live[x] = live[live[x]]
        x = live[x]
    return x


@numba.njit(cache=True)
def _backtrack(
    previous: np.ndarray, size: int, label: int, step: int, unit: int, multiplier: int
) -> tuple[np.ndarray, int]:
    """Nodes of the best path without its ends (0-based candidates), and the number of misses."""
    points = np.empty(size, dtype=np.int64)
    k = 0
    node = previous[size]
    while node > 0:
        points[k] = node - 1
        k += 1
        node = previous[node]
    misses = (label - k * step) // unit
    return points[:k][::-1].copy(), misses
