"""Min_DBN on intervals: one threshold per group of nodes that can share a condition (Algorithm 2, lines 9-15)."""

from __future__ import annotations

import math

import numpy as np

from compactml.condition_sharing._kernels.intersecting_set import group_cells, stab
from compactml.condition_sharing._kernels.shared_thresholds import first_of_group
from compactml.condition_sharing.exceptional_intervals import stab_with_exceptions
from compactml.condition_sharing.intersecting_set import cell_points, nearest_points
from compactml.condition_sharing.intervals import Intervals


def shared_thresholds(intervals: Intervals, *, exceptions: float = 0.0) -> np.ndarray:
    """Choose new thresholds with the fewest distinct conditions.

    Parameters
    ----------
    intervals : Intervals
        Admissible intervals of all internal nodes.
    exceptions : float, default=0.0
        Share of the p intervals of each feature that may be left unhit: c is the floor of ``exceptions * p``.

    Returns
    -------
    ndarray of float64, shape (n_nodes,)
        The new threshold of each node of ``intervals``.

    Notes
    -----
    Groups are formed on the ends as float32, since scikit-learn compares in float32 and two float64 values that
    round to one cannot be told apart by any threshold. The shared threshold is the midpoint of the float64 ends
    of the group, as in the paper, or of their float32 values where rounding would move that midpoint out.
    """
    by_feature = np.argsort(intervals.feature, kind="stable")
    features, starts = np.unique(intervals.feature[by_feature], return_index=True)
    thresholds = np.empty(intervals.size)
    for nodes in np.split(by_feature, starts[1:]) if features.size else []:
        thresholds[nodes] = _share_feature(
            intervals.lower[nodes], intervals.upper[nodes], intervals.threshold[nodes], exceptions
        )
    return thresholds


def _share_feature(
    lower: np.ndarray, upper: np.ndarray, original: np.ndarray, exceptions: float
) -> np.ndarray:
    """New thresholds of all nodes that test one feature."""
    c = math.floor(exceptions * lower.size + 1e-9)  # 0.1 * 30 must not fall below 3
    lower32, upper32 = lower.astype(np.float32), upper.astype(np.float32)
    order = np.argsort(lower32)
    if c == 0:
        group = np.empty(lower.size, dtype=np.int64)
        group[order], n_groups = stab(lower32[order], upper32[order])
        low, high = group_cells(lower, upper, group, n_groups)
        points = _representable_points(low, high)
    else:
        low, high = stab_with_exceptions(lower32[order], upper32[order], c)
        points = cell_points(low.astype(np.float64), high.astype(np.float64))
        group = nearest_points(lower32, upper32, points)
    free = np.isinf(low) & np.isinf(
        high
    )  # no vector reaches any node of the group: keep a threshold of its own
    points[free] = first_of_group(original, group, points.size)[free]
    return points[group]


def _representable_points(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Points t with float32(low) <= t < float32(high): what scikit-learn's comparison needs."""
    points = cell_points(low, high)
    low32 = low.astype(np.float32).astype(np.float64)
    high32 = high.astype(np.float32).astype(np.float64)
    return np.where((low32 <= points) & (points < high32), points, cell_points(low32, high32))
