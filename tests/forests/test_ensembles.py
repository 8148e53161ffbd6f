"""Ensembles as lists of trees: what is accepted, what is refused, and the count of conditions."""

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import load_iris
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from compactml.errors import InvalidDataError
from compactml.forests import (
    UnfittedEnsembleError,
    UnsupportedEnsembleError,
    check_ensemble,
    check_matrix,
    count_conditions,
    fitted_trees,
    leaves,
)

X, Y = load_iris(return_X_y=True, as_frame=True)
FOREST = RandomForestClassifier(5, random_state=0).fit(X, Y)


def test_count_conditions_counts_pairs():
    pairs = {
        (i, t)
        for tree in fitted_trees(FOREST)
        for i, t in zip(tree.feature, tree.threshold, strict=True)
        if i >= 0
    }
    assert count_conditions(FOREST) == len(pairs)


def test_a_forest_of_single_leaves_has_no_condition():
    constant = RandomForestClassifier(3, random_state=0).fit(X, np.zeros(len(X)))
    assert count_conditions(constant) == 0


def test_leaves_of_a_multiclass_boosting_ensemble_cover_every_tree():
    boosted = GradientBoostingClassifier(n_estimators=3, random_state=0).fit(X.to_numpy(), Y)
    assert leaves(boosted, X.to_numpy()).shape == (150, 9)
    assert np.array_equal(leaves(boosted, X.to_numpy()), boosted.apply(X.to_numpy()).reshape(150, -1))


@pytest.mark.parametrize(
    "ensemble",
    [
        LogisticRegression(),
        DecisionTreeClassifier().fit(X, Y),
        BaggingClassifier().fit(X, Y),
        AdaBoostClassifier(LogisticRegression(max_iter=200), n_estimators=2).fit(X, Y),
        None,
    ],
)
def test_other_models_are_refused(ensemble):
    with pytest.raises(UnsupportedEnsembleError, match="ensemble: must be") as caught:
        check_ensemble(ensemble)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_categorical_splits_are_named():
    model = HistGradientBoostingClassifier(max_iter=2).fit(X, Y)
    with pytest.raises(UnsupportedEnsembleError, match="categorical splits"):
        check_ensemble(model)


def test_tests_for_missing_values_are_refused():
    gaps = X.to_numpy().copy()
    gaps[Y == 1] = np.nan
    forest = RandomForestClassifier(5, max_depth=1, random_state=0).fit(gaps, Y == 1)
    with pytest.raises(UnsupportedEnsembleError, match="test for missing values"):
        check_ensemble(forest)


def test_unfitted_is_refused():
    with pytest.raises(UnfittedEnsembleError, match="RandomForestClassifier"):
        check_ensemble(RandomForestClassifier())


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (np.empty((0, 4)), "at least one row"),
        (np.full((2, 4), np.nan), "got NaN"),
        (np.full((2, 4), np.inf), "got infinity"),
        (np.full((2, 4), 1e39), "got larger values"),
        (np.zeros((2, 3)), r"shape \(n_samples, 4\)"),
        (np.zeros(4), r"shape \(n_samples, 4\)"),
        ([["a"] * 4], "numeric"),
        (X.rename(columns={"sepal length (cm)": "other"}), "fitted columns"),
        (X[X.columns[::-1]], "fitted columns"),
        (pd.DataFrame({"a": [1.0]}), "fitted columns"),
        (sparse.csr_matrix(np.zeros((2, 4))), "dense, got a csr_matrix"),
        (np.zeros((2, 4)) + 1j, "numeric, got complex numbers"),
    ],
)
def test_bad_matrices_are_refused(matrix, message):
    with pytest.raises(InvalidDataError, match=f"X: must be .*{message}|{message}"):
        check_matrix(FOREST, matrix)
