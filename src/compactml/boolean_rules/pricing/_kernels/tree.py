"""Compiled: the path of a search for clauses, and the clauses that it keeps."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = [
    "BEST",
    "DEPTH",
    "FLOOR",
    "NODES",
    "N_COUNTERS",
    "N_FOUND",
    "OVERFLOW",
    "THRESHOLD",
    "Found",
    "Tree",
    "insert",
    "is_known",
    "next_child",
    "record",
]

# entries of the counters
DEPTH, NODES, BEST, FLOOR, THRESHOLD, N_FOUND, OVERFLOW, N_COUNTERS = range(8)


class Tree(NamedTuple):
    """The path to the present node. Of each depth: the literals alive by falling neg, with what they leave covered, the
    bound of rule 3 on the clauses through them, and how many more literals such a clause needs at least.
    """

    alive: NDArray[np.int32]
    mu: NDArray[np.int64]
    neg: NDArray[np.int64]
    limit: NDArray[np.int64]
    needed: NDArray[np.int64]
    n_alive: NDArray[np.int64]
    next_child: NDArray[np.int64]
    clause: NDArray[np.int32]


class Found(NamedTuple):
    """Clauses kept, one a row and filled up with -1, with their f and mu."""

    clauses: NDArray[np.int32]
    f: NDArray[np.int64]
    mu: NDArray[np.int64]


@njit(cache=True)
def record(
    store: Found,
    counters: NDArray[np.int64],
    clause: NDArray[np.int32],
    depth: int,
    j: int,
    f: int,
    mu_j: int,
) -> None:
    """Keep a clause; when all places are taken the worst goes, and the overflow is told."""
    place = counters[N_FOUND]
    if place == len(store.f):
        counters[OVERFLOW] = 1
        place = store.f.argmin()
        if f <= store.f[place]:
            return
    else:
        counters[N_FOUND] += 1
    for d in range(depth):
        store.clauses[place, d] = clause[d]
    store.clauses[place, depth] = j
    store.clauses[place, depth + 1 :] = -1
    store.f[place] = f
    store.mu[place] = mu_j


@njit(cache=True)
def is_known(store: Found, n: int, f: int, mu_j: int) -> bool:
    """Return whether a clause of the same value and the same mu is kept already (most often one of the same rows)."""
    for q in range(n):  # noqa: SIM110 (compiled)
        if store.f[q] == f and store.mu[q] == mu_j:
            return True
    return False


@njit(cache=True)
def next_child(counters: NDArray[np.int64], tree: Tree) -> int:
    """Return the place of the next child that may lead further, at ``counters[DEPTH]``; -1 when there is none left."""
    while counters[DEPTH] >= 0:
        depth = counters[DEPTH]
        i = tree.next_child[depth]
        if i >= tree.n_alive[depth]:
            counters[DEPTH] = depth - 1
            continue
        tree.next_child[depth] += 1
        if tree.limit[depth, i] > counters[THRESHOLD]:
            counters[NODES] += 1
            return i
    return -1


@njit(cache=True)
def insert(tree: Tree, depth: int, n: int, j: int, mu_j: int, neg_j: int) -> None:
    """Put a literal among the n alive, by falling negatives (rule 4)."""
    alive, alive_mu, alive_neg = tree.alive[depth], tree.mu[depth], tree.neg[depth]
    while n > 0 and alive_neg[n - 1] < neg_j:
        alive[n], alive_mu[n], alive_neg[n] = alive[n - 1], alive_mu[n - 1], alive_neg[n - 1]
        n -= 1
    alive[n], alive_mu[n], alive_neg[n] = j, mu_j, neg_j
