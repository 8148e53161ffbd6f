"""What one trial of Dash, Günlük and Wei (2018), section 4, does.

"nested" trials of our own programs choose a parameter on the training part of one of ten folds and measure the chosen
model on the rest; "trade_off" trials fit one value of the parameter on one fold (Fig 1); "fico_rule" trials learn from
all rows of the FICO data and look at the rule that the paper prints. Everything that a trial depends on stands in its
specification. The programs that the paper ran have modules of their own.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.pipeline import make_pipeline

from compactml.boolean_rules.binarizer import DecileBinarizer
from compactml.boolean_rules.classifier import BooleanRuleClassifier
from compactml.boolean_rules.competitors import (
    BayesianRuleSetClassifier,
    CartClassifier,
    RipperClassifier,
    TwoLevelRuleClassifier,
    random_forest,
)
from compactml.boolean_rules.learning import compile_kernels
from compactml.chapters.boolean_rules.datasets import BY_KEY, SMALL, problem
from compactml.chapters.boolean_rules.trials.folds import Split, inner_splits, outer_fold
from compactml.chapters.boolean_rules.trials.printed_rule import PRINTED_RULE, holds, printed_complexity
from compactml.study.chapter import Kind
from compactml.study.trial import Trial

OURS = "CG"
RULE_METHODS = (OURS, "BRS", "AM", "BCD")
METHODS = (*RULE_METHODS, "RIPPER", "CART", "RF")
SMALL_FIT = {"BRS": 2.0, "AM": 1.0, "BCD": 1.5, "RIPPER": 0.1, "CART": 0.1, "RF": 0.3}
LARGE_FIT = {"BRS": 30.0, "AM": 20.0, "BCD": 25.0, "RIPPER": 3.0, "CART": 1.0, "RF": 5.0}
"""Rough seconds of one fit on one core; one of CG may use up its time limit."""


@dataclass(frozen=True, kw_only=True)
class Fit:
    """One model on one fold: accuracies, complexity (none of a random forest) and, for CG, what is proved."""

    test_accuracy: float
    train_accuracy: float
    complexity: int | None
    n_train: int
    n_test: int
    fit_seconds: float
    loss: int | None = None
    bound: int | None = None
    gap: float | None = None
    max_clause_size: int | None = None


@dataclass(frozen=True, kw_only=True)
class ChosenFit(Fit):
    """The model of the value that was chosen on the training part, and the seconds of all fits."""

    parameter: float | None
    seconds: float


@dataclass(frozen=True)
class FicoRule:
    """A rule set on all rows of the FICO data and, where it was learned, what is proved."""

    accuracy: float
    complexity: int
    loss: int
    rule: str
    bound: int | None = None
    gap: float | None = None
    max_clause_size: int | None = None
    seconds: float | None = None


def unfitted(method: str, value: float | None, trial: Trial) -> Any:
    """The classifier of one method with one value of its parameter; it binarises what it is trained on.

    C for CG, kappa for BRS, the price of a condition for AM and BCD, least rows of a leaf for CART and RF; RIPPER has
    none.
    """
    if value is None:
        return make_pipeline(DecileBinarizer(missing="above"), RipperClassifier(random_state=trial.seed))
    if method == OURS:
        binarizer = DecileBinarizer(missing="above")
        return BooleanRuleClassifier(int(value), time_limit=trial.time_limit, binarizer=binarizer)
    seed, leaf = trial.seed, max(int(value), 1)
    others = {
        "BRS": BayesianRuleSetClassifier(value, random_state=seed),
        "AM": TwoLevelRuleClassifier("am", regularization=value, random_state=seed),
        "BCD": TwoLevelRuleClassifier("bcd", regularization=value, random_state=seed),
        "CART": CartClassifier(min_samples_leaf=leaf, random_state=seed),
        "RF": random_forest(leaf, seed),
    }
    return make_pipeline(DecileBinarizer(missing="above"), others[method])


def complexity(model: Any) -> int | None:
    """Number of clauses + number of conditions; None for a random forest."""
    if isinstance(model, BooleanRuleClassifier):
        return int(model.rules_.complexity)
    return getattr(model[-1], "complexity_", None)


def chosen_value(trial: Trial, X: pd.DataFrame, y: NDArray[np.bool_]) -> float | None:
    """The value of best mean inner accuracy, the first in the grid (the simplest) of equals."""
    parameters = dict(trial.parameters)
    grid = [float(one) for one in str(parameters["grid"]).split()]
    if len(grid) < 2:
        return grid[0] if grid else None
    splits = inner_splits(y, int(parameters["inner"]), trial.seed)  # type: ignore[arg-type]
    means = [
        np.mean(
            [
                unfitted(trial.method, value, trial).fit(X.iloc[train], y[train]).score(X.iloc[test], y[test])
                for train, test in splits
            ]
        )
        for value in grid
    ]
    return grid[int(np.argmax(means))]


def run_nested(trial: Trial) -> ChosenFit:
    """Tables 1 and 2: choose the parameter on the training part alone, fit, and measure on the test part."""
    compile_kernels()
    started = time.perf_counter()
    X, y, (train, test) = outer_fold(trial)
    value = chosen_value(trial, X.iloc[train], y[train])
    fit = measured(trial, value, X, y, (train, test))
    return ChosenFit(parameter=value, seconds=time.perf_counter() - started, **vars(fit))


def run_trade_off(trial: Trial) -> Fit:
    """Fig 1: one value of the parameter on one fold."""
    compile_kernels()
    X, y, split = outer_fold(trial)
    value = dict(trial.parameters)["value"]
    return measured(trial, float(value), X, y, split)  # type: ignore[arg-type]


def measured(trial: Trial, value: float | None, X: pd.DataFrame, y: NDArray[np.bool_], split: Split) -> Fit:
    """Fit on the training rows; accuracies, complexity and, for CG, what is proved of the training loss."""
    train, test = split
    started = time.perf_counter()
    model = unfitted(trial.method, value, trial).fit(X.iloc[train], y[train])
    fitted = time.perf_counter()
    return Fit(
        test_accuracy=float(model.score(X.iloc[test], y[test])),
        train_accuracy=float(model.score(X.iloc[train], y[train])),
        complexity=complexity(model),
        n_train=len(train),
        n_test=len(test),
        fit_seconds=fitted - started,
        **(proof(model) if trial.method == OURS else {}),
    )


def proof(model: BooleanRuleClassifier) -> dict[str, Any]:
    """Training loss of CG, its proved lower bound and the relative gap between them, as fields of a result."""
    return {
        "loss": int(model.objective_),
        "bound": int(model.lower_bound_),
        "gap": float(model.gap_),
        "max_clause_size": int(model.bound_clause_size_),
    }


def run_fico_rule(trial: Trial) -> FicoRule:
    """The printed rule, or the one of equal complexity that CG learns, on all rows of the FICO data."""
    compile_kernels()
    X, y = problem(trial.dataset)
    if trial.method == "printed":
        return printed_rule(X, y)
    started = time.perf_counter()
    model = BooleanRuleClassifier(printed_complexity(), time_limit=trial.time_limit).fit(X, y)
    return FicoRule(
        accuracy=1 - model.training_errors_ / len(y),
        complexity=model.rules_.complexity,
        **proof(model),
        seconds=time.perf_counter() - started,
        rule=as_text(list(model.rules_)),
    )


def printed_rule(X: pd.DataFrame, y: NDArray[np.bool_]) -> FicoRule:
    """Accuracy and Hamming loss (1) of the printed rule."""
    counts = np.sum([holds(X, clause) for clause in PRINTED_RULE], axis=0)
    return FicoRule(
        accuracy=float(((counts > 0) == y).mean()),
        complexity=printed_complexity(),
        loss=int((counts[y] == 0).sum() + counts[~y].sum()),
        rule=as_text(
            [[f"{name} {sign} {value:g}" for name, sign, value in clause] for clause in PRINTED_RULE]
        ),
    )


def as_text(clauses: Any) -> str:
    """A rule set on one line."""
    return " OR ".join(f"({' AND '.join(clause)})" for clause in clauses)


def fit_cost(trial: Trial) -> float:
    """Rough seconds of one fit on one core."""
    seconds = SMALL_FIT if BY_KEY[trial.dataset].partition == SMALL else LARGE_FIT
    return trial.time_limit or seconds.get(trial.method, 1.0)


def nested_cost(trial: Trial) -> float:
    """Rough seconds of one trial on one core: a fit for each value and inner fold, and one of the value chosen."""
    parameters = dict(trial.parameters)
    n_values, n_inner = len(str(parameters["grid"]).split()), int(parameters["inner"] or 0)
    return 0.5 + fit_cost(trial) * (1 + (n_values * n_inner if n_values > 1 else 0))


def trade_off_cost(trial: Trial) -> float:
    """Rough seconds of one trial on one core."""
    return 0.5 + fit_cost(trial)


def fico_rule_cost(trial: Trial) -> float:
    """Rough seconds of one trial on one core."""
    return trial.time_limit or 1.0


NESTED = Kind("nested", run_nested, ChosenFit, nested_cost)
NESTED_OTHERS = Kind("nested_others", run_nested, ChosenFit, nested_cost)
TRADE_OFF = Kind("trade_off", run_trade_off, Fit, trade_off_cost)
TRADE_OFF_OTHERS = Kind("trade_off_others", run_trade_off, Fit, trade_off_cost)
FICO_RULE = Kind("fico_rule", run_fico_rule, FicoRule, fico_rule_cost)
"""CG and the other methods have kinds of their own: a change in our code leaves the results of the others valid."""
