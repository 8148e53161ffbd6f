"""The baseline of the paper: cluster the thresholds of each feature by k-means (Jinguji et al., 2018).

The paper does not say how its k-means starts, nor whether a threshold counts once or once for every node that uses it.
Here both can be chosen. In one dimension k-means can also be solved exactly: no initialisation, no local optimum.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from compactml.condition_sharing._kernels.k_means import lloyd_cuts, optimal_cuts
from compactml.condition_sharing.sharing import SharedEnsemble
from compactml.errors import InvalidDataError, InvalidParameterError, check_integer
from compactml.forests import check_ensemble, count_conditions, fitted_trees, with_thresholds

LARGEST = 1e150
"""Of values to be clustered: squares of larger ones overflow."""


def k_means_conditions(
    ensemble: Any, k: int, *, by_node: bool = True, n_starts: int = 0, seed: int = 0
) -> SharedEnsemble:
    """Replace each threshold by the centre of its cluster, at most ``k`` clusters per feature.

    Parameters
    ----------
    ensemble : fitted scikit-learn ensemble
        As in `share_conditions`. Not changed.
    k : int
        Clusters per feature, at least 1; a feature with no more distinct thresholds keeps them.
    by_node, n_starts, seed
        As in `cluster_centres`.

    Returns
    -------
    SharedEnsemble
        Without intervals and certificate: nothing is promised about paths.

    Raises
    ------
    InvalidParameterError
        ``k`` is no positive integer, ``n_starts`` or ``seed`` no integer of 0 or more, or ``by_node`` no truth value.
    UnsupportedEnsembleError, UnfittedEnsembleError
        As in `share_conditions`.
    """
    check_ensemble(ensemble)
    _check_clustering(k, by_node, n_starts, seed)
    return next(clustered_ensembles(ensemble, (k,), by_node=by_node, n_starts=n_starts, seed=seed))


def clustered_ensembles(
    ensemble: Any, ks: Sequence[int], *, by_node: bool, n_starts: int, seed: int
) -> Iterator[SharedEnsemble]:
    """Yield what `k_means_conditions` returns for each of several ``k``, whose optimal clusterings share their work."""
    trees = fitted_trees(ensemble)
    feature = np.concatenate([tree.feature for tree in trees])
    threshold = np.concatenate([tree.threshold for tree in trees])
    new = np.tile(threshold, (len(ks), 1))
    for i in np.unique(feature[feature >= 0]):
        nodes = feature == i
        new[:, nodes] = _centres(threshold[nodes], ks, by_node, n_starts, seed)
    before = count_conditions(ensemble)
    ends = np.cumsum([tree.node_count for tree in trees])[:-1]
    for thresholds in new:
        changed = with_thresholds(ensemble, np.split(thresholds, ends))
        yield SharedEnsemble(changed, before, count_conditions(changed))


def cluster_centres(
    values: np.ndarray, k: int, *, by_node: bool = True, n_starts: int = 0, seed: int = 0
) -> np.ndarray:
    """Return for each value the centre of its cluster in a one-dimensional k-means clustering.

    Parameters
    ----------
    values : array-like of float, shape (n,)
        Thresholds of nodes.
    k : int
        Clusters, at least 1.
    by_node : bool, default=True
        Whether a value that n nodes have counts n times; else once.
    n_starts : int, default=0
        0 for an optimal clustering; else the best of so many starts of Lloyd's algorithm, with k-means++ seeds as in
        scikit-learn (which draws several candidates for each seed, and we one).
    seed : int, default=0
        Of the random starts.

    Returns
    -------
    ndarray of float64, shape (n,)

    Raises
    ------
    InvalidDataError
        Values that are no vector of finite numbers, of at most 1e150 in size: beyond, squares overflow.
    InvalidParameterError
        As in `k_means_conditions`.

    Notes
    -----
    Optimal clusters are intervals of the sorted values, and the best last cut moves right with the number of
    values, so each of the k layers of the dynamic program is filled by divide and conquer: O(k n log n) for n
    distinct values. Costs of clusters are differences of sums that carry 32 digits: clusters are told apart unless
    their variance is below about 1e-28 times the largest squared value.
    """
    _check_clustering(k, by_node, n_starts, seed)
    return _centres(_vector(values), (k,), by_node, n_starts, seed)[0]


def _centres(
    values: np.ndarray, ks: Sequence[int], by_node: bool, n_starts: int, seed: int
) -> list[np.ndarray]:
    """The centre of each value's cluster, for every k."""
    distinct, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    weights = counts.astype(np.float64) if by_node else np.ones(distinct.size)
    fewer = [k for k in ks if k < distinct.size]
    if n_starts == 0:
        cuts = optimal_cuts(distinct, weights, np.array(fewer)) if fewer else []
    else:
        cuts = [
            lloyd_cuts(distinct, weights, np.random.default_rng(seed).random((n_starts, k))) for k in fewer
        ]
    centres = {k: _means(distinct, weights, starts)[inverse] for k, starts in zip(fewer, cuts, strict=True)}
    return [centres[k] if k in centres else values.copy() for k in ks]


def _means(distinct: np.ndarray, weights: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """The weighted mean of the cluster of each distinct value."""
    cluster = np.searchsorted(starts, np.arange(distinct.size), side="right") - 1
    size = np.bincount(cluster, weights, minlength=starts.size)
    with np.errstate(invalid="ignore"):  # a cluster that Lloyd's algorithm left empty
        centres = np.bincount(cluster, weights * distinct, minlength=starts.size) / size
    return centres[cluster]


def _check_clustering(k: Any, by_node: Any, n_starts: Any, seed: Any) -> None:
    check_integer("k", k, 1)
    check_integer("n_starts", n_starts, 0)
    check_integer("seed", seed, 0)
    if not isinstance(by_node, bool | np.bool_):
        raise InvalidParameterError("by_node", "True or False", by_node)


def _vector(values: Any) -> np.ndarray:
    allowed = f"a vector of finite numbers of at most {LARGEST:g}"
    try:
        vector = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidDataError("values", allowed, str(error)) from error
    if vector.ndim != 1:
        raise InvalidDataError("values", allowed, f"shape {vector.shape}")
    if not (np.abs(vector) <= LARGEST).all():
        raise InvalidDataError("values", allowed, "NaN, infinity or larger values")
    return vector
