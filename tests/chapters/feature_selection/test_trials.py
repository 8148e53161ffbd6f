"""Trials behind Tables 2-7: results against independent evaluations, and models that are too large."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB, MultinomialNB

from compactml.chapters.feature_selection import datasets
from compactml.chapters.feature_selection.datasets import CONTINUOUS, DISCRETE, LEVELS
from compactml.chapters.feature_selection.trials import paper as module
from compactml.chapters.feature_selection.trials import scores as scoring
from compactml.chapters.feature_selection.trials import solving
from compactml.chapters.feature_selection.trials.scores import F1, naive_bayes, scores, set_scores
from compactml.feature_selection.result import FractionalResult
from compactml.solvers.licences import Level, Licence
from compactml.study.trial import Trial, checked_result

KEY = "toy"
METHODS = ("milp1", "milp2", "binary_search", "newton")


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Six features of three levels; the class depends on two of them, the last feature is constant."""
    rng = np.random.default_rng(3)
    X = pd.DataFrame(rng.integers(0, 3, (90, 6)), columns=list("abcdef"))
    y = ((X["a"] + X["b"] > 1) ^ (rng.random(90) < 0.1)).astype("int64")
    X["f"] = 1
    own = datasets.PaperDataset("toy", KEY, 6, 90, DISCRETE, LEVELS)
    monkeypatch.setitem(datasets.BY_KEY, KEY, own)
    for one in (datasets, module):
        monkeypatch.setattr(one, "BY_KEY", datasets.BY_KEY)
    monkeypatch.setattr(datasets, "prepared", lambda key: type("D", (), {"X": X, "y": y})())
    datasets.table.cache_clear()
    yield
    datasets.table.cache_clear()


def trial(method: str, measure: str = "mrmr", limit: float | None = 20.0) -> Trial:
    parameters = (("measure", measure), ("discretizer", LEVELS))
    return Trial("feature-selection", "any", KEY, method=method, parameters=parameters, time_limit=limit)


def brute_force(measure: str) -> tuple[float, list[tuple[int, ...]]]:
    own = solving.trial_program(trial("", measure))
    sets = [np.flatnonzero([(k >> j) & 1 for j in range(6)]) for k in range(1, 64)]
    values = {tuple(map(int, one)): own.value(one) for one in sets}
    best = max(values.values())
    return best, [one for one, value in values.items() if value >= best - max(0.01 * abs(best), 1e-3)]


@pytest.mark.parametrize("measure", ["mrmr", "cfs"])
@pytest.mark.parametrize("method", [*METHODS, "milp3"])
def test_each_method_finds_a_best_set_by_the_papers_tolerance(method: str, measure: str) -> None:
    if (method, measure) == ("milp3", "cfs"):
        pytest.skip("MILP3 is for mRMR")
    found: dict[str, Any] = checked_result(module.run_solver(trial(method, measure)))
    best, near = brute_force(measure)
    assert (found["outcome"], found["proved"], found["time_limit_reached"]) == ("proved", 1, 0)
    assert tuple(json.loads(found["support"])) in near
    assert found["value"] <= best + 1e-9
    assert found["bound"] >= best - 1e-9
    assert found["n_selected"] == len(json.loads(found["support"]))
    assert found["gap_proved"] == pytest.approx(found["bound"] - found["value"])
    assert (found["iterations"] > 0) == (method in ("binary_search", "newton"))
    assert found["solver"]
    for name, score in set_scores(KEY, np.array(json.loads(found["support"])), DISCRETE).items():
        assert F1(found[f"f1_nb_{name}"], found[f"f1_rf_{name}"]) == score


def test_the_scores_are_those_of_five_shuffled_folds() -> None:
    X, y = datasets.table(KEY)
    chosen = X[["a", "b"]].to_numpy(float)
    found = scores(chosen, y, DISCRETE)
    for name, model in {
        "nb": MultinomialNB(),
        "rf": RandomForestClassifier(100, max_depth=2, random_state=0),
    }.items():
        by_fold = [
            f1_score(y[test], model.fit(chosen[train], y[train]).predict(chosen[test]), average="weighted")
            for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(chosen, y)
        ]
        assert getattr(found["mean"], f"f1_{name}") == pytest.approx(np.mean(by_fold))
        assert getattr(found["std"], f"f1_{name}") == pytest.approx(np.std(by_fold))


