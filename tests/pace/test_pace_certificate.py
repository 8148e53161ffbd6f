"""Certificates: what they say, and the re-check by scikit-learn that catches a false one."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.ensemble import AdaBoostClassifier, RandomForestClassifier, VotingClassifier

from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.forests import UnfittedEnsembleError, UnsupportedEnsembleError
from compactml.pace import rechecking
from compactml.pace._compress import compress
from compactml.pace.compressed import CompressedEnsemble
from compactml.pace.errors import UnfaithfulError
from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.model.enumerating import all_cells, random_cells
from compactml.pace.model.learners import Learner
from compactml.pace.model.setting import make_setting
from compactml.pace.rechecking import recheck
from tests.pace.tiny_forests import critical_samples, fitted

PAIRS = {n: [(a, b) for a in range(n) for b in range(n) if a != b] for n in (2, 3)}


def reweighted(setting, weights, state=True):
    """The initial learners with other weights, and the same state for every pair."""
    initial = setting.initial
    current = IntegerEnsemble(initial.learners, np.array(weights), initial.n_classes, initial.scale)
    return CompressedEnsemble(setting, current, dict.fromkeys(PAIRS[initial.n_classes], state))


def cells(setting):
    return np.concatenate(list(all_cells(setting.grid.sizes)))


@pytest.mark.parametrize("votes", ["auto", "hard"])
@pytest.mark.parametrize("kind", ["forest", "extra", "boosted"])
def test_the_ensemble_itself_is_faithful_everywhere(kind, votes):
    model, X = fitted(kind, 3)
    setting = make_setting(model, X, votes=votes)
    compressed = reweighted(setting, 7 * setting.initial.weights)
    check = recheck(compressed, model)
    assert check.exhaustive
    assert check.n_points == setting.region.contains(cells(setting)).sum()
    assert len(check.disagreements) == 0
    assert compressed.certificate_.faithful


def test_a_false_certificate_is_caught_and_an_honest_one_is_not():
    model, X = fitted("forest", 2)
    setting = make_setting(model, X)
    only_one = [1, 0, 0, 0, 0]
    with pytest.raises(UnfaithfulError) as caught:
        recheck(reweighted(setting, only_one), model)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    honest = reweighted(setting, only_one, "unknown")
    check = recheck(honest, model)
    codes = cells(setting)
    codes = codes[setting.region.contains(codes)]
    wrong = setting.region.labels(codes) != honest.ensemble.predict(codes)
    assert len(check.disagreements) == wrong.sum() > 0
    assert not honest.certificate_.faithful
    assert honest.certificate_.unproved == [(0, 1), (1, 0)]
    assert str(honest.certificate_).startswith("NOT proved faithful")
    assert "0 -> 1, 1 -> 0" in str(honest.certificate_)


def test_large_grids_are_sampled(monkeypatch):
    model, X = fitted("forest", 2)
    setting = make_setting(model, X, alpha=0.1, beta=0.1)
    monkeypatch.setattr(rechecking, "MAX_CELLS", 10)
    check = recheck(reweighted(setting, setting.initial.weights), model, n_points=5000)
    assert not check.exhaustive
    assert check.n_points == 5000
    with pytest.raises(UnfaithfulError):
        recheck(reweighted(setting, [1, 0, 0, 0, 0]), model, n_points=5000)


def test_what_cannot_be_compared_is_refused():
    model, X = fitted("forest", 2)
    setting = make_setting(model, X)
    compressed = reweighted(setting, setting.initial.weights)
    for error, match, ensemble, parameters in [
        (UnfittedEnsembleError, "unfitted", clone(model), {}),
        (UnsupportedEnsembleError, "got NoneType", None, {}),
        (InvalidDataError, "fitted on 4 features, got one of 2", clone(model).fit(X[:, :2], X[:, 0] > 0), {}),
        (InvalidParameterError, "n_points", model, {"n_points": 0}),
        (InvalidParameterError, "random_state", model, {"random_state": None}),
    ]:
        with pytest.raises(error, match=match):
            recheck(compressed, ensemble, **parameters)


def test_all_cells_are_each_visited_once():
    sizes = np.array([3, 1, 50, 700])
    codes = np.concatenate(list(all_cells(sizes)))
    assert len(np.unique(codes, axis=0)) == len(codes) == 3 * 50 * 700
    assert (codes.min(axis=0) == 0).all()
    assert np.array_equal(codes.max(axis=0), sizes - 1)


def test_features_without_cuts_are_no_axes_of_the_grid():
    sizes = np.ones(100, dtype=np.int64)
    assert np.concatenate(list(all_cells(sizes))).tolist() == [[0] * 100]
    sizes[[3, 70]] = 2
    codes = np.concatenate(list(all_cells(sizes)))
    assert codes[:, [3, 70]].tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert codes.sum() == 4


def test_exported_trees_know_their_depth():
    X = np.linspace(0, 1, 64)[:, None]
    forest = RandomForestClassifier(5, max_depth=3, random_state=0).fit(X, (X[:, 0] * 8).astype(int) % 2)
    small = compress(forest, X, generate=False)
    exported = small.to_sklearn()
    assert max(tree.get_depth() for tree in exported.estimators_) == 3
    for tree in exported.estimators_:
        assert tree.get_depth() == tree.tree_.compute_node_depths().max() - 1
        assert tree.decision_path(X).shape == (64, tree.tree_.node_count)


def test_random_cells_lie_in_the_region_and_reach_all_of_a_small_one():
    model, X = fitted("forest", 2, n_trees=2, depth=1)
    setting = make_setting(model, X, alpha=0.2)
    for starts in (setting.samples, setting.samples[:0]):
        codes = np.concatenate(
            list(random_cells(setting.grid.sizes, setting.region, 4000, starts, random_state=0))
        )
        assert len(codes) == 4000
        assert setting.region.contains(codes).all()
        assert len(np.unique(codes, axis=0)) == setting.region.contains(cells(setting)).sum()


def test_random_cells_of_an_empty_region_end():
    model, X = fitted("forest", 2)
    setting = make_setting(model, X, alpha=1.0)
    assert not setting.region.contains(cells(setting)).any()
    assert list(random_cells(setting.grid.sizes, setting.region, 10, setting.samples, 0)) == []


@pytest.mark.parametrize(
    ("kind", "weights", "exported"),
    [
        ("forest", [1, 0, 1, 0, 1], RandomForestClassifier),
        ("extra", [3, 0, 2, 1, 1], VotingClassifier),
        ("boosted", [3, 0, 2, 1, 1], AdaBoostClassifier),
    ],
)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_exported_ensemble_has_the_same_labels(kind, weights, exported, n_classes):
    model, X = fitted(kind, n_classes, depth=3)
    model.classes_ = np.array(["x", "y", "z"])[:n_classes]
    if kind == "boosted":
        for member in model.estimators_:
            member.classes_ = model.classes_
    compressed = reweighted(make_setting(model, X), weights)
    ordinary = compressed.to_sklearn()
    assert type(ordinary) is exported
    samples = critical_samples(model, compressed.setting.grid)
    codes = compressed.setting.grid.codes(samples)
    scores = np.sort(compressed.ensemble.scores(codes), axis=1)
    clear = scores[:, -1] > scores[:, -2]
    assert clear.mean() > 0.7
    assert np.array_equal(ordinary.predict(samples)[clear], compressed.predict(samples)[clear])
    if exported is not AdaBoostClassifier:
        np.testing.assert_allclose(
            ordinary.predict_proba(samples), compressed.predict_proba(samples), atol=1e-3
        )
    assert np.array_equal(pickle.loads(pickle.dumps(ordinary)).predict(samples), ordinary.predict(samples))


@pytest.mark.parametrize(
    ("kind", "weights"),
    [("forest", [1, 0, 1, 0, 1]), ("extra", [3, 0, 2, 1, 1]), ("boosted", [3, 0, 2, 1, 1])],
)
@pytest.mark.filterwarnings("error")
def test_names_of_features_are_kept(kind, weights):
    """A frame with its columns in another order is refused, not misread, by the result and by its export."""
    model, X = fitted(kind, 2, depth=3)
    frame = pd.DataFrame(X, columns=[f"f{j}" for j in range(X.shape[1])])
    named = clone(model).fit(frame, model.predict(X))
    compressed = reweighted(make_setting(named, frame), weights, state="unknown")
    ordinary = compressed.to_sklearn()
    assert list(compressed.feature_names_in_) == list(frame.columns)
    assert np.array_equal(compressed.predict(frame), compressed.predict(X))
    assert recheck(compressed, named, n_points=100).n_points > 0
    ordinary.predict(frame)
    turned = frame[frame.columns[::-1]]
    with pytest.raises(InvalidDataError, match="fitted columns"):
        compressed.predict(turned)
    with pytest.raises(ValueError, match="feature names"):
        ordinary.predict(turned)


def test_what_a_compressed_ensemble_tells():
    model, X = fitted("forest", 3)
    setting = make_setting(model, X)
    initial = setting.initial
    first = initial.learners[0]
    generated = Learner(first.feature, first.cut, first.left, first.right, first.leaf, first.scores)
    current = IntegerEnsemble((*initial.learners, generated), np.array([4, 0, 1, 0, 0, 2]), 3, initial.scale)
    compressed = CompressedEnsemble(setting, current, dict.fromkeys(PAIRS[3], True), ["a round"])
    assert (compressed.n_learners_, compressed.n_generated_) == (3, 1)
    assert compressed.weights_.tolist() == [4, 1, 2]
    assert compressed.n_leaves_ == sum(tree.n_leaves for tree in compressed.trees_)
    assert compressed.history_ == ("a round",)
    assert np.allclose(compressed.predict_proba(X).sum(axis=1), 1)
    shares = compressed.predict_proba(X)
    assert np.array_equal(compressed.classes_[shares.argmax(axis=1)], compressed.predict(X))
    assert "3 of 5 learners, 1 generated; proved faithful" in repr(compressed)
    assert "alpha = 0, beta = 0" in str(compressed.certificate_)
    again = pickle.loads(pickle.dumps(compressed))
    assert np.array_equal(again.predict(X), compressed.predict(X))


def test_in_region_knows_whole_features():
    X = np.array([[0.0], [1.0], [2.0], [3.0]])
    model = RandomForestClassifier(3, max_depth=1, random_state=0).fit(X, [0, 0, 1, 1])
    compressed = reweighted(make_setting(model, X), [1, 1, 1])
    assert compressed.in_region([[0.0], [0.5], [3.0]]).tolist() == [True, False, True]


def test_incomplete_results_are_refused():
    model, X = fitted("forest", 3)
    setting = make_setting(model, X)
    with pytest.raises(InvalidDataError, match="positive weight"):
        reweighted(setting, [0] * 5)
    with pytest.raises(InvalidDataError, match="6 ordered pairs"):
        CompressedEnsemble(setting, setting.initial, {(0, 1): True})


@pytest.mark.parametrize("bad", [np.zeros((2, 3)), np.full((2, 4), np.nan), [["a"] * 4]])
def test_samples_that_cannot_be_predicted_are_refused(bad):
    model, X = fitted("forest", 2)
    with pytest.raises(InvalidDataError, match="X: must be"):
        reweighted(make_setting(model, X), [1] * 5).predict(bad)
