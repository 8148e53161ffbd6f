"""What a process does with one trial: prove that it is the same trial here, run it, measure it."""

from __future__ import annotations

import itertools
import os
import platform
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import psutil
from threadpoolctl import threadpool_limits

from compactml.compiling import say_nothing
from compactml.solvers import answers
from compactml.study.keys.environments import Environment
from compactml.study.keys.fingerprint import (
    DataIdentity,
    KeyParts,
    data_identity,
    key_parts,
    recipe_identity,
)
from compactml.study.profile import Profile
from compactml.study.running.provenance import SHARE, THREADS, Measured, Provenance, collect
from compactml.study.trial import Recipe, Result, Trial, checked_result
from compactml.watch import recorded

__all__ = ["STARTED", "Failure", "Finished", "Order", "Outcome", "Refusal", "carry_out"]

REPEATS = 2
"""How often a trial is run again that the clock ended while it lacked a processor."""
SAMPLE_SECONDS = 0.1
RARELY = 20
"""Samples from one look for programs that a trial has started to the next, where it says of none: HiGHS may have a
process of its own."""
CLOCKS_SECONDS = 1.0
"""The system tells the start of a process by the start of the machine, and that in whole seconds."""
STARTED = "started"  # the file that a trial's start touches in its folder
STACK_LINES = 60  # of a traceback, the innermost: recursion has thousands


@dataclass(frozen=True)
class Order:
    """A trial to be run, and what its key was made of where it was planned.

    Attributes
    ----------
    function : callable Trial -> result
    trial : Trial
    recipe : Recipe or None
        How its data are made, if no dataset has their name.
    parts : KeyParts
    profile : Profile or None
    folder : str
        Where its process may leave word of its resident size; empty for nowhere.
    environment : Environment or None
        In which it runs a program of others.
    """

    function: Callable[[Trial], Any]
    trial: Trial
    recipe: Recipe | None
    parts: KeyParts
    profile: Profile | None = None
    folder: str = ""
    environment: Environment | None = None


@dataclass(frozen=True)
class Finished:
    """A trial with its result; ``cached`` says that it came from the store.

    ``opinion`` is what another solver says of its final value, where one was asked, see
    `compactml.study.running.opinions`.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from compactml import chapters
    >>> from compactml.study.running.tables import run_table
    >>> sharing = chapters.chapter("condition-sharing")
    >>> with TemporaryDirectory() as folder:
    ...     finished = run_table(sharing, "search", store=f"{folder}/results.sqlite")
    >>> finished[0].trial.kind, finished[0].cached
    ('search', False)
    """

    trial: Trial
    result: Result
    provenance: Provenance
    cached: bool
    opinion: dict[str, Any] | None = None


