"""Min_DBN on intervals: one threshold per group of nodes that can share a condition (Algorithm 2, lines 9-15)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from compactml.condition_sharing._kernels.intersecting_set import group_cells, stab_each
from compactml.condition_sharing._kernels.shared_thresholds import first_of_group
from compactml.condition_sharing.checking import check_most
from compactml.condition_sharing.dynamic import dynamic_bounding
from compactml.condition_sharing.exceptional_intervals import bounding_intervals
from compactml.condition_sharing.intersecting_set import (
    cell_points,
    cells_with_exceptions,
    nearest_points,
)
from compactml.condition_sharing.intervals import Intervals
from compactml.errors import InvalidDataError, check_fraction, check_integer


def shared_thresholds(
    intervals: Intervals, *, exceptions: float = 0.0, dynamic_up_to: float = 0.0
) -> np.ndarray:
    """Choose new thresholds with the fewest distinct conditions.

    Parameters
    ----------
    intervals : Intervals
        Admissible intervals of all internal nodes.
    exceptions : float, default=0.0
        Share of the p intervals of each feature that may be left unhit: c is the floor of ``exceptions * p``.
    dynamic_up_to : float, default=0.0
        Largest :math:`pc^2` of a feature that the paper's dynamic program solves; the others are solved by our search,
        which finds as few points, but not always the same ones.

    Returns
    -------
    ndarray of float64, shape (n_nodes,)
        The new threshold of each node of ``intervals``.

    Raises
    ------
    InvalidDataError
        ``intervals`` are no `Intervals`, or have vectors of different lengths, NaN or an empty interval.
    InvalidParameterError
        A share outside [0, 1), or a negative ``dynamic_up_to``.

    Notes
    -----
    Groups are formed on the ends as float32, since scikit-learn compares in float32 and two float64 values that
    round to one cannot be told apart by any threshold. The shared threshold is the midpoint of the float64 ends
    of the group, as in the paper, or of their float32 values where rounding would move that midpoint out.
    """
    _check_intervals(intervals)
    check_fraction("exceptions", exceptions)
    check_most("dynamic_up_to", dynamic_up_to)
    if exceptions == 0:
        return _share_all(intervals.lower, intervals.upper, intervals.threshold, intervals.feature)
    by_feature = np.argsort(intervals.feature, kind="stable")
    features, starts = np.unique(intervals.feature[by_feature], return_index=True)
    thresholds = np.empty(intervals.size)
    for nodes in np.split(by_feature, starts[1:]) if features.size else []:
        thresholds[nodes] = _share_feature(
            intervals.lower[nodes],
            intervals.upper[nodes],
            intervals.threshold[nodes],
            exceptions,
            dynamic_up_to,
        )
    return thresholds


def _check_intervals(intervals: Any) -> None:
    allowed = "Intervals, of node_intervals"
    if not isinstance(intervals, Intervals):
        raise InvalidDataError("intervals", allowed, type(intervals).__name__)
    for name in ("feature", "threshold", "lower", "upper"):
        vector = getattr(intervals, name)
        kinds = (np.int32, np.int64) if name == "feature" else (np.float64,)
        if not isinstance(vector, np.ndarray) or vector.ndim != 1 or vector.dtype not in kinds:
            kind = " or ".join(one.__name__ for one in kinds)
            raise InvalidDataError(f"intervals.{name}", f"a vector of {kind}", type(vector).__name__)
        if vector.size != intervals.feature.size:
            allowed = f"of length {intervals.feature.size}"
            raise InvalidDataError(f"intervals.{name}", allowed, f"{vector.size}")
    if not (intervals.lower < intervals.upper).all():  # NaN too
        raise InvalidDataError("intervals", "not empty, lower < upper", "another one")


def allowed_exceptions(exceptions: float, n_intervals: int) -> int:
    """Return c, the floor of a share of the intervals of a feature."""
    return math.floor(exceptions * n_intervals + 1e-9)  # 0.1 * 30 must not fall below 3


def solved_as_printed(n_intervals: int, exceptions: float, dynamic_up_to: float) -> bool:
    """Return whether a feature is solved by the paper's own program and not by our search.

    Without an exception that is Algorithm 1, else the dynamic program.

    Parameters
    ----------
    n_intervals : int
        p, the nodes that test the feature.
    exceptions, dynamic_up_to : float
        As in `shared_thresholds`.

    Raises
    ------
    InvalidParameterError
        No such number.
    """
    check_integer("n_intervals", n_intervals, 0)
    check_fraction("exceptions", exceptions)
    check_most("dynamic_up_to", dynamic_up_to)
    c = allowed_exceptions(exceptions, n_intervals)
    return c == 0 or n_intervals * c**2 <= dynamic_up_to


def _share_feature(
    lower: np.ndarray, upper: np.ndarray, original: np.ndarray, exceptions: float, dynamic_up_to: float
) -> np.ndarray:
    """New thresholds of all nodes that test one feature."""
    c = allowed_exceptions(exceptions, lower.size)
    if c == 0:
        return _share_all(lower, upper, original, np.zeros(lower.size, dtype=np.int32))
    seen = lower.astype(np.float32), upper.astype(np.float32)
    program = (
        dynamic_bounding if solved_as_printed(lower.size, exceptions, dynamic_up_to) else bounding_intervals
    )
    low, high = cells_with_exceptions(lower, upper, c, program, seen)
    points = _representable_points(low, high)
    group = nearest_points(lower, upper, points, seen)
    return _points_of_nodes(points, low, high, group, original)


def _share_all(lower: np.ndarray, upper: np.ndarray, original: np.ndarray, feature: np.ndarray) -> np.ndarray:
    """New thresholds of nodes that test several features, without an exception."""
    group, n_groups = stab_each(lower.astype(np.float32), upper.astype(np.float32), feature)
    low, high = group_cells(lower, upper, group, n_groups)
    return _points_of_nodes(_representable_points(low, high), low, high, group, original)


def _points_of_nodes(
    points: np.ndarray, low: np.ndarray, high: np.ndarray, group: np.ndarray, original: np.ndarray
) -> np.ndarray:
    """The point of each node's group; where no vector reaches any node of it, a threshold of its own."""
    free = np.isinf(low) & np.isinf(high)
    if free.any():
        points[free] = first_of_group(original, group, points.size)[free]
    return points[group]


def _representable_points(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Points t with float32(low) <= t < float32(high): what scikit-learn's comparison needs."""
    points = cell_points(low, high)
    low32 = low.astype(np.float32).astype(np.float64)
    high32 = high.astype(np.float32).astype(np.float64)
    return np.where((low32 <= points) & (points < high32), points, cell_points(low32, high32))
