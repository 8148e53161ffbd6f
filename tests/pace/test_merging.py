"""Merged learners are the same function, on every cell and for scikit-learn, within the depth that was asked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import VotingClassifier

from compactml.errors import InvalidParameterError
from compactml.forests import SplitGrid, TreeArrays
from compactml.pace._compress import compress
from compactml.pace.compressed import CompressedEnsemble
from compactml.pace.loop import unknown
from compactml.pace.merging import added, merge
from compactml.pace.model.learners import Learner
from compactml.pace.rechecking import recheck
from tests.pace.tiny_forests import all_codes, fitted, stump, three_stumps
from tests.pace.tiny_samples import tiny_forest


def scores(parts: list[Learner], codes: np.ndarray) -> np.ndarray:
    return np.sum([learner.scores_of(codes) for learner in parts], axis=0)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("kind", ["forest", "extra", "boosted"])
@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("more_leaves", [True, False])
def test_scores_and_certificate_stay_the_same(
    kind: str, n_classes: int, depth: int, more_leaves: bool
) -> None:
    model, X = fitted(kind, n_classes, depth=depth, n_trees=9)
    small = compress(model, X, generate=False)
    merged = merge(small, 4, more_leaves=more_leaves)
    codes = all_codes(small.setting.grid)
    np.testing.assert_array_equal(merged.ensemble.scores(codes), small.ensemble.scores(codes))
    assert merged.certificate_ == small.certificate_
    assert merged.n_learners_ < small.n_learners_ or (depth == 2 and not more_leaves)
    assert max(one.depth for one in merged.trees_) <= 4
    assert more_leaves or merged.n_leaves_ <= small.n_leaves_
    points = small.setting.grid.representative(codes)
    np.testing.assert_allclose(merged.predict_proba(points), small.predict_proba(points))
    assert merged.ensemble.total >= merged.ensemble.scores(codes).max()


def test_scikit_learn_predicts_the_same_with_merged_trees() -> None:
    forest, X = tiny_forest(3)
    merged = merge(compress(forest, X, generate=False), 4)
    assert merged.n_generated_ > 0
    assert isinstance(merged.to_sklearn(), VotingClassifier)
    checked = recheck(merged, forest)
    assert checked.exhaustive
    assert len(checked.disagreements) == 0
    points = merged.setting.grid.representative(all_codes(merged.setting.grid))
    rounding = 1.5e-4  # of three frequencies in a leaf, so that they sum to 1 no more
    np.testing.assert_allclose(
        merged.to_sklearn().predict_proba(points), merged.predict_proba(points), rtol=rounding
    )


def test_stumps_on_one_feature_need_the_logarithm_of_their_number() -> None:
    trees = [stump(level + 0.5) for level in range(15)]
    grid = SplitGrid.from_trees(trees, 1)
    parts = [Learner.on_grid(tree, grid, tree.scores.astype(np.int64), None) for tree in trees]
    assert added(parts, 3) is None
    whole = added(parts, 4)
    assert whole is not None
    assert (whole.depth, whole.n_leaves) == (4, 16)
    assert added(parts, 4, 15) is None
    votes = np.arange(16)  # of the cell between the levels k - 1 and k, k stumps vote for class 1
    np.testing.assert_array_equal(whole.scores_of(all_codes(grid)), np.column_stack([15 - votes, votes]))


def on_feature(j: int, level: float) -> TreeArrays:
    tree = stump(level)
    return TreeArrays(np.where(tree.feature == 0, j, -1), tree.threshold, tree.left, tree.right, tree.scores)


def test_the_product_of_stumps_on_two_features_has_four_leaves() -> None:
    trees = [on_feature(0, 0.5), on_feature(1, 0.5)]
    grid = SplitGrid.from_trees(trees, 2)
    learners = [Learner.on_grid(tree, grid, 3 * tree.scores.astype(np.int64), None) for tree in trees]
    assert added(learners, 1) is None
    whole = added(learners, 2)
    assert whole is not None
    assert whole.n_leaves == 4
    np.testing.assert_array_equal(whole.scores_of(all_codes(grid)), [[6, 0], [3, 3], [3, 3], [0, 6]])
    np.testing.assert_array_equal(whole.scores_of(all_codes(grid)), scores(learners, all_codes(grid)))


def test_a_tree_with_more_leaves_than_allowed_is_not_built_to_the_end() -> None:
    n_features = 40
    trees = [on_feature(j, 0.5) for j in range(n_features)]  # their sum has 2 ** 40 leaves
    grid = SplitGrid.from_trees(trees, n_features)
    parts = [Learner.on_grid(tree, grid, tree.scores.astype(np.int64), None) for tree in trees]
    assert added(parts, n_features, 2 * n_features) is None


def test_fewer_leaves_come_before_fewer_trees() -> None:
    """Stumps at 0.5, 1.5 and 2.5 on one feature are one tree of four leaves; of depth 1 there is nothing to merge."""
    small = stumps_on()
    assert (small.n_learners_, small.n_leaves_) == (3, 6)
    merged = merge(small, 2, more_leaves=False)
    assert (merged.n_learners_, merged.n_leaves_) == (1, 4)
    np.testing.assert_array_equal(merged.trees_[0].scores[:, 1], [0, 1, 2, 3])
    same = merge(small, 1)
    assert (same.n_learners_, same.n_leaves_, same.n_generated_) == (3, 6, 0)


def stumps_on() -> CompressedEnsemble:
    """The three stumps as the answer of a compression of some other ensemble on the same grid."""
    model, _ = fitted("forest", 2)
    small = compress(model, fitted("forest", 2)[1], generate=False)
    _, ensemble = three_stumps()
    return CompressedEnsemble(small.setting, ensemble, unknown(2))


@pytest.mark.parametrize("depth", [0, 2.5, True, "4"])
def test_a_depth_that_is_none(depth: Any) -> None:
    forest, X = tiny_forest()
    with pytest.raises(InvalidParameterError, match="max_depth"):
        merge(compress(forest, X, generate=False), depth)
