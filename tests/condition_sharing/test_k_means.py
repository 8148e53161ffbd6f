"""The exact one-dimensional k-means baseline."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier

from compactml.condition_sharing import cluster_centres, k_means_conditions
from compactml.errors import InvalidParameterError
from compactml.forests import count_conditions, fitted_trees


def brute_force_cost(values, k):
    values = np.sort(values)
    best = np.inf
    for cuts in combinations(range(1, values.size), min(k, values.size) - 1):
        parts = np.split(values, cuts)
        best = min(best, sum(((part - part.mean()) ** 2).sum() for part in parts))
    return best


@given(st.lists(st.integers(-20, 20), min_size=1, max_size=9), st.integers(1, 5))
@settings(max_examples=200, deadline=None)
def test_cost_is_the_minimum(values, k):
    values = np.array(values, dtype=float)
    centres = cluster_centres(values, k)
    assert len(np.unique(centres)) <= max(k, 1) or len(np.unique(values)) <= k
    assert ((values - centres) ** 2).sum() == pytest.approx(brute_force_cost(values, k), abs=1e-9)


def test_forest_keeps_its_structure_and_at_most_k_conditions_per_feature():
    X, y = load_iris(return_X_y=True)
    forest = RandomForestClassifier(20, random_state=0).fit(X, y)
    before = [tree.threshold.copy() for tree in fitted_trees(forest)]
    clustered = k_means_conditions(forest, 4)
    assert clustered.n_conditions_after_ == count_conditions(clustered.ensemble_) <= 4 * X.shape[1]
    assert all(
        np.array_equal(tree.threshold, old) for tree, old in zip(fitted_trees(forest), before, strict=True)
    )


@pytest.mark.parametrize("k", [0, -1, 2.0, True])
def test_bad_k_is_refused(k):
    X, y = load_iris(return_X_y=True)
    forest = RandomForestClassifier(2, random_state=0).fit(X, y)
    with pytest.raises(InvalidParameterError, match="k: must be a positive integer"):
        k_means_conditions(forest, k)
