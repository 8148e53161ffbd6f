"""Recorded tables of the Pace chapter in which all that it finds beyond the paper is so."""

from __future__ import annotations

from typing import Any

import pandas as pd

from compactml.chapters.pace.trials.ensembles import RANDOM_FOREST
from compactml.chapters.pace.trials.paper import FIPE, PRUNE
from compactml.chapters.pace.trials.scale import Scaled
from tests.chapters.pace.toy_tables import row

PLACES = ("first", "middle", "last")
SECONDS = {"constraint": 1.0, "search": 0.25}


def cases_as_found() -> pd.DataFrame:
    """Two cases for each norm that fipepy and ours certify, and one that ours alone certifies."""
    certified = {
        "dataset": "Seeds", "ensemble": RANDOM_FOREST, "fipepy": "certified", "fipepy_size": 6, "our_size": 6,
        "our_certified": 1, "ratio": 10.0, "fipepy_seconds": 5.0, "our_seconds": 0.5,
        "fipepy_disagreements": 0, "our_disagreements": 0,
    }  # fmt: skip
    stopped = {"fipepy": "time limit", "fipepy_size": None, "our_size": 9, "ratio": 0.5}
    return pd.DataFrame(
        one | {"norm": norm} for norm in ("l0", "l1") for one in (certified, certified, certified | stopped)
    )


def answers_as_found() -> pd.DataFrame:
    """The search four times as fast as the constraint form, on the weights of two datasets."""
    return pd.DataFrame(
        {
            "ensemble": RANDOM_FOREST, "n_learners": 25, "depth": 2, "dataset": dataset, "seed": 0, "method": form,
            **{f"seconds_{place}": seconds for place in PLACES},
            **{f"answered_{place}": 1 for place in PLACES},
            **{f"separated_{place}": int(place != "last") for place in PLACES},
        }
        for dataset in ("Compas", "Seeds")
        for form, seconds in SECONDS.items()
    )  # fmt: skip


def visited(n: int = 2, **columns: object) -> pd.DataFrame:
    """Certified ensembles of ten trees that agree with their initial ones at a thousand points each."""
    fixed = {"n_points": 1000, "disagreements": 0, "total_leaves": 20} | columns
    return pd.DataFrame([row("Seeds", PRUNE, 10, seed=seed, **fixed) for seed in range(n)])


def forest(dataset: str = "Seeds", **changed: Any) -> dict[str, Any]:
    """A forest of a hundred trees: 8 found, 50 certified, bounds 4 and 5."""
    fixed = Scaled(
        initial_size=100, initial_leaves=1600, found_size=8, pruned=0, certified_size=50,
        certified_leaves=800, search_bound=4, lower_bound=5, n_samples=900, n_combinations=3, bytes_before=2000,
        bytes_after=1000, seconds_before=0.004, seconds_after=0.001, seconds=3.0, bound_seconds=4.0,
    )  # fmt: skip
    shape = {"n_learners": 100, "depth": 4, "alpha": 0.2, "bound_limit": 9.0, "kind": "scale"}
    return row(dataset, PRUNE, 8, **(vars(fixed) | shape | changed))


def as_found() -> dict[str, pd.DataFrame]:
    """The tables of the findings; those that the paper has, too, are in `toy_tables.as_stated`."""
    sides = {
        f"{side}_{name}": value
        for side in ("same", "deeper")
        for name, value in (("certified", 1), ("size", 8), ("leaves", 16))
    }
    pruned = [
        row("Seeds", method, 6, seed=seed, lower_bound=6) for method in (PRUNE, FIPE) for seed in (0, 1)
    ]
    return {
        "fipepy": cases_as_found(),
        "engines": answers_as_found(),
        "fipe": pd.DataFrame(pruned),
        "checks": visited(),
        "scale": pd.DataFrame([forest(dataset) for dataset in ("Seeds", "Compas")]),
        "merging": visited(thrifty_size=5, thrifty_leaves=20),
        "refitting": visited(**sides),
    }
