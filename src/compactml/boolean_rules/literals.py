"""Literals as sets of bins of attributes: the one form in which clauses are learned, printed and applied.

Every attribute (a column of the user's table) is cut into bins, and row i lies in bin ``codes[i, a]`` of attribute a.
A literal is true on a range of bins ``lo <= code < hi`` of one attribute, or outside it (``complement``). With this
form one pass over the rows gives the coverage of *all* literals of an attribute by prefix sums, although the number of
0/1 columns that they stand for is 10 to 20 times larger.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compactml.errors import InvalidDataError, InvalidParameterError

__all__ = ["Literals"]


@dataclass(frozen=True)
class Literals:
    """The binary features j = 1..d of Dash, Günlük and Wei (2018), section 2.

    Attributes
    ----------
    attribute : ndarray of int32, shape (d,)
        Column of ``codes`` that the literal looks at.
    lo, hi : ndarray of int32, shape (d,)
        Range of bins, ``lo`` included, ``hi`` not.
    complement : ndarray of bool, shape (d,)
        True where the literal holds outside the range.
    group : ndarray of int32, shape (d,)
        Literals of one group are nested (``<=`` with several thresholds) or exclude one another (``==``), so that no
        irreducible clause needs two of them.
    names : tuple of str
        Readable text, e.g. ``"age <= 43"``.
    n_bins : ndarray of int32, shape (n_attributes,)
        Bins of each attribute; codes outside ``0..n_bins-1`` are allowed in `evaluate` only (values not seen in
        training).

    Examples
    --------
    >>> import numpy as np
    >>> from compactml.boolean_rules import Literals
    >>> literals = Literals.binary(["a", "b"])
    >>> len(literals), literals.names
    (2, ['a', 'b'])
    """

    attribute: NDArray[np.int32]
    lo: NDArray[np.int32]
    hi: NDArray[np.int32]
    complement: NDArray[np.bool_]
    group: NDArray[np.int32]
    names: tuple[str, ...]
    n_bins: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.names)

    @classmethod
    def binary(cls, names: tuple[str, ...]) -> Literals:
        """Every 0/1 column is an attribute of its own with the single literal "is 1".

        Raises
        ------
        InvalidParameterError
            What is no sequence of texts.
        """
        listed = isinstance(names, Sequence) and not isinstance(names, str | bytes)
        if not listed or not all(isinstance(name, str) for name in names):
            raise InvalidParameterError("names", "a text for each column", names)
        d = len(names)
        own = np.arange(d, dtype=np.int32)
        ones = np.ones(d, dtype=np.int32)
        return cls(own, ones, ones * 2, np.zeros(d, dtype=bool), own, names, ones * 2)

    def negated(self) -> Literals:
        """The opposite of every literal, in the same order; a CNF is a DNF of these for the other class.

        Thresholds stay nested. Literals that excluded one another do not any more and get groups of their own.
        """
        nested = np.zeros(len(self), dtype=bool)
        for group in np.unique(self.group):
            own = self.group == group
            nested[own] = len(np.unique(self.lo[own])) == 1 or len(np.unique(self.hi[own])) == 1
        alone = self.group.max(initial=-1) + 1 + np.arange(len(self), dtype=np.int32)
        _, group = np.unique(np.where(nested, self.group, alone), return_inverse=True)
        return replace(self, complement=~self.complement, group=group.astype(np.int32))

    def take(self, chosen: Sequence[int] | NDArray[np.intp]) -> Literals:
        """The literals with these indices, in this order."""
        index = np.asarray(chosen, dtype=np.intp)
        return Literals(
            self.attribute[index],
            self.lo[index],
            self.hi[index],
            self.complement[index],
            self.group[index],
            tuple(self.names[j] for j in index),
            self.n_bins,
        )

    def evaluate(self, codes: NDArray[np.integer]) -> NDArray[np.bool_]:
        """0/1 matrix x_ij of the literals.

        Parameters
        ----------
        codes : ndarray of int, shape (n, n_attributes)

        Returns
        -------
        ndarray of bool, shape (n, d)

        Raises
        ------
        InvalidDataError
            ``codes`` are no integers, or of another number of attributes.
        """
        codes = _matrix(codes)
        if codes.ndim != 2 or codes.shape[1] != len(self.n_bins):
            raise InvalidDataError(
                "codes", f"a matrix with {len(self.n_bins)} columns", f"shape {codes.shape}"
            )
        values = codes[:, self.attribute]
        last = self.hi - 1  # a bin: unlike hi it fits into the type of the codes
        return (
            (values >= self.lo.astype(codes.dtype)) & (values <= last.astype(codes.dtype))
        ) != self.complement


def _matrix(codes: Any) -> NDArray[np.integer]:
    try:
        array = np.asarray(codes)
    except ValueError as error:  # rows of different lengths
        raise InvalidDataError("codes", "a matrix of integers", str(error)) from error
    if array.dtype.kind not in "biu":
        raise InvalidDataError("codes", "a matrix of integers", f"dtype {array.dtype}")
    return array
