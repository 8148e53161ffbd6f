r"""The doubly-nonnegative relaxation of a slice, solved approximately for its multipliers.

With the cardinality row e'x = l multiplied into x_j^2 = x_j and into itself, min F over the sets of a slice is relaxed

    min <C, X>   s.t.  e'X e = l^2,   X_jj = (X e)_j / l  for all j,   X psd,  X >= 0,

with C = M + (q e' + e q') / (2 l), for which x x' is feasible. Its dual has a multiplier y_j for each equation
X_jj = (X e)_j / l and N_jk >= 0 for each X_jk >= 0. They are all that a bound needs (see
`compactml.feature_selection.multipliers`), and any y and N >= 0 give one, so the relaxation need not be solved to the
end. The method is the alternating direction method of multipliers with three blocks (Wen, Goldfarb and Yin 2010);
A A* is a multiple of I plus one of ee' and is inverted in closed form.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from compactml.feature_selection.certified._kernels import iteration as compiled
from compactml.feature_selection.certified.negative_part import NegativePart

__all__ = ["Dual", "Relaxation", "State"]

Floats = NDArray[np.float64]

STEP = 1.6
FIRST_PENALTY = 2.0
"""Times 1 / n."""

BALANCE_EVERY, BALANCE_RATIO, BALANCE_FACTOR = 10, 1.5, 1.5

FEW, NORM_OF_X = 0.25, 0.8
"""Part of the features up to which few are chosen; the norm of X / l near the end, its trace being 1."""

COARSE = 3e-4
"""Change of X / l in an iteration above which single precision does for it: its errors are some 1e-6."""


class Dual(NamedTuple):
    """Multipliers and the point that goes with them.

    Attributes
    ----------
    y : ndarray of float, shape (n,)
    n : ndarray of float, shape (n, n)
        N, not negative, zero on the diagonal.
    x : ndarray of float, shape (n,)
        X e / l, summing up to l.
    """

    y: Floats
    n: Floats
    x: Floats


class State(NamedTuple):
    """An iterate, for the relaxation of another slice to start from: X / l, Z and N, the penalty, and eigenvectors."""

    x: Floats
    z: Floats
    n: Floats
    penalty: float
    negative_part: NegativePart

    def restricted(self, places: NDArray[np.intp]) -> State:
        """The rows and columns of some features."""
        square = np.ix_(places, places)
        return State(self.x[square], self.z[square], self.n[square], self.penalty, NegativePart())


class Relaxation:
    """The relaxation of one slice and the present iterate.

    Parameters
    ----------
    matrix : ndarray of float, shape (n, n)
        M.
    linear : ndarray of float, shape (n,)
        q.
    size : int
        l, with 1 - 2 / l + n / (2 l^2) > 0: not l = 1 with n = 2.
    start : State, optional
        Iterate to start from; 0 by default.
    """

    def __init__(self, matrix: Floats, linear: Floats, size: int, start: State | None = None) -> None:
        n, l = len(linear), size  # noqa: E741 (the paper's letter)
        c = matrix + (linear[:, None] + linear[None, :]) / (2 * l)
        self._scale = max(float(np.linalg.norm(c)) / n, np.finfo(float).tiny)
        c /= self._scale
        self._c = c
        self._size, self._b0 = l, l / n  # <J / n, X / l> = l / n
        if start is None:
            zeros = np.zeros((n, n))
            start = State(zeros, zeros, zeros, FIRST_PENALTY / n, NegativePart())
        self._x, self._penalty = start.x.copy(), start.penalty
        self._z, self._n = start.z / self._scale, start.n / self._scale
        self._y, self._rest = np.zeros(n), np.empty((n, n))
        self._iterations, self._negative_part, self._moved = 0, start.negative_part, np.inf

    def run(self, n_iterations: int, before_each: Callable[[], None] = lambda: None) -> Dual:
        """Go on for a number of iterations; ``before_each`` of them may raise to end it."""
        for _ in range(n_iterations):
            before_each()
            self._iterate()
        x = np.maximum(self._x.sum(axis=1), 0.0)
        x *= self._size / x.sum() if x.sum() > 0 else 0.0
        return Dual(self._y * self._scale, self._n * self._scale, x)

    @property
    def state(self) -> State:
        """The present iterate."""
        return State(
            self._x, self._z * self._scale, self._n * self._scale, self._penalty, self._negative_part
        )

    def _iterate(self) -> None:
        s = self._penalty
        sums, diagonal = compiled.sums_of_rest(self._c, self._x, self._z, self._n, s)
        y0, self._y = self._solve_normal(sums, diagonal)
        half = self._y / (2 * self._size)
        compiled.update_n(self._c, self._x, self._z, self._n, s, y0 / len(half), half, self._y, self._rest)
        negative = self._negative_part(self._rest, single=self._moved > COARSE)
        self._moved = compiled.update_x_and_z(self._rest, negative, s, STEP, self._x, self._z)
        self._iterations += 1
        if self._iterations % BALANCE_EVERY == 0:
            self._balance()

    def _solve_normal(self, sums: Floats, diagonal: Floats) -> tuple[float, Floats]:
        """Y = (A A*)^-1 (A(W) + b / s), by Sherman and Morrison, from W's row sums and diagonal."""
        n, l = len(sums), self._size  # noqa: E741
        tau = (1 - n / l) / n
        alpha, gamma = 1 - 2 / l + n / (2 * l * l), 1 / (2 * l * l) - tau * tau
        first = float(sums.sum()) / n + self._b0 / self._penalty
        v = diagonal - sums / l - tau * first
        y = (v - gamma * v.sum() / (alpha + gamma * n)) / alpha
        return first - tau * float(y.sum()), y

    def _balance(self) -> None:
        """Choose the penalty, which decides whether the residual of the primal or of the dual shrinks.

        Where few of many features are chosen X grows slowly from 0, so that the residuals say little for long; there
        X / s and Z get like norms (Lorenz and Tran-Dinh 2019), X with the one it will have. Elsewhere both residuals
        are kept alike.
        """
        norm = float(np.linalg.norm(self._z))
        if self._size <= FEW * len(self._y) and norm > 0:
            self._penalty = NORM_OF_X / norm
            return
        primal, dual = self._residuals()
        if primal > BALANCE_RATIO * dual:
            self._penalty /= BALANCE_FACTOR
        elif dual > BALANCE_RATIO * primal:
            self._penalty *= BALANCE_FACTOR

    def _residuals(self) -> tuple[float, float]:
        """Of the primal's and of the dual's equations, relative to their sides."""
        n, l = len(self._y), self._size  # noqa: E741
        sums = self._x.sum(axis=1)
        primal = np.hypot(sums.sum() / n - self._b0, np.linalg.norm(np.diagonal(self._x) - sums / l))
        dual = self._moved / self._penalty
        return float(primal) / (1 + self._b0), dual / (1 + float(np.linalg.norm(self._c)))
