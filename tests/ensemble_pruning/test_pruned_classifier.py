"""`PrunedEnsembleClassifier` as a scikit-learn estimator: what it chooses is what it predicts with; bad input."""

from __future__ import annotations

import itertools
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import make_classification
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from compactml.ensemble_pruning._failure_credit import (
    failure_credit,
    failure_patterns,
    pairwise_failure_crediting,
)
from compactml.ensemble_pruning.classifier import PrunedEnsembleClassifier
from compactml.ensemble_pruning.diversity import diversity_limits
from compactml.ensemble_pruning.errors import DiversityInfeasibleError
from compactml.ensemble_pruning.pool.classifier_pool import ClassifierPool
from compactml.errors import InvalidDataError, InvalidParameterError

TREES = [DecisionTreeClassifier(max_depth=2, max_features=1, random_state=seed) for seed in range(5)]


@parametrize_with_checks(
    [
        PrunedEnsembleClassifier(n_classifiers=4),
        PrunedEnsembleClassifier(TREES[:3], selection="cross_validation", folds=2),
        PrunedEnsembleClassifier([GaussianNB(), RidgeClassifier()], rule="one_standard_error"),
    ]
)
def test_scikit_learn_checks(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.fixture(scope="module")
def data() -> tuple[pd.DataFrame, Any]:
    X, y = make_classification(150, 5, n_informative=3, flip_y=0.1, random_state=1)
    return pd.DataFrame(X, columns=list("abcde")), np.where(y == 1, "yes", "no")


def validation_votes(model: Any, X: Any, y: Any) -> tuple[Any, Any]:
    """The votes on the part set aside, from the split as documented."""
    rows = np.arange(len(y))
    validation = train_test_split(
        rows, test_size=round(0.3 * len(y)), stratify=y, random_state=model.random_state
    )[1]
    votes = np.column_stack([one.predict_proba(X.iloc[validation])[:, 1] >= 0.5 for one in model.estimators_])
    return votes, y[validation] == "yes"


def test_the_choice_is_the_best_of_all(data: tuple[Any, Any]) -> None:
    X, y = data
    model = PrunedEnsembleClassifier(TREES).fit(X, y)
    votes, positive = validation_votes(model, X, y)
    best = max(
        ((votes[:, list(chosen)].sum(axis=1) > threshold) == positive).sum()
        for size in range(6)
        for chosen in itertools.combinations(range(5), size)
        for threshold in range(6)
    )
    assert model.value_ == model.bound_ == best
    assert model.gap_ == 0
    called = votes[:, model.selected_].sum(axis=1) > model.threshold_
    assert (called == positive).sum() == best


def test_it_predicts_with_the_chosen_classifiers_and_threshold(data: tuple[Any, Any]) -> None:
    X, y = data
    model = PrunedEnsembleClassifier(ClassifierPool(12, random_state=5), objective="balanced_accuracy")
    model.fit(X, y)
    votes = model.pool_.votes(X.to_numpy())[:, model.selected_]
    assert (model.decision_function(X) == votes.sum(axis=1) - model.threshold_ - 0.5).all()
    assert ((model.predict(X) == "yes") == (votes.sum(axis=1) > model.threshold_)).all()
    assert model.score(X, y) > 0.7
    assert (pickle.loads(pickle.dumps(model)).predict(X) == model.predict(X)).all()


def test_the_default_pool_has_the_models_seed(data: tuple[Any, Any]) -> None:
    X, y = data
    default = PrunedEnsembleClassifier(n_classifiers=6, random_state=2).fit(X, y)
    given = PrunedEnsembleClassifier(ClassifierPool(6, random_state=2), random_state=2).fit(X, y)
    assert default.selected_.tolist() == given.selected_.tolist()
    assert default.pool_.parameters_ == given.pool_.parameters_


def test_what_it_is_given_stays_unfitted(data: tuple[Any, Any]) -> None:
    trees = [clone(tree) for tree in TREES]
    PrunedEnsembleClassifier(trees).fit(*data)
    assert not any(hasattr(tree, "tree_") for tree in trees)
    pool = ClassifierPool(4)
    PrunedEnsembleClassifier(pool).fit(*data)
    assert not hasattr(pool, "estimators_")


def test_classifiers_may_take_text_and_lack_probabilities() -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"town": rng.choice(["Ulm", "Bonn", "Jena"], 90), "age": rng.normal(size=90)})
    y = (X["town"] == "Ulm") | (X["age"] > 1)
    encode = make_column_transformer((OneHotEncoder(), ["town"]), remainder="passthrough")
    models = [make_pipeline(encode, one) for one in (RidgeClassifier(), GaussianNB())]
    model = PrunedEnsembleClassifier(models).fit(X, y)
    assert model.score(X, y) > 0.8


