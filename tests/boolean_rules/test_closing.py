"""Closing the gap: the search of sets against all sets, and what it refuses to conclude."""

from itertools import combinations

import numpy as np
import pytest

from compactml.boolean_rules import closing, local_search
from compactml.boolean_rules._kernels import closing as compiled
from compactml.boolean_rules.closing import close_gap, recombine, without_dominated
from compactml.boolean_rules.columns import Columns
from compactml.boolean_rules.duals import Duals
from compactml.boolean_rules.instance import Clause, Instance
from compactml.boolean_rules.literals import Literals
from compactml.boolean_rules.local_search import exchange
from compactml.boolean_rules.master import Master
from compactml.boolean_rules.pricing.search import Search
from compactml.clock import Clock
from tests.boolean_rules.tiny_instances import all_clauses, random_instance
from tests.clocks import Looks


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
    better = recombine(columns, duals, 6, instance.n_positives, Clock(None))
    assert instance.hamming_loss(better or []) == best
    assert sum(1 + len(clause) for clause in better or []) <= 6
    assert recombine(columns, duals, 6, best, Clock(None)) is None


def counted(monkeypatch: pytest.MonkeyPatch, work: int) -> list[int]:
    """Let the compiled search return after so much work; a list with an entry for each of its calls."""
    calls, close = [], compiled.close
    monkeypatch.setattr(closing, "WORK_BETWEEN_CHECKS", work)
    monkeypatch.setattr(compiled, "close", lambda *given: (calls.append(given[1]), close(*given))[1])
    return calls


def test_the_clock_is_asked_after_a_piece_of_work_and_pieces_change_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    instance = random_instance(np.random.default_rng(3), n_samples=25, n_features=4)
    columns = Columns(instance)
    columns.add(all_clauses(instance, 5))
    duals = Duals(0 * instance.positives, 0)  # of no use, so that much is left to search
    whole = recombine(columns, duals, 6, instance.n_positives, Clock(None))
    calls = counted(monkeypatch, 1)
    assert recombine(columns, duals, 6, instance.n_positives, Clock(None)) == whole
    assert len(calls) > 10
    calls.clear()
    recombine(columns, duals, 6, instance.n_positives, Looks(3))
    assert len(calls) == 3


def test_exchange_ends_with_the_clock_after_the_moves_that_it_always_makes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    codes = np.random.default_rng(4).integers(0, 2, (80, 6))
    pairs = codes[:, ::2] & codes[:, 1::2]
    instance = Instance.from_codes(codes, pairs.any(axis=1), Literals.binary(tuple("abcdef")))
    columns = Columns(instance)
    columns.add(all_clauses(instance, 2))
    nothing = np.zeros(len(columns), dtype=bool)

    def loss(asked: int) -> int:
        return instance.hamming_loss(exchange(columns, nothing, 9, Looks(asked)))

    best = loss(0)
    monkeypatch.setattr(local_search, "LEAST_MOVES", 0)
    losses = [loss(asked) for asked in (0, 1, 2, 100)]
    assert losses[-1] == best
    assert losses[0] == instance.n_positives
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < losses[1] < losses[0]
