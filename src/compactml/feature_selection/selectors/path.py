"""`selection_path`: the best set of each size, with the bounds, in one run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import clone

from compactml.clock import Clock
from compactml.errors import InvalidParameterError, check_integer
from compactml.feature_selection.result import FractionalResult
from compactml.feature_selection.selectors.base import FractionalSelector
from compactml.feature_selection.selectors.measuring import measured
from compactml.feature_selection.solving import ended_by_limit
from compactml.watch import Watch, checked_limit

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["SelectionPath", "selection_path"]


@dataclass(frozen=True, eq=False)
class SelectionPath:
    """The best sets of 1, 2, ... features.

    Attributes
    ----------
    sizes : ndarray of int, shape (K,)
        1 .. K.
    values : ndarray of float, shape (K,)
        Value of each set.
    bounds : ndarray of float, shape (K,)
        No set of this size has a larger value.
    sets : tuple of tuple of str
        Names of the columns of each set.
    results : tuple of FractionalResult
        What was found for each size, with its certificate.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from compactml.feature_selection import CFSSelector, selection_path
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> path = selection_path(CFSSelector(), X, y, largest_k=3)
    >>> [len(names) for names in path.sets], bool((path.values <= path.bounds).all())
    ([1, 2, 3], True)
    """

    sizes: NDArray[np.intp]
    values: NDArray[np.float64]
    bounds: NDArray[np.float64]
    sets: tuple[tuple[str, ...], ...]
    results: tuple[FractionalResult, ...]

    def table(self) -> pd.DataFrame:
        """Return a row a size: value, bound, whether it is proved, and the names of the columns."""
        return pd.DataFrame(
            {
                "size": self.sizes,
                "value": self.values,
                "bound": self.bounds,
                "proved": [result.proved for result in self.results],
                "columns": [", ".join(names) for names in self.sets],
            }
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw values and bounds by size; matplotlib is imported here.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            A new figure's by default.
        """
        import matplotlib.pyplot as plt

        axes = plt.subplots()[1] if ax is None else ax
        finite = np.isfinite(self.bounds)
        axes.fill_between(
            self.sizes[finite], self.values[finite], self.bounds[finite], alpha=0.3, label="not excluded"
        )
        axes.plot(self.sizes, self.values, marker="o", label="best set found")
        axes.set(xlabel="number of features", ylabel="value")
        axes.legend()
        return axes


def selection_path(selector: FractionalSelector, X: Any, y: Any, largest_k: int = 20) -> SelectionPath:
    """Find the best set of each size from 1 on; the features are measured once.

    Parameters
    ----------
    selector : CFSSelector or MRMRSelector
        Its parameters say how; ``k`` does not matter. Its ``time_limit`` is that of the whole call: each size gets an
        equal share of what is left. It is not fitted.
    X : DataFrame or array-like, shape (n, p)
    y : array-like, shape (n,)
    largest_k : int, default=20
        Largest size; the number of columns that vary if there are fewer.

    Returns
    -------
    SelectionPath

    Raises
    ------
    InvalidParameterError
        ``largest_k`` below 1, no selector, or one with a parameter out of its range.
    InvalidDataError, NoUsableFeatureError, ContinuousFeaturesError, TimeLimitTooShortError
        As of the fit of a `CFSSelector`.

    Warns
    -----
    EndedEarlyWarning
        The limit ended the search for some size; value and bound are those of the size with the largest gap.
    """
    if not isinstance(selector, FractionalSelector):
        raise InvalidParameterError("selector", "a CFSSelector or an MRMRSelector", selector)
    sizing = clone(selector)
    tolerance, largest = sizing._checked(), check_integer("largest_k", largest_k, 1)
    whole = Clock(checked_limit(sizing.time_limit))
    watch = Watch("selection_path", whole, verbose=sizing.verbose, callback=sizing.callback)
    measures = measured(sizing._table(X, y), watch.clock)
    sizes = range(1, min(largest, measures.n_features) + 1)
    results, ended = [], []
    for size in sizes:
        clock = watch.clock.part(watch.clock.left / (len(sizes) + 1 - size))
        part = Watch(
            f"{type(sizing).__name__}, k={size}", clock, verbose=sizing.verbose, callback=sizing.callback
        )
        program = sizing._program(measures, size)
        results.append(sizing._selected(measures, program, size, tolerance, part))
        if any(ended_by_limit(results[-1], sizing.method, one) for one in (clock, watch.clock)):
            ended.append(results[-1])
    values, bounds = (np.array([getattr(best, name) for best in results]) for name in ("value", "bound"))
    path = SelectionPath(
        np.array(sizes, dtype=np.intp),
        values,
        np.minimum.accumulate(bounds) if sizing._falls else bounds,
        tuple(tuple(measures.names[j] for j in best.support) for best in results),
        tuple(results),
    )
    if ended:
        worst = max(ended, key=lambda best: best.gap_abs)
        limit = f"time_limit={sizing.time_limit:g} s, at {len(ended)} of {len(sizes)} sizes,"
        watch.warn(worst.value, worst.bound, limit=limit)
    return path
