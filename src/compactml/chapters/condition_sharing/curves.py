"""The points of Figs 4 and 5: rows of the trials, means over folds, Pareto points, and scores of curves.

The methods are "c" (exceptional intervals), "sigma" (exceptional samples), k-means in four forms, and "c, search": the
same as "c" by our search.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from compactml.chapters.condition_sharing.datasets import BY_KEY, DATASETS
from compactml.chapters.condition_sharing.trials.paper import LEARNERS
from compactml.chapters.condition_sharing.trials.relaxing import CLUSTERS, LEVELS
from compactml.study.frames import frame
from compactml.study.running.worker import Finished
from compactml.study.trial import Result

PANEL = ["dataset", "learner"]
POINT = [*PANEL, "fold", "method", "level"]
CLUSTERINGS = {
    "k": "k-means", "once": "k-means, once", "lloyd": "Lloyd", "lloyd_once": "Lloyd, once",
}  # fmt: skip
"""Names of the four forms of k-means by their names in the trials: optimal or from random starts, each node or once."""
K_MEANS = tuple(CLUSTERINGS.values())
ACCURACIES = np.linspace(0.95, 1.0, 11)
"""Accuracy ratios at which curves are compared; the paper draws points above the first."""
TIMES = ("sigma_seconds", "c_seconds", "search_seconds", "sigma_peak_mib", "c_peak_mib")


def figure_4(finished: Sequence[Finished]) -> pd.DataFrame:
    """Points of Figs 4 and 5, fold by fold.

    Returns
    -------
    DataFrame
        Columns of `POINT`, ``TeA`` and ``NDC``, and ``printed``: the share of the nodes that the paper's own program
        decided, where a program decides.
    """
    records = [{**_panel(item), **point} for item in in_order(finished) for point in _points(item.result)]
    return frame(records, [*POINT, "TeA", "NDC", "printed"], texts=("dataset", "learner", "method"))


def _points(result: Result) -> list[dict[str, object]]:
    """The points of one trial."""
    rows: list[tuple[str, float, str, str, object]] = [
        ("original", 0.0, "TeA", "NDC", None),
        ("sharing", 0.0, "TeA_shared", "NDC_shared", 1.0),
        *(("sigma", level, f"TeA_sigma={level}", f"NDC_sigma={level}", 1.0) for level in LEVELS),
        *(("c", level, f"TeA_c={level}", f"NDC_c={level}", result[f"printed_c={level}"]) for level in LEVELS),
        *(("c, search", level, f"search_c={level}", f"NDC_c={level}", 0.0) for level in LEVELS),
        *(
            (method, float(k), f"TeA_{name}={k}", f"NDC_{name}={k}", None)
            for name, method in CLUSTERINGS.items()
            for k in CLUSTERS
        ),
    ]
    return [
        {"method": method, "level": level, "TeA": result[accuracy], "NDC": result[size], "printed": printed}
        for method, level, accuracy, size, printed in rows
    ]


def relaxation_costs(finished: Sequence[Finished]) -> pd.DataFrame:
    """Seconds and memory of both relaxations, fold by fold; ``printed``: the smallest share of any level.

    Our search decides the rest, faster and in less memory than the paper's program would.
    """
    records = [
        {
            **_panel(item),
            **{name: item.result[name] for name in TIMES},
            "printed": min(float(str(item.result[f"printed_c={level}"])) for level in LEVELS),
        }
        for item in in_order(finished)
    ]
    return frame(records, [*PANEL, "fold", *TIMES, "printed"], texts=("dataset", "learner"))


def _panel(item: Finished) -> dict[str, object]:
    trial = item.trial
    return {"dataset": BY_KEY[trial.dataset].name, "learner": trial.method, "fold": trial.fold}


def in_order(finished: Sequence[Finished]) -> list[Finished]:
    """Trials in the order of the paper's datasets, learners and folds."""
    places = {dataset.key: place for place, dataset in enumerate(DATASETS)}

    def place(item: Finished) -> tuple[int, int, int]:
        return places[item.trial.dataset], LEARNERS.index(item.trial.method), item.trial.fold or 0

    return sorted(finished, key=place)


def fold_points(points: pd.DataFrame) -> pd.DataFrame:
    """Return the points with their ratios in every fold: columns ``AR`` and ``SR``, over the original's."""
    original = points[points["method"] == "original"].set_index([*PANEL, "fold"])[["TeA", "NDC"]]
    both = points.join(original, on=[*PANEL, "fold"], rsuffix="_before")
    return points.assign(AR=both["TeA"] / both["TeA_before"], SR=both["NDC"] / both["NDC_before"])


def mean_points(points: pd.DataFrame) -> pd.DataFrame:
    """Return the points over all folds: ``AR`` and ``SR`` are ratios of means, as in the paper's tables."""
    names = [*PANEL, "method", "level"]
    means = points.groupby(names, sort=False)[["TeA", "NDC", "printed"]].mean().reset_index()
    return fold_points(means.assign(fold=0)).drop(columns=["fold", "TeA", "NDC"])


def pareto(points: pd.DataFrame, least_accuracy: float = float(ACCURACIES[0])) -> pd.DataFrame:
    """Fig 5: points with AR above ``least_accuracy`` that no other point of the panel beats in both ratios."""
    kept = []
    for _, group in points.groupby(PANEL, sort=False):
        candidates = group[group["AR"] > least_accuracy]
        accuracy, size = candidates["AR"].to_numpy(), candidates["SR"].to_numpy()
        no_worse = (accuracy[:, None] >= accuracy) & (size[:, None] <= size)
        better = no_worse & ((accuracy[:, None] > accuracy) | (size[:, None] < size))
        kept.append(candidates[~better.any(axis=0)])
    return pd.concat(kept) if kept else points.head(0)


def curve_score(points: pd.DataFrame, method: str) -> float:
    """Mean logarithm of the smallest size ratio over the accuracy ratios 0.95, 0.955, ..., 1: lower is better.

    The paper compares the curves of Fig 4 by eye; this is our way to say it in a number. Both relaxations begin with
    plain sharing, and every curve has the original ensemble.
    """
    methods = [method, "original"] if method in K_MEANS else [method, "original", "sharing"]
    chosen = points[points["method"].isin(methods)]
    reached = chosen["AR"].to_numpy()[:, None] >= ACCURACIES
    smallest = np.where(reached, chosen["SR"].to_numpy()[:, None], np.inf).min(axis=0)
    return float(np.log(smallest).mean())
