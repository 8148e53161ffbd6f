"""Compiled search for a better rule set among enumerated clauses."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

# entries of the counters
DEPTH, BUDGET, OPEN, BEST_SIZE, NODES, N_COUNTERS = range(6)


class Clauses(NamedTuple):
    """Clauses with the rows ``rows[pointer[k]:pointer[k + 1]]``, reduced costs -f and complexities; of each row mu
    and p - mu, what it costs to leave it uncovered.
    """

    pointer: NDArray[np.int64]
    rows: NDArray[np.int32]
    reduced: NDArray[np.int64]
    costs: NDArray[np.int64]
    mu: NDArray[np.int64]
    forgone: NDArray[np.int64]


class Path(NamedTuple):
    """The clauses chosen and, of each depth, the list of clauses that may follow with what each would add."""

    chosen: NDArray[np.int64]
    lists: NDArray[np.int64]
    penalties: NDArray[np.int64]
    length: NDArray[np.int64]
    position: NDArray[np.int64]
    spent: NDArray[np.int64]
    used: NDArray[np.int64]
    counts: NDArray[np.int64]
    best: NDArray[np.int64]


@njit(cache=True)
def added_penalty(k: int, clauses: Any, mu: NDArray[np.int64], counts: NDArray[np.int64]) -> int:
    """Reduced cost of clause k plus mu on the rows that it covers again."""
    penalty = clauses.reduced[k]
    for q in range(clauses.pointer[k], clauses.pointer[k + 1]):
        if counts[clauses.rows[q]] > 0:
            penalty += mu[clauses.rows[q]]
    return penalty


@njit(cache=True)
def place_clause(
    k: int, by: int, clauses: Clauses, counts: NDArray[np.int64], counters: NDArray[np.int64]
) -> None:
    """Add (``by`` = 1) or take back (-1) a clause; keeps the penalty of the rows still uncovered."""
    for q in range(clauses.pointer[k], clauses.pointer[k + 1]):
        u = clauses.rows[q]
        if counts[u] == 0 and by == 1:
            counters[OPEN] -= clauses.forgone[u]
        counts[u] += by
        if counts[u] == 0 and by == -1:
            counters[OPEN] += clauses.forgone[u]


@njit(cache=True)
def fill_list(
    depth: int,
    at: int,
    penalty: int,
    now: int,
    complexity: int,
    budget: int,
    clauses: Any,
    mu: NDArray[np.int64],
    path: Any,
) -> int:
    """Clauses after place ``at`` that still fit; the penalty of each has only grown.

    It also serves the walk of `compactml.boolean_rules.exact`, whose clauses and path have more fields.
    """
    n = 0
    for q in range(at + 1, path.length[depth]):
        other = path.lists[depth, q]
        if now + clauses.costs[other] > complexity or penalty + path.penalties[depth, q] > budget:
            continue
        own = added_penalty(other, clauses, mu, path.counts)
        if penalty + own <= budget:
            path.lists[depth + 1, n] = other
            path.penalties[depth + 1, n] = own
            n += 1
    return n


@njit(cache=True)
def close(
    until_node: int,
    most_work: int,
    complexity: int,
    price: int,
    unit: int,
    clauses: Clauses,
    path: Path,
    counters: NDArray[np.int64],
) -> bool:
    """Depth-first search over sets of clauses with total penalty at most the budget; True when finished.

    It returns, to be called again, when it has met node number ``until_node`` of all calls, or done so much work in
    this one: entries of the lists, each counted with the rows of a clause on average.

    Penalty of a set = sum of reduced costs + mu of repeated covers + p - mu of uncovered rows + price of unused
    complexity = loss minus the dual value. The first two never fall when a clause is added; clauses for which they
    exceed the budget leave the list. The budget falls with every better set, which is written to ``path.best``.
    """
    work = 0
    share = 1 + len(clauses.rows) // max(len(clauses.costs), 1)
    while counters[DEPTH] >= 0:
        depth = counters[DEPTH]
        if path.position[depth] >= path.length[depth]:
            if depth > 0:
                place_clause(path.chosen[depth - 1], -1, clauses, path.counts, counters)
            counters[DEPTH] = depth - 1
            continue
        if counters[NODES] >= until_node or work >= most_work:
            return False
        counters[NODES] += 1
        at = path.position[depth]
        path.position[depth] += 1
        k = path.lists[depth, at]
        penalty = path.spent[depth] + path.penalties[depth, at]
        if penalty > counters[BUDGET]:
            continue
        place_clause(k, 1, clauses, path.counts, counters)
        path.chosen[depth] = k
        now = path.used[depth] + clauses.costs[k]
        total = penalty + counters[OPEN] + price * (complexity - now)
        if total <= counters[BUDGET]:
            counters[BUDGET] = total - unit  # the next set must be better by one unit of loss
            counters[BEST_SIZE] = depth + 1
            path.best[: depth + 1] = path.chosen[: depth + 1]
        work += share * (path.length[depth] - at)
        n = fill_list(depth, at, penalty, now, complexity, counters[BUDGET], clauses, clauses.mu, path)
        if n == 0:
            place_clause(k, -1, clauses, path.counts, counters)
            continue
        path.spent[depth + 1], path.used[depth + 1] = penalty, now
        path.position[depth + 1], path.length[depth + 1] = 0, n
        counters[DEPTH] = depth + 1
    return True
