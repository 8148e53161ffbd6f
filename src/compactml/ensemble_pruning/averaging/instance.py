"""Predictions to average, and what a set of members is worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from compactml.clock import Clock
from compactml.ensemble_pruning.averaging.losses import (
    AbsoluteLoss,
    Loss,
    SquaredLoss,
    UnpreparedLoss,
    products,
)
from compactml.errors import InvalidDataError

__all__ = ["ABSOLUTE", "SQUARED", "AverageInstance"]

SQUARED, ABSOLUTE = "squared", "absolute"


@dataclass(frozen=True, eq=False)
class AverageInstance:
    """Predictions, targets and their loss.

    Attributes
    ----------
    predictions : ndarray of float64, shape (n, K, d)
    targets : ndarray of float64, shape (n, d)
    loss : Loss
        SquaredLoss or AbsoluteLoss; UnpreparedLoss where the time ended before the squared one was ready.
    """

    predictions: NDArray[np.float64]
    targets: NDArray[np.float64]
    loss: Loss

    @classmethod
    def of(
        cls, predictions: ArrayLike, y: ArrayLike, loss: str = SQUARED, clock: Clock | None = None
    ) -> Self:
        """Check predictions and targets.

        Parameters
        ----------
        predictions : array-like, shape (n, K) or (n, K, d)
        y : array-like, shape (n,) or (n, d)
        loss : {"squared", "absolute"}, default "squared"
        clock : Clock, optional

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
        if loss == ABSOLUTE:
            absolute = AbsoluteLoss(residuals, len(t))
            if not np.isfinite(absolute.alone * p.shape[1]).all():
                raise InvalidDataError("predictions", "with sums below the largest float", "larger ones")
            return cls(p, t, absolute)
        unprepared = UnpreparedLoss(residuals, len(t))
        if not np.isfinite(unprepared.alone).all():
            raise InvalidDataError("predictions", "with squares below the largest float", "larger ones")
        gram = products(residuals, clock or Clock(None))
        if gram is None:
            return cls(p, t, unprepared)
        return cls(p, t, SquaredLoss((gram + gram.T) / (2 * len(t))))

    @property
    def n_members(self) -> int:
        """K."""
        return int(self.predictions.shape[1])

    def errors(self, selected: NDArray[np.intp]) -> NDArray[np.float64]:
        """Error of the mean of these members on each row, summed over the d numbers, shape (n,)."""
        missed = self.predictions[:, selected].mean(axis=1) - self.targets
        each = np.abs(missed) if isinstance(self.loss, AbsoluteLoss) else missed**2
        return np.asarray(each.sum(axis=1))

    def value(self, selected: NDArray[np.intp]) -> float:
        """Mean error, counted from the predictions."""
        return float(self.errors(selected).mean())


def _finite(name: str, values: Any) -> NDArray[np.float64]:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidDataError(name, "numbers", f"what is none ({error})") from None
    if array.ndim == 0 or not np.isfinite(array).all():
        raise InvalidDataError(name, "an array of finite numbers", "another one")
    return array
