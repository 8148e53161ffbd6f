"""Opinions on pruned ensembles: another solver confirms what is proved and refutes what is not so."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from compactml.chapters.ensemble_pruning.chapter import CHAPTER
from compactml.chapters.ensemble_pruning.trials import beyond, plain
from compactml.chapters.ensemble_pruning.trials import opinions as module
from compactml.chapters.ensemble_pruning.trials import paper as programs
from compactml.chapters.ensemble_pruning.trials.opinions import opinion
from compactml.chapters.ensemble_pruning.trials.votes import PARTS, Votes
from compactml.ensemble_pruning.instance import PruningInstance
from compactml.study.running.asking import LIMIT
from compactml.study.trial import Trial

OWN = {
    "program": ("F1", "F2", "F3", "F1_theta"),
    "plain": ("F1", "F3"),
    "curve": ("plain", "branching"),
    "bounds": ("F1",),
}
CASES = [(kind, method) for kind, methods in OWN.items() for method in methods]


@pytest.fixture(autouse=True)
def noisy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Votes of 7 classifiers that are right on three of four points."""
    rng = np.random.default_rng(3)
    y = rng.random(50) < 0.4
    set_votes(monkeypatch, (rng.random((50, 7)) < 0.25) ^ y[:, None], y)


def set_votes(monkeypatch: pytest.MonkeyPatch, votes: np.ndarray, y: np.ndarray) -> None:
    for one in (beyond, module, plain, programs):
        monkeypatch.setattr(one, "trial_votes", lambda trial: dict.fromkeys(PARTS, Votes(votes, y)))


def trial(kind: str, method: str, limit: float | None = 20.0) -> Trial:
    return Trial(CHAPTER.name, kind, "wdbc", method, 0, 0, (("K", 7), ("pool", 7)), limit)


def asked(kind: str, method: str) -> tuple[Trial, dict[str, Any]]:
    """The opinion trial on a trial's result, and that result."""
    own = trial(kind, method)
    result = CHAPTER.run(own)
    found = opinion(own, result, "highs")
    assert found is not None
    return found, result


def stating(other: Trial, value: float) -> Trial:
    return replace(other, parameters=tuple({**dict(other.parameters), "stated": value}.items()))


def said(other: Trial) -> dict[str, Any]:
    return CHAPTER.run(other)


@pytest.mark.parametrize(("kind", "method"), CASES)
def test_another_solver_confirms_a_proved_ensemble(kind: str, method: str) -> None:
    other, result = asked(kind, method)
    assert (other.kind, other.method, other.time_limit) == ("opinion", method, 20.0)
    assert dict(other.parameters).items() >= {"K": 7, "of": kind, "not_by": "highs"}.items()
    found = said(other)
    assert found["verdict"] == "confirmed"
    assert not str(found["solver"]).startswith("highs")
    assert found["value"] == pytest.approx(dict(other.parameters)["stated"])
    if kind != "bounds":
        assert found["value"] == pytest.approx(result["value"])


@pytest.mark.parametrize(("kind", "method"), CASES)
@pytest.mark.parametrize("points", [-1, 1])
def test_a_value_that_is_none_is_refuted(kind: str, method: str, points: int) -> None:
    other = asked(kind, method)[0]
    stated = dict(other.parameters)["stated"]
    assert isinstance(stated, float)
    unit = 0.5 if method == "F1_theta" else 1.0
    assert said(stating(other, stated + unit * points))["verdict"] == "refuted"


def test_calling_every_point_negative_may_be_best(monkeypatch: pytest.MonkeyPatch) -> None:
    votes = np.array([[1, 0], [0, 1], [1, 1], [1, 1], [0, 1]], dtype=bool)
    y = np.array([0, 0, 0, 0, 1], dtype=bool)
    set_votes(monkeypatch, votes, y)
    instance = PruningInstance.from_votes(votes, y)
    other, result = asked("program", "F1")
    assert result["value"] == 4.0 == instance.unit * instance.offset
    assert said(other)["verdict"] == "confirmed"
    assert said(stating(other, 3.0))["verdict"] == "refuted"


def test_a_set_that_is_diverse_enough_only_within_the_tolerance_refutes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other, result = asked("program", "F3")
    false = stating(other, result["value"] - 1)
    monkeypatch.setattr(module, "_raised", lambda limits: replace(limits, min_pfc=1.0, mean_pfc=1.0))
    found = said(false)
    assert found["verdict"] == "not refuted"
    assert "tolerance" in found["reason"]


@pytest.mark.parametrize(
    ("kind", "result"),
    [
        ("program", {"value": 40.0, "gap": 0.01, "proved": 0}),
        ("curve", {"value": 40.0, "gap": None}),
        ("bounds", {"gap_isotonic": 0.3, "gap_asummability": 0.1, "gap_branching": 0.1}),
        ("baseline", {"value": 40.0}),
        ("dataset", {"n": 50}),
        ("opinion", {"verdict": "confirmed"}),
    ],
)
def test_no_opinion_on_what_is_not_called_optimal(kind: str, result: dict[str, Any]) -> None:
    assert opinion(trial(kind, "F1"), result, None) is None


def test_an_opinion_has_a_limit_and_a_cost() -> None:
    found = opinion(trial("program", "F1", None), {"value": 40.0, "gap": 0.0}, None)
    assert found is not None
    assert found.time_limit == LIMIT
    assert CHAPTER.cost(found) == LIMIT
    long = opinion(trial("plain", "F1", 5 * LIMIT), {"value": 40.0, "gap": 0.0}, None)
    assert long is not None
    assert long.time_limit == LIMIT
