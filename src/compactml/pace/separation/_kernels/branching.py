"""The compiled heart of the search for a separating point: branch and bound over boxes of codes.

A node is a box and the pieces' boxes that meet it. `compactml.pace.separation._kernels.filtering` drops some of these
boxes, and `compactml.pace.separation._kernels.bounding` refutes the node or cuts off parts of it; the cut that costs
the bounds of both halves most, as shares of the bounds, branches.

The search stops after a given number of nodes and goes on where it was when called again. Where no point exists the
order of the halves does not matter; where one does, it decides how long the search takes, and may be left to chance.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from compactml.pace.separation._kernels.bounding import best_bound, losses, tighten
from compactml.pace.separation._kernels.filtering import filter_boxes, propagate
from compactml.pace.separation._kernels.memory import Groups, Scratch
from compactml.pace.separation.pieces import Packed, Values

# entries of the counters
N_OPEN, NODES, FOUND, CHANCE, N_COUNTERS = range(5)
STEPS, FIRST_STEPS = 4, 60
"""Steps on the multipliers at every visit of a node, and of the root; those of its parent are where a node starts."""
SMALL = 1e-6
"""A share beside which another one still counts."""


class Stack(NamedTuple):
    """Open nodes: their boxes, shape (n, p), multipliers, shape (n, n_rows), and depths."""

    low: NDArray[np.int64]
    high: NDArray[np.int64]
    multipliers: NDArray[np.float64]
    depth: NDArray[np.int64]


class Alive(NamedTuple):
    """The boxes of the pieces that meet the nodes of the present path.

    Of depth d they stand in row d, those of piece t from first[t] on, ``counts[d, t]`` of them. All depths from the
    last row on share it.
    """

    boxes: NDArray[np.int32]
    counts: NDArray[np.int32]


@njit(cache=True)
def choose(
    packed: Packed, boxes: NDArray[np.int32], count: NDArray[np.int32], scratch: Scratch
) -> tuple[int, int]:
    """The cut (feature, last code below) with the largest product of shares; one of a box where none loses."""
    best, feature, code = SMALL**2, -1, -1
    for j in range(len(scratch.low)):
        for k in range(scratch.low[j], scratch.high[j]):
            place = packed.offset[j] + k
            score = (scratch.share_below[place] + SMALL) * (scratch.share_above[place] + SMALL)
            if score > best:
                best, feature, code = score, j, k
    if feature >= 0:
        return feature, code
    for t in range(len(count)):
        if count[t] > 1:
            width = packed.first_feature[t + 1] - packed.first_feature[t]
            bound = packed.first_bound[t] + (boxes[packed.first[t]] - packed.first[t]) * width
            for f in range(width):
                j = packed.features[packed.first_feature[t] + f]
                if packed.low[bound + f] > scratch.low[j]:
                    return j, packed.low[bound + f] - 1
                if packed.high[bound + f] < scratch.high[j]:
                    return j, packed.high[bound + f]
    return feature, code


@njit(cache=True)
def drawn(counters: NDArray[np.int64]) -> float:
    """The next number in [0, 1) of a linear congruential generator, of whose state the low bits are left out."""
    counters[CHANCE] = (1_103_515_245 * counters[CHANCE] + 12_345) % 2**31
    return (counters[CHANCE] // 2**11) / 2**20


@njit(cache=True)
def push(
    stack: Stack,
    counters: NDArray[np.int64],
    depth: int,
    multipliers: NDArray[np.float64],
    feature: int,
    code: int,
    turned: float,
    packed: Packed,
    scratch: Scratch,
) -> None:
    """Open both halves, the one that loses less on top, or by chance (a share ``turned`` of the cuts) the other one."""
    place = packed.offset[feature] + code
    below_first = scratch.share_below[place] <= scratch.share_above[place]
    if turned > 0.0 and drawn(counters) < turned:
        below_first = not below_first
    for top in range(2):
        s = counters[N_OPEN]
        for j in range(len(scratch.low)):  # not slices: numba would compile their error messages, too
            stack.low[s, j], stack.high[s, j] = scratch.low[j], scratch.high[j]
        for r in range(len(multipliers)):
            stack.multipliers[s, r] = multipliers[r]
        stack.depth[s] = depth
        if (top == 1) == below_first:
            stack.high[s, feature] = code
        else:
            stack.low[s, feature] = code + 1
        counters[N_OPEN] += 1


@njit(cache=True)
def survey(
    packed: Packed,
    rows: Values,
    groups: Groups,
    boxes: NDArray[np.int32],
    count: NDArray[np.int32],
    multipliers: NDArray[np.float64],
    steps: int,
    scratch: Scratch,
) -> int:
    """Bound every group and cut off what it refutes: -1 refuted, 1 changed, 2 all points separate, 0 open."""
    scratch.share_below[:] = 0.0
    scratch.share_above[:] = 0.0
    changed, single = 0, True
    for g in range(len(groups.first_row) - 1):
        state = propagate(packed, rows, groups, g, boxes, count, scratch)
        if state != 0:
            return state
    for g in range(len(groups.first_row) - 1):
        bound = best_bound(packed, rows, groups, g, boxes, count, multipliers, steps, scratch)
        if bound < 0:
            return -1
        if losses(packed, groups, g, boxes, count, scratch):
            for r in range(groups.first_row[g], groups.first_row[g + 1]):
                if scratch.slack[r] < 0:
                    return -1
            continue
        single = False
        state = tighten(packed, bound, scratch)
        if state < 0:
            return -1
        changed |= state
    return 2 if single else changed


@njit(cache=True)
def examine(
    packed: Packed,
    rows: Values,
    groups: Groups,
    boxes: NDArray[np.int32],
    count: NDArray[np.int32],
    multipliers: NDArray[np.float64],
    steps: int,
    scratch: Scratch,
) -> int:
    """Survey a node until nothing changes: -1 refuted, 2 all its points separate, 0 open."""
    while True:
        state = survey(packed, rows, groups, boxes, count, multipliers, steps, scratch)
        if state != 1:
            return state
        filter_boxes(packed, scratch.low, scratch.high, boxes, count, boxes, count)


@njit(cache=True)
def search(
    packed: Packed,
    rows: Values,
    groups: Groups,
    stack: Stack,
    alive: Alive,
    scratch: Scratch,
    counters: NDArray[np.int64],
    point: NDArray[np.int64],
    n_nodes: int,
    turned: float,
) -> None:
    """Depth-first search until a point is found, no node is open, or so many nodes are done."""
    last = len(alive.boxes) - 1
    multipliers = np.empty(len(rows.least))
    for _ in range(n_nodes):
        if counters[N_OPEN] == 0:
            return
        counters[N_OPEN] -= 1
        counters[NODES] += 1
        s = counters[N_OPEN]
        depth = stack.depth[s]
        for j in range(len(scratch.low)):
            scratch.low[j], scratch.high[j] = stack.low[s, j], stack.high[s, j]
        for r in range(len(multipliers)):
            multipliers[r] = stack.multipliers[s, r]
        above, here = min(depth - 1, last - 1), min(depth, last)
        boxes, count = alive.boxes[here], alive.counts[here]
        filter_boxes(packed, scratch.low, scratch.high, alive.boxes[above], alive.counts[above], boxes, count)
        steps = FIRST_STEPS if depth == 1 else STEPS
        state = examine(packed, rows, groups, boxes, count, multipliers, steps, scratch)
        if state == 2:
            for j in range(len(point)):
                point[j] = scratch.low[j]
            counters[FOUND] = 1
            return
        if state == 0:
            feature, code = choose(packed, boxes, count, scratch)
            push(stack, counters, depth + 1, multipliers, feature, code, turned, packed, scratch)
