"""The asummability bound and its cuts: by enumeration of all ensembles, and cut by cut in integers."""

from itertools import combinations, combinations_with_replacement

import numpy as np
import pytest

from compactml.clock import Clock
from compactml.ensemble_pruning.bounds import dominated, separation
from compactml.ensemble_pruning.bounds.asummability import asummability_bound, asummability_of
from compactml.ensemble_pruning.bounds.dominated import dominated_pairs
from compactml.ensemble_pruning.bounds.isotonic import isotonic_bound, isotonic_on
from compactml.ensemble_pruning.bounds.separation import Separator
from compactml.ensemble_pruning.instance import PruningInstance, called_positive
from compactml.errors import InvalidParameterError
from compactml.watch import EndedEarlyWarning
from tests.clocks import Looks
from tests.ensemble_pruning.tiny_ensembles import ensembles, optimum, random_votes

OBJECTIVES = ("accuracy", "balanced_accuracy", "recall", (3, -1, 2, 1), (0.3, 0, 0.7, -0.11))


def excess(instance, patterns):
    """Least excess E of the two or four patterns, each with its multiplicity, less k - 1: a cut if <= 0."""
    b = [p for p in patterns if instance.gains[p] > 0]
    a = [p for p in patterns if instance.gains[p] < 0]
    best = np.inf
    for k in (1, 2):
        for low in combinations_with_replacement(b, k):
            for high in combinations_with_replacement(a, k):
                votes = instance.patterns.astype(int)
                difference = votes[list(low)].sum(axis=0) - votes[list(high)].sum(axis=0)
                best = min(best, np.maximum(difference, 0).sum() - (k - 1))
    return best


def all_errors(instance):
    """Of each ensemble, which patterns it calls wrong."""
    k = instance.n_classifiers
    calls = [called_positive(instance.patterns, s, threshold) for s, threshold in ensembles(k)]
    return np.array(calls) != (instance.gains > 0)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize(("seed", "n", "k"), [(0, 25, 5), (1, 40, 6), (2, 60, 7), (3, 60, 7)])
def test_between_the_isotonic_bound_and_the_optimum(seed, n, k, objective):
    votes, y = random_votes(seed, n, k)
    best, _ = optimum(votes, y, objective)
    instance = PruningInstance.from_votes(votes, y, objective)
    found = asummability_of(instance, Clock(None))
    isotonic = isotonic_bound(votes, y, weights=objective)
    assert isotonic.errors <= found.errors
    assert isotonic.bound >= found.bound >= float(best) - 1e-9


@pytest.mark.parametrize("seed", range(6))
def test_every_ensemble_meets_every_cut(seed):
    instance = PruningInstance.from_votes(*random_votes(seed, 50, 7))
    found = asummability_of(instance, Clock(None))
    assert found.rows.shape[0] > 0
    assert (found.rows @ all_errors(instance).T >= 1).all()
    assert all(excess(instance, np.flatnonzero(row)) <= 0 for row in found.rows.toarray())


@pytest.mark.parametrize("k", [63, 64, 65, 130])
def test_wide_cuts_hold_in_integers(k):
    rng = np.random.default_rng(k)
    groups = rng.random((40, 6)) < 0.5  # votes of six groups of classifiers, a few changed
    votes = groups[:, np.arange(k) % 6] ^ (rng.random((40, k)) < 0.01)
    votes[20:] = votes[:20] ^ (rng.random((20, k)) < 0.01)
    instance = PruningInstance.from_votes(votes, rng.random(40) < 0.5)
    separator = Separator(instance, dominated_pairs(instance))
    quadruples, cut_off = separator.quadruples(np.zeros(len(instance.gains)), 10**9)
    assert len(quadruples) > 0
    assert not cut_off
    for cut in (*quadruples, *separator.dominated):
        assert excess(instance, cut) <= 0


@pytest.mark.parametrize("seed", range(4))
def test_the_separation_misses_no_quadruple(seed):
    instance = PruningInstance.from_votes(*random_votes(seed, 30, 6))
    separator = Separator(instance, dominated_pairs(instance))
    errors = np.random.default_rng(seed).random(len(instance.gains))
    found, _ = separator.quadruples(errors, 10**9)
    votes = instance.patterns.astype(int)
    pairs = [
        [(i, j) for i in side for j in side if i < j] for side in (separator.positive, separator.negative)
    ]
    violated = {
        (*low, *high)
        for low in pairs[0]
        for high in pairs[1]
        if np.maximum(votes[list(low)].sum(axis=0) - votes[list(high)].sum(axis=0), 0).sum() <= 1
        and errors[[*low, *high]].sum() < 1 - 1e-6
    }
    assert {(*sorted(row[:2]), *sorted(row[2:])) for row in found.tolist()} <= violated
    assert bool(len(found)) == bool(violated)


