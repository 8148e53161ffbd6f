"""The exact search, the beam and the enumeration against all clauses, one by one."""

from itertools import combinations

import numpy as np
import pytest

from compactml.boolean_rules.duals import UNIT, Duals
from compactml.boolean_rules.instance import Clause, Instance
from compactml.boolean_rules.literals import Literals
from compactml.boolean_rules.pricing.search import Search

NUMERIC, CATEGORICAL, WITH_MISSING = range(3)


def random_literals(rng: np.random.Generator) -> Literals:
    """Attributes of the three kinds that `DecileBinarizer` makes."""
    bins = rng.integers(2, 5, rng.integers(1, 5))
    rows: list[tuple[int, int, int, bool, str]] = []
    for a, n in enumerate(bins):
        kind, numeric = rng.integers(3), n
        if kind == CATEGORICAL:
            rows += [(a, b, b + 1, False, "==") for b in range(n)]
            rows += [(a, b, b + 1, True, f"!={b}") for b in range(n)]
            continue
        if kind == WITH_MISSING:
            numeric = n - 1
            rows += [(a, numeric, n, False, "missing"), (a, numeric, n, True, "not missing")]
        rows += [(a, 0, b, False, "<=") for b in range(1, numeric)]
        rows += [(a, b, numeric, False, ">") for b in range(1, numeric)]
    groups = {key: g for g, key in enumerate(dict.fromkeys((a, family) for a, *_, family in rows))}
    a, lo, hi, complement, family = zip(*rows, strict=True)
    return Literals(
        *(np.array(column, dtype=np.int32) for column in (a, lo, hi)),
        np.array(complement),
        np.array([groups[key] for key in zip(a, family, strict=True)], dtype=np.int32),
        tuple(f"{attribute}{kind}{low}-{high}" for attribute, low, high, _, kind in rows),
        bins.astype(np.int32),
    )


def random_case(seed: int) -> tuple[Instance, Duals, int]:
    rng = np.random.default_rng(seed)
    literals = random_literals(rng)
    n = rng.integers(3, 40)
    codes = np.stack([rng.integers(0, b, n) for b in literals.n_bins], axis=1)
    instance = Instance.from_codes(codes, rng.random(n) < 0.5, literals)
    shares = rng.random(len(instance.positives)) * (rng.random(len(instance.positives)) < 0.7)
    price = rng.choice([0.0, 0.3 * rng.random(), rng.random()])
    return instance, Duals.rounded(instance, shares * instance.positives, price), int(rng.integers(1, 5))


def all_clauses(instance: Instance, size: int) -> list[Clause]:
    literals = range(len(instance.literals))
    return [clause for k in range(1, size + 1) for clause in combinations(literals, k)]


CASES = [seed for seed in range(500) if len(random_case(seed)[0].literals) <= 14]


@pytest.mark.parametrize("rows_for_bitsets", [1, 100])
def test_best_is_the_largest_f_of_all_clauses(monkeypatch: pytest.MonkeyPatch, rows_for_bitsets: int) -> None:
    monkeypatch.setattr("compactml.boolean_rules.pricing.search.ROWS_FOR_BITSETS", rows_for_bitsets)
    for seed in CASES:
        instance, duals, size = random_case(seed)
        largest = max(duals.f(instance, clause) for clause in all_clauses(instance, size))
        result = Search(instance, size).best(duals)
        assert result.complete
        if largest > 0:
            assert result.best == duals.f(instance, result.clauses[0]) == largest
        else:
            assert result.best <= 0
            assert result.clauses == ()
        assert all(duals.f(instance, clause) > 0 and len(clause) <= size for clause in result.clauses)


@pytest.mark.parametrize("rows_for_bitsets", [1, 100])
def test_only_clauses_of_the_sizes_above_the_threshold_matter(
    monkeypatch: pytest.MonkeyPatch, rows_for_bitsets: int
) -> None:
    monkeypatch.setattr("compactml.boolean_rules.pricing.search.ROWS_FOR_BITSETS", rows_for_bitsets)
    found = 0
    for seed in CASES[:200]:
        instance, duals, _ = random_case(seed)
        f = {clause: duals.f(instance, clause) for clause in all_clauses(instance, 3)}
        above = int(np.random.default_rng(seed).random() * UNIT)
        result = Search(instance, 4).best(duals, above=above, sizes=(2, 3))
        assert result.complete
        needed = [
            value
            for clause, value in f.items()
            if len(clause) > 1 and value > above and all(value > f[one] for one in without_one(clause))
        ]
        assert all(len(clause) in (2, 3) and f[clause] > above for clause in result.clauses)
        assert max(needed, default=0) <= max((f[clause] for clause in result.clauses), default=0)
        found += bool(needed)
    assert found > 20


