"""Sharing, and what it is made of."""

from __future__ import annotations

from typing import Any

import numpy as np

from compactml import condition_sharing as sharing
from tests.fuzz.calling import Target
from tests.fuzz.targets.given import of_record, some_forest

__all__ = ["TARGETS"]


def _shared(rng: np.random.Generator, **others: Any) -> dict[str, Any]:
    ensemble, X, _ = some_forest("regressor" if rng.random() < 0.3 else "forest")
    return {
        "ensemble": ensemble,
        "X": X,
        "path_change_rate": 0.1,
        "sample_indices": _samples(rng, ensemble),
        **others,
    }


def _samples(rng: np.random.Generator, ensemble: Any) -> list[Any] | None:
    trees = len(ensemble.estimators_)
    return [rng.integers(0, 40, 30) for _ in range(trees)] if rng.random() < 0.5 else None


def _certified(rng: np.random.Generator) -> dict[str, Any]:
    given = _shared(rng)
    ensemble = given.pop("ensemble")
    return {
        **given,
        "original": ensemble,
        "shared": sharing.share_conditions(ensemble, given["X"]).ensemble_,
        "exceptions": 0.1,
    }


def _intervals(rng: np.random.Generator) -> dict[str, Any]:
    lower = np.round(rng.normal(size=8), 1)
    return {"lower": lower, "upper": lower + np.round(rng.random(8), 1) + 0.1, "exceptions": 2}


def _example() -> sharing.SharedEnsemble:
    ensemble, X, _ = some_forest()
    return sharing.share_conditions(ensemble, X)


def _chosen(lower: Any, upper: Any, feature: Any, exceptions: Any, dynamic_up_to: Any) -> Any:
    one = np.arange(8, dtype=np.int32)
    intervals = sharing.Intervals(one, one, feature, np.zeros(8), lower, upper)
    return sharing.shared_thresholds(intervals, exceptions=exceptions, dynamic_up_to=dynamic_up_to)


def _choosing(rng: np.random.Generator) -> dict[str, Any]:
    return {
        **_intervals(rng),
        "exceptions": 0.2,
        "dynamic_up_to": 0.0,
        "feature": np.arange(8, dtype=np.int32) % 2,
    }


def _clustered(rng: np.random.Generator) -> dict[str, Any]:
    return {"k": 2, "by_node": True, "n_starts": int(rng.integers(2)), "seed": 0}


TARGETS = (
    Target("condition_sharing.certify", sharing.certify, _certified),
    Target("condition_sharing.cluster_centres", sharing.cluster_centres,
           lambda rng: {"values": np.round(rng.normal(size=9), 1), **_clustered(rng)}, ("n_starts",)),
    Target("condition_sharing.k_means_conditions", sharing.k_means_conditions,
           lambda rng: {"ensemble": some_forest()[0], **_clustered(rng)}, ("n_starts",)),
    Target("condition_sharing.minimum_intersecting_set", sharing.minimum_intersecting_set, _intervals),
    Target("condition_sharing.minimum_intersecting_set_dynamic", sharing.minimum_intersecting_set_dynamic, _intervals),
    Target("condition_sharing.node_intervals", sharing.node_intervals, _shared),
    Target("condition_sharing.share_conditions", sharing.share_conditions,
           lambda rng: _shared(rng, exceptions=0.1, dynamic_up_to=0.0, tolerance=0.0,
                               validation=some_forest()[1:] if rng.random() < 0.5 else None)),
    Target("condition_sharing.shared_thresholds", _chosen, _choosing),
    Target("condition_sharing.solved_as_printed", sharing.solved_as_printed,
           lambda rng: {"n_intervals": 9, "exceptions": 0.2, "dynamic_up_to": 100.0}),
    of_record("condition_sharing", _example),
    of_record("condition_sharing", lambda: _example().certificate_),
    of_record("condition_sharing", lambda: _example().effect_),
    of_record("condition_sharing", lambda: _example().intervals_),
)  # fmt: skip
