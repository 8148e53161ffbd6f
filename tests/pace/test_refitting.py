"""Refitted ensembles have fewer trees, and agree with the initial one on every cell of the region."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from compactml.clock import Clock
from compactml.errors import InvalidParameterError
from compactml.pace._compress import compress
from compactml.pace.compressed import CompressedEnsemble
from compactml.pace.loop import unknown
from compactml.pace.model.faithfulness import FaithfulnessSet
from compactml.pace.rechecking import recheck
from compactml.pace.refitting import Refitting, refit
from compactml.pace.separation.separator import Separator
from compactml.pace.trees.optimal_trees import DEEPEST
from compactml.watch import EndedEarlyWarning, recorded
from tests.pace.tiny_forests import all_codes, fitted
from tests.pace.tiny_samples import tiny_forest


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("kind", ["forest", "extra", "boosted"])
@pytest.mark.parametrize("more", [0, 1])
def test_labels_stay_the_same_on_every_cell_of_the_region(kind: str, n_classes: int, more: int) -> None:
    model, X = fitted(kind, n_classes, depth=2, n_trees=7)
    small = compress(model, X, alpha=0.1, generate=False)
    refitted = refit(small, max_depth=2 + more)
    assert refitted.certificate_.faithful
    assert refitted.n_learners_ < small.n_learners_ or refitted is small
    assert more == 0 or refitted is not small
    assert refitted is small or refitted.n_generated_ == refitted.n_learners_
    assert max(one.depth for one in refitted.trees_) <= 2 + more
    region = small.setting.region
    codes = all_codes(small.setting.grid)
    inside = codes[region.contains(codes)]
    np.testing.assert_array_equal(refitted.ensemble.predict(inside), region.labels(inside))
    checked = recheck(refitted, model)
    assert checked.exhaustive
    assert len(checked.disagreements) == 0


def test_one_tree_takes_the_place_of_a_forest_if_it_may_be_deep_enough() -> None:
    """Four features of four values: two levels per value tell all cells of a feature apart."""
    forest, X = tiny_forest(n_trees=5, depth=1)
    small = compress(forest, X, generate=False)
    assert small.n_learners_ > 1
    assert refit(small, max_depth=4).n_learners_ == 1


def test_the_same_seed_gives_the_same_trees() -> None:
    forest, X = tiny_forest(3)
    small = compress(forest, X, generate=False)
    first, second = refit(small, random_state=1), refit(small, random_state=1)
    assert first.n_learners_ < small.n_learners_
    for one, other in zip(first.trees_, second.trees_, strict=True):
        np.testing.assert_array_equal(one.scores, other.scores)


def test_an_ensemble_without_a_certificate_may_get_one() -> None:
    """One tree of the forest alone, of which nothing is proved, is repaired with as many trees or not at all."""
    forest, X = tiny_forest(n_trees=5)
    setting = compress(forest, X, generate=False).setting
    alone = CompressedEnsemble(
        setting,
        type(setting.initial)(setting.initial.learners[:1], [1], 2, setting.initial.scale),
        unknown(2),
    )
    assert refit(alone, max_depth=1) is alone
    refitted = refit(alone, max_depth=5)
    assert refitted.n_learners_ == 1
    assert refitted.certificate_.faithful
    assert recheck(refitted, forest).disagreements.size == 0


def test_when_the_time_is_over_the_given_ensemble_comes_back() -> None:
    forest, X = tiny_forest(3)
    small = compress(forest, X, generate=False)
    with pytest.warns(EndedEarlyWarning, match=r"refit: time_limit=0 s"):
        assert refit(small, time_limit=0) is small


@pytest.mark.parametrize(
    ("name", "value"), [("max_depth", 0), ("max_depth", 2.5), ("time_limit", -1), ("random_state", -1)]
)
def test_parameters_that_are_none(name: str, value: Any) -> None:
    forest, X = tiny_forest()
    with pytest.raises(InvalidParameterError, match=name):
        refit(compress(forest, X, generate=False), **{name: value})


def test_a_depth_beyond_the_solver_is_its_largest() -> None:
    model, X = fitted("forest", 2, depth=2, n_trees=5)
    small = compress(model, X, alpha=0.1, generate=False)
    with recorded():  # the limit may end it
        refitted = refit(small, max_depth=DEEPEST + 1, time_limit=0.5)
    assert refitted.certificate_.faithful
    assert max(one.depth for one in refitted.trees_) <= DEEPEST


def test_no_tree_is_dropped_when_the_time_is_over() -> None:
    model, X = fitted("forest", 2, depth=2, n_trees=5)
    small = compress(model, X, alpha=0.1, generate=False)
    region, grid = small.setting.region, small.setting.grid
    samples, random = FaithfulnessSet(region, small.setting.samples), np.random.default_rng(0)
    for limit, some in ((None, True), (0.0, False)):
        run = Refitting(samples, Separator(grid, region), 2, Clock(limit), random)
        assert any(True for _ in run.starts(list(small.trees_), dropping=True)) == some
