"""Compiled walk through all sets of listed clauses that may be good enough."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from compactml.boolean_rules._kernels.closing import fill_list

# entries of the counters
DEPTH, MISSED, ALARMS, SUM, COVERED, WORST, COUNT, BEST_SIZE, N_COUNTERS = range(9)

TOLERANCE = 1e-12
"""Of a difference of two shares."""


class Clauses(NamedTuple):
    """Clauses with the rows ``rows[pointer[k]:pointer[k + 1]]``, relaxed reduced costs and complexities, weights of
    the negatives in them, and bits of the forced columns that they use.
    """

    pointer: NDArray[np.int64]
    rows: NDArray[np.int32]
    reduced: NDArray[np.int64]
    costs: NDArray[np.int64]
    negatives: NDArray[np.int64]
    columns: NDArray[np.int64]


class Weights(NamedTuple):
    """Of each row: dual value, weights of both classes, samples, and samples of groups, shape (U, n_groups)."""

    mu: NDArray[np.int64]
    positives: NDArray[np.int64]
    negatives: NDArray[np.int64]
    samples: NDArray[np.int64]
    groups: NDArray[np.int64]


class Bounds(NamedTuple):
    """What a set must keep, and how its loss is bounded: ``scale * unit * loss >= penalty + fixed``."""

    complexity: int
    most_clauses: int
    zero_one: bool
    least_covered: int
    most_covered: int
    widest: float
    columns: int
    price: int
    times: int
    scale: int
    unit: int
    fixed: int
    counting: bool
    most_sets: int


class Path(NamedTuple):
    """The clauses chosen and, of each depth, the list of clauses that may follow with what each would add."""

    chosen: NDArray[np.int64]
    lists: NDArray[np.int64]
    penalties: NDArray[np.int64]
    length: NDArray[np.int64]
    position: NDArray[np.int64]
    spent: NDArray[np.int64]
    used: NDArray[np.int64]
    columns: NDArray[np.int64]
    counts: NDArray[np.int64]
    in_groups: NDArray[np.int64]
    best: NDArray[np.int64]


@njit(cache=True)
def place(
    k: int, by: int, clauses: Clauses, weights: Weights, path: Path, counters: NDArray[np.int64]
) -> None:
    """Add (``by`` = 1) or take back (-1) a clause."""
    counters[SUM] += by * clauses.negatives[k]
    for q in range(clauses.pointer[k], clauses.pointer[k + 1]):
        u = clauses.rows[q]
        changes = path.counts[u] == (0 if by == 1 else 1)
        path.counts[u] += by
        if changes:
            counters[MISSED] -= by * weights.positives[u]
            counters[ALARMS] += by * weights.negatives[u]
            counters[COVERED] += by * weights.samples[u]
            for g in range(weights.groups.shape[1]):
                path.in_groups[g] += by * weights.groups[u, g]


@njit(cache=True)
def allowed(
    columns: int,
    counters: NDArray[np.int64],
    in_groups: NDArray[np.int64],
    sizes: NDArray[np.int64],
    bounds: Bounds,
) -> bool:
    """Whether the rules chosen keep all limits."""
    if columns != bounds.columns:
        return False
    if not bounds.least_covered <= counters[COVERED] <= bounds.most_covered:
        return False
    low, high = 1.0, 0.0
    for g in range(len(sizes)):
        share = in_groups[g] / sizes[g]
        low, high = min(low, share), max(high, share)
    return high - low <= bounds.widest + TOLERANCE


@njit(cache=True)
def judge(
    depth: int,
    columns: int,
    sizes: NDArray[np.int64],
    bounds: Bounds,
    path: Path,
    counters: NDArray[np.int64],
) -> bool:
    """Count the rules chosen, or keep them as the best, if they are allowed and good enough; False ends the walk."""
    loss = counters[MISSED] + (counters[ALARMS] if bounds.zero_one else counters[SUM])
    if loss > counters[WORST] or not allowed(columns, counters, path.in_groups, sizes, bounds):
        return True
    counters[COUNT] += 1
    if bounds.counting:
        return counters[COUNT] <= bounds.most_sets
    counters[WORST] = loss - 1
    counters[BEST_SIZE] = depth + 1
    path.best[: depth + 1] = path.chosen[: depth + 1]
    return True


@njit(cache=True)
def visit(
    max_nodes: int,
    clauses: Clauses,
    weights: Weights,
    sizes: NDArray[np.int64],
    bounds: Bounds,
    path: Path,
    counters: NDArray[np.int64],
) -> bool:
    """Depth-first walk through the sets of clauses whose loss may be at most ``counters[WORST]``; True when finished.

    The penalty of a set is the sum of the reduced costs and of mu where clauses meet. It never falls when a clause is
    added. Of the 0-1 loss the relaxation counts 1 / ``times`` of the negatives for each clause: where rows are covered
    and r clauses may still come, at least ``times - r - clauses`` parts of theirs are missing. A set that covers too
    much is left with all larger ones.
    """
    nodes = 0
    while counters[DEPTH] >= 0:
        depth = counters[DEPTH]
        if path.position[depth] >= path.length[depth]:
            if depth > 0:
                place(path.chosen[depth - 1], -1, clauses, weights, path, counters)
            counters[DEPTH] = depth - 1
            continue
        if nodes >= max_nodes:
            return False
        nodes += 1
        at = path.position[depth]
        path.position[depth] += 1
        k = path.lists[depth, at]
        penalty = path.spent[depth] + path.penalties[depth, at]
        budget = bounds.scale * bounds.unit * counters[WORST] - bounds.fixed
        if penalty > budget:
            continue
        place(k, 1, clauses, weights, path, counters)
        path.chosen[depth] = k
        now = path.used[depth] + clauses.costs[k]
        columns = path.columns[depth] | clauses.columns[k]
        room = min(bounds.most_clauses - depth - 1, (bounds.complexity - now) // 2)
        missing = 0
        if bounds.zero_one:
            parts = (bounds.times - room) * counters[ALARMS] - counters[SUM]
            missing = max(0, parts) * (bounds.scale // bounds.times) * bounds.unit
        n = 0
        if counters[COVERED] <= bounds.most_covered and penalty + missing <= budget:
            if not judge(depth, columns, sizes, bounds, path, counters):
                return True
            budget = bounds.scale * bounds.unit * counters[WORST] - bounds.fixed
            if room > 0:
                n = fill_list(depth, at, penalty, now, bounds.complexity, budget, clauses, weights.mu, path)
        if n == 0:
            place(k, -1, clauses, weights, path, counters)
            continue
        path.spent[depth + 1], path.used[depth + 1], path.columns[depth + 1] = penalty, now, columns
        path.position[depth + 1], path.length[depth + 1] = 0, n
        counters[DEPTH] = depth + 1
    return True
