"""Averaging: least errors against brute force, bounds at any limit, soft votes, regressors, bad input."""

from __future__ import annotations

import itertools
import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics import d2_absolute_error_score
from sklearn.model_selection import KFold, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.estimator_checks import parametrize_with_checks

from compactml.clock import Clock
from compactml.ensemble_pruning import PrunedEnsembleClassifier, PrunedEnsembleRegressor, prune_average
from compactml.ensemble_pruning.averaging import losses
from compactml.ensemble_pruning.averaging.losses import AbsoluteLoss, SquaredLoss, UnpreparedLoss, products
from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.watch import EndedEarlyWarning, News
from tests.clocks import Looks

TREES = [DecisionTreeClassifier(max_depth=2, max_features=1, random_state=seed) for seed in range(6)]
REGRESSORS = [DecisionTreeRegressor(max_depth=3, max_features=2, random_state=seed) for seed in range(6)]


def least(predictions: Any, y: Any, low: int, high: int, loss: str = "squared") -> float:
    """The least error of all sets."""
    power = {"squared": 2, "absolute": 1}[loss]
    p, t = np.asarray(predictions, dtype=float), np.asarray(y, dtype=float)
    p, t = p.reshape(*p.shape[:2], -1), t.reshape(len(t), -1)
    sets = itertools.chain.from_iterable(
        itertools.combinations(range(p.shape[1]), size) for size in range(low, high + 1)
    )
    missed = (np.abs(p[:, list(one)].mean(axis=1) - t) for one in sets)
    return min(float((one**power).sum(axis=1).mean()) for one in missed)


@st.composite
def pools(draw: Any) -> tuple[Any, Any, int, int]:
    """Small pools, some with equal members, ties and perfect ones, and limits on the size."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n, k, d = draw(st.integers(1, 12)), draw(st.integers(2, 8)), draw(st.integers(1, 3))
    if draw(st.booleans()):
        predictions, y = rng.integers(0, 3, (n, k, d)), rng.integers(0, 3, (n, d))
    else:
        y = rng.normal(size=(n, d))
        predictions = y[:, np.newaxis] + rng.normal(size=(n, k, d)) * rng.random((1, k, 1))
        predictions += rng.normal(size=(n, 1, d))
    low = draw(st.integers(1, k))
    return predictions, y, low, draw(st.integers(low, k))


@given(pools())
@settings(max_examples=150, deadline=None)
def test_the_least_error_is_found_and_proved(pool: tuple[Any, Any, int, int]) -> None:
    predictions, y, low, high = pool
    found = prune_average(predictions, y, min_size=low, max_size=high, time_limit=None)
    scale = float(np.abs(predictions).max() ** 2 + np.abs(y).max() ** 2)
    mean = found_and_proved(found, least(*pool), scale, pool)
    assert found.value == pytest.approx(float(((mean - y) ** 2).sum(axis=1).mean()), abs=1e-12 * scale)


def found_and_proved(found: Any, best: float, scale: float, pool: tuple[Any, Any, int, int]) -> Any:
    """The mean of the members that were selected, once their error is the least one and proved to be."""
    predictions, _, low, high = pool
    assert found.value == pytest.approx(best, rel=1e-9, abs=1e-11 * scale)
    assert found.bound <= best + 1e-12 * scale
    assert found.value - found.bound <= 1e-9 * found.value + 1e-11 * scale
    assert found.complete
    assert low <= len(found.selected) <= high
    return np.asarray(predictions)[:, found.selected].mean(axis=1)


@given(pools())
@settings(max_examples=60, deadline=None)
def test_the_least_absolute_error_is_found_and_proved(pool: tuple[Any, Any, int, int]) -> None:
    predictions, y, low, high = pool
    found = prune_average(predictions, y, loss="absolute", min_size=low, max_size=high, time_limit=None)
    scale = float(np.abs(predictions).max() + np.abs(y).max())
    mean = found_and_proved(found, least(*pool, loss="absolute"), scale, pool)
    assert found.value == pytest.approx(float(np.abs(mean - y).sum(axis=1).mean()), abs=1e-12 * scale)


@pytest.mark.parametrize("seed", range(6))
def test_a_bound_on_absolute_errors_is_close_below_the_linear_program(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = 40, 7
    residuals = rng.normal(size=(n, k)) + rng.normal(size=(n, 1))
    low, high = np.where(rng.random(k) < 0.2, 0.25, 0.0), np.full(k, 0.25)
    # least sum of e with -e <= R w <= e, sum w = 1, low <= w <= high
    rows = np.block([[residuals, -np.eye(n)], [-residuals, -np.eye(n)]])
    exact = linprog(
        np.append(np.zeros(k), np.full(n, 1 / n)),
        A_ub=rows,
        b_ub=np.zeros(2 * n),
        A_eq=np.append(np.ones(k), np.zeros(n))[None, :],
        b_eq=[1.0],
        bounds=[*zip(low, high, strict=True), *[(0, None)] * n],
    )
    start = low + (1 - low.sum()) * (high - low) / (high - low).sum()
    bound = AbsoluteLoss(residuals, n).bound(low, high, start.copy(), np.inf, Clock(None))
    assert exact.fun * (1 - 1e-2) <= bound <= exact.fun * (1 + 1e-9)


@pytest.fixture(scope="module")
def forest() -> tuple[Any, Any]:
    """What 60 trees say of rows that they have not seen, and the targets."""
    X, y = load_diabetes(return_X_y=True)
    model = RandomForestRegressor(60, random_state=0).fit(X[:300], y[:300])
    return np.column_stack([tree.predict(X[300:]) for tree in model.estimators_]), y[300:]


def test_on_a_forest_the_proof_holds_against_an_independent_bound(forest: tuple[Any, Any]) -> None:
    """No set of a size is below the least of w'Gw on the simplex, as SciPy finds it."""
    from scipy.optimize import minimize

    predictions, y = forest
    found = prune_average(predictions, y)
    assert found.proved
    assert found.value <= min(((predictions - y[:, np.newaxis]) ** 2).mean(axis=0))
    assert found.value <= ((predictions.mean(axis=1) - y) ** 2).mean()
    gram = (predictions - y[:, np.newaxis]).T @ (predictions - y[:, np.newaxis]) / len(y)
    k = len(gram)
    simplex = {"type": "eq", "fun": lambda w: w.sum() - 1.0, "jac": lambda w: np.ones(k)}
    free = minimize(
        lambda w: w @ gram @ w,
        np.full(k, 1 / k),
        jac=lambda w: 2 * gram @ w,
        bounds=[(0, 1)] * k,
        constraints=[simplex],
        options={"maxiter": 500},
    )
    assert free.fun * (1 - 1e-6) <= found.value


