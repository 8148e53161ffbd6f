"""How late HiGHS may stop: what it does without a look at its clock, measured on 1.16.0.

Presolve, the symmetry search and feasibility jump never look at it; the dual simplex method does between two pivots,
and not while it computes the weights of all rows for a basis that it is handed.
"""

from __future__ import annotations

import numpy as np

from compactml.solvers.problem import MixedIntegerProgram

__all__ = ["in_haste", "is_deaf", "lateness"]

PRESOLVE_SECONDS = 3e-5
"""For each non-zero, what HiGHS surely takes until it looks at the clock for the first time: half of what was measured
on a linear form of 250 features, where a limit of 1 s ended after 7 s."""
LATE_SECONDS = 1.5e-6
"""In haste HiGHS stops late, so much for each non-zero: it hears of an earlier limit."""
PIVOT_SECONDS = 4.3e-10
"""For each pair of columns of the longest row: the ratio test of the dual simplex method compares them one by one. A
pivot of MILP1 on 1,000 features, with half a million columns in a row, took 108 s."""
WEIGHTS_SECONDS = 1e-8
"""For each row and each column that may be basic: with every new round of cuts the steepest edge weights of all rows
are computed. MILP3 on lung_discrete, 160,000 rows and 54,000 columns, took 88 s a round, and 36 s more than its 300."""
APART_FROM = 10.0
"""Seconds of a limit from which a process of its own is worth its start, of a second or so."""


def in_haste(problem: MixedIntegerProgram, time_limit: float) -> bool:
    """Return whether a limit is too short for presolve."""
    return time_limit < PRESOLVE_SECONDS * problem.matrix.nnz


def lateness(problem: MixedIntegerProgram, time_limit: float) -> float:
    """Return the seconds that HiGHS may go on after a limit that ends it before the first cuts."""
    late = LATE_SECONDS * problem.matrix.nnz if in_haste(problem, time_limit) else 0.0
    return late + _pivot(problem)


def is_deaf(problem: MixedIntegerProgram, time_limit: float) -> bool:
    """Return whether HiGHS may go on after its limit for longer than anybody has been promised."""
    rows, columns = problem.matrix.shape
    late = _pivot(problem) + WEIGHTS_SECONDS * rows * min(rows, columns)
    if not in_haste(problem, time_limit):  # presolve is on, and took twice what it surely takes
        late = max(late, 2 * PRESOLVE_SECONDS * problem.matrix.nnz - time_limit)
    return time_limit >= APART_FROM and late > max(1.0, 0.1 * time_limit)


def _pivot(problem: MixedIntegerProgram) -> float:
    longest = int(np.diff(problem.matrix.indptr).max(initial=0))
    return PIVOT_SECONDS * longest**2
