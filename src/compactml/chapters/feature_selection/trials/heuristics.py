"""The paper's heuristics on the raw values, every distinct value being a level, as scikit-feature reads them.

Our own code of its rules makes the sets; `scikit_feature` runs the program itself, for its times.
Where the paper's hour ended a selection, the rule did not: there the order is cut at the size that a trial names, and
only the scores of the set say something.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compactml.chapters.feature_selection.datasets import BY_KEY, LEVELS, measures, program
from compactml.chapters.feature_selection.trials.costs import scoring_cost
from compactml.chapters.feature_selection.trials.scores import F1, STATISTICS, set_scores
from compactml.clock import Clock
from compactml.feature_selection.greedy import cfs_forward, mrmr_forward
from compactml.study.chapter import Kind
from compactml.study.results import spread
from compactml.study.trial import Trial

BY_RULE, CUT = "stopped by its rule", "cut at the printed size"


@dataclass(frozen=True)
class Greedy:
    """What the heuristic selects, and the scores of its set.

    ``outcome`` is "stopped by its rule" or "cut at the printed size". Where features run out, scikit-feature returns
    one twice or more; ``n_selected`` counts it so, and so do the scores. ``seconds`` is what our code takes, which
    computes every information once: no time of the paper's program.
    """

    outcome: str
    n_selected: int
    support: str
    seconds: float
    scores: dict[str, F1] = spread(STATISTICS, F1)


def selected_columns(key: str, measure: str, size: int | None = None) -> tuple[NDArray[np.intp], float]:
    """Return the columns that scikit-feature's rule returns on the raw values, in order, and our seconds.

    Parameters
    ----------
    key : str
    measure : {"mrmr", "cfs"}
    size : int, optional
        Where the order is cut.
    """
    clock = Clock(None)
    informed = measures(key, LEVELS)
    forward = mrmr_forward if measure == "mrmr" else cfs_forward
    greedy = forward(informed, program(informed, measure), k=size)
    again = (
        greedy.order[-1] if measure == "mrmr" else informed.n_features - 1
    )  # CFS returns -1, the last column
    missing = max(0, greedy.reported_size - len(greedy.order)) if size is None else 0
    return np.append(greedy.order, np.repeat(again, missing)), clock.seconds


def run_raw(trial: Trial) -> Greedy:
    """Tables 6 and 7: the heuristic by our code of the rule of the paper's program."""
    asked: dict[str, Any] = dict(trial.parameters)
    columns, seconds = selected_columns(trial.dataset, asked["measure"], asked["cut"])
    return Greedy(
        BY_RULE if asked["cut"] is None else CUT,
        len(columns),
        json.dumps(columns.tolist()),
        seconds,
        set_scores(trial.dataset, columns, BY_KEY[trial.dataset].data_type, trial.seed),
    )


RAW_HEURISTIC = Kind("raw_heuristic", run_raw, Greedy, scoring_cost)
