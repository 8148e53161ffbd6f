"""Both orders of the phases, every choice of duals and depths, and the count of leaves: certified on every cell."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from compactml.pace._compress import GENERATE_FIRST, ORDERS, compress
from compactml.pace.generation import DUALS
from compactml.pace.loop import LEAVES
from compactml.pace.trees.pricing import INITIAL
from tests.pace.test_compress import all_codes, disagreements
from tests.pace.tiny_samples import tiny_forest

PER_PAIR = 1


@pytest.mark.parametrize("max_depth", [INITIAL, 1, None])
@pytest.mark.parametrize("duals", DUALS)
@pytest.mark.parametrize("order", ORDERS)
def test_every_choice_keeps_the_guarantee(order: str, duals: str, max_depth: int | str | None) -> None:
    forest, X = tiny_forest(3)
    result = compress(forest, X, order=order, duals=duals, max_depth=max_depth, separation="constraint")
    assert result.certificate_.faithful
    assert disagreements(result, forest) == 0
    deepest = {INITIAL: 2, 1: 1}.get(max_depth or "", 99)
    assert all(tree.depth <= deepest for tree in result.trees_ if tree.origin is None)
    assert result.n_generated_ <= len(forest.estimators_)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_papers_order_separates_after_every_linear_program_and_prunes_once(n_classes: int) -> None:
    forest, X = tiny_forest(n_classes)
    result = compress(forest, X, order=GENERATE_FIRST, separation="constraint")
    phases = [phase for phase, _ in itertools.groupby(step.phase for step in result.history_)]
    assert phases[-1] == "prune"
    assert phases.count("prune") == 1
    assert phases[0] == "weigh"
    generated = [step for step in result.history_ if step.phase == "generate"]
    assert [step.n_generated for step in generated][:-1] == list(range(1, len(generated)))  # one at a time
    pairs = n_classes * (n_classes - 1)
    assert all(step.n_new <= pairs * PER_PAIR for step in result.history_)
    for before, after in itertools.pairwise(result.history_):
        if after.phase == "generate":  # the linear program that prices it is faithful on the region
            assert before.phase == "weigh"
            assert before.n_new == 0


def test_a_tree_without_a_limit_replaces_an_ensemble_of_stumps() -> None:
    """Labels that three tests decide; every sample has the same dual, so CART is right on all of them."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (400, 3)).astype(float)
    forest, _ = tiny_forest(depth=1)
    forest = forest.set_params(n_estimators=25, max_features=1).fit(X, (X.sum(axis=1) >= 2).astype(int))
    for order in ORDERS:
        result = compress(forest, X, max_depth=None, duals="uniform", order=order)
        assert (result.n_learners_, result.n_generated_) == (1, 1)
        assert disagreements(result, forest) == 0


@pytest.mark.parametrize("order", ORDERS)
def test_fewest_leaves_are_no_more_than_those_of_fewest_learners(order: str) -> None:
    forest, X = tiny_forest(2)
    fewest = compress(forest, X, alpha=0.05, generate=False, order=order)
    lightest = compress(forest, X, alpha=0.05, generate=False, objective=LEAVES, order=order)
    assert lightest.certificate_.faithful
    assert disagreements(lightest, forest) == 0
    assert lightest.bound_ == lightest.n_leaves_ <= fewest.n_leaves_
    assert fewest.bound_ == fewest.n_learners_ <= lightest.n_learners_


def test_generated_learners_that_count_leaves_keep_the_guarantee() -> None:
    forest, X = tiny_forest(3)
    result = compress(forest, X, objective=LEAVES, max_depth=None)
    pruned = compress(forest, X, objective=LEAVES, generate=False)
    assert result.certificate_.faithful
    assert disagreements(result, forest) == 0
    assert result.n_leaves_ <= pruned.n_leaves_


def test_a_bound_is_that_of_the_last_pool() -> None:
    """After generation that pruning did not follow there is none."""
    forest, X = tiny_forest(2)
    assert compress(forest, X, prune=False).bound_ is None
    assert compress(forest, X, generate=False).bound_ is not None


def test_tests_of_a_prediction_are_counted_along_the_paths() -> None:
    """As scikit-learn's own paths tell."""
    forest, X = tiny_forest(3, n_trees=4, depth=3)
    result = compress(forest, X, alpha=0.02, generate=False)
    points = result.setting.grid.representative(all_codes(result.setting))
    members = [forest.estimators_[tree.origin] for tree in result.trees_ if tree.origin is not None]
    paths = sum(member.decision_path(points).sum(axis=1) - 1 for member in members)
    assert result.n_tests(points).tolist() == np.asarray(paths).ravel().tolist()
