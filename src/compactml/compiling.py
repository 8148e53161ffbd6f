"""A word while kernels are compiled: the first use on a machine takes seconds, later ones load what was kept."""

from __future__ import annotations

import logging
import time
from functools import cache

from numba.core import event

from compactml.kernel_cache import heal

__all__ = ["announce", "say_nothing"]

PATIENCE = 2.0
"""Seconds of compiling after which it is said."""
heal()
LOGGER = logging.getLogger("compactml.compiling")
WORD = (
    "compactml compiles its kernels, which the first use on a machine does and later ones need not; it may take half a "
    "minute. 'python -m compactml.warm_up' does it beforehand."
)


class Announcer(event.Listener):
    """Adds up what compiling takes, and says once that it takes long."""

    def __init__(self) -> None:
        self.depth, self.before, self.began, self.said = 0, 0.0, 0.0, False

    def on_start(self, event: event.Event) -> None:
        """A function begins to be compiled, perhaps within another one."""
        self._look()
        if self.depth == 0:
            self.began = time.perf_counter()
        self.depth += 1

    def on_end(self, event: event.Event) -> None:
        """It ends."""
        self._look()
        self.depth -= 1
        if self.depth == 0:
            self.before += time.perf_counter() - self.began

    def _look(self) -> None:
        seconds = self.before + (time.perf_counter() - self.began if self.depth else 0.0)
        if seconds > PATIENCE and not self.said:
            self.said = True
            LOGGER.warning(WORD)


@cache
def announce() -> None:
    """Say on stderr, once in a process, when compiling has taken more than `PATIENCE` seconds."""
    event.register("numba:compile", Announcer())


def say_nothing() -> None:
    """Compile silently from now on: a page or a run of trials looks the same whether kernels are kept or not."""
    LOGGER.setLevel(logging.ERROR)
