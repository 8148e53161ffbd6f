"""scikit-learn's methods in Tables 1 and 2: CART, random forests, logistic regression, support vector machines.

The paper tunes the least number of samples in a leaf and gives no values. Here they are shares of the rows, the same
for all datasets, and were chosen so that the complexities of CART come out near the printed ones. So those decide
nothing, and no cell of these methods can refute the paper. Logistic regression and support vector machines are named in
the text; their numbers stand in a supplement that could not be had. As there they do not see literals but the numbers,
standardised, and an indicator for each category.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn import __version__
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC

from compactml.boolean_rules.binarizer import DecileBinarizer
from compactml.boolean_rules.competitors.trees import CartClassifier, random_forest
from compactml.chapters.boolean_rules.datasets import BY_KEY, SMALL
from compactml.chapters.boolean_rules.methods import CART_SHARES, LR, RF_SHARES, SVM
from compactml.chapters.boolean_rules.trials.folds import (
    FoldFit,
    Point,
    fold_fit,
    grid_of,
    inner_splits,
    outer_fold,
)
from compactml.study.chapter import Kind
from compactml.study.trial import Trial

__all__ = ["SCIKIT"]

MOST_STEPS = 5000
SMALL_FIT = {CART_SHARES: 0.05, RF_SHARES: 0.4, LR: 0.1, SVM: 0.1}
LARGE_FIT = {CART_SHARES: 1.0, RF_SHARES: 5.0, LR: 3.0, SVM: 60.0}
"""Rough seconds of one fit on one core."""


def unfitted(method: str, value: float, seed: int) -> Any:
    """The classifier of a method with one value of its parameter, on the columns of the data.

    A share of the rows in a leaf for CART and random forests, C for the others.
    """
    if method == CART_SHARES:
        return make_pipeline(
            DecileBinarizer(missing="above"), CartClassifier(min_samples_leaf=value, random_state=seed)
        )
    if method == RF_SHARES:
        forest = random_forest(random_state=seed).set_params(min_samples_leaf=value)
        return make_pipeline(DecileBinarizer(missing="above"), forest)
    model = (
        LogisticRegression(C=value, max_iter=MOST_STEPS) if method == LR else SVC(C=value, random_state=seed)
    )
    return make_pipeline(numbers(), model)


def numbers() -> Any:
    """Standardised numbers, medians for missing ones, and an indicator for each category."""
    of_numbers = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    of_categories = OneHotEncoder(handle_unknown="ignore")
    return make_column_transformer(
        (of_numbers, make_column_selector(dtype_include=np.number)),
        (of_categories, make_column_selector(dtype_exclude=np.number)),
    )


def chosen_number(trial: Trial, X: pd.DataFrame, y: NDArray[np.bool_]) -> int:
    """Which value of the grid has the best mean inner accuracy, the first of equals."""
    grid = grid_of(trial)
    if len(grid) < 2:
        return 0
    inner: Any = dict(trial.parameters)["inner"]
    splits = inner_splits(y, inner, trial.seed)
    means = [
        np.mean(
            [
                unfitted(trial.method, value, trial.seed)
                .fit(X.iloc[train], y[train])
                .score(X.iloc[test], y[test])
                for train, test in splits
            ]
        )
        for value in grid
    ]
    return int(np.argmax(means))


def run_scikit(trial: Trial) -> FoldFit:
    """Choose the parameter on the training part alone, learn with each value on all of it, measure on the test part."""
    started = time.perf_counter()
    X, y, (train, test) = outer_fold(trial)
    chosen = chosen_number(trial, X.iloc[train], y[train])
    points = [point(trial, value, X, y, train, test) for value in grid_of(trial)]
    seconds = time.perf_counter() - started
    return fold_fit(points, chosen, len(train), len(test), seconds, f"scikit-learn {__version__}")


def point(
    trial: Trial,
    value: float,
    X: pd.DataFrame,
    y: NDArray[np.bool_],
    train: NDArray[np.intp],
    test: NDArray[np.intp],
) -> Point:
    """Learn on the training rows; accuracies, and the complexity of a tree."""
    model = unfitted(trial.method, value, trial.seed).fit(X.iloc[train], y[train])
    before, after = (float(model.score(X.iloc[rows], y[rows])) for rows in (train, test))
    return Point(value, before, after, getattr(model[-1], "complexity_", None))


def cost(trial: Trial) -> float:
    """Rough seconds of one trial on one core."""
    seconds = SMALL_FIT if BY_KEY[trial.dataset].partition == SMALL else LARGE_FIT
    inner: Any = dict(trial.parameters)["inner"]
    return 0.5 + seconds[trial.method] * len(grid_of(trial)) * (1 + inner)


SCIKIT = Kind("scikit", run_scikit, FoldFit, cost)
