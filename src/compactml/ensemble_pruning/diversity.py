"""The limits on diversity of the paper's configurations F2 and F3."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from compactml.ensemble_pruning._failure_credit import (
    failure_credit,
    failure_patterns,
    pairwise_failure_crediting,
)
from compactml.errors import InvalidParameterError, check_choice, check_finite

__all__ = ["CONFIGURATIONS", "check_limits", "diversity_limits", "limits_of"]

CONFIGURATIONS = ("F2", "F3")


def diversity_limits(votes: ArrayLike, y: ArrayLike, configuration: str) -> tuple[float, float]:
    """Return tau and gamma of (18) and (20), taken from the full ensemble.

    gamma is half-way between the least and the average PFC of all K classifiers; tau is 0 for F2 and the least PFC for
    F3. The full ensemble meets both.

    Parameters
    ----------
    votes : array-like of 0/1, shape (n, K)
        On the points that the ensemble is pruned on; the paper does not say on which points it computes PFC.
    y : array-like of 0/1, shape (n,)
    configuration : {"F2", "F3"}

    Returns
    -------
    (float, float)

    Raises
    ------
    InvalidParameterError, InvalidDataError
    """
    check_choice("configuration", configuration, CONFIGURATIONS)
    patterns = failure_patterns(votes, y)
    pfc = pairwise_failure_crediting(failure_credit(patterns), np.arange(patterns.shape[1]))
    least, average = float(pfc.min()), float(pfc.mean())
    return (least if configuration == "F3" else 0.0), (least + average) / 2


def check_limits(asked: Any) -> None:
    """Raise `InvalidParameterError` unless ``asked`` is what `limits_of` takes."""
    if asked is None or (isinstance(asked, str) and asked in CONFIGURATIONS):
        return
    if isinstance(asked, str) or not isinstance(asked, Sequence) or len(asked) != 2:
        raise InvalidParameterError("diversity", "'F2', 'F3', a pair of numbers, or None", asked)
    for place, limit in enumerate(asked):
        if check_finite(f"diversity[{place}]", limit, 0.0) > 1.0:
            raise InvalidParameterError(f"diversity[{place}]", "in [0, 1]", limit)


def limits_of(asked: str | tuple[float, float] | None, right: NDArray[np.bool_]) -> tuple[float, float]:
    """The limits tau and gamma of a configuration, of a pair, or none, see `check_limits`.

    Parameters
    ----------
    asked : {"F2", "F3"}, pair of numbers, or None
    right : ndarray of bool, shape (n, K)
        Which classifiers are right on which points.
    """
    if asked is None:
        return 0.0, 0.0
    if isinstance(asked, str):
        return diversity_limits(right, np.ones(len(right)), asked)
    least, average = asked
    return least, average
