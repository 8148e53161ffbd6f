"""Trees on codes: the leaves of scikit-learn at the values where float32 decides, and boxes of leaves."""

import dataclasses
import itertools

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from compactml.forests import SplitGrid, forest_arrays
from compactml.pace.model.learners import OPEN, Learner
from compactml.pace.model.setting import make_setting
from tests.pace.tiny_forests import all_codes, critical_samples, fitted, stump
from tests.pace.tiny_samples import tiny_forest


def learners_of(model, n_features):
    trees = forest_arrays(model).trees
    grid = SplitGrid.from_trees(trees, n_features)
    scores = [np.arange(len(tree.feature))[:, None] for tree in trees]  # the score of a leaf is its node
    return grid, [
        Learner.on_grid(tree, grid, nodes, k)
        for k, (tree, nodes) in enumerate(zip(trees, scores, strict=True))
    ]


@pytest.mark.parametrize("kind", ["forest", "extra", "boosted"])
def test_leaves_are_those_of_scikit_learn_on_thresholds_and_beside_them(kind):
    model, _ = fitted(kind, 3, depth=4, n_trees=10)
    grid, learners = learners_of(model, 4)
    X = critical_samples(model, grid)
    codes = grid.codes(X)
    for member, learner in zip(model.estimators_, learners, strict=True):
        assert np.array_equal(learner.scores_of(codes)[:, 0], member.apply(X))


def test_boxes_hold_exactly_the_codes_of_their_leaf():
    model, _ = fitted("extra", 3, depth=4)
    grid, learners = learners_of(model, 4)
    codes = np.random.default_rng(0).integers(0, grid.sizes, size=(2000, 4))
    for learner in learners:
        inside = np.ones((len(codes), learner.n_leaves), dtype=bool)
        for k, box in enumerate(learner.boxes()):
            for j, (low, high) in box.items():
                assert low > 0 or high < OPEN
                inside[:, k] &= (low <= codes[:, j]) & (codes[:, j] <= high)
        assert (inside.sum(axis=1) == 1).all()
        assert np.array_equal(inside.argmax(axis=1), learner.leaves_of(codes))


def test_a_tree_fitted_on_codes_is_the_same_learner():
    random = np.random.default_rng(0)
    codes = random.integers(0, 5, size=(200, 3))
    tree = DecisionTreeClassifier(max_depth=4, random_state=0).fit(codes, random.integers(0, 2, 200))
    learner = Learner.on_codes(tree.tree_, np.arange(tree.tree_.node_count)[:, None])
    everywhere = np.stack(np.meshgrid(*[np.arange(5)] * 3), axis=-1).reshape(-1, 3)
    assert learner.origin is None
    assert np.array_equal(learner.scores_of(everywhere)[:, 0], tree.apply(everywhere))


def test_a_single_leaf_is_a_learner():
    model = RandomForestClassifier(2, max_depth=1, min_samples_leaf=60).fit(np.eye(100), [0, 1] * 50)
    grid, learners = learners_of(model, 100)
    assert grid.n_cells == 1
    assert learners[0].boxes() == [{}]
    assert learners[1].leaves_of(np.zeros((3, 100))).tolist() == [0, 0, 0]


def test_codes_of_any_integer_type_and_layout_are_taken():
    grid = SplitGrid.from_trees([stump(0.5)], 1)
    learner = Learner.on_grid(stump(0.5), grid, np.zeros((3, 2), dtype=int), 0)
    codes = np.asfortranarray(np.array([[0], [1]], dtype=np.int64))
    assert learner.leaves_of(codes).tolist() == [0, 1]


def test_a_tree_without_idle_tests_is_the_same_function() -> None:
    """Depth 2 on two features; the leaves on the left say the same, on the right they do not."""
    whole = Learner(
        np.array([0, 1, -1, -1, 1, -1, -1], dtype=np.int32),
        np.array([1, 0, -1, -1, 2, -1, -1], dtype=np.int32),
        np.array([1, 2, -1, -1, 5, -1, -1], dtype=np.int32),
        np.array([4, 3, -1, -1, 6, -1, -1], dtype=np.int32),
        np.array([-1, -1, 0, 1, -1, 2, 3], dtype=np.int32),
        np.array([[3, 0], [3, 0], [0, 3], [1, 2]]),
    )
    small = whole.simplified()
    codes = np.array(list(itertools.product(range(4), repeat=2)), dtype=np.int32)
    np.testing.assert_array_equal(small.scores_of(codes), whole.scores_of(codes))
    assert (small.n_leaves, len(small.feature)) == (3, 5)
    same = dataclasses.replace(whole, scores=np.full((4, 2), 7))
    assert (same.simplified().n_leaves, same.simplified().feature.tolist()) == (1, [-1])


@pytest.mark.parametrize("seed", range(20))
def test_simplified_trees_agree_on_all_cells(seed: int) -> None:
    rng = np.random.default_rng(seed)
    forest, X = tiny_forest(3, seed=seed, depth=4)
    setting = make_setting(forest, X)
    codes = all_codes(setting.grid)
    for learner in setting.initial.learners:
        coarse = dataclasses.replace(
            learner, scores=rng.integers(0, 2, learner.scores.shape) // rng.integers(1, 3)
        )
        small = coarse.simplified()
        np.testing.assert_array_equal(small.scores_of(codes), coarse.scores_of(codes))
        assert small.n_leaves <= coarse.n_leaves
        assert small.simplified().n_leaves == small.n_leaves
