"""The search: bookkeeping of the compiled moves, optima of small ensembles, limits, repeatability."""

import time

import numpy as np
import pytest

from compactml.ensemble_pruning import _kernels as compiled
from compactml.ensemble_pruning._failure_credit import Diversity, failure_credit, failure_patterns
from compactml.ensemble_pruning._local_search import _Search, local_search
from compactml.ensemble_pruning.instance import PruningInstance
from compactml.errors import InvalidParameterError
from compactml.watch import EndedEarlyWarning
from tests.ensemble_pruning.tiny_ensembles import (
    O3,
    O4,
    O5,
    failure_credits,
    is_diverse,
    optimum,
    random_votes,
    weighted_sum,
)

IRRATIONAL = (0.1, 0.0, float(np.sqrt(2)), -float(np.pi))
OBJECTIVES = ("accuracy", "balanced_accuracy", "recall", (3, -1, 2, 1), (-2, 1, 1, 4), IRRATIONAL)
FEW = 200_000


def diversity_of(votes, y, min_pfc, mean_pfc):
    return Diversity(failure_credit(failure_patterns(votes, y)), float(min_pfc), float(mean_pfc))


def limits_of(votes, y):
    """Tau and gamma of F3, exactly."""
    credit = failure_credits(votes, y)
    k = votes.shape[1]
    pfc = [sum(value for pair, value in credit.items() if a in pair) / (k - 1) for a in range(k)]
    return min(pfc), (min(pfc) + sum(pfc) / k) / 2


def search_over(votes, y, objective="accuracy", diversity=None):
    instance = PruningInstance.from_votes(votes, y, objective)
    return _Search.of(instance, diversity, (0, votes.shape[1]), None, None, 0)


def gain_of(instance, selected, threshold):
    """Sum of the gains of the patterns called positive."""
    called = instance.patterns[:, selected].sum(axis=1) > threshold
    return instance.gains[called].sum()


@pytest.mark.parametrize("objective", ["accuracy", "balanced_accuracy"])
@pytest.mark.parametrize("k", [5, 130])
def test_every_move_changes_the_value_as_foretold(objective, k):
    votes, y = random_votes(k, n=300, k=k)
    search = search_over(votes, y, objective)
    problem, state, instance = search.problem, search.state, search.instance
    selected, random = [1, 3, 4], np.random.default_rng(0)
    for threshold in (0, 1, 2):
        moves = [(out, into, 0) for out in (0, 1, 2, k) for into in (3, 4, k)]
        moves += [(k, k - 1, 1), (k, k, 1)]
        moves += [(2, k, -1), (k, k, -1)] if threshold else []
        for out, into, by in moves:
            compiled.place(problem, state, random.permutation(selected), threshold)
            members, old = state.order[:3].tolist(), gain_of(instance, selected, threshold)
            assert state.numbers[compiled.VALUE] == old
            new = [member for place, member in enumerate(members) if place != out]
            new += [state.order[into]] if into < k else []
            change = compiled.change_at(problem, state, out, into, by)
            assert change == gain_of(instance, new, threshold + by) - old
            compiled.move(problem, state, out, into, by, change)
            assert sorted(state.order[: state.numbers[compiled.SIZE]]) == sorted(new)
            assert state.numbers[compiled.THRESHOLD] == threshold + by


