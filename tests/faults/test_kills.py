"""Runs that are killed at random moments, and workers of theirs: nothing is lost, doubled or changed.

Continuous integration kills a few; `make faults` (FAULTS=all) 50 times here and 20 workers of a cluster.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import psutil
import pytest

from compactml.study import Store, TrialsFailed
from compactml.study.running import engine
from tests.study import toy_trials
from tests.study.test_cluster import Dask
from tests.study.test_engine import wait_for, workers_of
from tests.study.toy_trials import CHAPTER, calls

ALL = os.environ.get("FAULTS") == "all"
GRIDS, KILLS = (10, 5) if ALL else (1, 4)
CLUSTER_KILLS = 20 if ALL else 2
SECONDS = 0.25  # of a trial
MOST = 3.0  # seconds after its first trial within which a run is killed
EARLY = 0.1  # share of kills before the first trial of a run
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes as Linux shows them")


def run_in_session(store: Path, folder: Path, n: int, jobs: int) -> None:
    """In a process of its own: run a grid."""
    os.setsid()
    with Store(store) as opened:
        engine.run(CHAPTER, toy_trials.trials(folder, n, SECONDS), store=opened, jobs=jobs)


def rows_of(store: Store) -> dict[int, tuple[object, str]]:
    """Result and provenance of each trial."""
    return {
        int(row.trial["seed"]): (row.result["square"], f"{row.result} {row.provenance}")
        for row in store.rows()
    }


def test_grids_that_are_killed_end_like_the_others(tmp_path: Path) -> None:
    """Each is killed several times, or a worker of it, at moments drawn over its run, and then goes on to its end."""
    seed = random.SystemRandom().randrange(2**32)
    print(f"\nseed of the kills: {seed}")
    rng = random.Random(seed)
    during, kept = 0, 0
    for grid in range(GRIDS):
        folder = tmp_path / f"calls{grid}"
        folder.mkdir()
        path, jobs = tmp_path / f"{grid}.sqlite", 2 + grid % 2
        n = 14 * KILLS * jobs
        with Store(path) as store:
            for _ in range(KILLS):
                before = rows_of(store)
                in_trial, seen = kill_once(rng, store, folder, n, jobs)
                during += in_trial
                after = rows_of(store)
                assert (
                    before.items() <= seen.items() <= after.items()
                )  # what was there is there, digit by digit
                kept += len(after)
            finished = rows_of(store)
            started = Counter(calls(folder))
            trials = toy_trials.trials(folder, n, SECONDS)
            left = [trial for trial in trials if trial.seed not in finished]
            for trial in left[: len(left) - 4]:  # all but four, without waiting for them
                store.put(
                    engine.plan(CHAPTER, [trial], store).keys[trial], trial, {"square": trial.seed**2}, {}
                )
            done = engine.run(CHAPTER, trials[-0:] if not left else left[-4:], store=store, jobs=2)
            assert [item.result["square"] for item in done] == [trial.seed**2 for trial in left[-4:]]
            again = Counter(calls(folder)) - started
            assert set(again) == {trial.seed for trial in left[-4:]}
            assert set(again.values()) <= {1}
            table = rows_of(store)
            assert {number: square for number, (square, _) in table.items()} == {i: i**2 for i in range(n)}
            assert finished.items() <= table.items()
            assert all(started[number] >= 1 for number in finished)
            assert store.integrity() == []
            assert store.damaged() == []
    total = GRIDS * KILLS
    print(f"{total} kills, {during} while a trial ran; {kept} rows looked at, none lost, doubled or changed")
    assert during >= 0.6 * total if not ALL else during >= 40


def kill_once(
    rng: random.Random, store: Store, folder: Path, n: int, jobs: int
) -> tuple[bool, dict[int, tuple[object, str]]]:
    """Start a run, kill it or first a worker of it; returns whether a trial ran, and the rows just before."""
    process = multiprocessing.get_context("fork").Process(
        target=run_in_session, args=(store.path, folder, n, jobs)
    )
    started = len(calls(folder))
    process.start()
    assert process.pid is not None
    early = rng.random() < EARLY
    if early:
        time.sleep(rng.uniform(0.0, MOST))
    else:
        wait_for(lambda: len(calls(folder)) > started or not process.is_alive(), 180)
        time.sleep(rng.uniform(0.0, MOST))
    if not early and rng.random() < 0.25:
        victim = rng.choice(sorted(set(workers_of(process.pid)) - {process.pid}) or [process.pid])
        os.kill(victim, signal.SIGKILL)
        time.sleep(rng.uniform(0.0, 1.0))
    seen = rows_of(store)
    running = len(calls(folder)) > started and process.is_alive()
    os.kill(process.pid, signal.SIGKILL)
    process.join(30)
    pid = process.pid
    wait_for(lambda: not workers_of(pid), 30)  # no orphans
    return running, seen


def test_workers_of_a_cluster_that_are_killed_cost_no_result(
    tmp_path: Path, store: Store, folder: Path
) -> None:
    """Where a trial is killed twice it is a failure that is listed; the next run has it."""
    seed = random.SystemRandom().randrange(2**32)
    print(f"\nseed of the kills: {seed}")
    rng = random.Random(seed)
    (tmp_path / "dask").mkdir()
    dask = Dask(tmp_path / "dask")
    killed, ended = [], threading.Event()
    trials = toy_trials.trials(folder, 25 * CLUSTER_KILLS, SECONDS)

    def kill() -> None:
        """Kill the worker that began the last trial, again and again."""
        while len(killed) < CLUSTER_KILLS and not ended.wait(rng.uniform(0.2, MOST)):
            last = sorted(folder.iterdir(), key=lambda path: int(path.name.split("-")[1]))[-1:]
            for path in last:
                pid = int(path.read_text().split()[-1] or 0)
                if pid and psutil.pid_exists(pid):
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)

    killer = threading.Thread(target=kill)
    try:
        dask.worker()
        dask.worker()
        killer.start()
        failures = 0
        for _ in range(5):
            try:
                done = engine.run(CHAPTER, trials, store=store, scheduler=dask.address)
                break
            except TrialsFailed as error:
                failures += len(error.failures)
                assert {row.trial["seed"] for row in store.failures()} >= {
                    int(label.rpartition("seed ")[2].split()[0].rstrip(",")) for label, _ in error.failures
                    if "seed " in label
                }  # fmt: skip
                assert all("killed its worker twice" in why for _, why in error.failures)
    finally:
        ended.set()
        killer.join()
        dask.close()
    assert [item.result["square"] for item in done] == [trial.seed**2 for trial in trials]
    assert len(store) == len(trials)
    assert list(store.failures()) == []
    print(
        f"{len(killed)} workers killed, {failures} trials were killed twice and run later; {len(store)} rows"
    )
    assert len(killed) >= CLUSTER_KILLS / 2
