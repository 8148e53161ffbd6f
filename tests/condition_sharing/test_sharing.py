"""Min_DBN on real ensembles: oracles O1 and O4, minimality, invariants, certificates, bad input."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from compactml.condition_sharing import certify, node_intervals, share_conditions, solved_as_printed
from compactml.condition_sharing.example import figure_1
from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.forests import count_conditions, fitted_trees, leaves, with_thresholds

pytestmark = pytest.mark.filterwarnings(
    "ignore::compactml.condition_sharing.PredictionsChangedWarning"
)  # see test_effect

ENSEMBLES = [
    RandomForestClassifier(10, random_state=0),
    ExtraTreesClassifier(10, bootstrap=True, random_state=0),
    AdaBoostClassifier(DecisionTreeClassifier(max_depth=4, random_state=0), n_estimators=10, random_state=0),
    GradientBoostingClassifier(n_estimators=10, random_state=0),
    RandomForestRegressor(10, random_state=0),
    ExtraTreesRegressor(10, bootstrap=True, random_state=0),
    AdaBoostRegressor(DecisionTreeRegressor(max_depth=4, random_state=0), n_estimators=10, random_state=0),
    GradientBoostingRegressor(n_estimators=10, random_state=0),
]


@pytest.fixture(scope="module", params=ENSEMBLES, ids=lambda e: type(e).__name__)
def fitted(request):
    classifier = "Classifier" in type(request.param).__name__
    X, y = (load_breast_cancer if classifier else load_diabetes)(return_X_y=True)
    return copy.deepcopy(request.param).fit(X, y), X


def test_oracle_o1():
    forest, X = figure_1()
    intervals = node_intervals(forest, X)
    found = {
        (t, i): (a, b)
        for t, i, a, b in zip(
            intervals.tree, intervals.feature, intervals.lower, intervals.upper, strict=True
        )
    }
    assert found == {(0, 0): (2, 7), (0, 1): (2, 8), (1, 0): (2, 8), (1, 1): (2, 7)}
    shared = share_conditions(forest, X)
    assert (shared.n_conditions_before_, shared.n_conditions_after_) == (4, 2)
    assert all(set(tree.threshold[tree.feature >= 0]) == {4.5} for tree in fitted_trees(shared.ensemble_))
    bootstrap = share_conditions(forest, X, sample_indices=[[0, 2, 3], [0, 1, 3]])
    roots = bootstrap.intervals_.node == 0
    assert bootstrap.intervals_.lower[roots].tolist() == [1, 1]
    assert bootstrap.intervals_.upper[roots].tolist() == [7, 7]
    assert bootstrap.n_conditions_after_ == 2


def test_no_training_path_changes_and_the_given_ensemble_is_untouched(fitted):
    ensemble, X = fitted
    before = pickle.dumps(ensemble)
    shared = share_conditions(ensemble, X)
    assert pickle.dumps(ensemble) == before
    assert np.array_equal(leaves(ensemble, X), leaves(shared.ensemble_, X))
    assert np.array_equal(ensemble.predict(X), shared.ensemble_.predict(X))
    assert shared.certificate_.holds
    assert shared.certificate_.n_paths == X.shape[0] * len(fitted_trees(ensemble))
    assert shared.n_conditions_after_ == count_conditions(shared.ensemble_) <= shared.n_conditions_before_
    assert pickle.loads(pickle.dumps(shared)).n_conditions_after_ == shared.n_conditions_after_


def test_intervals_are_exactly_the_thresholds_that_keep_every_path(fitted):
    """At the ends: the lower one keeps all paths, the upper one and anything below the lower changes one."""
    ensemble, X = fitted
    intervals = node_intervals(ensemble, X)
    tree = fitted_trees(ensemble)[0]
    X32 = X.astype(np.float32)
    paths = tree.decision_path(X32)
    for node, feature, lower, upper in zip(
        *(getattr(intervals, name)[intervals.tree == 0] for name in ("node", "feature", "lower", "upper")),
        strict=True,
    ):
        reached = np.asarray(paths[:, node].todense()).ravel() > 0
        values = X[reached, feature]
        left = X32[reached, feature] <= tree.threshold[node]
        assert lower == values[left].max()
        assert upper == values[~left].min()


@pytest.mark.parametrize("sigma", [0.1, 0.3, 0.5])
@pytest.mark.parametrize("exceptions", [0.0, 0.2])
def test_relaxations_stay_within_their_allowance(fitted, sigma, exceptions):
    ensemble, X = fitted
    shared = share_conditions(ensemble, X, path_change_rate=sigma, exceptions=exceptions)
    assert shared.certificate_.holds
    assert shared.n_conditions_after_ <= share_conditions(ensemble, X).n_conditions_after_
    if exceptions == 0:
        assert shared.certificate_.largest_switch_rate <= sigma


@pytest.mark.parametrize("dynamic_up_to", [0.0, 1e9])
@pytest.mark.parametrize("exceptions", [0.0, 0.1, 0.3])
def test_shared_thresholds_are_midpoints_of_the_values_of_the_data(fitted, exceptions, dynamic_up_to):
    """Of float64 values, with exceptions too: those of float32 values lie beside them."""
    ensemble, X = fitted
    shared = share_conditions(ensemble, X, exceptions=exceptions, dynamic_up_to=dynamic_up_to)
    nodes = shared.intervals_
    trees = fitted_trees(shared.ensemble_)
    for feature in np.unique(nodes.feature):
        ends = (np.unique(side[nodes.feature == feature]) for side in (nodes.lower, nodes.upper))
        midpoints = np.add.outer(*ends) / 2
        thresholds = np.concatenate([tree.threshold[tree.feature == feature] for tree in trees])
        assert np.isin(thresholds, midpoints).all()


@pytest.mark.parametrize("exceptions", [0.1, 0.3])
def test_the_dynamic_program_needs_as_few_conditions_as_the_search(fitted, exceptions):
    ensemble, X = fitted
    search, dynamic = (
        share_conditions(ensemble, X, exceptions=exceptions, dynamic_up_to=limit) for limit in (0, 1e9)
    )
    assert search.certificate_.holds
    assert dynamic.certificate_.holds
    assert search.n_conditions_after_ == dynamic.n_conditions_after_


def test_a_feature_of_too_many_intervals_is_left_to_the_search():
    assert solved_as_printed(100, 0.1, 1e4)  # 100 * 10**2
    assert not solved_as_printed(100, 0.1, 9_999)
    assert solved_as_printed(9, 0.1, 0.0)  # no exception at all: Algorithm 1
    assert not solved_as_printed(30, 0.1, 269)  # 0.1 * 30 is 3, and 30 * 3**2 is 270


def test_certificate_finds_a_changed_path(fitted):
    ensemble, X = fitted
    moved = with_thresholds(ensemble, [tree.threshold + 0.5 for tree in fitted_trees(ensemble)])
    certificate = certify(ensemble, moved, X)
    assert not certificate.holds
    assert certificate.n_paths_changed == (leaves(ensemble, X) != leaves(moved, X)).sum() > 0


@pytest.mark.parametrize("n_features", [4, 40])
def test_the_order_of_the_rows_changes_no_count(n_features):
    """Rows are put in order for deep trees on few features, and once for all trees."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, n_features))
    forest = RandomForestClassifier(4, random_state=0).fit(X, rng.integers(0, 2, 600))
    assert min(tree.max_depth for tree in fitted_trees(forest)) >= 8
    moved = with_thresholds(forest, [tree.threshold + 0.3 for tree in fitted_trees(forest)])
    whole = certify(forest, moved, X)
    assert whole.n_paths_changed == (leaves(forest, X) != leaves(moved, X)).sum() > 0
    same_rows = certify(forest, moved, X, sample_indices=[np.arange(600)] * 4)
    assert whole == same_rows


