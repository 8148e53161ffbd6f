"""Closing the integer gap: enumerate every clause that a better rule set could use, then search the sets.

Let mu, lambda be dual feasible (f <= 0 for every clause) with value V. The Hamming loss of any rule set is

    V + sum_k w_k (-f_k) + sum_u mu_u (covers - 1)^+ + sum_{u uncovered} (p_u - mu_u) + lambda (C - sum_k c_k w_k),

V and four terms that are never negative. A rule set with loss at most UB - 1 uses only clauses with
-f_k <= UB - 1 - V, and pays for every row that two of its clauses share. `Search.all_above` lists these clauses
completely (up to dominated ones, which no best rule set needs), and a depth-first search over sets with the penalties
as bound either finds a better rule set or proves that there is none: a proof of optimality without branch and price.
All numbers are integers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from compactml.boolean_rules._kernels import closing as compiled
from compactml.boolean_rules.columns import Columns
from compactml.boolean_rules.duals import UNIT, Duals
from compactml.boolean_rules.instance import Clause
from compactml.boolean_rules.pricing.search import Search
from compactml.clock import Clock

__all__ = ["Closed", "close_gap", "recombine", "without_dominated"]

CAPACITY = 1_000_000
"""Most clauses that an enumeration may list."""

WORK_BETWEEN_CHECKS = 50_000_000
"""Rows looked at between two looks at the clock, some hundredths of a second."""

RECOMBINE_NODES = 200_000
"""Nodes that `recombine` may take."""

ADDED_BETWEEN_CHECKS = 500
"""Clauses evaluated between two looks at the clock."""


@dataclass(frozen=True)
class Closed:
    """Outcome of the search for a better rule set.

    Attributes
    ----------
    rules : list of Clause or None
        The best rule set with a smaller loss than the one given, None if none was found.
    complete : bool
        All rule sets were considered: the one returned, or else the one given, is optimal.
    improving : tuple of Clause
        Clauses with f > 0: the duals were not feasible, and nothing was searched.
    n_clauses : int
        Clauses enumerated that none of the others dominates.
    """

    rules: list[Clause] | None
    complete: bool
    improving: tuple[Clause, ...]
    n_clauses: int


def close_gap(search: Search, duals: Duals, complexity: int, loss: int, clock: Clock) -> Closed:
    """Find a rule set with a smaller loss than ``loss``, or prove that there is none.

    Parameters
    ----------
    search : Search
        Of clauses with at most D literals: the proof holds for rule sets of such clauses.
    duals : Duals
        Need not be known to be feasible.
    complexity : int
        C of (3).
    loss : int
        UB, loss of the best rule set known.
    clock : Clock
    """
    budget = (loss - 1) * UNIT - duals.value(complexity)
    if budget < 0:
        return Closed(None, True, (), 0)
    listed = search.all_above(duals, -budget - 1, capacity=CAPACITY, largest=0, stopped=clock.stopped)
    improving = tuple(clause for clause in listed.clauses[:100] if duals.f(search.instance, clause) > 0)
    if improving or not listed.complete:
        return Closed(None, False, improving, len(listed.clauses))
    columns = Columns(search.instance)
    for start in range(0, len(listed.clauses), ADDED_BETWEEN_CHECKS):
        if clock.stopped():
            return Closed(None, False, (), len(columns))
        columns.add(listed.clauses[start : start + ADDED_BETWEEN_CHECKS])
    columns = columns.subset(without_dominated(columns))
    rules, complete = _search_sets(columns, duals, complexity, budget, clock)
    return Closed(rules, complete, (), len(columns))


def recombine(
    columns: Columns, duals: Duals, complexity: int, loss: int, clock: Clock
) -> list[Clause] | None:
    """A rule set of the given clauses with a smaller loss, as far as a limited number of nodes finds one.

    The search of sets of `close_gap` over the clauses generated so far: a heuristic, which proves nothing.

    Parameters
    ----------
    columns : Columns
    duals : Duals
        Of the restricted master.
    complexity : int
        C of (3).
    loss : int
        Loss to be undercut.
    clock : Clock
        Ends it earlier.
    """
    budget = (loss - 1) * UNIT - duals.value(complexity)
    if budget < 0:
        return None
    return _search_sets(columns, duals, complexity, budget, clock, RECOMBINE_NODES)[0]


def without_dominated(columns: Columns) -> NDArray[np.bool_]:
    """Of clauses that cover the same positive samples, those with the fewest negatives for their complexity."""
    keep = np.zeros(len(columns), dtype=bool)
    best: dict[bytes, int] = {}
    coverage, negatives, costs = columns.coverage(), columns.negatives, columns.complexities
    for k in np.lexsort((negatives, costs)):
        rows = coverage.indices[coverage.indptr[k] : coverage.indptr[k + 1]].tobytes()
        if rows and negatives[k] < best.get(rows, np.iinfo(np.int64).max):
            best[rows] = int(negatives[k])
            keep[k] = True
    return keep


def _search_sets(
    columns: Columns,
    duals: Duals,
    complexity: int,
    budget: int,
    clock: Clock,
    most_nodes: int = np.iinfo(np.int64).max,
) -> tuple[list[Clause] | None, bool]:
    """Depth-first search over sets of clauses by increasing reduced cost."""
    instance, coverage, costs = columns.instance, columns.coverage(), columns.complexities
    mu = duals.mu[instance.positive_rows]
    forgone = instance.positives[instance.positive_rows] * UNIT - mu
    covered = np.asarray(coverage.astype(np.int64) @ mu, dtype=np.int64)
    reduced = UNIT * columns.negatives - covered + duals.price * costs
    order = np.argsort(reduced, kind="stable")
    n = len(columns)
    depth = min(complexity // 2, n) + 2  # a set has each clause once
    clauses = compiled.Clauses(
        coverage.indptr.astype(np.int64), coverage.indices, reduced, costs, mu, forgone
    )
    path = compiled.Path(
        chosen=np.zeros(depth, dtype=np.int64),
        lists=np.empty((depth, n), dtype=np.int64),
        penalties=np.empty((depth, n), dtype=np.int64),
        length=np.zeros(depth, dtype=np.int64),
        position=np.zeros(depth, dtype=np.int64),
        spent=np.zeros(depth, dtype=np.int64),
        used=np.zeros(depth, dtype=np.int64),
        counts=np.zeros(len(mu), dtype=np.int64),
        best=np.zeros(depth, dtype=np.int64),
    )
    path.lists[0], path.penalties[0], path.length[0] = order, reduced[order], n
    counters = np.zeros(compiled.N_COUNTERS, dtype=np.int64)
    counters[compiled.BUDGET], counters[compiled.OPEN] = budget, forgone.sum()
    complete = False
    while not complete and counters[compiled.NODES] < most_nodes and not clock.stopped():
        complete = compiled.close(
            most_nodes, WORK_BETWEEN_CHECKS, complexity, duals.price, UNIT, clauses, path, counters
        )
    rules = [columns.clauses[k] for k in path.best[: counters[compiled.BEST_SIZE]]]
    return (rules or None), complete
