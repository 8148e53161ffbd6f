from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from compactml.book.run_texts import estimate
from compactml.datasets import ChecksumMismatch
from compactml.errors import InvalidParameterError
from compactml.study import Profile, SchedulerError, Store, Trial, TrialsFailed
from compactml.study.keys.fingerprint import DataIdentity
from compactml.study.running import cluster, engine
from compactml.study.trial import Recipe
from tests.study import toy_trials
from tests.study.toy_trials import CHAPTER, calls, squares


def test_serial_run_is_longest_first_in_process_and_in_input_order(folder: Path, store: Store) -> None:
    done = engine.run(CHAPTER, toy_trials.trials(folder, 4), store=store, profile=Profile.QUICK)
    assert squares(done) == [0, 1, 4, 9]
    assert calls(folder) == [3, 2, 1, 0]
    assert {item.result["process"] for item in done} == {os.getpid()}
    assert {item.provenance.profile for item in done} == {"quick"}
    assert {item.provenance.bound for item in done} == {0.5}


def test_second_run_comes_from_the_store_and_says_so(folder: Path, store: Store) -> None:
    fresh = engine.run(CHAPTER, toy_trials.trials(folder, 3), store=store)
    again = engine.run(CHAPTER, toy_trials.trials(folder, 4), store=store)
    assert [item.cached for item in again] == [True, True, True, False]
    assert [(item.result, item.provenance) for item in again[:3]] == [
        (item.result, item.provenance) for item in fresh
    ]
    assert sorted(calls(folder)) == [0, 1, 2, 3]


def test_changed_data_run_again(folder: Path, store: Store) -> None:
    engine.run(CHAPTER, toy_trials.trials(folder, 2), store=store)
    other = replace(CHAPTER, kinds=(replace(CHAPTER.kinds[0], generated=lambda trial: (tuple, ("other",))),))
    for cached in (False, True):
        done = engine.run(other, toy_trials.trials(folder, 2), store=store)
        assert [item.cached for item in done] == [cached, cached]


def test_repeated_trial_runs_once(folder: Path, store: Store) -> None:
    done = engine.run(CHAPTER, toy_trials.trials(folder, 2) * 2, store=store)
    assert squares(done) == [0, 1, 0, 1]
    assert len(calls(folder)) == 2


def test_workers_run_in_other_processes_and_give_the_same(folder: Path, store: Store) -> None:
    done = engine.run(CHAPTER, toy_trials.trials(folder, 4), store=store, jobs=2)
    assert squares(done) == [0, 1, 4, 9]
    assert os.getpid() not in {item.result["process"] for item in done}
    assert all(item.cached for item in engine.run(CHAPTER, toy_trials.trials(folder, 4), store=store))


@pytest.mark.parametrize("jobs", [1, 2])
def test_failed_trials_are_listed_and_the_others_kept(folder: Path, store: Store, jobs: int) -> None:
    mixed = toy_trials.trials(folder, 2, kind="failing") + toy_trials.trials(folder, 3)
    with pytest.raises(
        TrialsFailed, match=r"2 trials failed, 3 finished (.|\n)*seed 1 was asked to fail"
    ) as caught:
        engine.run(CHAPTER, mixed, store=store, jobs=jobs)
    assert [error for _, error in caught.value.failures] == [
        f"ValueError: seed {seed} was asked to fail" for seed in (0, 1)
    ]
    assert len(store) == 3


def test_data_not_at_hand_are_left_out_and_named(
    folder: Path, store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(engine, "trial_data", lambda *_: DataIdentity("", "", at_hand=False))
    assert engine.run(CHAPTER, toy_trials.trials(folder, 2), store=store) == []
    assert "synthetic:none is not at hand" in caplog.text
    assert calls(folder) == []


def test_a_corrupt_dataset_fails_its_own_trials_only(
    folder: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, read = engine.trial_data, []

    def some_corrupt(trial: Trial, recipe: Recipe | None) -> DataIdentity:
        if trial.dataset != "corrupt":
            return real(trial, recipe)
        read.append(trial)
        raise ChecksumMismatch("corrupt", "corrupt/file.csv", "0" * 64, "1" * 64)

    monkeypatch.setattr(engine, "trial_data", some_corrupt)
    sound = toy_trials.trials(folder, 2)
    corrupt = [replace(trial, dataset="corrupt") for trial in toy_trials.trials(folder, 3)]
    planned = engine.plan(CHAPTER, [*corrupt, *sound], store)
    assert list(planned.keys) == sound
    assert "which will fail (ChecksumMismatch: dataset 'corrupt'" in estimate(CHAPTER, planned, 1)
    assert len(read) == 1
    with pytest.raises(TrialsFailed, match=r"3 trials failed, 2 finished (.|\n)*corrupt/file\.csv must have"):
        engine.run(CHAPTER, [*corrupt, *sound], store=store)
    assert squares([item for item in engine.run(CHAPTER, sound, store=store) if item.cached]) == [0, 1]


def test_unusable_scheduler(folder: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.5)
    some = toy_trials.trials(folder, 1)
    with pytest.raises(SchedulerError, match=r"tcp://127\.0\.0\.1:9"):
        engine.run(CHAPTER, some, store=store, scheduler="tcp://127.0.0.1:9")
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SchedulerError, match="'distributed' is not installed"):
        engine.run(CHAPTER, some, store=store, scheduler="tcp://127.0.0.1:9")


def test_zero_jobs_are_refused(folder: Path, store: Store) -> None:
    with pytest.raises(InvalidParameterError, match="jobs"):
        engine.run(CHAPTER, [], store=store, jobs=0)
    assert engine.workers(3) == 3
    assert engine.workers(-1) >= 1


def start(store: Store, folder: Path, jobs: int) -> subprocess.Popen[str]:
    """Run eight trials of 0.4 seconds in a process of its own."""
    command = [sys.executable, "-m", toy_trials.__name__, str(store.path), str(folder), "8", "0.4", str(jobs)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)


def wait_for(condition: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGINT])
def test_interrupted_run_resumes_with_exactly_what_is_missing(
    folder: Path, store: Store, jobs: int, blow: signal.Signals
) -> None:
    process = start(store, folder, jobs)
    wait_for(lambda: len(store) >= 2 or process.poll() is not None)
    process.send_signal(blow)
    _, messages = process.communicate(timeout=30)
    assert process.returncode == -blow
    assert ("KeyboardInterrupt" in messages) == (blow == signal.SIGINT)
    wait_for(lambda: not workers_of(process.pid))

    kept = {row.trial["seed"]: row.result for row in store.rows()}
    assert 2 <= len(kept) < 8
    n_before = len(calls(folder))
    done = engine.run(CHAPTER, toy_trials.trials(folder, 8, seconds=0.4), store=store, jobs=2)
    assert squares(done) == [seed**2 for seed in range(8)]
    assert {item.trial.seed: item.result for item in done if item.cached} == kept
    assert sorted(calls(folder)[n_before:]) == sorted(set(range(8)) - set(kept))


def test_workers_that_are_still_starting_end_with_a_killed_run(folder: Path, store: Store) -> None:
    process = start(store, folder, 2)
    wait_for(lambda: any("LokyProcess" in command(pid) for pid in workers_of(process.pid)))
    process.kill()
    process.communicate(timeout=30)
    wait_for(lambda: not workers_of(process.pid))


def command(pid: int) -> str:
    """Return how a process was called (Linux)."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8")
    except OSError:
        return ""


def workers_of(session: int) -> list[int]:
    """Living processes of a session (Linux)."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(int(stat.parent.name))
    return found
