"""Bounds for rule sets with a long clause against all rule sets, one by one."""

from itertools import combinations_with_replacement

import numpy as np
import pytest

from compactml.boolean_rules.certificate import verify_bound
from compactml.boolean_rules.column_generation import ColumnGeneration
from compactml.boolean_rules.columns import Columns
from compactml.boolean_rules.duals import UNIT, Duals
from compactml.boolean_rules.instance import Clause, Instance
from compactml.boolean_rules.learning import learn
from compactml.boolean_rules.literals import Literals
from compactml.boolean_rules.long_clauses import LongClauses
from compactml.boolean_rules.pricing.branch_and_bound import BranchAndBoundPricing
from compactml.boolean_rules.pricing.priced import Priced
from compactml.boolean_rules.pricing.search import Search
from compactml.clock import Clock
from tests.boolean_rules.tiny_instances import all_clauses

D = 6
NO_TIME_LIMIT = Clock(None)


def instance_of(seed: int) -> Instance:
    """The labels follow a long clause and a literal beside it, with noise."""
    rng = np.random.default_rng(seed)
    codes = (rng.random((60, D)) < 0.8).astype(int)
    planted = codes[:, : 3 + seed % 2].all(axis=1) | (codes[:, D - 1] == 0)
    return Instance.from_codes(codes, planted ^ (rng.random(60) < 0.1), Literals.binary(tuple("abcdef")))


def losses(instance: Instance, complexity: int, size: int) -> dict[tuple[Clause, ...], int]:
    """Of all rule sets of at most two clauses within the complexity: with C <= 7 three are never long."""
    clauses = all_clauses(instance, size)
    sets = [(one,) for one in clauses] + list(combinations_with_replacement(clauses, 2))
    within = [one for one in sets if sum(1 + len(clause) for clause in one) <= complexity]
    return {one: instance.hamming_loss(list(one)) for one in within}


@pytest.mark.parametrize("seed", range(20))
def test_every_rule_set_with_a_long_clause_is_bounded_or_found(seed: int) -> None:
    instance, complexity = instance_of(seed), 5 + seed % 3
    size = complexity - 1 - seed % 2
    long = LongClauses(Search(instance, size), complexity)
    assert long.some
    all_losses = losses(instance, complexity, size)
    is_long = {one: max(map(len, one)) >= complexity - 3 for one in all_losses}
    best_long = min(loss for one, loss in all_losses.items() if is_long[one])
    best_short = min(
        (loss for one, loss in all_losses.items() if not is_long[one]), default=instance.n_positives
    )
    for loss in range(best_long - 1, best_long + 3):
        rules = long.below(loss, NO_TIME_LIMIT)
        if rules is None:
            assert long.proved == loss
            assert loss <= best_long or best_short < loss
        else:
            assert best_long <= instance.hamming_loss(rules) < loss
            assert sum(1 + len(clause) for clause in rules) <= complexity
            assert complexity - 3 <= max(map(len, rules)) <= size


def test_what_was_proved_is_not_searched_again() -> None:
    long = LongClauses(Search(instance_of(0), 5), 6)
    assert long.below(1, NO_TIME_LIMIT) is None
    assert long.proved == 1
    assert long.below(1, Clock(0.0)) is None
    assert long.proved == 1


def test_without_time_nothing_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("compactml.boolean_rules.pricing.search.NODES_BETWEEN_CHECKS", 1)
    long = LongClauses(Search(instance_of(0), 5), 6)
    assert long.below(3, Clock(0.0)) is None
    assert long.proved == 0


@pytest.mark.parametrize("seed", range(12))
def test_long_clauses_apart_give_the_bound_of_all_together(seed: int) -> None:
    instance, complexity = instance_of(seed), 5 + seed % 3
    search = Search(instance, complexity - 1)
    pricing = BranchAndBoundPricing(search)
    generation = ColumnGeneration(
        Columns(instance), complexity, pricing, search,
        short=lambda duals, clock: Priced((), None),  # never enough
        limited=pricing,
    )  # fmt: skip
    generation.run(NO_TIME_LIMIT)
    assert generation.bound.value <= learn(instance, complexity).loss
    assert generation.bound.value >= np.ceil(generation.history[-1].master_value - 1e-6) > 0
    bound = generation.bound
    assert bound.max_clause_size == complexity - 4
    check = verify_bound(instance, bound.duals, complexity, bound.max_clause_size, bound.at_most)
    assert check.value == bound.value
    assert generation.long_clauses.proved >= bound.value


def test_duals_are_rounded_in_steps() -> None:
    instance = instance_of(0)
    step = UNIT >> 8
    duals = Duals.rounded(instance, 0.3 * instance.positives, 0.1, step=step)
    assert (duals.mu % step == 0).all()
    assert (0.3 * instance.positives * UNIT - duals.mu < step).all()
