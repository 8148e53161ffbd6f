"""Best weights on a support: an LP solver says the same as the simplex method, and stands in where that fails."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier

from compactml.clock import Clock
from compactml.errors import CompactmlError
from compactml.pace import compress
from compactml.pace._compress import ORDERS
from compactml.pace.weights import games, master
from compactml.pace.weights._kernels.simplex import _invert, game
from compactml.pace.weights.games import best_weights, weights_by_solver
from compactml.solvers import MasterNotSolvedError, usable_solvers
from compactml.solvers.registry import adapter
from compactml.watch import EndedEarlyWarning


def stopped(margins, support):
    """What the simplex method gives back when it does not end."""
    return -np.inf, np.zeros(len(support)), np.full(len(margins), 1.0 / len(margins))


@pytest.mark.parametrize("seed", range(8))
def test_both_ways_have_the_same_value(seed):
    rng = np.random.default_rng(seed)
    margins = rng.uniform(-1, 1, (30, 8)) if seed % 2 else rng.choice([-1.0, 1.0], (30, 8), p=[0.3, 0.7])
    support = np.sort(rng.choice(8, 5, replace=False))
    ours, theirs = game(margins, support), weights_by_solver(margins, support)
    assert theirs[0] == pytest.approx(ours[0], abs=1e-7)
    for value, weights, multipliers in (ours, theirs):
        assert weights.sum() == pytest.approx(1)
        assert multipliers.sum() == pytest.approx(1)
        assert (weights >= 0).all()
        assert (multipliers >= 0).all()
        assert (margins[:, support] @ weights).min() == pytest.approx(value, abs=1e-7)
        assert (margins[:, support].T @ multipliers).max() == pytest.approx(
            value, abs=1e-7
        )  # no weights reach more


def test_a_basis_that_rounding_made_singular_is_no_division_by_zero():
    """The simplex method divided by the zero: 300 trees of depth 12, make_classification(2000, 12, random_state=2)."""
    B = np.array([[1.0, 1.0], [1.0, 1.0]])
    inverse, x = np.eye(2), np.ones(2)
    assert not _invert(B, np.array([0, 1]), np.ones(2), inverse, x)
    assert _invert(B, np.array([0, 3]), np.ones(2), inverse, x)


def test_a_simplex_method_that_does_not_end_hands_over(monkeypatch):
    monkeypatch.setattr(games, "game", stopped)
    margins = np.array([[1.0, 1, -1], [1, -1, 1], [-1, 1, 1]])
    value, weights, _ = best_weights(margins, np.arange(3))
    assert value == pytest.approx(1 / 3)
    assert weights == pytest.approx([1 / 3] * 3)


@pytest.fixture(scope="module")
def forest():
    X, y = load_iris(return_X_y=True)
    return RandomForestClassifier(10, max_depth=3, random_state=0).fit(X, y), X


def test_compress_without_the_simplex_method_is_as_faithful(forest, monkeypatch):
    model, X = forest
    monkeypatch.setattr(games, "game", stopped)
    small = compress(model, X, alpha=0.1, time_limit=20.0)
    codes = small.setting.grid.codes(X)
    inside = codes[small.setting.region.contains(codes)]
    assert len(inside)
    np.testing.assert_array_equal(small.ensemble.predict(inside), small.setting.region.labels(inside))


def test_compress_without_any_lp_says_what_failed(forest, monkeypatch):
    """Not a bare error of a library."""

    def struck(self, problem):
        raise RuntimeError("struck")

    model, X = forest
    monkeypatch.setattr(games, "game", stopped)
    for name in usable_solvers():
        monkeypatch.setattr(type(adapter(name)), "warm", struck)
    with pytest.raises(CompactmlError, match="struck"):
        compress(model, X, alpha=0.1, time_limit=20.0)


def test_many_learners_are_left_to_a_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our simplex method has a dense inverse: at 300 learners it took half a minute, whatever the limit was."""
    rng = np.random.default_rng(0)
    margins = rng.choice([-1.0, 1.0], size=(40, games.LARGEST + 1), p=[0.2, 0.8])
    few = np.arange(games.LARGEST)
    expected = weights_by_solver(margins, few)[0]
    assert best_weights(margins, few)[0] == pytest.approx(expected)

    def never(*given: object) -> None:
        raise AssertionError("asked for a game of too many learners")

    monkeypatch.setattr(games, "game", never)
    everything = np.arange(games.LARGEST + 1)
    value, weights, multipliers = best_weights(margins, everything)
    assert value == pytest.approx((margins @ weights).min())
    assert (multipliers @ margins).max() == pytest.approx(value, abs=1e-6)


def test_rows_that_enter_one_by_one_give_the_same_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    """With all rows of 20,000 samples at once the LP took 15 seconds, now some tenths."""
    rng = np.random.default_rng(1)
    margins = rng.uniform(-0.3, 1.0, (300, 12))
    expected = game(margins, np.arange(12))[0]
    for at_once in (1, 7, 300):
        for module in (games, master):
            monkeypatch.setattr(module, "AT_ONCE", at_once)
        value, weights, multipliers = weights_by_solver(margins, np.arange(12))
        assert value == pytest.approx(expected, abs=1e-7)
        assert (margins @ weights).min() == pytest.approx(value)
        assert (multipliers @ margins).max() == pytest.approx(value, abs=1e-6)
        assert (multipliers.sum(), multipliers.shape) == (pytest.approx(1.0), (300,))


def test_weights_that_there_is_no_time_for_end_the_run_with_the_best_so_far(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    X, y = load_iris(return_X_y=True)
    model = RandomForestClassifier(20, max_depth=3, random_state=0).fit(X, y)
    monkeypatch.setattr(games, "LARGEST", 0)

    def out_of_time(margins: Any, support: Any, clock: Clock | None) -> Any:
        if clock is None:
            return weights_by_solver(margins, support)
        clock.end()
        raise MasterNotSolvedError("highs", "no solution")

    monkeypatch.setattr(games, "weights_by_solver", out_of_time)
    for order in ORDERS:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", EndedEarlyWarning)
            small = compress(model, X, alpha=0.1, time_limit=60.0, order=order, generate=False)
        assert small.certificate_.faithful
        assert small.n_learners_ <= 20
