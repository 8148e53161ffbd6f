"""What tests of the chapters' pictures need."""

from __future__ import annotations

from collections.abc import Iterator

import matplotlib.pyplot as plt
import pytest

from compactml.study.page.picture import page_colours


@pytest.fixture
def as_on_a_page() -> Iterator[None]:
    """Draw in the colours of a page, and close all figures behind the test."""
    with page_colours():
        yield
    plt.close("all")
