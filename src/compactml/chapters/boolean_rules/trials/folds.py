"""What the trials of Tables 1 and 2 share: the fold of ten, its inner splits, its literals, and what is measured on it.

A trial learns on the training part for each value of its parameter. Each of these models is a point of a curve of
Fig 1; the one whose value was chosen on the training part alone is the cell of Tables 1 and 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit

from compactml.boolean_rules.binarizer import DecileBinarizer
from compactml.chapters.boolean_rules.datasets import problem
from compactml.study.trial import Trial

__all__ = [
    "HOLD_OUT", "N_FOLDS", "BinaryFold", "FoldFit", "Point", "Split", "binary_fold", "fold_fit", "grid_of",
    "inner_splits", "outer_fold",
]  # fmt: skip

N_FOLDS = 10
HOLD_OUT = 0.25
"""Share of the training rows that judge the parameter where there is only one inner split."""
Split = tuple[NDArray[np.intp], NDArray[np.intp]]


class BinaryFold(NamedTuple):
    """The literals of a fold, found on its training part: their truth, and the labels, of both parts."""

    train: NDArray[np.bool_]
    y_train: NDArray[np.bool_]
    test: NDArray[np.bool_]
    y_test: NDArray[np.bool_]


class Point(NamedTuple):
    """The model of one value of the parameter: accuracies, and its complexity, if it has one."""

    value: float | None
    train_accuracy: float
    test_accuracy: float
    complexity: int | None


@dataclass(frozen=True, kw_only=True)
class FoldFit:
    """What a program learned on one fold.

    Attributes
    ----------
    parameter : float or None
        The value that was chosen on the training part.
    test_accuracy, train_accuracy : float
    complexity : int or None
    n_train, n_test : int
    values, accuracies, complexities : str
        Of all values of the parameter: the value, its accuracy on the test part and its complexity, each separated by
        blanks.
    seconds : float
        Of everything.
    program : str
        What ran, with its version.
    """

    parameter: float | None
    test_accuracy: float
    train_accuracy: float
    complexity: int | None
    n_train: int
    n_test: int
    values: str
    accuracies: str
    complexities: str
    seconds: float
    program: str


def outer_fold(trial: Trial) -> tuple[pd.DataFrame, NDArray[np.bool_], Split]:
    """Features, labels, and training and test rows of the trial's fold of ten, stratified."""
    X, y = problem(trial.dataset)
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=trial.seed)
    assert trial.fold is not None
    return X, y, list(folds.split(X, y))[trial.fold]


def inner_splits(y: NDArray[np.bool_], n_inner: int, seed: int) -> list[Split]:
    """Splits of the training rows: folds, or a single part held out for ``n_inner`` = 1."""
    if n_inner == 1:
        splitter: Any = StratifiedShuffleSplit(1, test_size=HOLD_OUT, random_state=seed)
    else:
        splitter = StratifiedKFold(n_inner, shuffle=True, random_state=seed)
    return list(splitter.split(np.zeros((len(y), 0)), y))


def grid_of(trial: Trial) -> list[float]:
    """The values of the parameter, in the order of the specification."""
    return [float(value) for value in str(dict(trial.parameters)["grid"]).split()]


def binary_fold(trial: Trial) -> BinaryFold:
    """The trial's fold as truth of literals, whose thresholds are deciles of the training part."""
    X, y, (train, test) = outer_fold(trial)
    binarizer = DecileBinarizer(missing="above").fit(X.iloc[train])
    truth, unseen = (binarizer.transform(X.iloc[rows]).astype(bool) for rows in (train, test))
    return BinaryFold(truth, y[train], unseen, y[test])


def fold_fit(
    points: Sequence[Point], chosen: int, n_train: int, n_test: int, seconds: float, program: str
) -> FoldFit:
    """The result of a trial whose point number ``chosen`` is the cell of Tables 1 and 2."""
    cell = points[chosen]
    return FoldFit(
        parameter=cell.value,
        test_accuracy=cell.test_accuracy,
        train_accuracy=cell.train_accuracy,
        complexity=cell.complexity,
        n_train=n_train,
        n_test=n_test,
        values=_line(point.value for point in points),
        accuracies=_line(point.test_accuracy for point in points),
        complexities=_line(point.complexity for point in points),
        seconds=seconds,
        program=program,
    )


def _line(values: Any) -> str:
    """Numbers in a line, "-" for those that are not there."""
    return " ".join("-" if value is None else repr(value) for value in values)
