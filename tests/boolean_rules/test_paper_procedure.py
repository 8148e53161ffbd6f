"""The paper's procedure and the second pass: what they find is what they say, and nothing of ours helps them."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from compactml.boolean_rules import BooleanRuleClassifier, paper_procedure, second_pass
from compactml.boolean_rules.instance import Instance
from compactml.boolean_rules.learning import learn
from compactml.boolean_rules.paper_procedure import learn_as_printed, pricing_nonzeros, printed_pricing
from compactml.clock import Clock
from tests.boolean_rules.test_learning import Z_MIP, best_loss, oracle_1, random_instance


def best_of(instance: Instance, clauses: list[tuple[int, ...]], complexity: int) -> int:
    """Smallest loss over the rule sets of some clauses, by trying them."""
    return min(
        instance.hamming_loss(list(chosen))
        for k in range(complexity // 2 + 1)
        for chosen in combinations(clauses, k)
        if sum(1 + len(clause) for clause in chosen) <= complexity
    )


@pytest.mark.parametrize("complexity", Z_MIP)
def test_oracle_1(complexity: int) -> None:
    learned = learn(oracle_1(), complexity, pricing="paper", solver="highs")
    assert (learned.loss, learned.lower_bound) == (Z_MIP[complexity], Z_MIP[complexity])


@pytest.mark.parametrize("seed", range(8))
def test_the_rule_set_is_the_best_of_the_clauses_and_the_bound_holds(seed: int) -> None:
    instance = random_instance(seed, d=4)
    learned = learn(instance, 5, pricing="paper", solver="highs")
    optimum = best_loss(instance, 5, 4)
    assert learned.lower_bound <= optimum <= learned.loss == instance.hamming_loss(list(learned.clauses))
    assert learned.loss == best_of(instance, list(learned.generated), 5)
    assert learned.lower_bound == np.ceil(
        learned.history[-1].master_value - 1e-6
    )  # the program proved its end
    assert sum(1 + len(clause) for clause in learned.clauses) <= 5


def test_steps_say_who_found_clauses(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = random_instance(3)
    for seconds, by_program in ((10.0, True), (0.0, False)):  # without time the program finds nothing
        pricing = printed_pricing(instance, 5, seconds, "highs", 0)
        learned = learn_as_printed(instance, 6, 5, Clock(None), seconds, 0.0, "highs", 0, pricing=pricing)
        steps = pricing.steps
        assert (steps.by_program > 0, steps.by_heuristic > 0) == (by_program, not by_program)
        assert (
            steps.by_program + steps.by_heuristic == len(learned.history) - 1
        )  # the last round finds nothing
        assert (learned.lower_bound > 0) == by_program
        assert steps.priced_out == by_program
        assert not steps.sampled


def test_large_programs_are_priced_on_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = random_instance(4, n=60)
    nonzeros = pricing_nonzeros(instance)
    sampled: list[Any] = []
    original = paper_procedure.SampledPricing

    def remembered(*given: Any, **more: Any) -> Any:
        sampled.append(more)
        return original(*given, **more)

    monkeypatch.setattr(paper_procedure, "SampledPricing", remembered)
    monkeypatch.setattr(paper_procedure, "LARGE_LITERALS", len(instance.literals) - 1)
    for limit, expected in ((nonzeros, 0), (nonzeros - 1, 1)):
        monkeypatch.setattr(paper_procedure, "SAMPLED_FROM", limit)
        learned = learn(instance, 6, pricing="paper", solver="highs", random_state=7)
        assert len(sampled) == expected
        assert learned.loss == instance.hamming_loss(list(learned.clauses)) <= instance.n_positives
    assert sampled == [{"random_state": 7}]
    monkeypatch.setattr(paper_procedure, "LARGE_LITERALS", len(instance.literals))  # data that are not large
    learn(instance, 6, pricing="paper", solver="highs", random_state=7)
    assert len(sampled) == 1
    assert learned.lower_bound == 0  # a sample proves nothing


@pytest.mark.parametrize("seed", range(8))
def test_clauses_are_generated_until_none_improves_the_linear_program(seed: int) -> None:
    """Even where the bound, rounded up, has reached the master's value: the paper's procedure goes on."""
    instance = random_instance(seed, d=4)
    pricing = printed_pricing(instance, 4, 10.0, "highs", 0)
    learned = learn_as_printed(instance, 5, 4, Clock(None), 10.0, 0.0, "highs", 0, pricing=pricing)
    assert pricing.steps.priced_out
    assert learned.history[-1].reduced_cost == 0


def test_the_classifier_reaches_it_for_several_classes_and_cnf() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (40, 4))
    y = X[:, 0] + X[:, 1]
    X = np.hstack([X, 1 - X])
    several = BooleanRuleClassifier(6, pricing="paper", binarizer=None, solver="highs").fit(X, y)
    assert several.score(X, y) == 1
    either = BooleanRuleClassifier(6, pricing="paper", form="cnf", binarizer=None, solver="highs").fit(
        X, y == 2
    )
    assert either.score(X, y == 2) == 1


@pytest.mark.parametrize("seed", range(6))
def test_the_second_pass_finds_the_best_of_all_clauses(seed: int) -> None:
    instance = random_instance(seed)
    first = [learn(instance, complexity, pricing="heuristic", time_limit=5) for complexity in (3, 5, 8)]
    generated = list(dict.fromkeys(clause for one in first for clause in one.generated))[:14]
    starts = [[clause for clause in one.clauses if clause in generated] for one in first]
    rules = second_pass.second_pass(instance, generated, 5, starts, solver="highs")
    assert instance.hamming_loss(rules) == best_of(instance, generated, 5)
    assert sum(1 + len(clause) for clause in rules) <= 5


def test_without_time_the_second_pass_keeps_the_best_start_that_fits() -> None:
    instance = oracle_1()
    starts = [[(0,)], [(0, 1), (1, 2), (0, 2)]]
    kept = second_pass.second_pass(instance, [(0, 1)], 8, starts, solver="highs", time_limit=0.0)
    assert kept == [(0,)]  # the other one has complexity 9
    assert second_pass.second_pass(instance, [(0, 1)], 8, [], solver="highs", time_limit=0.0) == []


def test_of_too_many_clauses_those_of_least_reduced_cost_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = oracle_1()
    every = [(0,), (1,), (2,), (0, 1), (1, 2), (0, 2), (0, 1, 2)]
    monkeypatch.setattr(second_pass, "RESTRICTED_NONZEROS", 4)
    rules = second_pass.second_pass(instance, every, 9, [[(2,)]], solver="highs")
    assert instance.hamming_loss(rules) == 0  # of complexity 9: the three pairs, of a row each
