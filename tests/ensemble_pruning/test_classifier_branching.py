"""Branching on classifiers: by enumeration of all ensembles, of all completions of a node, and against scipy's flow."""

import warnings
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse import csgraph

from compactml.clock import Clock
from compactml.ensemble_pruning.bounds import gains
from compactml.ensemble_pruning.bounds._kernels.conflicts import conflicts, conflicts_if
from compactml.ensemble_pruning.bounds._kernels.flow import Arcs, augmented, packed_flow, unpacked_flow
from compactml.ensemble_pruning.bounds.branching import NO_LIMIT, ClassifierTree, branching_bound
from compactml.ensemble_pruning.bounds.isotonic import isotonic_bound
from compactml.ensemble_pruning.instance import PruningInstance, pack
from compactml.ensemble_pruning.pool.voting import unpack
from compactml.errors import InvalidParameterError
from compactml.watch import EndedEarlyWarning
from tests.clocks import Looks
from tests.ensemble_pruning.tiny_ensembles import optimum, random_votes

OBJECTIVES = ("accuracy", "balanced_accuracy", "recall", (3, -1, 2, 1), (0.3, 0, 0.7, -0.11))


def tree_of(votes, y, objective="accuracy", **options):
    """A tree that accepts every ensemble, and what it was offered."""
    instance, offered = PruningInstance.from_votes(votes, y, objective), []

    def offer(candidate):
        offered.append(instance.value(*candidate))
        return max(offered)

    return ClassifierTree(instance, offer, **options), offered


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize(("seed", "n", "k"), [(0, 25, 5), (1, 40, 6), (2, 60, 7), (3, 60, 7)])
def test_finds_and_proves_the_optimum(seed, n, k, objective):
    votes, y = random_votes(seed, n, k)
    best = float(optimum(votes, y, objective)[0])
    tree, offered = tree_of(votes, y, objective)
    tree.run(Clock(None))
    assert not tree.open
    assert max(offered) == pytest.approx(best)
    assert tree.instance.bound(tree.errors) == pytest.approx(best)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("seed", range(4))
def test_is_a_bound_wherever_it_stops(seed, objective):
    votes, y = random_votes(seed, 60, 7)
    best = float(optimum(votes, y, objective)[0])
    found = []
    for n in (0, 1, 2, 5, 20):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            found.append(branching_bound(votes, y, weights=objective, max_nodes=n))
        assert [f"max_nodes={n} " in str(one.message) for one in said] == [True] * (not found[-1].complete)
    bounds = [one.bound for one in found]
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[1] <= isotonic_bound(votes, y, weights=objective).bound + 1e-9
    assert bounds[-1] >= best - 1e-9
    errors = [proved for _, proved in found[-1].history]
    assert errors == sorted(errors)


@pytest.mark.parametrize("seed", range(3))
def test_stopping_changes_nothing_but_the_time(seed):
    votes, y = random_votes(seed, 60, 7)
    whole, pieces = tree_of(votes, y)[0], tree_of(votes, y)[0]
    whole.run(Clock(None))
    while pieces.open:
        pieces.run(Clock(None), pieces.n_nodes + 3)
    assert (pieces.errors, pieces.n_nodes) == (whole.errors, whole.n_nodes)


def counted(monkeypatch):
    """Let the kernel weigh one classifier a call; a list with what each call is given."""
    calls, weigh = [], gains.gains_of_decisions
    monkeypatch.setattr(gains, "WORDS_AT_ONCE", 1)
    monkeypatch.setattr(
        gains, "gains_of_decisions", lambda *given: (calls.append(given[4].tolist()), weigh(*given))[1]
    )
    return calls


@pytest.mark.parametrize("seed", range(3))
def test_weighing_classifiers_in_pieces_is_the_same_search(seed, monkeypatch):
    votes, y = random_votes(seed, 60, 7)
    whole, pieces = tree_of(votes, y), tree_of(votes, y)
    whole[0].run(Clock(None))
    calls = counted(monkeypatch)
    pieces[0].run(Clock(None))
    assert (pieces[0].errors, pieces[0].n_nodes, pieces[1]) == (whole[0].errors, whole[0].n_nodes, whole[1])
    assert {len(part) for part in calls} == {1}


@pytest.mark.parametrize("looks", [1, 2, 4, 8, 15])
def test_a_node_for_which_the_time_is_over_stays_open_with_what_is_proved(looks, monkeypatch):
    votes, y = random_votes(2, 60, 7)
    best = float(optimum(votes, y, "accuracy")[0])
    tree, offered = tree_of(votes, y)
    calls = counted(monkeypatch)
    tree.run(Looks(looks))
    assert len(calls) < looks
    assert tree.open
    assert tree.instance.bound(tree.errors) <= isotonic_bound(votes, y).bound
    assert tree.instance.bound(tree.errors) >= best
    tree.run(Clock(None))
    assert not tree.open
    assert max(offered) == tree.instance.bound(tree.errors) == best