def test_conditions_are_counted_one_by_one(fitted):
    ensemble, _ = fitted
    pairs = {
        (feature, threshold)
        for tree in fitted_trees(ensemble)
        for feature, threshold in zip(tree.feature, tree.threshold, strict=True)
        if feature >= 0
    }
    assert count_conditions(ensemble) == len(pairs)


def test_bootstrap_samples_share_at_least_as_much():
    X, y = load_breast_cancer(return_X_y=True)
    forest = RandomForestClassifier(10, random_state=0).fit(X, y)
    everything = share_conditions(forest, X)
    per_tree = share_conditions(forest, X, sample_indices=forest.estimators_samples_)
    assert per_tree.certificate_.holds
    assert per_tree.n_conditions_after_ <= everything.n_conditions_after_


def float32_neighbours(seed):
    """A forest on float64 data that collapse in float32."""
    rng = np.random.default_rng(seed)
    X = 1 + rng.integers(0, 6, (40, 2)) * 2.0**-24 * rng.choice([0.25, 1, 3])
    return RandomForestClassifier(5, random_state=0).fit(X, rng.integers(0, 2, 40)), X


@given(st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_values_exactly_on_thresholds_and_between_float32_neighbours(seed):
    """Values on midpoints: paths as scikit-learn sees them."""
    forest, X = float32_neighbours(seed)
    shared = share_conditions(forest, X)
    assert shared.certificate_.holds
    assert np.array_equal(leaves(forest, X), leaves(shared.ensemble_, X))


@given(st.integers(0, 10_000), st.sampled_from([0.05, 0.2, 0.5]), st.sampled_from([0.0, 1e9]))
@settings(max_examples=60, deadline=None)
def test_exceptions_between_float32_neighbours_are_no_more_than_allowed(seed, exceptions, dynamic_up_to):
    forest, X = float32_neighbours(seed)
    shared = share_conditions(forest, X, exceptions=exceptions, dynamic_up_to=dynamic_up_to)
    assert shared.certificate_.holds
    assert shared.n_conditions_after_ <= share_conditions(forest, X).n_conditions_after_


def test_nodes_that_no_vector_reaches_keep_a_threshold():
    X, y = load_breast_cancer(return_X_y=True)
    forest = RandomForestClassifier(5, random_state=0).fit(X, y)
    shared = share_conditions(forest, X[:3])
    assert np.isfinite(np.concatenate([t.threshold for t in fitted_trees(shared.ensemble_)])).all()
    assert shared.certificate_.holds


@pytest.mark.parametrize("name", ["path_change_rate", "exceptions"])
@pytest.mark.parametrize("value", [-0.1, 1.0, 2, "a", None, float("nan"), True])
def test_shares_outside_0_1_are_refused(fitted, name, value):
    ensemble, X = fitted
    with pytest.raises(InvalidParameterError, match=rf"{name}: must be a number in \[0, 1\)"):
        share_conditions(ensemble, X, **{name: value})


@pytest.mark.parametrize(
    ("indices", "message"),
    [
        ([[0]], "one index vector per tree"),
        ([[0], []], "non-empty vector"),
        ([[0], [0.5]], "non-empty vector of integers"),
        ([[0], [99]], r"row numbers in \[0, 4\)"),
    ],
)
def test_bad_sample_indices_are_refused(indices, message):
    forest, X = figure_1()
    with pytest.raises(InvalidDataError, match=message):
        share_conditions(forest, X, sample_indices=indices)


def test_the_score_is_accuracy_or_the_share_of_variance_as_of_scikit_learn():
    X, y = load_breast_cancer(return_X_y=True)
    forest = RandomForestClassifier(5, max_depth=3, random_state=0).fit(X[:300], y[:300])
    shared, rows = share_conditions(forest, X[:300], path_change_rate=0.3), (X[300:], y[300:])
    right = shared.ensemble_.predict(X[300:]) == y[300:]
    assert shared.score(*rows) == right.mean()
    weights = np.where(right, 3.0, 1.0)
    assert shared.score(*rows, weights) == pytest.approx(3 * right.sum() / weights.sum())
    X, y = load_diabetes(return_X_y=True)
    trees = RandomForestRegressor(5, random_state=0).fit(X[:300], y[:300])
    shared = share_conditions(trees, X[:300])
    missed = ((shared.ensemble_.predict(X[300:]) - y[300:]) ** 2).sum()
    assert shared.score(X[300:], y[300:]) == pytest.approx(
        1 - missed / ((y[300:] - y[300:].mean()) ** 2).sum()
    )
    with pytest.raises(InvalidDataError, match="inconsistent numbers of samples"):
        shared.score(X, y[:-1])
    with pytest.raises(InvalidDataError, match=r"^X: .*10"):
        shared.score(X[:, 1:], y)
