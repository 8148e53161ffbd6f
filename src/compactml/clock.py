"""A deadline that several steps share; it stands still while kernels are compiled."""

from __future__ import annotations

import math
import threading
import time
from collections import Counter
from dataclasses import dataclass, field

__all__ = ["COMPILING", "Clock", "Standstill", "now"]


class Standstill:
    """Adds up the time in which something goes on that no clock counts, in any thread."""

    def __init__(self) -> None:
        self._lock, self._depths = threading.Lock(), Counter[int]()
        self._before, self._began = 0.0, 0.0

    def begin(self) -> None:
        """It begins in this thread, perhaps within itself."""
        with self._lock:
            if not self._depths:
                self._began = time.perf_counter()
            self._depths[threading.get_ident()] += 1

    def end(self) -> None:
        """It ends in this thread."""
        with self._lock:
            self._leave(self._depths[threading.get_ident()] - 1)

    def leave(self) -> None:
        """Take it as ended in this thread however often it had begun, as after Ctrl-C."""
        with self._lock:
            self._leave(0)

    @property
    def seconds(self) -> float:
        """What it has taken so far in this process, with what goes on now."""
        with self._lock:
            return self._before + (time.perf_counter() - self._began if self._depths else 0.0)

    def _leave(self, depth: int) -> None:
        going_on = bool(self._depths)
        self._depths[threading.get_ident()] = max(depth, 0)
        self._depths = +self._depths  # those above 0
        if going_on and not self._depths:
            self._before += time.perf_counter() - self._began


COMPILING = Standstill()
"""While kernels are compiled, or those kept from an earlier run are loaded; `compactml.compiling` tells."""


def now() -> float:
    """Return seconds since some moment, without those that went into compiling."""
    return time.perf_counter() - COMPILING.seconds


@dataclass
class Clock:
    """A deadline; the time already used is kept.

    What goes into compiling does not count: a first call has as much time for its work as any later one.
    """

    limit: float | None
    start: float = field(default_factory=now)
    _ended: bool = field(default=False, init=False, repr=False)

    @property
    def seconds(self) -> float:
        return now() - self.start

    @property
    def left(self) -> float:
        if self.limit is None:
            return math.inf
        return 0.0 if self._ended else max(self.limit - self.seconds, 0.0)

    def allowance(self, share: float = 1.0) -> float | None:
        """Return a share of the seconds left, for a step that takes None for no limit."""
        return None if self.limit is None else share * self.left

    def stopped(self) -> bool:
        return self.left <= 0.0

    def end(self) -> None:
        """Stop it now, as no step fits into what is left; a clock without a limit goes on."""
        self._ended = True

    def part(self, limit: float) -> Clock:
        """Return a clock with the same start that stops ``limit`` seconds from now or with this one."""
        end = self.seconds + min(limit, self.left)
        return Clock(None if math.isinf(end) else end, self.start)
