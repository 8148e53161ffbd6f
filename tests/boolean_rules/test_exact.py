"""Limits on predictions and the 0-1 loss, against all rule sets of tiny instances."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from compactml.boolean_rules.exact.learning import Nothing, learn_exactly
from compactml.boolean_rules.exact.limits import Limits
from compactml.boolean_rules.generating import Options
from compactml.boolean_rules.instance import Clause, Instance
from compactml.boolean_rules.learned import Learned
from compactml.clock import Clock
from compactml.watch import Watch
from tests.boolean_rules.tiny_instances import all_clauses, random_instance

COMPLEXITIES = (4, 5, 6, 7)


KEPT: list[Instance] = []
"""So that no two have the same id."""


def instance_of(seed: int) -> tuple[Instance, np.random.Generator]:
    rng = np.random.default_rng(seed)
    KEPT.append(random_instance(rng, n_samples=24, n_features=4))
    return KEPT[-1], rng


def sets(instance: Instance, complexity: int) -> Iterator[list[Clause]]:
    """All rule sets within a complexity."""
    clauses = all_clauses(instance, complexity - 1)
    for k in range(complexity // 2 + 1):
        for chosen in combinations(clauses, k):
            if sum(1 + len(clause) for clause in chosen) <= complexity:
                yield list(chosen)


COVERED: dict[tuple[int, Clause], NDArray[np.bool_]] = {}


def predicted(instance: Instance, rules: list[Clause]) -> NDArray[np.bool_]:
    """Rows of which a clause is true, each clause read row by row once."""
    said = np.zeros(len(instance.codes), dtype=bool)
    for clause in rules:
        if (id(instance), clause) not in COVERED:
            truth = instance.literals.evaluate(instance.codes).tolist()
            COVERED[id(instance), clause] = np.array([all(row[j] for j in clause) for row in truth])
        said |= COVERED[id(instance), clause]
    return said


def zero_one(instance: Instance, rules: list[Clause]) -> int:
    said = predicted(instance, rules)
    return int(instance.positives[~said].sum() + instance.negatives[said].sum())


def solved(instance: Instance, limits: Limits, complexity: int, *, zero: bool) -> Learned | Nothing:
    clock = Clock(None)
    ended = learn_exactly(
        instance, limits, Options(complexity), clock, Watch("t", clock), lambda *news: None, zero_one=zero
    )
    return ended if isinstance(ended, Nothing) else ended.learned


def agrees(
    instance: Instance,
    limits: Limits,
    complexity: int,
    loss: Callable[[list[Clause]], int],
    allowed: Callable[[list[Clause]], Any],
    *,
    zero: bool,
) -> bool:
    """Compare with all rule sets; whether any is allowed."""
    best = min((loss(rules) for rules in sets(instance, complexity) if allowed(rules)), default=None)
    learned = solved(instance, limits, complexity, zero=zero)
    if best is None:
        assert learned == Nothing(proved=True)
        return False
    assert isinstance(learned, Learned)
    rules = list(learned.clauses)
    assert learned.loss == learned.lower_bound == best == loss(rules)
    assert allowed(rules)
    assert sum(1 + len(clause) for clause in rules) <= complexity
    return True


@pytest.mark.parametrize("seed", range(16))
def test_the_least_zero_one_loss(seed: int) -> None:
    instance, _ = instance_of(seed)
    complexity = COMPLEXITIES[seed % 4]

    def loss(rules: list[Clause]) -> int:
        return zero_one(instance, rules)

    agrees(instance, Limits.none(instance), complexity, loss, lambda rules: True, zero=True)


def test_the_two_losses_differ_where_clauses_meet_on_a_negative() -> None:
    instances = [instance_of(seed)[0] for seed in range(6)]
    least = [
        (min(map(one.hamming_loss, sets(one, 6))), min(zero_one(one, rules) for rules in sets(one, 6)))
        for one in instances
    ]
    assert any(hamming > zero for hamming, zero in least)


@pytest.mark.parametrize("zero", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_at_most_so_many_rows_are_flagged(seed: int, zero: bool) -> None:
    instance, rng = instance_of(seed)
    samples = rng.integers(1, 4, len(instance.codes))  # not the weights
    most = int(samples.sum() * (0.1, 0.25, 0.5)[seed % 3])
    limits = replace(Limits.none(instance), samples=samples, most=most)

    def loss(rules: list[Clause]) -> int:
        return zero_one(instance, rules) if zero else instance.hamming_loss(rules)

    def allowed(rules: list[Clause]) -> bool:
        return bool(samples[predicted(instance, rules)].sum() <= most)

    assert agrees(instance, limits, COMPLEXITIES[seed % 4], loss, allowed, zero=zero)


@pytest.mark.parametrize("seed", range(8))
def test_at_least_so_many_rows_are_covered_or_it_is_proved_that_none_covers_them(seed: int) -> None:
    instance, _ = instance_of(seed)
    samples = np.ones(len(instance.codes), dtype=np.int64)
    least = int(len(samples) * (0.5, 0.9, 1.0)[seed % 3])
    limits = replace(Limits.none(instance), samples=samples, least=least, most=len(samples))

    def allowed(rules: list[Clause]) -> bool:
        return bool(predicted(instance, rules).sum() >= least)

    agrees(instance, limits, 4, instance.hamming_loss, allowed, zero=False)


@pytest.mark.parametrize("zero", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_rates_of_groups_differ_by_at_most_so_much(seed: int, zero: bool) -> None:
    instance, rng = instance_of(seed)
    groups = np.stack([rng.integers(0, 3, len(instance.codes)) for _ in range(2 + seed % 2)], axis=1)
    widest = (0.0, 0.1, 0.3)[seed % 3]
    limits = replace(Limits.none(instance), groups=groups, widest=widest)

    def loss(rules: list[Clause]) -> int:
        return zero_one(instance, rules) if zero else instance.hamming_loss(rules)

    def allowed(rules: list[Clause]) -> bool:
        said = predicted(instance, rules)
        shares = [sum(groups[said, g]) / sum(groups[:, g]) for g in range(groups.shape[1])]
        return max(shares) - min(shares) <= widest + 1e-9

    assert agrees(instance, limits, COMPLEXITIES[seed % 4], loss, allowed, zero=zero)


@pytest.mark.parametrize("zero", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_forced_columns_are_used_by_a_condition_that_tells_rows_apart(seed: int, zero: bool) -> None:
    instance, _ = instance_of(seed)
    complexity = COMPLEXITIES[seed % 4]
    forced = [(0,), (1, 2), (3,)][: 1 + seed % 3]
    columns = np.zeros(len(instance.literals), dtype=np.int64)
    for bit, literals in enumerate(forced):
        columns[list(literals)] |= 1 << bit
    limits = replace(Limits.none(instance), columns=columns, n_columns=len(forced))

    def loss(rules: list[Clause]) -> int:
        return zero_one(instance, rules) if zero else instance.hamming_loss(rules)

    def tells(clause: Clause) -> bool:
        own = predicted(instance, [clause]).sum()
        without = [tuple(j for j in clause if j != q) for q in clause]
        return own > 0 and all(not c or predicted(instance, [c]).sum() > own for c in without)

    def allowed(rules: list[Clause]) -> bool:
        used = {j for clause in rules for j in clause}
        return all(map(tells, rules)) and all(used & set(literals) for literals in forced)

    assert agrees(instance, limits, complexity, loss, allowed, zero=zero)
