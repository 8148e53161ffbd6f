"""Pruning only, and then refitted: fewer trees, whose tests and leaves are chosen for the number of trees itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from compactml.chapters.pace.trials.ensembles import trial_ensemble
from compactml.chapters.pace.trials.paper import compressed, warm_up
from compactml.pace.rechecking import recheck
from compactml.pace.refitting import refit
from compactml.study.trial import Result, Trial

DEEPER = {"same": 0, "deeper": 1}
"""Levels that exchanged trees may have more than the initial ones."""


def run_refit(trial: Trial) -> Result:
    """Sizes before and after; each step has the time limit. Certificates are checked by scikit-learn's predictions."""
    warm_up()
    asked: dict[str, Any] = dict(trial.parameters)
    model, _ = trial_ensemble(trial)
    started = time.perf_counter()
    small = compressed(trial)
    result: Result = {
        "certified": int(small.certificate_.faithful),
        "final_size": small.n_learners_,
        "total_leaves": small.n_leaves_,
        "seconds": time.perf_counter() - started,
    }
    checked = []
    for name, more in DEEPER.items():
        started = time.perf_counter()
        smaller = refit(
            small, max_depth=asked["depth"] + more, time_limit=trial.time_limit, random_state=trial.seed
        )
        result |= {
            f"{name}_certified": int(smaller.certificate_.faithful),
            f"{name}_size": smaller.n_learners_,
            f"{name}_leaves": smaller.n_leaves_,
            f"{name}_seconds": time.perf_counter() - started,
        }
        if smaller.certificate_.faithful:
            checked.append(recheck(smaller, model, n_points=asked["n_points"], random_state=trial.seed))
    return result | {
        "n_points": sum(one.n_points for one in checked),
        "disagreements": sum(len(one.disagreements) for one in checked),
    }


RUN: Mapping[str, Callable[[Trial], Result]] = {"refit": run_refit}