def test_nothing_drifts_in_many_moves():
    votes, y = random_votes(0, n=400, k=20)
    diversity = diversity_of(votes, y, 0.01, 0.2)
    search = search_over(votes, y, diversity=diversity)
    state, numbers = search.state, search.state.numbers
    compiled.place(search.problem, state, np.arange(6), 2)
    compiled.anneal(search.problem, state, 3, 9, 1.5, 0.2, 30_000)
    selected = state.order[: numbers[compiled.SIZE]]
    assert sorted(state.order) == list(range(20))
    assert 3 <= len(selected) <= 9
    assert 0 <= numbers[compiled.THRESHOLD] < len(selected)
    assert numbers[compiled.VALUE] == gain_of(search.instance, selected, numbers[compiled.THRESHOLD])
    np.testing.assert_allclose(state.sums, diversity.credit[selected].sum(axis=0), atol=1e-9)
    best = state.best[: numbers[compiled.BEST_SIZE]]
    assert numbers[compiled.BEST] == gain_of(search.instance, best, numbers[compiled.BEST_THRESHOLD])
    assert numbers[compiled.BEST] > gain_of(search.instance, np.arange(6), 2)
    assert diversity.met(best)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("k", [2, 3, 7])
def test_the_optimum_of_small_ensembles(objective, k):
    for seed in range(4):
        votes, y = random_votes(seed, n=30, k=k)
        instance = PruningInstance.from_votes(votes, y, objective)
        found = local_search(instance, moves=FEW, random_state=seed)
        best, _ = optimum(votes, y, objective)
        assert instance.value(*found) == pytest.approx(float(best), rel=1e-12)


def test_the_optimum_of_nine():
    votes, y = random_votes(8, n=40, k=9)
    instance = PruningInstance.from_votes(votes, y)
    assert instance.value(*local_search(instance, moves=FEW)) == optimum(votes, y, "accuracy")[0]


@pytest.mark.parametrize("individual", [False, True], ids=["F2", "F3"])
def test_the_optimum_under_the_paper_s_limits(individual):
    for seed in range(8):
        votes, y = random_votes(seed, n=30, k=6)
        tau, gamma = limits_of(votes, y)
        tau = tau if individual else 0
        instance = PruningInstance.from_votes(votes, y)
        found = local_search(instance, diversity=diversity_of(votes, y, tau, gamma), moves=FEW)
        assert is_diverse(tuple(map(int, found.selected)), failure_credits(votes, y), tau, gamma)
        assert instance.value(*found) == optimum(votes, y, "accuracy", tau=tau, gamma=gamma)[0]


@pytest.mark.parametrize(("example", "best"), [(O3, (9, 8, 8)), (O4, (10, 10, 9))])
def test_o3_and_o4(example, best):
    instance = PruningInstance.from_votes(example.votes, example.y)
    for (tau, gamma), value in zip(
        [(0, 0), (0, example.gamma), (example.tau, example.gamma)], best, strict=True
    ):
        diversity = diversity_of(example.votes, example.y, tau, gamma)
        assert instance.value(*local_search(instance, diversity=diversity, moves=FEW)) == value


@pytest.mark.parametrize(("objective", "value", "ensemble"), [
    ("accuracy", 7, ([2, 3], 1)), ("balanced_accuracy", 16 / 5, ([1, 3], 0)),
])  # fmt: skip
def test_o5(objective, value, ensemble):
    instance = PruningInstance.from_votes(O5.votes, O5.y, objective)
    found = local_search(instance, moves=FEW)
    assert instance.value(*found) == pytest.approx(value, rel=1e-12)
    assert (found.selected.tolist(), found.threshold) == ensemble


@pytest.mark.parametrize("sizes", [(0, 0), (0, 1), (1, 2), (4, 7), (6, 6), (7, 7)])
def test_the_optimum_of_a_range_of_sizes(sizes):
    votes, y = random_votes(3, n=30, k=7)
    instance = PruningInstance.from_votes(votes, y)
    found = local_search(instance, min_size=sizes[0], max_size=sizes[1], moves=FEW)
    assert sizes[0] <= len(found.selected) <= sizes[1]
    assert instance.value(*found) == optimum(votes, y, "accuracy", min_size=sizes[0], max_size=sizes[1])[0]


def test_many_classifiers_that_must_be_kept():
    votes, y = random_votes(3, n=200, k=70)
    instance = PruningInstance.from_votes(votes, y)
    found = local_search(instance, min_size=60, moves=FEW)
    assert len(found.selected) >= 60
    assert instance.value(*found) > instance.value(np.arange(70), 35)


