"""Evidence for how the paper read its data: SU formula, class column, identifiers, constants, discretiser.

Every reading of a dataset is solved by our method at the paper's tolerance; `evidence`
compares the answers with what the printed numbers imply.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from compactml.chapters.feature_selection.datasets import DATASETS, measures, program
from compactml.chapters.feature_selection.trials.beyond import OURS
from compactml.chapters.feature_selection.trials.near import sizes_within
from compactml.chapters.feature_selection.trials.scores import F1, STATISTICS, set_scores
from compactml.chapters.feature_selection.trials.solving import GAP_ABS, GAP_REL, Ended
from compactml.feature_selection.certified.proved_optima import compile_kernels
from compactml.feature_selection.result import Tolerance
from compactml.feature_selection.solving import solve
from compactml.study.chapter import Kind
from compactml.study.results import spread
from compactml.study.trial import Trial

BY_NAME = {dataset.name: dataset for dataset in DATASETS}


@dataclass(frozen=True, kw_only=True)
class Read(Ended):
    """What our method says of a reading: how it ended, and what is compared with print.

    Attributes
    ----------
    p : int
    h_ones : float
        Value of all features.
    sizes : str
        Sizes of sets that are as good as the best within the tolerance, a space between two.
    scores : dict of str to F1
        Of all features.
    """

    p: int
    h_ones: float
    sizes: str
    scores: dict[str, F1] = spread(STATISTICS, F1)


def run_reading(trial: Trial) -> Read:
    """Value of all features, the optimum and the sizes near it, and the scores of all features."""
    compile_kernels()
    asked: dict[str, Any] = dict(trial.parameters)
    informed = measures(trial.dataset, asked["discretizer"], drop_constant=asked["drop_constant"])
    fractional = program(informed, asked["measure"], asked["su"])
    result = solve(fractional, method=OURS, gap_rel=GAP_REL, gap_abs=GAP_ABS, time_limit=trial.time_limit)
    slack = Tolerance(GAP_REL, GAP_ABS).allows(result.value)
    sizes = sizes_within(fractional, result.support, result.value - slack)
    data_type = BY_NAME[asked["name"]].data_type
    return Read.of(
        fractional,
        result,
        p=fractional.n_features,
        h_ones=fractional.value(np.arange(fractional.n_features)),
        sizes=" ".join(map(str, sizes)),
        scores=set_scores(trial.dataset, fractional.features, data_type, trial.seed),
    )


def cost(trial: Trial) -> float:
    """Rough seconds of one trial on one core."""
    p = BY_NAME[str(dict(trial.parameters)["name"])].p
    return min(trial.time_limit or 0.0, 2.0 + (p / 100) ** 2)


READING = Kind("reading", run_reading, Read, cost)
