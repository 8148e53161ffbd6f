"""What the comparison with fipepy rests on: the samples it is given, and the check of its answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris

from compactml.chapters.pace import datasets as pace_datasets
from compactml.chapters.pace.datasets import Problem, binned
from compactml.chapters.pace.plans.peers import cases
from compactml.chapters.pace.trials import fipepy
from compactml.chapters.pace.trials.ensembles import fitted, trial_ensemble
from compactml.chapters.pace.trials.fipepy import ENVIRONMENT, checked, peer_prune, representatives, run_case
from compactml.chapters.pace.trials.fipepy_program import digest
from compactml.pace._compress import compress
from compactml.pace.model.setting import make_setting
from compactml.study import Profile, Trial


@pytest.fixture(autouse=True)
def iris(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every dataset is iris in bins."""
    X, y = load_iris(return_X_y=True)
    codes = np.column_stack([binned(column) for column in X.T]).astype(np.float64)
    no = np.zeros(X.shape[1], dtype=bool)
    given = Problem(codes, y.astype(np.int64), no, no)
    for module in (pace_datasets, fipepy):
        monkeypatch.setattr(module, "problem", lambda *_: given)
    fitted.cache_clear()
    yield
    fitted.cache_clear()


@pytest.fixture
def case() -> Trial:
    return cases(Profile.QUICK)[0]


def test_each_cell_has_one_training_sample(case: Trial) -> None:
    model, parts = trial_ensemble(case)
    setting = make_setting(model, parts.X_train)
    samples = representatives(setting, parts)
    assert len(samples) < len(parts.X_train)
    codes = setting.grid.codes(samples)
    assert len(np.unique(codes, axis=0)) == len(samples)
    assert {tuple(one) for one in setting.grid.codes(parts.X_train)} == {tuple(one) for one in codes}


def test_a_wrong_answer_of_the_peer_is_seen(case: Trial) -> None:
    model, parts = trial_ensemble(case)
    setting = make_setting(model, parts.X_train)
    n = len(setting.initial.learners)
    assert checked(setting, model, [2.5] * n) == (n, 0)
    assert checked(setting, model, [1.0, *[1e-9] * (n - 1)])[1] > 0


def theirs(case: Trial, **changed: Any) -> dict[str, Any]:
    """An answer of the peer: what our own pruning found."""
    model, parts = trial_ensemble(case)
    small = compress(model, parts.X_train, generate=False)
    weights = np.zeros(len(model.estimators_))
    weights[[one.origin for one in small.trees_]] = small.weights_
    answer = {
        "outcome": "certified",
        "weights": weights.tolist(),
        "seconds": 5.0,
        "calls": 3,
        "solver": "none",
    }
    return answer | {"digest": digest(model)} | changed


def test_a_case_has_both_answers_and_their_ratio(case: Trial, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fipepy, "peer_prune", lambda *_: theirs(case))
    found = vars(run_case(case))
    assert found["fipepy_size"] == found["our_size"] == found["our_bound"] == found["our_objective_size"]
    assert (found["fipepy_disagreements"], found["our_disagreements"], found["our_certified"]) == (0, 0, 1)
    assert found["ratio"] == 5.0 / float(found["our_seconds"] or 0)


def test_another_ensemble_is_an_error(case: Trial, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fipepy, "peer_prune", lambda *_: theirs(case, digest="another"))
    with pytest.raises(AssertionError, match="different ensembles"):
        run_case(case)


@pytest.mark.skipif(not ENVIRONMENT.installed, reason="needs 'make environment NAME=fipepy'")
def test_fipepy_prunes_the_same_ensemble(case: Trial) -> None:
    model, parts = trial_ensemble(case)
    setting = make_setting(model, parts.X_train)
    found = peer_prune(case, representatives(setting, parts), parts)
    assert (found["digest"], found["outcome"]) == (digest(model), "certified")
    assert found["seconds"] < (case.time_limit or 0.0)
    size, disagreements = checked(setting, model, found["weights"])
    assert disagreements == 0
    assert size >= compress(model, parts.X_train, generate=False).n_learners_
