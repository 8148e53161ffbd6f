"""Ctrl-C while a solver is at work."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def interrupted(seconds: float) -> Iterator[None]:
    """Interrupt the main thread after so long."""
    main = threading.main_thread().ident
    assert main is not None
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(seconds, lambda: signal.pthread_kill(main, signal.SIGINT))
    try:
        timer.start()
        yield
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
