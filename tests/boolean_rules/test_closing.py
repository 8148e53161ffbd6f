"""Closing the gap: the search of sets against all sets, and what it refuses to conclude."""

from itertools import combinations

import numpy as np
import pytest

from compactml.boolean_rules.closing import close_gap, recombine, without_dominated
from compactml.boolean_rules.columns import Columns
from compactml.boolean_rules.duals import Duals
from compactml.boolean_rules.instance import Clause, Instance
from compactml.boolean_rules.master import Master
from compactml.boolean_rules.pricing.search import Search
from compactml.clock import Clock
from tests.boolean_rules.tiny_instances import all_clauses, random_instance


def solved(instance: Instance, complexity: int) -> Duals:
    """Feasible duals near the optimum of the master over all clauses."""
    columns = Columns(instance)
    columns.add(all_clauses(instance, complexity - 1))
    solution = Master(columns, complexity).solve()
    return Duals.rounded(instance, solution.mu, solution.price + 1e-4)


def best_set(instance: Instance, complexity: int) -> tuple[int, list[Clause]]:
    clauses = all_clauses(instance, complexity - 1)
    sets = (
        list(chosen)
        for k in range(complexity // 2 + 1)
        for chosen in combinations(clauses, k)
        if sum(1 + len(clause) for clause in chosen) <= complexity
    )
    return min((instance.hamming_loss(chosen), chosen) for chosen in sets)


@pytest.mark.parametrize("seed", range(20))
def test_a_better_rule_set_is_found_or_there_is_none(seed: int) -> None:
    instance = random_instance(np.random.default_rng(seed), n_samples=25, n_features=4)
    complexity = 4 + seed % 4
    duals, search = solved(instance, complexity), Search(instance, complexity - 1)
    best, _ = best_set(instance, complexity)
    from_empty = close_gap(search, duals, complexity, instance.n_positives, Clock(None))
    assert from_empty.complete
    found = from_empty.rules or []
    assert instance.hamming_loss(found) == best
    assert sum(1 + len(clause) for clause in found) <= complexity
    at_best = close_gap(search, duals, complexity, best, Clock(None))
    assert (at_best.complete, at_best.rules) == (True, None)


def test_infeasible_duals_give_clauses_and_no_conclusion() -> None:
    instance = random_instance(np.random.default_rng(0), n_samples=30, n_features=5)
    duals = Duals.rounded(instance, instance.positives.astype(float), 0.0)
    closed = close_gap(Search(instance, 5), duals, 6, instance.n_positives + 100, Clock(None))
    assert closed.improving
    assert not closed.complete
    assert all(duals.f(instance, clause) > 0 for clause in closed.improving)


def test_without_time_nothing_is_concluded() -> None:
    instance = random_instance(np.random.default_rng(1), n_samples=25, n_features=4)
    closed = close_gap(Search(instance, 5), solved(instance, 6), 6, instance.n_positives + 1, Clock(0.0))
    assert (closed.rules, closed.complete) == (None, False)


def test_dominated_clauses_go_and_nothing_else() -> None:
    instance = random_instance(np.random.default_rng(2), n_samples=12, n_features=5)
    columns = Columns(instance)
    columns.add(all_clauses(instance, 3))
    kept = without_dominated(columns)
    facts = [
        (frozenset(np.flatnonzero(row)), int(negatives), int(cost))
        for row, negatives, cost in zip(
            columns.coverage().toarray(), columns.negatives, columns.complexities, strict=True
        )
    ]
    remaining = [fact for fact, stays in zip(facts, kept, strict=True) if stays]
    assert len(set(remaining)) == len(remaining)
    for rows, negatives, cost in facts:
        if rows:
            assert any(r == rows and n <= negatives and c <= cost for r, n, c in remaining)


@pytest.mark.parametrize("seed", range(10))
def test_recombining_all_clauses_finds_a_best_set_or_leaves_the_given_loss(seed: int) -> None:
    instance = random_instance(np.random.default_rng(seed), n_samples=25, n_features=4)
    columns = Columns(instance)
    columns.add(all_clauses(instance, 5))
    best, _ = best_set(instance, 6)
    duals = solved(instance, 6)
    better = recombine(columns, duals, 6, instance.n_positives)
    assert instance.hamming_loss(better or []) == best
    assert sum(1 + len(clause) for clause in better or []) <= 6
    assert recombine(columns, duals, 6, best) is None
