"""Ensembles in integers: what rounding may change, exact margins, overflow."""

import pickle

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier

from compactml.errors import InvalidDataError
from compactml.forests import SplitGrid, forest_arrays
from compactml.pace.errors import ScoreOverflowError
from compactml.pace.model.ensemble import (
    LARGEST_SUM,
    NO_RIVAL,
    SOFT_SCALE,
    WEIGHT_SCALE,
    IntegerEnsemble,
    integer_ensemble,
)
from tests.pace.tiny_forests import critical_samples, fitted, three_stumps


def on_grid(model, votes="auto"):
    forest = forest_arrays(model, votes)
    grid = SplitGrid.from_trees(forest.trees, model.n_features_in_)
    return grid, integer_ensemble(forest, grid)


@pytest.mark.parametrize("kind", ["forest", "extra", "boosted"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_margin_above_the_rounding_is_scikit_learns_label(kind, n_classes):
    model, _ = fitted(kind, n_classes, depth=3, n_trees=7)
    grid, ensemble = on_grid(model)
    X = critical_samples(model, grid)
    codes = grid.codes(X)
    labels = ensemble.predict(codes)
    clear = ensemble.margins(codes, labels).min(axis=1) > ensemble.rounding
    assert clear.mean() > 0.9
    assert np.array_equal(model.predict(X)[clear], labels[clear])


@pytest.mark.parametrize("kind", ["forest", "boosted"])
def test_rounding_bounds_the_change_of_every_margin(kind):
    model, _ = fitted(kind, 3, depth=3, n_trees=20)
    grid, ensemble = on_grid(model)
    X = critical_samples(model, grid)
    scores = ensemble.scores(grid.codes(X))
    if kind == "forest":
        exact = model.predict_proba(X) * 20 * SOFT_SCALE
    else:
        weights = model.estimator_weights_[: len(model.estimators_)]
        votes = np.stack([member.predict(X) for member in model.estimators_])
        exact = np.stack([weights @ (votes == c) for c in range(3)], axis=1) / weights.max() * WEIGHT_SCALE
    change = np.ptp(scores - exact, axis=1).max()
    assert 0 < change <= ensemble.rounding + 1e-6
    assert ensemble.rounding <= 20


def test_pure_leaves_and_equal_weights_are_not_rounded():
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 3))
    _, ensemble = on_grid(RandomForestClassifier(5, random_state=0).fit(X, random.integers(0, 2, 60)))
    assert ensemble.rounding == 0
    assert ensemble.weights.tolist() == [1] * 5
    assert ensemble.total == 5 * SOFT_SCALE


def test_hard_votes_count():
    model, X = fitted("forest", 3, n_trees=9)
    grid, ensemble = on_grid(model, "hard")
    votes = np.stack([member.predict(X) for member in model.estimators_])
    counts = np.stack([(votes == c).sum(axis=0) for c in range(3)], axis=1)
    assert (ensemble.total, ensemble.rounding) == (9, 0)
    assert np.array_equal(ensemble.scores(grid.codes(X)), counts)


def test_margins_of_the_three_stumps():
    _, ensemble = three_stumps()
    codes = np.arange(4)[:, None]
    assert ensemble.predict(codes).tolist() == [0, 0, 1, 1]
    margins = ensemble.margins(codes, [0, 0, 1, 1])
    assert margins.min(axis=1).tolist() == [3, 1, 1, 3]
    assert margins[0].tolist() == [NO_RIVAL, 3]


def test_identical_trees_and_weights_of_zero_add_up():
    _, one = three_stumps()
    codes = np.arange(4)[:, None]
    twice = IntegerEnsemble((*one.learners, *one.learners), np.array([1, 2, 0, 1, 0, 5]), 2)
    merged = IntegerEnsemble(one.learners, np.array([2, 2, 5]), 2)
    assert np.array_equal(twice.scores(codes), merged.scores(codes))


def test_no_learners_tie_everywhere():
    nothing = IntegerEnsemble((), np.empty(0, dtype=int), 3)
    assert nothing.scores(np.zeros((2, 4))).tolist() == [[0, 0, 0]] * 2
    assert nothing.total == 0


def test_constant_features_do_no_harm():
    model, X = fitted("forest", 2)
    padded = np.column_stack([np.ones(len(X)), X])
    again = RandomForestClassifier(5, max_depth=2, random_state=0).fit(padded, model.predict(X))
    grid, ensemble = on_grid(again)
    assert grid.sizes[0] == 1
    assert np.array_equal(ensemble.predict(grid.codes(padded)), again.predict(padded))


def test_sums_that_could_overflow_are_refused():
    _, one = three_stumps()
    with pytest.raises(ScoreOverflowError, match=str(LARGEST_SUM)) as caught:
        IntegerEnsemble(one.learners, np.array([LARGEST_SUM // 2, 1, 0]), 2)
    assert isinstance(caught.value, OverflowError)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    IntegerEnsemble(one.learners, np.array([LARGEST_SUM // 2, 0, 0]), 2)


@pytest.mark.parametrize("weights", [[1, 2], [1, -1, 1]])
def test_weights_that_do_not_fit_are_refused(weights):
    _, one = three_stumps()
    with pytest.raises(InvalidDataError, match="weights"):
        IntegerEnsemble(one.learners, np.array(weights), 2)
