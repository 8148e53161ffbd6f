"""Compiled: the intervals of the nodes of a tree, from the leaves that the rows reach."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["intervals_of_leaves"]

LANES = 4


@numba.njit(cache=True, nogil=True)
def intervals_of_leaves(
    rows: np.ndarray,
    leaf: np.ndarray,
    feature: np.ndarray,
    left: np.ndarray,
    right: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
) -> None:
    """Climb from each row's leaf to the root; ends per internal node, infinite where nothing is known.

    Upper ends are kept with the other sign, beside the lower ones: each step is the same, whichever side it comes from.
    Neighbouring rows write to different copies, so that none waits for the one before.
    """
    up = np.full(
        2 * feature.size, -1, dtype=np.int32
    )  # twice the parent, one more at a right child; what it tests
    for node in range(feature.size):
        if left[node] >= 0:
            up[2 * left[node]], up[2 * right[node]] = 2 * node, 2 * node + 1
            up[2 * left[node] + 1] = up[2 * right[node] + 1] = feature[node]
    ends = np.full((LANES, 2 * feature.size), -np.inf, dtype=rows.dtype)
    sign = np.ones(2, dtype=rows.dtype)
    sign[1] = -1
    for row in range(leaf.size):
        lane = ends[row % LANES]
        node = leaf[row]
        code = up[2 * node]
        while code >= 0:
            value = rows[row, up[2 * node + 1]] * sign[code & 1]
            lane[code] = max(lane[code], value)
            node = code >> 1
            code = up[2 * node]
    place = 0
    for node in range(feature.size):
        if left[node] >= 0:
            code = 2 * node
            lower[place] = max(ends[0, code], ends[1, code], ends[2, code], ends[3, code])
            code = 2 * node + 1
            upper[place] = -max(ends[0, code], ends[1, code], ends[2, code], ends[3, code])
            place += 1
