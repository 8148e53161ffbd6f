"""The paper's benchmarks against their definitions, point by point, and examples that can be checked by hand."""

from fractions import Fraction

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from compactml.ensemble_pruning.baselines.backfitting import kappa, sizes_tried
from compactml.ensemble_pruning.baselines.methods import (
    BASELINES,
    backfitting,
    full_ensemble,
    hill_climbing,
    kappa_pruning,
    majority_threshold,
)
from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.watch import EndedEarlyWarning
from tests.ensemble_pruning.tiny_ensembles import O3, random_votes

SEEDS = pytest.mark.parametrize("seed", range(12))


def majority(votes, members):
    """One call per point; a tie is negative."""
    return [2 * sum(row[k] for k in members) > len(members) for row in votes.tolist()]


def correct(votes, y, members):
    return sum(call == bool(label) for call, label in zip(majority(votes, members), y, strict=True))


def exact_kappa(votes, y, members):
    """Cohen's kappa from the two tables of shares."""
    calls, labels, n = majority(votes, members), [bool(label) for label in y], len(y)
    agree = Fraction(sum(a == b for a, b in zip(calls, labels, strict=True)), n)
    chance = sum(Fraction(calls.count(side) * labels.count(side), n * n) for side in (True, False))
    return (agree - chance) / (1 - chance) if chance < 1 else Fraction(0)


def first_best(candidates, score):
    """The first of those with the largest score."""
    return max(candidates, key=lambda k: (score(k), -k))


def greedy(votes, y, score, *, revise):
    """Additions up to 80 % of K; the best of the sizes from 20 %."""
    k = votes.shape[1]
    members, best = [], None
    while len(members) < 4 * k // 5:
        left = [h for h in range(k) if h not in members]
        members = [*members, first_best(left, lambda h: score([*members, h]))]  # noqa: B023
        if revise:
            members = revised(members, k, score)
        if 5 * len(members) >= k and (best is None or score(members) > score(best)):
            best = members
    return sorted(best)


def revised(members, k, score):
    for place in range(len(members)):
        left = [h for h in range(k) if h not in members]
        trials = {h: [*members[:place], h, *members[place + 1 :]] for h in left}
        new = first_best(left, lambda h: score(trials[h]))  # noqa: B023
        if score(trials[new]) > score(members):
            return revised(trials[new], k, score)
    return members


def fitness_of(name, votes, y, members, h):
    """Of adding h, point by point, after Partalas et al."""
    if name == "accuracy":
        return correct(votes, y, [*members, h])
    total = Fraction(0)
    for row, label, call in zip(votes.tolist(), y, majority(votes, members), strict=True):
        h_right, s_right = row[h] == label, call == bool(label)
        nt = Fraction(sum(row[k] == label for k in members), len(members))
        table = {
            "complementariness": {(True, False): 1},
            "concurrency": {(True, False): 2, (True, True): 1, (False, False): -2},
            "uncertainty_weighted_accuracy": {
                (True, False): nt,
                (False, True): -(1 - nt),
                (True, True): 1 - nt,
                (False, False): -nt,
            },
        }[name]
        total += table.get((h_right, s_right), 0)
    return total


def climbed(name, votes, y):
    k = votes.shape[1]
    members = [first_best(range(k), lambda h: correct(votes, y, [h]))]
    nested = [members]
    while len(members) < k:
        left = [h for h in range(k) if h not in members]
        new = first_best(left, lambda h: fitness_of(name, votes, y, members, h))  # noqa: B023
        members = [*members, new]
        nested.append(members)
    return sorted(max(nested, key=lambda s: (correct(votes, y, s), -len(s))))


def check(result, votes, y, members):
    assert result.selected.tolist() == members
    assert result.accuracy == correct(votes, y, members) / len(y)
    assert result.threshold == len(members) // 2
    assert result.complete


@SEEDS
def test_backfitting(seed):
    votes, y = random_votes(seed, n=40, k=2 + seed)
    check(backfitting(votes, y), votes, y, greedy(votes, y, lambda s: correct(votes, y, s), revise=True))


@SEEDS
def test_kappa_pruning(seed):
    votes, y = random_votes(seed, n=40, k=2 + seed)
    check(
        kappa_pruning(votes, y), votes, y, greedy(votes, y, lambda s: exact_kappa(votes, y, s), revise=False)
    )


