"""Pairwise failure crediting (PFC): the measure of diversity of section 4 of Bastos, Brandão and Valle (2024)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from compactml.ensemble_pruning.instance import check_labels, check_selected, check_votes, zero_or_one
from compactml.errors import InvalidDataError, check_finite

__all__ = ["Diversity", "failure_credit", "failure_patterns", "pairwise_failure_crediting"]

TOLERANCE = 1e-9
"""How far a sum of failure credits may miss its limit by rounding."""


def failure_patterns(votes: ArrayLike, y: ArrayLike) -> NDArray[np.bool_]:
    """FP_k: whether each classifier is right on each point.

    Parameters
    ----------
    votes : array-like of 0/1, shape (n, K)
    y : array-like of 0/1, shape (n,)

    Returns
    -------
    ndarray of bool, shape (n, K)
    """
    rows = check_votes(votes)
    return rows == check_labels(y, len(rows))[:, np.newaxis]


def failure_credit(patterns: ArrayLike) -> NDArray[np.float64]:
    """FC of every pair: Hamming distance of two failure patterns over their number of failures.

    Parameters
    ----------
    patterns : array-like of 0/1, shape (n, K)
        Of `failure_patterns`.

    Returns
    -------
    ndarray of float, shape (K, K)
        Symmetric, in [0, 1], with a zero diagonal. Two classifiers that never fail have equal patterns: 0 for 0/0.

    Raises
    ------
    InvalidDataError
    """
    patterns = zero_or_one("patterns", patterns, 2)
    right = patterns.astype(np.float64)
    both = right.T @ right  # exact: counts
    n_right = right.sum(axis=0)
    distance = n_right[:, np.newaxis] + n_right - 2 * both
    failures = 2 * len(patterns) - n_right[:, np.newaxis] - n_right
    credit = np.divide(distance, failures, out=np.zeros_like(distance), where=failures > 0)
    np.fill_diagonal(credit, 0.0)
    return credit


def pairwise_failure_crediting(credit: ArrayLike, selected: ArrayLike) -> NDArray[np.float64]:
    """PFC of each selected classifier: its mean failure credit with the others.

    Parameters
    ----------
    credit : array-like of float, shape (K, K)
    selected : array-like of int, shape (s,)
        Each once.

    Returns
    -------
    ndarray of float, shape (s,)
        NaN for a single classifier, which has no pair.

    Raises
    ------
    InvalidDataError
        No square matrix of finite numbers, or what are no classifiers of it.
    """
    matrix = _checked_credit(credit)
    return _pfc(matrix, check_selected("selected", selected, len(matrix)))


def _checked_credit(credit: ArrayLike) -> NDArray[np.float64]:
    allowed = "a square matrix of finite numbers"
    try:
        matrix = np.asarray(credit, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidDataError("credit", allowed, str(error)) from error
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InvalidDataError("credit", allowed, f"shape {matrix.shape}")
    if not np.isfinite(matrix).all():
        raise InvalidDataError("credit", allowed, "NaN" if np.isnan(matrix).any() else "infinity")
    return matrix


def _pfc(credit: NDArray[np.float64], selected: NDArray[np.intp]) -> NDArray[np.float64]:
    if len(selected) < 2:
        return np.full(len(selected), np.nan)
    within = credit[np.ix_(selected, selected)]
    pfc: NDArray[np.float64] = within.sum(axis=1) / (len(selected) - 1)
    return pfc


@dataclass(frozen=True, eq=False)
class Diversity:
    """The limits (18) and (20). A single classifier and the empty set meet both.

    Attributes
    ----------
    credit : ndarray of float, shape (K, K)
    min_pfc : float
        tau: least PFC of each selected classifier.
    mean_pfc : float
        gamma: least average of them.

    Raises
    ------
    InvalidDataError
        No square matrix of finite numbers.
    InvalidParameterError
        A limit that is no finite number.

    Examples
    --------
    >>> import numpy as np
    >>> from compactml.ensemble_pruning import Diversity, failure_credit
    >>> credit = failure_credit(np.array([[True, False], [False, True]]))
    >>> Diversity(credit, min_pfc=0.5).met(np.array([0, 1]))
    True
    """

    credit: NDArray[np.float64]
    min_pfc: float = 0.0
    mean_pfc: float = 0.0

    def __post_init__(self) -> None:
        vars(self)["credit"] = _checked_credit(self.credit)  # the way to fill a frozen dataclass
        check_finite("min_pfc", self.min_pfc)
        check_finite("mean_pfc", self.mean_pfc)

    @property
    def binding(self) -> bool:
        """Whether the limits rule anything out."""
        return self.min_pfc > 0 or self.mean_pfc > 0

    def met(self, selected: NDArray[np.intp]) -> bool:
        """Whether a set meets both limits."""
        if len(selected) < 2:
            return True
        pfc = _pfc(self.credit, selected)
        return bool(pfc.min() >= self.min_pfc - TOLERANCE and pfc.mean() >= self.mean_pfc - TOLERANCE)
