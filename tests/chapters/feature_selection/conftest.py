"""Trials run here as the engine runs them."""

from collections.abc import Iterator

import pytest

from compactml.watch import recorded


@pytest.fixture(autouse=True)
def as_recorded() -> Iterator[None]:
    with recorded():
        yield
