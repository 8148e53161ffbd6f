"""A deadline that several steps share."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field

__all__ = ["Clock"]


@dataclass
class Clock:
    """A deadline; the time already used is kept."""

    limit: float | None
    start: float = field(default_factory=time.perf_counter)

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.start

    @property
    def left(self) -> float:
        return math.inf if self.limit is None else max(self.limit - self.seconds, 0.0)

    def allowance(self, share: float = 1.0) -> float | None:
        """Return a share of the seconds left, for a step that takes None for no limit."""
        return None if self.limit is None else share * self.left

    def stopped(self) -> bool:
        return self.left <= 0.0

    def part(self, limit: float) -> Clock:
        """Return a clock with the same start that stops ``limit`` seconds from now or with this one."""
        end = self.seconds + min(limit, self.left)
        return Clock(None if math.isinf(end) else end, self.start)
