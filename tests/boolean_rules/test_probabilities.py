"""Probabilities of rules: Laplace's estimates by hand, agreement with the rules, and in scikit-learn's tools."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import cross_val_score

from compactml.boolean_rules import BooleanRuleClassifier

# x0 is true of 4 rows, 3 of them positive; of the other 6 one is positive.
X = np.array([[1], [1], [1], [1], [0], [0], [0], [0], [0], [0]])
Y = np.array([1, 1, 1, 0, 1, 0, 0, 0, 0, 0])


def test_estimates_by_hand() -> None:
    model = BooleanRuleClassifier(2, binarizer=None).fit(X, Y)
    assert list(model.rules_) == [("x0",)]
    assert model.predict_proba([[1], [0]]) == pytest.approx(np.array([[2 / 6, 4 / 6], [6 / 8, 2 / 8]]))
    assert model.decision_function([[1], [0]]) == pytest.approx(np.log([2, 1 / 3]))
    weights = np.arange(1, 11)  # of x0: 6 of 10; of the rest 5 of 45
    model.fit(X, Y, sample_weight=weights)
    assert model.predict_proba([[1], [0]])[:, 1] == pytest.approx([7 / 12, 6 / 47])


def test_a_row_has_the_probability_of_its_most_precise_clause() -> None:
    # a: 8 of 10, b: 9 of 9, both: 1 of 1; the rest 0 of 5
    rows = np.repeat([[1, 0], [1, 0], [0, 1], [1, 1], [0, 0]], [7, 2, 8, 1, 5], axis=0)
    labels = np.repeat([1, 0, 1, 1, 0], [7, 2, 8, 1, 5])
    model = BooleanRuleClassifier(4, binarizer=None).fit(rows, labels)
    assert sorted(model.rules_) == [("x0",), ("x1",)]
    found = model.predict_proba([[1, 0], [0, 1], [1, 1], [0, 0]])[:, 1]
    assert found == pytest.approx([9 / 12, 10 / 11, 10 / 11, 1 / 7])


def test_a_cnf_estimates_the_other_side() -> None:
    model = BooleanRuleClassifier(2, binarizer=None, form="cnf").fit(X, Y)
    assert model.predict_proba([[1], [0]])[:, 1] == pytest.approx([4 / 6, 2 / 8])


def noisy(classes: int) -> tuple[NDArray[Any], NDArray[Any]]:
    rng = np.random.default_rng(classes)
    rows = rng.integers(0, 2, (150, 6))
    return rows, np.where(
        rng.random(150) < 0.3, rng.integers(0, classes, 150), rows[:, :2].sum(axis=1) % classes
    )


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"form": "cnf"},
        {"class_weight": "balanced"},
        {"error_costs": (9, 1)},
        {"several_classes": "one_vs_rest"},
        {"several_classes": "one_vs_rest", "form": "cnf"},
    ],
)
@pytest.mark.parametrize("classes", [2, 3])
def test_probabilities_never_contradict_the_rules(classes: int, parameters: dict[str, Any]) -> None:
    rows, labels = noisy(classes)
    model = BooleanRuleClassifier(4, binarizer=None, **parameters).fit(rows, labels)
    found = model.predict_proba(rows)
    assert found.sum(axis=1) == pytest.approx(np.ones(len(rows)))
    assert ((found > 0) & (found < 1)).all()
    assert (model.classes_[found.argmax(axis=1)] == model.predict(rows)).all()
    decision = model.decision_function(rows)
    if classes == 2:
        assert ((decision > 0) == (model.predict(rows) == model.classes_[1])).all()
        true = np.zeros(len(rows), dtype=bool)
        for clause in model.rules_:
            values = rows[:, [int(name[1:]) for name in clause]]
            true |= values.all(axis=1) if model.form == "dnf" else ~values.any(axis=1)
        assert ((model.predict(rows) == 1) == (true == (model.form == "dnf"))).all()
    else:
        assert (model.classes_[decision.argmax(axis=1)] == model.predict(rows)).all()


def test_scores_and_calibration_of_scikit_learn_take_them() -> None:
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2, (150, 6))
    labels = rows[:, 0] & rows[:, 1] ^ (rng.random(150) < 0.1)
    model = BooleanRuleClassifier(4, binarizer=None)
    assert cross_val_score(model, rows, labels, scoring="roc_auc", cv=3).min() > 0.6
    calibrated = CalibratedClassifierCV(model, cv=3).fit(rows, labels)
    assert calibrated.predict_proba(rows).shape == (150, 2)
