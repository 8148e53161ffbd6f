"""The region: what it holds, by definition, and scikit-learn's labels in all of it."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier, IsolationForest

from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.forests import UnfittedEnsembleError, average_path_length
from compactml.pace.model.enumerating import all_cells
from compactml.pace.model.region import LENGTH_SCALE, Region, length_threshold, region
from compactml.pace.model.setting import make_setting
from tests.pace.tiny_forests import fitted, samples, three_stumps


@pytest.mark.parametrize(
    ("tau", "n_trees", "psi", "beta"),
    [(0.5, 100, 256, 1024.47709), (0.6, 100, 256, 755.00437), (0.5, 10, 8, 32.96252)],
)
def test_length_threshold_of_an_anomaly_score(tau, n_trees, psi, beta):
    assert length_threshold(tau, n_trees, psi) == pytest.approx(beta, abs=5e-6)


@pytest.mark.parametrize("kind", ["forest", "extra", "boosted"])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("alpha", [0.0, 0.2])
def test_labels_in_the_region_are_scikit_learns_in_every_cell(kind, n_classes, alpha):
    model, X = fitted(kind, n_classes, n_trees=3)
    setting = make_setting(model, X, alpha=alpha)
    assert setting.grid.n_cells < 20_000
    (codes,) = all_cells(setting.grid.sizes)
    inside = setting.region.contains(codes)
    assert 0 < inside.mean() <= 1
    labels = setting.region.labels(codes)
    points = setting.grid.representative(codes)
    assert np.array_equal(model.predict(points[inside]), labels[inside])
    clear = setting.initial.margins(codes, labels).min(axis=1) >= max(1, alpha * setting.initial.total)
    assert (inside <= clear).all()
    assert np.array_equal(inside, clear) or setting.region.least_margin == setting.initial.rounding + 1


def test_ties_are_outside_and_alpha_is_a_share_of_the_weight():
    grid, initial = three_stumps()
    X = np.array([[0.0], [1.0], [2.0], [3.0]])
    codes = grid.codes(X)
    for alpha, inside in [(0, 4), (1 / 3, 4), (0.34, 2), (1, 2)]:
        assert region(initial, grid, X, alpha=alpha).contains(codes).sum() == inside
    two = type(initial)(initial.learners[:2], initial.weights[:2], 2)
    assert region(two, grid, X).contains(codes).tolist() == [True, False, True, True]


@pytest.mark.parametrize("alpha", [0.07, 0.1, 0.29, 0.57])
def test_a_share_is_not_rounded_up_past_a_whole_number(alpha):
    """0.07 * 100 is 7.000000000000001 in floating point."""
    grid, initial = three_stumps()
    hundred = type(initial)(initial.learners, np.array([50, 30, 20]), 2)
    assert region(hundred, grid, [[0.0]], alpha=alpha).least_margin == round(100 * alpha)


@pytest.mark.parametrize("beta", [0.1, 0.25, 0.5, 1.0])
def test_beta_is_the_share_of_training_samples_flagged(beta):
    model, X = fitted("forest", 2)
    forest = IsolationForest(n_estimators=20, max_samples=32, max_features=2, random_state=0).fit(X)
    setting = make_setting(model, X, beta=beta, isolation_forest=forest)
    plausible = setting.region.plausible(setting.grid.codes(X))
    assert (~plausible).mean() <= beta
    stricter = replace(setting.region, least_length=setting.region.least_length + 1)
    assert (~stricter.plausible(setting.grid.codes(X))).mean() > beta or beta == 1
    assert -forest.score_samples(X)[plausible].max(initial=0) <= -forest.score_samples(X)[~plausible].min()


def test_integer_lengths_follow_the_anomaly_score():
    """(22) and (23): thresholds on the score and on the path lengths are the same."""
    model, X = fitted("forest", 2)
    forest = IsolationForest(n_estimators=20, max_samples=32, random_state=0).fit(X)
    setting = make_setting(model, X, beta=0.1, isolation_forest=forest)
    lengths = setting.region.isolation.lengths(setting.grid.codes(X)) / LENGTH_SCALE
    scores = 2.0 ** (-lengths / (20 * average_path_length(32)))
    np.testing.assert_allclose(scores, -forest.score_samples(X), rtol=1e-4)
    tau = np.median(scores)
    assert np.array_equal(scores <= tau, lengths >= length_threshold(tau, 20, 32) - 1e-9)


def test_the_samples_of_a_setting_are_the_distinct_training_cells_inside():
    model, X = fitted("forest", 3)
    setting = make_setting(model, np.concatenate([X, X]), alpha=0.1, beta=0.2)
    codes = setting.grid.codes(X)
    inside = {tuple(row) for row in codes[setting.region.contains(codes)].tolist()}
    assert len(inside) < len(codes)
    assert sorted(map(tuple, setting.samples.tolist())) == sorted(inside)


def test_beta_zero_needs_no_isolation_forest():
    model, X = fitted("forest", 2)
    setting = make_setting(model, X)
    assert setting.region.isolation is None
    assert setting.region.plausible(setting.samples).all()


def test_binned_samples_have_whole_cells_only():
    X, y = samples(2)
    binned = np.digitize(X, [-1, -0.3, 0.3, 1]).astype(float)
    model = AdaBoostClassifier(n_estimators=5, random_state=0).fit(binned, y)
    setting = make_setting(model, binned, beta=0.1)
    assert setting.grid.integral.all()
    assert (setting.grid.sizes <= 5).all()
    points = setting.grid.representative(np.concatenate(list(all_cells(setting.grid.sizes))))
    assert np.array_equal(points, np.rint(points))


@pytest.mark.parametrize("value", [-0.1, 1.5, np.nan, "half", True])
@pytest.mark.parametrize("name", ["alpha", "beta"])
def test_shares_outside_0_1_are_refused(name, value):
    grid, initial = three_stumps()
    with pytest.raises(InvalidParameterError, match=name):
        region(initial, grid, [[0.0]], **{name: value})
    model, X = fitted("forest", 2)
    with pytest.raises(InvalidParameterError, match=name):
        make_setting(model, X, **{name: value})


def test_a_missing_isolation_forest_and_missing_values_are_refused():
    grid, initial = three_stumps()
    with pytest.raises(InvalidParameterError, match="isolation_forest"):
        region(initial, grid, [[0.0]], beta=0.1)
    model, X = fitted("forest", 2)
    with pytest.raises(UnfittedEnsembleError, match="IsolationForest"):
        make_setting(model, X, beta=0.1, isolation_forest=IsolationForest())
    for beta in (0.0, 0.1):
        with pytest.raises(InvalidParameterError, match=r"isolation_forest.*RandomForestClassifier"):
            make_setting(model, X, beta=beta, isolation_forest=model)
    with pytest.raises(InvalidDataError, match="isolation_forest"):
        make_setting(model, X, beta=0.1, isolation_forest=IsolationForest().fit(X[:, :3]))
    with pytest.raises(InvalidDataError, match="NaN"):
        make_setting(model, np.where(X > 2, np.nan, X))


def test_a_region_without_isolation_trees_ignores_the_length():
    _, initial = three_stumps()
    assert Region(initial, 1, None, 10**9).contains([[0], [3]]).all()


@pytest.mark.parametrize("seed", [-1, "x", None])
def test_a_seed_that_solvers_do_not_take_is_refused(seed):
    model, X = fitted("forest", 2)
    with pytest.raises(InvalidParameterError, match="random_state"):
        make_setting(model, X, beta=0.1, random_state=seed)
