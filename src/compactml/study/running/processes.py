"""Processes that outlive nothing: what one started ends with it, and what it left behind goes."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from compactml.files import locked

__all__ = ["MARK", "end_with", "kill", "marked", "own_folder", "started_here"]

WATCH_SECONDS = 0.5

MARK = "COMPACTML_WORKER"
"""Variable of a worker's environment, by which the programs that it started are found after its death."""

HOMES = "compactml-workers-"
LOCK = "lock"
YOUNG_SECONDS = 60.0
"""A folder may be there for so long before its owner holds the lock."""


@contextmanager
def own_folder() -> Iterator[Path]:
    """Make a folder for temporary files that ends with the ``with``; those of runs that were killed go first."""
    _sweep()
    with tempfile.TemporaryDirectory(prefix=HOMES, ignore_cleanup_errors=True) as name:
        home = Path(name)
        with locked(home / LOCK, seconds=YOUNG_SECONDS):
            yield home


def _sweep() -> None:
    """Remove the folders whose owners hold their locks no more."""
    for lock in Path(tempfile.gettempdir()).glob(f"{HOMES}*/{LOCK}"):
        with suppress(OSError):  # another user's, or held (`TimeoutError`), or gone meanwhile
            if time.time() - lock.stat().st_mtime < YOUNG_SECONDS:
                continue
            with locked(lock, seconds=0.0):
                shutil.rmtree(lock.parent, ignore_errors=True)


def started_here() -> list[psutil.Process]:
    """Return the processes that this one started, and that those started."""
    found: list[psutil.Process] = psutil.Process().children(recursive=True)
    return found


def marked(value: str) -> list[psutil.Process]:
    """Return the processes whose `MARK` has a value; those of other users cannot be seen."""
    seen = psutil.process_iter(["environ"])
    return [process for process in seen if (process.info["environ"] or {}).get(MARK) == value]


def kill(processes: Iterable[psutil.Process]) -> None:
    """Kill processes, of which some may have ended."""
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.kill()


def end_with(parent: int, last: Callable[[], None] = lambda: None) -> None:
    """From now on end this process, and all that it started, once its parent is gone.

    Parameters
    ----------
    parent : int
        Its number is handed over: once it was killed, a process that is still starting has another parent already.
    last : callable () -> None, optional
        What is left to do before the end.
    """

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(WATCH_SECONDS)
        kill(started_here())
        last()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
