from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.pace.trees import pricing as pricing_module
from compactml.pace.trees.optimal_trees import DEEPEST, literals, optimal_tree
from compactml.pace.trees.pricing import leaf_values, price
from compactml.pace.weights.master import LinearMaster, reduced_cost
from tests.pace.tiny_samples import tiny_samples


def best_value(codes: np.ndarray, values: np.ndarray, depth: int) -> float:
    """Largest value of any tree of this depth, by trying all of them."""
    best = float(values.sum(axis=0).max())
    if depth == 0 or len(codes) == 0:
        return best
    for j, cut in itertools.product(range(codes.shape[1]), range(int(codes.max()) + 1)):
        left = codes[:, j] <= cut
        split = best_value(codes[left], values[left], depth - 1)
        best = max(best, split + best_value(codes[~left], values[~left], depth - 1))
    return best


@pytest.mark.exact_trees
@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("seed", range(8))
def test_an_optimal_tree_is_as_good_as_the_best_of_all_trees(seed: int, depth: int) -> None:
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 4, (25, 3)).astype(np.int32)
    values = rng.normal(size=(25, 2 + seed % 2)) * 10.0 ** rng.integers(-3, 3)
    learner = optimal_tree(codes, values, depth, 7)
    assert learner is not None
    scores = learner.scores_of(codes)
    assert sorted(np.unique(scores)) == [0, 7]
    assert (scores * values).sum() / 7 == pytest.approx(best_value(codes, values, depth), rel=1e-3)
    assert learner.depth <= depth


def test_trees_deeper_than_the_solver_goes_are_not_said_to_be_optimal() -> None:
    samples = tiny_samples()
    duals = np.ones(len(samples.integers))
    assert not price(samples, duals, pricing="exact", max_depth=DEEPEST + 1).exact
    alone = optimal_tree(samples.codes[:3], np.ones((3, 2)), DEEPEST + 1, 1)
    assert alone is not None
    assert alone.depth == 0


@pytest.mark.parametrize("factor", [0.0, -1.0, np.nan, np.ones((2, 1))])
def test_duals_that_are_none_are_refused(factor: Any) -> None:
    samples = tiny_samples()
    with pytest.raises(InvalidDataError, match="duals: must be"):
        price(samples, factor * np.ones(len(samples.samples)), max_depth=2)


def test_tests_lie_in_the_middle_of_the_gaps() -> None:
    assert literals(np.array([[0, 5], [4, 5], [9, 5]], dtype=np.int32)) == [(0, 2), (0, 6)]


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("pricing", ["cart", pytest.param("exact", marks=pytest.mark.exact_trees)])
def test_reduced_costs_and_values_of_leaves_agree(pricing: str, n_classes: int) -> None:
    """The objective (7) summed over rows, as (6) has it, and over leaves; exact is never worse than CART."""
    samples = tiny_samples(n_classes)
    with LinearMaster(samples.margins) as master:
        solution = master.solve()
    priced = price(samples, solution.duals, pricing=pricing, max_depth=2)
    used, values = leaf_values(samples, solution.duals)
    by_leaves = (priced.learner.scores_of(samples.codes[used]) * values).sum() / samples.scale
    assert priced.reduced_cost == pytest.approx(1 - by_leaves)
    assert priced.reduced_cost == reduced_cost(solution.duals, samples.column(priced.learner) / samples.scale)
    assert priced.exact == (pricing == "exact")
    assert priced.reduced_cost >= 1 - solution.value - 1e-6  # margins are at most 1
    other = price(samples, solution.duals, pricing="exact", max_depth=2)
    assert other.reduced_cost <= priced.reduced_cost + 1e-3 * solution.value


@pytest.mark.exact_trees
def test_no_tree_of_the_depth_improves_where_exact_pricing_ends() -> None:
    """With r >= 0 (P1) over S has the value that it has with every tree of depth 1 among the columns."""
    samples = tiny_samples(2)
    with LinearMaster(samples.margins) as master:
        while True:
            solution = master.solve()
            priced = price(samples, solution.duals, pricing="exact", max_depth=1)
            if priced.reduced_cost > -1e-6:
                break
            samples.add_learners([priced.learner])
            master.add_columns(priced.margins[:, None] / samples.scale)
    own = np.where(samples.labels[samples.samples] == 1, 1.0, -1.0)
    stumps = [
        own * np.where(samples.codes[samples.samples, j] <= cut, sign, -sign)
        for j in range(samples.codes.shape[1])
        for cut in range(int(samples.codes.max()) + 1)
        for sign in (1, -1)
    ]
    with LinearMaster(np.column_stack([samples.margins, *stumps])) as everything:
        assert everything.solve().value == pytest.approx(solution.value, rel=1e-5)


@pytest.mark.exact_trees
def test_a_limit_without_time_gives_no_optimal_tree() -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 10, (300, 8)).astype(np.int32)
    assert optimal_tree(codes, rng.normal(size=(300, 2)), 5, 1, time_limit=0.0) is None


def test_without_an_optimal_tree_the_answer_is_of_cart(monkeypatch: pytest.MonkeyPatch) -> None:
    samples = tiny_samples(3)
    duals = np.random.default_rng(0).random(len(samples.margins))
    cart = price(samples, duals, pricing="cart", max_depth=2)
    monkeypatch.setattr(pricing_module, "optimal_tree", lambda *_: None)
    limited = price(samples, duals, pricing="exact", max_depth=2)
    assert not limited.exact
    assert (limited.margins == cart.margins).all()


@pytest.mark.parametrize(("name", "value"), [("max_depth", 0), ("max_depth", 1.5), ("pricing", "best")])
def test_bad_parameters(name: str, value: object) -> None:
    samples = tiny_samples(2)
    arguments = {"max_depth": 1, "pricing": "cart"} | {name: value}
    with pytest.raises(InvalidParameterError, match=name):
        price(samples, np.ones(len(samples.margins)), **arguments)  # type: ignore[arg-type]
