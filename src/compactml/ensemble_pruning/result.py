"""What pruning an ensemble returns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from compactml.solvers import SolverChoice
from compactml.watch import gap_of

__all__ = ["Bounded", "Progress", "PruningResult", "relative_gap"]


def relative_gap(value: float, bound: float) -> float:
    """(bound - value) / abs(value); 0 where they meet, infinite at value 0."""
    return gap_of(value, max(bound, value))


@dataclass(frozen=True)
class Progress:
    """Best value and bound known after some seconds, and the step that brought the news.

    Attributes
    ----------
    step : str
        "isotonic", "local search", "branching", "asummability", "program", ...
    seconds, value, bound : float
        ``value`` is -inf before the first ensemble, ``bound`` inf before the first bound.

    Examples
    --------
    >>> from compactml.ensemble_pruning import prune
    >>> votes = [[1, 1, 0], [1, 0, 1], [0, 1, 1], [0, 1, 0], [0, 0, 1]]
    >>> y = [1, 1, 1, 0, 0]
    >>> last = prune(votes, y).history[-1]
    >>> last.value, last.bound
    (5.0, 5.0)
    """

    step: str
    seconds: float
    value: float
    bound: float


class Bounded:
    """What has a value and a proved bound on it."""

    value: float
    bound: float

    @property
    def gap(self) -> float:
        """(bound - value) / abs(value)."""
        return relative_gap(self.value, self.bound)

    @property
    def proved(self) -> bool:
        """Whether no ensemble is better, up to rounding."""
        return self.gap <= 1e-9


@dataclass(frozen=True, eq=False)
class PruningResult(Bounded):
    """A pruned ensemble with a proved bound. It can be pickled.

    Attributes
    ----------
    selected : ndarray of int, shape (s,)
        Chosen classifiers in increasing order.
    threshold : int
        L: positive iff more than L of them vote positive.
    value : float
        The objective (1), counted from all points.
    bound : float
        No ensemble and threshold that meet the constraints have a larger objective. Where no step proved
        a bound, as may be with the paper's program alone, what the best call of every point would give.
    seconds : float
    choice : SolverChoice or None
        Which solver solved the integer program; None where none was needed.
    history : tuple of Progress
    complete : bool
        Whether the run came to its end; False if a limit or an interrupt cut it short.
    solver_bound : float or None
        What the solver alone proved, before ``bound`` is rounded to what the objective can be; infinite where it proved
        nothing, None where none was needed.

    Examples
    --------
    >>> from compactml.ensemble_pruning import prune
    >>> votes = [[1, 1, 0], [1, 0, 1], [0, 1, 1], [0, 1, 0], [0, 0, 1]]
    >>> y = [1, 1, 1, 0, 0]
    >>> found = prune(votes, y)
    >>> found.selected.tolist(), found.threshold, found.value == found.bound
    ([0, 1, 2], 1, True)
    """

    selected: NDArray[np.intp]
    threshold: int
    value: float
    bound: float
    seconds: float
    choice: SolverChoice | None
    history: tuple[Progress, ...] = ()
    complete: bool = True
    solver_bound: float | None = None
