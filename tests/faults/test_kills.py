"""Runs that are killed at random moments, and workers of theirs: nothing is lost, doubled or changed.

Continuous integration kills a few; `make faults` (FAULTS=all) 50 runs and 20 workers of a cluster.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import re
import signal
import sys
import threading
import time
import warnings
from collections import Counter
from contextlib import suppress
from functools import partial
from pathlib import Path

import psutil
import pytest
from joblib.externals.loky.backend import get_context

from compactml.study import Store, Trial, TrialsFailed
from compactml.study.running import engine, execution
from tests.study import toy_trials
from tests.study.test_cluster import Dask
from tests.study.test_engine import wait_for, workers_of
from tests.study.toy_trials import CHAPTER, calls

ALL = os.environ.get("FAULTS") == "all"
GRIDS, KILLS = (10, 5) if ALL else (2, 3)
SPAWNED = {0, 5} if ALL else set[int]()
"""Grids whose workers are new processes, as always; those of the others are forks, which start in no time."""
CLUSTER_KILLS = 20 if ALL else 2
SECONDS = 0.25  # of a trial
PER_KILL = 20  # trials of a grid
MOST = 3.0  # seconds between two deaths of workers of a cluster
START = (
    0.1,
    3.0,
)  # seconds within which a run is killed that has begun no trial, with forks and with new processes
EARLY = 0.1  # share of kills before the first trial of a run
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes as Linux shows them")


def run_in_session(store: Path, trials: list[Trial], spawned: bool) -> None:
    """In a process of its own: run a grid with two workers."""
    os.setsid()
    warnings.simplefilter("ignore")  # loky does not like forks
    if not spawned:
        forking = partial(execution.ProcessPoolExecutor, context=get_context("fork"))
        execution.ProcessPoolExecutor = forking  # type: ignore[misc, assignment]
    with Store(store) as opened:
        engine.run(CHAPTER, trials, store=opened, jobs=2)


def rows_of(store: Store) -> dict[int, tuple[object, str]]:
    """Result and provenance of each trial."""
    return {
        int(row.trial["seed"]): (row.result["square"], f"{row.result} {row.provenance}")
        for row in store.rows()
    }


def test_grids_that_are_killed_end_like_the_others(tmp_path: Path) -> None:
    """Each is killed several times, or a worker of it, at moments drawn over the undisturbed run, and then ends."""
    seed = random.SystemRandom().randrange(2**32)
    print(f"\nseed of the kills: {seed}")
    rng = random.Random(seed)
    during, kept = 0, 0
    for grid in range(GRIDS):
        folder = tmp_path / f"calls{grid}"
        folder.mkdir()
        n = PER_KILL * KILLS
        trials = toy_trials.trials(folder, n, SECONDS)
        with Store(tmp_path / f"{grid}.sqlite") as store:
            engine.plan(CHAPTER, trials, store)  # reads the code, which forks then need not
            for position in sorted(rng.choices(range(n), k=KILLS)):
                before = rows_of(store)
                in_trial, seen = kill_once(rng, position, store, folder, n, grid in SPAWNED)
                during += in_trial
                after = rows_of(store)
                assert before.items() <= seen.items() <= after.items()  # all that was there, digit by digit
                kept += len(after)
            finished, started = rows_of(store), Counter(calls(folder))
            done = engine.run(CHAPTER, trials, store=store)
            again = Counter(calls(folder)) - started
            assert again == dict.fromkeys(set(range(n)) - set(finished), 1)
            assert [item.result["square"] for item in done] == [i**2 for i in range(n)]
            table = rows_of(store)
            assert {number: square for number, (square, _) in table.items()} == {i: i**2 for i in range(n)}
            assert finished.items() <= table.items()
            assert (store.integrity(), store.damaged(), list(store.failures())) == ([], [], [])
    total = GRIDS * KILLS
    print(f"{total} kills, {during} while a trial ran; {kept} rows looked at, none lost, doubled or changed")
    assert during >= 0.5 * total if not ALL else during >= 0.8 * total


def kill_once(
    rng: random.Random, position: int, store: Store, folder: Path, n: int, spawned: bool
) -> tuple[bool, dict[int, tuple[object, str]]]:
    """Start a run, kill it or first a worker of it once so many trials are finished in all.

    Returns whether a trial ran, and the rows just before.
    """
    given = store.path, toy_trials.trials(folder, n, SECONDS), spawned
    process = multiprocessing.get_context("fork").Process(target=run_in_session, args=given)
    started, finished = len(calls(folder)), len(store)
    process.start()
    assert process.pid is not None
    early = rng.random() < EARLY
    if early:
        time.sleep(rng.uniform(0.0, START[spawned]))
    else:
        wait_for(
            lambda: (len(calls(folder)) > started and len(store) >= position) or not process.is_alive(), 180
        )
        time.sleep(rng.uniform(0.0, SECONDS))
    if not early and rng.random() < 0.25:
        victim = rng.choice(sorted(set(workers_of(process.pid)) - {process.pid}) or [process.pid])
        with suppress(ProcessLookupError):  # it came to its end meanwhile
            os.kill(victim, signal.SIGKILL)
        time.sleep(rng.uniform(0.0, 1.0))
    seen = rows_of(store)
    running = process.is_alive() and len(calls(folder)) - started > len(seen) - finished
    with suppress(ProcessLookupError):
        os.kill(process.pid, signal.SIGKILL)
    process.join(30)
    pid = process.pid
    wait_for(lambda: not workers_of(pid), 30)  # no orphans
    return running, seen


@pytest.mark.parametrize(("kind", "programs"), [("starting", ["sleep"] * 2), ("proving", [])])
def test_a_run_that_is_killed_leaves_nothing_of_its_trials(
    kind: str, programs: list[str], store: Store, folder: Path
) -> None:
    """Neither programs that they started nor the processes themselves, also where a solver is at work in them."""
    trials = toy_trials.trials(folder, 2, 600, kind=kind)
    engine.plan(CHAPTER, trials, store)  # as above
    process = multiprocessing.get_context("fork").Process(
        target=run_in_session, args=(store.path, trials, False)
    )
    process.start()
    pid = process.pid
    assert pid is not None
    try:
        wait_for(lambda: len(calls(folder)) == 2 and programs_of(pid) == programs, 180)
        time.sleep(1.0)  # SCIP is at work by then, not only about to
        os.kill(pid, signal.SIGKILL)
        process.join(30)
        wait_for(lambda: not workers_of(pid), 30)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)


def programs_of(session: int) -> list[str]:
    """Names of a session's processes that are no Python."""
    names = {one.pid: one.info["name"] for one in psutil.process_iter(["name"])}
    return [names[pid] for pid in workers_of(session) if not names.get(pid, "python").startswith("python")]


