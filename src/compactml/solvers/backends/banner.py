"""HiGHS 1.16 prints two lines to the standard output when its first object is made, before any option can be set."""

from __future__ import annotations

import ctypes
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock
from typing import BinaryIO

__all__ = ["without_banner"]

STARTS = (b"Running HiGHS", b"Includes third-party software", b"Copyright (c)")
OUTPUT = 1
"""The file descriptor of the standard output: the lines come from C, past `sys.stdout`."""
_lock = Lock()


@contextmanager
def without_banner() -> Iterator[None]:
    """Leave HiGHS's banner out of what the block prints; all else, of other threads too, comes out after it.

    Only one thread at a time is within such a block. Where the process has no standard output nothing is done.
    """
    with _lock:
        try:
            kept = os.dup(OUTPUT)
        except OSError:  # closed
            yield
            return
        try:
            with tempfile.TemporaryFile() as caught:
                os.dup2(caught.fileno(), OUTPUT)
                try:
                    yield
                finally:
                    _flush_c()
                    os.dup2(kept, OUTPUT)
                    _pass_on(caught)
        finally:
            os.close(kept)


def _flush_c() -> None:
    """Write what the C library still holds; a C library that is not found has been left unbuffered by HiGHS."""
    name = "ucrtbase" if sys.platform == "win32" else None
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(name).fflush(None)


def _pass_on(caught: BinaryIO) -> None:
    """Write the caught lines that are not the banner's."""
    caught.seek(0)
    rest = b"".join(line for line in caught.readlines() if not line.startswith(STARTS))
    while rest:
        rest = rest[os.write(OUTPUT, rest) :]
