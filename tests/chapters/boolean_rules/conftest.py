"""Trials that a test calls are run as recorded ones are: their rows say what ended them, not a warning."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from compactml.watch import recorded


@pytest.fixture(autouse=True)
def as_recorded() -> Iterator[None]:
    with recorded():
        yield
