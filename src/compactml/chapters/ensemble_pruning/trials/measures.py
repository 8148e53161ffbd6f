"""What is measured of an ensemble, whatever method chose it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
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
from compactml.study.trial import Trial


@dataclass(frozen=True)
class Pruned:
    """An ensemble that a method chose.

    Attributes
    ----------
    value : float
        What the method maximises, on the validation rows.
    n_selected, threshold : int
        Number of classifiers, and L of the paper.
    selected : str
        Their numbers as JSON.
    pfc_min, pfc_avg : float or None
        Least and average PFC on the validation votes; None for fewer than two classifiers.
    n_train, n_validation, n_test : int
        Rows of each part; its accuracies follow.
    tau, gamma : float
        Limits on the least and the average PFC; 0 for none.
    seconds : float
    """

    value: float
    n_selected: int
    threshold: int
    selected: str
    pfc_min: float | None
    pfc_avg: float | None
    n_train: int
    train_accuracy: float
    train_balanced_accuracy: float
    n_validation: int
    validation_accuracy: float
    validation_balanced_accuracy: float
    n_test: int
    test_accuracy: float
    test_balanced_accuracy: float
    tau: float
    gamma: float
    seconds: float


def trial_votes(trial: Trial) -> dict[str, Votes]:
    """Votes of the run and the size of pool that a trial names, on each part."""
    asked: dict[str, Any] = dict(trial.parameters)
    assert trial.fold is not None
    return votes(Run(trial.dataset, trial.seed, trial.fold, asked["pool"]), asked["K"])


def measured(parts: Mapping[str, Votes], selected: NDArray[np.intp], threshold: int) -> dict[str, Any]:
    """Size, diversity on the validation votes, and accuracies on each part, as fields of `Pruned`."""
    least, average = diversity(parts["validation"], selected)
    fields: dict[str, Any] = {
        "n_selected": len(selected),
        "threshold": int(threshold),
        "selected": json.dumps(selected.tolist()),
        "pfc_min": least,
        "pfc_avg": average,
    }
    for part in PARTS:
        y, called = parts[part].y, called_positive(parts[part].votes, selected, threshold)
        sensitivity, specificity = called[y].mean(), (~called[~y]).mean()
        fields[f"n_{part}"] = len(y)
        fields[f"{part}_accuracy"] = float((called == y).mean())
        fields[f"{part}_balanced_accuracy"] = float((sensitivity + specificity) / 2)
    return fields


def diversity(validation: Votes, selected: NDArray[np.intp]) -> tuple[float | None, float | None]:
    """Least and average PFC of the chosen classifiers; None for fewer than two."""
    if len(selected) < 2:
        return None, None
    credit = failure_credit(failure_patterns(validation.votes, validation.y))
    pfc = pairwise_failure_crediting(credit, selected)
    return float(pfc.min()), float(pfc.mean())


def finite(number: float) -> float | None:
    """A number, None for one that is infinite."""
    return float(number) if math.isfinite(number) else None
