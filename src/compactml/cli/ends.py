"""How a command ends from outside: Ctrl-C, SIGTERM and a closed output, each in one line and without a traceback."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TextIO

__all__ = ["Terminated", "complain", "ended_cleanly", "silence"]

INTERRUPTED, TERMINATED, BROKEN_PIPE = 130, 143, 141  # as shells use them
AGAIN = "run the same command again to resume"


class Terminated(KeyboardInterrupt):
    """SIGTERM came, as from a cluster's queue or a container that stops: it ends a command as Ctrl-C does."""


def _terminate(number: int, frame: FrameType | None) -> None:
    raise Terminated


@contextmanager
def ended_cleanly(kept: str = "finished trials are kept") -> Iterator[None]:
    """Turn what ends the program from outside into a line on stderr, which says what is kept, and an exit code."""
    before = signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()  # here, where a closed pipe can still be answered for
    except Terminated:
        _end(f"terminated: {kept}; {AGAIN}", TERMINATED)
    except KeyboardInterrupt:
        _end(f"interrupted: {kept}; {AGAIN}", INTERRUPTED)
    except BrokenPipeError:
        silence(sys.stdout)
        _end(f"error: stdout was closed before all was printed; {kept}", BROKEN_PIPE)
    finally:
        signal.signal(signal.SIGTERM, before)


def silence(stream: TextIO | None) -> None:
    """Send what a stream still holds to nowhere: Python flushes again when it ends, and would complain."""
    if stream is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def complain(text: str) -> None:
    """Write a line on stderr; where that is closed or full too, the exit code is all that can be said."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        silence(sys.stderr)


def _end(text: str, code: int) -> None:
    complain(text)
    sys.exit(code)