@pytest.mark.parametrize(("least", "most"), [(0, 2), (3, 3), (5, 7)])
def test_sizes(least, most):
    votes, y = random_votes(4, 50, 7)
    tree, offered = tree_of(votes, y, sizes=(least, most))
    tree.run(Clock(None))
    best = float(optimum(votes, y, "accuracy", min_size=least, max_size=most)[0])
    assert max(offered) == tree.instance.bound(tree.errors) == best


def test_an_ensemble_that_is_not_allowed_does_not_cut_off():
    votes, y = random_votes(1, 50, 6)
    allowed = float(optimum(votes, y, "accuracy", max_size=1)[0])
    instance = PruningInstance.from_votes(votes, y)
    best = -np.inf

    def offer(candidate):
        nonlocal best
        if len(candidate[0]) <= 1:
            best = max(best, instance.value(*candidate))
        return best

    tree = ClassifierTree(instance, offer)
    tree.run(Clock(None))
    assert best == instance.bound(tree.errors) == allowed


@pytest.mark.parametrize("k", [5, 70])
def test_conflicts_are_those_of_all_completions(k):
    """(b - a).x >= 1 for no x that keeps to the decisions; with 70 classifiers all but 5 are decided."""
    rng = np.random.default_rng(k)
    low, high = rng.random((12, k)) < 0.4, rng.random((70, k)) < 0.6
    decided = rng.integers(1, 3, size=k)
    decided[rng.choice(k, 4, replace=False)] = 0
    free, taken = decided == 0, decided == 2
    completions = np.tile(taken, (16, 1))
    completions[:, free] = list(product([False, True], repeat=4))
    most = np.array([[(completions @ (b.astype(int) - a)).max() for a in high] for b in low])
    none = np.zeros((len(low), 2), dtype=np.uint64)
    one = none.copy()
    conflicts(pack(low), pack(high), pack(free[None])[0], pack(taken[None])[0], none, one)
    np.testing.assert_array_equal(unpack(none, len(high)), most <= 0)
    np.testing.assert_array_equal(unpack(one, len(high)), most == 1)
    after, again, unused = none.copy(), none.copy(), none.copy()
    for c in np.flatnonzero(free):
        for take in (False, True):
            left, chosen = free.copy(), taken.copy()
            left[c], chosen[c] = False, take
            conflicts(pack(low), pack(high), pack(left[None])[0], pack(chosen[None])[0], again, unused)
            conflicts_if(take, none, one, low[:, c].copy(), pack(high[None, :, c])[0], after)
            np.testing.assert_array_equal(after, again)


def scipy_flow(adjacent, low, high):
    m, n = adjacent.shape
    whole = np.zeros((m + n + 2, m + n + 2), dtype=np.int32)
    whole[-2, :m], whole[m : m + n, -1] = low, high
    whole[:m, m : m + n] = adjacent * 10**6
    return csgraph.maximum_flow(sparse.csr_array(whole), m + n, m + n + 1).flow_value


@pytest.mark.parametrize("seed", range(5))
def test_augmenting_reaches_the_maximum_flow(seed):
    """From nothing, and on from there when conflicts are added; kept and unpacked in between."""
    rng = np.random.default_rng(seed)
    m, n = 40, 90
    low, high = rng.integers(1, 6, size=m), rng.integers(1, 4, size=n)
    adjacent = rng.random((m, n)) < 0.02
    nothing = np.zeros(0, dtype=np.int32)
    arcs, value = Arcs(nothing, nothing, np.zeros(0, dtype=np.int64)), 0
    for _ in range(4):
        flow = unpacked_flow(arcs, low, high, 6 * (m + n))
        value += augmented(pack(adjacent), flow, NO_LIMIT)
        arcs = packed_flow(flow)
        assert value == scipy_flow(adjacent, low, high) == arcs.amount.sum()
        assert adjacent[arcs.low, arcs.high].all()
        assert (np.bincount(arcs.low, arcs.amount, m) <= low).all()
        assert (np.bincount(arcs.high, arcs.amount, n) <= high).all()
        adjacent |= rng.random((m, n)) < 0.02


def test_a_fraction_is_a_number_too():
    votes, y = random_votes(0)
    known = branching_bound(votes, y).bound - 0.5
    assert (
        branching_bound(votes, y, value=Fraction(known)).bound == branching_bound(votes, y, value=known).bound
    )


def test_arguments():
    votes, y = random_votes(0)
    with pytest.warns(EndedEarlyWarning, match="branching_bound: time_limit=0 s"):
        assert branching_bound(votes, y, time_limit=0).n_nodes == 0
    with pytest.raises(InvalidParameterError, match="time_limit"):
        branching_bound(votes, y, time_limit=-1)


@pytest.mark.parametrize("label", [0, 1])
def test_one_class(label):
    votes, _ = random_votes(0)
    votes[:, 0] = 1
    found = branching_bound(votes, np.full(len(votes), label))
    assert (found.bound, found.complete) == (len(votes), True)


def test_nothing_to_call():
    assert branching_bound(np.zeros((3, 2)), [1, 0, 1]).bound == 1
