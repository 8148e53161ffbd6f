"""Weights of the four cells of the confusion matrix in the objective (1)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from compactml.errors import InvalidDataError, InvalidParameterError

__all__ = ["OBJECTIVES", "Weights", "objective_weights"]

OBJECTIVES = ("accuracy", "balanced_accuracy", "recall")
SMALL_DENOMINATOR = 1_000_000


@dataclass(frozen=True)
class Weights:
    """What a point is worth in each cell of the confusion matrix, exactly.

    Attributes
    ----------
    true_positive, false_negative, true_negative, false_positive : Fraction
        W_T+, W_F-, W_T-, W_F+ of (1), in the paper's order.

    Examples
    --------
    >>> import numpy as np
    >>> from compactml.ensemble_pruning import objective_weights
    >>> weights = objective_weights("accuracy", np.array([True, True, False, False]))
    >>> weights.true_positive, weights.false_positive
    (Fraction(1, 1), Fraction(0, 1))
    """

    true_positive: Fraction
    false_negative: Fraction
    true_negative: Fraction
    false_positive: Fraction

    def __post_init__(self) -> None:
        for name, weight in vars(self).items():
            if not isinstance(weight, Rational):
                raise InvalidParameterError(name, "a fraction or an integer", weight)

    @property
    def largest(self) -> float:
        """Largest absolute value of the four."""
        cells = (self.true_positive, self.false_negative, self.true_negative, self.false_positive)
        return float(max(map(abs, cells)))

    @property
    def gain_positive(self) -> Fraction:
        """What calling a positive point positive is worth more than calling it negative."""
        return self.true_positive - self.false_negative

    @property
    def gain_negative(self) -> Fraction:
        """What calling a negative point positive is worth more than calling it negative."""
        return self.false_positive - self.true_negative

    def value(self, y: NDArray[np.bool_], called: NDArray[np.bool_]) -> float:
        """Return the objective (1) of calling the points ``called`` positive, counted in integers.

        Parameters
        ----------
        y, called : ndarray of bool, shape (n,)
        """
        cells = (y & called, y & ~called, ~y & ~called, ~y & called)
        worth = (self.true_positive, self.false_negative, self.true_negative, self.false_positive)
        return float(sum(int(cell.sum()) * weight for cell, weight in zip(cells, worth, strict=True)))


def objective_weights(objective: Any, y: ArrayLike) -> Weights:
    """Return the weights of an objective.

    Parameters
    ----------
    objective : {"accuracy", "balanced_accuracy", "recall"}, four numbers, or Weights
        "balanced_accuracy" is the theta-weighted objective of Theorem 1: 1 - theta for a true positive, theta for a
        true negative, theta being the share of positives in ``y``. Four numbers are (W_T+, W_F-, W_T-, W_F+).
    y : array-like of 0/1, shape (n,)

    Raises
    ------
    InvalidParameterError, InvalidDataError
    """
    if isinstance(objective, Weights):
        return objective
    if isinstance(objective, str) and objective in OBJECTIVES:
        theta = _share_of_positives(y)
        zero, unit = Fraction(0), Fraction(1)
        return {
            "accuracy": Weights(unit, zero, unit, zero),
            "balanced_accuracy": Weights(1 - theta, zero, theta, zero),
            "recall": Weights(unit, zero, zero, zero),
        }[objective]
    listed = isinstance(objective, Sequence) and not isinstance(objective, str | bytes)
    listed = listed or (isinstance(objective, np.ndarray) and objective.ndim == 1)
    numbers = tuple(objective) if listed else ()
    if len(numbers) != 4 or not all(_is_finite(number) for number in numbers):
        names = ", ".join(map(repr, OBJECTIVES))
        raise InvalidParameterError("objective", f"{names}, or four finite numbers", objective)
    return Weights(*map(_exact, numbers))


def _share_of_positives(y: ArrayLike) -> Fraction:
    allowed = "0 or 1 for each of at least one point"
    try:
        labels = np.asarray(y)
        right = labels.ndim == 1 and labels.size and bool(((labels == 0) | (labels == 1)).all())
    except (TypeError, ValueError) as error:
        raise InvalidDataError("y", allowed, str(error)) from error
    if not right:
        raise InvalidDataError("y", allowed, f"{labels.dtype} of shape {labels.shape}")
    return Fraction(int((labels == 1).sum()), len(labels))


def _is_finite(number: Any) -> bool:
    return isinstance(number, (int, float, Rational, np.floating)) and math.isfinite(number)


def _exact(number: Any) -> Fraction:
    """The fraction with a small denominator that the float stands for (1/3, 0.1), else its binary value."""
    if isinstance(number, Rational):
        return Fraction(number)
    number = float(number)
    short = Fraction(number).limit_denominator(SMALL_DENOMINATOR)
    return short if float(short) == number else Fraction(number)
