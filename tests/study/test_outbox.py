"""Another process holds the store: nothing that is finished is lost, and trials go on."""

from __future__ import annotations

import errno
import json
import logging
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from compactml.study import Store, StoreError, TrialsFailed
from compactml.study.errors import StoreLocked
from compactml.study.running import engine
from compactml.study.storing import leases, outbox, rescue, sharing
from compactml.study.storing import store as store_module
from tests.study import toy_trials
from tests.study.toy_trials import CHAPTER, calls, squares

HOLD = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN EXCLUSIVE")
print("held", flush=True)
time.sleep(600)
"""


@contextmanager
def held(store: Store) -> Iterator[subprocess.Popen[str]]:
    """Let another process lock the file until the end, or until it is killed."""
    command = [sys.executable, "-c", HOLD, str(store.path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def release(process: subprocess.Popen[str], store: Store, seconds: float) -> None:
    """Kill the process that holds a file, some time after a run has first met the lock."""
    while not rescued(store) and process.poll() is None:
        time.sleep(0.05)
    time.sleep(seconds)
    process.kill()


def rescued(store: Store) -> list[Path]:
    return sorted(store.path.parent.glob("*.rescued.jsonl"))


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for tenths of seconds where a run waits for seconds."""
    monkeypatch.setattr(store_module, "BUSY_SECONDS", 0.2)
    monkeypatch.setattr(outbox, "TRY_SECONDS", 0.1)
    monkeypatch.setattr(outbox, "FIRST_PAUSE", 0.2)
    monkeypatch.setattr(outbox, "LONGEST_PAUSE", 0.8)


@pytest.fixture
def store(tmp_path: Path, soon: None) -> Iterator[Store]:
    with Store(tmp_path / "results.sqlite") as opened:
        yield opened


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_lock_delays_what_is_written_and_ends_nothing(
    folder: Path, store: Store, jobs: int, caplog: pytest.LogCaptureFixture
) -> None:
    mixed = [*toy_trials.trials(folder, 5, seconds=0.1), *toy_trials.trials(folder, 1, kind="failing")]
    with held(store) as holder:
        threading.Thread(target=release, args=(holder, store, 2.0)).start()
        with pytest.raises(TrialsFailed, match="1 trials failed, 5 finished"):
            engine.run(CHAPTER, mixed, store=store, jobs=jobs)
    assert squares(engine.run(CHAPTER, mixed[:5], store=store)) == [0, 1, 4, 9, 16]
    assert len(calls(folder)) == 6
    assert len(list(store.failures())) == 1
    assert f"{store.path} is locked by another program, python" in caplog.text
    assert f"(process {holder.pid}, which began at " in caplog.text
    assert "): 1 finished trials wait" in caplog.text
    assert "is free again" in caplog.text
    assert rescued(store) == []


def test_a_run_that_waits_in_vain_leaves_its_results_beside_the_store(
    folder: Path, store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(outbox, "LAST_SECONDS", 0.5)
    trials = toy_trials.trials(folder, 3)
    with held(store):
        with pytest.raises(StoreError, match=r"3 finished trials are in .*\.rescued\.jsonl, which") as caught:
            engine.run(CHAPTER, trials, store=store)
        (path,) = rescued(store)
        assert str(path) in str(caught.value)
        assert len(path.read_text(encoding="utf-8").splitlines()) == 3
        assert "may stay locked for another" in caplog.text
        with pytest.raises(StoreLocked, match=r"locked by another program, python.*Wait for it or end it"):
            Store(store.path)
        assert len(rescued(store)) == 1
    with caplog.at_level(logging.INFO, "compactml"), Store(store.path) as opened:
        assert "3 rows were taken in" in caplog.text
        assert rescued(store) == []
        done = engine.run(CHAPTER, trials, store=opened)
    assert [item.cached for item in done] == [True] * 3
    assert len(calls(folder)) == 3


def test_a_run_that_is_killed_while_it_waits_loses_nothing(folder: Path, store: Store) -> None:
    command = [sys.executable, "-m", toy_trials.__name__, str(store.path), str(folder), "2", "2.0", "1"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    while not calls(folder):
        assert process.poll() is None
        time.sleep(0.01)
    with held(store):
        deadline = time.monotonic() + 60
        while sum(len(one.read_text(encoding="utf-8").splitlines()) for one in rescued(store)) < 2:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        process.kill()
        process.wait()
    assert len(store) == 0
    with Store(store.path) as opened:
        assert len(opened) == 2


def test_another_error_of_the_store_ends_the_run_and_keeps_its_result(
    folder: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(entries: object, run: object) -> None:
        raise StoreError(str(store.path), "database or disk is full")

    monkeypatch.setattr(store, "write", full)
    with pytest.raises(StoreError, match="full; 1 finished trials are in"):
        engine.run(CHAPTER, toy_trials.trials(folder, 3), store=store)
    with Store(store.path) as opened:
        assert len(opened) == 1


def test_results_of_a_full_disk_are_kept_on_another_one(
    folder: Path, store: Store, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a full disk of its own a run had one result to write, and nowhere to write it to."""
    elsewhere, write = tmp_path_factory.mktemp("elsewhere"), rescue.write

    def full(*given: object) -> None:
        raise StoreError(str(store.path), "database or disk is full")

    def only_elsewhere(path: Path, entries: Any) -> None:
        if path.parent != elsewhere:
            raise OSError(errno.ENOSPC, "No space left on device")
        write(path, entries)

    monkeypatch.setattr(store, "write", full)
    monkeypatch.setattr(rescue, "write", only_elsewhere)
    monkeypatch.setattr(outbox.tempfile, "gettempdir", lambda: str(elsewhere))
    with pytest.raises(StoreError, match=r"full; 1 finished trials are in .*: move it beside the store"):
        engine.run(CHAPTER, toy_trials.trials(folder, 3), store=store)
    (kept,) = elsewhere.iterdir()
    kept.rename(store.path.parent / kept.name)
    with Store(store.path) as opened:
        assert len(opened) == 1


def test_lines_that_are_no_rows_are_kept_and_warned_of(
    folder: Path, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    (trial,) = toy_trials.trials(folder, 1)
    good = store_module.result_entry("key", trial, {"a": 1}, {"seconds": 1.0})
    lines = ["{", "[]", json.dumps({"table": "results", "key": "other"}), json.dumps(good)]
    beside = store.path.with_name(f"{store.path.name}.0.rescued.jsonl")
    beside.write_text("\n".join(lines), encoding="utf-8")
    with Store(store.path) as opened:
        assert [row.key for row in opened.rows()] == ["key"]
    assert "3 lines are no rows" in caplog.text
    assert rescued(store) == []
    (kept,) = store.path.parent.glob("*.damaged")
    assert kept.read_text(encoding="utf-8") == "\n".join(lines)


def test_a_lock_that_keeps_readers_out_too_lets_trials_run(
    folder: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a lease; for a while none is asked for, so that trials do not wait for it one after the other."""
    monkeypatch.setattr(sharing, "TRY_SECONDS", 0.1)
    trials = toy_trials.trials(folder, 2)
    engine.run(CHAPTER, trials, store=store)
    key = next(iter(engine.plan(CHAPTER, trials, store).keys.values()))
    with sharing.Sharing(store) as shared:
        assert shared.ask(key) == store.get(key)
        store._connection.execute("PRAGMA journal_mode = DELETE")
        other = sqlite3.connect(store.path, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        assert shared.ask(key) is None
        other.execute("ROLLBACK")
        other.close()
        assert shared.ask("not there") is None
        assert leases.leases(store._connection) == []
