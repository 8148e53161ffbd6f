"""The trials in environments with an older scikit-learn: what print has, where they are installed."""

from __future__ import annotations

import json
from dataclasses import fields

import pytest

from compactml.chapters.condition_sharing import NAME
from compactml.chapters.condition_sharing.chapter import CHAPTER
from compactml.chapters.condition_sharing.trials.older import LATEST, MACHINES, NEAREST
from compactml.chapters.condition_sharing.trials.paper import Shared
from compactml.study import Profile, Trial
from compactml.study.keys.environments import Environment


@pytest.mark.parametrize("environment", [LATEST, NEAREST])
def test_the_lock_has_the_release_that_its_name_says(environment: object) -> None:
    lock = environment.lock.read_text(encoding="utf-8")  # type: ignore[attr-defined]
    release = lock.split("\nscikit-learn==")[1].split()[0]
    assert release == ("1.1.0" if environment is NEAREST else "1.1.3")


def test_its_tables_ask_for_the_trials_of_the_papers_under_another_kind() -> None:
    for printed, id in (("table_2", "table_2_scikit_learn_1_1"), ("table_3", "table_3_scikit_learn_1_1")):
        trials, older = (CHAPTER.trials(one, Profile.PAPER) for one in (printed, id))
        assert [(one.dataset, one.method, one.fold) for one in trials] == [
            (one.dataset, one.method, one.fold) for one in older
        ]
        assert {one.kind for one in older} == {"sharing_scikit_learn_1_1"}


def test_rounding_runs_one_ensemble_on_every_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Made-up runs: what is switched off reaches the program, and its numbers come back under the right name."""
    seen: list[dict[str, str]] = []

    def run(environment: object, script: str, text: str, variables: dict[str, str]) -> str:
        seen.append({name: value for name, value in variables.items() if name != "NUMBA_CACHE_DIR"})
        shared = dict.fromkeys((field.name for field in fields(Shared)), len(seen)) | {"changed": {}}
        return json.dumps(shared)

    monkeypatch.setattr(Environment, "run", run)
    result = CHAPTER.run(Trial(NAME, "rounding", "iris", "GBoost", 0))
    assert seen == list(MACHINES.values())
    assert result == {
        "NDC_whole": 1, "TeA_whole": 1, "NDC_avx_512_off": 2, "TeA_avx_512_off": 2, "NDC_fma_off": 3, "TeA_fma_off": 3,
    }  # fmt: skip


@pytest.mark.skipif(not LATEST.installed, reason="needs 'make environment NAME=scikit-learn-1.1'")
def test_gradient_boosting_on_iris_has_the_printed_conditions() -> None:
    """47.8 conditions on the average in the paper's environment; later releases have others."""
    trials = [Trial(NAME, "sharing_scikit_learn_1_1", "iris", "GBoost", fold) for fold in range(5)]
    assert sum(float(str(CHAPTER.run(trial)["NDC"])) for trial in trials) / 5 == pytest.approx(47.8)
