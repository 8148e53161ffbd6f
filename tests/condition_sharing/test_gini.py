"""Gini impurities and best splits by hand, and against scikit-learn's trees."""

from fractions import Fraction

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from compactml.condition_sharing.gini import best_splits, gini, split_impurity


def test_impurities_by_hand():
    assert gini(np.array([])) == gini(np.array([3, 3])) == 0
    assert gini(np.array([0, 1])) == Fraction(1, 2)
    assert gini(np.array([0, 1, 1])) == Fraction(4, 9)
    X = np.array([[1.0], [2.0], [3.0]])
    assert split_impurity(X, np.array([0, 1, 1]), 0, 1.5) == 0
    assert split_impurity(X, np.array([0, 1, 1]), 0, 2.5) == Fraction(2, 3) * Fraction(1, 2)


def test_rows_that_are_all_equal_have_no_split():
    assert best_splits(np.ones((3, 2)), np.array([0, 1, 1])) == set()


@pytest.mark.parametrize("seed", range(10))
def test_the_root_of_a_tree_is_one_of_the_best_splits(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 6, (12, 3)).astype(float), rng.integers(0, 3, 12)
    root = DecisionTreeClassifier(max_depth=1, random_state=seed).fit(X, y).tree_
    assert (int(root.feature[0]), float(root.threshold[0])) in best_splits(X, y)
