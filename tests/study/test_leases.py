"""Runs on one store share the work; a lease ends with its run, however that ends."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from compactml.study import Store, TrialsFailed
from compactml.study.running import engine
from compactml.study.storing import leases
from compactml.study.storing.holder import holder
from compactml.study.storing.leases import Lease, Run
from compactml.study.storing.rows import failure_entry, result_entry
from compactml.study.storing.sharing import Sharing
from tests.study import toy_trials
from tests.study.toy_trials import CHAPTER, calls, squares


def start(store: Store, folder: Path, n: int, seconds: float, jobs: int) -> subprocess.Popen[str]:
    """A run in a process of its own, and a session, so that it can be told from others."""
    arguments = [str(store.path), str(folder), str(n), str(seconds), str(jobs)]
    command = [sys.executable, "-m", toy_trials.__name__, *arguments]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)


def wait_for(condition: Callable[[], bool], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def leased(store: Store) -> list[Lease]:
    return leases.leases(store._connection)


def test_two_runs_share_the_work(folder: Path, store: Store) -> None:
    """Each trial is run once, both take part, both end with all results."""
    runs = [start(store, folder, 40, 0.2, jobs) for jobs in (1, 2)]
    said = [run.communicate(timeout=300)[1] for run in runs]
    assert [run.returncode for run in runs] == [0, 0], said
    assert Counter(calls(folder)) == dict.fromkeys(range(40), 1)
    assert len(store) == 40
    processes = {row.result["process"] for row in store.rows()}
    assert len(processes) == 3
    assert leased(store) == []


def test_what_another_run_has_begun_is_waited_for(
    folder: Path, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    trials = toy_trials.trials(folder, 1, 5.0)
    engine.plan(CHAPTER, trials, store)  # reads the code, once a process
    other = start(store, folder, 1, 5.0, 1)
    wait_for(lambda: len(calls(folder)) == 1)
    with caplog.at_level(logging.INFO, "compactml"):
        done = engine.run(CHAPTER, trials, store=store)
    assert squares(done) == [0]
    assert [item.cached for item in done] == [True]
    assert calls(folder) == [0]
    assert f"1 trials are under way in another run (process {other.pid} on " in caplog.text
    other.communicate(timeout=60)
    assert other.returncode == 0


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGINT])
def test_what_a_dead_run_had_begun_is_taken_over(folder: Path, store: Store, blow: signal.Signals) -> None:
    """While another one waits for it."""
    first = start(store, folder, 1, 600.0, 1)
    wait_for(lambda: len(calls(folder)) == 1)
    (lease,) = leased(store)
    assert (lease.run.pid, lease.held) == (first.pid, True)
    second = start(store, folder, 1, 600.0, 1)
    with pytest.raises(subprocess.TimeoutExpired):
        second.wait(4)
    assert calls(folder) == [0]
    first.send_signal(blow)
    first.communicate(timeout=60)
    wait_for(lambda: len(calls(folder)) == 2)
    assert [one.run.pid for one in leased(store)] == [second.pid]
    second.kill()
    second.communicate()
    done = engine.run(CHAPTER, toy_trials.trials(folder, 1), store=store)
    assert squares(done) == [0]
    wait_for(lambda: not leased(store)[0].held)  # of the killed one: another trial, of 600 s


def test_a_failure_in_another_run_is_reported_and_not_tried_again(folder: Path, store: Store) -> None:
    """Unless it is older than this run."""
    (trial,) = toy_trials.trials(folder, 1)
    key = engine.plan(CHAPTER, [trial], store).keys[trial]
    other = Run.here()
    with Store(store.path) as theirs, Sharing(store) as shared:
        assert theirs.lease(key, other) is None
        assert isinstance(shared.ask(key), Lease)
        theirs.write([failure_entry(key, trial, {"error": "it was too much"})], other)
        found = shared.ask(key)
        assert found is not None
        assert not isinstance(found, Lease)
        assert found == store.failure(key)
        with Sharing(store) as later:
            assert later.ask(key) is None


def test_failures_of_others_end_a_run_as_its_own_do(
    folder: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    trials = toy_trials.trials(folder, 2)
    key = engine.plan(CHAPTER, trials, store).keys[trials[0]]
    real = Sharing.__enter__

    def then_it_fails(self: Sharing) -> Sharing:
        store.fail(key, trials[0], {"error": "it was too much"})
        return real(self)

    monkeypatch.setattr(Sharing, "__enter__", then_it_fails)
    with pytest.raises(
        TrialsFailed, match=r"1 trials failed, 1 finished(.|\n)*in another run: it was too much"
    ):
        engine.run(CHAPTER, trials, store=store)
    assert calls(folder) == [1]


def test_a_lease_ends_with_its_result_and_its_run(folder: Path, store: Store) -> None:
    (trial,) = toy_trials.trials(folder, 1)
    mine, other = Run.here(), Run.here()
    for key in ("a", "b", "c"):
        assert store.lease(key, mine) is None
        assert store.lease(key, mine) is None  # its own
        theirs = store.lease(key, other)
        assert theirs is not None
        assert theirs.run == mine
    store.write([result_entry("a", trial, {"x": 1}, {})], mine)
    store.write([failure_entry("b", trial, {"error": "x"})], other)  # of one that was taken over
    assert [one.key for one in leased(store)] == ["b", "c"]
    store.write([failure_entry("b", trial, {"error": "x"})], mine)
    assert [one.key for one in leased(store)] == ["c"]
    store.release(other)
    assert [one.key for one in leased(store)] == ["c"]
    store.release(mine)
    assert leased(store) == []


@pytest.mark.parametrize("changes", [{"pid": 2**22 + 1}, {"born": 1.0}, {"machine": "elsewhere"}])
def test_whose_lease_holds(store: Store, monkeypatch: pytest.MonkeyPatch, changes: dict[str, object]) -> None:
    """A process of this machine must be the same one; one of another machine must have given a sign lately."""
    run = replace(Run.here(), **changes)  # type: ignore[arg-type]
    assert store.lease("key", run) is None
    (lease,) = leased(store)
    assert lease.held == ("machine" in changes)
    late = time.time() + leases.EXPIRY_SECONDS
    monkeypatch.setattr(leases.time, "time", lambda: late)
    assert not lease.held
    leases.beat(store._connection, run)
    assert [one.held for one in leased(store)] == ["machine" in changes]
    assert (store.lease("key", Run.here()) is None) == ("machine" not in changes)


@pytest.mark.parametrize("column", ["beat", "born", "pid"])
def test_a_lease_that_names_no_time_or_process_is_nobodys(store: Store, column: str) -> None:
    mine, other = Run.here(), Run.here()
    assert store.lease("key", other) is None
    store._connection.execute(f"UPDATE running SET {column} = 'lately'")
    assert store.lease("key", mine) is None
    assert [one.run for one in leased(store)] == [mine]


def test_a_run_gives_signs_of_life(folder: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "BEAT_SECONDS", 0.05)
    with Sharing(store) as shared:
        assert shared.ask("key") is None
        (before,) = leased(store)
        wait_for(lambda: leased(store)[0].beat > before.beat)
    assert leased(store) == []


@pytest.mark.parametrize("kind", ["sleeping", "failing"])
def test_a_result_of_another_run_that_was_first_is_the_one_that_is_reported(
    kind: str, folder: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where both ran without leases: a run reports what the store will give to all later ones."""
    (trial,) = toy_trials.trials(folder, 1, kind=kind)
    key = engine.plan(CHAPTER, [trial], store).keys[trial]
    with Store(store.path.with_name("other.sqlite")) as elsewhere:
        engine.run(CHAPTER, toy_trials.trials(folder, 1), store=elsewhere)
        (row,) = elsewhere.rows()
    real = engine.Outbox.put

    def overtaken(self: engine.Outbox, entry: dict[str, object]) -> None:
        store.put(key, trial, row.result | {"process": 0}, row.provenance)
        real(self, entry)

    monkeypatch.setattr(engine.Outbox, "put", overtaken)
    (done,) = engine.run(CHAPTER, [trial], store=store)
    assert (done.result["process"], done.cached) == (0, True)
    assert [one.result["process"] for one in store.rows()] == [0]
    assert list(store.failures()) == []


HOLD = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who holds a lock")
@pytest.mark.parametrize("ours", ["", "run", "command"])
def test_who_holds_a_store_is_named(store: Store, ours: str) -> None:
    words = ["compactml-merge"] if ours == "command" else []
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(store.path), *words], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        if ours == "run":
            run = replace(Run.here(), pid=process.pid, since="2026-01-01T00:00:00+00:00")
            assert store.lease("key", run) is None
        assert process.stdout.readline() == "held\n"
        said = holder(store.path)
    finally:
        process.kill()
        process.communicate()
    if ours == "run":
        assert said == f"a run of compactml, process {process.pid} on {run.host}, which began at {run.since}"
    elif ours == "command":
        assert said.startswith(
            f"a command of compactml, process {process.pid} on {os.uname().nodename}, which"
        )
    else:
        assert said.startswith("another program, python")
        assert f"(process {process.pid}, which began at 20" in said
    assert holder(store.path) == "another program (a backup, or a shell of SQLite)"  # nobody can be named
