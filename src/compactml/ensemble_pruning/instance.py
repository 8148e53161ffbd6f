"""The votes on a validation set, equal rows brought together.

Points with the same votes are called alike by every pruned ensemble, so only what calling them positive gains in
sum matters: a vector of votes that occurs n1 times in the positive and n0 times in the negative class gains
g = n1 (W_T+ - W_F-) + n0 (W_F+ - W_T-), whatever the four weights are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from compactml.checks import array_of
from compactml.ensemble_pruning.weights import Weights, objective_weights
from compactml.errors import InvalidDataError

__all__ = [
    "PruningInstance",
    "called_positive",
    "check_labels",
    "check_selected",
    "check_votes",
    "pack",
    "zero_or_one",
]

ROUNDING = 1e-6
"""Of a cost of errors, in units of the objective."""
LARGEST_EXACT = 2**53
"""Integers below it are exact as floats."""


def check_votes(votes: ArrayLike) -> NDArray[np.bool_]:
    """Return votes as a matrix of bool.

    Parameters
    ----------
    votes : array-like of 0/1, shape (n, K)
        K >= 2.

    Raises
    ------
    InvalidDataError
    """
    array = _array("votes", votes)
    if array.ndim != 2 or array.shape[0] == 0 or array.shape[1] < 2:
        raise InvalidDataError("votes", "of shape (n >= 1, K >= 2)", f"shape {array.shape}")
    return _zero_or_one("votes", array)


def check_labels(y: ArrayLike, n: int) -> NDArray[np.bool_]:
    """Return the labels of n points as bool: 1 is the positive class.

    Raises
    ------
    InvalidDataError
    """
    array = _array("y", y)
    if array.shape != (n,):
        raise InvalidDataError("y", f"of shape ({n},)", f"shape {array.shape}")
    return _zero_or_one("y", array)


def check_selected(name: str, selected: Any, n_classifiers: int) -> NDArray[np.intp]:
    """Return positions of classifiers, each once, in their order, or raise `InvalidDataError`."""
    allowed = f"numbers of classifiers in [0, {n_classifiers}), each once"
    array = _array(name, selected)
    if array.ndim == 1 and array.size == 0:
        return np.zeros(0, dtype=np.intp)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise InvalidDataError(name, allowed, f"{array.dtype} of shape {array.shape}")
    if array.min() < 0 or array.max() >= n_classifiers or len(np.unique(array)) < len(array):
        raise InvalidDataError(name, allowed, f"{array.tolist()[:20]}")
    return array.astype(np.intp)


def zero_or_one(name: str, values: Any, n_dimensions: int) -> NDArray[np.bool_]:
    """Return an array of 0 and 1 that is not empty as bool, or raise `InvalidDataError`."""
    array = _array(name, values)
    if array.ndim != n_dimensions or array.size == 0:
        raise InvalidDataError(name, f"0 or 1 in {n_dimensions} dimensions", f"shape {array.shape}")
    return _zero_or_one(name, array)


_array = partial(array_of, "an array of 0 and 1")


def _zero_or_one(name: str, array: NDArray[Any]) -> NDArray[np.bool_]:
    if array.dtype == bool:
        return array
    try:
        numbers = array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InvalidDataError(name, "0 or 1", f"dtype {array.dtype}") from None
    wrong = ~((numbers == 0) | (numbers == 1))  # NaN too
    if wrong.any():
        raise InvalidDataError(name, "0 or 1", str(numbers[wrong][0]))
    return numbers == 1


def called_positive(
    votes: NDArray[np.bool_], selected: NDArray[np.intp], threshold: int
) -> NDArray[np.bool_]:
    """Points that more than ``threshold`` of the selected classifiers vote positive for."""
    called: NDArray[np.bool_] = votes[:, selected].sum(axis=1) > threshold
    return called


def pack(rows: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Rows of bits in words of 64, shape (m, ceil(K / 64))."""
    padded = np.zeros((len(rows), -(-rows.shape[1] // 64) * 64), dtype=bool)
    padded[:, : rows.shape[1]] = rows
    return np.packbits(padded, axis=1, bitorder="little").view(np.uint64)


@dataclass(frozen=True, eq=False)
class PruningInstance:
    """Distinct vectors of votes and what calling each positive gains.

    A vector without any positive vote is called negative by every ensemble and one whose gains cancel does not
    matter; both are left out of ``patterns``, in the offset they count.

    Attributes
    ----------
    votes : ndarray of bool, shape (n, K)
        1 where a classifier votes positive: B for the positive points, A for the negative ones.
    y : ndarray of bool, shape (n,)
    weights : Weights
    patterns : ndarray of bool, shape (m, K)
        In lexicographic order.
    gains : ndarray of float, shape (m,)
        In ``unit``, not zero; > 0 for a vector that is better called positive.
    offset : float
        Value of calling every point negative, in ``unit``.
    unit : float
        Value (1) = unit * (offset + sum of the gains of the vectors called positive).
    integral : bool
        Whether gains are integers, so that bounds in ``unit`` (less the offset) may be rounded.

    Examples
    --------
    >>> from compactml.ensemble_pruning import PruningInstance
    >>> votes = [[1, 1, 0], [1, 0, 1], [0, 1, 1], [0, 1, 0], [0, 0, 1]]
    >>> y = [1, 1, 1, 0, 0]
    >>> instance = PruningInstance.from_votes(votes, y)
    >>> instance.n_classifiers, len(instance.patterns)
    (3, 5)
    """

    votes: NDArray[np.bool_]
    y: NDArray[np.bool_]
    weights: Weights
    patterns: NDArray[np.bool_]
    gains: NDArray[np.float64]
    offset: float
    unit: float
    integral: bool

    @classmethod
    def from_votes(cls, votes: ArrayLike, y: ArrayLike, objective: Any = "accuracy") -> PruningInstance:
        """Bring equal rows together.

        Parameters
        ----------
        votes : array-like of 0/1, shape (n, K)
        y : array-like of 0/1, shape (n,)
        objective : str, four numbers, or Weights
            As in `objective_weights`.

        Raises
        ------
        InvalidDataError, InvalidParameterError
        """
        rows = check_votes(votes)
        labels = check_labels(y, len(rows))
        weights = objective_weights(objective, labels)
        unit, (positive, negative) = _in_units(weights, len(labels))
        first, which = _distinct(rows)
        patterns = rows[first]
        n1 = np.bincount(which, weights=labels, minlength=len(patterns))
        n0 = np.bincount(which, weights=~labels, minlength=len(patterns))
        gains = n1 * float(positive) + n0 * float(negative)
        n_positive = int(labels.sum())
        offset = n_positive * weights.false_negative + (len(labels) - n_positive) * weights.true_negative
        kept = (gains != 0) & patterns.any(axis=1)
        return cls(
            rows,
            labels,
            weights,
            patterns[kept],
            gains[kept],
            float(offset / unit),
            float(unit),
            positive.denominator == negative.denominator == 1,
        )

    @property
    def n_classifiers(self) -> int:
        return self.votes.shape[1]

    @cached_property
    def packed(self) -> NDArray[np.uint64]:
        """Patterns in words of 64 bits, shape (m, ceil(K / 64))."""
        return pack(self.patterns)

    @property
    def ideal(self) -> float:
        """Value in ``unit`` if every pattern were called as is best for it."""
        return self.offset + float(self.gains[self.gains > 0].sum())

    @property
    def most(self) -> float:
        """The objective (1) if every point were called as is best for it, whatever the votes."""
        weights, n_positive = self.weights, int(self.y.sum())
        best_positive = max(weights.true_positive, weights.false_negative)
        best_negative = max(weights.true_negative, weights.false_positive)
        return float(n_positive * best_positive + (len(self.y) - n_positive) * best_negative)

    def value(self, selected: NDArray[np.intp], threshold: int) -> float:
        """The objective (1) of an ensemble, counted from all points."""
        return self.weights.value(self.y, called_positive(self.votes, selected, threshold))

    def bound(self, errors: float) -> float:
        """Bound on the objective (1) from a proved lower bound on the cost of errors.

        Parameters
        ----------
        errors : float
            In ``unit``: no ensemble of the kind at hand has a smaller sum of ``abs(gains)`` over the patterns that are
            not called as is best for them. Rounded up where gains are integers.
        """
        return self.unit * (self.ideal - max(self.whole(errors), 0.0))

    def whole(self, errors: float) -> float:
        """Return a lower bound on the cost of errors, rounded up where gains are integers."""
        return math.ceil(errors - ROUNDING) if self.integral and math.isfinite(errors) else errors


def _distinct(rows: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """A row of each distinct vector, in lexicographic order, and which of them each row is.

    Sorting words of 64 bits is 50 times faster than sorting rows of bool.
    """
    words = pack(
        rows[:, ::-1]
    )  # the first column is the highest bit of the last word, the main key of lexsort
    order = np.lexsort(words.T)
    new = np.ones(len(rows), dtype=bool)
    new[1:] = (words[order[1:]] != words[order[:-1]]).any(axis=1)
    which = np.empty(len(rows), dtype=np.intp)
    which[order] = np.cumsum(new) - 1
    return order[new], which


def _in_units(weights: Weights, n: int) -> tuple[Fraction, tuple[Fraction, Fraction]]:
    """The unit in which both gains are coprime integers, 1 where n of them are too large to be exact."""
    positive, negative = weights.gain_positive, weights.gain_negative
    denominator = math.lcm(positive.denominator, negative.denominator)
    divisor = math.gcd(int(positive * denominator), int(negative * denominator)) or 1
    unit = Fraction(divisor, denominator)
    if n * max(abs(positive / unit), abs(negative / unit)) < LARGEST_EXACT:
        return unit, (positive / unit, negative / unit)
    return Fraction(1), (positive, negative)
