"""What several tests of this chapter need: one small dataset in place of all."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris

from compactml.chapters.pace import datasets as pace_datasets
from compactml.chapters.pace.datasets import Problem, binned
from compactml.chapters.pace.trials import paper as pace_trials
from compactml.chapters.pace.trials.ensembles import fitted
from compactml.study.recording.published import home


@pytest.fixture
def iris_in_bins(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every dataset of Pace is iris in bins, with three of its features."""
    X, y = load_iris(return_X_y=True)
    codes = np.column_stack([binned(column) for column in X.T[:3]]).astype(np.float64)
    no = np.zeros(3, dtype=bool)
    for module in (pace_datasets, pace_trials):
        monkeypatch.setattr(module, "problem", lambda *_: Problem(codes, y.astype(np.int64), no, no))
    fitted.cache_clear()
    yield
    fitted.cache_clear()


@pytest.fixture
def nothing_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the printed tables and nothing recorded."""
    shutil.copytree(home() / "data" / "published", tmp_path / "data" / "published")
    monkeypatch.setenv("COMPACTML_HOME", str(tmp_path))
    return tmp_path
