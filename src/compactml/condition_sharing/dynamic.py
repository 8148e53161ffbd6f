r"""Problem 5 by the paper's dynamic program (Algorithms 3 and 4), with the printed defects mended.

Kept as the reference: :math:`O(pc^2)` time against the near-linear time of `minimum_intersecting_set`. The
defects of the printed version are listed, and run, in `compactml.condition_sharing.errata`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from compactml.condition_sharing._kernels.dynamic import dynamic_cells
from compactml.condition_sharing.intersecting_set import (
    cell_points,
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
    """
    lower, upper = check_intervals(lower, upper)
    check_exceptions(exceptions, lower.size)
    order = np.argsort(lower, kind="stable")
    points = cell_points(*dynamic_cells(lower[order], upper[order], exceptions))
    if lower.size == 0:
        return points, np.empty(0, dtype=np.int64)
    return points, nearest_points(lower, upper, points)
