"""Clocks that run out early: of a machine that is slow, and after so many looks at them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from compactml.clock import Clock, now


@contextmanager
def loaded(load: float) -> Iterator[None]:
    """Let every deadline come as soon as on a machine that is ``load`` times slower."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Clock, "seconds", property(lambda clock: load * (now() - clock.start)))
        yield


class Looks(Clock):
    """A clock that stops after so many looks at it: work is counted, no second."""

    def __init__(self, most: float) -> None:
        super().__init__(None)
        self.most, self.n = most, 0

    def stopped(self) -> bool:
        self.n += 1
        return self.n > self.most
