"""Pruning only, and its learners merged into deeper trees: the same function, so the same certificate."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from compactml.chapters.pace.trials.costs import compression_cost
from compactml.chapters.pace.trials.ensembles import trial_ensemble
from compactml.chapters.pace.trials.paper import compressed, warm_up
from compactml.pace.merging import merge
from compactml.pace.rechecking import recheck
from compactml.study.chapter import Kind
from compactml.study.trial import Trial


@dataclass(frozen=True)
class Merged:
    """Trees and leaves before merging, with as many leaves as it takes, and with no more than before ("thrifty")."""

    certified: int
    final_size: int
    total_leaves: int
    merged_size: int
    merged_leaves: int
    thrifty_size: int
    thrifty_leaves: int
    seconds: float
    merge_seconds: float
    n_points: int
    disagreements: int


def run_merge(trial: Trial) -> Merged:
    """Sizes before and after merging, with as many leaves as it takes and with no more than before.

    What is merged is compared with the initial ensemble by scikit-learn's predictions.
    """
    warm_up()
    asked: dict[str, Any] = dict(trial.parameters)
    model, _ = trial_ensemble(trial)
    started = time.perf_counter()
    small = compressed(trial)
    pruned = time.perf_counter()
    fewest, thrifty = (merge(small, asked["generated_depth"], more_leaves=more) for more in (True, False))
    merged = time.perf_counter()
    checks = [
        recheck(smaller, model, n_points=asked["n_points"], random_state=trial.seed)
        for smaller in (fewest, thrifty)
    ]
    return Merged(
        certified=int(small.certificate_.faithful),
        final_size=small.n_learners_,
        total_leaves=small.n_leaves_,
        merged_size=fewest.n_learners_,
        merged_leaves=fewest.n_leaves_,
        thrifty_size=thrifty.n_learners_,
        thrifty_leaves=thrifty.n_leaves_,
        seconds=pruned - started,
        merge_seconds=merged - pruned,
        n_points=sum(check.n_points for check in checks),
        disagreements=sum(len(check.disagreements) for check in checks),
    )


MERGE = Kind("merge", run_merge, Merged, compression_cost)
