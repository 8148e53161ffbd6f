"""Evidence for how the paper read two datasets, liver and FICO, and the groups that its rule for FICO tells apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline

from compactml.boolean_rules.binarizer import DecileBinarizer
from compactml.boolean_rules.competitors import random_forest
from compactml.chapters.boolean_rules.trials.folds import N_FOLDS
from compactml.chapters.boolean_rules.trials.printed_rule import PRINTED_RULE, holds
from compactml.datasets import load
from compactml.datasets.prepared import prepared
from compactml.study.chapter import Kind
from compactml.study.trial import Trial

DRINKS = "half-pint_drinks/day"
SELECTOR_OF_TEST = 2
BURDEN, PAYS_BACK = "NetFractionRevolvingBurden", (1, "Good")


@dataclass(frozen=True)
class LiverReading:
    """Accuracy of a random forest on one reading of the class, beside that of always saying the larger class."""

    accuracy: float
    std_error: float
    majority: float
    n_positive: int


@dataclass(frozen=True)
class FicoCuts:
    """How many conditions of the printed rule are literals of the deciles, which are not, and whom its clauses select.

    Attributes
    ----------
    first_debt, second_debt : float
        Mean revolving burden of the rows that satisfy the first and the second clause, in percent of the limit.
    first_good, second_good : float
        Shares of these rows that pay back.
    many_debt, few_debt, many_good, few_good : float
        The same of all rows with as many accounts as the first clause asks for, and as few as the second.
    """

    conditions: int
    found: int
    literals: int
    not_found: str
    first_debt: float
    second_debt: float
    first_good: float
    second_good: float
    many_debt: float
    few_debt: float
    many_good: float
    few_good: float


def run_liver_reading(trial: Trial) -> LiverReading:
    """Accuracy of the paper's random forest in ten folds on one reading of the liver data's class.

    The class is the selector, or more drinks a day than ``above``.
    """
    data, above = load("liver"), dict(trial.parameters)["above"]
    if above is None:
        X, y = data.X, data.y.to_numpy() == SELECTOR_OF_TEST
    else:
        X, y = data.X.drop(columns=DRINKS), data.X[DRINKS].to_numpy() > float(above)
    model = make_pipeline(DecileBinarizer(missing="above"), random_forest(random_state=trial.seed))
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=trial.seed)
    accuracies = cross_val_score(model, X, y, cv=folds)
    return LiverReading(
        accuracy=float(accuracies.mean()),
        std_error=float(accuracies.std(ddof=1) / np.sqrt(N_FOLDS)),
        majority=float(max(y.mean(), 1 - y.mean())),
        n_positive=int(y.sum()),
    )


def run_fico_cuts(trial: Trial) -> FicoCuts:
    """How many of the six conditions of the printed rule are literals of the deciles under one reading of the data.

    A condition is one if some literal is true on the same rows: 23 accounts or more is more than 22.
    """
    data = prepared(trial.dataset)
    X, good = data.X, data.y.isin(PAYS_BACK).to_numpy()
    truth = DecileBinarizer(missing="above").fit_transform(X).astype(bool)
    conditions = [condition for clause in PRINTED_RULE for condition in clause]
    is_literal = [(truth == holds(X, (condition,))[:, None]).all(axis=0).any() for condition in conditions]
    others = [
        f"{name} {sign} {value:g}"
        for (name, sign, value), there in zip(conditions, is_literal, strict=True)
        if not there
    ]
    groups = dict(zip(("first", "second"), PRINTED_RULE, strict=True))
    groups |= dict(zip(("many", "few"), (clause[:1] for clause in PRINTED_RULE), strict=True))
    rows = {name: holds(X, clause) for name, clause in groups.items()}
    return FicoCuts(
        conditions=len(conditions),
        found=int(sum(is_literal)),
        literals=truth.shape[1],
        not_found=", ".join(others),
        **{f"{name}_debt": float(X.loc[chosen, BURDEN].mean()) for name, chosen in rows.items()},
        **{f"{name}_good": float(good[chosen].mean()) for name, chosen in rows.items()},
    )


def cost(trial: Trial) -> float:
    """Rough seconds of one trial on one core."""
    return 3.0


LIVER_READING = Kind("liver_reading", run_liver_reading, LiverReading, cost)
FICO_CUTS = Kind("fico_cuts", run_fico_cuts, FicoCuts, cost)
