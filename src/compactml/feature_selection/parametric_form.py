"""The question behind every bound: is t g(x) - f(x) >= 0 for all sets of l features?

    F(x) = t g(x) - f(x) = x'Mx + q'x,     M = t D - B,  q = t c - a

F >= 0 on all sets says that no ratio exceeds t; a set with F < 0 has a ratio above t. A `Slice` asks it for the sets
of one size of which some features are in and some out already.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from compactml.feature_selection.program import FractionalProgram

__all__ = ["BLOCK", "ParametricForm", "Slice", "partners"]

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

BLOCK = 256
"""Rows at a time, where a whole copy would be one more matrix of all pairs to hold."""


def partners(matrix: Floats) -> Iterator[tuple[slice, Floats]]:
    """Yield rows of a square matrix, a `BLOCK` at a time, as a copy with infinity in each row's own column."""
    for first in range(0, len(matrix), BLOCK):
        rows = slice(first, first + BLOCK)
        block = matrix[rows].copy()
        np.fill_diagonal(block[:, rows], np.inf)
        yield rows, block


@dataclass(frozen=True, eq=False)
class ParametricForm:
    """F for one threshold.

    Attributes
    ----------
    t : float
    matrix : ndarray of float, shape (p, p)
        M, symmetric.
    linear : ndarray of float, shape (p,)
        q.
    """

    t: float
    matrix: Floats
    linear: Floats

    @classmethod
    def of(cls, program: FractionalProgram, t: float) -> ParametricForm:
        """F of a program at threshold t."""
        return cls(t, t * program.d - program.b, t * program.c - program.a)

    @cached_property
    def scale(self) -> float:
        """Size of the numbers that are added up, for rounding errors."""
        largest = max(float(self.matrix.max()), -float(self.matrix.min()))
        return largest + float(np.abs(self.linear).max())

    def whole(self, size: int) -> Slice:
        """All sets of a size."""
        p = len(self.linear)
        return Slice(self, np.arange(p), np.zeros(0, dtype=np.intp), size)


@dataclass(frozen=True, eq=False)
class Slice:
    """Sets that hold the features ``inside`` and ``left`` of the ``free`` ones.

    Attributes
    ----------
    form : ParametricForm
    free : ndarray of int
        Features not decided, sorted.
    inside : ndarray of int
    left : int
    """

    form: ParametricForm
    free: Indices
    inside: Indices
    left: int

    @property
    def matrix(self) -> Floats:
        """M over the free features, shape (n, n)."""
        if len(self.free) == len(self.form.linear):
            return self.form.matrix
        return self.form.matrix[np.ix_(self.free, self.free)]

    @property
    def linear(self) -> Floats:
        """What a free feature adds besides M over the free ones: q + 2 M 1_inside, shape (n,)."""
        linear = self.form.linear[self.free]
        if len(self.inside):
            linear = linear + 2.0 * self.form.matrix[np.ix_(self.free, self.inside)].sum(axis=1)
        return linear

    @property
    def constant(self) -> float:
        """F of ``inside`` alone."""
        own = self.form.matrix[np.ix_(self.inside, self.inside)].sum()
        return float(own + self.form.linear[self.inside].sum())

    def decide(self, into: Indices, out: Indices) -> Slice:
        """The slice with more features decided."""
        free = np.setdiff1d(self.free, np.concatenate([into, out]), assume_unique=True)
        inside = np.sort(np.concatenate([self.inside, into]))
        return Slice(self.form, free, inside, self.left - len(into))