def test_no_ensemble_is_diverse_enough():
    votes, y = random_votes(3, n=30, k=5)
    instance = PruningInstance.from_votes(votes, y)
    diversity = diversity_of(votes, y, 0, 1)
    assert local_search(instance, diversity=diversity, min_size=2, moves=FEW) is None
    assert len(local_search(instance, diversity=diversity, moves=FEW).selected) == 1


def test_a_start_that_calls_all_negative_is_left():
    votes, y = random_votes(0, n=30, k=6)
    instance = PruningInstance.from_votes(votes, y)
    found = local_search(instance, start=(np.arange(6), 6), moves=FEW)
    assert instance.value(*found) == optimum(votes, y, "accuracy")[0]


@pytest.mark.parametrize("votes", [np.zeros((4, 3)), np.ones((4, 3))], ids=["no vote", "all votes"])
def test_votes_that_say_nothing(votes):
    y = np.array([1, 0, 0, 1])
    found = local_search(PruningInstance.from_votes(votes, y), moves=FEW)
    assert weighted_sum(votes, y, (1, 0, 1, 0), found.selected, found.threshold) == 2


def test_no_worse_than_its_start_and_the_simple_ensembles():
    votes, y = random_votes(5, n=200, k=30)
    instance = PruningInstance.from_votes(votes, y)
    start = local_search(instance, moves=FEW, random_state=1)
    found = local_search(instance, start=start, moves=0)
    assert instance.value(*found) == instance.value(*start)
    simple = [(np.array([k]), 0) for k in range(30)] + [(np.arange(30), 15), (np.arange(0), 0)]
    assert instance.value(*local_search(instance, moves=0)) == max(instance.value(*one) for one in simple)


def test_the_moves_decide_and_the_clock_only_cuts():
    votes, y = random_votes(5, n=300, k=40)
    instance = PruningInstance.from_votes(votes, y)
    runs = [local_search(instance, moves=150_000, random_state=7, time_limit=limit) for limit in (None, 60)]
    assert runs[0].selected.tolist() == runs[1].selected.tolist()
    assert runs[0].threshold == runs[1].threshold
    started = time.perf_counter()
    with pytest.warns(EndedEarlyWarning, match=r"local_search: time_limit=0\.3 s"):
        local_search(instance, moves=10**12, time_limit=0.3)
    assert 0.3 <= time.perf_counter() - started < 1


def test_each_improvement_is_told():
    votes, y = random_votes(5, n=300, k=40)
    instance, told = PruningInstance.from_votes(votes, y), []
    found = local_search(
        instance, moves=150_000, on_improvement=lambda ensemble, value: told.append((ensemble, value))
    )
    values = [value for _, value in told]
    assert values == sorted(set(values))
    assert all(instance.value(*ensemble) == value for ensemble, value in told)
    assert told[-1][0] is found


def test_it_ends_at_a_value_that_cannot_be_exceeded():
    votes, y = random_votes(5, n=300, k=40)
    instance, told = PruningInstance.from_votes(votes, y), []
    majority = instance.value(np.arange(40), 20)
    local_search(
        instance, moves=10**12, target=majority + 1, on_improvement=lambda _, value: told.append(value)
    )
    assert told[-1] >= majority + 1
    perfect = np.repeat(y[:, np.newaxis], 3, axis=1)
    local_search(PruningInstance.from_votes(perfect, y), moves=10**12)


@pytest.mark.parametrize("sizes", [{"min_size": 6}, {"min_size": -1}, {"min_size": 3, "max_size": 2}])
def test_sizes_that_exclude_each_other(sizes):
    votes, y = random_votes(0, k=5)
    with pytest.raises(InvalidParameterError, match="min_size"):
        local_search(PruningInstance.from_votes(votes, y), **sizes)