@pytest.mark.parametrize("configuration", ["F2", "F3"])
def test_the_papers_limits_hold_for_the_choice(configuration: str, data: tuple[Any, Any]) -> None:
    X, y = data
    model = PrunedEnsembleClassifier(TREES, diversity=configuration).fit(X, y)
    votes, positive = validation_votes(model, X, y)
    least, average = diversity_limits(votes, positive, configuration)
    credit = failure_credit(failure_patterns(votes, positive))
    whole = pairwise_failure_crediting(credit, np.arange(5))
    assert average == pytest.approx((whole.min() + whole.mean()) / 2)
    assert least == (whole.min() if configuration == "F3" else 0.0)
    chosen = pairwise_failure_crediting(credit, model.selected_)
    if len(chosen) > 1:
        assert chosen.min() >= least - 1e-9
        assert chosen.mean() >= average - 1e-9
    explicit = PrunedEnsembleClassifier(TREES, diversity=(least, average)).fit(X, y)
    assert (explicit.value_, explicit.bound_) == (model.value_, model.bound_)


def test_a_share_may_be_any_real_number(data: tuple[Any, Any]) -> None:
    shares = (0.25, np.float32(0.25), Fraction(1, 4))
    models = [PrunedEnsembleClassifier(TREES, validation_fraction=share).fit(*data) for share in shares]
    assert len({model.value_ for model in models}) == 1


def test_impossible_limits_on_diversity_are_named(data: tuple[Any, Any]) -> None:
    with pytest.raises(DiversityInfeasibleError):
        PrunedEnsembleClassifier(TREES, diversity=(0.0, 1.0), min_size=5).fit(*data)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("estimators", [GaussianNB()]),
        ("estimators", "trees"),
        ("random_state", -1),
        ("random_state", 2**33),
        ("random_state", None),
        ("diversity", "F4"),
        ("diversity", (0.1,)),
        ("diversity", 0.3),
        ("validation_fraction", 0.0),
        ("validation_fraction", 1),
        ("validation_fraction", None),
        ("prefit", 1),
        ("prefit", True),
        ("selection", "bootstrap"),
        ("folds", 1),
        ("rule", "smallest"),
        ("time_limit", -1),
        ("verbose", 2),
        ("callback", 2),
    ],
)
def test_bad_parameters(name: str, value: Any, data: tuple[Any, Any]) -> None:
    given: dict[str, Any] = {"estimators": TREES} | {name: value}
    with pytest.raises(InvalidParameterError, match="fitted" if value is True else name):
        PrunedEnsembleClassifier(**given).fit(*data)


def test_a_class_with_one_row_or_none(data: tuple[Any, Any]) -> None:
    X, y = data
    with pytest.raises(InvalidDataError, match="one class"):
        PrunedEnsembleClassifier(TREES).fit(X, np.full(len(y), "yes"))
    single = np.full(len(y), "no")
    single[3] = "yes"
    with pytest.raises(InvalidDataError, match="at least two rows of each class"):
        PrunedEnsembleClassifier(TREES).fit(X, single)


@pytest.mark.parametrize("options", [{}, {"selection": "cross_validation"}, {"validation_fraction": 0.9}])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_pool_says_how_many_rows_it_needs(options: dict[str, Any], n_classes: int) -> None:
    y = np.repeat(np.arange(n_classes), 2)
    X = np.random.default_rng(0).normal(size=(len(y), 2))
    said = (
        f"^X: must be so many rows that the pool trains on at least {n_classes + 1}, one more than classes, "
        f"got {len(y)} rows, of which it trains on {n_classes}"
    )
    with pytest.raises(InvalidDataError, match=said):
        PrunedEnsembleClassifier(**options).fit(X, y)
    assert PrunedEnsembleClassifier(TREES, **options).fit(X, y).bound_ >= 0  # these take as few


@pytest.mark.filterwarnings("ignore")  # the learners' own, on so few rows
@pytest.mark.parametrize("options", [{}, {"selection": "cross_validation", "folds": 3}])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_least_number_of_rows_is_enough(options: dict[str, Any], n_classes: int) -> None:
    y = np.repeat(np.arange(n_classes), 2 if not options else 3)
    y = np.append(y, 0) if not options else y
    X = np.random.default_rng(0).normal(size=(len(y), 2))
    assert len(PrunedEnsembleClassifier(**options).fit(X, y).estimators_) == 40
