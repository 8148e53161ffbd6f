"""CART and random forests of scikit-learn, as the paper compares with them."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.validation import check_is_fitted

from compactml.errors import check_integer

__all__ = ["CartClassifier", "random_forest"]

N_TREES = 100


class CartClassifier(DecisionTreeClassifier):
    """scikit-learn's CART with the complexity that the paper's Table 2 gives it.

    Parameters are those of `sklearn.tree.DecisionTreeClassifier`; the paper tuned ``min_samples_leaf``.
    """

    @property
    def complexity_(self) -> int:
        """Leaves of the simpler class as rules: their number + the conditions on their paths.

        Every test on the path counts (0/1 columns are tested once at most on a path). The simpler class is the one with
        the smaller sum; a tree that predicts only one class has complexity 0.
        """
        check_is_fitted(self)
        tree = self.tree_
        depth = np.zeros(tree.node_count, dtype=np.int64)
        inner = tree.children_left >= 0
        for node in np.flatnonzero(inner):  # parents come before their children
            depth[[tree.children_left[node], tree.children_right[node]]] = depth[node] + 1
        winner = tree.value[~inner, 0].argmax(axis=1)
        sums = np.bincount(winner, 1 + depth[~inner], minlength=self.n_classes_)
        return int(sums.min())


def random_forest(min_samples_leaf: int = 1, random_state: int = 0) -> Any:
    """The paper's random forest: 100 trees, ``min_samples_leaf`` to be tuned; no complexity is given for it.

    Parameters
    ----------
    min_samples_leaf : int, default=1
    random_state : int, default=0

    Raises
    ------
    InvalidParameterError
        No integer in its range.
    """
    check_integer("min_samples_leaf", min_samples_leaf, 1)
    check_integer("random_state", random_state, 0, 2**32 - 1)
    return RandomForestClassifier(
        N_TREES, min_samples_leaf=min_samples_leaf, random_state=random_state, n_jobs=1
    )
