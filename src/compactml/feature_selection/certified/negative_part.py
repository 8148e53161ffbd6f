"""The negative part of a symmetric matrix that changes a little from call to call."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray
from scipy import linalg
from scipy.sparse.linalg import lobpcg

__all__ = ["NegativePart"]

Floats = NDArray[np.float64]
Reals = NDArray[np.floating]

MANY = 0.2
"""Part of the eigenvalues up to which it pays to compute only the negative ones."""

LARGE = 1500
"""Order from which on the last eigenvectors are improved instead: with few of them that is several times faster."""

STEPS, SPARE = 3, 8
"""Iterations of that, and eigenvectors more than were needed last time."""


class NegativePart:
    """- sum of lambda v v' over the negative eigenvalues lambda of a matrix.

    Below the order `LARGE` they are computed directly, all of them while they are many and only the negative ones when
    they have become few. Above it, once they are few, the last ones are improved by LOBPCG (Knyazev 2001); that is
    inexact, which a first-order method that starts from its last iterate forgives.
    """

    def __init__(self) -> None:
        self._vectors: Reals | None = None
        self._n_negative: int | None = None

    def __call__(self, w: Floats, *, single: bool = False) -> Floats:
        """The negative part of (w + w') / 2, in single precision if that does."""
        kind = np.float32 if single and len(w) < LARGE else np.float64
        symmetric: Reals = ((w + w.T) / 2).astype(kind)
        values, vectors = self._eigenpairs(symmetric)
        negative = values < 0
        self._n_negative = int(negative.sum())
        if len(w) >= LARGE:
            self._vectors = vectors[:, : self._n_negative + SPARE]
        part = (vectors[:, negative] * -values[negative]) @ vectors[:, negative].T
        return part.astype(np.float64, copy=False)

    def _eigenpairs(self, w: Reals) -> tuple[Reals, Reals]:
        """Eigenvalues in rising order, among them all that are negative, and their vectors."""
        if self._n_negative is None or self._n_negative > MANY * len(w):
            values, vectors = linalg.eigh(w, driver="evd", check_finite=False)
            return values, vectors
        if self._vectors is not None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # that it has not converged is meant
                values, vectors = lobpcg(w, self._vectors, largest=False, tol=1e-6, maxiter=STEPS)
            if values.max() >= 0:  # none can be missing
                return values, vectors
        values, vectors = linalg.eigh(
            w,
            subset_by_index=(0, min(self._n_negative + 2 * SPARE, len(w)) - 1),
            driver="evr",
            check_finite=False,
        )
        if values[-1] < 0:
            values, vectors = linalg.eigh(w, driver="evd", check_finite=False)
        return values, vectors
