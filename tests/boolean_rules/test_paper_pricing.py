"""The paper's heuristic: oracles O2 and O3, brute force, the cap and the length of clauses."""

import numpy as np
import pytest

from compactml.boolean_rules.duals import UNIT
from compactml.boolean_rules.pricing.paper_heuristic import HeuristicPricing, PaperPricing
from compactml.boolean_rules.pricing.priced import Priced
from compactml.clock import Clock
from tests.boolean_rules.tiny_instances import (
    AB,
    AC,
    BC,
    A,
    B,
    C,
    all_clauses,
    equal_duals,
    f_by_hand,
    from_rows,
    largest_f,
    random_duals,
    random_instance,
    three_features,
)


def test_first_round_of_oracle_2_finds_the_six_clauses_of_reduced_cost_minus_1():
    instance = three_features()
    duals = equal_duals(instance, mu=1.0, price=0.0)
    priced = HeuristicPricing(instance, 3)(duals, Clock(None))
    assert set(priced.clauses) == {A, B, C, AB, BC, AC}
    assert priced.at_most is None


def test_nothing_prices_out_at_the_optimal_duals_of_oracle_3():
    instance = three_features()
    assert HeuristicPricing(instance, 3)(equal_duals(instance), Clock(None)).clauses == ()


@pytest.mark.parametrize("seed", range(30))
def test_clauses_have_negative_reduced_cost_and_one_is_found_when_there_is_one(seed):
    """Without a cap only levels that hold no candidate are passed, so the search is complete up to five literals."""
    rng = np.random.default_rng(seed)
    instance = random_instance(rng, 16, 6)
    duals = random_duals(rng, instance)
    clauses = HeuristicPricing(instance, 3)(duals, Clock(None)).clauses
    values = [f_by_hand(instance, duals, clause) for clause in clauses]
    assert all(value > 0 for value in values)
    assert values == sorted(values, reverse=True)
    assert len(set(clauses)) == len(clauses)
    assert all(len(clause) <= 3 for clause in clauses)
    assert bool(clauses) == (largest_f(instance, duals, 3) > 0)


@pytest.mark.parametrize("seed", range(10))
def test_the_best_clause_of_at_most_two_literals_is_returned(seed):
    rng = np.random.default_rng(seed)
    instance = random_instance(rng, 20, 5)
    duals = random_duals(rng, instance)
    best = largest_f(instance, duals, 2)
    clauses = HeuristicPricing(instance, 5, n_returned=1)(duals, Clock(None)).clauses
    if best > 0:
        assert f_by_hand(instance, duals, clauses[0]) == best


def test_a_clause_needs_seven_literals_and_the_heuristic_stops_at_five():
    """One positive with seven ones; each of the seven negatives lacks one of them: only the full clause has f > 0."""
    instance = from_rows(np.vstack([np.ones((1, 7), int), 1 - np.eye(7, dtype=int)]), [1] + [0] * 7)
    duals = equal_duals(instance, mu=1.0, price=0.05)
    assert [c for c in all_clauses(instance, 7) if f_by_hand(instance, duals, c) > 0] == [tuple(range(7))]
    assert HeuristicPricing(instance, 7)(duals, Clock(None)).clauses == ()


def test_cap_and_number_returned():
    instance = three_features()
    duals = equal_duals(instance, mu=1.0, price=0.0)
    assert len(HeuristicPricing(instance, 3, n_returned=2)(duals, Clock(None)).clauses) == 2
    # One literal in level 1, one of its extensions in level 2.
    capped = HeuristicPricing(instance, 3, n_generated=1)(duals, Clock(None)).clauses
    assert [len(clause) for clause in sorted(capped, key=len)] == [1, 2]


def test_a_clause_is_extended_while_its_positives_are_worth_more_than_a_longer_one():
    """mu(a) = 1 lies above 3 lambda, the price of ab, and below 4 lambda: ab is found, with f = 1 - 3 lambda."""
    instance = from_rows([[1, 1], [1, 0], [0, 1]], [1, 0, 0])
    price = HeuristicPricing(instance, 2)
    assert price(equal_duals(instance, mu=1.0, price=0.28), Clock(None)).clauses == (AB,)
    assert price(equal_duals(instance, mu=1.0, price=0.34), Clock(None)).clauses == ()


def test_a_literal_that_holds_everywhere_is_a_clause_by_itself():
    instance = from_rows([[1], [1]], [1, 1])
    duals = equal_duals(instance, mu=1.0, price=0.1)
    assert HeuristicPricing(instance, 2)(duals, Clock(None)).clauses == (A,)


def test_clauses_are_extended_by_increasing_score():
    """The literals 3, 2, 1, 0 have f = -1, -2, -13, -13, and only {2, 3}, in an early pair of the first, has f > 0."""
    rows = [[1, 1, 1, 1], [0, 0, 1, 1], [1, 1, 1, 1], [0, 0, 0, 1], [0, 0, 1, 0], [1, 0, 0, 0], [0, 1, 0, 0]]
    times = [5, 10, 6, 8, 9, 10, 10]
    instance = from_rows(np.repeat(rows, times, axis=0), np.repeat([1, 1, 0, 0, 0, 0, 0], times))
    duals = equal_duals(instance, mu=1.0, price=1.0)
    assert [f_by_hand(instance, duals, (j,)) / UNIT for j in (3, 2, 1, 0)] == [-1, -2, -13, -13]
    assert HeuristicPricing(instance, 3, n_generated=4)(duals, Clock(None)).clauses == ((2, 3),)


def test_no_time_no_clauses():
    instance = three_features()
    duals = equal_duals(instance, mu=1.0, price=0.0)
    assert HeuristicPricing(instance, 3)(duals, Clock(0.0)).clauses == ()


@pytest.mark.parametrize(
    ("exact", "expected"),
    [
        (Priced((A,), 7), Priced((A,), 7)),
        (Priced((), 0), Priced((), 0)),
        (Priced((), 7), Priced((B,), 7)),
        (Priced((), None), Priced((B,), None)),
    ],
)
def test_the_heuristic_comes_second_and_only_where_the_exact_method_left_it_open(exact, expected):
    pricing = PaperPricing(lambda duals, clock: exact, lambda duals, clock: Priced((B,), None))
    assert pricing(equal_duals(three_features()), Clock(None)) == expected
