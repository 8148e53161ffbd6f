"""Gini impurities of splits, by their definition: what Remark 1 says of the example is checked with them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np


def gini(labels: np.ndarray) -> Fraction:
    """Return the Gini impurity of some labels, 0 for none.

    Parameters
    ----------
    labels : ndarray of shape (n,)
    """
    _, counts = np.unique(labels, return_counts=True)
    n = int(counts.sum())
    return 1 - sum((Fraction(int(count), n) ** 2 for count in counts), Fraction(0)) if n else Fraction(0)


def split_impurity(X: np.ndarray, labels: np.ndarray, feature: int, threshold: float) -> Fraction:
    """Return the impurity of the two sides of a condition, weighted by their rows.

    Parameters
    ----------
    X : ndarray of shape (n, n_features)
        The rows at a node, at least one.
    labels : ndarray of shape (n,)
    feature : int
    threshold : float
    """
    left = X[:, feature] <= threshold
    sides = labels[left], labels[~left]
    return sum((Fraction(side.size, labels.size) * gini(side) for side in sides), Fraction(0))


def best_splits(X: np.ndarray, labels: np.ndarray) -> set[tuple[int, float]]:
    """Return the conditions of least impurity among the midpoints of adjacent values, which CART may take.

    Parameters
    ----------
    X : ndarray of shape (n, n_features)
        The rows at a node.
    labels : ndarray of shape (n,)

    Returns
    -------
    set of (int, float)
        Feature and threshold; empty where all rows are equal.
    """
    impurities = {}
    for feature in range(X.shape[1]):
        column = np.unique(X[:, feature])
        for threshold in (column[:-1] + column[1:]) / 2:
            impurities[feature, float(threshold)] = split_impurity(X, labels, feature, threshold)
    least = min(impurities.values(), default=Fraction(0))
    return {condition for condition, impurity in impurities.items() if impurity == least}
