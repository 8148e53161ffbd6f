"""Folders and a registry of the tests' own, so that no test depends on what this machine has cached."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType

import pytest

from compactml.datasets import registry
from compactml.datasets.registry import Entry, RegisteredFile
from tests.datasets.toy_data import CONTENT


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Two empty folders in the places of ``COMPACTML_DATA`` and ``COMPACTML_CACHE``."""
    data, cache = tmp_path / "data", tmp_path / "cache"
    monkeypatch.setenv("COMPACTML_DATA", str(data))
    monkeypatch.setenv("COMPACTML_CACHE", str(cache))
    return data, cache


@pytest.fixture
def toy_registry(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Entry]:
    """Replace the registry by one dataset ``toy`` of one file; returns the function that does so."""

    def register(*sources: str, pinned: bool = True, n_rows: int = 30_000, content: bytes = CONTENT) -> Entry:
        digest = hashlib.sha256(content).hexdigest() if pinned else None
        size = len(content) if pinned else None
        file = RegisteredFile("toy", "toy.csv", True, digest, size, sources)
        counts = {"x": 20_000, "y": n_rows - 20_000}
        own = Entry("toy", "Toy", "classification", n_rows, 2, counts, None, "made up", "none", (file,))
        monkeypatch.setattr(registry, "entries", lambda: MappingProxyType({"toy": own}))
        return own

    return register
