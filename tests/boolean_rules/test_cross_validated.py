"""The complexity chosen by cross-validation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
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
