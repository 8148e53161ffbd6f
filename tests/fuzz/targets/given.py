"""Good arguments that several targets share, and ways to call them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.ensemble import AdaBoostClassifier, ExtraTreesRegressor, IsolationForest, RandomForestClassifier

from tests.fuzz.calling import Target

__all__ = [
    "frame",
    "labels",
    "learned",
    "of_record",
    "place",
    "some_forest",
    "some_votes",
    "table",
    "with_targets",
]

Rng = np.random.Generator
_FOLDER = tempfile.TemporaryDirectory()


@cache
def place() -> Path:
    """A file of this process, always the same."""
    return Path(_FOLDER.name) / "file"


def table(rng: Rng, n: int = 24, p: int = 3) -> NDArray[np.float64]:
    """Numbers of which the first column says something."""
    return np.round(rng.normal(size=(n, p)), 2)


def labels(X: NDArray[np.float64], rng: Rng) -> NDArray[np.int64]:
    return ((X[:, 0] + 0.3 * rng.normal(size=len(X)) > 0) ^ (np.arange(len(X)) < 2)).astype(np.int64)


def frame(rng: Rng, n: int = 24) -> pd.DataFrame:
    """Numbers, text and booleans."""
    columns = {"number": np.round(rng.normal(size=n), 1), "count": rng.integers(0, 5, n)}
    return pd.DataFrame(columns | {"text": rng.choice(list("abc"), n), "flag": rng.random(n) < 0.5})


def some_votes(rng: Rng, n: int = 12, K: int = 4) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    y = rng.random(n) < 0.5
    y[:2] = True, False
    return (rng.random((n, K)) < 0.3) ^ y[:, None], y


@cache
def some_forest(kind: str = "forest") -> tuple[Any, NDArray[np.float64], NDArray[np.int64]]:
    """A small fitted ensemble with its rows."""
    rng = np.random.default_rng(7)
    X = table(rng, 40)
    y = labels(X, rng)
    made = {
        "forest": RandomForestClassifier(4, max_depth=3, random_state=0),
        "boosted": AdaBoostClassifier(n_estimators=3, random_state=0),
        "regressor": ExtraTreesRegressor(3, max_depth=3, random_state=0),
        "isolation": IsolationForest(n_estimators=3, random_state=0),
    }
    return made[kind].fit(X, y), X, y


def learned(kind: type, *methods: str) -> Callable[..., Any]:
    """Return a call that fits an estimator and asks for what these methods say of the same rows."""

    def call(X: Any, y: Any, **parameters: Any) -> Any:
        weights = {"sample_weight": parameters.pop("sample_weight")} if "sample_weight" in parameters else {}
        model = kind(**parameters).fit(X, y, **weights)
        return [model, *(getattr(model, method)(X) for method in methods)]

    return call


def with_targets(rng: Rng, n: int = 24, **parameters: Any) -> dict[str, Any]:
    """Rows, labels and parameters of an estimator; each fifth time a table of several kinds."""
    X = table(rng, n)
    y = labels(X, rng)
    return {"X": frame(rng, n) if rng.random() < 0.3 else X, "y": y, **parameters}


def of_record(package: str, example: Callable[[], Any]) -> Target:
    """Return the target of a result's class: what holds what it is given is made, printed and compared."""
    made = cache(example)

    def good(rng: Rng) -> dict[str, Any]:
        del rng
        record = made()
        return {one.name: getattr(record, one.name) for one in fields(record) if one.init}

    def call(**values: Any) -> Any:
        record = type(made())(**values)
        return [record, len(repr(record)) > 0]

    return Target(f"{package}.{type(made()).__name__}", call, good)
