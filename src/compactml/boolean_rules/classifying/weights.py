"""Weights of rows as whole multiples of a unit, so that all proofs stay in whole numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compactml.checks import check_sample_weight
from compactml.errors import InvalidDataError, InvalidParameterError, check_finite

__all__ = ["WholeWeights", "check_costs", "class_factors", "row_weights", "whole_weights"]

FINEST = 128
"""Units that the mean weight has at most: coarse ones make proofs short."""

CLOSE = 0.002
"""Part of the whole weight that rounding may lose where a unit allows it."""

EXACT_TO = 1 << 24
"""Units in all up to which whole numbers are taken as they are."""

SAME = 1e-9


@dataclass(frozen=True)
class WholeWeights:
    """Weights rounded down to multiples of a unit.

    Attributes
    ----------
    counts : ndarray of int64, shape (n,)
    unit : float
        ``unit * counts <= weights``, so ``unit`` times a bound for the counts is one for the weights.
    exact : bool
        Whether they are equal.
    """

    counts: NDArray[np.int64]
    unit: float
    exact: bool


def whole_weights(weights: NDArray[np.float64]) -> WholeWeights:
    """Return weights as multiples of a unit: exactly, or with units of at least 1/128 of the mean weight.

    Whole numbers are multiples of their greatest common divisor. Others of the largest whole part of the least weight,
    or of the mean, whose multiples lose .2 % of the weights at most, or lose least.

    Parameters
    ----------
    weights : ndarray of float, shape (n,)
        Not negative, not all zero.
    """
    some = weights[weights > 0]
    if (weights == np.floor(weights)).all() and weights.sum() < 2**53:
        divisor = int(np.gcd.reduce(some.astype(np.int64)))
        if weights.sum() / divisor <= EXACT_TO:
            return WholeWeights(weights.astype(np.int64) // divisor, float(divisor), exact=True)
    mean, smallest = float(some.mean()), float(some.min())
    units = {whole / k for whole in (smallest, mean) for k in range(1, FINEST + 1)}
    best = None
    for unit in sorted((one for one in units if one >= mean / FINEST), reverse=True):
        counts = _multiples(weights, unit)
        lost = 1 - unit * counts.sum() / weights.sum()
        if best is None or lost < best[0]:
            best = lost, unit, counts
        if lost <= CLOSE:
            break
    assert best is not None  # the mean is one of them
    _, unit, counts = best
    used = counts > 0
    exact = bool(np.allclose(unit * counts, weights, rtol=SAME, atol=0.0))
    return WholeWeights(counts, unit if exact else float((weights[used] / counts[used]).min()), exact)


def _multiples(weights: NDArray[np.float64], unit: float) -> NDArray[np.int64]:
    return np.floor(weights / unit * (1 + SAME)).astype(np.int64)


def row_weights(sample_weight: Any, n: int) -> NDArray[np.float64] | None:
    """Return the weights of n rows as floats, None for None.

    Raises
    ------
    InvalidDataError
        Another number of them, negative or infinite ones, or nothing but zeros.
    """
    if sample_weight is None:
        return None
    weights: NDArray[np.float64] = check_sample_weight(sample_weight, np.empty((n, 1)), dtype=np.float64)
    if weights.min() < 0:
        raise InvalidDataError("sample_weight", "not negative", f"{weights.min():g}")
    with np.errstate(over="ignore"):
        finite = np.isfinite(weights.sum())
    if not finite:
        raise InvalidDataError("sample_weight", "finite in all", f"weights of up to {weights.max():g}")
    if not weights.any():
        raise InvalidDataError("sample_weight", "above 0 for at least one row", "nothing but zeros")
    return weights


def class_factors(
    class_weight: Any, classes: NDArray[Any], which: NDArray[np.intp], weights: NDArray[np.float64] | None
) -> NDArray[np.float64] | None:
    """Return the factor of each class, shape (n_classes,), None where there is none.

    Parameters
    ----------
    class_weight : dict, "balanced" or None
        A class that the dict does not name has 1. "balanced" gives every class the same weight in all.
    classes : ndarray, shape (n_classes,)
    which : ndarray of int, shape (n,)
        Class of each row.
    weights : ndarray of float, shape (n,), optional

    Raises
    ------
    InvalidParameterError
        Neither, a class that is not there, or a factor that is no positive number.
    """
    if class_weight is None:
        return None
    if isinstance(class_weight, str) and class_weight == "balanced":
        total = np.bincount(which, weights=weights, minlength=len(classes))
        return np.where(total > 0, total.sum() / (len(classes) * np.where(total > 0, total, 1)), 1.0)
    if not isinstance(class_weight, Mapping):
        raise InvalidParameterError("class_weight", "'balanced', a dict of classes, or None", class_weight)
    labels = classes.tolist()
    if unknown := [label for label in class_weight if label not in labels]:
        raise InvalidParameterError("class_weight", f"a dict whose keys are among {labels}", unknown[0])
    factors = np.array([_positive(class_weight.get(label, 1.0)) for label in labels])
    return factors


def _positive(factor: Any) -> float:
    if check_finite("class_weight", factor, 0.0) == 0:
        raise InvalidParameterError("class_weight", "a dict of numbers above 0", factor)
    return float(factor)


def check_costs(costs: Any) -> tuple[float, float]:
    """Return the costs of the two errors, or raise `InvalidParameterError`."""
    allowed = "two numbers above 0, of a missed row and of a false alarm, or None"
    if costs is None:
        return 1.0, 1.0
    try:
        missed, alarm = (check_finite("error_costs", cost, 0.0) for cost in costs)
    except (TypeError, ValueError) as error:
        raise InvalidParameterError("error_costs", allowed, costs) from error
    if missed == 0 or alarm == 0:
        raise InvalidParameterError("error_costs", allowed, costs)
    return missed, alarm
