"""Evidence for how the paper read two datasets: the class of the liver data, the special values of the FICO data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline

from compactml.boolean_rules.binarizer import DecileBinarizer
from compactml.boolean_rules.competitors import random_forest
from compactml.chapters.boolean_rules.trials.paper import N_FOLDS, PRINTED_RULE, holds
from compactml.datasets import load
from compactml.datasets.prepared import prepared
from compactml.study.profile import Profile
from compactml.study.trial import Result, Trial

DRINKS = "half-pint_drinks/day"
SELECTOR_OF_TEST = 2
LEVELS = {Profile.QUICK: (2.0, 3.0), Profile.STANDARD: (0.5, 1.0, 2.0, 3.0, 4.0, 5.0)}
LEVELS[Profile.PAPER] = LEVELS[Profile.STANDARD]
FICO_READINGS = ("heloc_special_values_missing", "heloc_without_special_rows")


def run_liver_reading(trial: Trial) -> Result:
    """Accuracy of the paper's random forest in ten folds on one reading of the liver data's class.

    The class is the selector, or more drinks a day than ``above``.
    """
    data, above = load("liver"), dict(trial.parameters)["above"]
    if above is None:
        X, y = data.X, data.y.to_numpy() == SELECTOR_OF_TEST
    else:
        X, y = data.X.drop(columns=DRINKS), data.X[DRINKS].to_numpy() > float(above)
    model = make_pipeline(DecileBinarizer(), random_forest(random_state=trial.seed))
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=trial.seed)
    accuracies = cross_val_score(model, X, y, cv=folds)
    return {
        "accuracy": float(accuracies.mean()),
        "std_error": float(accuracies.std(ddof=1) / np.sqrt(N_FOLDS)),
        "majority": float(max(y.mean(), 1 - y.mean())),
        "n_positive": int(y.sum()),
    }


def run_fico_cuts(trial: Trial) -> Result:
    """How many of the six conditions of the printed rule are literals of the deciles under one reading of the data.

    A condition is one if some literal is true on the same rows: 23 accounts or more is more than 22.
    """
    X = prepared(trial.dataset).X
    truth = DecileBinarizer().fit_transform(X).astype(bool)
    conditions = [condition for clause in PRINTED_RULE for condition in clause]
    found = [(truth == holds(X, (condition,))[:, None]).all(axis=0).any() for condition in conditions]
    missing = [
        f"{name} {sign} {value:g}"
        for (name, sign, value), one in zip(conditions, found, strict=True)
        if not one
    ]
    return {
        "conditions": len(conditions),
        "found": int(sum(found)),
        "literals": truth.shape[1],
        "not_found": ", ".join(missing),
    }


RUN: Mapping[str, Any] = {"liver_reading": run_liver_reading, "fico_cuts": run_fico_cuts}
TABLES = ("liver_reading", "fico_cuts")


def trials(chapter: str, table: str, profile: Profile) -> list[Trial]:
    """Trials of one of these tables."""
    if table == "fico_cuts":
        return [Trial(chapter, "fico_cuts", key) for key in FICO_READINGS]
    return [
        Trial(chapter, "liver_reading", "liver", method="RF", parameters=(("above", level),))
        for level in (None, *LEVELS[profile])
    ]


def cost(trial: Trial) -> float:
    """Rough seconds of one trial on one core."""
    return 3.0
