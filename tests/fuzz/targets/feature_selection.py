"""Measures, programs, their solution and the selectors."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from compactml import feature_selection as selection
from tests.fuzz.calling import Target
from tests.fuzz.targets.given import frame, labels, learned, of_record, place, table, with_targets

__all__ = ["TARGETS"]

Rng = np.random.Generator
SELECTOR = {
    "k": 2, "method": "certified", "discretizer": "auto", "target": "auto", "gap_rel": 0.01, "gap_abs": 0.001,
    "solver": "highs", "largest_k": 3, "cv": 2, "verbose": False,
}  # fmt: skip


def _codes(rng: Rng) -> dict[str, Any]:
    return {"codes": rng.integers(0, 3, (20, 3)), "target": rng.integers(0, 2, 20)}


def _measured(rng: Rng) -> dict[str, Any]:
    X = frame(rng) if rng.random() < 0.5 else rng.integers(0, 4, (24, 4))
    return {
        "X": X,
        "y": labels(table(rng), rng),
        "discretizer": "auto",
        "drop_constant": True,
        "target": "classes",
    }


def _measures(rng: Rng) -> selection.Measures:
    codes = rng.integers(0, 3, (20, 4))
    return selection.measure(codes, codes[:, 0] ^ (rng.random(20) < 0.3))


def _program(rng: Rng) -> selection.FractionalProgram:
    return selection.cfs_program(_measures(rng))


def _numbers(rng: Rng) -> dict[str, Any]:
    values = {
        "a": rng.random(3),
        "b": rng.normal(size=(3, 3)),
        "c": rng.random(3) + 0.1,
        "d": rng.random((3, 3)),
    }
    return {**values, "names": ["a", "b", "c"], "features": np.arange(3), "size": None, "support": [0, 2]}


def _valued(support: Any, **parameters: Any) -> Any:
    program = selection.FractionalProgram(**parameters)
    return [program, program.value(support), selection.solve(program, time_limit=None)]


def _forward(rng: Rng) -> dict[str, Any]:
    measures = _measures(rng)
    return {"measures": measures, "program": selection.cfs_program(measures), "k": 2}


def _solved() -> selection.FractionalResult:
    return selection.solve(_program(np.random.default_rng(0)))


def _checked(rng: Rng) -> dict[str, Any]:
    program = _program(rng)
    return {"program": program, "certificate": selection.solve(program, gap_rel=0.0).certificate}


@cache
def _written() -> bytes:
    _solved().certificate.save(place())
    return place().read_bytes()


def _damaged(rng: Rng) -> dict[str, Any]:
    content = bytearray(_written())
    for at in rng.integers(len(content), size=int(rng.integers(4))):
        content[at] = rng.integers(256)
    return {"content": bytes(content), "path": "here"}


def _loaded(content: Any, path: Any) -> Any:
    place().write_bytes(content if isinstance(content, bytes) else b"")
    certificate = selection.Certificate.load(place() if isinstance(path, str) and path == "here" else path)
    certificate.save(place())
    return certificate


def _path(X: Any, y: Any, largest_k: Any, **parameters: Any) -> Any:
    return selection.selection_path(selection.CFSSelector(**parameters), X, y, largest_k)


PLAIN = {name: value for name, value in SELECTOR.items() if name not in ("k", "largest_k", "cv")}
TARGETS = (
    Target("feature_selection.CFSSelector", learned(selection.CFSSelector, "transform"),
           lambda rng: with_targets(rng, **SELECTOR, su="geometric", redundancy_factor=2.0)),
    Target("feature_selection.Certificate", _loaded, _damaged),
    Target("feature_selection.FractionalProgram", _valued, _numbers),
    Target("feature_selection.MRMRSelector", learned(selection.MRMRSelector, "transform"),
           lambda rng: with_targets(rng, **SELECTOR, count_own_entropy=bool(rng.integers(2)))),
    Target("feature_selection.Tolerance", selection.Tolerance, lambda rng: {"relative": 0.01, "absolute": 0.001}),
    Target("feature_selection.cfs_forward", selection.cfs_forward, _forward),
    Target("feature_selection.cfs_program", selection.cfs_program,
           lambda rng: {"measures": _measures(rng), "su": "geometric", "redundancy_factor": 2.0}),
    Target("feature_selection.class_information", selection.class_information, _codes),
    Target("feature_selection.encode", selection.encode,
           lambda rng: {"X": _measured(rng)["X"], "discretizer": ("equal_width", 4)}),
    Target("feature_selection.encode_target", selection.encode_target,
           lambda rng: {"y": _measured(rng)["y"], "kind": "auto"}),
    Target("feature_selection.entropies", selection.entropies, lambda rng: {"codes": _codes(rng)["codes"]}),
    Target("feature_selection.measure", selection.measure, _measured),
    Target("feature_selection.mrmr_forward", selection.mrmr_forward, _forward),
    Target("feature_selection.mrmr_program", selection.mrmr_program,
           lambda rng: {"measures": _measures(rng), "k": 2, "count_own_entropy": False}),
    Target("feature_selection.mutual_information", selection.mutual_information,
           lambda rng: {"codes": _codes(rng)["codes"]}),
    Target("feature_selection.selection_path", _path, lambda rng: with_targets(rng, **PLAIN, largest_k=2)),
    Target("feature_selection.solve", selection.solve,
           lambda rng: {"program": _program(rng), "method": "certified" if rng.random() < 0.7 else "newton",
                        "solver": "highs", "gap_rel": 0.01, "gap_abs": 0.001, "work_limit": None, "n_features": 2,
                        "early_stop": True}),
    Target("feature_selection.symmetrical_uncertainty", selection.symmetrical_uncertainty,
           lambda rng: {"information": rng.random(3), "first": rng.random(3), "second": rng.random(3) + 1,
                        "variant": "usual"}),
    Target("feature_selection.verify", selection.verify, _checked),
    of_record("feature_selection", lambda: _measures(np.random.default_rng(0))),
    of_record("feature_selection", _solved),
    of_record("feature_selection", lambda: selection.mrmr_forward(**_forward(np.random.default_rng(0)))),
    of_record("feature_selection", lambda: selection.Preparation(("a",), (("b", "c"),))),
    of_record("feature_selection", lambda: _path(table(np.random.default_rng(0)), np.arange(24) % 2, 2)),
)  # fmt: skip
