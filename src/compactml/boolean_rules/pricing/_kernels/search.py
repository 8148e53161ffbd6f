"""The compiled heart of exact pricing: depth-first search over clauses on merged, weighted rows.

A node is a clause m, the rows it still covers (equal ones merged, each with the weights ``mu`` of its positives and
``neg`` of its negatives) and the literals that may still extend it. One pass over the rows fills a histogram per
attribute, and prefix sums give mu and neg of every extension at once. All weights are integers, so every comparison
below is exact. The proofs of the pruning rules are in `compactml.boolean_rules.pricing.search`.

The search stops after a given number of nodes and goes on where it was when called again, so that its caller can
watch the clock.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from compactml.boolean_rules.pricing._kernels.rows import (
    Rows,
    Scratch,
    Table,
    active_attributes,
    extended_weight,
    fill_histogram,
    fill_representatives,
    merge_rows,
    pick_rows,
)
from compactml.boolean_rules.pricing._kernels.tree import (
    BEST,
    DEPTH,
    FLOOR,
    N_FOUND,
    THRESHOLD,
    Found,
    Tree,
    insert,
    is_known,
    next_child,
    record,
)


@njit(cache=True)
def removal_bound(
    i: int,
    end: int,
    depth: int,
    total_neg: int,
    n_literals: int,
    unit: int,
    threshold: int,
    table: Table,
    tree: Tree,
    scratch: Scratch,
) -> tuple[int, int]:
    """Rule 3: bound on f of every clause that extends m and its i-th literal alive by some of the first ``end`` ones.

    Also the smallest number of them with which the bound exceeds the threshold (0 if none does). The literals alive lie
    by rising removals, so the largest ones of different groups are met on the way back.
    """
    alive, alive_neg = tree.alive[depth], tree.neg[depth]
    mu_j, neg_j = tree.mu[depth, i], alive_neg[i]
    scratch.stamp[0] += 1
    removed, best, t, needed = np.int64(0), np.iinfo(np.int64).min, 0, 0
    for q in range(end - 1, -1, -1):
        if t == n_literals - depth - 1:
            break
        group = table.group[alive[q]]
        if scratch.met[group] == scratch.stamp[0]:
            continue
        scratch.met[group] = scratch.stamp[0]
        t += 1
        removed += total_neg - alive_neg[q]
        value = mu_j - unit * (2 + depth + t) - max(np.int64(0), neg_j - removed)
        best = max(best, value)
        if needed == 0 and value > threshold:
            needed = t
        if removed >= neg_j:
            break  # more literals only cost more
    return best, needed


@njit(cache=True)
def search(
    max_nodes: int,
    enumerating: bool,
    shortest: int,
    n_literals: int,
    unit: int,
    counters: NDArray[np.int64],
    rows: Rows,
    table: Table,
    tree: Tree,
    store: Found,
    scratch: Scratch,
) -> bool:
    """Run up to ``max_nodes`` nodes; True when the search is finished.

    Clauses of at least ``shortest`` literals with f above ``counters[FLOOR]`` are kept as they are met. Branches
    without a clause above ``counters[THRESHOLD]`` are cut: in pricing it rises with the best value, in an enumeration
    it stays the floor.
    """
    for _ in range(max_nodes):
        i = next_child(counters, tree)
        if i < 0:
            return True
        depth = counters[DEPTH]
        alive, j = tree.alive[depth], tree.alive[depth, i]
        price = unit * (2 + depth + tree.needed[depth, i])
        n_picked, total = pick_rows(rows, rows.start[depth], rows.end[depth], j, table, scratch.picked)
        if total - price <= counters[THRESHOLD]:
            continue  # rule 5 with the rows as they are merged so far
        n_attributes = active_attributes(alive, i, table, scratch)
        n_changed = fill_representatives(alive, i, n_attributes, depth, table, scratch)
        top, total = merge_rows(rows, n_picked, rows.end[depth], n_changed, table, scratch)
        if total - price <= counters[THRESHOLD]:
            continue  # rule 5
        tree.clause[depth] = j
        scratch.marked[depth + 1] = scratch.mark
        rows.start[depth + 1] = rows.end[depth]
        rows.end[depth + 1] = top
        expand(
            depth + 1, alive[:i], tree.neg[depth, i], n_attributes,
            enumerating, shortest, n_literals, unit, counters, rows, table, tree, store, scratch,
        )  # fmt: skip
        if tree.n_alive[depth + 1] > 0:
            counters[DEPTH] = depth + 1
            compact(depth + 1, rows, table, tree, scratch)
    return False


@njit(cache=True)
def compact(depth: int, rows: Rows, table: Table, tree: Tree, scratch: Scratch) -> None:
    """Merge a node's rows again, now that literals have gone: every child reads them all."""
    start, n = rows.start[depth], rows.end[depth] - rows.start[depth]
    for p in range(n):
        scratch.picked[p] = start + p
    alive, n_alive = tree.alive[depth], tree.n_alive[depth]
    n_attributes = active_attributes(alive, n_alive, table, scratch)
    n_changed = fill_representatives(alive, n_alive, n_attributes, depth, table, scratch)
    scratch.marked[depth] = scratch.mark
    rows.end[depth], _ = merge_rows(rows, n, start, n_changed, table, scratch)


