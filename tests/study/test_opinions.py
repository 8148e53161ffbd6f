"""Second opinions are trials of their own, and only a refutation stops a recording."""

from __future__ import annotations

import pickle
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from compactml.study import Finished, Store, Trial
from compactml.study.errors import Refuted
from compactml.study.recording.origins import combined, source_line, summary
from compactml.study.running import engine
from compactml.study.running.opinions import check_not_refuted, opinion_trials, solver_of, with_opinions
from tests.study import toy_trials
from tests.study.toy_trials import CHAPTER


def heard(folder: Path, store: Store, *trials: Trial) -> list[Finished]:
    """Run trials and ask what another solver says of them."""
    run = partial(engine.run, CHAPTER, store=store)
    return with_opinions(CHAPTER, run(trials), lambda chosen: run(chosen))


def solving(folder: Path, seed: int = 0, **parameters: float) -> Trial:
    (trial,) = toy_trials.trials(folder, 1, kind="solving")
    return replace(trial, seed=seed, parameters=(*trial.parameters, *parameters.items()))


def test_only_what_is_called_optimal_is_asked_about(folder: Path, store: Store) -> None:
    trials = [solving(folder, 1), *toy_trials.trials(folder, 1)]
    solved, slept = heard(folder, store, *trials)
    assert slept.opinion is None
    assert solved.opinion is not None
    assert solved.opinion["verdict"] == "confirmed"
    assert "highs" not in solved.opinion["solver"]
    assert len(solved.opinion["run_id"]) == 12
    assert "opinions" not in summary([slept])
    check_not_refuted([solved, slept])


def test_an_opinion_is_asked_outside_the_seconds_of_its_trial_and_kept(folder: Path, store: Store) -> None:
    (solved,) = heard(folder, store, solving(folder, 1))
    rows = {row.kind: row for row in store.rows()}
    assert set(rows) == {"solving", "opinion"}
    assert rows["opinion"].key[:12] == (solved.opinion or {})["run_id"]
    (again,) = heard(folder, store, solving(folder, 1))
    assert again.opinion == solved.opinion  # from the store
    assert len(store) == 2
    assert opinion_trials(replace(CHAPTER, opinion=None), [again]) == {}


def test_the_solver_that_answered_is_not_asked_again(folder: Path, store: Store) -> None:
    solved, slept = engine.run(CHAPTER, [solving(folder), *toy_trials.trials(folder, 1)], store=store)
    assert solver_of(solved) == "highs"
    assert solver_of(slept) is None
    (asked,) = opinion_trials(CHAPTER, [solved, slept]).values()
    assert dict(asked.parameters)["not_by"] == "highs"


@pytest.mark.parametrize("says", [0.5, 1.5])  # no solution is as good; a better one exists
def test_a_refuted_value_is_named(folder: Path, store: Store, says: float) -> None:
    right, wrong = heard(folder, store, solving(folder, 2), solving(folder, 1, says=says))
    with pytest.raises(
        Refuted, match=r"1 values that are called optimal are refuted.*\n  solving .*seed 1"
    ) as caught:
        check_not_refuted([right, wrong])
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    assert len(store) == 4


def test_an_opinion_that_fails_refutes_nothing(folder: Path, store: Store) -> None:
    fine, failed = heard(folder, store, solving(folder, 1), solving(folder, 9))
    assert (fine.opinion or {})["verdict"] == "confirmed"
    assert failed.opinion is not None
    assert failed.opinion["verdict"] == "not refuted"
    assert "was asked to fail" in failed.opinion["reason"]
    check_not_refuted([fine, failed])


def test_tables_show_the_three_counts(folder: Path, store: Store) -> None:
    items = heard(folder, store, *(solving(folder, seed) for seed in (1, 2, 9)))
    origin = summary(items)
    assert origin["opinions"] == {"confirmed": 2, "not refuted": 1, "refuted": 0}
    assert "optimal values: 2 confirmed, 1 not refuted, 0 refuted by another solver" in source_line(origin)
    both = combined([origin, summary(items[:1])])
    assert both["opinions"] == {"confirmed": 3, "not refuted": 1, "refuted": 0}
