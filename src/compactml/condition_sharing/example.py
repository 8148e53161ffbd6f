"""The forest of Fig 1: two trees, four vectors, four conditions of which two suffice."""

from __future__ import annotations

import numpy as np
from sklearn.ensemble import RandomForestClassifier

from compactml.forests import fitted_trees

LABELS = np.array([1, 0, 0, 1])
"""Classes of the four vectors (Remark 1)."""
BOOTSTRAP = ([0, 2, 3], [0, 1, 3])
"""Vectors that each tree was grown from (Remark 1)."""


def figure_1() -> tuple[RandomForestClassifier, np.ndarray]:
    """Return the forest of Fig 1 (reconstructed from Remark 1) and its four vectors.

    Tree 1: x1 <= 4 gives class 1, else x2 <= 5 gives class 0, else class 1. Tree 2 the same with the features
    exchanged and thresholds 4 (x2) and 5 (x1).

    Returns
    -------
    forest : fitted RandomForestClassifier of two trees
    X : ndarray of float64, shape (4, 2)
        (1, 1), (2, 7), (7, 2) and (8, 8).
    """
    # values 0, 1, 2 on both features with weights that make scikit-learn grow leaf | (leaf | leaf) in each tree
    values = np.repeat([0.0, 1.0, 2.0], [10, 10, 1])
    labels = np.repeat([1, 0, 1], [10, 10, 1])
    forest = RandomForestClassifier(2, bootstrap=False, random_state=0).fit(np.c_[values, values], labels)
    for tree, features in zip(fitted_trees(forest), ((0, 1), (1, 0)), strict=True):
        tree.feature[[0, 2]] = features
        tree.threshold[[0, 2]] = 4.0, 5.0
    return forest, np.array([[1.0, 1.0], [2.0, 7.0], [7.0, 2.0], [8.0, 8.0]])
