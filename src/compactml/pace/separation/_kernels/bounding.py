"""Compiled bounds on the nodes of the search for a separating point, and what they cut off.

Whole multipliers of the rows make one combined value per box of a piece; the sum over pieces of the largest one, minus
the combined right side, bounds the combined slack of every point of the node from above, so a negative bound refutes
it (the pieces choose independently: a Lagrangian relaxation). One pass over the pieces gives the bound of both halves
for every possible cut. All numbers that refute are integers in int64.

Rows without a common piece gain nothing from being combined, since their bounds add up: every group of connected rows
has bounds and losses of its own.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from compactml.pace.separation._kernels.filtering import LOWEST
from compactml.pace.separation._kernels.memory import Groups, Scratch
from compactml.pace.separation.pieces import Packed, Values


@njit(cache=True)
def combine(
    packed: Packed,
    rows: Values,
    groups: Groups,
    g: int,
    boxes: NDArray[np.int32],
    count: NDArray[np.int32],
    scratch: Scratch,
) -> np.int64:
    """The bound of a group for its whole multipliers; fills the combined values and the slacks."""
    combined, slack, whole, values = scratch.combined, scratch.slack, scratch.whole, rows.values
    r0, r1 = groups.first_row[g], groups.first_row[g + 1]
    bound = np.int64(0)
    for r in range(r0, r1):
        slack[r] = -rows.least[r]
        bound -= whole[r] * rows.least[r]
    for t in range(len(count)):
        if groups.of_piece[t] != g:
            continue
        largest, argument = np.int64(LOWEST), 0
        for q in range(count[t]):
            box = boxes[packed.first[t] + q]
            value = np.int64(0)
            for r in range(r0, r1):
                value += whole[r] * values[box, r]
            combined[box] = value
            if value > largest:
                largest, argument = value, box
        bound += largest
        for r in range(r0, r1):
            slack[r] += values[argument, r]
    return bound


@njit(cache=True)
def moved(
    start: NDArray[np.int64],
    direction: NDArray[np.float64],
    length: float,
    bound: float,
    unit: float,
    r0: int,
    r1: int,
    whole: NDArray[np.int64],
) -> bool:
    """Part ``length`` of Polyak's step from the multipliers towards a bound of 0, in whole numbers; False if none."""
    norm = 0.0
    for r in range(r0, r1):
        if start[r] > 0 or direction[r] < 0.0:
            norm += direction[r] ** 2
    if norm == 0.0:
        return False
    largest = 0.0
    for r in range(r0, r1):
        largest = max(largest, start[r] - length * bound / norm * direction[r])
    if largest <= 0.0:
        return False
    for r in range(r0, r1):
        value = start[r] - length * bound / norm * direction[r]
        whole[r] = np.int64(round(max(value, 0.0) / largest * unit))
    return True


@njit(cache=True)
def best_bound(
    packed: Packed,
    rows: Values,
    groups: Groups,
    g: int,
    boxes: NDArray[np.int32],
    count: NDArray[np.int32],
    multipliers: NDArray[np.float64],
    steps: int,
    scratch: Scratch,
) -> np.int64:
    """Lower a group's bound by steps on its multipliers; leaves the best ones, their combined values and slacks.

    Steps start from the given multipliers or from a single row, whichever bounds best: they would not leave a row that
    holds everywhere in the node, where every box of a piece is a best one.
    A step that does not lower the bound is repeated with half the length and the mean of both subgradients.
    """
    whole, slack, direction, best = scratch.whole, scratch.slack, scratch.direction, scratch.best
    r0, r1 = groups.first_row[g], groups.first_row[g + 1]
    smallest = np.int64(0)
    for r in range(r0 - 1, r1 if r1 - r0 > 1 else r0):  # first the given ones
        for q in range(r0, r1):
            whole[q] = np.int64(multipliers[q]) if r < r0 else np.int64(0)
        if r >= r0:
            whole[r] = np.int64(rows.unit)
        bound = combine(packed, rows, groups, g, boxes, count, scratch)
        if r < r0 or bound < smallest:
            smallest = bound
            for q in range(r0, r1):
                best[q], direction[q] = whole[q], slack[q]
    length, latest = 1.0, r1 - r0 == 1
    for _ in range(steps if r1 - r0 > 1 else 0):
        if smallest < 0 or not moved(best, direction, length, float(smallest), rows.unit, r0, r1, whole):
            break
        bound = combine(packed, rows, groups, g, boxes, count, scratch)
        latest = bound < smallest
        if latest:
            smallest = bound
            for r in range(r0, r1):
                best[r], direction[r] = whole[r], slack[r]
        else:
            length /= 2.0
            for r in range(r0, r1):
                direction[r] = (direction[r] + slack[r]) / 2.0
    restored = smallest >= 0 and not latest
    for r in range(r0, r1):
        multipliers[r] = best[r]
        if restored:
            whole[r] = best[r]
    if restored:
        combine(packed, rows, groups, g, boxes, count, scratch)
    return smallest


