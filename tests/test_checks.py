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

from compactml.boolean_rules import (
    BooleanRuleClassifier,
    BooleanRuleClassifierCV,
    DecileBinarizer,
    count_rule_sets,
)
from compactml.checks import check_array
from compactml.ensemble_pruning import PrunedEnsembleClassifier, PrunedEnsembleRegressor
from compactml.errors import CompactmlError, InvalidDataError, RefusedDataError
from compactml.feature_selection import CFSSelector, MRMRSelector, selection_path
from compactml.pace import PaceClassifier

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
