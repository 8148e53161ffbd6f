"""Ensembles of scikit-learn as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from compactml import forests
from tests.fuzz.calling import Target
from tests.fuzz.targets.given import of_record, some_forest

__all__ = ["TARGETS"]

Rng = np.random.Generator


def _fitted(rng: Rng, **others: Any) -> dict[str, Any]:
    return {"ensemble": some_forest("boosted" if rng.random() < 0.3 else "forest")[0], **others}


def _rows(rng: Rng) -> dict[str, Any]:
    return _fitted(rng, X=some_forest()[1])


def _changed(rng: Rng) -> dict[str, Any]:
    ensemble = some_forest()[0]
    trees = forests.fitted_trees(ensemble)
    if rng.random() < 0.5:
        return {"ensemble": ensemble, "thresholds": [tree.threshold.copy() for tree in trees], "nodes": None}
    return {
        "ensemble": ensemble,
        "thresholds": [np.zeros(1) for _ in trees],
        "nodes": [np.zeros(1, dtype=int) for _ in trees],
    }


def _grid(n_features: Any, integral: Any, X: Any, codes: Any) -> Any:
    grid = forests.SplitGrid.from_trees(forests.forest_arrays(some_forest()[0]).trees, n_features, integral)
    return [grid.codes(X), grid.covers(X), grid.representative(codes)]


TARGETS = (
    Target("forests.SplitGrid", _grid,
           lambda rng: {"n_features": 3, "integral": None,
                        "X": some_forest()[1], "codes": np.zeros((2, 3), dtype=int)}),
    Target("forests.average_path_length", forests.average_path_length,
           lambda rng: {"n_samples": np.array([1, 2, 256])}),
    Target("forests.check_classifier", forests.check_classifier, _fitted),
    Target("forests.check_ensemble", forests.check_ensemble, _fitted),
    Target("forests.check_kind", forests.check_kind, _fitted),
    Target("forests.check_matrix", forests.check_matrix, _rows),
    Target("forests.conditions_of", forests.conditions_of,
           lambda rng: {"trees": forests.fitted_trees(some_forest()[0])}),
    Target("forests.count_conditions", forests.count_conditions, _fitted),
    Target("forests.fitted_trees", forests.fitted_trees, _fitted),
    Target("forests.floor_to_float32", forests.floor_to_float32, lambda rng: {"values": rng.normal(size=4)}),
    Target("forests.forest_arrays", forests.forest_arrays, lambda rng: _fitted(rng, votes="auto")),
    Target("forests.isolation_trees", forests.isolation_trees, lambda rng: {"forest": some_forest("isolation")[0]}),
    Target("forests.leaves", forests.leaves, _rows),
    Target("forests.members", forests.members, _fitted),
    Target("forests.with_thresholds", forests.with_thresholds, _changed),
    of_record("forests", lambda: forests.forest_arrays(some_forest()[0])),
    of_record("forests", lambda: forests.forest_arrays(some_forest()[0]).trees[0]),
)  # fmt: skip
