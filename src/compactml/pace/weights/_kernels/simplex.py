"""A small covering LP, min sum y subject to B y >= b and y >= 0, in compiled code.

It is solved some ten thousand times for supports of a few learners, where the call of a solver alone would cost a
hundred times the work. The primal simplex method runs on the dual, max b'p subject to B'p <= 1 and p >= 0, whose
basis is as large as the number of learners and whose slack basis is feasible from the start.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["INFEASIBLE", "OPTIMAL", "STOPPED", "cover", "gains", "game"]

OPTIMAL, INFEASIBLE, STOPPED = 0, 1, 2

TOLERANCE = 1e-9
PIVOT = 1e-7
SINGULAR = 1e-12  # a pivot that rounding leaves of a zero
REFACTOR = 40  # pivots after which the inverse is computed anew
PATIENCE = 60  # pivots without progress after which the rule that cannot cycle takes over
PERTURBATION = 1e-8
"""Of the right-hand side of the dual, so that pivots make progress: hard votes make it degenerate."""
GOLDEN = 0.6180339887498949
SHIFT = 2.0  # makes every margin in [-1, 1] positive, so that a game becomes a covering LP


@njit(cache=True)
def cover(
    B: NDArray[np.float64], b: NDArray[np.float64]
) -> tuple[int, NDArray[np.float64], NDArray[np.float64]]:
    """Solve the LP; return a status, y of shape (n,) and the multipliers p of shape (m,)."""
    m, n = B.shape
    basis = np.arange(m, m + n)  # numbers from m on are slacks
    right = np.empty(n)
    for i in range(n):
        right[i] = 1.0 + PERTURBATION * (0.5 + (i * GOLDEN) % 1.0)
    inverse, x = np.zeros((n, n)), right.copy()
    for i in range(n):
        inverse[i, i] = 1.0
    y, column = np.zeros(n), np.zeros(n)
    best, stalled, age = 0.0, 0, 0
    status = STOPPED
    for _ in range(50 * (n + 10)):
        y[:] = 0.0
        for i in range(n):
            if basis[i] < m:
                for j in range(n):
                    y[j] += b[basis[i]] * inverse[i, j]
        value = y.sum()
        stalled = 0 if value > best + 1e-12 else stalled + 1
        best = max(best, value)
        enters = _entering(B, b, y, stalled > PATIENCE)
        leaves = -1
        if enters >= 0:
            for i in range(n):
                column[i] = 0.0 if enters < m else inverse[i, enters - m]
                if enters < m:
                    for j in range(n):
                        column[i] += inverse[i, j] * B[enters, j]
            leaves = _leaving(x, column, basis, stalled > PATIENCE)
        if leaves >= 0:
            _pivot(inverse, x, column, leaves)
            basis[leaves] = enters
            age += 1
        elif age == 0:  # the answer comes from an inverse that is fresh
            status = OPTIMAL if enters < 0 else INFEASIBLE  # in the latter case the dual is unbounded
            break
        if leaves < 0 or age == REFACTOR:
            if not _invert(B, basis, right, inverse, x):
                break
            age = 0
    p = np.zeros(m)
    for i in range(n):
        if basis[i] < m:
            p[basis[i]] = max(inverse[i].sum(), 0.0)
    for i in range(n):
        y[i] = max(y[i], 0.0)
    return status, y, p


@njit(cache=True)
def _invert(
    B: NDArray[np.float64],
    basis: NDArray[np.int64],
    right: NDArray[np.float64],
    inverse: NDArray[np.float64],
    x: NDArray[np.float64],
) -> bool:
    """Invert the basis by elimination with row pivoting; False where rounding has made it singular."""
    m, n = B.shape
    work = np.zeros((n, 2 * n))
    for i in range(n):
        work[i, n + i] = 1.0
        if basis[i] < m:
            for j in range(n):
                work[j, i] = B[basis[i], j]
        else:
            work[basis[i] - m, i] = 1.0
    for i in range(n):
        pivot = i
        for k in range(i + 1, n):
            if abs(work[k, i]) > abs(work[pivot, i]):
                pivot = k
        for j in range(2 * n):
            work[i, j], work[pivot, j] = work[pivot, j], work[i, j]
        divisor = work[i, i]
        if abs(divisor) < SINGULAR:
            return False
        for j in range(i, 2 * n):
            work[i, j] /= divisor
        for k in range(n):
            factor = work[k, i]
            if k != i and factor != 0.0:
                for j in range(i, 2 * n):
                    work[k, j] -= factor * work[i, j]
    for i in range(n):
        x[i] = 0.0
        for j in range(n):
            inverse[i, j] = work[i, n + j]
            x[i] += inverse[i, j] * right[j]
    return True


@njit(cache=True)
def _entering(B: NDArray[np.float64], b: NDArray[np.float64], y: NDArray[np.float64], first: bool) -> int:
    """The row most violated by y, or the first violated one; -1 if there is none."""
    m, n = B.shape
    chosen, most = -1, TOLERANCE
    for i in range(m):
        gain = b[i]
        for j in range(n):
            gain -= B[i, j] * y[j]
        if gain > most:
            chosen = i
            if first:
                return chosen
            most = gain
    for j in range(n):
        if -y[j] > most:
            chosen = m + j
            if first:
                return chosen
            most = -y[j]
    return chosen


@njit(cache=True)
def _leaving(
    x: NDArray[np.float64], column: NDArray[np.float64], basis: NDArray[np.int64], first: bool
) -> int:
    """Place of the smallest ratio; among equals the largest pivot, or the smallest number."""
    chosen, least = -1, np.inf
    for i in range(x.size):
        if column[i] > PIVOT:
            ratio = max(x[i], 0.0) / column[i]
            closer = ratio < least - 1e-12
            equal = not closer and ratio <= least + 1e-12
            if equal:
                closer = basis[i] < basis[chosen] if first else column[i] > column[chosen]
            if closer:
                chosen, least = i, min(ratio, least)
    return chosen


@njit(cache=True)
def _pivot(
    inverse: NDArray[np.float64], x: NDArray[np.float64], column: NDArray[np.float64], place: int
) -> None:
    for j in range(x.size):
        inverse[place, j] /= column[place]
    x[place] /= column[place]
    for i in range(x.size):
        if i != place and column[i] != 0.0:
            for j in range(x.size):
                inverse[i, j] -= column[i] * inverse[place, j]
            x[i] -= column[i] * x[place]


@njit(cache=True)
def game(
    A: NDArray[np.float64], support: NDArray[np.int64]
) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
    """Largest least margin of weights on a support, with sum 1.

    Returns
    -------
    value : float
        The least margin that the weights reach; -inf if the simplex method did not end.
    weights : ndarray of float, shape (s,)
    multipliers : ndarray of float, shape (m,)
        With sum 1; no weights on the support reach more than max over the support of A'u, whatever the simplex
        method did.
    """
    m, s = A.shape[0], support.size
    B = np.empty((m, s))
    for i in range(m):
        for j in range(s):
            B[i, j] = A[i, support[j]] + SHIFT
    status, y, p = cover(B, np.ones(m))
    if status != OPTIMAL:
        total = p.sum()
        return -np.inf, y, (p / total if 0.0 < total < np.inf else np.full(m, 1.0 / m))
    w = y / y.sum()
    value = np.inf
    for i in range(m):
        margin = 0.0
        for j in range(s):
            margin += A[i, support[j]] * w[j]
        value = min(value, margin)
    return value, w, p / p.sum()


@njit(cache=True)
def gains(A: NDArray[np.float64], multipliers: NDArray[np.float64]) -> NDArray[np.float64]:
    """A'u, shape (k,)."""
    out = np.zeros(A.shape[1])
    for i in range(A.shape[0]):
        if multipliers[i] != 0.0:
            for h in range(A.shape[1]):
                out[h] += multipliers[i] * A[i, h]
    return out
