"""Problem 2: the smallest set of points that hits every half-open interval (Algorithm 1)."""

from __future__ import annotations

from typing import Any

import numpy as np

from compactml.condition_sharing._kernels.intersecting_set import group_cells, stab
from compactml.condition_sharing.exceptional_intervals import stab_with_exceptions
from compactml.errors import InvalidDataError, check_integer


def minimum_intersecting_set(lower: Any, upper: Any, *, exceptions: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Find a smallest set of points that hits all intervals but at most ``exceptions``.

    Parameters
    ----------
    lower, upper : array-like of float, shape (n_intervals,)
        Ends of the half-open intervals ``[lower, upper)``; ends may be infinite.
    exceptions : int, default=0
        Number ``c`` of intervals that may be left unhit, ``0 <= c < n_intervals``.

    Returns
    -------
    points : ndarray of float64, shape (n_points,)
        Ascending. Each is the midpoint of the intersection of the intervals it was placed for; when one end of
        that intersection is infinite, the finite end (the largest double below it on the right); 0 when both are.
    group : ndarray of int64, shape (n_intervals,)
        The point of each interval: the first that hits it, or for an exception the nearest one.

    Raises
    ------
    InvalidDataError
        Ends that are NaN, of unequal length, or an interval that is empty (``lower >= upper``).
    InvalidParameterError
        ``exceptions`` is no integer in ``[0, n_intervals)``.

    Notes
    -----
    Algorithm 1 of Nakamura and Sakurada (2022) for ``exceptions=0`` and their Problem 5 (Algorithms 3 and 4 in
    corrected form) otherwise. Problem 5 is solved by a parametric search in near-linear time instead of the
    paper's :math:`O(pc^2)` table, which is kept in `minimum_intersecting_set_dynamic`: the same number of
    points and of exceptions, tested against each other and against brute force.

    Examples
    --------
    >>> points, group = minimum_intersecting_set([1, 2, 5, 7, 3], [4, 6, 8, 9, 5])
    >>> points.tolist(), group.tolist()
    ([3.5, 7.5], [0, 0, 1, 1, 0])
    """
    lower, upper = check_intervals(lower, upper)
    check_exceptions(exceptions, lower.size)
    order = np.argsort(lower, kind="stable")
    if exceptions == 0:
        group_sorted, n_groups = stab(lower[order], upper[order])
        group = np.empty(lower.size, dtype=np.int64)
        group[order] = group_sorted
        return cell_points(*group_cells(lower, upper, group, n_groups)), group
    points = cell_points(*stab_with_exceptions(lower[order], upper[order], exceptions))
    return points, nearest_points(lower, upper, points)


def check_intervals(lower: Any, upper: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return both ends as float64 vectors of non-empty intervals, or raise `InvalidDataError`."""
    lower, upper = np.asarray(lower, dtype=np.float64), np.asarray(upper, dtype=np.float64)
    if lower.ndim != 1 or lower.shape != upper.shape:
        raise InvalidDataError(
            "lower, upper", "vectors of equal length", f"shapes {lower.shape} and {upper.shape}"
        )
    bad = ~(lower < upper)
    if bad.any():
        j = int(np.argmax(bad))
        raise InvalidDataError(
            "lower, upper",
            "non-empty intervals, lower < upper and not NaN",
            f"[{lower[j]}, {upper[j]}) at position {j}",
        )
    return lower, upper


def check_exceptions(exceptions: Any, n_intervals: int) -> None:
    """Raise `InvalidParameterError` unless ``exceptions`` is an integer in ``[0, n_intervals)``."""
    check_integer("exceptions", exceptions, 0, max(n_intervals - 1, 0))


def cell_points(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """One point inside each cell ``[low, high)``: the midpoint, or next to the finite end."""
    with np.errstate(invalid="ignore"):  # -inf + inf, replaced below
        points = (low + high) / 2
    points = np.where(np.isinf(low), np.nextafter(high, -np.inf), points)
    points = np.where(np.isinf(high), low, points)
    points = np.where(np.isinf(low) & np.isinf(high), 0.0, points)
    # two neighbouring doubles: their midpoint may round up to the open end
    return np.where(points < high, points, low)


def nearest_points(lower: np.ndarray, upper: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Index of the first point in each interval, else of the nearest one (the left on a tie).

    The distance of a point ``s`` from ``[l, u)`` is the infimum of ``|s - x|`` over the interval.
    """
    after = np.searchsorted(points, lower, side="left")
    right = np.minimum(after, points.size - 1)
    left = np.maximum(after - 1, 0)
    hit = (points[right] >= lower) & (points[right] < upper)
    with np.errstate(invalid="ignore"):
        to_left = np.where(after > 0, lower - points[left], np.inf)
        to_right = np.where(after < points.size, points[right] - upper, np.inf)
    return np.where(hit | (to_right < to_left), right, left)
