"""The classifier's other loss, its limits on predictions and its forced columns, on tiny tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from compactml.boolean_rules import BooleanRuleClassifier, BooleanRuleClassifierCV
from compactml.errors import InvalidDataError, InvalidParameterError
from tests.boolean_rules.endings import ended_early
from tests.boolean_rules.test_endings import hard, interrupt
from tests.boolean_rules.test_weights import clauses_of, tiny, weighted_loss

Said = NDArray[np.bool_]
COMPLEXITY = 5


def said_by(X: NDArray[Any], clauses: Any, form: str) -> Said:
    """Rows of which the rules are true."""
    if form == "dnf":
        return np.array([any(all(row[j] for j in clause) for clause in clauses) for row in X])
    return np.array([all(any(row[j] for j in clause) for clause in clauses) for row in X])


def every_set(X: NDArray[Any], form: str) -> Iterator[tuple[Any, Said]]:
    clauses = [clause for k in range(1, COMPLEXITY) for clause in combinations(range(X.shape[1]), k)]
    for k in range(COMPLEXITY // 2 + 1):
        for chosen in combinations(clauses, k):
            if sum(1 + len(clause) for clause in chosen) <= COMPLEXITY:
                yield chosen, said_by(X, chosen, form)


def wrong(y: Said, said: Said, weights: NDArray[Any]) -> float:
    return float(weights[said != y].sum())


def model(**parameters: Any) -> BooleanRuleClassifier:
    return BooleanRuleClassifier(COMPLEXITY, binarizer=None, **parameters)


def checked(
    fitted: BooleanRuleClassifier,
    X: NDArray[Any],
    y: Said,
    weights: NDArray[Any],
    keeps: Callable[[Said], Any],
) -> None:
    """The 0-1 loss is the least of those that keep a limit."""
    best = min(wrong(y, said, weights) for _, said in every_set(X, fitted.form) if keeps(said))
    said = fitted.predict(X).astype(bool)
    assert keeps(said)
    assert (said == said_by(X, clauses_of(fitted), fitted.form)).all()
    assert fitted.objective_ == pytest.approx(best)
    assert fitted.lower_bound_ == pytest.approx(best, rel=1e-3)
    assert wrong(y, said, weights) == pytest.approx(best)


@pytest.mark.parametrize("form", ["dnf", "cnf"])
@pytest.mark.parametrize("seed", range(3))
def test_the_zero_one_loss_counts_weights_and_costs(seed: int, form: str) -> None:
    X, y, rng = tiny(seed)
    weights = rng.integers(1, 4, len(y))
    fitted = model(form=form, loss="zero_one", error_costs=(2, 1)).fit(X, y, sample_weight=weights)
    checked(fitted, X, y, weights * np.where(y, 2, 1), lambda said: True)


@pytest.mark.parametrize("form", ["dnf", "cnf"])
@pytest.mark.parametrize("seed", range(3))
def test_an_alert_budget_counts_rows_whatever_they_weigh(seed: int, form: str) -> None:
    X, y, rng = tiny(seed)
    weights = rng.integers(1, 9, len(y))
    share = 0.4 if form == "dnf" else 0.7
    fitted = model(form=form, loss="zero_one", max_flagged=share).fit(X, y, sample_weight=weights)
    checked(fitted, X, y, weights, lambda said: said.mean() <= share)


def test_an_alert_budget_binds_the_hamming_loss_too() -> None:
    X, y, _ = tiny(1)
    ones = np.ones(len(y))
    free = model().fit(X, y)
    share = free.predict(X).mean() - 1 / len(y)
    fitted = model(max_flagged=share).fit(X, y)
    best = min(
        weighted_loss(X, y, ones, rules) for rules, said in every_set(X, "dnf") if said.mean() <= share
    )
    assert fitted.objective_ == fitted.lower_bound_ == best > free.objective_
    assert fitted.predict(X).mean() <= share


def test_a_budget_that_nothing_keeps_names_the_least_that_something_does() -> None:
    X, y, _ = tiny(2)
    least = min(said.mean() for _, said in every_set(X, "cnf"))
    with pytest.raises(InvalidParameterError, match=r"^max_flagged: must be at least") as caught:
        model(form="cnf", max_flagged=least / 2).fit(X, y)
    found = re.search(r"at least (\S+),", str(caught.value))
    assert found is not None
    named = float(found.group(1))
    assert least <= named <= least + 2e-6
    assert model(form="cnf", max_flagged=named).fit(X, y).predict(X).mean() == pytest.approx(least)


def test_a_forced_column_may_need_a_larger_budget() -> None:
    X, y, _ = tiny(2)
    shares = [X[:, [0, *more]].all(axis=1).mean() for k in range(4) for more in combinations((1, 2, 3), k)]
    least = min(share for share in shares if share > 0)
    with pytest.raises(InvalidParameterError, match=r"^max_flagged: must be at least") as caught:
        model(max_flagged=0.0, forced_columns=["x0"]).fit(X, y)
    found = re.search(r"at least (\S+),", str(caught.value))
    assert found is not None
    assert 1 / len(y) <= float(found.group(1)) <= least + 2e-6
    named = model(max_flagged=float(found.group(1)), forced_columns=["x0"]).fit(X, y)
    assert any(0 in clause for clause in clauses_of(named))
    assert named.predict(X).mean() == pytest.approx(float(found.group(1)), abs=2e-6)


@pytest.mark.parametrize("form", ["dnf", "cnf"])
@pytest.mark.parametrize("seed", range(3))
def test_true_positive_rates_of_groups_differ_by_at_most_so_much(seed: int, form: str) -> None:
    X, y, rng = tiny(seed, 40)
    groups, weights = rng.choice(["a", "b"], len(y)), rng.integers(1, 4, len(y))

    def keeps(said: Said) -> bool:
        rates = [said[(groups == g) & y].mean() for g in "ab"]
        return bool(abs(rates[0] - rates[1]) <= 0.05 + 1e-9)

    fitted = model(form=form, loss="zero_one", equal_opportunity=0.05)
    checked(fitted.fit(X, y, weights, groups=groups), X, y, weights, keeps)


def test_groups_may_be_a_column() -> None:
    X, y, _ = tiny(0, 40)
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(4)])
    by_name = model(equal_opportunity=0.1).fit(frame, y, groups="x2")
    assert by_name.rules_ == model(equal_opportunity=0.1).fit(frame, y, groups=X[:, 2]).rules_
    assert by_name.rules_ == model(equal_opportunity=0.1).fit(X, y, groups="x2").rules_


@pytest.mark.parametrize("seed", range(3))
def test_forced_columns_are_used_and_matter(seed: int) -> None:
    X, y, _ = tiny(seed)
    X = np.hstack([X, X[:, :1]])  # the same column again: the forced one of the two is taken
    fitted = model(loss="zero_one", forced_columns=["x4", "x3"]).fit(X, y)
    used = {j for clause in clauses_of(fitted) for j in clause}
    assert {3, 4} <= used
    for clause in clauses_of(fitted):
        for j in clause:
            shorter = [q for q in clause if q != j]
            assert not shorter or X[:, shorter].all(axis=1).sum() > X[:, list(clause)].all(axis=1).sum()


def test_a_limit_on_time_leaves_a_gap_and_a_warning() -> None:
    X, y = hard()
    fitted = BooleanRuleClassifier(12, binarizer=None, time_limit=1.0, loss="zero_one", max_flagged=0.3)
    with ended_early("BooleanRuleClassifier: time_limit=1 s"):
        fitted.fit(X, y)
    assert 0 <= fitted.lower_bound_ < fitted.objective_
    assert fitted.predict(X).mean() <= 0.3
    assert fitted.training_errors_ == fitted.objective_


def test_an_interrupt_keeps_the_best_so_far() -> None:
    X, y = hard()
    with ended_early("BooleanRuleClassifier: an interrupt"):
        fitted = model(loss="zero_one", max_flagged=0.3, callback=interrupt).fit(X, y)
    assert fitted.lower_bound_ <= fitted.objective_ == fitted.training_errors_
    assert fitted.predict(X).mean() <= 0.3


@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        ({"loss": "hinge"}, "loss"),
        ({"max_flagged": -0.1}, "max_flagged"),
        ({"max_flagged": 1.5}, "max_flagged"),
        ({"max_flagged": "few"}, "max_flagged"),
        ({"equal_opportunity": 2}, "equal_opportunity"),
        ({"equal_opportunity": 0.1}, "groups"),
        ({"forced_columns": "x1"}, "forced_columns"),
        ({"forced_columns": 3}, "forced_columns"),
        ({"forced_columns": ["x9"]}, "forced_columns"),
        ({"forced_columns": ["x1"], "forbidden_columns": ["x1"]}, "forced_columns"),
        ({"forced_columns": ["x0", "x1", "x2"], "complexity": 3}, "forced_columns"),
        ({"loss": "zero_one", "pricing": "paper"}, "pricing"),
        ({"max_flagged": 0.1, "pricing": "mip"}, "pricing"),
    ],
)
def test_what_cannot_be_asked_is_refused_by_name(parameters: dict[str, Any], name: str) -> None:
    X, y, _ = tiny(0)
    with pytest.raises(InvalidParameterError, match=f"^{name}: must be"):
        model().set_params(**parameters).fit(X, y)


@pytest.mark.parametrize(
    "parameters",
    [{"max_flagged": 0.1}, {"equal_opportunity": 0.1}, {"forced_columns": ["x0"]}],
)
def test_several_classes_cannot_ask_for_it_and_are_told_why(parameters: dict[str, Any]) -> None:
    X, _, _ = tiny(0)
    groups = X[:, 0] if "equal_opportunity" in parameters else None
    with pytest.raises(InvalidParameterError, match=f"^{next(iter(parameters))}: must be .* the one class"):
        model(**parameters).fit(X, X[:, 0] + X[:, 1], groups=groups)


def test_groups_that_cannot_be_used_are_refused() -> None:
    X, y, _ = tiny(0)
    equal = model(equal_opportunity=0.1)
    with pytest.raises(InvalidParameterError, match=r"^groups: must be .* got 'none'"):
        BooleanRuleClassifierCV((2,), cv=2, estimator=equal).fit(X, y)
    with pytest.raises(InvalidParameterError, match=r"^groups: must be"):
        model().fit(X, y, groups=X[:, 0])
    with pytest.raises(InvalidParameterError, match=r"^groups: must be one of the columns"):
        equal.fit(X, y, groups="x7")
    with pytest.raises(InvalidDataError, match=r"^groups: must be a value for each of 30 rows"):
        equal.fit(X, y, groups=X[:5, 0])
    with pytest.raises(InvalidDataError, match=r"^groups: .* missing values"):
        equal.fit(X, y, groups=np.where(X[:, 0] == 1, np.nan, 1.0))
    with pytest.raises(InvalidDataError, match=r"^groups: .* at least two groups"):
        equal.fit(X, y, groups=np.ones(len(y)))