def test_absolute_errors_of_a_forest_are_no_worse_than_its_mean_or_best_tree(forest: tuple[Any, Any]) -> None:
    predictions, y = forest[0][:, :20], forest[1]
    found = prune_average(predictions, y, loss="absolute", time_limit=None)
    squared = prune_average(predictions, y)
    assert found.proved
    missed = np.abs(predictions - y[:, np.newaxis])
    assert found.value <= min(missed.mean(axis=0).min(), np.abs(predictions.mean(axis=1) - y).mean())
    assert found.value <= np.abs(predictions[:, squared.selected].mean(axis=1) - y).mean()


@pytest.mark.parametrize("limit", [0.0, 0.003])
def test_a_limit_leaves_an_answer_an_honest_bound_and_a_warning(
    forest: tuple[Any, Any], limit: float
) -> None:
    predictions, y = forest
    best = prune_average(predictions, y).value
    with pytest.warns(EndedEarlyWarning, match="prune_average: time_limit"):
        found = prune_average(predictions, y, time_limit=limit)
    assert found.bound <= best <= found.value
    assert not found.complete
    assert found.value <= ((predictions.mean(axis=1) - y) ** 2).mean()
    assert found.value <= min(((predictions - y[:, np.newaxis]) ** 2).mean(axis=0))


