r"""Predictions to average, and what a set of members is worth.

With the residuals :math:`r_j = p_j - t` of member j the squared error of the mean of a set S of s members is
:math:`x^\top G x / s^2`, where x is 1 for the members of S and :math:`G_{ij}` is the mean over the rows of
:math:`\langle r_i, r_j\rangle`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from compactml.errors import InvalidDataError

__all__ = ["AverageInstance"]


@dataclass(frozen=True, eq=False)
class AverageInstance:
    """Predictions, targets and the products of residuals.

    Attributes
    ----------
    predictions : ndarray of float64, shape (n, K, d)
    targets : ndarray of float64, shape (n, d)
    gram : ndarray of float64, shape (K, K)
        G.
    """

    predictions: NDArray[np.float64]
    targets: NDArray[np.float64]
    gram: NDArray[np.float64]

    @classmethod
    def of(cls, predictions: ArrayLike, y: ArrayLike) -> Self:
        """Check predictions and targets.

        Parameters
        ----------
        predictions : array-like, shape (n, K) or (n, K, d)
        y : array-like, shape (n,) or (n, d)

        Raises
        ------
        InvalidDataError
            What is no finite number, other shapes, no row, fewer than two members.
        """
        p, t = _finite("predictions", predictions), _finite("y", y)
        p, t = (p[..., np.newaxis] if p.ndim == 2 else p), (t[:, np.newaxis] if t.ndim == 1 else t)
        if p.ndim != 3 or p.shape[0] == 0 or p.shape[1] < 2:
            allowed = "of shape (n, K) or (n, K, d) with n >= 1 and K >= 2"
            raise InvalidDataError("predictions", allowed, f"shape {np.shape(predictions)}")
        if t.shape != (p.shape[0], p.shape[2]):
            allowed = f"{p.shape[0]} targets of {p.shape[2]} numbers, as predictions have"
            raise InvalidDataError("y", allowed, f"shape {np.shape(y)}")
        residuals = np.moveaxis(p - t[:, np.newaxis, :], 1, 2).reshape(-1, p.shape[1])
        gram = residuals.T @ residuals / len(t)
        if not np.isfinite(gram).all():
            raise InvalidDataError("predictions", "with squares below the largest float", "larger ones")
        return cls(p, t, (gram + gram.T) / 2)

    @property
    def n_members(self) -> int:
        """K."""
        return int(self.predictions.shape[1])

    def errors(self, selected: NDArray[np.intp]) -> NDArray[np.float64]:
        """Squared error of the mean of these members on each row, summed over the d numbers, shape (n,)."""
        mean = self.predictions[:, selected].mean(axis=1)
        return np.asarray(((mean - self.targets) ** 2).sum(axis=1))

    def value(self, selected: NDArray[np.intp]) -> float:
        """Mean squared error, counted from the predictions."""
        return float(self.errors(selected).mean())


def _finite(name: str, values: Any) -> NDArray[np.float64]:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidDataError(name, "numbers", f"what is none ({error})") from None
    if array.ndim == 0 or not np.isfinite(array).all():
        raise InvalidDataError(name, "an array of finite numbers", "another one")
    return array
