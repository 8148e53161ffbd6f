"""What pruning for several classes returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compactml.ensemble_pruning.result import Bounded, Progress
from compactml.solvers import SolverChoice

__all__ = ["PluralityResult"]


@dataclass(frozen=True, eq=False)
class PluralityResult(Bounded):
    """A set of classifiers that decides by plurality, with a proved bound. It can be pickled.

    Attributes
    ----------
    selected : ndarray of int, shape (s,)
        Chosen classifiers in increasing order.
    classes : ndarray, shape (C,)
        In sorted order; among classes with equally many votes the first is called.
    value : float
        Points called rightly, for "balanced_accuracy" weighted; counted from all points.
    bound : float
        No set that meets the limits has a larger value.
    seconds : float
    choice : SolverChoice or None
        Which solver solved the integer program; None where none was needed.
    history : tuple of Progress
    complete : bool
        Whether the run came to its end; False if a limit or an interrupt cut it short.

    Examples
    --------
    >>> from compactml.ensemble_pruning import prune_plurality
    >>> votes = [["a", "a", "b"], ["b", "c", "b"], ["c", "c", "c"], ["b", "a", "a"]]
    >>> found = prune_plurality(votes, ["a", "b", "c", "a"])
    >>> found.selected.tolist(), found.value, found.proved
    ([0, 1], 4.0, True)
    """

    selected: NDArray[np.intp]
    classes: NDArray[Any]
    value: float
    bound: float
    seconds: float
    choice: SolverChoice | None
    history: tuple[Progress, ...] = ()
    complete: bool = True
