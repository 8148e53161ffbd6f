"""Trials of the condition-sharing chapter that were never run, and the printed tables as if they were ours."""

from __future__ import annotations

import pandas as pd

from compactml.chapters.condition_sharing import NAME
from compactml.chapters.condition_sharing.curves import K_MEANS, PANEL, POINT, TIMES
from compactml.chapters.condition_sharing.datasets import DATASETS
from compactml.chapters.condition_sharing.trials.paper import LEARNERS, N_FOLDS
from compactml.study import Finished, Result, Trial
from compactml.study.recording.published import published
from tests.study.toy_report import finished as finished_toy

PLAIN: Result = {
    "TrA": 1.0, "TeA": 0.8, "TeA_shared": 0.8, "TeA_tree": 0.8, "ties": 0, "ties_shared": 0, "ties_tree": 0,
    "NDC": 100, "NDC_shared": 50, "NDC_tree": 40, "n_test": 10,
}  # fmt: skip


def folds(
    key: str, learner: str, kind: str = "sharing", base: Result = PLAIN, **per_fold: list[float] | float
) -> list[Finished]:
    """All folds of one fit; a measure is given as one number, or as one per fold."""
    origin = finished_toy("none").provenance
    found = []
    for fold in range(N_FOLDS):
        own = {name: value[fold] if isinstance(value, list) else value for name, value in per_fold.items()}
        trial = Trial(NAME, kind, key, method=learner, fold=fold)
        found.append(Finished(trial, base | own, origin, cached=False))
    return found


def printed_table(table: str) -> pd.DataFrame:
    """A printed table as if we had measured exactly what is printed."""
    frame = published(NAME, table)
    return frame.assign(value=frame["value"].astype(float), ties=0.0)


def sizes() -> pd.DataFrame:
    """Table 1 as if every dataset were at hand."""
    names = ("n", "d", "n_classes")
    rows = [
        {"dataset": one.name}
        | {name: getattr(one, name) for name in names}
        | {f"{name}_here": getattr(one, name) for name in names}
        for one in DATASETS
    ]
    return pd.DataFrame(rows)


SMALL = [one.name for one in DATASETS if one.n <= 20_000]


def stated_points() -> pd.DataFrame:
    """Points of Fig 4 that show what Section 6.2.3 says of its 14 panels, one point per learner, fold and method.

    The sizes are shares of 100 conditions, and every accuracy is 0.8, but that of exceptional samples just misses 95 %
    of it at their largest share.
    """
    k_means_worse = {"parkinsons", "RNA-Seq PANCAN", "robot", "musk"}
    k_means_better = {"blood", "epileptic seizure", "airfoil"}
    sigma_better = {"blood", "epileptic seizure"}
    rows = []
    for name in SMALL:
        k_means = 60 if name in k_means_worse else 20 if name in k_means_better else 40
        sigma = 30 if name in sigma_better else 45
        points = [
            ("original", 0.0, 0.8, 100),
            ("sharing", 0.0, 0.8, 50),
            ("c", 0.1, 0.8, 40),
            ("c", 0.5, 0.8, 39),
        ]
        points += [("sigma", 0.1, 0.8, sigma), ("sigma", 0.5, 0.7, 5)]
        points += [(form, k, 0.8, k_means + k) for form in K_MEANS for k in (0.0, 2.0)]
        points += [("c, search", 0.1, 0.8, 40)]
        rows += [
            (name, learner, fold, method, level, accuracy, size, 1.0)
            for learner in LEARNERS
            for fold in range(N_FOLDS)
            for method, level, accuracy, size in points
        ]
    return pd.DataFrame(rows, columns=[*POINT, "TeA", "NDC", "printed"])


def stated_costs() -> pd.DataFrame:
    """Seconds and memory of both relaxations as the paper says: more of both for exceptional intervals."""
    rows = [
        (name, learner, fold, 1.0, 2.0 + fold / 10, 0.5, 3.0, 8.0, 1.0)
        for name in SMALL
        for learner in LEARNERS
        for fold in range(N_FOLDS)
    ]
    return pd.DataFrame(rows, columns=[*PANEL, "fold", *TIMES, "printed"])


def as_printed() -> dict[str, pd.DataFrame]:
    """The data of the claims if everything had come out as the paper says."""
    tables = {name: printed_table(name) for name in ("table_2", "table_3")}
    search = {
        "p": [1000, 2000],
        "points": [7, 8],
        "points_dynamic": [7, 8],
        "seconds": 1.0,
        "seconds_dynamic": 1000.0,
    }
    ours = {"search": pd.DataFrame(search), "speed": pd.DataFrame({"ratio": [0.5, 1.5]})}
    curves = {"fig_4": stated_points(), "relaxation_cost": stated_costs()}
    return {"table_1": sizes(), **curves, **tables, **ours}