@dataclass(frozen=True)
class Failure:
    """A trial that has no result.

    Attributes
    ----------
    trial : Trial
    error : str
        In one line.
    signal : str
        Name of the signal that ended its process, where one did.
    resident_mib : float or None
        Last resident size of that process.
    stack : str
        The traceback's end, or where the process was, as far as Python could still tell.
    """

    trial: Trial
    error: str
    signal: str = ""
    resident_mib: float | None = None
    stack: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return all but the trial as a dictionary that JSON can hold."""
        return {name: getattr(self, name) for name in ("error", "signal", "resident_mib", "stack")}


@dataclass(frozen=True)
class Refusal:
    """A trial that a worker did not run since its key would be another one there; the parts in which they differ."""

    trial: Trial
    worker: str
    differences: tuple[str, ...]


Outcome = Finished | Failure | Refusal


def carry_out(order: Order) -> Outcome:
    """Run a trial with one thread, unless its key is another one here; an error becomes a value."""
    try:
        data = recipe_identity(order.recipe) if order.recipe else data_identity(order.trial.dataset)
        differences = order.parts.differences(key_parts(order.function, data, order.environment))
    except Exception as error:
        return Failure(order.trial, f"before it started: {in_one_line(error)}", stack=last_of_traceback())
    if differences:
        return Refusal(order.trial, f"{platform.node()}:{os.getpid()}", tuple(differences))
    say_nothing()
    outcome = _attempt(order, data, 0)
    for repeats in range(1, 1 + (0 if order.profile is Profile.QUICK else REPEATS)):
        if not (isinstance(outcome, Finished) and outcome.provenance.starved):
            break
        outcome = _attempt(order, data, repeats)
    return outcome


def _attempt(order: Order, data: DataIdentity, repeats: int) -> Outcome:
    trial = order.trial
    started, cpu = time.perf_counter(), cpu_seconds()
    try:
        with (
            watched(order.folder, order.environment is not None) as peak,
            answers() as log,
            threadpool_limits(THREADS),
            recorded(),
        ):
            result = checked_result(order.function(trial))
    except Exception as error:
        return Failure(trial, in_one_line(error), stack=last_of_traceback())
    measured = Measured(
        seconds=time.perf_counter() - started,
        cpu_seconds=cpu_seconds() - cpu,
        resident_mib=peak(),
        backends=tuple(one.as_dict() for one in log.values()),
        repeats=repeats,
    )
    measured = replace(measured, starved=is_starved(trial, measured))
    provenance = collect(trial, result, measured, order.parts, data.source, order.profile)
    return Finished(trial, result, provenance, cached=False)


def in_one_line(error: BaseException) -> str:
    """Name an error's class and say what it says."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


def last_of_traceback() -> str:
    """Return the last lines of the traceback of the error at hand."""
    return "\n".join(traceback.format_exc().strip().splitlines()[-STACK_LINES:])


def is_starved(trial: Trial, measured: Measured) -> bool:
    """Return whether a trial lasted as long as its limit, and so may have been ended by it, and lacked a processor."""
    limit = trial.time_limit
    return limit is not None and measured.seconds >= limit and measured.cpu_seconds < SHARE * measured.seconds


def cpu_seconds() -> float:
    """Return the CPU time of this process and of those that it started and that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def resident_mib(process: psutil.Process, since: float | None = None) -> float:
    """Return the resident size of a process, with that of the programs that it has started since a time, if any."""
    size: int = process.memory_info().rss
    if since is None:
        return size / 2**20
    for program in process.children(recursive=True):
        with suppress(psutil.NoSuchProcess):  # it has ended meanwhile
            if program.create_time() > since - CLOCKS_SECONDS:
                size += program.memory_info().rss
    return size / 2**20


@contextmanager
def watched(folder: str, programs: bool = False) -> Iterator[Callable[[], float]]:
    """Yield a function that tells the largest resident size so far, in MiB; leave the last in ``folder``, if any.

    Programs that this process started count. ``programs`` says that there will be some: to look for them takes
    milliseconds, and a trial without an environment is looked at every two seconds only.
    """
    if folder:
        (Path(folder) / STARTED).touch()
    process, done, start = psutil.Process(), threading.Event(), time.time()
    peak = last = resident_mib(process)
    path = Path(folder) / f"{process.pid}.resident" if folder else None

    def leave_word() -> None:
        # A process that dies while it writes leaves the word before. `files.write_atomically` would sync the disk, too,
        # ten times a second beside a trial that is timed.
        if path is not None:
            new = path.with_suffix(".new")
            new.write_text(f"{last:.1f}", encoding="utf-8")
            new.replace(path)

    def look() -> None:
        nonlocal peak, last
        for sample in itertools.count(1):
            last = resident_mib(process, start if programs or sample % RARELY == 0 else None)
            peak = max(peak, last)
            leave_word()
            if done.wait(SAMPLE_SECONDS):
                return

    leave_word()  # before the trial starts: it may end its process at once
    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield lambda: peak
    finally:
        done.set()
        watcher.join()