@pytest.mark.parametrize("loss", [AbsoluteLoss, SquaredLoss])
def test_without_time_nothing_is_searched_and_no_size_bounded(
    loss: Any, forest: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 200 regressors on 30,000 rows each size took a second to bound, and there are 200 sizes."""

    def never(*given: object) -> None:
        raise AssertionError("the time was over")

    for name in ("neighbours", "bound"):
        monkeypatch.setattr(loss, name, never)
    predictions, y = forest
    name = "absolute" if loss is AbsoluteLoss else "squared"
    with pytest.warns(EndedEarlyWarning):
        found = prune_average(predictions, y, loss=name, time_limit=0.0)
    missed = np.abs(predictions - y[:, np.newaxis]) ** (1 if loss is AbsoluteLoss else 2)
    assert found.value <= missed.mean(axis=0).min()
    assert (found.bound, found.complete) == (0.0, False)


@pytest.mark.parametrize("looks", [1, 2, 5, 20])
def test_a_clock_that_stops_within_a_bound_leaves_one_that_holds(looks: int) -> None:
    rng = np.random.default_rng(looks)
    residuals, low, high = rng.normal(size=(60, 9)) + 1, np.zeros(9), np.full(9, 0.25)
    even = np.full(9, 1 / 9)
    loss = AbsoluteLoss(residuals, 60)
    best = min(loss.value(np.isin(np.arange(9), chosen)) for chosen in itertools.combinations(range(9), 4))
    whole = loss.bound(low, high, even.copy(), np.inf, Clock(None))
    assert loss.bound(low, high, even.copy(), np.inf, Looks(looks)) <= whole <= best
    near, far = (loss.neighbours(np.arange(9) < 4, clock) for clock in (Clock(None), Looks(looks)))
    seen = min(looks, 4)
    np.testing.assert_array_equal(far.exchanged[:seen], near.exchanged[:seen])
    assert np.isinf(far.exchanged[seen:]).all()


def test_products_in_parts_are_the_products(monkeypatch: pytest.MonkeyPatch) -> None:
    residuals = np.random.default_rng(0).normal(size=(50, 4))
    monkeypatch.setattr(losses, "PRODUCTS", 7 * 16)  # seven rows at once
    np.testing.assert_allclose(products(residuals, Clock(None)), residuals.T @ residuals)
    assert products(residuals, Looks(7)) is None
    assert products(residuals, Looks(8)) is not None


def test_without_products_a_set_is_worth_the_same() -> None:
    residuals = np.random.default_rng(0).normal(size=(50, 6))
    gram = residuals.T @ residuals / 50
    prepared, unprepared = SquaredLoss(gram), UnpreparedLoss(residuals, 50)
    members = np.array([True, False, True, True, False, False])
    assert unprepared.value(members) == pytest.approx(prepared.value(members))
    np.testing.assert_allclose(unprepared.alone, prepared.alone)
    assert unprepared.bound(np.zeros(6), np.ones(6), np.full(6, 1 / 6), np.inf, Clock(None)) == 0.0
    assert [part.shape for part in unprepared.neighbours(members, Clock(None))] == [
        part.shape for part in prepared.neighbours(members, Clock(None))
    ]


def test_news_only_gets_better_and_equal_calls_are_equal(forest: tuple[Any, Any]) -> None:
    heard: list[News] = []
    found = prune_average(*forest, callback=heard.append)
    again = prune_average(*forest)
    assert [news.value for news in heard] == sorted((news.value for news in heard), reverse=True)
    assert [news.bound for news in heard] == sorted(news.bound for news in heard)
    assert (found.value, found.bound, found.selected.tolist()) == (
        again.value,
        again.bound,
        again.selected.tolist(),
    )


def test_one_standard_error_takes_the_smallest_size_that_is_near(forest: tuple[Any, Any]) -> None:
    predictions, y = forest
    best, near = (prune_average(predictions, y, rule=rule) for rule in ("best", "one_standard_error"))
    errors = (predictions[:, best.selected].mean(axis=1) - y) ** 2
    allowed = errors.mean() + errors.std() / np.sqrt(len(y))
    assert near.value <= allowed
    assert len(near.selected) < len(best.selected)
    assert prune_average(predictions, y, max_size=len(near.selected) - 1).value > allowed
    assert near.bound == best.bound


@pytest.mark.parametrize(
    ("changed", "error", "message"),
    [
        ({"min_size": 0}, InvalidParameterError, "min_size: must be an integer of at least 1"),
        ({"max_size": 4}, InvalidParameterError, r"max_size: must be an integer in \[1, 3\]"),
        ({"min_size": 3, "max_size": 2}, InvalidParameterError, "max_size"),
        ({"rule": "none"}, InvalidParameterError, "rule: must be one of 'best'"),
        ({"loss": "huber"}, InvalidParameterError, "loss: must be one of 'squared', 'absolute', got 'huber'"),
        (
            {"predictions": [[1e308, 1e308, 0.0]] * 2, "loss": "absolute"},
            InvalidDataError,
            "sums below the largest float",
        ),
        ({"time_limit": -1}, InvalidParameterError, "time_limit"),
        (
            {"predictions": [[1.0, np.nan, 2.0]] * 2},
            InvalidDataError,
            "predictions: must be an array of finite",
        ),
        ({"predictions": [["a", "b", "c"]] * 2}, InvalidDataError, "predictions: must be numbers"),
        ({"predictions": [[1.0]] * 2}, InvalidDataError, r"predictions: must be of shape"),
        ({"predictions": [[1e200, -1e200, 0.0]] * 2}, InvalidDataError, "squares below the largest float"),
        ({"y": [1.0, 2.0, 3.0]}, InvalidDataError, "y: must be 2 targets"),
        ({"y": [1.0, np.inf]}, InvalidDataError, "y: must be an array of finite"),
    ],
)
def test_bad_input_is_refused_by_name(changed: dict[str, Any], error: type[Exception], message: str) -> None:
    call = {"predictions": [[1.0, 2.0, 3.0], [0.0, 2.0, 1.0]], "y": [1.0, 2.0]} | changed
    with warnings.catch_warnings(), np.errstate(all="ignore"), pytest.raises(error, match=message):
        prune_average(**call)


@pytest.mark.parametrize("load", [load_breast_cancer, load_wine])
@pytest.mark.parametrize("selection", ["holdout", "cross_validation"])
def test_soft_votes_have_the_least_brier_score_and_are_mean_probabilities(load: Any, selection: str) -> None:
    X, y = load(return_X_y=True)
    model = PrunedEnsembleClassifier(TREES, voting="soft", selection=selection).fit(X, y)
    members = [model.estimators_[k] for k in model.selected_]
    mean = np.mean([tree.predict_proba(X) for tree in members], axis=0)
    np.testing.assert_allclose(model.predict_proba(X), mean, atol=1e-15)
    assert (model.predict(X) == model.classes_[model.predict_proba(X).argmax(axis=1)]).all()
    assert model.gap_ <= 1e-9
    assert 0 < model.score_ <= model.score_bound_ <= 1
    assert model.score_ == pytest.approx(1 - model.value_ / 2)
    if selection == "holdout":
        size = round(0.3 * len(y))
        part = train_test_split(np.arange(len(y)), test_size=size, stratify=y, random_state=0)[1]
        said = np.stack([tree.predict_proba(X[part]) for tree in model.estimators_], axis=1)
        assert model.value_ == pytest.approx(least(said, np.eye(len(model.classes_))[y[part]], 1, 6))


def test_soft_votes_of_the_default_pool_and_of_fitted_members() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    names = np.where(y == 1, "benign", "malignant")
    pooled = PrunedEnsembleClassifier(n_classifiers=10, voting="soft").fit(X[:300], names[:300])
    assert pooled.score(X[300:], names[300:]) > 0.9
    fitted = [GaussianNB().fit(X[:200], names[:200]), *(clf.fit(X[:200], names[:200]) for clf in TREES)]
    model = PrunedEnsembleClassifier(fitted, prefit=True, voting="soft").fit(X[200:400], names[200:400])
    said = np.stack([one.predict_proba(X[200:400]) for one in fitted], axis=1)
    assert model.value_ == pytest.approx(
        least(said, np.eye(2)[(names[200:400] == "malignant").astype(int)], 1, 7)
    )
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"voting": "loud"}, "voting: must be one of 'hard', 'soft'"),
        ({"objective": "recall"}, "objective: must be 'accuracy' with soft votes"),
        ({"diversity": "F2"}, "diversity: must be None with soft votes"),
        ({"estimators": [GaussianNB(), RidgeClassifier()]}, r"voting: must be 'hard', as .*RidgeClassifier"),
    ],
)
def test_what_soft_votes_cannot_do_is_refused(changed: dict[str, Any], message: str) -> None:
    X, y = load_breast_cancer(return_X_y=True)
    model = PrunedEnsembleClassifier(**{"estimators": TREES, "voting": "soft"} | changed)
    with pytest.raises(InvalidParameterError, match=message):
        model.fit(X, y)


@pytest.mark.parametrize("selection", ["holdout", "cross_validation"])
def test_regressors_have_the_least_error_and_predict_their_mean(selection: str) -> None:
    X, y = load_diabetes(return_X_y=True)
    model = PrunedEnsembleRegressor(REGRESSORS, selection=selection).fit(X, y)
    members = [model.estimators_[k] for k in model.selected_]
    np.testing.assert_allclose(model.predict(X), np.mean([one.predict(X) for one in members], axis=0))
    if selection == "holdout":
        train, rows = train_test_split(
            np.arange(len(y)), test_size=round(0.3 * len(y)), random_state=model.random_state
        )
        said = np.column_stack([one.fit(X[train], y[train]).predict(X[rows]) for one in REGRESSORS])
    else:
        rows, said = np.arange(len(y)), np.zeros((len(y), len(REGRESSORS)))
        for train, rest in KFold(5, shuffle=True, random_state=0).split(X):
            said[rest] = np.column_stack([one.fit(X[train], y[train]).predict(X[rest]) for one in REGRESSORS])
    assert model.value_ == pytest.approx(least(said, y[rows], 1, len(REGRESSORS)))
    assert model.score_ == pytest.approx(1 - model.value_ / y[rows].var())
    assert model.gap_ <= 1e-9


def test_regressors_have_the_least_absolute_error() -> None:
    X, y = load_diabetes(return_X_y=True)
    fitted = [DecisionTreeRegressor(max_depth=depth).fit(X[:200], y[:200]) for depth in (1, 2, 3, 4)]
    model = PrunedEnsembleRegressor(fitted, prefit=True, loss="absolute").fit(X[200:], y[200:])
    said = np.column_stack([one.predict(X[200:]) for one in fitted])
    assert model.value_ == pytest.approx(least(said, y[200:], 1, 4, loss="absolute"))
    assert model.score_ == pytest.approx(d2_absolute_error_score(y[200:], model.predict(X[200:])))
    assert model.gap_ <= 1e-9


def test_fitted_regressors_are_taken_as_they_are() -> None:
    X, y = load_diabetes(return_X_y=True)
    fitted = [DecisionTreeRegressor(max_depth=depth).fit(X[:200], y[:200]) for depth in (1, 2, 3)]
    model = PrunedEnsembleRegressor(fitted, prefit=True).fit(X[200:], y[200:])
    assert model.estimators_ == fitted
    said = np.column_stack([one.predict(X[200:]) for one in fitted])
    assert model.value_ == pytest.approx(least(said, y[200:], 1, 3))


@pytest.mark.parametrize(
    ("model", "fitted", "kind"),
    [
        (PrunedEnsembleRegressor, DecisionTreeRegressor(), "regressor"),
        (PrunedEnsembleClassifier, DecisionTreeClassifier(), "classifier"),
    ],
)
def test_members_that_do_not_fit_the_rows_are_named_in_the_same_words(
    model: Any, fitted: Any, kind: str
) -> None:
    X, y = np.arange(40.0).reshape(10, 4), np.tile([0, 1], 5)
    good, narrow = clone(fitted).fit(X, y), clone(fitted).fit(X[:, :3], y)
    with pytest.raises(InvalidParameterError, match=rf"^estimators\[1\]: must be a fitted {kind}, as prefit"):
        model([good, clone(fitted)], prefit=True).fit(X, y)
    for bad, prefit in itertools.product(("a tree", None), (True, False)):
        with pytest.raises(InvalidParameterError, match=rf"^estimators\[1\]: must be a {kind}"):
            model([good, bad], prefit=prefit).fit(X, y)
    with pytest.raises(
        InvalidDataError, match=r"^X: must be of 3 columns, as estimators\[1\] was fitted on, got 4"
    ):
        model([good, narrow], prefit=True).fit(X, y)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"prefit": 1}, "prefit: must be True or False"),
        ({"prefit": True}, "estimators: must be at least two fitted regressors"),
        ({"prefit": True, "estimators": REGRESSORS[:2]}, r"estimators\[0\]: must be a fitted regressor"),
        ({"estimators": "trees"}, "estimators: must be at least two regressors, or None"),
        ({"n_regressors": 1}, "n_regressors: must be an integer of at least 2"),
        ({"validation_fraction": 1.0}, r"validation_fraction: must be a number in \(0, 1\)"),
        ({"selection": "none"}, "selection: must be one of"),
        ({"rule": "none"}, "rule: must be one of"),
        ({"loss": "none"}, "loss: must be one of"),
        ({"min_size": 0}, "min_size: must be an integer of at least 1"),
        ({"time_limit": "long"}, "time_limit: must be a finite number"),
    ],
)
def test_bad_parameters_of_the_regressor_are_refused(changed: dict[str, Any], message: str) -> None:
    X, y = np.arange(40.0).reshape(20, 2), np.arange(20.0)
    unfitted = [DecisionTreeRegressor(), DecisionTreeRegressor()]
    if "estimators" in changed and changed.get("prefit"):
        changed = {**changed, "estimators": unfitted}
    with pytest.raises(InvalidParameterError, match=message):
        PrunedEnsembleRegressor(**changed).fit(X, y)


@parametrize_with_checks(
    [
        PrunedEnsembleRegressor(),
        PrunedEnsembleRegressor(REGRESSORS[:2], selection="cross_validation", folds=2),
        PrunedEnsembleClassifier(TREES[:3], voting="soft"),
        PrunedEnsembleClassifier(n_classifiers=4, voting="soft", rule="one_standard_error"),
    ]
)
def test_scikit_learn_checks(estimator: Any, check: Any) -> None:
    check(estimator)
