"""What `compactml.boolean_rules.pricing.search` works on and returns: packed rows, bitsets, tree, scratch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from compactml.boolean_rules.duals import UNIT, Duals
from compactml.boolean_rules.instance import Clause, Instance
from compactml.boolean_rules.pricing._kernels.bit_search import Bits, Covered
from compactml.boolean_rules.pricing._kernels.rows import Scratch, Table
from compactml.boolean_rules.pricing._kernels.tree import BEST, N_FOUND, NODES, Found, Tree

__all__ = [
    "Negatives",
    "SearchResult",
    "bitsets",
    "empty_tree",
    "negative_bits",
    "packed_rows",
    "result_of",
    "scratch",
]


REPEATED = 2
"""Negative samples, so many for each row, up to which each has a bit of its own; weights usually have more."""

_NONE = np.zeros(0, dtype=np.int64)


class Negatives(NamedTuple):
    """The literals as sets of negatives, shape (d, n_words), the set of all, and what a bit of each word weighs.

    The last is empty where every bit is one sample.
    """

    bits: NDArray[np.uint64]
    root: NDArray[np.uint64]
    lost: NDArray[np.int64]


def packed_rows(instance: Instance) -> tuple[NDArray[np.uint64], Table]:
    """Rows as machine words, shape (U, n_words), an attribute on as many bits as its bins need."""
    literals = instance.literals
    width = np.maximum(np.ceil(np.log2(np.maximum(literals.n_bins, 2))).astype(np.int64), 1)
    word, bit, used = np.zeros(len(width), dtype=np.int64), np.zeros(len(width), dtype=np.uint64), 0
    for a, bits in enumerate(width):
        if used % 64 + bits > 64:  # no attribute lies in two words
            used += 64 - used % 64
        word[a], bit[a], used = used // 64, used % 64, used + bits
    words = np.zeros((len(instance.codes), int(word.max(initial=0)) + 1), dtype=np.uint64)
    for a in range(len(width)):
        words[:, word[a]] |= instance.codes[:, a].astype(np.uint64) << bit[a]
    mask = (np.uint64(1) << width.astype(np.uint64)) - np.uint64(1)
    offset = np.concatenate([[0], np.cumsum(literals.n_bins.astype(np.int64) + 1)])
    ranges = (literals.attribute, literals.lo, literals.hi, literals.complement, literals.group)
    return words, Table(*ranges, word, bit, mask, offset)


def negative_bits(instance: Instance) -> Negatives:
    """The negatives as bits: single samples, or the binary digits of their weights where these are large."""
    negatives = instance.negatives
    if negatives.sum() <= REPEATED * len(negatives):
        repeated = np.repeat(np.arange(len(negatives)), negatives)
        return Negatives(_literal_bits(instance, repeated), _words(np.ones(len(repeated), dtype=bool)), _NONE)
    rows = np.flatnonzero(negatives)
    chosen, values, root = _digits(negatives[rows])
    return Negatives(_literal_bits(instance, rows)[:, chosen], root, UNIT * values)


def bitsets(instance: Instance, negatives: Negatives, duals: Duals, depth: int) -> tuple[Bits, Covered]:
    """The literals as sets of rows, and what a clause without literals covers, with memory for ``depth`` levels.

    Rows whose mu is a whole number of samples come first, as most are: the low digits then fill few words.
    """
    rows = np.flatnonzero(duals.mu)
    rows = rows[np.argsort(duals.mu[rows] % UNIT > 0, kind="stable")]
    chosen, values, root = _digits(duals.mu[rows])
    covered = Covered(
        positive=np.empty((depth, len(chosen)), dtype=np.uint64),
        negative=np.empty((depth, len(negatives.root)), dtype=np.uint64),
    )
    covered.positive[0], covered.negative[0] = root, negatives.root
    positive = _literal_bits(instance, rows)[:, chosen]
    return Bits(positive, values, negatives.bits, UNIT, negatives.lost), covered


def _literal_bits(instance: Instance, rows: NDArray[np.intp]) -> NDArray[np.uint64]:
    """The literals as sets of some rows, shape (d, n_words)."""
    return np.stack([_words(instance.truth(j)[rows]) for j in range(len(instance.literals))])


def _digits(numbers: NDArray[np.int64]) -> tuple[NDArray[np.intp], NDArray[np.int64], NDArray[np.uint64]]:
    """Whole numbers as words of binary digits: which words of the rows, what a digit of each is worth, and the bits."""
    words, values, root = [], [], []
    for digit in range(int(numbers.max(initial=1)).bit_length()):
        bits = _words((numbers >> digit & 1) > 0)
        used = np.flatnonzero(bits)
        words.append(used)
        values.append(np.full(len(used), 1 << digit))
        root.append(bits[used])
    return np.concatenate(words), np.concatenate(values), np.concatenate(root)


def empty_tree(depth: int, n_literals: int) -> Tree:
    """A tree without nodes, of ``depth`` levels."""
    return Tree(
        alive=np.empty((depth, n_literals), dtype=np.int32),
        mu=np.empty((depth, n_literals), dtype=np.int64),
        neg=np.empty((depth, n_literals), dtype=np.int64),
        limit=np.empty((depth, n_literals), dtype=np.int64),
        needed=np.empty((depth, n_literals), dtype=np.int64),
        n_alive=np.zeros(depth, dtype=np.int64),
        next_child=np.zeros(depth, dtype=np.int64),
        clause=np.empty(depth, dtype=np.int32),
    )


def scratch(table: Table, n_rows: int, n_words: int, n_levels: int) -> Scratch:
    """Memory for one node."""
    places, n_attributes, n_groups = (
        int(table.offset[-1]),
        len(table.word),
        int(table.group.max(initial=-1)) + 1,
    )
    return Scratch(
        hist_mu=np.zeros(places, dtype=np.int64),
        hist_neg=np.zeros(places, dtype=np.int64),
        seen=np.zeros(n_attributes, dtype=bool),
        attributes=np.zeros(n_attributes, dtype=np.int64),
        mark=np.zeros(places, dtype=np.int8),
        marked=np.zeros((n_levels, places), dtype=np.int8),
        changed=np.zeros(n_attributes, dtype=np.int64),
        same_bits=np.zeros(n_words, dtype=np.uint64),
        rep=np.zeros(places, dtype=np.uint64),
        slots=np.empty(max(32, 1 << int(np.ceil(np.log2(4 * n_rows)))), dtype=np.int32),
        picked=np.empty(n_rows, dtype=np.int64),
        hopeful=np.zeros(len(table.attribute), dtype=bool),
        met=np.zeros(n_groups, dtype=np.int64),
        stamp=np.zeros(1, dtype=np.int64),
    )


def _words(truth: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Bits of a vector, sixty-four a word."""
    padded = np.zeros(-(-len(truth) // 64) * 64, dtype=bool)
    padded[: len(truth)] = truth
    return np.packbits(padded, bitorder="little").view(np.uint64)


@dataclass(frozen=True)
class SearchResult:
    """What a search found.

    Attributes
    ----------
    clauses : tuple of Clause
        By falling f.
    best : int
        Largest f met (units of 1 / UNIT); the largest of all clauses when ``complete`` and above the threshold.
    complete : bool
        The whole tree was searched and nothing had to be left out.
    nodes : int
    """

    clauses: tuple[Clause, ...]
    best: int
    complete: bool
    nodes: int


def result_of(store: Found, counters: NDArray[np.int64], complete: bool) -> SearchResult:
    """Read what a search has stored."""
    n = int(counters[N_FOUND])
    order = np.argsort(-store.f[:n], kind="stable")
    clauses = tuple(tuple(sorted(int(j) for j in store.clauses[q] if j >= 0)) for q in order)
    return SearchResult(clauses, int(counters[BEST]), complete, int(counters[NODES]))
