"""Worker processes here: a trial that kills its own is a failure, and all others go on."""

from __future__ import annotations

import logging
import math
import os
import sys
import tempfile
import time
import warnings
from pathlib import Path

import psutil
import pytest

from compactml.errors import InvalidParameterError
from compactml.study import Store, TrialsFailed
from compactml.study.running import engine, processes
from compactml.study.running.execution import Slot
from compactml.study.running.limits import TrialLimits
from compactml.study.running.processes import own_folder
from compactml.study.running.worker import STARTED, Finished
from tests.study import toy_trials
from tests.study.toy_trials import CHAPTER, calls, squares


@pytest.mark.parametrize(("kind", "name"), [("killing", "SIGKILL"), ("crashing", "SIGSEGV")])
def test_a_trial_that_kills_its_process_is_listed_and_the_others_go_on(
    kind: str, name: str, folder: Path, store: Store
) -> None:
    deadly = toy_trials.trials(folder, 1, kind=kind)
    others = toy_trials.trials(folder, 6, seconds=0.05)
    with pytest.raises(
        TrialsFailed, match=rf"1 trials failed, 6 finished (.|\n)*{kind}.*{name}.*; run it again"
    ) as caught:
        engine.run(CHAPTER, deadly + others, store=store, jobs=2)
    assert len(caught.value.failures) == 1
    assert sorted(calls(folder)) == [0, 0, 0, 1, 2, 3, 4, 5]  # the deadly one twice: with others, then alone
    (failed,) = store.failures()
    assert failed.trial["kind"] == kind
    assert failed.failure["signal"] == name
    assert failed.failure["resident_mib"] > 10
    assert ("string_at" in failed.failure["stack"]) == (kind == "crashing")
    assert len(store) == 6


def test_what_a_killed_process_had_started_ends_too(folder: Path, store: Store) -> None:
    deadly = toy_trials.trials(folder, 1, seconds=617.3, kind="leaving")
    others = toy_trials.trials(folder, 3, seconds=0.05)
    with pytest.raises(TrialsFailed, match=r"1 trials failed, 3 finished (.|\n)*leaving.*SIGKILL"):
        engine.run(CHAPTER, deadly + others, store=store, jobs=2)
    left = [
        process
        for process in psutil.process_iter(["cmdline"])
        if process.info["cmdline"] == ["sleep", "617.3"]
    ]
    assert not psutil.wait_procs(left, timeout=10)[1]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_trial_that_takes_too_long_is_ended_and_the_others_go_on(
    folder: Path, store: Store, jobs: int
) -> None:
    endless = toy_trials.trials(folder, 1, seconds=600)
    others = toy_trials.trials(folder, 4, seconds=0.05)[1:]
    with pytest.raises(
        TrialsFailed,
        match=r"1 trials failed, 3 finished (.|\n)*longer than the 8 s .*; --trial-seconds allows more",
    ):
        engine.run(CHAPTER, endless + others, store=store, jobs=jobs, limits=TrialLimits(seconds=8))
    assert sorted(calls(folder)) == [0, 1, 2, 3]  # it is not tried again
    (failed,) = store.failures()
    assert failed.trial["seed"] == 0


def test_a_start_that_files_put_before_the_clock_is_counted_in_a_process_that_had_a_trial_before(
    folder: Path, tmp_path: Path
) -> None:
    """The clock of files is some milliseconds behind: such a trial was never ended by its limit."""
    short, endless = toy_trials.trials(folder, 1) + toy_trials.trials(folder, 1, seconds=600)
    slot = Slot(tmp_path / "0")
    try:
        assert isinstance(slot.submit(toy_trials.order(short)).result(), Finished)
        before = time.time() - 0.01
        slot.submit(toy_trials.order(endless))
        mark = slot.folder / STARTED
        while not mark.exists():
            time.sleep(0.01)
        os.utime(mark, (before, before))
        assert slot.running() >= 0.01
    finally:
        slot.close()


def test_a_trial_that_takes_too_much_memory_is_ended(folder: Path, store: Store) -> None:
    trials = toy_trials.trials(folder, 1, seconds=600)
    with pytest.raises(TrialsFailed, match=r"took \d+ MiB, more than the 20 MiB that a trial may take"):
        engine.run(CHAPTER, trials, store=store, limits=TrialLimits(mib=20))
    (failed,) = store.failures()
    assert failed.failure["resident_mib"] > 20
    with pytest.raises(InvalidParameterError, match="limits: must be None with a scheduler"):
        engine.run(CHAPTER, trials, store=store, scheduler="tcp://127.0.0.1:1", limits=TrialLimits(mib=20))


@pytest.mark.parametrize("kind", ["holding", "having"])
def test_memory_is_limited_where_a_solver_holds_the_interpreter_and_where_a_program_takes_it(
    kind: str, folder: Path, store: Store
) -> None:
    trials = toy_trials.trials(folder, 1, seconds=600, kind=kind)
    with pytest.raises(
        TrialsFailed, match=r"took \d+ MiB, more than the 580 MiB .*; --trial-mib allows more"
    ):
        engine.run(CHAPTER, trials, store=store, limits=TrialLimits(mib=580))
    (failed,) = store.failures()
    assert 580 < failed.failure["resident_mib"] < 2_000


