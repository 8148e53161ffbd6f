"""Places where trials run: this process, and processes of this machine, whose ends are told and outlived."""

from __future__ import annotations

import faulthandler
import os
import re
import shutil
import signal
import time
import warnings
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
from joblib.externals.loky import ProcessPoolExecutor

from compactml.study.running.limits import WHERE_ROOM, TrialLimits
from compactml.study.running.processes import MARK, end_with, kill, marked, own_folder
from compactml.study.running.provenance import THREADS
from compactml.study.running.queueing import WATCH_SECONDS
from compactml.study.running.worker import (
    STARTED,
    Failure,
    Order,
    Outcome,
    Refusal,
    carry_out,
    in_one_line,
    last_of_traceback,
    resident_mib,
)

__all__ = ["Here", "Processes"]

ONE_THREAD = {
    f"{name}_NUM_THREADS": str(THREADS)
    for name in ("OMP", "OPENBLAS", "MKL", "BLIS", "VECLIB_MAXIMUM", "NUMBA", "NUMEXPR")
}
GREW = "A worker stopped while some jobs were given"
"""What loky warns of when it replaces a process that has grown between two trials: nothing is lost, and it is loky's
own measure."""


class Here:
    """The coordinating process itself: a trial that kills it ends the run."""

    def free(self, flying: int) -> bool:
        """Allow one trial at a time."""
        return flying == 0

    def submit(self, order: Order) -> Future[Outcome]:
        """Run a trial now."""
        future: Future[Outcome] = Future()
        future.set_result(carry_out(order))
        return future

    def ended(self, flying: list[Any]) -> list[Any]:
        """All have ended."""
        return flying

    def outcome(self, ended: Any, order: Order) -> Outcome | None:
        """Return what was computed."""
        return ended.result()

    def refused(self, refusal: Refusal) -> bool:
        """Say that there is nobody else: the code on the disk has changed since it was read, perhaps."""
        return False

    def death(self, order: Order) -> Failure:
        """Not reached: who would tell?"""
        return Failure(order.trial, "its process died")


class Slot:
    """One worker process at a time, which leaves word of itself in a folder; a new one replaces a dead one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.end: tuple[str, float | None, str] = "", None, ""
        self._pool: ProcessPoolExecutor | None = None

    def submit(self, order: Order) -> Future[Outcome]:
        """Start a trial."""
        if self._pool is None:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(parents=True)
            given = os.getpid(), str(self.folder)
            mark = {MARK: str(self.folder)}
            self._pool = ProcessPoolExecutor(
                1, initializer=prepare_worker, initargs=given, env=ONE_THREAD | mark
            )
        # The mark of the trial before: this one leaves its own when it starts.
        (self.folder / STARTED).unlink(missing_ok=True)
        future: Future[Outcome] = self._pool.submit(carry_out, replace(order, folder=str(self.folder)))
        return future

    def running(self) -> float:
        """Return for how many seconds its trial has run; a process that starts is not counted."""
        try:
            return time.time() - (self.folder / STARTED).stat().st_mtime
        except FileNotFoundError:
            return 0.0

    def resident(self) -> float | None:
        """Return the resident size that the process has last left word of, in MiB."""
        word = self._word()
        text = word.read_text(encoding="utf-8") if word else ""
        return float(text) if text else None

    def resident_now(self) -> float | None:
        """Return the resident size of the process and of what its trial started, in MiB.

        It is asked from here: a solver may hold the interpreter, and then the process leaves no word.
        """
        word = self._word()
        if word is None:
            return None
        try:
            since = (self.folder / STARTED).stat().st_mtime
            return resident_mib(psutil.Process(int(word.stem)), since)
        except (psutil.NoSuchProcess, FileNotFoundError):  # it has ended, or does not run its trial yet
            return self.resident()

    def _word(self) -> Path | None:
        """Return the file with the last word, whose name is the number of the process."""
        return max(self.folder.glob("*.resident"), key=lambda path: path.stat().st_mtime, default=None)

    def bury(self, error: BaseException) -> None:
        """Keep what is known of a process that died and end what it started, so that the next trial gets a new one."""
        signals = re.findall(r"SIG[A-Z0-9]+", str(error))
        stack = self.folder / "stack"
        self.end = (
            signals[0] if signals else "",
            self.resident(),
            stack.read_text(encoding="utf-8") if stack.is_file() else "",
        )
        self.close()
        kill(marked(str(self.folder)))

    def close(self) -> None:
        """End the process now."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, kill_workers=True)
            self._pool = None


