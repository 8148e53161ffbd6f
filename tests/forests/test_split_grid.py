"""Cells of the grid: scikit-learn's comparison in float32, exactly on the thresholds too."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

from compactml.errors import InvalidDataError
from compactml.forests import SplitGrid, TreeArrays, floor_to_float32, forest_arrays

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(200, 3))
X[:, 2] = RANDOM.integers(0, 6, 200)
Y = (X[:, 0] * X[:, 1] + X[:, 2] > 2.5).astype(int)
FOREST = RandomForestClassifier(10, max_depth=4, random_state=0).fit(X, Y)
EXTRA = ExtraTreesClassifier(10, max_depth=4, random_state=0).fit(X, Y)


def stump(threshold, feature=0):
    column = [np.array(part, dtype=np.int32) for part in ([feature, -1, -1], [1, -1, -1], [2, -1, -1])]
    return TreeArrays(column[0], np.array([threshold, 0.0, 0.0]), column[1], column[2], np.zeros((3, 2)))


@given(st.floats(-1e30, 1e30, allow_nan=False))
def test_floor_is_the_largest_float32_not_above(value):
    floor = floor_to_float32(value)
    assert floor.dtype == np.float32
    assert np.float64(floor) <= value < np.float64(np.nextafter(floor, np.float32(np.inf)))


@pytest.mark.parametrize("model", [FOREST, EXTRA])
def test_a_code_is_at_most_the_cut_exactly_if_the_sample_goes_left(model):
    trees = forest_arrays(model).trees
    grid = SplitGrid.from_trees(trees, 3)
    for tree in trees:
        cuts = grid.cuts(tree)
        for node in np.flatnonzero(tree.feature >= 0):
            j, t = tree.feature[node], tree.threshold[node]
            near = np.float32(t)
            values = np.array(
                [t, np.nextafter(t, np.inf), np.nextafter(t, -np.inf), near]
                + [np.nextafter(near, np.float32(end)) for end in (-np.inf, np.inf)]
            )
            points = np.zeros((len(values), 3))
            points[:, j] = values
            goes_left = values.astype(np.float32).astype(np.float64) <= t
            assert np.array_equal(grid.codes(points)[:, j] <= cuts[node], goes_left)


def test_a_threshold_between_two_float32_numbers_is_floored():
    below = np.float32(0.1)
    above = np.nextafter(below, np.float32(1))
    grid = SplitGrid.from_trees([stump((np.float64(below) + np.float64(above)) / 2)], 1)
    assert grid.levels[0].tolist() == [below]
    assert grid.codes(np.array([[below], [above]], dtype=np.float64)).ravel().tolist() == [0, 1]


@pytest.mark.parametrize("integral", [None, [False, False, True]])
def test_each_cell_holds_its_representative(integral):
    grid = SplitGrid.from_trees(forest_arrays(EXTRA).trees, 3, integral)
    codes = RANDOM.integers(0, grid.sizes, size=(500, 3))
    codes[0], codes[1] = 0, grid.sizes - 1
    points = grid.representative(codes)
    assert np.array_equal(points, points.astype(np.float32))
    assert np.array_equal(grid.codes(points), codes)
    assert grid.covers(points).all()


def test_whole_features_have_no_cell_between_two_whole_numbers():
    trees = [stump(t) for t in (2.2, 2.7, 2.0, 4.5, -0.5)]
    assert SplitGrid.from_trees(trees, 1).n_cells == 6
    grid = SplitGrid.from_trees(trees, 1, [True])
    assert grid.levels[0].tolist() == [-1.0, 2.0, 4.0]
    assert grid.representative([[0], [1], [2], [3]]).ravel().tolist() == [-1.0, 2.0, 4.0, 5.0]
    assert grid.covers([[2.0], [2.5]]).tolist() == [True, False]


def test_whole_numbers_beyond_two_to_the_24_stay_whole():
    grid = SplitGrid.from_trees([stump(2.0**25)], 1, [True])
    above = grid.representative([[1]])
    assert above[0, 0] == np.floor(above[0, 0])
    assert grid.codes(above)[0, 0] == 1


def test_the_number_of_cells_does_not_overflow():
    grid = SplitGrid(tuple(np.arange(9, dtype=np.float32) for _ in range(30)), np.zeros(30, dtype=bool))
    assert grid.n_cells == 10**30


def test_a_feature_that_no_tree_tests_has_one_cell():
    grid = SplitGrid.from_trees([stump(0.5, feature=1)], 2)
    assert grid.sizes.tolist() == [1, 2]
    assert grid.codes(grid.representative([[0, 1]])).tolist() == [[0, 1]]


def test_no_trees_make_one_cell():
    grid = SplitGrid.from_trees([], 2)
    assert grid.n_cells == 1
    assert grid.codes([[1.0, 2.0]]).tolist() == [[0, 0]]


def test_a_tree_with_other_thresholds_is_refused():
    grid = SplitGrid.from_trees([stump(0.5)], 1)
    for threshold in (0.4, 0.6):
        with pytest.raises(InvalidDataError, match="the grid was made from"):
            grid.cuts(stump(threshold))


@pytest.mark.parametrize("bad", [np.zeros((2, 2)), np.zeros(1), [[np.nan]], [[np.inf]], [[1e39]]])
def test_samples_that_have_no_cell_are_refused(bad):
    with pytest.raises(InvalidDataError, match="X: must be"):
        SplitGrid.from_trees([stump(0.5)], 1).codes(bad)


def test_a_mask_of_another_length_is_refused():
    with pytest.raises(InvalidDataError, match="integral"):
        SplitGrid.from_trees([], 2, [True])
