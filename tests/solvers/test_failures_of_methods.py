"""The methods above the solvers: whatever a solver does, an answer that is right or an error of the project."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier

from compactml.boolean_rules import BooleanRuleClassifier
from compactml.ensemble_pruning import prune
from compactml.errors import CompactmlError
from compactml.feature_selection import FractionalProgram
from compactml.feature_selection.solving import solve as fractional
from compactml.pace import compress, refit
from compactml.solvers import usable_solvers
from compactml.solvers.registry import adapter
from tests.solvers.test_failures import FAILURES, WARM_FAILURES, Spoiled, spoil


def spoil_all(monkeypatch: pytest.MonkeyPatch, what: str, names: tuple[str, ...]) -> None:
    """One-shot and growing programs of these solvers fail."""
    for name in names:
        spoil(monkeypatch, name, FAILURES[what])
        kind = type(adapter(name))
        honest = kind.warm
        way = WARM_FAILURES.get(what, FAILURES[what])
        monkeypatch.setattr(
            kind,
            "warm",
            lambda self, problem, honest=honest, way=way: Spoiled(honest(self, problem), way),  # type: ignore[misc]
        )


def check_compress() -> None:
    X, y = load_iris(return_X_y=True)
    X, y = np.round(X[50::5, 2:]), y[50::5]
    model = RandomForestClassifier(3, max_depth=1, random_state=0).fit(X, y)
    for small in (
        compress(model, X, time_limit=30.0),
        refit(compress(model, X, generate=False, prune=False)),
    ):
        codes = small.setting.grid.codes(X)
        inside = codes[small.setting.region.contains(codes)]
        np.testing.assert_array_equal(small.ensemble.predict(inside), small.setting.region.labels(inside))


def check_prune() -> None:
    rng = np.random.default_rng(0)
    votes, y = rng.integers(0, 2, (8, 4)), rng.integers(0, 2, 8)
    best = 0
    for chosen in product((0, 1), repeat=4):
        for threshold in range(5):
            best = max(best, int(((votes @ np.array(chosen) > threshold) == y).sum()))
    for formulation in ("plain", "strengthened"):
        result = prune(votes, y, formulation=formulation)
        assert (result.value, result.bound) == (best, best)


def check_fractional() -> None:
    rng = np.random.default_rng(0)
    b, d = rng.normal(size=(4, 4)), rng.random((4, 4))
    program = FractionalProgram(rng.normal(size=4), b + b.T, rng.random(4) + 0.1, d + d.T)
    best = max(program.value(np.flatnonzero(x)) for x in product((0, 1), repeat=4) if any(x))
    for method in ("newton", "binary_search", "milp1"):
        result = fractional(program, method=method, gap_rel=1e-4, gap_abs=0.0)
        assert result.proved
        assert result.bound >= best - 1e-7
        assert result.value >= best - 1e-3 * abs(best)


def check_fit() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (40, 4)).astype(bool)
    y = (X[:, 0] & X[:, 1]) | X[:, 2]
    for pricing in ("branch_and_bound", "mip"):
        fitted = BooleanRuleClassifier(complexity=6, pricing=pricing).fit(X, y)
        assert (fitted.predict(X) == y).all()


CHECKS: dict[str, Callable[[], Any]] = {
    "compress and refit": check_compress,
    "prune": check_prune,
    "fractional": check_fractional,
    "fit": check_fit,
}
by_each = pytest.mark.parametrize("what", ["error", "no answer", "another objective", "an infeasible point"])


@by_each
@pytest.mark.parametrize("check", CHECKS)
def test_one_solver_that_fails_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, solver: str, what: str, check: str
) -> None:
    monkeypatch.delenv("COMPACTML_SOLVER", raising=False)
    spoil_all(monkeypatch, what, (solver,))
    CHECKS[check]()


@by_each
@pytest.mark.parametrize("check", CHECKS)
def test_where_all_fail_the_error_says_what(monkeypatch: pytest.MonkeyPatch, what: str, check: str) -> None:
    monkeypatch.delenv("COMPACTML_SOLVER", raising=False)
    spoil_all(monkeypatch, what, usable_solvers())
    message = next(iter(usable_solvers()))
    try:
        CHECKS[check]()  # some have an answer of their own
    except CompactmlError as error:
        message = str(error)
    assert any(name in message for name in usable_solvers())
