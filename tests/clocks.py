"""A machine that is so slow that its clocks run out early."""

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
