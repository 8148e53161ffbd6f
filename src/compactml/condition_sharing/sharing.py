"""Min_DBN (Algorithm 2): an ensemble with the fewest distinct branching conditions on the same paths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from compactml.checks import check_consistent_length
from compactml.condition_sharing._shared_thresholds import shared_thresholds
from compactml.condition_sharing.certificate import Certificate, certified
from compactml.condition_sharing.checking import check_most, check_sample_indices
from compactml.condition_sharing.effect import Effect, checked_validation, within_validation
from compactml.condition_sharing.intervals import Intervals, intervals_of
from compactml.condition_sharing.paths import Paths, find_paths
from compactml.errors import check_fraction
from compactml.forests import check_ensemble, check_matrix, conditions_of, fitted_trees, with_thresholds


@dataclass(frozen=True)
class SharedEnsemble:
    """An ensemble whose trees share branching conditions, and the evidence for it.

    Attributes
    ----------
    ensemble_ : fitted scikit-learn ensemble
        A new ensemble: the structure and leaves of the given one, other thresholds.
    n_conditions_before_, n_conditions_after_ : int
        Distinct branching conditions (feature, threshold), counted on the two ensembles (NDC).
    intervals_ : Intervals or None
        Admissible interval of every internal node (None for the k-means baseline, which uses none).
    certificate_ : Certificate or None
        Independent count of changed paths (None for the k-means baseline, which promises nothing).
    effect_ : Effect or None
        Paths and predictions that changed on the given rows, and the relaxation that was used.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from compactml.condition_sharing import share_conditions
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = RandomForestClassifier(5, random_state=0).fit(X, y)
    >>> shared = share_conditions(forest, X)
    >>> shared.n_conditions_after_ < shared.n_conditions_before_
    True
    >>> bool((shared.ensemble_.predict(X) == forest.predict(X)).all())
    True
    >>> shared.score(X, y) == forest.score(X, y)
    True
    """

    ensemble_: Any
    n_conditions_before_: int
    n_conditions_after_: int
    intervals_: Intervals | None = None
    certificate_: Certificate | None = None
    effect_: Effect | None = None

    @property
    def size_ratio_(self) -> float:
        """Conditions after sharing divided by those before (SR); 1 for an ensemble without conditions."""
        return self.n_conditions_after_ / self.n_conditions_before_ if self.n_conditions_before_ else 1.0

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Accuracy of a classifier, R2 of a regressor: what ``ensemble_.score`` says.

        Parameters
        ----------
        X : array-like or DataFrame, shape (n_samples, n_features)
        y : array-like, shape (n_samples,) or (n_samples, n_outputs)
        sample_weight : array-like of float, shape (n_samples,), optional

        Raises
        ------
        InvalidDataError
            ``X`` is empty, sparse, not finite or has other columns; ``y`` or the weights have another length.
        """
        check_matrix(self.ensemble_, X)
        check_consistent_length(X, y, sample_weight)
        return float(self.ensemble_.score(X, y, sample_weight))


