"""Compression of forests, and what follows it."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from compactml import pace
from tests.fuzz.calling import Target
from tests.fuzz.targets.given import labels, of_record, some_forest, table

__all__ = ["TARGETS"]

Rng = np.random.Generator
WAYS = {"alpha": 0.1, "beta": 0.0, "uncertified": False, "random_state": 0}
PAPER = {
    "generate": False, "prune": True, "pricing": "cart", "separation": "auto", "max_depth": 2, "duals": "vertex",
    "order": "prune first", "objective": "learners", "solver": "highs", "votes": "auto",
}  # fmt: skip


def _forest(rng: Rng, **others: Any) -> dict[str, Any]:
    ensemble, X, _ = some_forest("boosted" if rng.random() < 0.3 else "forest")
    return {"ensemble": ensemble, "X": X, **others}


@cache
def _small() -> pace.CompressedEnsemble:
    ensemble, X, _ = some_forest()
    return pace.compress(ensemble, X, alpha=0.1, generate=False)


def _compressed(rng: Rng, **others: Any) -> dict[str, Any]:
    del rng
    return {"compressed": _small(), **others}


def _learned(X: Any, y: Any, **parameters: Any) -> Any:
    model = pace.PaceClassifier(some_forest()[0], **parameters).fit(X, y)
    return [model.predict(X)]


def _rows(rng: Rng) -> dict[str, Any]:
    X = table(rng)
    return {"X": X, "y": labels(X, rng), **WAYS, **PAPER}


def _asked(X: Any) -> Any:
    return [_small().predict(X), _small().in_region(X)]


TARGETS = (
    Target("pace.CompressedEnsemble", _asked, lambda rng: {"X": table(rng)}),
    Target("pace.PaceClassifier", _learned, _rows),
    Target("pace.compress", pace.compress, lambda rng: _forest(rng, **WAYS, **PAPER)),
    Target("pace.fipe", pace.fipe,
           lambda rng: _forest(rng, norm="l0", separation="search", uncertified=False, solver="highs", random_state=0)),
    Target("pace.least_size", pace.least_size, lambda rng: _compressed(rng, at_least=1, random_state=0)),
    Target("pace.merge", pace.merge, lambda rng: _compressed(rng, max_depth=3, more_leaves=True)),
    Target("pace.recheck", pace.recheck,
           lambda rng: _compressed(rng, ensemble=some_forest()[0], n_points=20, random_state=0), ("n_points",)),
    Target("pace.refit", pace.refit, lambda rng: _compressed(rng, max_depth=2, random_state=0, time_limit=0.0)),
    Target("pace.single_tree", pace.single_tree,
           lambda rng: _forest(rng, **WAYS, max_leaves=200, votes="auto", isolation_forest=None), ("max_leaves",)),
    of_record("pace", lambda: _small().certificate_),
    of_record("pace", lambda: pace.recheck(_small(), some_forest()[0], n_points=10)),
    of_record("pace", lambda: pace.least_size(_small())),
)  # fmt: skip
