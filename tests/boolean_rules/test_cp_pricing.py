"""Pricing by constraint programming: oracles O2 and O3, brute force and our branch and bound."""

import numpy as np
import pytest

from compactml.boolean_rules.duals import UNIT
from compactml.boolean_rules.pricing.constraint_program import ConstraintPricing
from compactml.boolean_rules.pricing.search import Search
from compactml.clock import Clock
from tests.boolean_rules.tiny_instances import (
    equal_duals,
    f_by_hand,
    from_rows,
    largest_f,
    random_duals,
    random_instance,
    three_features,
)


def test_first_and_last_round_of_oracle_2():
    instance = three_features()
    price = ConstraintPricing(instance, 3)
    first = price(equal_duals(instance, mu=1.0, price=0.0), Clock(None))
    assert first.at_most == UNIT
    assert price(equal_duals(instance), Clock(None)).at_most == 0


@pytest.mark.parametrize("seed", range(20))
def test_best_clause_and_bound_are_those_of_brute_force_and_of_branch_and_bound(seed):
    rng = np.random.default_rng(seed)
    instance = random_instance(rng)
    duals = random_duals(rng, instance)
    best = max(largest_f(instance, duals, 3), 0)
    priced = ConstraintPricing(instance, 3, time_limit=None)(duals, Clock(None))
    assert priced.at_most == best == max(Search(instance, 3).best(duals).best, 0)
    assert bool(priced.clauses) == (best > 0)
    if best:
        assert f_by_hand(instance, duals, priced.clauses[0]) == best
    assert all(f_by_hand(instance, duals, clause) > 0 for clause in priced.clauses)


def test_the_empty_clause_is_not_allowed():
    """It would have f = 1 - lambda; the clause of the one literal has f = 1 - 2 lambda."""
    instance = from_rows([[1]], [1])
    priced = ConstraintPricing(instance, 3)(equal_duals(instance, mu=1.0, price=0.25), Clock(None))
    assert (priced.clauses, priced.at_most) == (((0,),), UNIT // 2)


def test_without_time_or_without_literals():
    instance = three_features()
    assert ConstraintPricing(instance, 3)(equal_duals(instance), Clock(0.0)).at_most is None
    nothing = from_rows(np.zeros((2, 1), int), [1, 0])
    assert ConstraintPricing(nothing, 3)(equal_duals(nothing), Clock(None)).at_most == 0
