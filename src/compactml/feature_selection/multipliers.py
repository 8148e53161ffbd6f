r"""Multipliers that turn a slice into a convex quadratic problem, and the linear bounds these give.

For any y and N >= 0 with zero diagonal, binary x satisfies x'Mx = x'Kx + y'x + x'Nx >= x'Kx + y'x, where
K = M - Diag(y) - N. If K is positive semidefinite on the vectors that sum to 0, then phi(x) = x'Kx + (y + q)'x is
convex on e'x = l, and with the gradient G = 2 K x + y + q at any point of that plane,

    F(x') >= - x'Kx + G'x'      for every set x' of l features.

Neither does x have to be a minimum of phi, nor do y and N depend on l: the same multipliers serve all sizes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from compactml.feature_selection.parametric_form import BLOCK, ParametricForm

__all__ = ["Multipliers"]

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

TWICE, ENOUGH = 2.0, 2.25
"""Margins in rounding errors: of a matrix that is surely definite, and that which a shift adds to be so."""


@dataclass(frozen=True, eq=False)
class Multipliers:
    """y and N over some features, with K positive semidefinite on the vectors that sum to 0.

    Attributes
    ----------
    base : ndarray of int, shape (n,)
        The features, sorted.
    y : ndarray of float, shape (n,)
    n : ndarray of float32, shape (n, n)
        N, symmetric; single precision, as it is stored.
    """

    base: Indices
    y: Floats
    n: NDArray[np.float32]

    @classmethod
    def made_valid(
        cls,
        form: ParametricForm,
        base: Indices,
        y: Floats,
        n: Floats,
        check_clock: Callable[[], None] = lambda: None,
    ) -> Multipliers:
        """Shift y by as much as K lacks, and a little more for rounding; ``check_clock`` may raise on the way."""
        single = np.zeros(n.shape, dtype=np.float32)  # takes no memory before it is written to
        if n.any():
            single[:] = np.maximum((n + n.T) / 2, 0.0)
            np.fill_diagonal(single, 0.0)
        k = convex_part(form, base, y, single)
        size = max(float(k.max()), -float(k.min()))
        # Each use overwrites a matrix and the next one makes it anew: the largest program that memory holds is
        # decided here.
        projected = projected_matrix(k)
        trace = float(np.trace(projected))
        least = linalg.eigvalsh(
            projected.T, subset_by_index=(0, 0), driver="evr", overwrite_a=True, check_finite=False
        )[0]
        shift = max(0.0, -float(least))
        margin = ENOUGH * rounding(len(base), trace + len(base) * shift, size)
        del k, projected
        check_clock()
        while not _surely_definite(projected_matrix(convex_part(form, base, y, single)), shift, size):
            check_clock()
            shift, margin = shift + margin, 4 * margin  # the eigenvalue is computed with an error, too
        return cls(base, y - shift, single)

    def convex_matrix(self, form: ParametricForm) -> Floats:
        """K over the base, shape (n, n)."""
        return convex_part(form, self.base, self.y, self.n)


def convex_part(form: ParametricForm, base: Indices, y: Floats, n: NDArray[np.float32]) -> Floats:
    """K = M - Diag(y) - N over the features ``base``."""
    whole = len(base) == len(form.linear)
    k = (form.matrix if whole else form.matrix[np.ix_(base, base)]) - n
    k[np.diag_indices(len(base))] -= y
    return k


def projected_matrix(k: Floats) -> Floats:
    """P K P + s J / n with P = I - J / n and s its mean eigenvalue: positive definite iff K is on the plane.

    ``k`` is overwritten by it.
    """
    n = len(k)
    sums = k.sum(axis=1) / n
    out = k
    out -= sums[:, None]
    out -= sums[None, :]
    out += sums.sum() / n
    out += max(float(np.trace(out)), 1.0) / (n * n)
    for first in range(0, n, BLOCK):  # rows and columns of a block change places, so that no copy is held
        block = slice(first, first + BLOCK)
        mean = (out[block, first:] + out[first:, block].T) / 2
        out[block, first:], out[first:, block] = mean, mean.T
    return out


def rounding(n: int, trace: float, size: float) -> float:
    """A bound on the errors of a Cholesky factorisation (Rump 2006) and of a projection, as a shift of the diagonal.

    The projection adds up entries of ``size``, which may cancel: then the trace says nothing of its errors.
    """
    return float(np.finfo(float).eps) * (2 * (n + 2) * max(trace, 1e-3) + 8 * n * size)


def _surely_definite(matrix: Floats, shift: float, size: float) -> bool:
    """Whether matrix + shift I is positive definite with a margin of twice the rounding errors; it is overwritten."""
    n = len(matrix)
    diagonal = np.full(n, shift - TWICE * rounding(n, float(np.trace(matrix)) + n * shift, size))
    matrix[np.diag_indices(n)] += diagonal
    try:  # the transpose is the same matrix, and lies in memory as the factorisation wants it: no copy of its own
        linalg.cholesky(matrix.T, lower=True, overwrite_a=True, check_finite=False)
    except linalg.LinAlgError:
        return False
    return True
