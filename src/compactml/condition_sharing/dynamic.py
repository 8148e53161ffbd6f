r"""Problem 5 by the paper's dynamic program (Algorithms 3 and 4), with the printed defects mended.

The paper's program: :math:`O(pc^2)` time against the near-linear time of `minimum_intersecting_set`. Both find as
few points, but not always the same ones. The defects of the printed version are listed, and run, in
`compactml.condition_sharing.errata`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from compactml.condition_sharing._kernels.dynamic import dynamic_choices
from compactml.condition_sharing.intersecting_set import (
    cell_points,
    cells_with_exceptions,
    check_exceptions,
    check_intervals,
    nearest_points,
)


def minimum_intersecting_set_dynamic(
    lower: Any, upper: Any, *, exceptions: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    r"""Find a smallest set of points that hits all intervals but at most ``exceptions``, by recurrence (1).

    Parameters, results and errors as in `minimum_intersecting_set`. Memory is ``n_intervals * (exceptions + 1)``
    integers three times.

    Notes
    -----
    With the intervals sorted by lower end, :math:`D(i,j)` is the fewest points that hit the intervals
    :math:`i..p` except at most j, :math:`\alpha_i(h)` the interval with the (h+1)-th smallest upper end among them,
    and :math:`\beta(a)` the first interval that begins at or after :math:`u_a` (Equation (1) of the paper):

    .. math:: D(i,j) = 0 \text{ if } i + j > p, \text{ else }
              \min_{0\le h\le j} D(\beta(\alpha_i(h)), j-h) + 1 .

    Of several h with the minimum the smallest is taken, and among equal distances the right point, as in the paper.
    """
    lower, upper = check_intervals(lower, upper)
    check_exceptions(exceptions, lower.size)
    if lower.size == 0:
        return np.empty(0), np.empty(0, dtype=np.int64)
    points = cell_points(*cells_with_exceptions(lower, upper, exceptions, dynamic_bounding))
    return points, nearest_points(lower, upper, points)


def dynamic_bounding(first: np.ndarray, last: np.ndarray, upper: np.ndarray, exceptions: int) -> np.ndarray:
    """Return the intervals that bound a smallest set of points, by the paper's dynamic program.

    Parameters and results as of `compactml.condition_sharing.exceptional_intervals.bounding_intervals`.
    """
    return dynamic_choices(np.searchsorted(first, last), upper, exceptions)
