"""What the tutorials count of their models: thresholds, bytes, decisions that changed."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from compactml.condition_sharing import SharedEnsemble
from compactml.tutorials.competing import rows_of

__all__ = ["agreement", "most_thresholds", "shared_rows", "votes_rows"]


def most_thresholds(forest: Any) -> int:
    """Return how many different thresholds the column has that has most of them in a fitted forest."""
    trees = [tree.tree_ for tree in np.ravel(forest.estimators_)]
    features = np.concatenate([tree.feature for tree in trees])
    thresholds = np.concatenate([tree.threshold for tree in trees])
    inner = features >= 0
    pairs = pd.DataFrame({"feature": features[inner], "threshold": thresholds[inner]}).drop_duplicates()
    return int(pairs["feature"].value_counts().max())


def shared_rows(
    forests: Mapping[str, Any], shared: Mapping[str, SharedEnsemble], test: tuple[Any, Any]
) -> Any:
    """Say what sharing conditions has changed in some forests.

    Parameters
    ----------
    forests, shared : mapping of str to forest and to what `compactml.condition_sharing.share_conditions` made of it
    test : pair of X and y

    Returns
    -------
    DataFrame
        A row a forest.
    """
    rows = {}
    for name, forest in forests.items():
        new, (X, y) = shared[name], test
        rows[name] = {
            "conditions before": new.n_conditions_before_,
            "conditions after": new.n_conditions_after_,
            "most thresholds on a column, before": most_thresholds(forest),
            "most thresholds on a column, after": most_thresholds(new.ensemble_),
            "training paths changed": new.certificate_.n_paths_changed if new.certificate_ else None,
            "test predictions changed": int((forest.predict(X) != new.ensemble_.predict(X)).sum()),
            "test accuracy before (%)": round(100 * forest.score(X, y), 2),
            "test accuracy after (%)": round(100 * new.ensemble_.score(X, y), 2),
            "pickle before (kB)": len(pickle.dumps(forest)) // 1000,
            "pickle after (kB)": len(pickle.dumps(new.ensemble_)) // 1000,
        }
    return rows_of(rows)


def votes_rows(selections: Mapping[str, tuple[Any, int]], votes: Any, y: Any) -> pd.Series:
    """Return the accuracies of some selections of voters.

    Parameters
    ----------
    selections : mapping of str to (selected voters, threshold)
        The second class is called where more voters than the threshold vote for it.
    votes : ndarray of 0/1, shape (n, K)
    y : array-like of bool, shape (n,)

    Returns
    -------
    Series
        In per cent.
    """
    truth = np.asarray(y, bool)
    rights = {
        name: ((np.asarray(votes)[:, selected].sum(axis=1) > threshold) == truth).mean()
        for name, (selected, threshold) in selections.items()
    }
    return pd.Series(rights).mul(100).round(2)


def agreement(old: Any, new: Any, X: Any, inside: Any) -> dict[str, int]:
    """Count the rows on which a new model decides otherwise than an old one, in a region and outside of it.

    Parameters
    ----------
    old, new : fitted classifiers
    X : rows
    inside : ndarray of bool, shape (n,)
        Which of the rows are in the region.
    """
    other = old.predict(X) != new.predict(X)
    return {"other decisions, in the region": int(other[inside].sum()), "outside": int(other[~inside].sum())}
