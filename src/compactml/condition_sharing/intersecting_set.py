"""Problem 2: the smallest set of points that hits every half-open interval (Algorithm 1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from compactml.condition_sharing._kernels.intersecting_set import group_cells, stab
from compactml.condition_sharing.exceptional_intervals import bounding_intervals
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
        The point of each interval: the first that hits it, or for an exception the nearest one (the right one of
        two, as line 19 of Algorithm 3 has it).

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
    paper's :math:`O(pc^2)` table, which is `minimum_intersecting_set_dynamic`: the same number of points and of
    exceptions, tested against each other and against brute force, but not always the same points.

    Examples
    --------
    >>> points, group = minimum_intersecting_set([1, 2, 5, 7, 3], [4, 6, 8, 9, 5])
    >>> points.tolist(), group.tolist()
    ([3.5, 7.5], [0, 0, 1, 1, 0])
    """
    lower, upper = check_intervals(lower, upper)
    check_exceptions(exceptions, lower.size)
    if exceptions == 0:
        order = np.argsort(lower, kind="stable")
        group_sorted, n_groups = stab(lower[order], upper[order])
        group = np.empty(lower.size, dtype=np.int64)
        group[order] = group_sorted
        return cell_points(*group_cells(lower, upper, group, n_groups)), group
    points = cell_points(*cells_with_exceptions(lower, upper, exceptions, bounding_intervals))
    return points, nearest_points(lower, upper, points)


def check_intervals(lower: Any, upper: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return both ends as float64 vectors of non-empty intervals, or raise `InvalidDataError`."""
    try:
        lower, upper = np.asarray(lower, dtype=np.float64), np.asarray(upper, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidDataError("lower, upper", "vectors of numbers of equal length", str(error)) from error
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


def cells_with_exceptions(
    lower: np.ndarray,
    upper: np.ndarray,
    exceptions: int,
    program: Callable[[np.ndarray, np.ndarray, np.ndarray, int], np.ndarray],
    seen: tuple[np.ndarray, np.ndarray] | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    r"""Return the cells ``[low, high)`` of a smallest set of points that misses at most ``exceptions`` intervals.

    Parameters
    ----------
    lower, upper : ndarray of float64, shape (n_intervals,)
        At least one interval.
    exceptions : int
    program : callable
        Finds the points from the order of the ends, see `bounding_intervals`.
    seen : tuple of ndarray, optional
        The ends as a comparison sees them, rounded; by default as they are. They decide which intervals have a point
        in common, and the cells have the ends themselves.

    Returns
    -------
    low, high : ndarray of float64, shape (n_points,)
        With the printed names :math:`\ell_{\beta(a)-1}` and :math:`u_a`, a the interval that bounds the point.
    """
    order = np.argsort(lower, kind="stable")
    seen_lower, seen_upper = (lower, upper) if seen is None else seen
    candidates, first = np.unique(seen_lower[order], return_inverse=True)
    last = np.searchsorted(candidates, seen_upper[order], side="left")
    bounding = program(first, last, upper[order], exceptions)
    low = lower[order][np.searchsorted(first, last[bounding]) - 1]
    return low, upper[order][bounding]


def cell_points(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """One point inside each cell ``[low, high)``: the midpoint, or next to the finite end."""
    with np.errstate(
        invalid="ignore", over="ignore"
    ):  # -inf + inf, or beyond the largest double: replaced below
        points = (low + high) / 2
        points = np.where(np.isinf(points), low / 2 + high / 2, points)
    points = np.where(np.isinf(low), np.nextafter(high, -np.inf), points)
    points = np.where(np.isinf(high), low, points)
    points = np.where(np.isinf(low) & np.isinf(high), 0.0, points)
    # two neighbouring doubles: their midpoint may round up to the open end
    return np.where(points < high, points, low)


def nearest_points(
    lower: np.ndarray,
    upper: np.ndarray,
    points: np.ndarray,
    seen: tuple[np.ndarray, np.ndarray] | None = None,
) -> np.ndarray:
    """Index of the first point in each interval, else of the nearest one (the right on a tie).

    The distance of a point ``s`` from ``[l, u)`` is the infimum of ``|s - x|`` over the interval. With ``seen`` these
    ends decide what a point hits, and ``lower`` and ``upper`` how far it is.
    """
    seen_lower, seen_upper = (lower, upper) if seen is None else seen
    after = np.searchsorted(points, seen_lower, side="left")
    right = np.minimum(after, points.size - 1)
    left = np.maximum(after - 1, 0)
    hit = (points[right] >= seen_lower) & (points[right] < seen_upper)
    with np.errstate(over="ignore"):
        to_left, to_right = lower - points[left], points[right] - upper
    nearer = to_right <= to_left
    far = np.isinf(to_left) | np.isinf(to_right)  # half of a distance is never too large for a double
    halves = points[right] / 2 - upper / 2 <= lower / 2 - points[left] / 2
    nearer = np.where(far, halves, nearer)
    return np.where((after < points.size) & (hit | (after == 0) | nearer), right, left)
