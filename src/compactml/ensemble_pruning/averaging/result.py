"""What pruning for averages returns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from compactml.ensemble_pruning.result import Progress
from compactml.watch import gap_of

__all__ = ["AverageResult", "Averaged"]


@dataclass(frozen=True, eq=False)
class AverageResult:
    """A set of members whose mean prediction has a small error, with a proved bound. It can be pickled.

    Attributes
    ----------
    selected : ndarray of int, shape (s,)
        Chosen members in increasing order.
    value : float
        Mean error of the mean of their predictions, squared or absolute, counted from the predictions.
    bound : float
        No set of the allowed sizes has a smaller one.
    seconds : float
    history : tuple of Progress
    complete : bool
        Whether the run came to its end; False if a limit or an interrupt cut it short.

    Examples
    --------
    >>> from compactml.ensemble_pruning import prune_average
    >>> found = prune_average([[1.0, 3.0, 9.0], [2.0, 0.0, 9.0]], [2.0, 1.0])
    >>> found.selected.tolist(), found.value, found.proved
    ([0, 1], 0.0, True)
    """

    selected: NDArray[np.intp]
    value: float
    bound: float
    seconds: float
    history: tuple[Progress, ...] = ()
    complete: bool = True

    @property
    def gap(self) -> float:
        """(value - bound) / value."""
        return gap_of(self.value, self.bound)

    @property
    def proved(self) -> bool:
        """Whether no set is better, up to rounding."""
        return self.gap <= 1e-9


@dataclass(frozen=True, eq=False)
class Averaged:
    """A result beside the error of a trivial prediction, of which it is a share.

    Attributes
    ----------
    result : AverageResult
    trivial : float
        Error that counts as nothing learned: a Brier score of 2, the variance of the targets, or their mean distance
        from the median.
    """

    result: AverageResult
    trivial: float

    @property
    def bound(self) -> float:
        """No set of the allowed sizes has a smaller error."""
        return self.result.bound

    @property
    def gap(self) -> float:
        """(value - bound) / value."""
        return self.result.gap

    @property
    def complete(self) -> bool:
        """Whether the run came to its end."""
        return self.result.complete

    @property
    def shares(self) -> tuple[float, float]:
        """1 less value and bound divided by the trivial error: a score and what no set exceeds; NaN without one."""
        trivial = self.trivial if self.trivial > 0 else np.nan
        return 1 - self.result.value / trivial, 1 - self.result.bound / trivial
