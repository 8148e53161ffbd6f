"""Both evaluators reach the leaves that scikit-learn reaches, before and after sharing."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier

from compactml.condition_sharing import share_conditions
from compactml.condition_sharing.evaluator import condition_table, leaves_by_bank, leaves_by_ranks
from compactml.forests import count_conditions, leaves


@pytest.mark.parametrize(
    "ensemble", [RandomForestClassifier(20, random_state=0), GradientBoostingClassifier(random_state=0)]
)
def test_evaluators_agree_with_apply(ensemble):
    X, y = load_breast_cancer(return_X_y=True)
    ensemble.fit(X, y)
    X32 = X.astype(np.float32)
    for model in (ensemble, share_conditions(ensemble, X).ensemble_):
        table = condition_table(model)
        assert table.n_conditions == count_conditions(model)
        expected = leaves(model, X) + table.roots
        assert np.array_equal(leaves_by_bank(table, X32), expected)
        assert np.array_equal(leaves_by_ranks(table, X32), expected)


def test_values_exactly_on_a_threshold_go_left():
    X = np.array([[0.0], [1.0], [2.0]])
    forest = RandomForestClassifier(1, bootstrap=False, random_state=0).fit(X, [0, 0, 1])
    forest.estimators_[0].tree_.threshold[0] = 1.0
    table = condition_table(forest)
    for evaluate in (leaves_by_bank, leaves_by_ranks):
        assert np.array_equal(evaluate(table, X.astype(np.float32)), leaves(forest, X))


def test_trees_without_any_condition_are_their_roots():
    X = np.ones((3, 2))
    forest = RandomForestClassifier(2, random_state=0).fit(X, [0, 0, 1])
    table = condition_table(forest)
    assert table.n_conditions == 0
    for evaluate in (leaves_by_bank, leaves_by_ranks):
        assert evaluate(table, X.astype(np.float32)).tolist() == [table.roots.tolist()] * 3
