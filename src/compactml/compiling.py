"""Compiling of kernels: clocks stand still meanwhile, and a word says so where it takes long.

Each kernel is compiled when it is called for the first time on a machine, and loaded from what was kept in later runs.
"""

from __future__ import annotations

import logging
from functools import cache

from numba.core import event

from compactml.clock import COMPILING, Standstill
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


class Timer(event.Listener):
    """Stops the clocks while the compiler is held, for compiling or for loading what was kept."""

    def on_start(self, event: event.Event) -> None:
        """A thread asks for the compiler, perhaps within another function."""
        COMPILING.begin()

    def on_end(self, event: event.Event) -> None:
        """It is done with it."""
        COMPILING.end()


class Announcer(event.Listener):
    """Adds up what compiling takes, and says once that it takes long."""

    def __init__(self) -> None:
        self.compiling, self.said = Standstill(), False

    def on_start(self, event: event.Event) -> None:
        """A function begins to be compiled, perhaps within another one."""
        self._look()
        self.compiling.begin()

    def on_end(self, event: event.Event) -> None:
        """It ends."""
        self._look()
        self.compiling.end()

    def _look(self) -> None:
        if self.compiling.seconds > PATIENCE and not self.said:
            self.said = True
            LOGGER.warning(WORD)


@cache
def announce() -> None:
    """Stop clocks while kernels are compiled, and say so once where that has taken more than `PATIENCE` seconds."""
    event.register("numba:compiler_lock", Timer())
    event.register("numba:compile", Announcer())


def say_nothing() -> None:
    """Compile silently from now on: a page or a run of trials looks the same whether kernels are kept or not."""
    LOGGER.setLevel(logging.ERROR)
