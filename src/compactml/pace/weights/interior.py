"""The dual of (P1) by an interior-point method, without crossover: a point inside the face of optimal duals.

(P1) is degenerate: it mostly has many optimal duals, and the one that a solver returns prices the next learner. The
simplex method ends in a vertex of them, where few rows have a positive dual. An interior-point method ends near the
middle, where every row has one that has one in any optimal dual. The method is Mehrotra's predictor-corrector (1992):

    min  c'w   s.t.  A w - s = 1,  w, s >= 0        max  1'u   s.t.  A'u + z = c,  u, z >= 0
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from compactml.pace.weights.master import margin_matrix

__all__ = ["inner_duals"]

STEPS = 100
"""Of the method, at most; it takes some twenty."""
CLOSE = 1e-8
"""Gap and residuals at the end, as shares of the value."""
ACCURATE = 1e-6
"""Share of the value by which duals that are made feasible may fall short of it; more means that there are none."""
LARGEST_STEP = 0.99
"""Share of the way to the boundary that one step goes."""
RIDGE = 1e-14
"""Added to the diagonal of the normal equations, as a share of its largest entry."""

Floats = NDArray[np.float64]


@dataclass
class _Point:
    """A point of both programs, and how often each row counts."""

    w: Floats
    s: Floats
    u: Floats
    z: Floats

    @property
    def pairs(self) -> float:
        return float(self.s @ self.u + self.w @ self.z)


def inner_duals(margins: ArrayLike, value: float, costs: ArrayLike | None = None) -> Floats | None:
    """Return optimal duals of (P1) from inside their face, or None if the method does not come close enough.

    Equal rows share one dual, as they do at the centre.

    Parameters
    ----------
    margins : array-like of float, shape (m, k)
        Entries (18).
    value : float
        v_1, the optimum: the duals must reach it.
    costs : array-like of float, shape (k,), optional
        Of the learners; 1 in (P1).

    Returns
    -------
    ndarray of float, shape (m,), or None
        u >= 0 with A'u <= c.
    """
    matrix = margin_matrix(margins)
    rows, group, counts = np.unique(matrix, axis=0, return_inverse=True, return_counts=True)
    price = np.ones(matrix.shape[1]) if costs is None else np.asarray(costs, dtype=np.float64)
    point = _solved(rows, price, counts.astype(np.float64))
    if point is None:
        return None
    duals = point.u / max(1.0, float((point.u @ rows / price).max()))
    if not abs(duals.sum() - value) <= ACCURATE * max(1.0, value):
        return None
    return (duals / counts)[group.ravel()]


def _solved(A: Floats, c: Floats, counts: Floats) -> _Point | None:
    """Follow the central path, on which s u is ``counts`` times what w z is."""
    m, k = A.shape
    point = _Point(np.ones(k), np.ones(m), np.ones(m), np.ones(k))
    total = counts.sum() + k
    for _ in range(STEPS):
        short, over = 1.0 - A @ point.w + point.s, c - point.u @ A - point.z
        worth = 1.0 + abs(float(c @ point.w))
        gap = abs(float(c @ point.w - point.u.sum()))
        if max(gap, np.abs(short).max(), np.abs(over).max()) <= CLOSE * worth:
            return point
        try:
            factor = _factor(A, point)
        except (LinAlgError, ValueError):
            return None
        mu = point.pairs / total
        ahead = _direction(A, point, factor, short, over, -point.s * point.u, -point.w * point.z)
        near = _moved(point, ahead, *_lengths(point, ahead, 1.0))
        centre = (near.pairs / point.pairs) ** 3 * mu
        rows_wanted = centre * counts - point.s * point.u - ahead.s * ahead.u
        columns_wanted = centre - point.w * point.z - ahead.w * ahead.z
        step = _direction(A, point, factor, short, over, rows_wanted, columns_wanted)
        point = _moved(point, step, *_lengths(point, step, LARGEST_STEP))
    return None


def _factor(A: Floats, point: _Point) -> tuple[Floats, bool]:
    normal = (A.T * (point.u / point.s)) @ A
    normal[np.diag_indices_from(normal)] += point.z / point.w + RIDGE * np.abs(normal).max()
    factor: tuple[Floats, bool] = cho_factor(normal)
    return factor


def _direction(
    A: Floats,
    point: _Point,
    factor: tuple[Floats, bool],
    short: Floats,
    over: Floats,
    rows_wanted: Floats,
    columns_wanted: Floats,
) -> _Point:
    """A Newton step that ends both residuals and changes the products s u and w z by what is wanted."""
    right = ((rows_wanted + point.u * short) / point.s) @ A + columns_wanted / point.w - over
    dw = cho_solve(factor, right)
    ds = A @ dw - short
    du = (rows_wanted - point.u * ds) / point.s
    dz = (columns_wanted - point.z * dw) / point.w
    return _Point(dw, ds, du, dz)


def _lengths(point: _Point, step: _Point, share: float) -> tuple[float, float]:
    """How far the primal and the dual part can go, at most the whole step."""
    primal = min(_room(point.w, step.w), _room(point.s, step.s))
    dual = min(_room(point.u, step.u), _room(point.z, step.z))
    return min(1.0, share * primal), min(1.0, share * dual)


def _room(at: Floats, step: Floats) -> float:
    falling = step < 0
    return float((-at[falling] / step[falling]).min(initial=np.inf))


def _moved(point: _Point, step: _Point, primal: float, dual: float) -> _Point:
    return _Point(
        point.w + primal * step.w,
        point.s + primal * step.s,
        point.u + dual * step.u,
        point.z + dual * step.z,
    )
