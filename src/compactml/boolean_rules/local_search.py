"""Good rule sets without a proof: rounding of the master's weights, exchange of clauses, clauses learned anew."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from compactml.boolean_rules._kernels.local_search import improve
from compactml.boolean_rules.columns import Columns
from compactml.boolean_rules.duals import Duals
from compactml.boolean_rules.instance import Clause, Instance
from compactml.boolean_rules.pricing.search import Search
from compactml.clock import Clock

__all__ = ["exchange", "polish", "relearn", "rounded", "simplify"]

BEAM_WIDTH = 16
LEAST_MOVES = 5
"""Of `exchange`, some hundredths of a second each: what is left when the time is up is a rule set worth having."""


def rounded(columns: Columns, weights: NDArray[np.float64], complexity: int) -> NDArray[np.bool_]:
    """The clauses of a rule set made of the master's weights, by falling weight while they fit, shape (K,)."""
    costs, chosen, used = columns.complexities, np.zeros(len(columns), dtype=bool), 0
    for k in np.argsort(-weights, kind="stable"):
        if weights[k] > 1e-6 and used + costs[k] <= complexity:
            chosen[k], used = True, used + costs[k]
    return chosen


def exchange(columns: Columns, chosen: NDArray[np.bool_], complexity: int, clock: Clock) -> list[Clause]:
    """Add and exchange clauses of the list until nothing improves, or the time is up and some were tried.

    Parameters
    ----------
    columns : Columns
    chosen : ndarray of bool, shape (K,)
        The rule set to begin with, of complexity C at most.
    complexity : int
        C of (3).
    clock : Clock
    """
    chosen, coverage, moves = chosen.copy(), columns.coverage(), 0
    positives = columns.instance.positives[columns.instance.positive_rows]
    pointer, negatives, costs = (
        coverage.indptr.astype(np.int64),
        columns.negatives,
        columns.complexities,
    )
    while (moves < LEAST_MOVES or not clock.stopped()) and improve(
        chosen, pointer, coverage.indices, positives, negatives, costs, complexity
    ):
        moves += 1
    return [columns.clauses[k] for k in np.flatnonzero(chosen)]


def relearn(search: Search, clauses: list[Clause], complexity: int, clock: Clock) -> list[Clause]:
    """Replace one clause after another by the best one found given the others, while the objective falls.

    With the positives that the others leave uncovered as mu, and lambda = 0, the best clause has the largest f. A
    clause more is tried first, then the last clause and so on. Ends when the time is up.
    """
    instance = search.instance
    rules = list(clauses)
    value, improved = instance.hamming_loss(rules), True
    while improved:
        improved = False
        for k in reversed(range(len(rules) + 1)):  # the first turn adds a clause
            others = rules[:k] + rules[k + 1 :]
            room = min(complexity - sum(1 + len(clause) for clause in others) - 1, search.max_clause_size)
            if room < 1:
                continue
            if clock.stopped():
                return rules
            duals = Duals.left_by(instance, others)
            found = search.beam(duals, width=BEAM_WIDTH, max_literals=room, n_clauses=1).clauses
            new = [*others, *found]
            if (new_value := instance.hamming_loss(new)) < value:
                rules, value, improved = new, new_value, True
    return rules


def simplify(instance: Instance, clauses: list[Clause]) -> list[Clause]:
    """Leave out clauses and literals that the loss does not need, until each is needed."""
    rules, loss = list(clauses), instance.hamming_loss(clauses)
    k = 0
    while k < len(rules):
        smaller = [rules[:k] + rules[k + 1 :]]
        if len(rules[k]) > 1:
            shorter = (rules[k][:q] + rules[k][q + 1 :] for q in range(len(rules[k])))
            smaller += [[*rules[:k], clause, *rules[k + 1 :]] for clause in shorter]
        better = next((option for option in smaller if instance.hamming_loss(option) <= loss), None)
        if better is None:
            k += 1
        else:
            rules, k = better, 0
    return rules


def polish(
    search: Search,
    columns: Columns,
    weights: NDArray[np.float64],
    complexity: int,
    best: list[Clause],
    clock: Clock,
) -> list[Clause]:
    """`exchange`, then `relearn`, from the master's weights and from the best rule set so far; the better outcome.

    New clauses join the columns.
    """
    columns.add(best)
    known = np.array([clause in best for clause in columns.clauses])
    padded = np.zeros(len(columns))
    padded[: len(weights)] = weights
    starts = [rounded(columns, padded, complexity), known]
    outcomes = [
        relearn(search, exchange(columns, start, complexity, clock), complexity, clock) for start in starts
    ]
    for rules in outcomes:
        columns.add(rules)
    return min(outcomes, key=search.instance.hamming_loss)
