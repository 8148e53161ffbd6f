"""What several tests need: a folder where each call of a toy trial is counted, a store, small data for Pace."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris

from compactml.experiments import Store, pace_datasets, pace_trials
from compactml.experiments.pace_datasets import Problem, binned
from compactml.experiments.pace_ensembles import fitted


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "calls").mkdir()
    return tmp_path / "calls"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "results.sqlite") as opened:
        yield opened


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
