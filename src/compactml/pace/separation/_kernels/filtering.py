"""Compiled filters on the nodes of the search for a separating point: what a single row proves.

Every row drops the boxes with which it cannot hold, the other pieces at their best. The node shrinks to what is left,
so a piece with one box left has it everywhere in the node.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from compactml.pace.separation._kernels.memory import Groups, Scratch
from compactml.pace.separation.pieces import Packed, Values

LOWEST = -(1 << 62)


@njit(cache=True)
def filter_boxes(
    packed: Packed,
    low: NDArray[np.int64],
    high: NDArray[np.int64],
    source: NDArray[np.int32],
    n_source: NDArray[np.int32],
    boxes: NDArray[np.int32],
    count: NDArray[np.int32],
) -> None:
    """Keep the boxes that meet a box of codes; the source may be the target."""
    for t in range(len(count)):
        first, f0, f1 = packed.first[t], packed.first_feature[t], packed.first_feature[t + 1]
        kept = 0
        for q in range(n_source[t]):
            box = source[first + q]
            bound = packed.first_bound[t] + (box - first) * (f1 - f0)
            meets = True
            for f in range(f0, f1):
                j = packed.features[f]
                if packed.low[bound] > high[j] or packed.high[bound] < low[j]:
                    meets = False
                    break
                bound += 1
            if meets:
                boxes[first + kept] = box
                kept += 1
        count[t] = kept


@njit(cache=True)
def propagate(
    packed: Packed,
    rows: Values,
    groups: Groups,
    g: int,
    boxes: NDArray[np.int32],
    count: NDArray[np.int32],
    scratch: Scratch,
) -> int:
    """Drop the boxes with which a single row cannot hold, and shrink the node to those left: -1 refuted, 1 changed."""
    changed = 0
    for r in range(groups.first_row[g], groups.first_row[g + 1]):
        slack = -rows.least[r]
        for t in range(len(count)):
            if groups.of_piece[t] == g:
                scratch.top[t] = LOWEST
                for q in range(count[t]):
                    scratch.top[t] = max(scratch.top[t], rows.values[boxes[packed.first[t] + q], r])
                slack += scratch.top[t]
        if slack < 0:
            return -1
        for t in range(len(count)):
            if groups.of_piece[t] != g:
                continue
            first, kept = packed.first[t], 0
            for q in range(count[t]):
                box = boxes[first + q]
                if slack - scratch.top[t] + rows.values[box, r] >= 0:
                    boxes[first + kept] = box
                    kept += 1
            if kept < count[t]:
                count[t], changed = kept, 1
    for t in range(len(count)):
        if groups.of_piece[t] == g:
            state = shrink(packed, t, boxes, count[t], scratch)
            if state < 0:
                return -1
            changed |= state
    return changed


@njit(cache=True)
def shrink(packed: Packed, t: int, boxes: NDArray[np.int32], n: int, scratch: Scratch) -> int:
    """Cut off the codes that no box left of piece t meets: -1 if none is left, 1 if the node changed."""
    first, f0, width = (
        packed.first[t],
        packed.first_feature[t],
        packed.first_feature[t + 1] - packed.first_feature[t],
    )
    changed = 0
    for f in range(width):
        j = packed.features[f0 + f]
        low, high = scratch.high[j] + 1, scratch.low[j] - 1
        for q in range(n):
            bound = packed.first_bound[t] + (boxes[first + q] - first) * width + f
            low, high = min(low, packed.low[bound]), max(high, packed.high[bound])
        if low > scratch.low[j] or high < scratch.high[j]:
            scratch.low[j], scratch.high[j] = max(low, scratch.low[j]), min(high, scratch.high[j])
            changed = 1
            if scratch.low[j] > scratch.high[j]:
                return -1
    return changed
