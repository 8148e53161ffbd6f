"""Intervals that follow from the leaves of the rows, and copies of ensembles, against the slow ways to get them."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer

from compactml.condition_sharing.intervals import intervals_of
from compactml.condition_sharing.paths import find_paths
from compactml.forests import fitted_trees, leaves, with_thresholds
from tests.condition_sharing.test_sharing import ENSEMBLES, float32_neighbours

CLASSIFIERS = [ensemble for ensemble in ENSEMBLES if "Classifier" in type(ensemble).__name__]


@pytest.fixture(scope="module", params=CLASSIFIERS, ids=lambda e: type(e).__name__)
def fitted(request):
    X, y = load_breast_cancer(return_X_y=True)
    return clone(request.param).fit(X, y), X


def same_intervals(ensemble, X, samples=None):
    """Both ways to the intervals agree."""
    paths = find_paths(ensemble, X, samples)
    fast = intervals_of(ensemble, X, sample_indices=samples, paths=paths)
    slow = intervals_of(ensemble, X, sample_indices=samples)
    for name in ("tree", "node", "feature", "threshold", "lower", "upper"):
        ours, other = getattr(fast, name), getattr(slow, name)
        assert ours.dtype == other.dtype
        assert np.array_equal(ours, other)
    return paths


def test_intervals_follow_from_the_leaves(fitted):
    ensemble, X = fitted
    paths = same_intervals(ensemble, X)
    assert np.isfinite(intervals_of(ensemble, X, paths=paths).lower).all()
    assert paths.exact.dtype == np.float64  # what float32 would round
    same_intervals(ensemble, np.round(X))
    rng = np.random.default_rng(0)
    n_trees = len(fitted_trees(ensemble))
    same_intervals(ensemble, X, [rng.integers(0, len(X), 200) for _ in range(n_trees)])
    same_intervals(ensemble, X[:3])  # most nodes are reached by no row


@pytest.mark.parametrize("seed", range(5))
def test_intervals_between_float32_neighbours(seed):
    same_intervals(*float32_neighbours(seed))


def test_leaves_are_kept_in_fewer_bits_where_there_are_many(fitted, monkeypatch):
    ensemble, X = fitted
    whole = find_paths(ensemble, X)
    monkeypatch.setattr("compactml.condition_sharing.paths.LARGE", 10)
    narrow = same_intervals(ensemble, X)
    assert narrow.leaf[-1].itemsize < whole.leaf[-1].itemsize
    assert all(np.array_equal(*pair) for pair in zip(narrow.leaf, whole.leaf, strict=True))
    reached = leaves(ensemble, X)
    for t, leaf in enumerate(whole.leaf):
        assert np.array_equal(np.bincount(leaf), np.bincount(reached[:, t]))


def test_a_copy_is_equal_and_shares_nothing_that_changes(fitted):
    ensemble, X = fitted
    same = with_thresholds(ensemble, [tree.threshold for tree in fitted_trees(ensemble)])
    before = pickle.dumps(ensemble)
    assert pickle.dumps(same) == before
    for tree in fitted_trees(same):
        tree.threshold[:] = 0
        tree.value[:] = 0
    for member in np.asarray(same.estimators_, dtype=object).ravel():
        for value in vars(member).values():
            if isinstance(value, np.ndarray):
                value[:] = value[::-1]
            if isinstance(value, np.random.RandomState):
                value.random_sample()
    assert pickle.dumps(ensemble) == before
    assert np.array_equal(
        clone(same).fit(X, X[:, 0] > 14).predict(X), clone(ensemble).fit(X, X[:, 0] > 14).predict(X)
    )
