"""What several tests of the machinery need: a folder where each call of a toy trial is counted, and a store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from compactml.study import Store


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "calls").mkdir()
    return tmp_path / "calls"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "results.sqlite") as opened:
        yield opened
