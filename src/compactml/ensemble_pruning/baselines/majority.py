"""Majority voting on labelled points, for the methods that the paper compares with (section 5.2).

An ensemble of s classifiers calls a point positive if more than half of them do. A tie of an even number is called
negative: this is the rule of the integer program, "more than L votes", with L the half of s rounded down.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from compactml.ensemble_pruning.instance import check_labels, check_votes, pack
from compactml.errors import check_integer

__all__ = ["BaselineResult", "LabelledVotes", "majority_threshold"]


def majority_threshold(size: int) -> int:
    """L of a majority vote of ``size`` classifiers: positive iff more than L of them vote positive.

    Parameters
    ----------
    size : int

    Raises
    ------
    InvalidParameterError
        No integer of at least 0.
    """
    return check_integer("size", size, 0) // 2


@dataclass(frozen=True, eq=False)
class BaselineResult:
    """An ensemble that votes by majority.

    Attributes
    ----------
    selected : ndarray of int, shape (s,)
        In increasing order.
    threshold : int
        L of the majority vote.
    accuracy : float
        On the points it was chosen on.
    seconds : float
    complete : bool
        Whether the method came to its end; False if the time limit cut it short.

    Examples
    --------
    >>> from compactml.ensemble_pruning import full_ensemble
    >>> votes = [[1, 1, 0], [1, 0, 1], [0, 1, 1], [0, 1, 0], [0, 0, 1]]
    >>> y = [1, 1, 1, 0, 0]
    >>> found = full_ensemble(votes, y)
    >>> found.selected.tolist(), found.threshold, found.accuracy
    ([0, 1, 2], 1, 1.0)
    """

    selected: NDArray[np.intp]
    threshold: int
    accuracy: float
    seconds: float
    complete: bool = True


@dataclass(frozen=True, eq=False)
class LabelledVotes:
    """Distinct pairs of votes and label, with how often they occur.

    Attributes
    ----------
    right : ndarray of float, shape (m, K)
        1 where a classifier is right.
    positive : ndarray of bool, shape (m,)
        Label.
    count : ndarray of float, shape (m,)
    """

    right: NDArray[np.float64]
    positive: NDArray[np.bool_]
    count: NDArray[np.float64]

    @classmethod
    def of(cls, votes: ArrayLike, y: ArrayLike) -> LabelledVotes:
        """Bring equal points together.

        Parameters
        ----------
        votes : array-like of 0/1, shape (n, K)
        y : array-like of 0/1, shape (n,)

        Raises
        ------
        InvalidDataError
        """
        rows = check_votes(votes)
        labels = check_labels(y, len(rows))
        words = pack(np.column_stack([rows, labels]))  # far faster to sort than bits
        _, first, count = np.unique(words, axis=0, return_index=True, return_counts=True)
        right = rows[first] == labels[first, np.newaxis]
        return cls(right.astype(np.float64), labels[first], count.astype(np.float64))

    @property
    def n_points(self) -> int:
        return int(self.count.sum())

    @property
    def n_classifiers(self) -> int:
        return self.right.shape[1]

    def needed(self, size: int) -> NDArray[np.int64]:
        """Right votes that a point needs to be called rightly by ``size`` classifiers, shape (m,)."""
        return np.where(self.positive, majority_threshold(size) + 1, size - majority_threshold(size))

    def correct(self, selected: NDArray[np.intp]) -> int:
        """Number of points that an ensemble calls rightly."""
        votes = self.right[:, selected].sum(axis=1)
        return int(self.count @ (votes >= self.needed(len(selected))))

    def score_each(self, if_right: NDArray[np.float64], if_wrong: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum over the points of a score that depends on whether a classifier is right, for each, shape (K,)."""
        difference = self.count * (if_right - if_wrong)
        rows = np.flatnonzero(difference)
        total: NDArray[np.float64] = difference[rows] @ self.right[rows] + self.count @ if_wrong
        return total

    def correct_with_each(self, votes: NDArray[np.float64], size: int) -> NDArray[np.float64]:
        """Points called rightly when one classifier joins ``size`` others, for each, shape (K,).

        ``votes`` (shape (m,)) are the right votes of the others.
        """
        needed = self.needed(size + 1)
        return self.score_each((votes + 1 >= needed).astype(np.float64), (votes >= needed).astype(np.float64))

    def result(self, selected: NDArray[np.intp], seconds: float, complete: bool = True) -> BaselineResult:
        """An ensemble as a result."""
        ordered = np.sort(selected)
        accuracy = self.correct(ordered) / self.n_points
        return BaselineResult(ordered, majority_threshold(len(ordered)), accuracy, seconds, complete)
