"""Pruning only, and then refitted: fewer trees, whose tests and leaves are chosen for the number of trees itself."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from compactml.chapters.pace.trials.costs import compression_cost
from compactml.chapters.pace.trials.ensembles import trial_ensemble
from compactml.chapters.pace.trials.paper import compressed, warm_up
from compactml.pace.compressed import CompressedEnsemble
from compactml.pace.rechecking import recheck
from compactml.pace.refitting import refit
from compactml.study.chapter import Kind
from compactml.study.trial import Trial

DEEPER = {"same": 0, "deeper": 1}
"""Levels that exchanged trees may have more than the initial ones."""


@dataclass(frozen=True)
class Refitted:
    """Trees and leaves before refitting, and after it with trees as deep ("same") and one level deeper ("deeper")."""

    certified: int
    final_size: int
    total_leaves: int
    seconds: float
    same_certified: int
    same_size: int
    same_leaves: int
    same_seconds: float
    deeper_certified: int
    deeper_size: int
    deeper_leaves: int
    deeper_seconds: float
    n_points: int
    disagreements: int


def run_refit(trial: Trial) -> Refitted:
    """Sizes before and after; each step has the time limit. Certificates are checked by scikit-learn's predictions."""
    warm_up()
    asked: dict[str, Any] = dict(trial.parameters)
    model, _ = trial_ensemble(trial)
    started = time.perf_counter()
    small = compressed(trial)
    pruning_seconds = time.perf_counter() - started
    sizes: dict[str, Any] = {}
    checks = []
    for name, more in DEEPER.items():
        started = time.perf_counter()
        smaller = refit(
            small, max_depth=asked["depth"] + more, time_limit=trial.time_limit, random_state=trial.seed
        )
        sizes |= side(name, smaller, time.perf_counter() - started)
        if smaller.certificate_.faithful:
            checks.append(recheck(smaller, model, n_points=asked["n_points"], random_state=trial.seed))
    return Refitted(
        certified=int(small.certificate_.faithful),
        final_size=small.n_learners_,
        total_leaves=small.n_leaves_,
        seconds=pruning_seconds,
        **sizes,
        n_points=sum(check.n_points for check in checks),
        disagreements=sum(len(check.disagreements) for check in checks),
    )


def side(name: str, smaller: CompressedEnsemble, seconds: float) -> dict[str, float]:
    """The numbers of one refitted ensemble, as `Refitted` names them."""
    return {
        f"{name}_certified": int(smaller.certificate_.faithful),
        f"{name}_size": smaller.n_learners_,
        f"{name}_leaves": smaller.n_leaves_,
        f"{name}_seconds": seconds,
    }


REFIT = Kind("refit", run_refit, Refitted, compression_cost)
