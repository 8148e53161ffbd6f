"""Trials with fipepy, the published code of Fipe, beside our pruning."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pandas as pd

from compactml.chapters.pace import NAME
from compactml.chapters.pace.datasets import KEYS
from compactml.chapters.pace.trials.ensembles import ADABOOST, RANDOM_FOREST
from compactml.chapters.pace.trials.fipepy import FIPEPY, Case
from compactml.study.frames import frame
from compactml.study.profile import GUARD, Profile
from compactml.study.results import columns
from compactml.study.running.worker import Finished
from compactml.study.trial import Trial

__all__ = ["CASE", "case_rows", "cases"]

CASE = ("dataset", "depth", "ensemble", "n_learners", "norm")
"""Columns that name a case."""
LIMIT = {Profile.QUICK: GUARD, Profile.STANDARD: 30.0, Profile.PAPER: 30.0}
SHAPES = ((RANDOM_FOREST, 1), (ADABOOST, 1), (RANDOM_FOREST, 2))
SIZES = (10, 20, 50)
NORMS = ("l0", "l1")
DATASETS = ("Seeds", "Compas", "Cancer", "Diabetes", "Elec2", "Htru2", "Fico", "Ionosphere")


def cases(profile: Profile) -> list[Trial]:
    """Every shape and size under both norms; the smallest ones of one dataset in the quick profile."""
    quick = profile is Profile.QUICK
    return [
        case(dataset, norm, ensemble, depth, n, LIMIT[profile])
        for dataset in DATASETS[: 1 if quick else None]
        for norm, (ensemble, depth) in product(NORMS, SHAPES)
        for n in SIZES[: 1 if quick else None]
    ]


def case(dataset: str, norm: str, ensemble: str, depth: int, n_learners: int, limit: float) -> Trial:
    """One ensemble, pruned by both."""
    parameters = (("ensemble", ensemble), ("n_learners", n_learners), ("depth", depth), ("norm", norm))
    return Trial(NAME, FIPEPY.name, KEYS[dataset], seed=0, parameters=parameters, time_limit=limit)


def case_rows(finished: Sequence[Finished]) -> pd.DataFrame:
    """One row per case, numbers only but for how fipepy ended."""
    left_out = ("solver", "fipepy_calls", "fipepy_weights")
    measured = [name for name in columns(Case) if name not in left_out]
    printed = {key: name for name, key in KEYS.items()}
    rows = [
        {
            "dataset": printed[item.trial.dataset],
            **dict(item.trial.parameters),
            **{name: item.result[name] for name in measured},
        }
        for item in finished
    ]
    whole = [name for name in measured if not name.endswith("seconds") and name not in ("fipepy", "ratio")]
    table = frame(rows, [*CASE, *measured], ("dataset", "ensemble", "norm", "fipepy"))
    return table.astype(dict.fromkeys(whole, "Int64"))