def share_conditions(
    ensemble: Any,
    X: Any,
    *,
    path_change_rate: float = 0.0,
    exceptions: float = 0.0,
    sample_indices: Sequence[Any] | None = None,
    dynamic_up_to: float = 0.0,
    validation: tuple[Any, Any] | None = None,
    tolerance: float = 0.0,
) -> SharedEnsemble:
    r"""Change thresholds so that the ensemble uses as few distinct branching conditions as possible.

    Parameters
    ----------
    ensemble : fitted scikit-learn ensemble
        RandomForest, ExtraTrees, AdaBoost (of trees) or GradientBoosting, classifier or regressor. Not changed.
    X : array-like or DataFrame, shape (n_samples, n_features)
        The vectors whose paths are to be kept, usually the training data.
    path_change_rate : float, default=0.0
        Share of the vectors at each node that may switch side, in [0, 1).
    exceptions : float, default=0.0
        Share in [0, 1) of the intervals of each feature that may be missed; their number is rounded down. Their
        nodes take the nearest threshold of another group.
    sample_indices : sequence of array-like of int, one per tree, optional
        Rows of ``X`` that count for each tree, such as ``forest.estimators_samples_``.
    dynamic_up_to : float, default=0.0
        Largest :math:`pc^2` of a feature with p intervals and c exceptions that the paper's dynamic program solves;
        the others are solved by our search. Both need as few conditions, but may choose others.
    validation : (array-like, array-like), optional
        Rows and targets that the ensemble was not trained on. Then ``path_change_rate`` and ``exceptions`` are the most
        that is tried: both are divided by the square root of two, twelve times at most and then set to 0, until the
        accuracy (of regressors R2) on these rows is not lower than before.
    tolerance : float, default=0.0
        How much lower it may be.

    Returns
    -------
    SharedEnsemble

    Warns
    -----
    PredictionsChangedWarning
        A relaxation changed predictions on ``X`` and there are no validation rows; or the score on validation rows
        falls although no relaxation is left.

    Raises
    ------
    UnsupportedEnsembleError, UnfittedEnsembleError
        The ensemble is of another kind, or has no trees yet.
    InvalidDataError
        ``X`` is empty, not finite or has other columns; ``sample_indices`` or ``validation`` does not fit.
    InvalidParameterError
        A share outside [0, 1); a negative tolerance; ``validation`` that is no pair.

    Notes
    -----
    With both relaxations at 0 the result has the fewest distinct conditions among all ensembles that send every
    given vector along its old paths (Problems 1 and 3 of Nakamura and Sakurada, 2022). ``path_change_rate`` is the
    sigma of their Problem 4, and ``exceptions`` the c of their Problem 5 as a share of p.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = RandomForestClassifier(random_state=0).fit(X, y)
    >>> shared = share_conditions(forest, X)
    >>> shared.n_conditions_after_ < shared.n_conditions_before_, shared.certificate_.n_paths_changed
    (True, 0)
    """
    check_ensemble(ensemble)
    check_fraction("path_change_rate", path_change_rate)
    check_fraction("exceptions", exceptions)
    check_most("dynamic_up_to", dynamic_up_to)
    matrix = check_matrix(ensemble, X)
    samples = check_sample_indices(sample_indices, len(fitted_trees(ensemble)), matrix.shape[0])
    paths = find_paths(ensemble, matrix, samples)
    guard = checked_validation(ensemble, validation, tolerance)

    def share(rate: float, missed: float) -> SharedEnsemble:
        intervals = intervals_of(ensemble, matrix, path_change_rate=rate, sample_indices=samples, paths=paths)
        thresholds = shared_thresholds(intervals, exceptions=missed, dynamic_up_to=dynamic_up_to)
        return with_certificate(
            ensemble,
            matrix,
            intervals,
            thresholds,
            path_change_rate=rate,
            exceptions=missed,
            sample_indices=samples,
            paths=paths,
        )

    limits = float(path_change_rate), float(exceptions)
    return within_validation(share, ensemble, matrix, limits, guard, samples=samples is not None)


def with_certificate(
    ensemble: Any,
    X: np.ndarray,
    intervals: Intervals,
    thresholds: np.ndarray,
    *,
    path_change_rate: float = 0.0,
    exceptions: float = 0.0,
    sample_indices: Sequence[np.ndarray] | None = None,
    paths: Paths | None = None,
) -> SharedEnsemble:
    """Return the ensemble with these thresholds at the nodes of ``intervals``, counted and certified.

    Parameters
    ----------
    ensemble, path_change_rate, exceptions, sample_indices
        As in `share_conditions`, and checked, as is ``X``.
    X : ndarray of float64, shape (n_samples, n_features)
    intervals : Intervals
    thresholds : ndarray of float64, shape (n_nodes,)
    paths : Paths, optional
        Those of the rows in ``ensemble``, if they are known.
    """
    changed = _replace(ensemble, intervals, thresholds)
    return SharedEnsemble(
        ensemble_=changed,
        n_conditions_before_=conditions_of(fitted_trees(ensemble)),
        n_conditions_after_=conditions_of(fitted_trees(changed)),
        intervals_=intervals,
        certificate_=certified(
            ensemble,
            changed,
            X,
            path_change_rate=path_change_rate,
            exceptions=exceptions,
            sample_indices=sample_indices,
            paths=paths,
        ),
    )


def _replace(ensemble: Any, intervals: Intervals, thresholds: np.ndarray) -> Any:
    """A copy of the ensemble with the new threshold at each node of ``intervals``."""
    ends = np.searchsorted(intervals.tree, np.arange(1, len(fitted_trees(ensemble))))
    return with_thresholds(ensemble, np.split(thresholds, ends), np.split(intervals.node, ends))
