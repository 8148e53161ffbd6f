"""Forward selection against a slow version that follows the description of scikit-feature to the letter."""

from functools import partial

import numpy as np
import pytest

from compactml.errors import InvalidParameterError
from compactml.feature_selection import cfs_forward, cfs_program, measure, mrmr_forward, mrmr_program
from compactml.feature_selection.greedy import prefix_values

SEEDS = range(12)
PAPER = partial(mrmr_program, count_own_entropy=True)


def random_measures(seed, p=None, n=40):
    """Features that depend on a class to different degrees and on each other; on odd seeds noisy bits of the class."""
    rng = np.random.default_rng(seed)
    p = p or int(rng.integers(1, 14))
    if seed % 2:
        y = rng.integers(0, 2**p, n)
        return measure((y[:, None] >> np.arange(p)) % 2 ^ (rng.random((n, p)) < 0.05), y)
    y = rng.integers(0, 3, n)
    X = (y[:, None] * (rng.random((n, p)) < rng.random(p)) + rng.integers(0, 3, (n, p))) % 5
    return measure(X, y)


def slow_mrmr(measures):
    """Features as returned, repeats included, and their scores."""
    chosen, scores, last = [], [], 1.0
    while not (chosen and last < 0):
        last, index = -np.inf, chosen[-1] if chosen else None
        for f in range(measures.n_features):
            score = measures.relevance[f] - sum(measures.redundancy[f, g] for g in chosen) / max(
                len(chosen), 1
            )
            if f not in chosen and score > last + 1e-12:
                last, index = score, f
        chosen.append(index)
        scores.append(last)
    return chosen, scores


def slow_cfs(measures):
    with_class, pairs = measures.uncertainty("usual")

    def merit(subset):
        between = sum(pairs[f, g] for f in subset for g in subset if f != g)
        return sum(with_class[f] for f in subset) / np.sqrt(len(subset) + between)

    chosen, merits = [], []
    while len(merits) < 6 or any(merits[-i] > merits[-i - 1] + 1e-12 for i in range(1, 5)):
        best, index = -1e11, -1
        for f in range(measures.n_features):
            if f not in chosen and merit([*[g for g in chosen if g >= 0], f]) > best + 1e-12:
                best, index = merit([*[g for g in chosen if g >= 0], f]), f
        chosen.append(index)
        merits.append(best)
    return chosen, merits


@pytest.mark.parametrize("seed", SEEDS)
def test_mrmr_as_described(seed):
    measures = random_measures(seed)
    found = mrmr_forward(measures, mrmr_program(measures, count_own_entropy=True))
    chosen, scores = slow_mrmr(measures)
    each_once = list(dict.fromkeys(chosen))
    assert found.order.tolist() == each_once
    np.testing.assert_allclose(found.scores, scores[: len(each_once)], atol=1e-12)
    assert found.support.tolist() == sorted(each_once)
    assert found.reported_size == len(chosen)


@pytest.mark.parametrize("seed", SEEDS)
def test_cfs_as_described(seed):
    measures = random_measures(seed)
    found = cfs_forward(measures, cfs_program(measures))
    chosen, merits = slow_cfs(measures)
    real = [f for f in chosen if f >= 0]
    assert found.order.tolist() == real
    np.testing.assert_allclose(found.scores, merits[: len(real)], atol=1e-12)
    assert found.reported_size == len(chosen) >= 6


def test_the_cases_above_hold_every_way_to_stop():
    runs = [random_measures(seed) for seed in SEEDS]
    mrmr = [(m, mrmr_forward(m, mrmr_program(m, count_own_entropy=True))) for m in runs]
    cfs = [(m, cfs_forward(m, cfs_program(m))) for m in runs]
    assert any(found.reported_size == m.n_features + 1 for m, found in mrmr)
    assert any(found.scores[-1] < 0 for _, found in mrmr)
    assert any(found.reported_size > m.n_features for m, found in cfs)
    assert any(len(found.support) < m.n_features for m, found in cfs)


@pytest.mark.parametrize(("forward", "build"), [(mrmr_forward, PAPER), (cfs_forward, cfs_program)])
def test_the_best_prefix_is_the_best_by_the_value_of_the_program(forward, build):
    for seed in SEEDS:
        measures = random_measures(seed)
        program = build(measures)
        found = forward(measures, program)
        values = [program.value(found.order[:k]) for k in range(1, len(found.order) + 1)]
        np.testing.assert_allclose(prefix_values(program, found.order), values, atol=1e-13)
        assert program.value(found.best_prefix) == pytest.approx(max(values), abs=1e-13)
        assert found.best_prefix.tolist() == sorted(found.order[: len(found.best_prefix)])


@pytest.mark.parametrize(("forward", "build"), [(mrmr_forward, PAPER), (cfs_forward, cfs_program)])
def test_a_number_of_features_is_a_prefix_of_the_order_without_a_stop(forward, build):
    measures = random_measures(0, p=9)
    program = build(measures)
    everything = forward(measures, program, k=9).order.tolist()
    assert sorted(everything) == list(range(9))
    for k in range(1, 9):
        found = forward(measures, program, k=k)
        assert found.order.tolist() == everything[:k]
        assert found.reported_size == len(found.support) == k


def test_the_smallest_index_wins_a_tie():
    y = np.tile([0, 1, 0, 1, 1, 0], 3)
    measures = measure(np.column_stack([y, 1 - y, y + 5]), y)
    assert mrmr_forward(measures, mrmr_program(measures, count_own_entropy=True)).order.tolist() == [0, 1, 2]
    assert cfs_forward(measures, cfs_program(measures)).order.tolist() == [0, 1, 2]


@pytest.mark.parametrize("k", [0, 4, 2.0, True, "all"])
@pytest.mark.parametrize(("forward", "build"), [(mrmr_forward, PAPER), (cfs_forward, cfs_program)])
def test_other_numbers_of_features_are_refused(forward, build, k):
    measures = random_measures(0, p=3)
    with pytest.raises(InvalidParameterError, match=r"^k: must be None or an integer in \[1, 3\]"):
        forward(measures, build(measures), k=k)