@njit(cache=True)
def add_losses(
    packed: Packed, t: int, f: int, top: np.int64, boxes: NDArray[np.int32], n: int, scratch: Scratch
) -> None:
    """What piece t loses of its largest value when its f-th feature is cut at each code."""
    j = packed.features[packed.first_feature[t] + f]
    low, high = scratch.low[j], scratch.high[j]
    first, width = packed.first[t], packed.first_feature[t + 1] - packed.first_feature[t]
    from_low, from_high, offset = scratch.from_low, scratch.from_high, packed.offset[j]
    from_low[low : high + 1] = LOWEST
    from_high[low : high + 1] = LOWEST
    for q in range(n):
        box = boxes[first + q]
        bound = packed.first_bound[t] + (box - first) * width + f
        value = scratch.combined[box]
        begin, end = max(packed.low[bound], low), min(packed.high[bound], high)
        from_low[begin] = max(from_low[begin], value)
        from_high[end] = max(from_high[end], value)
    running = np.int64(LOWEST)
    for k in range(low, high):
        running = max(running, from_low[k])
        if running == LOWEST:  # no box left there
            continue
        if running == top:
            break
        scratch.lost_below[offset + k] += top - running
    running = np.int64(LOWEST)
    for k in range(high, low, -1):
        running = max(running, from_high[k])
        if running == LOWEST:
            continue
        if running == top:
            break
        scratch.lost_above[offset + k - 1] += top - running


@njit(cache=True)
def losses(
    packed: Packed,
    groups: Groups,
    g: int,
    boxes: NDArray[np.int32],
    count: NDArray[np.int32],
    scratch: Scratch,
) -> bool:
    """Fill the losses of all cuts in a group's bound; whether every piece of it has one box only."""
    for j in range(len(scratch.low)):
        scratch.lost_below[packed.offset[j] + scratch.low[j] : packed.offset[j] + scratch.high[j]] = 0
        scratch.lost_above[packed.offset[j] + scratch.low[j] : packed.offset[j] + scratch.high[j]] = 0
    single = True
    for t in range(len(count)):
        if count[t] <= 1 or groups.of_piece[t] != g:
            continue
        single = False
        first, f0, f1 = packed.first[t], packed.first_feature[t], packed.first_feature[t + 1]
        top, argument = np.int64(LOWEST), 0
        for q in range(count[t]):
            if scratch.combined[boxes[first + q]] > top:
                argument = boxes[first + q]
                top = scratch.combined[argument]
        bound = packed.first_bound[t] + (argument - first) * (f1 - f0)
        for f in range(f1 - f0):
            j = packed.features[f0 + f]
            # a cut costs nothing where the best box is on both of its sides
            if packed.low[bound + f] > scratch.low[j] or packed.high[bound + f] < scratch.high[j]:
                add_losses(packed, t, f, top, boxes, count[t], scratch)
    return single


@njit(cache=True)
def tighten(packed: Packed, bound: np.int64, scratch: Scratch) -> int:
    """Cut off refuted halves and add up the shares of the others: -1 where nothing is left, 1 if the box changed."""
    changed = 0
    for j in range(len(scratch.low)):
        low, high, offset = scratch.low[j], scratch.high[j], packed.offset[j]
        for place in range(offset + low, offset + high):
            if bound < scratch.lost_below[place]:
                scratch.low[j] = place - offset + 1
            if bound < scratch.lost_above[place]:
                scratch.high[j] = min(scratch.high[j], place - offset)
            scratch.share_below[place] += scratch.lost_below[place] / (bound + 1.0)
            scratch.share_above[place] += scratch.lost_above[place] / (bound + 1.0)
        if scratch.low[j] > scratch.high[j]:
            return -1
        if scratch.low[j] != low or scratch.high[j] != high:
            changed = 1
    return changed
