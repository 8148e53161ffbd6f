"""The classifiers that judge a set of features in Tables 5-7.

The paper names naive Bayes and a random forest with five-fold cross-validation and no settings. The printed F1 of the
full sets fit shuffled stratified folds, weighted F1, trees of depth 2, multinomial naive Bayes on the datasets that
Table 1 calls discrete and Gaussian naive Bayes on the continuous ones.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import joblib
import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB, MultinomialNB

from compactml.chapters.feature_selection.datasets import DISCRETE, table

N_FOLDS, N_TREES, DEPTH = 5, 100, 2
MEAN, STD = "mean", "std"
STATISTICS = (MEAN, STD)
"""What is said of the scores of the folds."""
_KNOWN: dict[str, dict[str, F1]] = {}
"""Scores by the hash of what they are of: many methods end with the same set, whose 500 trees are grown once."""


@dataclass(frozen=True)
class F1:
    """A statistic of the weighted F1 of both classifiers: naive Bayes and random forest."""

    f1_nb: float
    f1_rf: float


def naive_bayes(X: NDArray[np.float64], data_type: str) -> GaussianNB | MultinomialNB:
    """Multinomial for discrete data without negative values, which it does not take, else Gaussian."""
    return MultinomialNB() if data_type == DISCRETE and X.min() >= 0 else GaussianNB()


def scores(X: NDArray[np.float64], y: NDArray[np.intp], data_type: str, seed: int = 0) -> dict[str, F1]:
    """Mean and standard deviation over folds of the weighted F1 of both classifiers.

    Parameters
    ----------
    X : ndarray of shape (n, number of chosen features)
    y : ndarray of int, shape (n,)
    data_type : {"discrete", "continuous"}
    seed : int
        Of the folds and of the forest.

    Returns
    -------
    dict of str to F1
        By name of the statistic, as `STATISTICS` has them.
    """
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=seed)
    models = (
        naive_bayes(X, data_type),
        RandomForestClassifier(N_TREES, max_depth=DEPTH, random_state=seed),
    )
    with warnings.catch_warnings():
        # Zoo, SCADI and others have classes with fewer rows than folds: some folds test none of their rows.
        warnings.filterwarnings("ignore", message="The least populated class")
        nb, rf = (
            cross_val_score(model, X, y, cv=folds, scoring="f1_weighted", error_score="raise")
            for model in models
        )
    return {
        MEAN: F1(float(nb.mean()), float(rf.mean())),
        STD: F1(float(nb.std()), float(rf.std())),
    }


def set_scores(key: str, columns: NDArray[np.intp], data_type: str, seed: int = 0) -> dict[str, F1]:
    """Scores of a set of columns of a dataset, none for the empty set.

    The classifiers see the values of the data, whatever the discretiser of the measures was.
    """
    if not len(columns):
        return {}
    X, y = table(key)
    asked = values(X, columns), y, data_type, seed
    name = joblib.hash(asked)
    if name not in _KNOWN:
        _KNOWN[name] = scores(*asked)
    return dict(_KNOWN[name])


def values(X: pd.DataFrame, columns: NDArray[np.intp]) -> NDArray[np.float64]:
    """Some columns as one array of numbers."""
    return X.iloc[:, columns].to_numpy(dtype=np.float64)
