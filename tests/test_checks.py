"""What the estimators refuse comes as an error of the project's tree, whoever found it."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.ensemble import RandomForestClassifier

from compactml.boolean_rules import (
    BooleanRuleClassifier,
    BooleanRuleClassifierCV,
    DecileBinarizer,
    count_rule_sets,
)
from compactml.checks import check_array
from compactml.condition_sharing import share_conditions
from compactml.ensemble_pruning import PrunedEnsembleClassifier, PrunedEnsembleRegressor, prune
from compactml.errors import CompactmlError, InvalidDataError, RefusedDataError
from compactml.feature_selection import CFSSelector, FractionalProgram, MRMRSelector, selection_path
from compactml.pace import PaceClassifier, compress

ESTIMATORS = (BooleanRuleClassifier, CFSSelector, MRMRSelector, PaceClassifier, PrunedEnsembleClassifier)
X = np.tile([[0.0, 1.0], [1.0, 1.0], [2.0, 0.0]], (10, 1))
Y = np.tile([0, 1, 1], 10)
BAD = {
    "no rows": (X[:0], Y[:0]),
    "no columns": (X[:, :0], Y),
    "one dimension": (X[:, 0], Y),
    "three dimensions": (X[np.newaxis], Y),
    "infinity": (np.where(X == 2.0, np.inf, X), Y),
    "other lengths": (X, Y[:-1]),
    "a label that is missing": (X, np.where(Y == 1, np.nan, 0.0)),
    "labels in two columns": (X, np.column_stack([Y, Y])),
    "labels that are no classes": (X, np.linspace(0.0, 1.0, len(X))),
    "one class": (X, np.zeros(len(X))),
}


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("data", BAD.values(), ids=BAD)
def test_bad_data_are_refused_in_this_tree(estimator: type[BaseEstimator], data: tuple[Any, Any]) -> None:
    of_classes = {"target": "classes"} if estimator in (CFSSelector, MRMRSelector) else {}
    with pytest.raises(InvalidDataError):
        estimator(**of_classes).fit(*data)


@pytest.mark.parametrize("container", [sparse.csr_matrix, sparse.csc_array])
@pytest.mark.parametrize(
    "estimator",
    [
        BooleanRuleClassifier(),
        BooleanRuleClassifier(binarizer=None),
        BooleanRuleClassifierCV(),
        DecileBinarizer(),
        CFSSelector(),
        MRMRSelector(),
        PaceClassifier(),
        PrunedEnsembleClassifier(),
        PrunedEnsembleRegressor(),
    ],
    ids=repr,
)
def test_a_sparse_table_is_named_with_what_is_allowed(estimator: BaseEstimator, container: Any) -> None:
    with pytest.raises(
        InvalidDataError, match=r"^X: must be dense, an array or a DataFrame .* got a sparse cs"
    ):
        estimator.fit(container(X), Y)


def test_sparse_labels_and_functions_name_them_too() -> None:
    table = sparse.csr_matrix(X)
    with pytest.raises(
        InvalidDataError, match=r"^y: must be dense, .* got a sparse csr_matrix of shape \(30, 1\)"
    ):
        BooleanRuleClassifier().fit(X, sparse.csr_matrix(Y[:, None]))
    with pytest.raises(InvalidDataError, match=r"^X: must be dense"):
        selection_path(CFSSelector(), table, Y)
    with pytest.raises(InvalidDataError, match=r"^X: must be dense"):
        count_rule_sets(BooleanRuleClassifier(), table, Y)
    with pytest.raises(InvalidDataError, match=r"^X: must be dense"):
        DecileBinarizer().fit(X).transform(table)


TABLE = "a table with rows of one length, in two dimensions"
REFUSED: dict[str, tuple[Any, str, str]] = {
    "rows of two lengths": ([[1, 2], [3]], TABLE, "rows of 2 and 1 entries."),
    "rows of many lengths": (
        [[1] * n for n in (2, 1, 2, 3, 4)],
        TABLE,
        "rows of 2, 1 and other numbers of entries.",
    ),
    "lengths below the rows": ([[[1, 2], 3]] * 30, TABLE, "rows of 2 entries that have different lengths"),
    "numbers beside rows": ([1, [2]], TABLE, "single values beside sequences."),
    "None": (None, TABLE, "None (Expected 2D array"),
    "a number": (3.5, TABLE, "3.5 (Expected 2D array"),
    "a text": ("a" * 999, TABLE, "'aaaa"),
    "a dict": ({1: 2}, TABLE, "a value of type dict (Expected 2D array"),
    "no rows": (np.zeros((0, 3)), TABLE, "an array of shape (0, 3) (Found array with 0 sample(s)"),
    "no columns": (X[:, :0], TABLE, "an array of shape (30, 0) (Found array with 0 feature(s)"),
    "one dimension": (
        X[:, 0],
        TABLE,
        "an array of shape (30,) (Expected 2D array, got 1D array. Reshape your data",
    ),
    "a list": ([], TABLE, "a list of shape (0,) (Expected 2D array"),
    "three dimensions": (X[np.newaxis], TABLE, "an array of shape (1, 30, 2) (Found array with dim 3"),
    "complex numbers": (X * 1j, "real numbers", "complex numbers (Complex data not supported)."),
}
"""Tables with what is said to be allowed and what came."""


@pytest.mark.parametrize(("table", "allowed", "got"), REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize(
    "estimator",
    [
        BooleanRuleClassifier(),
        BooleanRuleClassifier(binarizer=None),
        BooleanRuleClassifierCV(cv=2),
        CFSSelector(),
        DecileBinarizer(),
        MRMRSelector(),
        PaceClassifier(),
        PrunedEnsembleClassifier(n_classifiers=2),
        PrunedEnsembleRegressor(),
    ],
    ids=repr,
)
def test_a_table_that_is_none_is_named_with_what_is_allowed_and_what_came(
    estimator: BaseEstimator, table: Any, allowed: str, got: str
) -> None:
    with pytest.raises(InvalidDataError) as caught:
        estimator.fit(table, Y)
    said = str(caught.value)
    assert said.startswith(f"X: must be {allowed}")
    assert f", got {got}" in said
    assert len(said) < 350
    assert caught.value.name == "X"
    assert caught.value.allowed.startswith(allowed)
    assert caught.value.got.startswith(got.partition(" (")[0].rstrip("."))


@pytest.mark.parametrize("method", ["predict", "predict_proba", "score"])
def test_rows_to_predict_are_named_too(method: str) -> None:
    model = BooleanRuleClassifier(4).fit(X, Y)
    given = ([[1, 2], [3]], *([Y] if method == "score" else []))
    with pytest.raises(InvalidDataError, match=r"^X: must be a table .* got rows of 2 and 1 entries\.$"):
        getattr(model, method)(*given)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"y": None}, "y: must be a value for each row of X, in one dimension, got None ("),
        (
            {"y": [1, [2]] * 15},
            "y: must be a value for each row of X, in one dimension, got single values beside",
        ),
        (
            {"y": Y[:5]},
            "y: must be a value for each row of X, in one dimension, got an array of shape (5,) (",
        ),
        ({"y": Y * 1j}, "y: must be real numbers, got complex numbers ("),
        (
            {"y": np.linspace(0, 1, 30)},
            "y: must be labels of classes, got values that scikit-learn calls continuous",
        ),
        (
            {"X": X[:5]},
            "y: must be a value for each row of X, in one dimension, got an array of shape (30,) (",
        ),
        (
            {"sample_weight": np.ones(5)},
            "sample_weight: must be a value for each row of X, in one dimension, got an a",
        ),
        (
            {"sample_weight": [1, [2]] * 15},
            "sample_weight: must be a value for each row of X, in one dimension, got s",
        ),
        ({"sample_weight": ["a"] * 30}, "sample_weight: must be numbers, got the text 'a'"),
        (
            {"groups": [1, [2]] * 15},
            "groups: must be a value for each row of X, in one dimension, got single values",
        ),
        (
            {"groups": X},
            "groups: must be a value for each row of X, in one dimension, got an array of shape (30, 2) (",
        ),
    ],
)
def test_labels_weights_and_groups_are_named(given: dict[str, Any], said: str) -> None:
    model = BooleanRuleClassifier(4, equal_opportunity=0.1 if "groups" in given else None)
    with pytest.raises(InvalidDataError) as caught:
        model.fit(**{"X": X, "y": Y} | given)
    assert str(caught.value).startswith(said)
    assert caught.value.name == said.partition(":")[0]


def test_of_a_table_and_labels_in_one_check_the_right_one_is_named() -> None:
    model = PaceClassifier()
    for X_given, y_given, said in (
        (X, [1, [2]] * 15, "y: .* got single values beside sequences"),
        (X, Y * 1j, "y: .* got complex numbers"),
        (X, None, "y: .* got None .*requires y"),
        (X, Y[:5], r"y: .* got an array of shape \(5,\)"),
        ([[1, 2], [3]], [1, [2]], "X: .* got rows of 2 and 1 entries"),
        (X * 1j, Y * 1j, "X: .* got complex numbers"),
    ):
        with pytest.raises(InvalidDataError, match=f"^{said}"):
            model.fit(X_given, y_given)


def test_functions_do_not_speak_in_the_words_of_numpy() -> None:
    ragged = [[1, 2], [3]]
    forest = RandomForestClassifier(2, random_state=0).fit(X, Y)
    for call, said in (
        (
            lambda: compress(forest, ragged),
            "X: must be numeric, in two dimensions, got 2 rows of different lengths.",
        ),
        (
            lambda: share_conditions(forest, ragged),
            "X: must be numeric, in two dimensions, got 2 rows of different",
        ),
        (lambda: prune(ragged, Y), "votes: must be an array of 0 and 1, got rows of 2 and 1 entries."),
        (lambda: prune(X * 1j, Y), "votes: must be an array of 0 and 1, got complex numbers."),
        (
            lambda: FractionalProgram(np.ones(2), ragged, np.ones(2), np.eye(2)),
            "b: must be finite numbers of shape (2, 2), got 2 rows of different lengths.",
        ),
        (
            lambda: FractionalProgram(np.ones(2), [["a", "b"]] * 2, np.ones(2), np.eye(2)),
            "b: must be finite numbers of shape (2, 2), got the text 'a'.",
        ),
    ):
        with pytest.raises(InvalidDataError) as caught:
            call()
        assert str(caught.value).startswith(said)


def test_a_refusal_keeps_the_words_and_survives_pickling() -> None:
    with pytest.raises(RefusedDataError, match=r"0 sample\(s\).*minimum of 1") as caught:
        check_array(X[:0])
    copy = pickle.loads(pickle.dumps(caught.value))
    assert isinstance(copy, CompactmlError)
    assert isinstance(copy, ValueError)
    assert str(copy) == str(caught.value)


def test_sharing_needs_nothing_that_scikit_learn_has_since_1_6() -> None:
    """The paper's scikit-learn, in an environment of its own, imports it too."""
    code = (
        "import sklearn.ensemble; from sklearn.utils import validation; del validation.validate_data; "
        "import compactml.condition_sharing"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