class Processes:
    """Worker processes on this machine, each with one thread and a queue of its own, so that a death is one trial's.

    Parameters
    ----------
    n : int
    limits : TrialLimits
        A trial that exceeds one is not tried again.
    """

    def __init__(self, n: int, limits: TrialLimits) -> None:
        self._rest = ExitStack()
        self._rest.enter_context(warnings.catch_warnings())
        warnings.filterwarnings("ignore", GREW, UserWarning)
        home = self._rest.enter_context(own_folder())
        self._idle = [Slot(home / str(i)) for i in range(n)]
        self._busy: dict[Future[Outcome], Slot] = {}
        self._last = self._idle[0]
        self._limits = limits
        self._ended_here: dict[Future[Outcome], tuple[str, float | None]] = {}

    def free(self, flying: int) -> bool:
        """Return whether a process has nothing to do."""
        return bool(self._idle)

    def submit(self, order: Order) -> Future[Outcome]:
        """Give a trial to an idle process."""
        slot = self._idle.pop()
        future = slot.submit(order)
        self._busy[future] = slot
        return future

    def ended(self, flying: list[Any]) -> list[Any]:
        """Wait for a moment at most."""
        done = wait(flying, WATCH_SECONDS, return_when=FIRST_COMPLETED).done
        return list(done or self._over_limits(flying))

    def _over_limits(self, flying: list[Any]) -> list[Any]:
        """End the processes whose trials exceed a limit, and return these trials."""
        for future in flying:
            slot = self._busy[future]
            mib = None if self._limits.mib is None else slot.resident_now()
            why = self._limits.exceeded(slot.running(), mib)
            if why:
                slot.close()
                self._ended_here[future] = why, slot.resident() if mib is None else mib
        return [future for future in flying if future in self._ended_here]

    def outcome(self, ended: Any, order: Order) -> Outcome | None:
        """Return what a process sent, or None where it died."""
        slot = self._busy.pop(ended)
        self._idle.append(slot)
        if ended in self._ended_here:
            why, mib = self._ended_here.pop(ended)
            return Failure(order.trial, why, resident_mib=mib)
        try:
            sent: Outcome = ended.result()
        except BrokenExecutor as error:
            slot.bury(error)
            self._last = slot
            return None
        except Exception as error:  # what the trial returned cannot be sent, say
            return Failure(order.trial, in_one_line(error), stack=last_of_traceback())
        return sent

    def refused(self, refusal: Refusal) -> bool:
        """All processes have the same code."""
        return False

    def death(self, order: Order) -> Failure:
        """Say what is known of the process that died last."""
        name, mib, stack = self._last.end
        size = "" if mib is None else f", last resident size {mib:.0f} MiB"
        error = f"killed its process twice, the second time alone ({name or 'unknown signal'}{size}); {WHERE_ROOM}"
        return Failure(order.trial, error, name, mib, stack)

    def close(self) -> None:
        """End all processes, whatever they do."""
        for slot in [*self._idle, *self._busy.values()]:
            slot.close()
        self._rest.close()


def prepare_worker(coordinator: int, folder: str) -> None:
    """In a worker: leave Ctrl-C and SIGTERM to the coordinating process, end with it, write down a crash.

    A queue sends SIGTERM to all processes at once; the coordinating process then ends its workers. An orphan, and what
    it started, would go on with a trial whose result nobody stores.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    faulthandler.enable((Path(folder) / "stack").open("w", encoding="utf-8"))
    end_with(coordinator)
