"""Names of datasets; nothing is at hand and nothing is downloaded."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from compactml import datasets
from tests.fuzz.calling import Target
from tests.fuzz.targets.given import frame, of_record

__all__ = ["TARGETS"]


def _key(rng: np.random.Generator) -> dict[str, Any]:
    return {"key": "no such dataset"}


def _dataset() -> datasets.Dataset:
    X = frame(np.random.default_rng(0))
    return datasets.Dataset(X, pd.Series(np.arange(len(X)) % 2), "classification", "toy", "made up", "0" * 64)


TARGETS = (
    Target("datasets.available", datasets.available, _key),
    Target("datasets.content_hash", datasets.content_hash, lambda rng: {"dataset": _dataset()}),
    Target("datasets.fetch", datasets.fetch, lambda rng: {**_key(rng), "progress": False}),
    Target("datasets.load", datasets.load, lambda rng: {"key": "iris" if rng.random() < 0.5 else "unknown"}),
    Target("datasets.title", datasets.title, lambda rng: {"name": "iris"}),
    Target("datasets.verify", datasets.verify, lambda rng: {"keys": ["iris"]}),
    of_record("datasets", _dataset),
)
