"""What the claims on Figs 4 and 5 share: their panels, and what holds whichever learner the paper used.

The paper does not name the learner of these figures, nor how its k-means starts and weighs thresholds. A statement
agrees if it is so with every learner and both forms of k-means from random starts, differs if it is so with none, and
is *inconclusive* otherwise: then the missing name decides. Our search and the optimal k-means decide nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from compactml.chapters.condition_sharing.claims.common import Tables
from compactml.chapters.condition_sharing.curves import PANEL, fold_points
from compactml.chapters.condition_sharing.datasets import DATASETS, SMALL
from compactml.study.judging.noise import Outcome

NOISE = "the rule for noise"
NOT_RUN = "datasets not run"
UNDECIDED = "it lies within two standard errors, or is otherwise with another learner (the paper names none)"
RANDOM_STARTS = ("Lloyd", "Lloyd, once")
"""The forms of k-means that the paper may have run."""
RELAXED = sum(dataset.n <= SMALL for dataset in DATASETS)
"""Number of datasets of Figs 4 and 5."""


def whichever(outcomes: Iterable[Outcome]) -> Outcome:
    """Return what holds of a statement for every setting that the paper may have had."""
    seen = set(outcomes)
    return seen.pop() if len(seen) == 1 else Outcome.INCONCLUSIVE


def panels(tables: Tables) -> dict[str, dict[str, pd.DataFrame]]:
    """Return the points of every fold with their ratios, by dataset and learner."""
    found: dict[str, dict[str, pd.DataFrame]] = {}
    for (dataset, learner), panel in fold_points(tables["fig_4"]).groupby(PANEL, sort=False):
        found.setdefault(str(dataset), {})[str(learner)] = panel
    return found


def ours_in(tables: Tables) -> str:
    """Say on which datasets our search decided a part of the nodes, as a reason."""
    points = tables["fig_4"].query("method == 'c' and printed < 1")
    names = ", ".join(dict.fromkeys(points["dataset"]))
    return f"our search decided some features on {names}" if names else ""
