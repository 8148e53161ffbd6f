"""Complexity of CART by hand and against scikit-learn's own text of the tree."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.tree import export_text

from compactml.boolean_rules.competitors.trees import CartClassifier, random_forest

BOARDS = np.array(np.meshgrid(*[[0, 1]] * 3)).reshape(3, -1).T


def test_complexity_by_hand():
    """Class 1 is a and b: leaves of class 0 have 1 and 2 conditions, (1+1) + (1+2) = 5; that of class 1: 1+2."""
    y = BOARDS[:, 0] & BOARDS[:, 1]
    assert CartClassifier(random_state=0).fit(BOARDS, y).complexity_ == 3
    assert CartClassifier(random_state=0).fit(BOARDS, 1 - y).complexity_ == 3


def test_a_tree_without_splits_has_complexity_0():
    assert CartClassifier(max_depth=1, min_samples_leaf=8).fit(BOARDS, BOARDS[:, 0]).complexity_ == 0


@pytest.mark.parametrize("leaf", [1, 5])
def test_complexity_agrees_with_the_printed_tree(leaf):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (120, 12))
    y = rng.integers(0, 2, 120)
    tree = CartClassifier(min_samples_leaf=leaf, random_state=0).fit(X, y)
    sums = [0, 0]
    for line in export_text(tree, max_depth=100).splitlines():
        if "class:" in line:
            sums[int(line[-1])] += line.count(
                "|"
            )  # a leaf at depth k has k + 1 bars: one rule and its conditions
    assert tree.complexity_ == min(sums)


def test_forest_and_clone():
    forest = random_forest(min_samples_leaf=3, random_state=7).fit(BOARDS, BOARDS[:, 0])
    assert len(forest.estimators_) == 100
    assert forest.min_samples_leaf == 3
    assert clone(CartClassifier(min_samples_leaf=4)).min_samples_leaf == 4