def test_processes_that_have_grown_are_replaced_without_a_word(folder: Path, store: Store) -> None:
    growing = toy_trials.trials(folder, 6, seconds=1.2, kind="growing")  # loky looks once a second
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        finished = engine.run(CHAPTER, growing, store=store, jobs=2)
    assert len({one.result["process"] for one in finished}) > 2
    assert [str(one.message) for one in said] == []


@pytest.mark.skipif(sys.platform == "win32", reason="a killed process leaves the folder with an open file")
def test_folders_of_killed_runs_go_with_the_next_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(processes, "YOUNG_SECONDS", 0.0)
    left = tmp_path / f"{processes.HOMES}left"
    (left / "0").mkdir(parents=True)
    (left / processes.LOCK).touch()
    (tmp_path / "another").mkdir()
    with own_folder() as first, own_folder() as second:  # the lock of the first is held
        assert {path.name for path in tmp_path.iterdir()} == {"another", first.name, second.name}
    assert [path.name for path in tmp_path.iterdir()] == ["another"]


@pytest.mark.parametrize("name", ["seconds", "mib"])
@pytest.mark.parametrize("value", [math.nan, 0.0, -1.0])
def test_a_limit_that_nothing_exceeds_is_refused(name: str, value: float) -> None:
    with pytest.raises(InvalidParameterError, match=f"trial_{name}: must be a number greater than 0, got"):
        TrialLimits(**{name: value})


def test_one_job_apart_outlives_a_trial_that_kills_its_process(folder: Path, store: Store) -> None:
    alone = toy_trials.trials(folder, 1, kind="killing")
    for some, finished in ((alone, 0), (alone + toy_trials.trials(folder, 2), 2)):
        with pytest.raises(TrialsFailed, match=rf"1 trials failed, {finished} finished (.|\n)*SIGKILL"):
            engine.run(CHAPTER, some, store=store, apart=True)
    assert {row.result["process"] for row in store.rows()}.isdisjoint({os.getpid()})


def test_failed_trials_are_tried_again_unless_they_are_to_be_skipped(
    folder: Path, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    mixed = toy_trials.trials(folder, 1, kind="failing") + toy_trials.trials(folder, 2)
    for tried in (1, 2):
        with pytest.raises(TrialsFailed):
            engine.run(CHAPTER, mixed, store=store)
        assert calls(folder).count(0) == tried + 1
    done = engine.run(CHAPTER, mixed, store=store, skip_failed=True)
    assert squares(done) == [0, 1]
    assert len(calls(folder)) == 4
    assert "failing synthetic:none" in caplog.text
    assert "failed before and is left out" in caplog.text
    assert [one.failure["error"] for one in store.failures()] == ["ValueError: seed 0 was asked to fail"]


def test_a_failure_goes_with_the_result(folder: Path, store: Store) -> None:
    (trial,) = toy_trials.trials(folder, 1)
    key = engine.plan(CHAPTER, [trial], store).keys[trial]
    store.fail(key, trial, {"error": "once"})
    engine.run(CHAPTER, [trial], store=store)
    assert list(store.failures()) == []


def test_how_many_processes_take_part_is_said(
    folder: Path, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "compactml"):
        done = engine.run(CHAPTER, toy_trials.trials(folder, 6, seconds=0.3), store=store, jobs=2)
    assert "2 worker processes take part" in caplog.text
    assert len({one.result["process"] for one in done}) == 2
    assert os.getpid() not in {one.result["process"] for one in done}


def test_what_another_run_has_stored_meanwhile_is_not_run_again(
    folder: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two runs on one store: the second looks again before each trial."""
    trials = toy_trials.trials(folder, 3)
    planned = engine.plan(CHAPTER, trials, store)
    with Store(store.path) as other:
        engine.run(CHAPTER, trials[:2], store=other)
    monkeypatch.setattr(engine, "plan", lambda *_: planned)
    done = engine.run(CHAPTER, trials, store=store)
    assert [one.cached for one in done] == [True, True, False]
    assert sorted(calls(folder)) == [0, 1, 2]


def test_changed_code_is_refused_by_a_new_process(
    folder: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after an edit: this process hashed something else than its workers read."""
    monkeypatch.setenv("TOY_DATA", "here")
    trials = toy_trials.trials(folder, 2)
    planned = engine.plan(CHAPTER, trials, store)
    monkeypatch.setenv("TOY_DATA", "there")
    monkeypatch.setattr(engine, "plan", lambda *_: planned)
    with pytest.raises(TrialsFailed, match=r"refused: data: .* here, .* there; run it again once"):
        engine.run(CHAPTER, trials, store=store, jobs=2)
    assert calls(folder) == []
    assert len(store) == 0
