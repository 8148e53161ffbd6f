"""Processes that outlive nothing: what one started ends with it."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

import psutil

__all__ = ["MARK", "end_with", "kill", "marked", "started_here"]

WATCH_SECONDS = 0.5

MARK = "COMPACTML_WORKER"
"""Variable of a worker's environment, by which the programs that it started are found after its death."""


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
