"""The baseline of the paper: cluster the thresholds of each feature by k-means (Jinguji et al., 2018).

In one dimension k-means can be solved exactly, so the baseline is given its best form: no initialisation, no
local optimum. Every node counts once, so a threshold used by many nodes weighs more.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from compactml.condition_sharing._kernels.k_means import optimal_cuts
from compactml.condition_sharing.sharing import SharedEnsemble
from compactml.errors import InvalidParameterError
from compactml.forests import check_ensemble, count_conditions, fitted_trees, with_thresholds


def k_means_conditions(ensemble: Any, k: int) -> SharedEnsemble:
    """Replace each threshold by the centre of its cluster, at most ``k`` clusters per feature.

    Parameters
    ----------
    ensemble : fitted scikit-learn ensemble
        As in `share_conditions`. Not changed.
    k : int
        Clusters per feature, at least 1; a feature with no more distinct thresholds keeps them.

    Returns
    -------
    SharedEnsemble
        Without intervals and certificate: nothing is promised about paths.

    Raises
    ------
    InvalidParameterError
        ``k`` is no positive integer.
    UnsupportedEnsembleError, UnfittedEnsembleError
        As in `share_conditions`.
    """
    check_ensemble(ensemble)
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or k < 1:
        raise InvalidParameterError("k", "a positive integer", k)
    trees = fitted_trees(ensemble)
    feature = np.concatenate([tree.feature for tree in trees])
    threshold = np.concatenate([tree.threshold for tree in trees])
    for i in np.unique(feature[feature >= 0]):
        nodes = feature == i
        threshold[nodes] = cluster_centres(threshold[nodes], k)
    ends = np.cumsum([tree.node_count for tree in trees])[:-1]
    changed = with_thresholds(ensemble, np.split(threshold, ends))
    return SharedEnsemble(changed, count_conditions(ensemble), count_conditions(changed))


def cluster_centres(values: np.ndarray, k: int) -> np.ndarray:
    """Return for each value the centre of its cluster in an optimal one-dimensional k-means clustering.

    Parameters
    ----------
    values : ndarray of float64, shape (n,)
    k : int

    Returns
    -------
    ndarray of float64, shape (n,)

    Notes
    -----
    Optimal clusters are intervals of the sorted values, and the best last cut moves right with the number of
    values, so each of the k layers of the dynamic program is filled by divide and conquer: O(k n log n) for n
    distinct values.
    """
    distinct, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    if distinct.size <= k:
        return values.copy()
    weights = counts.astype(np.float64)
    shift = np.average(distinct, weights=weights)  # centred values lose less in the differences of sums
    starts = optimal_cuts(distinct - shift, weights, k)
    cluster = np.searchsorted(starts, np.arange(distinct.size), side="right") - 1
    centres = np.bincount(cluster, weights * distinct) / np.bincount(cluster, weights)
    return centres[cluster[inverse]]