def test_naive_bayes_follows_the_type_of_the_data() -> None:
    positive, negative = np.ones((2, 2)), -np.ones((2, 2))
    assert isinstance(naive_bayes(positive, DISCRETE), MultinomialNB)
    assert isinstance(naive_bayes(positive, CONTINUOUS), GaussianNB)
    assert isinstance(naive_bayes(negative, DISCRETE), GaussianNB)  # multinomial refuses it


def test_a_class_with_fewer_rows_than_folds_is_no_warning() -> None:
    X, y = np.arange(40.0)[:, None], np.repeat([0, 1, 2], [20, 17, 3])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert 0 <= scores(X, y, CONTINUOUS)["mean"].f1_nb <= 1


def test_no_set_has_no_scores() -> None:
    assert set_scores(KEY, np.zeros(0, dtype=np.intp), DISCRETE) == {}


def test_a_set_is_scored_once_and_another_order_set_or_seed_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = datasets.table(KEY)
    asked: list[tuple[list[str], int]] = [(["a", "b"], 5), (["b", "a"], 5), (["a", "c"], 5), (["a", "b"], 6)]
    by_hand = [scores(X[names].to_numpy(float), y, DISCRETE, seed) for names, seed in asked]
    counted = Mock(side_effect=scores)
    monkeypatch.setattr(scoring, "_KNOWN", {})
    monkeypatch.setattr(scoring, "scores", counted)
    for _ in range(2):
        for (names, seed), expected in zip(asked, by_hand, strict=True):
            found = set_scores(KEY, np.array([X.columns.get_loc(name) for name in names]), DISCRETE, seed)
            assert found == expected
            found.clear()  # the caller's own
    assert counted.call_count == len(asked)


def test_the_full_set_has_all_features() -> None:
    found = module.run_full_set(trial("full", "cfs"))
    assert found.n_selected == 6
    assert found.value == solving.trial_program(trial("", "cfs")).value(range(6))


def test_the_limits_of_what_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    for method in ("milp1", "milp3"):
        assert solving.left_out(method, 1024) is None
        assert str(solving.left_out(method, 3289)).startswith("not run: ")
    assert solving.left_out("milp2", 1024) is None
    assert solving.left_out("milp2", 3289) == "not run: 36,181 rows"
    assert solving.left_out("certified", 3289) is None
    for method in ("newton", "binary_search"):
        assert solving.left_out(method, 2000) is None
        monkeypatch.setattr(solving, "licence", lambda name: Licence(name, Level.SIZE_LIMITED, "1"))
        assert solving.left_out(method, 3289) == "not run: 5,407,116 products"
        monkeypatch.setattr(solving, "licence", lambda name: Licence(name, Level.FULL, "1"))
        assert solving.left_out(method, 3289) is None


def test_what_is_not_built_is_an_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "LARGEST_PAIRED", {False: 5, True: 5})
    found = checked_result(module.run_solver(trial("milp1")))
    assert {name: value for name, value in found.items() if value is not None} == {
        "outcome": "not run: 104 rows"
    }


def test_a_time_limit_is_an_outcome() -> None:
    found = checked_result(module.run_solver(trial("newton", limit=0.0)))
    assert (found["outcome"], found["time_limit_reached"], found["bound"]) == ("time limit", 1, None)


def test_a_limit_on_the_work_is_an_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is no time limit, unless the clock came first."""
    given: list[float | None] = []

    def stopped(*_: object, work_limit: float | None, **__: object) -> FractionalResult:
        given.append(work_limit)
        return FractionalResult(0.25, 1.0, np.array([0]), False, None, 1, 5.0, None)

    monkeypatch.setattr(module, "solve", stopped)
    own = trial("milp1", limit=20.0)
    by_work = replace(own, parameters=(*own.parameters, (solving.WORK, 0.5)))
    for one, outcome, clock in (
        (own, "time limit", 1),
        (by_work, "work limit", 0),
        (replace(by_work, time_limit=5.0), "time limit", 1),
    ):
        found = module.run_solver(one)
        assert (found.outcome, found.time_limit_reached, found.bound) == (outcome, clock, 1.0)
    assert given == [None, 0.5, 0.5]


@pytest.mark.parametrize("measure", ["mrmr", "cfs"])
def test_the_early_stop_is_a_switch(measure: str) -> None:
    """Without it no parametric problem ends before its optimum, so none has an unbounded v."""
    for method in ("binary_search", "newton"):
        own = trial(method, measure)
        without = replace(own, parameters=(*own.parameters, ("early_stop", False)))
        found = [vars(module.run_solver(one))["value"] for one in (own, without)]
        best = brute_force(measure)[0]
        assert found == pytest.approx([best, best], abs=max(0.01 * abs(best), 1e-3))
