"""What is written comes back: equal predictions, rules, bounds and certificates on real data, bit by bit."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.ensemble import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    IsolationForest,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier

from compactml.boolean_rules import BooleanRuleClassifier, BooleanRuleClassifierCV, DecileBinarizer
from compactml.condition_sharing import share_conditions
from compactml.ensemble_pruning import PrunedEnsembleClassifier, PrunedEnsembleRegressor
from compactml.errors import InvalidParameterError
from compactml.feature_selection import CFSSelector, MRMRSelector
from compactml.model_files import load, save
from compactml.pace import PaceClassifier, compress
from compactml.watch import recorded

SAID = ("predict", "predict_proba", "decision_function", "transform", "in_region", "apply")


def again(model: Any, folder: Path) -> Any:
    save(model, folder / "model")
    return load(folder / "model")


def same(one: Any, other: Any, X: Any) -> None:
    """What both say of the rows is equal bit by bit."""
    assert type(one) is type(other)
    asked = [name for name in SAID if hasattr(one, name)]
    assert asked
    for name in asked:
        first, second = getattr(one, name)(X), getattr(other, name)(X)
        assert np.asarray(first).dtype == np.asarray(second).dtype
        np.testing.assert_array_equal(first, second)


@pytest.fixture(scope="module")
def mixed() -> tuple[pd.DataFrame, Any]:
    """Numbers, texts and missing values of both, three classes of text."""
    X, y = load_wine(return_X_y=True, as_frame=True)
    X = X.iloc[:, :5].copy()
    X.iloc[::7, 0] = np.nan
    X["kind"] = np.where(X["alcohol"] > 13.4, "heavy", np.where(X["malic_acid"] > 2, "middle", "light"))
    X.loc[X.index[::9], "kind"] = None
    X["many"] = (X["magnesium"] > 100).to_numpy()
    return X, np.array(["barolo", "grignolino", "barbera"])[y]


@pytest.mark.parametrize(
    "model",
    [
        BooleanRuleClassifier(4),
        BooleanRuleClassifier(5, form="cnf", class_weight="balanced"),
        BooleanRuleClassifier(4, binarizer=DecileBinarizer(4, missing="above")),
    ],
    ids=["dnf", "cnf", "binarizer"],
)
@pytest.mark.parametrize("two", [True, False])
def test_rules(model: BooleanRuleClassifier, two: bool, mixed: tuple[Any, Any], tmp_path: Path) -> None:
    X, y = mixed
    rows = y != "barbera" if two else np.ones(len(y), dtype=bool)
    model.fit(X[rows], y[rows])
    back = again(model, tmp_path)
    same(model, back, X)
    assert back.rules_ == model.rules_
    assert str(back.rules_) == str(model.rules_)
    for name in ("objective_", "lower_bound_", "gap_", "weight_unit_", "class_counts_", "classes_"):
        np.testing.assert_array_equal(getattr(back, name), getattr(model, name))
    assert back.feature_names_in_.tolist() == list(X.columns)
    with pytest.raises(ValueError, match="feature names"):
        back.predict(X.rename(columns={"ash": "cinder"}))


def test_rules_of_binary_columns_and_their_cross_validation(tmp_path: Path) -> None:
    X = np.random.default_rng(0).integers(0, 2, (200, 6))
    y = X[:, 0] & X[:, 1] | X[:, 2]
    same(*(model := BooleanRuleClassifier(5, binarizer=None).fit(X, y), again(model, tmp_path)), X)
    searched = BooleanRuleClassifierCV((2, 5), cv=3).fit(X, y)
    back = again(searched, tmp_path)
    same(searched, back, X)
    assert (back.complexity_, back.best_score_) == (searched.complexity_, searched.best_score_)
    for name, column in searched.cv_results_.items():
        np.testing.assert_array_equal(back.cv_results_[name], column)


@pytest.mark.parametrize(
    "model", [MRMRSelector(k=3), CFSSelector(k=2), CFSSelector(k="cv", cv=3), MRMRSelector()]
)
def test_selectors(model: Any, mixed: tuple[Any, Any], tmp_path: Path) -> None:
    X, y = mixed
    model.fit(X, y)
    back = again(model, tmp_path)
    assert back.transform(X).equals(model.transform(X)) if hasattr(back.transform(X), "equals") else True
    for name in ("support_", "scores_", "ranking_", "cv_scores_"):
        np.testing.assert_array_equal(getattr(back, name), getattr(model, name))
    assert back.get_feature_names_out().tolist() == model.get_feature_names_out().tolist()
    assert (back.result_.value, back.result_.bound) == (model.result_.value, model.result_.bound)
    assert back.get_params()["k"] == model.k


@pytest.mark.parametrize(
    "model",
    [
        PaceClassifier(RandomForestClassifier(10, max_depth=3, random_state=0), generate=False),
        PaceClassifier(AdaBoostClassifier(n_estimators=8, random_state=0), generate=False),
        PaceClassifier(
            beta=0.1, isolation_forest=IsolationForest(n_estimators=10, random_state=0), generate=False
        ),
    ],
    ids=["forest", "boosted", "plausible"],
)
def test_compressed_ensembles(model: PaceClassifier, tmp_path: Path) -> None:
    X, y = load_iris(return_X_y=True, as_frame=True)
    labels = np.array(["setosa", "versicolor", "virginica"])[y]
    with recorded():
        model.fit(X, labels)
    back = again(model, tmp_path)
    same(model, back, X)
    assert back.certificate_ == model.certificate_
    small = again(model.compressed_, tmp_path)
    same(model.compressed_, small, X)
    assert str(small) == str(model.compressed_)
    np.testing.assert_array_equal(small.n_tests(X), model.compressed_.n_tests(X))
    np.testing.assert_array_equal(small.to_sklearn().predict(X), model.compressed_.to_sklearn().predict(X))


def test_compressed_by_the_function(tmp_path: Path) -> None:
    X, y = load_breast_cancer(return_X_y=True)
    forest = RandomForestClassifier(10, max_depth=2, random_state=0).fit(X, y)
    small = compress(forest, X, alpha=0.1, generate=False)
    same(small, again(small, tmp_path), X)


CLASSIFIERS = [
    DecisionTreeClassifier(random_state=0),
    ExtraTreeClassifier(random_state=0),
    RandomForestClassifier(7, random_state=0),
    ExtraTreesClassifier(7, random_state=0),
    AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=7, random_state=0),
    GradientBoostingClassifier(n_estimators=7, random_state=0),
]
REGRESSORS = [
    DecisionTreeRegressor(random_state=0),
    RandomForestRegressor(7, random_state=0),
    ExtraTreesRegressor(7, random_state=0),
    AdaBoostRegressor(n_estimators=7, random_state=0),
    GradientBoostingRegressor(n_estimators=7, random_state=0),
    GradientBoostingRegressor(n_estimators=7, loss="huber", random_state=0),
]


@pytest.mark.filterwarnings("ignore:X has feature names, but DecisionTree")  # scikit-learn's own, in apply
@pytest.mark.parametrize("model", CLASSIFIERS, ids=lambda m: type(m).__name__)
@pytest.mark.parametrize("load_data", [load_iris, load_breast_cancer])
def test_trees_of_classifiers(model: Any, load_data: Any, tmp_path: Path) -> None:
    X, y = load_data(return_X_y=True, as_frame=True)
    model.fit(X, np.array(["a", "b", "c"])[y])
    back = again(model, tmp_path)
    same(model, back, X)
    assert back.score(X, np.array(["a", "b", "c"])[y]) == model.score(X, np.array(["a", "b", "c"])[y])
    if hasattr(model, "estimators_") and not hasattr(model, "staged_predict"):
        paths = [one.tree_.decision_path(X.to_numpy(np.float32)).toarray() for one in model.estimators_]
        for one, path in zip(back.estimators_, paths, strict=True):
            np.testing.assert_array_equal(one.tree_.decision_path(X.to_numpy(np.float32)).toarray(), path)


@pytest.mark.parametrize("model", REGRESSORS, ids=lambda m: type(m).__name__)
def test_trees_of_regressors(model: Any, tmp_path: Path) -> None:
    X, y = load_diabetes(return_X_y=True)
    model.fit(X, y)
    same(model, again(model, tmp_path), X)
    np.testing.assert_array_equal(again(model, tmp_path).feature_importances_, model.feature_importances_)


def test_several_outputs_and_missing_values(tmp_path: Path) -> None:
    X, y = load_diabetes(return_X_y=True)
    twice = RandomForestRegressor(5, random_state=0).fit(X, np.column_stack([y, -y]))
    same(twice, again(twice, tmp_path), X)
    X = X.copy()
    X[::5, 2] = np.nan
    gaps = RandomForestRegressor(5, random_state=0).fit(X, y)
    same(gaps, again(gaps, tmp_path), X)


def test_shared_ensembles(tmp_path: Path) -> None:
    X, y = load_breast_cancer(return_X_y=True)
    forest = RandomForestClassifier(10, random_state=0).fit(X[::2], y[::2])
    for options in ({}, {"path_change_rate": 0.2, "validation": (X[1::2], y[1::2])}):
        shared = share_conditions(forest, X[::2], **options)
        back = again(shared, tmp_path)
        same(shared.ensemble_, back.ensemble_, X)
        assert (back.certificate_, back.effect_) == (shared.certificate_, shared.effect_)
        assert back.size_ratio_ == shared.size_ratio_
        assert share_conditions(back.ensemble_, X[::2]).certificate_.n_paths_changed == 0


TREES = [DecisionTreeClassifier(max_depth=3, max_features=2, random_state=seed) for seed in range(5)]


@pytest.mark.parametrize("voting", ["hard", "soft"])
@pytest.mark.parametrize("load_data", [load_iris, load_breast_cancer])
def test_pruned_classifiers(voting: str, load_data: Any, tmp_path: Path) -> None:
    X, y = load_data(return_X_y=True, as_frame=True)
    labels = np.array(["a", "b", "c"])[y]
    members = [*TREES, RandomForestClassifier(4, random_state=0)]
    if voting == "hard":
        members.append(BooleanRuleClassifier(3))  # a member of ours
    model = PrunedEnsembleClassifier(members, voting=voting, min_size=2).fit(X, labels)
    back = again(model, tmp_path)
    same(model, back, X)
    assert (back.value_, back.bound_, back.score_) == (model.value_, model.bound_, model.score_)
    assert len(back.estimators_) == len(model.selected_)


def test_a_member_of_ours_is_written(tmp_path: Path) -> None:
    X, y = load_breast_cancer(return_X_y=True)
    rules = [BooleanRuleClassifier(c).fit(X[:200], y[:200]) for c in (2, 4)]
    model = PrunedEnsembleClassifier(rules, prefit=True, min_size=2).fit(X[200:], y[200:])
    same(model, again(model, tmp_path), X)


def test_pruned_regressors(tmp_path: Path) -> None:
    X, y = load_diabetes(return_X_y=True)
    model = PrunedEnsembleRegressor([*REGRESSORS[:3], GradientBoostingRegressor(random_state=0)]).fit(X, y)
    back = again(model, tmp_path)
    same(model, back, X)
    same(back, again(back, tmp_path), X)
    assert (back.score_, back.score_bound_) == (model.score_, model.score_bound_)


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    X, y = load_breast_cancer(return_X_y=True)
    members = [LogisticRegression(), LogisticRegression(C=2.0)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = PrunedEnsembleClassifier(members).fit(X, y)
    with pytest.raises(
        InvalidParameterError, match=r"estimators_\[\d\]: must be a fitted model .*LogisticRegression"
    ):
        save(model, tmp_path / "model")
    with pytest.raises(InvalidParameterError, match="model: must be a fitted model that a file can hold"):
        save("rules", tmp_path / "model")
    with pytest.raises(NotFittedError):
        save(BooleanRuleClassifier(), tmp_path / "model")
    with pytest.raises(InvalidParameterError, match="model: must be fitted"):
        save(RandomForestClassifier(), tmp_path / "model")
    started = GradientBoostingClassifier(init=LogisticRegression(max_iter=5000), n_estimators=2).fit(
        X[:, :3], y
    )
    with pytest.raises(InvalidParameterError, match="init: must be None"):
        save(started, tmp_path / "model")
    assert not list(tmp_path.iterdir())


def test_equal_models_are_equal_files_and_a_file_is_replaced(tmp_path: Path) -> None:
    X, y = load_iris(return_X_y=True)
    for name in ("one", "two"):
        save(RandomForestClassifier(3, random_state=0).fit(X, y), tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    save(DecisionTreeClassifier().fit(X, y), tmp_path / "one")
    assert isinstance(load(tmp_path / "one"), DecisionTreeClassifier)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "two"]
