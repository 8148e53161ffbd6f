"""A training set of the master problem (1)-(4): distinct rows with multiplicities, and literals that differ on them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from compactml.boolean_rules.literals import Literals
from compactml.checks import array_of
from compactml.errors import InvalidDataError, check_instance

__all__ = ["Clause", "Instance"]

MOST_WEIGHT = 1 << 36
"""Of all rows together: sums of weights times `compactml.boolean_rules.UNIT` stay whole 64-bit numbers."""

_array = partial(array_of, "an array")
Clause = tuple[int, ...]
"""Literals of a conjunction, as increasing indices into `Instance.literals`."""


@dataclass(frozen=True)
class Instance:
    """Rows u = 1..U of distinct codes, seen ``positives[u]`` times with y = 1 and ``negatives[u]`` times with y = 0.

    Attributes
    ----------
    literals : Literals
        The literals that a clause may use: none without a row, no two with the same rows.
    kept : ndarray of intp, shape (len(literals),)
        Their indices in the literals given to `from_codes`.
    codes : ndarray of uint8, uint16 or uint32, shape (U, n_attributes)
    positives, negatives : ndarray of int64, shape (U,)

    Examples
    --------
    >>> import numpy as np
    >>> from compactml.boolean_rules import Instance, Literals
    >>> y = np.array([True, True, False, False])
    >>> X = np.array([[1, 1], [1, 0], [0, 1], [0, 0]])
    >>> instance = Instance.from_codes(X, y, Literals.binary(["a", "b"]))
    >>> int(instance.n_positives), instance.codes.shape
    (2, (4, 2))
    """

    literals: Literals
    kept: NDArray[np.intp]
    codes: NDArray[np.unsignedinteger]
    positives: NDArray[np.int64]
    negatives: NDArray[np.int64]

    @classmethod
    def from_codes(
        cls,
        codes: NDArray[np.integer],
        y: NDArray[np.bool_],
        literals: Literals,
        weights: NDArray[np.int64] | None = None,
    ) -> Instance:
        """Group equal rows.

        Parameters
        ----------
        codes : ndarray of int, shape (n, n_attributes)
            Bin of each attribute, all within ``literals.n_bins``.
        y : ndarray of bool, shape (n,)
            True for the class that the rules describe.
        literals : Literals
        weights : ndarray of int64, shape (n,), optional
            How often each row counts; one with 0 is as if it were not there.

        Raises
        ------
        InvalidDataError
            No rows, another number of attributes, a code outside its attribute's bins, a ``y`` of another length or
            type, or weights that are negative, all zero or above `MOST_WEIGHT` in all.
        """
        check_instance("literals", literals, Literals)
        codes, y = _array("codes", codes), _array("y", y)
        n_attributes = len(literals.n_bins)
        if codes.ndim != 2 or codes.shape[0] == 0 or codes.shape[1] != n_attributes:
            allowed = f"a matrix with at least one row and {n_attributes} columns"
            raise InvalidDataError("codes", allowed, f"shape {codes.shape}")
        if codes.dtype.kind not in "iu" and not (codes.dtype.kind == "b" and n_attributes):
            raise InvalidDataError("codes", "integers", f"dtype {codes.dtype}")
        if y.shape != (codes.shape[0],) or y.dtype != bool:
            allowed = f"true or false for each of {codes.shape[0]} rows"
            raise InvalidDataError("y", allowed, f"shape {y.shape} and type {y.dtype}")
        if codes.min(initial=0) < 0 or (codes >= literals.n_bins).any():
            raise InvalidDataError("codes", "inside the bins of their attribute", "a code outside them")
        if weights is not None:
            weights = _array("weights", weights)
            _check_weights(weights, len(codes))
            used = weights > 0
            codes, y, weights = codes[used], y[used], weights[used]
        counts = (
            np.ones(len(codes)) if weights is None else weights.astype(float)
        )  # whole numbers below 2**53
        small = codes.astype(np.min_scalar_type(max(int(literals.n_bins.max(initial=0)) - 1, 0)))
        rows, inverse = _distinct(small)
        kept = _distinguishing(rows, literals)
        return cls(
            literals=_with_dense_groups(literals.take(kept)),
            kept=kept,
            codes=rows,
            positives=np.bincount(inverse, weights=counts * y, minlength=len(rows)).astype(np.int64),
            negatives=np.bincount(inverse, weights=counts * ~y, minlength=len(rows)).astype(np.int64),
        )

    @property
    def n_positives(self) -> int:
        """Number of positive samples, the size of P."""
        return int(self.positives.sum())

    @cached_property
    def positive_rows(self) -> NDArray[np.intp]:
        """Rows with at least one positive sample: those of constraint (2)."""
        return np.flatnonzero(self.positives)

    def places(self, codes: NDArray[np.integer]) -> NDArray[np.intp]:
        """The row of the instance that each of the rows is that it was made of, all with a weight above 0."""
        return _distinct(codes.astype(self.codes.dtype))[1]

    def truth(self, literal: int) -> NDArray[np.bool_]:
        """Rows on which one literal is true, shape (U,)."""
        one, column = self.literals, self.codes[:, self.literals.attribute[literal]]
        return ((column >= one.lo[literal]) & (column < one.hi[literal])) != one.complement[literal]

    def covered(self, clause: Clause) -> NDArray[np.bool_]:
        """Rows that satisfy every literal of a clause, shape (U,)."""
        rows = self.truth(clause[0])
        for literal in clause[1:]:
            rows &= self.truth(literal)
        return rows

    def hamming_loss(self, clauses: list[Clause]) -> int:
        """Objective (1) of a rule set: positives without a clause plus, for each negative, its number of clauses."""
        counts = np.zeros(len(self.codes), dtype=np.int64)
        for clause in clauses:
            counts += self.covered(clause)
        return int(self.positives[counts == 0].sum() + (self.negatives * counts).sum())


def _check_weights(weights: NDArray[np.int64], n: int) -> None:
    if weights.shape != (n,) or weights.dtype.kind not in "iu":
        raise InvalidDataError(
            "weights",
            f"a whole number for each of {n} rows",
            f"shape {weights.shape} and type {weights.dtype}",
        )
    if weights.min() < 0 or weights.max() > MOST_WEIGHT or not 0 < int(weights.sum()) <= MOST_WEIGHT:
        allowed = f"not negative, and above 0 and at most {MOST_WEIGHT} in all"
        raise InvalidDataError("weights", allowed, f"{weights.min()} at least, {weights.sum()} in all")


def _distinct(codes: NDArray[np.unsignedinteger]) -> tuple[NDArray[np.unsignedinteger], NDArray[np.intp]]:
    """Distinct rows and, for each row, which one it is."""
    if codes.shape[1] == 0:
        return codes[:1], np.zeros(len(codes), dtype=np.intp)
    keys = np.ascontiguousarray(codes).view([("", np.void, codes.dtype.itemsize * codes.shape[1])]).ravel()
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    return np.ascontiguousarray(codes[first]), inverse


def _distinguishing(rows: NDArray[np.unsignedinteger], literals: Literals) -> NDArray[np.intp]:
    """The literals true on some row, and of those true on the same rows the first."""
    seen: dict[bytes, int] = {}
    for j, attribute in enumerate(literals.attribute):
        column = rows[:, attribute]
        true = ((column >= literals.lo[j]) & (column < literals.hi[j])) != literals.complement[j]
        if true.any():
            seen.setdefault(np.packbits(true).tobytes(), j)
    return np.array(sorted(seen.values()), dtype=np.intp)


def _with_dense_groups(literals: Literals) -> Literals:
    """The same literals with groups numbered from 0 without holes."""
    _, group = np.unique(literals.group, return_inverse=True)
    return replace(literals, group=group.astype(np.int32))