@njit(cache=True)
def expand(
    depth: int,
    tail: NDArray[np.int32],
    total_neg: int,
    n_attributes: int,
    enumerating: bool,
    shortest: int,
    n_literals: int,
    unit: int,
    counters: NDArray[np.int64],
    rows: Rows,
    table: Table,
    tree: Tree,
    store: Found,
    scratch: Scratch,
) -> None:
    """Score every extension of the clause of ``depth`` literals and keep those that may lead further."""
    fill_histogram(
        rows, rows.start[depth], rows.end[depth], table, scratch.attributes, n_attributes,
        scratch.hist_mu, scratch.hist_neg,
    )  # fmt: skip
    n: Any = np.int64(0)  # not 0: what takes it would be compiled for the constant, too
    for j in tail:
        mu_j = extended_weight(scratch.hist_mu, j, table)
        neg_j = extended_weight(scratch.hist_neg, j, table)
        n = judge(j, mu_j, neg_j, depth, n, total_neg, enumerating, shortest, unit, counters, tree, store)
    open_node(depth, n, total_neg, n_literals, unit, counters, table, tree, scratch)


@njit(cache=True)
def judge(
    j: int,
    mu_j: int,
    neg_j: int,
    depth: int,
    n: int,
    total_neg: int,
    enumerating: bool,
    shortest: int,
    unit: int,
    counters: NDArray[np.int64],
    tree: Tree,
    store: Found,
) -> int:
    """Score the extension by literal j, and put j among the n alive if it may lead further; returns their number."""
    f = mu_j - neg_j - unit * (2 + depth)
    if depth + 1 >= shortest:
        if f > counters[FLOOR] and (enumerating or not is_known(store, counters[N_FOUND], f, mu_j)):
            record(store, counters, tree.clause, depth, j, f, mu_j)
        counters[BEST] = max(counters[BEST], f)
        if not enumerating:
            counters[THRESHOLD] = max(counters[THRESHOLD], f)
    if total_neg - neg_j <= (0 if enumerating else unit):
        return n  # rule 1
    if mu_j - unit * (3 + depth) <= counters[THRESHOLD]:
        return n  # rule 2
    insert(tree, depth, n, j, mu_j, neg_j)
    return n + 1


@njit(cache=True)
def open_node(
    depth: int,
    n: int,
    total_neg: int,
    n_literals: int,
    unit: int,
    counters: NDArray[np.int64],
    table: Table,
    tree: Tree,
    scratch: Scratch,
) -> None:
    """Ready the children of a node with n literals alive."""
    if depth + 1 >= n_literals:
        n = 0
    tree.next_child[depth] = 0
    tree.n_alive[depth] = without_hopeless(
        n, depth, total_neg, n_literals, unit, counters, table, tree, scratch
    )
    limit_children(depth, total_neg, n_literals, unit, counters, table, tree, scratch)


@njit(cache=True)
def without_hopeless(
    n: int,
    depth: int,
    total_neg: int,
    n_literals: int,
    unit: int,
    counters: NDArray[np.int64],
    table: Table,
    tree: Tree,
    scratch: Scratch,
) -> int:
    """Rule 3 with all literals alive, until none goes; returns how many stay."""
    alive, alive_mu, alive_neg = tree.alive[depth], tree.mu[depth], tree.neg[depth]
    threshold = counters[THRESHOLD]
    while n > 0:
        hopeful, stay = scratch.hopeful, 0
        for i in range(n):
            bound, _ = removal_bound(
                i, n, depth, total_neg, n_literals, unit, threshold, table, tree, scratch
            )
            hopeful[i] = bound > threshold
        for i in range(n):
            if hopeful[i]:
                alive[stay], alive_mu[stay], alive_neg[stay] = alive[i], alive_mu[i], alive_neg[i]
                stay += 1
        if stay == n:
            break
        n = stay
    return n


@njit(cache=True)
def limit_children(
    depth: int,
    total_neg: int,
    n_literals: int,
    unit: int,
    counters: NDArray[np.int64],
    table: Table,
    tree: Tree,
    scratch: Scratch,
) -> None:
    """Rules 3 and 4: child i is extended by the literals before it only, and bounded by their removals."""
    for i in range(tree.n_alive[depth]):
        tree.limit[depth, i], tree.needed[depth, i] = removal_bound(
            i, i, depth, total_neg, n_literals, unit, counters[THRESHOLD], table, tree, scratch
        )
