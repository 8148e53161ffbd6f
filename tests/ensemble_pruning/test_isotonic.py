"""The isotonic bound: against all monotone rules, against all ensembles, and its two certificates."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from compactml.ensemble_pruning.bounds.isotonic import isotonic_bound, isotonic_of
from compactml.ensemble_pruning.instance import PruningInstance
from tests.ensemble_pruning.tiny_ensembles import four_weights, optimum, random_votes, weighted_sum

OBJECTIVES = ("accuracy", "balanced_accuracy", "recall", (3, -1, 2, 1), (-2, 1, 1, 4), (0.3, 0, 0.7, -0.11))


def best_monotone(votes, y, objective):
    """Largest (1) over all calls of the distinct vectors that are monotone and call the zero vector negative."""
    weights = four_weights(objective, y)
    vectors = sorted({tuple(map(int, row)) for row in votes})
    values = []
    for call in product((0, 1), repeat=len(vectors)):
        called = dict(zip(vectors, call, strict=True))
        monotone = all(
            called[v] <= called[w] for v in vectors for w in vectors if np.less_equal(v, w).all()
        ) and not any(called[v] for v in vectors if not any(v))
        if monotone:
            rows = [[called[tuple(map(int, row))]] for row in votes]
            values.append(weighted_sum(rows, y, weights, [0], 0))
    return max(values)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("seed", range(4))
def test_is_the_best_monotone_rule(seed, objective):
    votes, y = random_votes(seed, n=12, k=4)
    bound = isotonic_bound(votes, y, weights=objective).bound
    assert bound == pytest.approx(float(best_monotone(votes, y, objective)), abs=1e-7)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("seed", range(4))
def test_no_ensemble_is_better(seed, objective):
    votes, y = random_votes(seed, n=20, k=5)
    best, _ = optimum(votes, y, objective)
    assert isotonic_bound(votes, y, weights=objective).bound >= float(best) - 1e-9


@pytest.mark.parametrize("k", [7, 63, 64, 65, 128, 130])
def test_flow_and_cover_prove_each_other(k):
    votes, y = random_votes(k, n=80, k=k)
    extreme = np.random.default_rng(k).random((60, k)) < np.linspace(0.02, 0.98, 60)[:, None]
    votes, y = np.vstack([votes, extreme]), np.append(y, np.tile([0, 0, 1], 20))
    instance = PruningInstance.from_votes(votes, y)
    found = isotonic_of(instance)
    low, high = instance.gains > 0, instance.gains < 0
    below = ~(instance.patterns[low][:, None, :] & ~instance.patterns[high][None, :, :]).any(axis=2)
    covered = found.cover[low][:, None] | found.cover[high][None, :]
    assert below.any()
    assert (covered | ~below).all()
    assert np.abs(instance.gains) @ found.cover == found.errors
    for row in found.rows.toarray().astype(bool):
        (b,), (a,) = np.flatnonzero(row & low), np.flatnonzero(row & high)
        assert not (instance.patterns[b] & ~instance.patterns[a]).any()


def test_capacities_beyond_32_bits_are_rounded_to_the_safe_side():
    votes, y = random_votes(1, n=14, k=3)
    weights = (10**11 + 1, 0, 10**11 + 3, 0)
    best, _ = optimum(votes, y, weights)
    bound = isotonic_bound(votes, y, weights=weights).bound
    assert bound >= float(best)
    exact = Fraction(best_monotone(votes, y, weights))
    assert bound == pytest.approx(float(exact), rel=1e-6)


@pytest.mark.parametrize("label", [0, 1])
def test_one_class_is_free_of_conflicts(label):
    votes, _ = random_votes(0)
    votes[:, 0] = 1
    found = isotonic_bound(votes, np.full(len(votes), label))
    assert found.errors == 0
    assert found.bound == len(votes)
    assert found.rows.shape[0] == 0


def test_nothing_to_call():
    assert isotonic_bound(np.zeros((3, 2)), [1, 0, 1]).bound == 1  # everything is called negative
    assert isotonic_bound([[1, 1], [1, 1]], [1, 0]).bound == 1  # gains cancel


def test_equal_classifiers_are_one_classifier():
    column = np.array([1, 1, 1, 0, 0, 1])
    votes, y = np.repeat(column[:, None], 70, axis=1), np.array([1, 1, 0, 0, 1, 0])
    best, _ = optimum(column[:, None].repeat(2, axis=1), y, "accuracy")
    assert isotonic_bound(votes, y).bound == best