def without_one(clause: Clause) -> list[Clause]:
    return [clause[:k] + clause[k + 1 :] for k in range(len(clause))]


def test_an_enumeration_has_every_clause_or_one_that_dominates_it() -> None:
    for seed in CASES[:150]:
        instance, duals, size = random_case(seed)
        threshold = -int(UNIT * np.random.default_rng(seed).random() * 3)
        result = Search(instance, size).all_above(duals, threshold, capacity=100_000)
        assert result.complete
        listed = [described(instance, clause) for clause in result.clauses]
        for clause in all_clauses(instance, size):
            rows, negatives, cost = described(instance, clause)
            if rows and duals.f(instance, clause) > threshold:
                assert any(rows <= r and n <= negatives and c <= cost for r, n, c in listed)


def described(instance: Instance, clause: Clause) -> tuple[frozenset[int], int, int]:
    covered = instance.covered(clause)
    positive = np.flatnonzero(covered & (instance.positives > 0))
    return frozenset(positive.tolist()), int(instance.negatives[covered].sum()), 1 + len(clause)


def test_a_full_enumeration_is_not_complete() -> None:
    instance, duals, _ = random_case(CASES[0])
    assert not Search(instance, 2).all_above(duals, -100 * UNIT, capacity=1).complete


def test_an_enumeration_may_end_at_a_clause_that_refutes_the_duals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("compactml.boolean_rules.pricing.search.NODES_BETWEEN_CHECKS", 10)
    rng = np.random.default_rng(0)
    codes, y = rng.integers(0, 2, (300, 40)), rng.random(300) < 0.5
    instance = Instance.from_codes(codes, y, Literals.binary(tuple(f"x{j}" for j in range(40))))
    search, duals = Search(instance, 8), Duals.rounded(instance, 0.9 * instance.positives, 4.0)
    whole = search.all_above(duals, 0, capacity=100_000)
    some = search.all_above(duals, 0, capacity=100_000, largest=0)
    assert whole.complete
    assert whole.best > 0
    assert not some.complete
    assert some.best > 0
    assert some.nodes < whole.nodes


def test_a_wide_beam_finds_the_best_clause_of_two_literals() -> None:
    found = 0
    for seed in CASES[:100]:
        instance, duals, _ = random_case(seed)
        exact = Search(instance, 2).best(duals)
        beam = Search(instance, 2).beam(duals, width=100)
        assert not beam.complete
        assert all(duals.f(instance, clause) > 0 for clause in beam.clauses)
        if exact.clauses:
            assert beam.best == exact.best
            found += 1
    assert found > 10


def test_many_attributes_take_several_machine_words() -> None:
    rng = np.random.default_rng(0)
    codes, y = rng.integers(0, 2, (60, 300)), rng.random(60) < 0.5
    instance = Instance.from_codes(codes, y, Literals.binary(tuple(f"x{j}" for j in range(300))))
    duals = Duals.rounded(instance, 0.9 * instance.positives, 0.4)
    pairs = max(duals.f(instance, clause) for clause in all_clauses(instance, 2))
    assert Search(instance, 2).best(duals).best == pairs


def test_a_stopped_search_proves_nothing_and_a_finished_one_does() -> None:
    rng = np.random.default_rng(0)
    codes, y = rng.integers(0, 2, (300, 40)), rng.random(300) < 0.5
    instance = Instance.from_codes(codes, y, Literals.binary(tuple(f"x{j}" for j in range(40))))
    duals = Duals.rounded(instance, 0.9 * instance.positives, 1.0)
    search = Search(instance, 20)
    assert not search.best(duals, stopped=lambda: True).complete
    assert search.best(duals).complete


@pytest.mark.parametrize("price", [0.0, 0.25, 2.0])
def test_duals_stay_in_their_box_and_are_rounded_to_the_safe_side(price: float) -> None:
    instance, _, _ = random_case(0)
    wild = np.linspace(-1, 5, len(instance.positives))
    duals = Duals.rounded(instance, wild, price)
    assert (duals.mu >= 0).all()
    assert (duals.mu <= UNIT * instance.positives).all()
    assert (duals.mu <= np.maximum(wild, 0) * UNIT).all()
    assert duals.price >= price * UNIT
