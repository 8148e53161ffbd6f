r"""Exact pricing of clauses by branch and bound: the largest f, or all clauses whose f exceeds a threshold.

For duals mu of (2) and lambda of (3) of Dash, Günlük and Wei (2018), with the weights summed over equal rows,

    f(m) = mu(cov m) - neg(cov m) - lambda (1 + |m|),        1 <= |m| <= D,

is the negative of the reduced cost (5), and the pricing problem (6)-(10) asks for its largest value. It is a maximum
monomial agreement problem with a price per literal; the tree over sets of literals is that of Webb (1995), the bounds
are ours. Everything is counted in integers (multiples of ``1 / UNIT``), so no comparison is subject to rounding.

Let m be the clause of a node with d literals, P_j and N_j the mu and the negatives that m + j covers, and r_j = N - N_j
the negatives that j removes. With T the threshold:

1. *Irreducible literals.* With r_j <= lambda, j may be left out of any extension of m that has another literal: the
   negatives that only j removes shrink as m grows, so leaving j out costs at most r_j and saves lambda. Some best
   clause is a single literal or has no such one, and neither has any clause on the way to it. (An enumeration drops j
   only if r_j = 0, because the complexity saved may be worth less than lambda to a rule set: the clause without j has
   as many negatives, no fewer positives and a lower cost.)
2. *Coverage.* A proper extension through j has f <= P_j - lambda (3 + d).
3. *Removal.* An extension through j by t more literals has f <= P_j - lambda (2 + d + t) - (N_j - R_t)^+, where R_t
   sums the t largest r of different groups: removals inside j are no larger than in m, and of two literals of a group
   one is reducible, or the clause covers nothing.
4. *Order.* Children by falling N_j: child i is extended only by the literals before it, and R_t is taken over these,
   which remove no more than it does. (By falling P the tree is larger.)
5. *Merged rows.* Rows that no literal alive can tell apart are covered together from here on, so
   f <= sum over merged rows of (mu - neg)^+ - lambda (2 + d + t), with the smallest t that rule 3 leaves room for.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from compactml.boolean_rules.duals import UNIT, Duals
from compactml.boolean_rules.instance import MOST_WEIGHT, Instance
from compactml.boolean_rules.pricing._kernels import beam as compiled_beam
from compactml.boolean_rules.pricing._kernels import bit_search as on_bits
from compactml.boolean_rules.pricing._kernels import search as on_rows
from compactml.boolean_rules.pricing._kernels.rows import Rows, active_attributes
from compactml.boolean_rules.pricing._kernels.tree import (
    BEST,
    FLOOR,
    N_COUNTERS,
    N_FOUND,
    OVERFLOW,
    THRESHOLD,
    Found,
)
from compactml.boolean_rules.pricing.search_memory import (
    Negatives,
    SearchResult,
    bitsets,
    empty_tree,
    negative_bits,
    packed_rows,
    result_of,
    scratch,
)
from compactml.errors import check_instance, check_integer

__all__ = ["LARGEST", "ROWS_FOR_BITSETS", "Search", "SearchResult"]

NODES_BETWEEN_CHECKS = 2000

MOST_CLAUSES = 1_000_000
LARGEST = 2**31 - 1
"""Of what is counted in clauses or literals."""

ROWS_FOR_BITSETS = 2000
"""Distinct rows from which `Search.best` works on bitsets: fewer ones merge, and merging bounds."""


class Search:
    """Branch and bound over the clauses of one instance; buffers are kept between calls.

    Parameters
    ----------
    instance : Instance
    max_clause_size : int
        D of (9).

    Examples
    --------
    >>> import numpy as np
    >>> from compactml.boolean_rules import Duals, Instance, Literals, Search
    >>> instance = Instance.from_codes(np.eye(2, dtype=int), np.array([True, False]), Literals.binary(["a", "b"]))
    >>> Search(instance, 1).best(Duals.left_by(instance, [])).clauses[0]  # the literal "a"
    (0,)
    """

    def __init__(self, instance: Instance, max_clause_size: int) -> None:
        check_instance("instance", instance, Instance)
        check_integer("max_clause_size", max_clause_size, 1, LARGEST)
        self.instance = instance
        # no irreducible clause has two literals of a group
        self.max_clause_size = min(max_clause_size, len(set(instance.literals.group.tolist())))
        self._packed, self._table = packed_rows(instance)
        self._negative = negative_bits(instance) if len(instance.codes) >= ROWS_FOR_BITSETS else None
        n_rows, n_words = self._packed.shape
        places = n_rows * (self.max_clause_size + 2)  # memory is touched only as deep as the search goes
        depth = self.max_clause_size + 1
        self._rows = Rows(
            words=np.empty((places, n_words), dtype=np.uint64),
            mu=np.empty(places, dtype=np.int64),
            neg=np.empty(places, dtype=np.int64),
            start=np.zeros(depth, dtype=np.int64),
            end=np.zeros(depth, dtype=np.int64),
        )
        self._scratch = scratch(self._table, n_rows, n_words, depth)

    def best(
        self,
        duals: Duals,
        *,
        above: int = 0,
        n_clauses: int = 64,
        enough: int | None = None,
        sizes: tuple[int, int] | None = None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> SearchResult:
        """Return the clauses with the largest f, among them one of the largest of all if that exceeds ``above``.

        Parameters
        ----------
        duals : Duals
        above : int, default 0
            Only clauses with f above it matter (units of 1 / UNIT, not negative); none after a complete search: proof.
        n_clauses : int, default 64
            Number of clauses kept; they have different f or different mu.
        enough : int, optional
            End the search, incomplete, when it has found so many clauses.
        sizes : tuple of two int, optional
            Least and largest number of literals of the clauses that matter, by default 1 and D. A clause that is no
            better than without one of its literals may be left out even if that one is too short.
        stopped : callable
            Asked every few thousand nodes; True ends the search.
        """
        self._check(duals, n_clauses=n_clauses)
        check_integer("above", above, 0, MOST_WEIGHT * UNIT)
        counters, store = self._counters(above, above), self._found(n_clauses)
        complete = self._run(duals, counters, store, stopped, enough=enough or n_clauses + 1, sizes=sizes)
        return result_of(store, counters, complete)

    def beam(
        self, duals: Duals, *, width: int, by_gain: bool = False, max_literals: int = 5, n_clauses: int = 30
    ) -> SearchResult:
        """Find clauses with f > 0 by beam search: fast, complete never.

        Parameters
        ----------
        duals : Duals
        width : int
            Clauses of one length that are extended.
        by_gain : bool, default False
            Extend clauses with the largest gain in information (Quinlan 1990), broad ones, not with the largest f.
        max_literals : int, default 5
        n_clauses : int, default 30
        """
        self._check(duals, width=width, max_literals=max_literals, n_clauses=n_clauses)
        counters, store = self._counters(0, 0), self._found(n_clauses)
        loss = UNIT * self.instance.negatives
        kept = np.flatnonzero((duals.mu > 0) | (loss > 0))
        rows = Rows(self._packed[kept], duals.mu[kept], loss[kept], self._rows.start, self._rows.end)
        levels = min(max_literals, self.max_clause_size)
        guide = compiled_beam.BY_GAIN if by_gain else compiled_beam.BY_VALUE
        compiled_beam.beam(rows, self._table, duals.price, width, guide, levels, counters, store)
        counters[BEST] = store.f[: counters[N_FOUND]].max(initial=0)
        return result_of(store, counters, complete=False)

    def all_above(
        self,
        duals: Duals,
        threshold: int,
        *,
        capacity: int,
        largest: int = np.iinfo(np.int64).max,
        stopped: Callable[[], bool] = lambda: False,
    ) -> SearchResult:
        """Return every clause with f above a threshold, save those that a cheaper one dominates.

        That one has no more negatives, at least its positives and a lower complexity.

        Parameters
        ----------
        duals : Duals
        threshold : int
            In units of 1 / UNIT; usually negative.
        capacity : int
            Largest number of clauses; the result is not complete when there are more.
        largest : int, optional
            End the search, incomplete, soon after it has met a clause with f above this (units of 1 / UNIT).
        stopped : callable, as in `best`
        """
        self._check(duals, capacity=capacity)
        counters, store = self._counters(threshold, threshold), self._found(capacity)
        complete = self._run(
            duals,
            counters,
            store,
            lambda: counters[BEST] > largest or stopped(),
            enough=capacity + 1,
            enumerating=True,
        )
        return result_of(store, counters, complete and not counters[OVERFLOW])

    def _check(self, duals: Duals, **numbers: int) -> None:
        check_instance("duals", duals, Duals)
        duals.check(self.instance)
        for name, number in numbers.items():
            check_integer(name, number, 1, MOST_CLAUSES)

    def _counters(self, floor: int, threshold: int) -> NDArray[np.int64]:
        counters = np.zeros(N_COUNTERS, dtype=np.int64)
        counters[BEST] = np.iinfo(np.int64).min
        counters[FLOOR], counters[THRESHOLD] = floor, threshold
        return counters

    def _found(self, capacity: int) -> Found:
        # memory is touched only as far as it is filled
        clauses = np.empty((capacity, self.max_clause_size), dtype=np.int32)
        return Found(clauses, f=np.empty(capacity, dtype=np.int64), mu=np.empty(capacity, dtype=np.int64))

    def _run(
        self,
        duals: Duals,
        counters: NDArray[np.int64],
        store: Found,
        stopped: Callable[[], bool],
        *,
        enough: int,
        enumerating: bool = False,
        sizes: tuple[int, int] | None = None,
    ) -> bool:
        """Search until it is finished (True), enough is found or the caller wants no more."""
        shortest, longest = sizes or (1, self.max_clause_size)
        if self._negative is None or enumerating:
            step = self._on_rows(duals, counters, store, enumerating, shortest, longest)
        else:
            step = self._on_bits(self._negative, duals, counters, store, shortest, longest)
        while True:
            finished = step()
            full = counters[N_FOUND] >= enough or (enumerating and counters[OVERFLOW])
            if finished or full or stopped():
                return bool(finished)

    def _on_rows(
        self,
        duals: Duals,
        counters: NDArray[np.int64],
        store: Found,
        enumerating: bool,
        shortest: int,
        longest: int,
    ) -> Callable[[], bool]:
        """Put the rows that matter at the root and expand it; returns what goes on from there."""
        rows, table, memory, d = self._rows, self._table, self._scratch, len(self.instance.literals)
        loss = UNIT * self.instance.negatives
        kept = np.flatnonzero((duals.mu > 0) | (loss > 0))
        rows.words[: len(kept)] = self._packed[kept]
        rows.mu[: len(kept)], rows.neg[: len(kept)] = duals.mu[kept], loss[kept]
        rows.start[0], rows.end[0] = 0, len(kept)
        tree = empty_tree(self.max_clause_size + 1, d)
        literals = np.arange(d, dtype=np.int32)
        n_attributes = active_attributes(literals, d, table, memory)
        rest = (longest, duals.price, counters, rows, table, tree, store, memory)
        on_rows.expand(0, literals, int(loss.sum()), n_attributes, enumerating, shortest, *rest)
        memory.marked[0] = -1  # nothing is merged yet
        on_rows.compact(0, rows, table, tree, memory)
        return lambda: on_rows.search(NODES_BETWEEN_CHECKS, enumerating, shortest, *rest)

    def _on_bits(
        self,
        negative: Negatives,
        duals: Duals,
        counters: NDArray[np.int64],
        store: Found,
        shortest: int,
        longest: int,
    ) -> Callable[[], bool]:
        """The same with bitsets."""
        depth, d = self.max_clause_size + 1, len(self.instance.literals)
        bits, covered = bitsets(self.instance, negative, duals, depth)
        tree = empty_tree(depth, d)
        limits = (shortest, longest, duals.price)
        rest = (*limits, counters, bits, covered, self._table, tree, store, self._scratch)
        on_bits.expand(0, np.arange(d, dtype=np.int32), UNIT * int(self.instance.negatives.sum()), *rest)
        return lambda: on_bits.search(NODES_BETWEEN_CHECKS, *rest)
