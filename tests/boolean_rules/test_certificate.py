"""The independent check: it confirms what is true, finds what is false, and computes the bound in whole numbers."""

from fractions import Fraction
from math import ceil

import numpy as np
import pytest

from compactml.boolean_rules.certificate import RulesCheck, verify_bound, verify_rules
from compactml.boolean_rules.duals import UNIT, Duals
from compactml.errors import InvalidDataError, InvalidParameterError
from tests.boolean_rules.tiny_instances import (
    AB,
    AC,
    BC,
    Z_MIP,
    A,
    B,
    all_clauses,
    equal_duals,
    f_by_hand,
    largest_f,
    random_duals,
    random_instance,
    three_features,
)


@pytest.mark.parametrize("complexity", range(3, 9))
def test_duals_of_oracle_1_prove_the_ceiling_of_the_master(complexity):
    instance = three_features()
    check = verify_bound(instance, equal_duals(instance), complexity, 3, 0)
    assert check.holds
    assert check.value == ceil(Fraction(9, 4) - Fraction(complexity, 4)) <= Z_MIP[complexity]


def test_first_bound_of_oracle_2():
    """Duals mu = 1, lambda = 0 and the largest f = 1: 3 - 6 / 2 = 0 for C = 6, and 3 - 5 / 2, rounded up, for C = 5."""
    instance = three_features()
    duals = equal_duals(instance, mu=1.0, price=0.0)
    assert verify_bound(instance, duals, 6, 3, UNIT).value == 0
    assert verify_bound(instance, duals, 5, 3, UNIT).value == 1
    refuted = verify_bound(instance, duals, 6, 3, UNIT - 1)
    assert refuted.holds is False
    assert refuted.value is None
    assert f_by_hand(instance, duals, refuted.counterexample) == UNIT


@pytest.mark.parametrize("seed", range(100))
def test_the_largest_f_is_the_smallest_at_most_that_holds(seed):
    rng = np.random.default_rng(seed)
    instance = random_instance(rng, 14, 6)
    duals, size = random_duals(rng, instance), int(rng.integers(1, 7))
    best = largest_f(instance, duals, size)
    assert verify_bound(instance, duals, 7, size, best).holds
    refuted = verify_bound(instance, duals, 7, size, best - 1)
    assert refuted.holds is False
    assert f_by_hand(instance, duals, refuted.counterexample) == best
    assert len(refuted.counterexample) <= size


def test_node_limit_leaves_it_undecided():
    instance = random_instance(np.random.default_rng(0), 30, 8)
    duals = Duals(instance.positives * UNIT, 0)
    best = largest_f(instance, duals, 8)
    undecided = verify_bound(instance, duals, 7, 8, best, node_limit=1)
    assert undecided.holds is None
    assert undecided.value is None
    assert verify_bound(instance, duals, 7, 8, best).holds


@pytest.mark.parametrize(("row", "change"), [(0, -1), (-1, 1)])
def test_duals_outside_their_box_are_refused(row, change):
    instance = three_features()
    mu = np.zeros(len(instance.codes), dtype=np.int64) if change <= 0 else UNIT * instance.positives
    mu[row] += change
    with pytest.raises(InvalidDataError, match="duals"):
        verify_bound(instance, Duals(mu, 0), 6, 3, 0)


def test_a_price_below_0_is_refused():
    with pytest.raises(InvalidParameterError, match="price"):
        Duals(np.zeros(3, dtype=np.int64), -1)


def test_impossible_sizes_are_refused():
    instance = three_features()
    with pytest.raises(InvalidParameterError, match="max_clause_size"):
        verify_bound(instance, equal_duals(instance), 6, 0, 0)
    with pytest.raises(InvalidParameterError, match="complexity"):
        verify_bound(instance, equal_duals(instance), 0, 3, 0)


def test_hamming_loss_of_oracle_4():
    instance = three_features()
    assert verify_rules(instance, [A, B], 4) == RulesCheck(loss=2, complexity=4, holds=True)
    assert verify_rules(instance, [A, AB], 5) == RulesCheck(loss=2, complexity=5, holds=True)
    assert verify_rules(instance, [AB, BC, AC], 9) == RulesCheck(loss=0, complexity=9, holds=True)
    assert verify_rules(instance, [], 1) == RulesCheck(loss=3, complexity=0, holds=True)
    assert not verify_rules(instance, [AB, BC, AC], 8).holds
    assert not verify_rules(instance, [()], 8).holds


@pytest.mark.parametrize("seed", range(10))
def test_both_ways_to_the_hamming_loss_agree(seed):
    rng = np.random.default_rng(seed)
    instance = random_instance(rng, 40, 5)
    clauses = all_clauses(instance, 3)
    rules = [clauses[k] for k in rng.choice(len(clauses), 4, replace=False)]
    assert verify_rules(instance, rules, 99).loss == instance.hamming_loss(rules)
