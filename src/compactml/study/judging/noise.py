"""The one rule for what chance may have decided: orders of means, and values beside printed ones.

An order (A is larger than B) is judged on paired differences over blocks: datasets, or the folds or repetitions of one
dataset. A mean difference within two standard errors decides nothing, whichever way round it lies. A value agrees with
a printed one within two standard errors of their difference if that error is small; with a larger one it decides
nothing; further apart it differs. What no chance decides is compared digit by digit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from compactml.errors import InvalidDataError

__all__ = [
    "CHANCE",
    "LARGEST_POINTS",
    "LARGEST_SHARE",
    "STANDARD_ERRORS",
    "Lead",
    "Outcome",
    "block_means",
    "every",
    "lead_of",
    "outcome_of_order",
    "small_error",
    "within_two_errors",
]  # fmt: skip

STANDARD_ERRORS = 2.0
"""How many standard errors of a difference chance may explain."""
LARGEST_POINTS = 1.0
"""Largest standard error, in points of accuracy, with which an accuracy can agree."""
LARGEST_SHARE = 0.1
"""Largest standard error, as a share of the printed value, with which any other value can agree."""
CHANCE = "the difference lies within two standard errors"
ROUNDING = 1e-9
"""Means that differ by less are equal."""


class Outcome(StrEnum):
    """What a test of one cell, or of one statement, says."""

    AGREES = "agrees"
    DIFFERS = "differs"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True)
class Lead:
    """A mean of paired differences over blocks.

    Attributes
    ----------
    mean : float
    error : float
        Standard error of the mean; infinite for a single block.
    blocks : int
    """

    mean: float
    error: float
    blocks: int

    @property
    def outcome(self) -> Outcome:
        """Whether the mean is positive: *inconclusive* within two standard errors."""
        return outcome_of_order(self.mean, self.error)

    def above(self, least: float) -> Outcome:
        """Whether the mean is at least a number, *inconclusive* within two standard errors of it."""
        if self.mean == least and self.error == 0:
            return Outcome.AGREES
        return outcome_of_order(self.mean - least, self.error)

    def shown(self, digits: int) -> str:
        """Mean and standard error, as a text; a single block has no error."""
        error = f"{self.error:.{digits}f}" if np.isfinite(self.error) else "no error"
        return f"{self.mean:+.{digits}f} ({error})"


def outcome_of_order(mean: float, error: float) -> Outcome:
    """Return what a mean difference says of an order that makes it positive.

    Parameters
    ----------
    mean : float
        Of the paired differences.
    error : float
        Its standard error, infinite where it is not known.
    """
    if abs(mean) <= STANDARD_ERRORS * error + ROUNDING:
        return Outcome.INCONCLUSIVE
    return Outcome.AGREES if mean > 0 else Outcome.DIFFERS


def block_means(values: pd.Series, blocks: str | list[str]) -> pd.Series:
    """Return the mean in each block, named by levels of the index."""
    means: pd.Series = values.groupby(level=blocks).mean()
    return means


def lead_of(differences: ArrayLike) -> Lead:
    """Return the mean of paired differences and its standard error, the differences being the blocks.

    Parameters
    ----------
    differences : array-like of shape (n_blocks,)
        Finite. What is no block yet is averaged by `block_means`.

    Raises
    ------
    InvalidDataError
        There is no block, or a difference is not finite.
    """
    values = np.asarray(differences, dtype=float)
    if values.ndim != 1 or values.size == 0 or not np.isfinite(values).all():
        raise InvalidDataError("differences", "finite differences of one block or more", repr(values))
    error = float(values.std(ddof=1) / np.sqrt(values.size)) if values.size > 1 else np.inf
    return Lead(float(values.mean()), error, values.size)


def every(outcomes: Iterable[Outcome]) -> Outcome:
    """Return what several tests say of a statement that needs all of them.

    It differs if one of them does; else it is *inconclusive* if one is.

    Raises
    ------
    InvalidDataError
        There is none.
    """
    seen = set(outcomes)
    if not seen:
        raise InvalidDataError("outcomes", "one or more", "none")
    for outcome in (Outcome.DIFFERS, Outcome.INCONCLUSIVE):
        if outcome in seen:
            return outcome
    return Outcome.AGREES


def small_error(error: ArrayLike, printed: ArrayLike, point: float | None = None) -> NDArray[np.bool_]:
    """Return which standard errors are small enough for a value to agree with a printed one.

    Parameters
    ----------
    error : array-like
        Of the difference.
    printed : array-like of the same shape
    point : float, optional
        One point of accuracy in the unit of the values: 1 for percent, .01 for shares. Then the error may be
        `LARGEST_POINTS` points; of values that are no accuracies it may be `LARGEST_SHARE` of the printed value.
    """
    values = np.abs(np.asarray(printed, dtype=float))
    largest = LARGEST_SHARE * values if point is None else LARGEST_POINTS * point
    return np.asarray(np.asarray(error, dtype=float) <= largest * (1 + ROUNDING))


def within_two_errors(difference: ArrayLike, error: ArrayLike) -> NDArray[np.bool_]:
    """Return which differences lie within two standard errors."""
    allowed = STANDARD_ERRORS * np.asarray(error, dtype=float)
    return np.asarray(np.abs(np.asarray(difference, dtype=float)) <= allowed + ROUNDING)