def test_beats_the_isotonic_bound():
    """1100 and 0011 right, 1010 and 0101 wrong: each sum is 1111, and no pair is dominated."""
    votes, y = [[1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0], [0, 1, 0, 1]], [1, 1, 0, 0]
    assert isotonic_bound(votes, y).bound == 4
    assert asummability_bound(votes, y).bound == optimum(votes, y, "accuracy")[0] == 3


def test_uses_that_weights_are_0_or_1():
    """Weights 2, 1, 1 and L = 1 would call all four right; excess 1 says that no ensemble does."""
    votes, y = [[1, 0, 0], [0, 1, 1], [0, 1, 0], [0, 0, 1]], [1, 1, 0, 0]
    assert isotonic_bound(votes, y).bound == 4
    assert asummability_bound(votes, y).bound == optimum(votes, y, "accuracy")[0] == 3


def test_history_never_falls_and_time_limit_zero_keeps_the_isotonic_proof():
    votes, y = random_votes(5, 60, 7)
    found = asummability_bound(votes, y)
    errors = [proved for _, proved in found.history]
    assert errors == sorted(errors)
    assert errors[-1] == found.errors
    with pytest.warns(EndedEarlyWarning, match="asummability_bound: time_limit=0 s"):
        stopped = asummability_bound(votes, y, time_limit=0)
    assert found.complete > stopped.complete
    assert stopped.bound == isotonic_bound(votes, y).bound
    with pytest.raises(InvalidParameterError, match="time_limit"):
        asummability_bound(votes, y, time_limit=-1)


@pytest.mark.parametrize("looks", [0, 1, 3])
def test_conflicts_that_there_is_time_for_prove_a_bound_of_their_own(looks, monkeypatch):
    """All conflicts of 30,000 rows took a second, and were looked for twice."""
    votes, y = random_votes(3, 60, 7)
    instance = PruningInstance.from_votes(votes, y)
    every, whole = dominated_pairs(instance), isotonic_bound(votes, y)
    monkeypatch.setattr(dominated, "AT_ONCE", 1)  # a positive pattern between two looks
    np.testing.assert_array_equal(dominated_pairs(instance, Clock(None)), every)
    some = dominated_pairs(instance, Looks(looks))
    assert len(some) < len(every)
    np.testing.assert_array_equal(some, every[: len(some)])
    assert isotonic_on(instance, some).bound >= whole.bound


@pytest.mark.parametrize("sorted_at_once", [1, 7, 100_000])
@pytest.mark.parametrize("digits", [0, 1, 8])
def test_pairs_come_by_their_sums_without_all_being_sorted(sorted_at_once, digits, monkeypatch):
    """All 4.5 million pairs of 3,000 patterns were sorted, which no clock could end."""
    monkeypatch.setattr(separation, "SORTED_AT_ONCE", sorted_at_once)
    errors = np.sort(np.random.default_rng(digits).random(40).round(digits))  # with few digits many are equal
    parts = list(separation._pairs_by_sum(errors, 6))
    by_hand = [(errors[i] + errors[j], i, j) for i, j in combinations(range(40), 2)]
    open_ = sorted(pair for pair in by_hand if pair[0] < separation.TARGET)
    np.testing.assert_array_equal(np.concatenate(parts), [pair[1:] for pair in open_])
    assert max(map(len, parts)) <= 6


def test_a_search_for_quadruples_looks_at_the_clock(monkeypatch):
    monkeypatch.setattr(separation, "AT_ONCE", 1)  # a pair between two looks
    instance = PruningInstance.from_votes(*random_votes(3, 60, 7))
    separator, errors = Separator(instance, dominated_pairs(instance)), np.full(len(instance.gains), 0.2)
    every, cut_off = separator.quadruples(errors, 10**9)
    assert not cut_off
    some, cut_off = separator.quadruples(errors, 10**9, Looks(3))
    assert cut_off
    assert 0 < len(some) < len(every)
    np.testing.assert_array_equal(some, every[: len(some)])


def test_is_repeatable():
    votes, y = random_votes(7, 80, 7)
    first, second = asummability_bound(votes, y), asummability_bound(votes, y)
    assert first.errors == second.errors
    assert (first.rows != second.rows).nnz == 0


@pytest.mark.parametrize("label", [0, 1])
def test_one_class(label):
    votes, _ = random_votes(0)
    votes[:, 0] = 1
    assert asummability_bound(votes, np.full(len(votes), label)).bound == len(votes)


def test_nothing_to_call():
    assert asummability_bound(np.zeros((3, 2)), [1, 0, 1]).bound == 1
