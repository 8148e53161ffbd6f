"""What is measured of an ensemble, whatever method chose it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compactml.chapters.ensemble_pruning.trials.votes import PARTS, Run, Votes, votes
from compactml.ensemble_pruning._failure_credit import (
    failure_credit,
    failure_patterns,
    pairwise_failure_crediting,
)
from compactml.ensemble_pruning.instance import called_positive
from compactml.study.trial import Result, Trial


def trial_votes(trial: Trial) -> dict[str, Votes]:
    """Votes of the run and the size of pool that a trial names, on each part."""
    asked: dict[str, Any] = dict(trial.parameters)
    assert trial.fold is not None
    return votes(Run(trial.dataset, trial.seed, trial.fold, asked["pool"]), asked["K"])


def measured(parts: Mapping[str, Votes], selected: NDArray[np.intp], threshold: int) -> Result:
    """Size, diversity on the validation votes, and accuracies on each part."""
    result: Result = {
        "n_selected": len(selected),
        "threshold": int(threshold),
        "selected": json.dumps(selected.tolist()),
        **diversity(parts["validation"], selected),
    }
    for part in PARTS:
        y, called = parts[part].y, called_positive(parts[part].votes, selected, threshold)
        sensitivity, specificity = called[y].mean(), (~called[~y]).mean()
        result[f"n_{part}"] = len(y)
        result[f"{part}_accuracy"] = float((called == y).mean())
        result[f"{part}_balanced_accuracy"] = float((sensitivity + specificity) / 2)
    return result


def diversity(own: Votes, selected: NDArray[np.intp]) -> Result:
    """Least and average PFC of the chosen classifiers; None for fewer than two."""
    if len(selected) < 2:
        return {"pfc_min": None, "pfc_avg": None}
    credit = failure_credit(failure_patterns(own.votes, own.y))
    pfc = pairwise_failure_crediting(credit, selected)
    return {"pfc_min": float(pfc.min()), "pfc_avg": float(pfc.mean())}


def finite(number: float) -> float | None:
    """A number, None for one that is infinite."""
    return float(number) if math.isfinite(number) else None
