"""The complexity chosen by cross-validation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from sklearn.datasets import load_iris
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from compactml.boolean_rules import BooleanRuleClassifier, BooleanRuleClassifierCV, DecileBinarizer
from compactml.errors import InvalidDataError, InvalidParameterError
from tests.boolean_rules.endings import ended_early


@pytest.mark.filterwarnings("ignore:The least populated class")
@parametrize_with_checks([BooleanRuleClassifierCV((2, 4), cv=2)])
def test_scikit_learn_checks(estimator: Any, check: Any) -> None:
    check(estimator)


def noisy() -> tuple[NDArray[Any], NDArray[Any]]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 4))
    return X, ((X[:, 0] > 0) & (X[:, 1] > 0) ^ (rng.random(150) < 0.1)).astype(int)


def test_scores_are_those_of_scikit_learn_and_the_best_is_fitted_on_all_rows() -> None:
    X, y = noisy()
    folds = StratifiedKFold(3, shuffle=True, random_state=1)
    model = BooleanRuleClassifierCV((6, 2, 3), cv=folds, scoring="roc_auc", time_limit=None).fit(X, y)
    means = []
    for row, complexity in enumerate((2, 3, 6)):
        scores = cross_val_score(BooleanRuleClassifier(complexity), X, y, cv=folds, scoring="roc_auc")
        assert [model.cv_results_[f"split{f}_test_score"][row] for f in range(3)] == pytest.approx(scores)
        means.append(scores.mean())
    assert model.cv_results_["complexity"].tolist() == [2, 3, 6]
    assert model.cv_results_["mean_test_score"] == pytest.approx(means)
    assert model.cv_results_["n_proved"].tolist() == [3, 3, 3]
    assert model.best_score_ == pytest.approx(max(means))
    assert model.complexity_ == (2, 3, 6)[int(np.argmax(means))]
    alone = BooleanRuleClassifier(model.complexity_).fit(X, y)
    assert model.rules_ == alone.rules_
    assert (model.predict_proba(X) == alone.predict_proba(X)).all()


def test_each_fold_is_binarised_once(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = noisy()
    sizes, fit = [], DecileBinarizer.fit

    def counted(self: DecileBinarizer, X: Any, *args: Any, **kwargs: Any) -> DecileBinarizer:
        sizes.append(len(X))
        return fit(self, X, *args, **kwargs)

    monkeypatch.setattr(DecileBinarizer, "fit", counted)
    BooleanRuleClassifierCV((2, 3, 4, 5), cv=3).fit(X, y)
    assert sorted(sizes) == [100, 100, 100, 150]


def test_lists_or_rules_of_each_class_are_chosen_once() -> None:
    X, y = load_iris(return_X_y=True)
    auto = BooleanRuleClassifier(several_classes="auto")
    model = BooleanRuleClassifierCV((2, 4), cv=3, estimator=auto, time_limit=None).fit(X, y)
    whole = BooleanRuleClassifier(4, several_classes="auto", time_limit=None).fit(
        X, y
    )  # the largest complexity decides
    assert type(model.rules_) is type(whole.rules_)
    assert model.best_estimator_.several_classes in {"list", "one_vs_rest"}


def fair() -> BooleanRuleClassifier:
    return BooleanRuleClassifier(loss="zero_one", equal_opportunity=0.1, time_limit=None)


def test_each_fold_learns_with_its_groups() -> None:
    X, y = noisy()
    groups = np.where(np.random.default_rng(1).random(150) < 0.5, "old", "young")
    folds = list(StratifiedKFold(3).split(X, y))
    model = BooleanRuleClassifierCV((2, 4), cv=folds, estimator=fair(), time_limit=None)
    model.fit(X, y, groups=groups)
    for row, complexity in enumerate((2, 4)):
        for f, (train, test) in enumerate(folds):
            alone = fair().set_params(complexity=complexity).fit(X[train], y[train], groups=groups[train])
            score = alone.score(X[test], y[test])
            assert model.cv_results_[f"split{f}_test_score"][row] == score
    alone = fair().set_params(complexity=model.complexity_).fit(X, y, groups=groups)
    assert model.rules_ == alone.rules_
    said = model.predict(X)
    rates = [said[(groups == g) & (y == 1)].mean() for g in ("old", "young")]
    assert abs(rates[0] - rates[1]) <= 0.1 + 1e-9
    frame = pd.DataFrame(X).add_prefix("x").assign(age=groups)
    again = BooleanRuleClassifierCV((2, 4), cv=folds, estimator=fair(), time_limit=None)
    again.fit(frame, y, groups="age")
    as_values = BooleanRuleClassifierCV((2, 4), cv=folds, estimator=fair(), time_limit=None)
    as_values.fit(frame, y, groups=groups)
    assert again.rules_ == as_values.rules_
    assert (again.cv_results_["mean_test_score"] == as_values.cv_results_["mean_test_score"]).all()


def test_a_complexity_that_cannot_keep_the_limits_is_not_chosen() -> None:
    X, y = noisy()
    forced = BooleanRuleClassifier(forced_columns=["x2", "x3"], binarizer=DecileBinarizer(n_thresholds=2))
    model = BooleanRuleClassifierCV((2, 3, 5), cv=2, estimator=forced, time_limit=None).fit(X, y)
    assert np.isnan(model.cv_results_["mean_test_score"]).tolist() == [True, False, False]
    assert np.isnan(model.cv_results_["split1_test_score"]).tolist() == [True, False, False]
    assert model.complexity_ in {3, 5}
    assert {"x2", "x3"} <= {condition.split()[0] for clause in model.rules_ for condition in clause}


def test_a_budget_that_no_complexity_keeps_is_refused_with_the_least_that_is_feasible() -> None:
    X, y = noisy()
    everyone = BooleanRuleClassifier(form="cnf", max_flagged=0.0, binarizer=DecileBinarizer(n_thresholds=2))
    with pytest.raises(InvalidParameterError, match=r"^max_flagged: must be at least 0\.\d+, got 0\.0"):
        BooleanRuleClassifierCV((2,), cv=2, estimator=everyone).fit(X, y)


def test_groups_that_folds_cannot_use_are_refused() -> None:
    X, y = noisy()
    groups = np.zeros(150)
    groups[int(np.flatnonzero(y)[0])] = 1  # in the training rows of one fold of two only
    with pytest.raises(InvalidDataError, match=r"^groups: .* at least two groups .* in each fold"):
        BooleanRuleClassifierCV((2,), cv=2, estimator=fair()).fit(X, y, groups=groups)
    with pytest.raises(InvalidParameterError, match=r"^groups: must be .* where equal_opportunity is given"):
        BooleanRuleClassifierCV((2,), cv=2).fit(X, y, groups=groups)
    with pytest.raises(InvalidDataError, match=r"^groups: must be a value for each of 150 rows"):
        BooleanRuleClassifierCV((2,), cv=2, estimator=fair()).fit(X, y, groups=groups[:9])


def test_an_interrupt_in_the_folds_still_learns_from_all_rows() -> None:
    X, y = noisy()

    def scoring(model: Any, X: Any, y: Any) -> float:
        if model.complexity == 4:
            raise KeyboardInterrupt
        return float(model.score(X, y))

    model = BooleanRuleClassifierCV((2, 4, 6), cv=3, scoring=scoring)
    with ended_early("BooleanRuleClassifierCV: an interrupt"):
        model.fit(X, y)
    assert model.complexity_ == 2
    assert np.isnan(model.cv_results_["mean_test_score"]).tolist() == [False, True, True]
    assert model.predict(X).shape == (150,)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("complexities", ()),
        ("complexities", (1, 2)),
        ("complexities", "23"),
        ("complexities", 5),
        ("time_limit", 0),
        ("estimator", "rules"),
        ("verbose", 1),
    ],
)
def test_a_parameter_outside_its_range_is_named(name: str, value: Any) -> None:
    X, y = noisy()
    with pytest.raises(InvalidParameterError, match=f"^{name}: must be"):
        BooleanRuleClassifierCV(**{name: value}).fit(X, y)


def test_weights_that_cannot_be_used_are_refused() -> None:
    X, y = noisy()
    with pytest.raises(InvalidDataError, match="sample_weight: must be not negative"):
        BooleanRuleClassifierCV((2,)).fit(X, y, -np.ones(150))