def test_workers_of_a_cluster_that_are_killed_cost_no_result(
    tmp_path: Path, store: Store, folder: Path
) -> None:
    """Where a trial is killed twice it is a failure that is listed; the next run has it."""
    seed = random.SystemRandom().randrange(2**32)
    print(f"\nseed of the kills: {seed}")
    rng = random.Random(seed)
    (tmp_path / "dask").mkdir()
    dask = Dask(tmp_path / "dask")
    killed: set[int] = set()
    failed: list[list[str]] = []
    listed, ended = 0, threading.Event()
    trials = toy_trials.trials(folder, 40 * CLUSTER_KILLS, SECONDS)  # enough for all kills

    def kill() -> None:
        """Kill the worker that began the last trial, again and again."""
        while len(killed) < CLUSTER_KILLS and not ended.wait(rng.uniform(0.2, MOST)):
            last = sorted(folder.iterdir(), key=lambda path: int(path.name.split("-")[1]))[-1:]
            for path in last:
                pid = int((path.read_text().split() or ["0"])[-1])  # it may not be written yet
                if pid and pid not in killed and psutil.pid_exists(pid):
                    os.kill(pid, signal.SIGKILL)
                    killed.add(pid)

    killer = threading.Thread(target=kill)
    try:
        dask.worker()
        dask.worker()
        killer.start()
        for _ in range(5):
            try:
                done = engine.run(CHAPTER, trials, store=store, scheduler=dask.address)
                break
            except TrialsFailed as error:
                said = sorted(why for _, why in error.failures)
                listed += said == sorted(row.failure["error"] for row in store.failures())
                failed.append(said)
    finally:
        ended.set()
        killer.join()
        dask.close()
    assert [item.result["square"] for item in done] == [trial.seed**2 for trial in trials]
    assert len(store) == len(trials)
    assert list(store.failures()) == []
    assert listed == len(failed)
    assert all(re.search("killed its worker twice.*; run it again", why) for said in failed for why in said)
    twice = sum(map(len, failed))
    print(f"{len(killed)} workers killed, {twice} trials were killed twice and run later; {len(store)} rows")
    assert len(killed) == CLUSTER_KILLS
