"""The exact one-dimensional k-means baseline."""

from fractions import Fraction
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


def exact_cost(values, parts):
    """Cost of a partition of the sorted distinct values, in rational numbers."""
    cost = Fraction(0)
    for part in parts:
        members = [Fraction(value) for value in values if part[0] <= value <= part[-1]]
        mean = sum(members) / len(members)
        cost += sum((member - mean) ** 2 for member in members)
    return cost


def exact_optimum(values, k):
    distinct = sorted(set(values))
    return min(
        exact_cost(values, [distinct[a:b] for a, b in zip((0, *cuts), (*cuts, len(distinct)), strict=True)])
        for cuts in combinations(range(1, len(distinct)), k - 1)
    )


def parts_of(values, centres):
    """The clusters that a list of centres makes of values, as sorted lists of distinct values."""
    by_centre = {}
    for value, centre in sorted(zip(values, centres, strict=True)):
        by_centre.setdefault(centre, []).append(value)
    return [sorted(set(part)) for part in by_centre.values()]


REFEREES = [-1.28e-6, -8.2e-7, 6.4e-7, 1000000.5231626536, 1000000.9975797957, 1000000.5290219607]


def test_clusters_twelve_orders_of_magnitude_apart_are_optimal():
    centres = cluster_centres(np.array(REFEREES), 4)
    assert (
        exact_cost(REFEREES, parts_of(REFEREES, centres)) == exact_optimum(REFEREES, 4) < Fraction(1, 10**11)
    )


@given(
    st.lists(st.tuples(st.floats(-1, 1), st.sampled_from([1e-6, 1.0, 1e6])), min_size=3, max_size=8),
    st.integers(2, 5),
)
@settings(max_examples=200, deadline=None)
def test_cost_is_the_minimum_at_any_scale(pairs, k):
    """Optimal but for the rounding of the cost itself."""
    values = [value * scale for value, scale in pairs]
    if len(set(values)) <= k:
        return
    centres = cluster_centres(np.array(values), k)
    best = exact_optimum(values, k)
    assert exact_cost(values, parts_of(values, centres)) <= best * Fraction(10**9 + 1, 10**9) + Fraction(
        1, 10**30
    )


@given(st.lists(st.integers(-20, 20), min_size=2, max_size=9), st.integers(1, 5))
@settings(max_examples=100, deadline=None)
def test_distinct_values_count_once_if_asked(values, k):
    array = np.array(values, dtype=float)
    distinct, inverse = np.unique(array, return_inverse=True)
    assert np.array_equal(cluster_centres(array, k, by_node=False), cluster_centres(distinct, k)[inverse])


@given(st.lists(st.integers(-30, 30), min_size=2, max_size=20), st.integers(1, 6), st.integers(0, 99))
@settings(max_examples=200, deadline=None)
def test_lloyds_clusters_are_a_local_optimum_and_no_better_than_the_exact_ones(values, k, seed):
    array = np.array(values, dtype=float)
    centres = cluster_centres(array, k, n_starts=3, seed=seed)
    assert ((array - centres) ** 2).sum() >= ((array - cluster_centres(array, k)) ** 2).sum() - 1e-9
    if len(set(values)) <= k:
        assert np.array_equal(centres, array)
        return
    assert len(set(centres)) <= k
    for centre in set(centres):  # each is the mean of its values, and none of these is nearer to another
        assert centre == pytest.approx(array[centres == centre].mean())
    nearest = np.abs(array[:, None] - np.unique(centres)).min(axis=1)
    assert np.abs(array - centres) == pytest.approx(nearest)


def test_starts_decide_lloyds_clusters_and_their_seed_repeats_them():
    values = np.random.default_rng(0).normal(size=400)
    several = [cluster_centres(values, 12, n_starts=1, seed=seed) for seed in (0, 0, 1)]
    assert np.array_equal(several[0], several[1])
    assert not np.array_equal(several[0], several[2])
    costs = [((values - cluster_centres(values, 12, n_starts=n)) ** 2).sum() for n in (1, 20)]
    assert costs[1] <= costs[0]


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
    with pytest.raises(InvalidParameterError, match="k: must be an integer of at least 1"):
        k_means_conditions(forest, k)
