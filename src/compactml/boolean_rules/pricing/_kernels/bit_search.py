"""The search of `compactml.boolean_rules.pricing._kernels.search` on bitsets: for many rows that cannot be merged.

A literal is a row of words, one bit for each positive row and one for each negative sample; what an extension covers is
counted by ``and`` and population count, sixty-four rows at a time. Every binary digit of mu has bits of its own, so the
weights are as exact as elsewhere. Rule 5 is left out: where rows do not merge it costs more than it saves.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from compactml._kernels import popcount
from compactml.boolean_rules.pricing._kernels.rows import Scratch, Table
from compactml.boolean_rules.pricing._kernels.search import judge, open_node
from compactml.boolean_rules.pricing._kernels.tree import DEPTH, FLOOR, Found, Tree, next_child


class Bits(NamedTuple):
    """Rows in which each literal is true: with mu > 0, and single negative samples, which weigh ``loss``.

    A row with mu > 0 has a bit for every binary digit of mu; the bits of word w stand for a digit of ``value[w]``.
    Where ``lost`` is not empty it says the same of negative rows, which have a bit for every digit of their weight.
    """

    positive: NDArray[np.uint64]
    value: NDArray[np.int64]
    negative: NDArray[np.uint64]
    loss: int
    lost: NDArray[np.int64]


class Covered(NamedTuple):
    """The bits of what is covered at each depth."""

    positive: NDArray[np.uint64]
    negative: NDArray[np.uint64]


@njit(cache=True)
def search(
    max_nodes: int,
    shortest: int,
    n_literals: int,
    unit: int,
    counters: NDArray[np.int64],
    bits: Bits,
    covered: Covered,
    table: Table,
    tree: Tree,
    store: Found,
    scratch: Scratch,
) -> bool:
    """Run up to ``max_nodes`` nodes; True when the search is finished. As `_search.search` in pricing."""
    for _ in range(max_nodes):
        i = next_child(counters, tree)
        if i < 0:
            return True
        depth = counters[DEPTH]
        j = tree.alive[depth, i]
        intersect(covered.positive[depth], bits.positive[j], covered.positive[depth + 1])
        intersect(covered.negative[depth], bits.negative[j], covered.negative[depth + 1])
        tree.clause[depth] = j
        expand(
            depth + 1, tree.alive[depth, :i], tree.neg[depth, i],
            shortest, n_literals, unit, counters, bits, covered, table, tree, store, scratch,
        )  # fmt: skip
        if tree.n_alive[depth + 1] > 0:
            counters[DEPTH] = depth + 1
    return False


@njit(cache=True)
def expand(
    depth: int,
    tail: NDArray[np.int32],
    total_neg: int,
    shortest: int,
    n_literals: int,
    unit: int,
    counters: NDArray[np.int64],
    bits: Bits,
    covered: Covered,
    table: Table,
    tree: Tree,
    store: Found,
    scratch: Scratch,
) -> None:
    """Score every extension of the clause of ``depth`` literals and keep those that may lead further."""
    n: Any = np.int64(0)  # not 0: what takes it would be compiled for the constant, too
    for j in tail:
        mu_j = common_value(covered.positive[depth], bits.positive[j], bits.value)
        if mu_j - unit * (2 + depth) <= counters[FLOOR]:
            continue  # rule 2 before the longer count
        if len(bits.lost) > 0:
            neg_j = common_value(covered.negative[depth], bits.negative[j], bits.lost)
        else:
            neg_j = bits.loss * count_common(covered.negative[depth], bits.negative[j])
        n = judge(j, mu_j, neg_j, depth, n, total_neg, False, shortest, unit, counters, tree, store)
    open_node(depth, n, total_neg, n_literals, unit, counters, table, tree, scratch)


@njit(cache=True)
def intersect(one: NDArray[np.uint64], other: NDArray[np.uint64], both: NDArray[np.uint64]) -> None:
    for w in range(len(both)):
        both[w] = one[w] & other[w]


@njit(cache=True)
def common_value(one: NDArray[np.uint64], other: NDArray[np.uint64], value: NDArray[np.int64]) -> int:
    total: Any = np.int64(0)
    for w in range(len(one)):
        total += popcount(one[w] & other[w]) * value[w]
    return total


@njit(cache=True)
def count_common(one: NDArray[np.uint64], other: NDArray[np.uint64]) -> int:
    total: Any = np.int64(0)
    for w in range(len(one)):
        total += popcount(one[w] & other[w])
    return total
