"""Recorded tables of the Pace chapter in which all that it finds beyond the paper is so."""

from __future__ import annotations

import pandas as pd

from compactml.chapters.pace.trials.ensembles import RANDOM_FOREST
from compactml.chapters.pace.trials.paper import FIPE, PRUNE
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
        "merging": visited(thrifty_size=5, thrifty_leaves=20),
        "refitting": visited(**sides),
    }
