"""The number of nearly optimal rule sets, against all sets of clauses with different rows."""

from __future__ import annotations

import warnings
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from compactml.boolean_rules import BooleanRuleClassifier, count_rule_sets
from compactml.boolean_rules.exact import sets
from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.watch import News
from tests.boolean_rules.endings import ended_early
from tests.boolean_rules.test_endings import hard
from tests.boolean_rules.test_weights import tiny


def by_hand(
    X: NDArray[Any],
    y: NDArray[Any],
    weights: NDArray[Any],
    complexity: int,
    within: float,
    *,
    zero_one: bool,
    most: float,
) -> tuple[int, float]:
    """Number of rule sets that flag at most a share ``most`` of the rows, and the least loss."""
    costs: dict[tuple[bool, ...], int] = {}
    for size in range(1, complexity):
        for clause in combinations(range(X.shape[1]), size):
            rows = tuple(bool(one) for one in X[:, list(clause)].all(axis=1))
            if any(rows):
                costs.setdefault(rows, 1 + size)  # the shortest comes first
    losses = []
    for k in range(complexity // 2 + 1):
        for chosen in combinations(costs, k):
            if sum(costs[rows] for rows in chosen) > complexity:
                continue
            times = np.sum(chosen, axis=0) if chosen else np.zeros(len(y))
            if (times > 0).mean() > most + 1e-9:
                continue
            alarms = np.minimum(times, 1) if zero_one else times
            losses.append((weights * np.where(y, times == 0, alarms)).sum())
    worst = np.floor(min(losses) * (1 + within) + 1e-9)
    return sum(loss <= worst for loss in losses), min(losses)


@pytest.mark.parametrize("loss", ["hamming", "zero_one"])
@pytest.mark.parametrize(("within", "most"), [(0.05, 1.0), (0.3, 1.0), (0.2, 0.3)])
@pytest.mark.parametrize("seed", range(3))
def test_all_nearly_optimal_sets_are_counted(seed: int, within: float, most: float, loss: str) -> None:
    X, y, rng = tiny(seed)
    weights = rng.integers(1, 4, len(y))
    model = BooleanRuleClassifier(6, binarizer=None, loss=loss, max_flagged=None if most == 1 else most)
    counted = count_rule_sets(model, X, y, weights, within=within)
    expected, best = by_hand(X, y, weights, 6, within, zero_one=loss == "zero_one", most=most)
    assert (counted.count, counted.exact, counted.best) == (expected, True, best)
    assert best <= counted.worst <= best * (1 + within) + 1e-9


def test_more_than_asked_for_is_at_least() -> None:
    X, y, _ = tiny(0)
    model = BooleanRuleClassifier(6, binarizer=None)
    every = count_rule_sets(model, X, y, within=1.0)
    assert every.exact
    assert every.count > 10
    exactly = count_rule_sets(model, X, y, within=1.0, most=every.count)
    assert (exactly.count, exactly.exact) == (every.count, True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # it was asked for no more
        some = count_rule_sets(model, X, y, within=1.0, most=every.count - 1)
    assert (some.count, some.exact) == (every.count - 1, False)
    assert str(some).startswith(f"at least {every.count - 1} rule sets")


def test_a_limit_on_time_leaves_what_was_counted() -> None:
    X, y = hard()
    news: list[News] = []
    model = BooleanRuleClassifier(12, binarizer=None, time_limit=1.0, callback=news.append)
    with ended_early("count_rule_sets: time_limit=1 s"):
        counted = count_rule_sets(model, X, y)
    assert not counted.exact
    assert counted.count >= 0
    assert counted.worst <= 1.05 * counted.best
    assert news[-1].value == counted.best


def test_a_list_of_clauses_that_is_too_long_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y, _ = tiny(0)
    model = BooleanRuleClassifier(6, binarizer=None, time_limit=None)
    monkeypatch.setattr(sets, "CAPACITY", 1)
    with ended_early("count_rule_sets: the capacity of the enumeration"):
        counted = count_rule_sets(model, X, y, within=1.0)
    assert not counted.exact


def test_the_form_of_a_cnf_is_counted_too() -> None:
    X, y, _ = tiny(1)
    cnf = BooleanRuleClassifier(5, form="cnf", binarizer=None)
    expected, best = by_hand(1 - X, ~y, np.ones(len(y)), 5, 0.1, zero_one=False, most=1.0)
    counted = count_rule_sets(cnf, X, y, within=0.1)
    assert (counted.count, counted.best, counted.exact) == (expected, best, True)


def test_what_cannot_be_counted_is_refused() -> None:
    X, y, rng = tiny(0)
    model = BooleanRuleClassifier(4, binarizer=None)
    for name, parameters in (("within", {"within": -1}), ("most", {"most": 0}), ("most", {"most": 2.5})):
        with pytest.raises(InvalidParameterError, match=f"^{name}: must be"):
            count_rule_sets(model, X, y, **parameters)  # type: ignore[arg-type]
    with pytest.raises(InvalidParameterError, match=r"^estimator: must be a BooleanRuleClassifier"):
        count_rule_sets(None, X, y)  # type: ignore[arg-type]
    with pytest.raises(InvalidDataError, match=r"^y: must be labels of two classes, got 3 classes"):
        count_rule_sets(model, X, X[:, 0] + X[:, 1])
    with pytest.raises(InvalidDataError, match=r"^sample_weight: must be whole multiples"):
        count_rule_sets(model, X, y, rng.random(len(y)) * rng.choice([1e-3, 1, 1e3], len(y)))
    with pytest.raises(InvalidParameterError, match=r"^max_flagged: must be at least"):
        count_rule_sets(BooleanRuleClassifier(4, form="cnf", binarizer=None, max_flagged=0.0), X, y)
