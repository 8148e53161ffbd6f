"""`BooleanRuleClassifier` as a scikit-learn estimator, on tables, and on bad input."""

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.utils.estimator_checks import parametrize_with_checks

from compactml.boolean_rules import BooleanRuleClassifier
from compactml.errors import InvalidDataError, InvalidParameterError

XOR = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 3)


@parametrize_with_checks(
    [
        BooleanRuleClassifier(4),
        BooleanRuleClassifier(4, form="cnf", pricing="heuristic"),
    ]
)
def test_scikit_learn_checks(estimator: Any, check: Any) -> None:
    check(estimator)


def table(n: int = 120) -> tuple[pd.DataFrame, pd.Series]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "age": rng.integers(18, 80, n).astype(float),
            "sex": rng.choice(["male", "female"], n),
            "town": rng.choice(["Ulm", "Bonn", "Jena"], n),
        }
    )
    y = pd.Series(np.where((X["age"] > 50) & (X["sex"] == "male") | (X["town"] == "Ulm"), "yes", "no"))
    X.loc[::10, "age"] = np.nan
    return X, y


def test_rules_print_in_original_units() -> None:
    X, y = table()
    model = BooleanRuleClassifier(8).fit(X, y)
    text = str(model.rules_)
    assert text.startswith("yes if")
    assert "(town == Ulm)" in text
    assert "sex == male" in text
    assert "age > " in text
    assert model.rules_.complexity <= 8
    assert model.training_errors_ == (model.predict(X) != y).sum()
    assert model.training_errors_ <= model.objective_
    assert model.lower_bound_ == model.objective_


def test_one_prediction_does_not_depend_on_the_others() -> None:
    X, y = table()
    model = BooleanRuleClassifier(8).fit(X, y)
    one_by_one = [model.predict(X.iloc[[i]])[0] for i in range(len(X))]
    assert (model.predict(X) == one_by_one).all()
    unseen = X.assign(town="Kiel")
    assert set(model.predict(unseen)) <= {"yes", "no"}


def test_a_cnf_is_the_negated_dnf_of_the_other_class() -> None:
    y = XOR[:, 0] | XOR[:, 1]
    both = BooleanRuleClassifier(3, form="cnf", binarizer=None).fit(XOR, y)
    assert (both.predict(XOR) == y).all()
    assert str(both.rules_) == "1 if\n     (x0 OR x1)"
    assert both.objective_ == 0
    # the same as a conjunction needs a clause for each side
    assert BooleanRuleClassifier(3, binarizer=None).fit(XOR, y).objective_ == 3


def test_exclusive_or_needs_both_clauses_and_negations() -> None:
    y = XOR[:, 0] ^ XOR[:, 1]
    model = BooleanRuleClassifier(6).fit(XOR, y)
    assert model.objective_ == model.lower_bound_ == 0
    assert (model.predict(XOR) == y).all()
    assert BooleanRuleClassifier(6, max_clause_size=1).fit(XOR, y).objective_ > 0


def test_several_classes_one_against_the_rest() -> None:
    data = load_iris(as_frame=True)
    model = BooleanRuleClassifier(6, several_classes="one_vs_rest").fit(data.data, data.target)
    assert len(model.rules_) == len(model.learned_) == 3
    assert model.objective_.shape == (3,)
    assert (model.lower_bound_ == model.objective_).all()
    assert model.score(data.data, data.target) == 1 - model.training_errors_ / 150
    assert model.training_errors_ < 10


def test_many_binary_features_and_rows_with_both_labels() -> None:
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, (80, 300))
    y = X[:, 271] & X[:, 13]
    model = BooleanRuleClassifier(3, binarizer=None).fit(np.vstack([X, X[:1]]), np.append(y, 1 - y[0]))
    assert model.objective_ == model.lower_bound_ == 1
    assert set(model.rules_.clauses[0]) == {"x13", "x271"}


def test_the_history_tells_each_round() -> None:
    X, y = table()
    history = BooleanRuleClassifier(8).fit(X, y).history_
    assert history[-1].n_columns > 0
    assert history[-1].lower_bound >= 0
    assert history[0].seconds <= history[-1].seconds


def test_it_pickles_and_clones() -> None:
    X, y = table()
    model = BooleanRuleClassifier(5).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert (again.predict(X) == model.predict(X)).all()
    assert clone(model).get_params() == model.get_params()


def test_the_same_fit_twice_is_the_same() -> None:
    X, y = table()
    first, second = (BooleanRuleClassifier(7).fit(X, y) for _ in range(2))
    assert first.rules_ == second.rules_


@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        ({"complexity": 1}, "complexity"),
        ({"complexity": 2.5}, "complexity"),
        ({"max_clause_size": 0}, "max_clause_size"),
        ({"form": "xor"}, "form"),
        ({"pricing": "magic"}, "pricing"),
        ({"binarizer": "octiles"}, "binarizer"),
        ({"time_limit": 0}, "time_limit"),
        ({"time_limit": -1}, "time_limit"),
        ({"time_limit": True}, "time_limit"),
        ({"time_limit": "soon"}, "time_limit"),
        ({"gap": 1.0}, "gap"),
        ({"gap": None}, "gap"),
        ({"max_clause_size": 2.5}, "max_clause_size"),
        ({"solver": "abacus"}, "solver"),
    ],
)
def test_a_parameter_outside_its_range_is_named(parameters: dict[str, Any], name: str) -> None:
    with pytest.raises(InvalidParameterError, match=f"^{name}: must be"):
        BooleanRuleClassifier(**parameters).fit(XOR, XOR[:, 0])


def test_data_that_cannot_be_used_is_refused() -> None:
    with pytest.raises(InvalidDataError, match="1 class"):
        BooleanRuleClassifier().fit(XOR, np.zeros(12))
    for missing in (None, pd.NA, np.nan):
        labels = pd.Series(XOR[:, 0], dtype=object).map({0: missing, 1: "one"})
        with pytest.raises(InvalidDataError, match="y: must be class labels, got missing values"):
            BooleanRuleClassifier().fit(XOR, labels)
    with pytest.raises(InvalidDataError, match="0 and 1 only"):
        BooleanRuleClassifier(binarizer=None).fit(XOR * 2, XOR[:, 0])
    with pytest.raises(InvalidDataError, match="finite"):
        BooleanRuleClassifier().fit(np.where(XOR == 0, np.inf, 1.0), XOR[:, 0])
    with pytest.raises(ValueError, match="0 sample"):
        BooleanRuleClassifier().fit(np.empty((0, 2)), np.empty(0))
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        BooleanRuleClassifier().fit(XOR, XOR[:5, 0])


def test_columns_without_information_are_no_obstacle() -> None:
    X = pd.DataFrame({"nothing": np.nan, "constant": 7, "x": XOR[:, 0]})
    model = BooleanRuleClassifier(2).fit(X, XOR[:, 0])
    assert model.objective_ == 0
    useless = BooleanRuleClassifier(2).fit(X[["nothing", "constant"]], XOR[:, 0])
    assert len(useless.rules_) == 0
    assert useless.objective_ == useless.lower_bound_ == 6
    assert set(useless.predict(X[["nothing", "constant"]])) == {0}
