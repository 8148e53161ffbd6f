"""Opinions on proved rules and clauses: another solver confirms what is so and refutes what is not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from compactml.boolean_rules.duals import Duals
from compactml.chapters.boolean_rules import NAME
from compactml.chapters.boolean_rules.chapter import CHAPTER
from compactml.chapters.boolean_rules.trials import engines, instances, synthetic_rows
from compactml.chapters.boolean_rules.trials import opinions as module
from compactml.chapters.boolean_rules.trials.opinions import opinion
from compactml.study.trial import Scalar, Trial

OPTIMUM = Trial(NAME, "optimum", "wdbc", "CG", parameters=(("C", 5), ("gap", 0.0)), time_limit=20.0)
ENGINE = Trial(NAME, "engine", "wdbc", "branch and bound", parameters=(("C", 4),), time_limit=20.0)


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """60 rows of four numbers in few values; the class is a conjunction with noise."""
    rng = np.random.default_rng(8)
    X = pd.DataFrame(rng.integers(0, 4, (60, 4)), columns=list("abcd"))
    y = ((X["a"] > 1) & (X["b"] > 0)).to_numpy() ^ (rng.random(60) < 0.1)
    monkeypatch.setattr(instances, "problem", lambda key: (X, y))


def asked(own: Trial, **changes: Scalar) -> tuple[Trial, dict[str, Any]]:
    """The opinion trial on a trial's result, and that result."""
    result = CHAPTER.run(own)
    found = opinion(own, result, "highs")
    assert found is not None
    return changed(found, **changes), result


def changed(other: Trial, **changes: Scalar) -> Trial:
    return replace(other, parameters=tuple({**dict(other.parameters), **changes}.items()))


def said(other: Trial) -> dict[str, Any]:
    return CHAPTER.run(other)


def test_another_solver_confirms_a_proved_rule_set() -> None:
    other, result = asked(OPTIMUM)
    assert (other.kind, other.time_limit) == ("opinion", 20.0)
    named = {"C": 5, "of": "optimum", "stated": result["loss"], "bound": result["loss"], "not_by": "highs"}
    assert dict(other.parameters) == {**named, "gap": 0.0}
    found = said(other)
    assert (found["verdict"], found["value"], found["bound"]) == ("confirmed", result["loss"], result["loss"])
    assert not str(found["solver"]).startswith("highs")


@pytest.mark.parametrize("more", [-1, 1])
def test_a_loss_that_is_none_is_refuted(more: int) -> None:
    other, result = asked(OPTIMUM)
    loss = result["loss"] + more
    assert said(changed(other, stated=loss, bound=loss))["verdict"] == "refuted"


def test_a_relaxation_that_proves_less_refutes_nothing() -> None:
    """Where an enumeration closed the gap, the same duals prove less than the value."""
    assert module._verdict(143, 143, 142, None) == (  # type: ignore[arg-type]
        "not refuted",
        "it proves 142 of 143 at the duals of the relaxation",
    )


def at_price(price: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the duals those before any clause, at a price of our choice."""

    def duals(instance: Any, complexity: int, search: Any) -> Any:
        return Duals.rounded(instance, instance.positives.astype(float), price)

    for one in (engines, module):
        monkeypatch.setattr(one, "duals_without_beam", duals)


def test_another_solver_confirms_the_best_clause_at_the_duals_of_the_trial() -> None:
    found = said(asked(ENGINE)[0])
    assert found["verdict"] == "confirmed"
    assert not str(found["solver"]).startswith("highs")


@pytest.mark.parametrize(("more", "verdict"), [(-0.5, "refuted"), (0.0, "confirmed"), (0.5, "refuted")])
def test_a_clause_that_gains_something(more: float, verdict: str, monkeypatch: pytest.MonkeyPatch) -> None:
    at_price(1.0, monkeypatch)
    other, result = asked(ENGINE)
    assert result["best"] > 0.5
    found = said(changed(other, stated=result["best"] + more, bound=result["best"] + more))
    assert found["verdict"] == verdict
    assert found["value"] == pytest.approx(result["best"], abs=1e-5)


def test_no_clause_that_gains_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    at_price(1000.0, monkeypatch)
    other, result = asked(ENGINE)
    assert result["best"] == 0
    assert said(other)["verdict"] == "confirmed"
    assert said(changed(other, stated=0.5, bound=0.5))["verdict"] == "refuted"
    at_price(1.0, monkeypatch)
    assert said(other)["verdict"] == "refuted"


def test_a_rule_set_of_the_growth_study() -> None:
    own = Trial(NAME, "growth", "synthetic", parameters=(("n", 40),), time_limit=20.0)
    result: dict[str, Any] = {"loss": 3, "bound": 3}
    found = opinion(own, result, None)
    assert found is not None
    assert CHAPTER.generated(found) == CHAPTER.generated(own) == (synthetic_rows.synthetic, (40, 0))
    task = module.Task.of(found)
    assert (task.complexity, task.max_clause_size) == (
        synthetic_rows.COMPLEXITY,
        synthetic_rows.LEARNING_SIZE,
    )
    assert int(task.instance.positives.sum() + task.instance.negatives.sum()) == 40


def test_a_program_too_large_for_any_solver_is_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST", 10)
    found = said(asked(OPTIMUM)[0])
    assert (found["verdict"], found["solver"]) == ("not refuted", None)
    assert "entries" in found["reason"]


@pytest.mark.parametrize(
    ("kind", "result"),
    [
        ("optimum", {"loss": 10, "bound": 9, "proved": 0}),
        ("fico_rule", {"accuracy": 0.7, "loss": 10}),
        ("growth", {"beam": 1.0}),
        ("growth", {"loss": 101, "bound": 100, "gap": 0.0099}),
        ("engine", {"outcome": "ModelTooLargeError", "finished": 0}),
        ("nested", {"loss": 10, "bound": 10, "gap": 0.0}),
        ("liver_reading", {"accuracy": 0.7}),
        ("opinion", {"value": 10, "bound": 10}),
    ],
)
def test_no_opinion_on_what_is_not_called_optimal(kind: str, result: dict[str, Any]) -> None:
    assert opinion(replace(OPTIMUM, kind=kind), result, None) is None


def test_an_opinion_has_a_limit_and_a_cost() -> None:
    found = opinion(replace(OPTIMUM, time_limit=None), {"loss": 3, "bound": 3}, None)
    assert found is not None
    assert found.time_limit == module.LIMIT
    assert CHAPTER.cost(found) == 2 * module.LIMIT
