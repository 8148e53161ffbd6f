"""Saving and loading."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from compactml.boolean_rules import BooleanRuleClassifier
from compactml.model_files import load, save
from tests.fuzz.calling import Target
from tests.fuzz.targets.given import place, some_forest

__all__ = ["TARGETS"]


@cache
def _written() -> bytes:
    X, y = some_forest()[1:]
    save(BooleanRuleClassifier(4).fit(X, y), place())
    return place().read_bytes()


def _saved(model: Any, path: Any) -> Any:
    save(model, place() if isinstance(path, str) and path == "here" else path)
    return load(place())


def _loaded(content: Any, path: Any) -> Any:
    place().write_bytes(content if isinstance(content, bytes) else b"")
    return load(place() if isinstance(path, str) and path == "here" else path)


def _damaged(rng: np.random.Generator) -> dict[str, Any]:
    content = bytearray(_written())
    for at in rng.integers(len(content), size=int(rng.integers(4))):
        content[at] = rng.integers(256)
    return {
        "content": bytes(content[: int(rng.integers(len(content)))] if rng.random() < 0.2 else content),
        "path": "here",
    }


TARGETS = (
    Target("model_files.load", _loaded, _damaged),
    Target("model_files.save", _saved, lambda rng: {"model": some_forest()[0], "path": "here"}),
)
