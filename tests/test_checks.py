"""What the estimators refuse comes as an error of the project's tree, whoever found it."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator

from compactml.boolean_rules import BooleanRuleClassifier
from compactml.checks import check_array
from compactml.ensemble_pruning import PrunedEnsembleClassifier
from compactml.errors import CompactmlError, InvalidDataError, RefusedDataError
from compactml.feature_selection import CFSSelector, MRMRSelector
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


def test_a_refusal_keeps_the_words_and_survives_pickling() -> None:
    with pytest.raises(RefusedDataError, match=r"0 sample\(s\).*minimum of 1") as caught:
        check_array(X[:0])
    copy = pickle.loads(pickle.dumps(caught.value))
    assert isinstance(copy, CompactmlError)
    assert isinstance(copy, ValueError)
    assert str(copy) == str(caught.value)
