"""Binarizers with parameters of their own, missing values, and columns that rules may not use or only in one way."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

from compactml.boolean_rules import BooleanRuleClassifier, DecileBinarizer
from compactml.errors import InvalidParameterError


def table(n: int = 120) -> tuple[pd.DataFrame, Any]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "age": rng.integers(18, 80, n),
            "pay": rng.normal(size=n),
            "town": rng.choice(["Ulm", "Bonn", "Jena"], n),
        }
    )
    return X, np.asarray((X["age"] > 50) ^ (X["pay"] > 1) | (X["town"] != "Ulm") & (X["pay"] < -1))


def test_a_binarizer_keeps_its_own_parameters() -> None:
    X, y = table()
    binarizer = DecileBinarizer(n_thresholds=1)
    model = BooleanRuleClassifier(6, binarizer=binarizer).fit(X, y)
    assert model.binarizer_ is not binarizer
    assert not hasattr(binarizer, "literals_")
    median = X["age"].median()
    assert f"age > {median:g}" in model.binarizer_.literals_.names
    assert sum(name.startswith("age") for name in model.binarizer_.literals_.names) == 2
    assert model.set_params(binarizer__n_thresholds=2).fit(X, y).binarizer_.n_thresholds == 2
    with pytest.raises(InvalidParameterError, match=r"^binarizer: must be .* a DecileBinarizer, or None"):
        BooleanRuleClassifier(binarizer=5).fit(X, y)


@pytest.mark.parametrize(("missing", "expected"), [("never", [False, False]), ("above", [False, True])])
def test_a_missing_number_satisfies_what_the_caller_says(missing: str, expected: list[bool]) -> None:
    X = pd.DataFrame({"x": np.arange(10.0)})
    binarizer = DecileBinarizer(n_thresholds=1, missing=missing).fit(X)
    assert binarizer.literals_.names == ("x <= 4.5", "x > 4.5")
    assert binarizer.transform(pd.DataFrame({"x": [np.nan]})).astype(bool).tolist() == [expected]
    assert binarizer.true_where_missing().tolist() == expected
    X.loc[10] = np.nan  # known in training: a bin of its own, whatever was said
    binarizer.fit(X)
    assert binarizer.transform(pd.DataFrame({"x": [np.nan]})).tolist() == [[0, 0, 1, 0]]
    assert not binarizer.true_where_missing().any()


@pytest.mark.parametrize("form", ["dnf", "cnf"])
def test_rules_say_what_a_missing_value_satisfies(form: str) -> None:
    X = pd.DataFrame({"x": np.arange(12.0), "town": ["Ulm", "Bonn", "Jena"] * 4})
    y = (X["x"] > 5).to_numpy()
    for missing, note, answer in (("never", "", form == "dnf"), ("above", "x > 5", True)):
        binarizer = DecileBinarizer(n_thresholds=11, missing=missing)
        model = BooleanRuleClassifier(2, form=form, binarizer=binarizer, pos_label=True).fit(X, y)
        assert list(model.rules_) == [("x > 5",)]
        assert ("True of missing values too: x > 5" in str(model.rules_)) == bool(note)
        unknown = pd.DataFrame({"x": [np.nan], "town": ["Ulm"]})
        assert bool(model.predict(unknown)[0]) == (missing == "above"), answer
    model = BooleanRuleClassifier(2, form=form).fit(X, (X["town"] != "Ulm").to_numpy())
    assert str(model.rules_).endswith("True of missing values too: town != Ulm")
    assert model.predict(pd.DataFrame({"x": [1.0], "town": [None]}))[0]


@pytest.mark.parametrize("form", ["dnf", "cnf"])
def test_a_monotone_rule_set_never_falls(form: str) -> None:
    X, y = table()
    model = BooleanRuleClassifier(8, form=form, monotone={"age": 1, "pay": -1}).fit(X, y)
    ages, pays = np.linspace(10, 90, 30), np.linspace(-3, 3, 30)
    for town in ("Ulm", "Bonn", "Jena"):
        grid = pd.DataFrame(product(ages, pays), columns=["age", "pay"]).assign(town=town)
        found = model.predict(grid).astype(int).reshape(30, 30)
        assert (np.diff(found, axis=0) >= 0).all()
        assert (np.diff(found, axis=1) <= 0).all()
    free = BooleanRuleClassifier(8, form=form).fit(X, y)
    assert free.objective_ < model.objective_ == model.lower_bound_


def test_forbidden_columns_are_as_if_they_were_not_there() -> None:
    X, y = table()
    model = BooleanRuleClassifier(8, forbidden_columns=["pay"]).fit(X, y)
    without = BooleanRuleClassifier(8).fit(X.drop(columns="pay"), y)
    assert "pay" not in str(model.rules_)
    assert model.objective_ == model.lower_bound_ == without.objective_
    assert (model.predict(X) == model.predict(X.assign(pay=0.0))).all()
    binary = BooleanRuleClassifier(3, binarizer=None, forbidden_columns=["x1"]).fit(
        np.eye(3, dtype=int), [0, 1, 1]
    )
    assert "x1" not in str(binary.rules_)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("forbidden_columns", ["height"]),
        ("forbidden_columns", "age"),
        ("forbidden_columns", 3),
        ("monotone", {"height": 1}),
        ("monotone", {"age": 2}),
        ("monotone", {"age": True}),
        ("monotone", {"town": 1}),
        ("monotone", ["age"]),
    ],
)
def test_a_constraint_that_cannot_be_is_named(name: str, value: Any) -> None:
    X, y = table()
    with pytest.raises(InvalidParameterError, match=f"^{name}: must be"):
        BooleanRuleClassifier(4, **{name: value}).fit(X, y)


def test_what_is_for_two_classes_is_refused_for_more() -> None:
    X, _ = table()
    with pytest.raises(InvalidParameterError, match=r"^monotone: must be None with more than two classes"):
        BooleanRuleClassifier(4, monotone={"age": 1}).fit(X, X["town"])
    with pytest.raises(InvalidParameterError, match=r"^missing: must be"):
        DecileBinarizer(missing="below").fit(X)
