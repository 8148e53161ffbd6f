"""Compiled filters on the nodes of the search for a separating point: what a single row proves.

Every row drops the boxes with which it cannot hold, the other pieces at their best. The node shrinks to what is left,
so a piece with one box left has it everywhere in the node.
"""

from __future__ import annotations

from numba import njit

LOWEST = -(1 << 62)


@njit(cache=True)
def filter_boxes(packed, low, high, source, n_source, boxes, count):  # type: ignore[no-untyped-def]
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
def propagate(packed, rows, groups, g, boxes, count, scratch):  # type: ignore[no-untyped-def]
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
def shrink(packed, t, boxes, n, scratch):  # type: ignore[no-untyped-def]
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
