"""What a chapter declares, and where its results are kept."""

from __future__ import annotations

from typing import Any

import numpy as np

from compactml.study import Chapter, Kind, Printed, Store, Table, Trial
from compactml.study.chapter import no_rows, no_trials
from tests.fuzz.calling import Target
from tests.fuzz.targets.given import place

__all__ = ["TARGETS"]


def _spelled(**fields: Any) -> str:
    return Trial(**fields).canonical()


def _declared(**fields: Any) -> tuple[str, ...]:
    return Chapter(**fields).table_ids


def _rows(path: Any) -> int:
    with Store(place() if isinstance(path, str) and path == "here" else path, read_only=True) as store:
        return len(list(store.rows()))


def _trial(rng: np.random.Generator) -> dict[str, Any]:
    return {
        "chapter": "pace",
        "kind": "dataset",
        "dataset": "iris",
        "method": "forest",
        "fold": int(rng.integers(5)),
        "seed": int(rng.integers(5)),
        "parameters": (("trees", int(rng.integers(9))),),
        "time_limit": float(rng.random()),
    }


def _chapter(rng: np.random.Generator) -> dict[str, Any]:
    return {
        "name": "pace",
        "place": int(rng.integers(5)),
        "title": "A paper",
        "citation": "akkerman2026pace",
        "kinds": (Kind("fit", dict, dict, len),),
        "tables": (Table("table_1"), Table("table_2")),
    }


TARGETS = (
    Target("study.Chapter", _declared, _chapter),
    Target("study.Kind", Kind, lambda rng: {"name": "fit", "run": dict, "result": dict, "cost": len}),
    Target("study.Printed", Printed, lambda rng: {"judge": len, "rows": ("dataset",), "columns": "method"}),
    Target("study.Store", _rows, lambda rng: {"path": "here"}),
    Target("study.Table", Table, lambda rng: {"id": "table_1", "trials": no_trials, "rows": no_rows}),
    Target("study.Trial", _spelled, _trial),
)