@SEEDS
@pytest.mark.parametrize(
    "fitness", ["accuracy", "complementariness", "concurrency", "uncertainty_weighted_accuracy"]
)
def test_hill_climbing(fitness, seed):
    votes, y = random_votes(seed, n=40, k=2 + seed)
    check(hill_climbing(votes, y, fitness), votes, y, climbed(fitness, votes, y))


@SEEDS
def test_full_ensemble(seed):
    votes, y = random_votes(seed, n=40, k=2 + seed)
    check(full_ensemble(votes, y), votes, y, list(range(2 + seed)))


@pytest.mark.parametrize("seed", range(3))
def test_many_classifiers_tell_the_methods_apart(seed):
    """Each name stands for its method, where hardly two of them choose the same."""
    votes, y = random_votes(seed, n=60, k=15)
    fitness = ("accuracy", "complementariness", "concurrency", "uncertainty_weighted_accuracy")
    expected = [
        list(range(15)),
        greedy(votes, y, lambda s: correct(votes, y, s), revise=True),
        greedy(votes, y, lambda s: exact_kappa(votes, y, s), revise=False),
        *(climbed(name, votes, y) for name in fitness),
    ]
    assert [method(votes, y, time_limit=None).selected.tolist() for method in BASELINES.values()] == expected
    assert len(set(map(tuple, expected))) >= 6


def test_the_revision_makes_a_difference():
    pairs = [random_votes(seed, n=40, k=2 + seed) for seed in range(12)]
    assert any(
        greedy(votes, y, lambda s: correct(votes, y, s), revise=False)  # noqa: B023
        != backfitting(votes, y).selected.tolist()
        for votes, y in pairs
    )


def test_a_tie_is_negative():
    votes, y = np.array([[1, 0], [1, 0], [1, 1]]), np.array([1, 0, 1])
    assert [majority_threshold(size) for size in (1, 2, 3, 4)] == [0, 1, 1, 2]
    assert full_ensemble(votes, y).accuracy == 2 / 3


def test_o3_by_hand():
    """Classifiers 1, 2, 3 are right on six points; 1 and 2 together, both needed, on eight; all five on six."""
    assert full_ensemble(O3.votes, O3.y).accuracy == 0.6
    result = backfitting(O3.votes, O3.y)
    assert (result.selected.tolist(), result.accuracy, result.threshold) == ([0, 1], 0.8, 1)


@pytest.mark.parametrize(
    ("k", "smallest", "largest"), [(2, 1, 1), (3, 1, 2), (40, 8, 32), (99, 20, 79), (100, 20, 80)]
)
def test_sizes_from_20_to_80_percent(k, smallest, largest):
    assert (sizes_tried(k)[0], sizes_tried(k)[-1]) == (smallest, largest)


def test_kappa_as_scikit_learn_has_it():
    random = np.random.default_rng(0)
    labels, calls = random.integers(0, 2, (2, 50))
    cells = [np.array([float(((labels == side) & (calls == side)).sum())]) for side in (1, 0)]
    value = kappa(*cells, int(labels.sum()), int(50 - labels.sum()))
    assert value[0] == pytest.approx(cohen_kappa_score(labels, calls), rel=1e-12)


def test_kappa_without_a_chance_to_differ_is_zero():
    assert kappa(np.array([5.0]), np.array([0.0]), 5, 0).tolist() == [0.0]


@pytest.mark.parametrize("label", [0, 1])
@pytest.mark.parametrize("name", BASELINES)
def test_one_class_only(name, label):
    votes, _ = random_votes(0)
    result = BASELINES[name](votes, np.full(len(votes), label), time_limit=None)
    assert result.accuracy == correct(votes, [label] * len(votes), result.selected) / len(votes)


@pytest.mark.parametrize("name", BASELINES)
def test_bad_votes(name):
    with pytest.raises(InvalidDataError, match="votes"):
        BASELINES[name]([[0, np.nan], [1, 1]], [0, 1])


def test_an_unknown_fitness():
    with pytest.raises(InvalidParameterError, match="'concurrency'"):
        hill_climbing(*random_votes(0), "kappa")


@pytest.mark.parametrize("name", [name for name in BASELINES if name != "FE"])
def test_a_limit_that_is_over_at_once(name):
    votes, y = random_votes(0, n=60, k=20)
    with pytest.warns(EndedEarlyWarning, match="time_limit=0 s"):
        result = BASELINES[name](votes, y, time_limit=0.0)
    assert not result.complete
    assert len(result.selected) == 1
    assert result.accuracy == max(correct(votes, y, [k]) for k in range(20)) / 60 or name == "KAPPA"
