"""Relaxed sharing says what it changes, and validation rows say how far it may go."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import (
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)

from compactml.condition_sharing import PredictionsChangedWarning, share_conditions
from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.forests import leaves
from compactml.watch import recorded

MODELS = [
    RandomForestClassifier(20, random_state=0),
    GradientBoostingClassifier(n_estimators=20, random_state=0),
    RandomForestRegressor(20, random_state=0),
    ExtraTreesRegressor(20, random_state=0),
]


@pytest.fixture(scope="module", params=MODELS, ids=lambda m: type(m).__name__)
def case(request):
    """A fitted ensemble, its rows, and rows that it has not seen, as frames with names."""
    classifier = "Classifier" in type(request.param).__name__
    X, y = (load_breast_cancer if classifier else load_diabetes)(return_X_y=True, as_frame=True)
    X, y = X.sample(frac=1, random_state=0), y.sample(frac=1, random_state=0)
    return request.param.fit(X[:250], y[:250]), X[:250], (X[250:350], y[250:350])


def test_without_relaxation_nothing_changes_and_nothing_is_warned_of(case):
    ensemble, X, _ = case
    effect = share_conditions(ensemble, X).effect_
    assert (effect.n_paths_changed, effect.n_predictions_changed) == (0, 0)
    assert (effect.n_predictions, effect.largest_change or 0.0) == (250, 0.0)


def test_what_changes_is_counted_and_warned_of(case):
    ensemble, X, _ = case
    with pytest.warns(PredictionsChangedWarning, match="predictions of .* of 250 rows changed"):
        shared = share_conditions(ensemble, X, path_change_rate=0.4)
    effect, before, after = shared.effect_, ensemble.predict(X), shared.ensemble_.predict(X)
    paths = leaves(ensemble, X.to_numpy()) != leaves(shared.ensemble_, X.to_numpy())
    assert effect.n_paths_changed == paths.sum()
    assert effect.n_predictions_changed == (before != after).sum() > 0
    assert effect.largest_change is None or effect.largest_change == np.abs(before - after).max()
    assert effect.path_change_rate == 0.4


@pytest.mark.parametrize("relaxation", [{"path_change_rate": 0.5}, {"exceptions": 0.6}])
@pytest.mark.parametrize("tolerance", [0.0, 0.02])
def test_validation_rows_stop_at_the_largest_rate_of_those_tried_that_keeps_the_score(
    case, relaxation, tolerance
):
    ensemble, X, rows = case
    (name, most), before = next(iter(relaxation.items())), ensemble.score(*rows)
    scores = {}
    for step in range(13):
        rate = most * 2 ** (-step / 2) if step < 12 else 0.0
        with recorded():
            plain = share_conditions(ensemble, X, **{name: rate})
        scores[rate] = plain.ensemble_.score(*rows)
    allowed = [rate for rate, score in scores.items() if score >= before - tolerance]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        shared = share_conditions(ensemble, X, **relaxation, validation=rows, tolerance=tolerance)
    effect = shared.effect_
    assert getattr(effect, name) == max(allowed, default=0.0)
    assert effect.score_before == before
    assert effect.score_after == scores[max(allowed, default=0.0)] == shared.ensemble_.score(*rows)
    assert bool(caught) == (not allowed)


def test_a_large_rate_is_not_kept_where_it_costs_accuracy():
    """So that the search above is not about rates that change nothing."""
    X, y = load_breast_cancer(return_X_y=True)
    forest = GradientBoostingClassifier(random_state=0).fit(X[::2], y[::2])
    validation = X[1::2], y[1::2]
    with pytest.warns(PredictionsChangedWarning):
        blind = share_conditions(forest, X[::2], path_change_rate=0.5)
    assert blind.ensemble_.score(*validation) < forest.score(*validation)
    guarded = share_conditions(forest, X[::2], path_change_rate=0.5, validation=validation)
    assert guarded.effect_.score_after >= guarded.effect_.score_before
    assert guarded.effect_.path_change_rate < 0.5
    assert guarded.n_conditions_after_ < guarded.n_conditions_before_


def test_rows_of_single_trees_change_others_and_are_reported():
    X, y = load_breast_cancer(return_X_y=True)
    forest = RandomForestClassifier(5, max_features=1, random_state=0).fit(X, y)
    shared = share_conditions(forest, X, sample_indices=[[0, 1, 20]] * 5)
    assert shared.effect_.n_paths_changed == 0
    assert (
        shared.effect_.n_predictions_changed == (forest.predict(X) != shared.ensemble_.predict(X)).sum() > 0
    )


@pytest.mark.parametrize(
    ("validation", "error", "message"),
    [
        (0.3, InvalidParameterError, r"validation: must be a pair \(X, y\)"),
        ((np.ones((3, 2)), [0, 1, 0]), InvalidDataError, r"validation\[0\]: must be of shape"),
        ((np.full((3, 30), np.nan), [0, 1, 0]), InvalidDataError, r"validation\[0\]: must be finite"),
        (
            (np.ones((3, 30)), [[0], [1, 0], [0]]),
            InvalidDataError,
            r"validation\[1\]: .*rows of 1 and 2 entries",
        ),
        (
            (np.ones((3, 30)), [[0, 1]] * 3),
            InvalidDataError,
            r"validation\[1\]: must be a value for each row",
        ),
        ((np.ones((3, 30)), [0, 1]), InvalidDataError, "inconsistent numbers of samples"),
    ],
)
def test_bad_validation_rows_are_refused(validation, error, message):
    X, y = load_breast_cancer(return_X_y=True)
    forest = RandomForestClassifier(2, random_state=0).fit(X, y)
    with pytest.raises(error, match=message):
        share_conditions(forest, X, path_change_rate=0.1, validation=validation)


@pytest.mark.parametrize("tolerance", [-0.1, "a", None, float("nan"), True])
def test_bad_tolerance_is_refused(tolerance):
    X, y = load_breast_cancer(return_X_y=True)
    forest = RandomForestClassifier(2, random_state=0).fit(X, y)
    with pytest.raises(InvalidParameterError, match="tolerance: must be a finite number of at least 0"):
        share_conditions(forest, X, validation=(X, y), tolerance=tolerance)


@pytest.mark.parametrize("y", [[1.0, np.nan], [1.0, np.inf], [1.0]])
def test_targets_of_a_regressor_are_finite_and_two(y):
    X, target = load_diabetes(return_X_y=True)
    forest = RandomForestRegressor(2, random_state=0).fit(X, target)
    with pytest.raises(InvalidDataError):
        share_conditions(forest, X, validation=(X[: len(y)], y))
