"""What the ratios for ensemble pruning rest on: the search in numpy, the two ways to the isotonic bound, gaps."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks import ensemble_pruning
from compactml.ensemble_pruning.instance import PruningInstance


def instance_of(seed, k):
    random = np.random.default_rng(seed)
    y = random.random(150) < 0.5
    return PruningInstance.from_votes(np.where(random.random((150, k)) < 0.65, y[:, None], ~y[:, None]), y)


def best_sum(instance):
    """By all sets of the sizes and thresholds that the search may use."""
    sets = np.array(np.meshgrid(*[[0, 1]] * instance.n_classifiers)).reshape(instance.n_classifiers, -1)
    sets = sets[:, (sets.sum(axis=0) >= 3) & (sets.sum(axis=0) <= 5)]
    votes = instance.patterns.astype(int) @ sets
    return max((instance.gains @ (votes[:, sets.sum(axis=0) > level] > level)).max() for level in range(5))


@pytest.mark.parametrize("seed", range(3))
def test_the_search_in_numpy_finds_the_optimum_of_few(seed, monkeypatch):
    monkeypatch.setattr(ensemble_pruning, "FEWEST", 3)
    monkeypatch.setattr(ensemble_pruning, "MOST", 5)
    instance = instance_of(seed, 9)
    assert ensemble_pruning.numpy_search(instance, 5000) == best_sum(instance)


def test_a_row_of_each_speed(monkeypatch):
    monkeypatch.setattr(ensemble_pruning, "MOVES", 300_000)
    monkeypatch.setattr(ensemble_pruning, "NUMPY_MOVES", 3000)
    instance = instance_of(0, 25)
    assert ensemble_pruning.search_row("any", instance)["value"] > 1
    assert ensemble_pruning.flow_row("any", instance)["value"] > 0


def test_bounds_that_disagree_are_an_error(monkeypatch):
    true = ensemble_pruning.isotonic_of
    monkeypatch.setattr(
        ensemble_pruning, "isotonic_of", lambda one: replace(true(one), errors=true(one).errors + 1)
    )
    with pytest.raises(AssertionError, match="any"):
        ensemble_pruning.flow_row("any", instance_of(0, 5))


def test_conflicts_are_the_pairs_of_one_below_the_other():
    instance = instance_of(1, 6)
    rows = ensemble_pruning.all_conflicts(instance).toarray()
    expected = {
        (b, a)
        for b in np.flatnonzero(instance.gains > 0)
        for a in np.flatnonzero(instance.gains < 0)
        if (instance.patterns[b] <= instance.patterns[a]).all()
    }
    assert len(expected) > 3
    assert {tuple(sorted(np.flatnonzero(row))) for row in rows} == {tuple(sorted(pair)) for pair in expected}


@pytest.mark.parametrize(("gaps", "shown"), [((0.3, 0.1), 3), ((0.3, 0.0), "closed")])
def test_ratio_of_gaps(gaps, shown):
    assert ensemble_pruning.divided(*gaps) == pytest.approx(shown)
