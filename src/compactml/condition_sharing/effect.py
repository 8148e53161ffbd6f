"""What relaxed sharing does to predictions, and validation rows that say how far it may go."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import is_classifier

from compactml.checks import array_of, assert_all_finite, check_consistent_length, column_named, refused_by
from compactml.errors import InvalidDataError, InvalidParameterError, check_finite
from compactml.forests import check_matrix
from compactml.watch import is_recorded

__all__ = ["Effect", "PredictionsChangedWarning", "Validation", "checked_validation", "within_validation"]

STEPS = 12
"""Relaxations that are tried before none at all, each the one before divided by the square root of two."""


class PredictionsChangedWarning(UserWarning):
    """Sharing was relaxed, and the shared ensemble predicts otherwise than the given one."""


@dataclass(frozen=True)
class Effect:
    """What sharing changed on the given rows, counted with the two ensembles themselves.

    Attributes
    ----------
    path_change_rate, exceptions : float
        The relaxations that were used; with validation rows they may be less than asked for.
    n_paths, n_paths_changed : int
        (row, tree) pairs that count, and those that end in another leaf than before.
    n_predictions, n_predictions_changed : int
        Given rows, and those for which ``predict`` says something else than before.
    largest_change : float or None
        Largest absolute difference of a prediction on these rows; None for classifiers.
    score_before, score_after : float or None
        Accuracy (of regressors R2) on the validation rows; None without any.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from compactml.condition_sharing import share_conditions
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> forest = RandomForestClassifier(20, random_state=0).fit(X[:400], y[:400])
    >>> kept = share_conditions(forest, X[:400], path_change_rate=0.2, validation=(X[400:], y[400:])).effect_
    >>> kept.score_after >= kept.score_before, kept.path_change_rate <= 0.2
    (True, True)
    """

    path_change_rate: float
    exceptions: float
    n_paths: int
    n_paths_changed: int
    n_predictions: int
    n_predictions_changed: int
    largest_change: float | None = None
    score_before: float | None = None
    score_after: float | None = None


@dataclass(frozen=True, eq=False)
class Validation:
    """Rows and targets that say whether a relaxation goes too far.

    Attributes
    ----------
    X : ndarray of float64, shape (n, n_features)
    y : ndarray, shape (n,) or (n, n_outputs)
    tolerance : float
        How much lower the score on them may be than before.
    """

    X: np.ndarray
    y: np.ndarray
    tolerance: float

    def score(self, ensemble: Any) -> float:
        """Return the accuracy of a classifier, R2 of a regressor."""
        with refused_by("validation"), _unnamed():
            return float(ensemble.score(self.X, self.y))


def checked_validation(ensemble: Any, validation: Any, tolerance: Any) -> Validation | None:
    """Return the validation rows as arrays, None for none.

    Raises
    ------
    InvalidParameterError
        No pair of rows and targets, or a negative tolerance.
    InvalidDataError
        Rows that do not fit the ensemble, targets of another number, or, of a regressor, that are not finite.
    """
    tolerance = check_finite("tolerance", tolerance, 0.0)
    if validation is None:
        return None
    if not isinstance(validation, (tuple, list)) or len(validation) != 2:
        raise InvalidParameterError("validation", "a pair (X, y) of rows and targets, or None", validation)
    try:
        X = check_matrix(ensemble, validation[0])
    except InvalidDataError as error:
        raise InvalidDataError("validation[0]", error.allowed, error.got) from None
    y = array_of("one target for each row", "validation[1]", validation[1])
    classifier = is_classifier(ensemble)
    outputs = getattr(ensemble, "n_outputs_", 1)
    if classifier and outputs != 1:
        raise InvalidParameterError("validation", "None for a classifier of several outputs", "rows")
    if outputs == 1:
        y = column_named("validation[1]", y)
    elif y.ndim != 2 or y.shape[1] != outputs:
        raise InvalidDataError("validation[1]", f"of shape (n, {outputs})", f"shape {y.shape}")
    check_consistent_length(X, y)
    if not classifier:
        assert_all_finite(y, input_name="validation[1]")
        if len(y) < 2:
            raise InvalidDataError("validation", "at least two rows, for R2", "one row")
    return Validation(X, y, tolerance)


def within_validation(
    share: Callable[[float, float], Any],
    ensemble: Any,
    X: np.ndarray,
    relaxation: tuple[float, float],
    validation: Validation | None,
    *,
    samples: bool,
) -> Any:
    """Share with the largest relaxation that the validation rows allow, and say what it changed.

    Parameters
    ----------
    share : callable (path_change_rate, exceptions) -> SharedEnsemble
    ensemble : fitted ensemble
    X : ndarray of float64, shape (n_samples, n_features)
    relaxation : (float, float)
        The largest path change rate and share of exceptions.
    validation : Validation or None
    samples : bool
        Whether each tree has rows of its own, so that paths of the other rows may change without a relaxation.

    Returns
    -------
    SharedEnsemble
        With its ``effect_``.
    """
    relaxed = any(relaxation)
    if validation is None:
        shared = share(*relaxation)
        effect = _effect(ensemble, shared, X, relaxation, samples)
        if relaxed and effect.n_predictions_changed:
            _warn(
                f"share_conditions: predictions of {effect.n_predictions_changed} of {effect.n_predictions} rows "
                f"changed under path_change_rate={relaxation[0]:g}, exceptions={relaxation[1]:g}; "
                "validation=(X, y) stops where they become worse on these rows."
            )
        return replace(shared, effect_=effect)
    before, used = validation.score(ensemble), relaxation
    for step in range(STEPS + 1 if relaxed else 1):
        shrink = 2 ** (-step / 2) if step < STEPS else 0.0
        used = (relaxation[0] * shrink, relaxation[1] * shrink)
        shared = share(*used)
        after = validation.score(shared.ensemble_)
        if after >= before - validation.tolerance:
            break
    else:
        _warn(
            f"share_conditions: the score on the validation rows falls from {before:.4g} to {after:.4g} although "
            "no relaxation is used; the given rows keep their paths."
        )
    effect = _effect(ensemble, shared, X, used, samples)
    return replace(shared, effect_=replace(effect, score_before=before, score_after=after))


def _effect(
    ensemble: Any, shared: Any, X: np.ndarray, relaxation: tuple[float, float], samples: bool
) -> Effect:
    certificate, regressor = shared.certificate_, not is_classifier(ensemble)
    changed, largest = 0, 0.0
    if certificate.n_paths_changed or samples:  # else all rows reach the leaves that they reached
        with _unnamed():
            before, after = ensemble.predict(X), shared.ensemble_.predict(X)
        other = (before != after).reshape(len(X), -1).any(axis=1)
        changed = int(other.sum())
        largest = float(np.abs(before - after).max()) if regressor else 0.0
    return Effect(
        *relaxation,
        n_paths=certificate.n_paths,
        n_paths_changed=certificate.n_paths_changed,
        n_predictions=len(X),
        n_predictions_changed=changed,
        largest_change=largest if regressor else None,
    )


@contextmanager
def _unnamed() -> Iterator[None]:
    """Ask an ensemble about a matrix, whose columns are checked, without scikit-learn's word on missing names."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "X does not have valid feature names")
        yield


def _warn(message: str) -> None:
    if not is_recorded():
        warnings.warn(message, PredictionsChangedWarning, stacklevel=4)
