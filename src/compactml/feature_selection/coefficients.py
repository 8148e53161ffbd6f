"""Coefficients of programs: finite, of their shape, and so small that their sums do not overflow."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.feature_selection.building import frozen

__all__ = ["check_factor", "coefficients"]

LARGEST = 1e300
"""Of the sum of all coefficients of a kind."""


def check_factor(name: str, factor: float, values: NDArray[np.float64]) -> None:
    """Raise `InvalidParameterError` if coefficients of at least 0 overflow when they are multiplied and added."""
    most = LARGEST / max(float(values.max(initial=0.0)) * values.size, 1.0)
    if factor > most:
        raise InvalidParameterError(name, f"at most {most:g}, so that no sum overflows", factor)


def coefficients(name: str, values: ArrayLike, shape: tuple[int | None, ...]) -> NDArray[np.float64]:
    """Return what cannot be written to, of a shape in which None is any length, or raise `InvalidDataError`."""
    allowed = f"finite numbers of shape {shape}"
    try:
        if np.iscomplexobj(values):  # the conversion would only warn
            raise TypeError("complex numbers")
        # what can no longer be written to is ours: each copy would be a matrix more to hold
        ours = isinstance(values, np.ndarray) and values.base is None and not values.flags.writeable
        array = np.array(values, dtype=np.float64, copy=None if ours else True)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidDataError(name, allowed, str(error)) from error
    fits = array.ndim == len(shape) and all(n in (None, m) for n, m in zip(shape, array.shape, strict=True))
    largest = max(float(array.max(initial=0.0)), -float(array.min(initial=0.0)))  # NaN where there is one
    if not fits or not np.isfinite(largest):
        flaw = "" if np.isfinite(largest) else " with values that are not finite"
        raise InvalidDataError(name, allowed, f"shape {array.shape}{flaw}")
    if largest * array.size > LARGEST:
        most = f"at most {LARGEST / array.size:g} in absolute value, so that no sum overflows"
        raise InvalidDataError(name, most, f"{largest:g}")
    return frozen(array)
