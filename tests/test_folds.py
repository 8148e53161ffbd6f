"""`compactml.checks.checked_folds`: as scikit-learn has them, fewer where there are few rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.model_selection import KFold, StratifiedKFold

from compactml.boolean_rules import BooleanRuleClassifierCV
from compactml.checks import checked_folds
from compactml.errors import InvalidParameterError
from compactml.feature_selection import CFSSelector

Y = np.repeat([0, 1, 2], [12, 10, 8])
X = np.random.default_rng(0).integers(0, 2, (30, 4))


def rows(folds: Any) -> list[tuple[list[int], list[int]]]:
    return [(list(train), list(test)) for train, test in folds]


@pytest.mark.parametrize("cv", [3, 5, None, KFold(4), StratifiedKFold(2), [([0, 1], [2, 3])]])
def test_folds_are_those_of_scikit_learn(cv: Any) -> None:
    from sklearn.model_selection import check_cv

    for classifier in (True, False):
        expected = check_cv(cv, Y, classifier=classifier).split(X, Y)
        assert rows(checked_folds(cv, X, Y, classifier=classifier)) == rows(expected)


def test_too_many_folds_are_as_many_as_the_most_frequent_class_has_rows() -> None:
    y = np.repeat([0, 1, 2], 3)
    with pytest.warns(UserWarning, match="cv: 5 folds are more than the rows of any class; 3 are used"):
        folds = checked_folds(5, X[:9], y, classifier=True)
    assert rows(folds) == rows(StratifiedKFold(3).split(X[:9], y))
    with pytest.warns(UserWarning, match="cv: 5 folds are more than the rows; 4 are used"):
        assert len(checked_folds(None, X[:4], np.arange(4.0), classifier=False)) == 4


@pytest.mark.parametrize("cv", [1, "five", 0, True])
def test_what_gives_no_folds_is_refused(cv: Any) -> None:
    with pytest.raises(InvalidParameterError, match="cv: must be folds of 30 rows"):
        checked_folds(cv, X, Y, classifier=True)


def test_single_rows_of_all_classes_are_refused() -> None:
    with pytest.raises(InvalidParameterError, match="cv: must be folds of 4 rows"):
        checked_folds(5, X[:4], np.arange(4), classifier=True)


def test_estimators_with_their_default_folds_take_few_rows() -> None:
    y = np.repeat([0, 1], 4)
    for model in (BooleanRuleClassifierCV((2, 3)), CFSSelector("cv")):
        with pytest.warns(UserWarning, match="4 are used"):
            model.fit(X[:8], y)
