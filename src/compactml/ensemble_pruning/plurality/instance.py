"""The votes of classifiers for several classes, equal points brought together, as margins that must be met.

A point of class y is called rightly by a set S iff for every other class c the votes for y exceed those for c, or equal
them where y comes first in the order of the classes. With d = [votes y] - [votes c], a number in {-1, 0, 1} for each
classifier, this is

    sum of d_k over the members k of S >= delta,    delta = 1 where c comes before y, else 0.

So a point is a handful of rows (d, delta), and it is called rightly iff all of them hold.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from compactml.checks import array_of
from compactml.ensemble_pruning.instance import LARGEST_EXACT
from compactml.errors import InvalidDataError, check_choice

__all__ = ["OBJECTIVES", "PluralityInstance", "plurality"]

OBJECTIVES = ("accuracy", "balanced_accuracy")
CELLS_AT_ONCE = 2**24
"""Of rows of margins, each a byte: what making them takes of memory."""


def plurality(codes: NDArray[np.intp], n_classes: int) -> NDArray[np.int64]:
    """Votes for each class, shape (n, C), of codes of classes, shape (n, s)."""
    return np.stack([(codes == c).sum(axis=1) for c in range(n_classes)], axis=1)


@dataclass(frozen=True, eq=False)
class PluralityInstance:
    """Points that some sets of classifiers call rightly and others wrongly, and the margins that decide it.

    Attributes
    ----------
    classes : ndarray, shape (C,)
        Sorted; ties go to the first.
    codes : ndarray of int, shape (n, K)
        Which class each classifier votes for.
    y : ndarray of int, shape (n,)
    worth : tuple of Fraction
        What a right call of a point of each class is worth.
    margins : ndarray of int8, shape (r, K)
        d of each row; those of a point lie together.
    deltas : ndarray of int8, shape (r,)
    first : ndarray of int, shape (m,)
        The first row of each point that is not decided.
    gains : ndarray of float, shape (m,)
        What calling it rightly is worth, in ``unit``, equal points together.
    offset : float
        What the points are worth that every non-empty set calls rightly, in ``unit``.
    unit : float
    integral : bool
        Whether gains are integers.

    Examples
    --------
    >>> from compactml.ensemble_pruning import PluralityInstance
    >>> votes = [["a", "a", "b"], ["b", "c", "b"], ["c", "c", "c"], ["b", "a", "a"]]
    >>> instance = PluralityInstance.from_votes(votes, ["a", "b", "c", "a"])
    >>> instance.offset, len(instance.gains)  # all three are right on the third point
    (1.0, 3)
    """

    classes: NDArray[Any]
    codes: NDArray[np.intp]
    y: NDArray[np.intp]
    worth: tuple[Fraction, ...]
    margins: NDArray[np.int8]
    deltas: NDArray[np.int8]
    first: NDArray[np.intp]
    gains: NDArray[np.float64]
    offset: float
    unit: float
    integral: bool

    @classmethod
    def from_votes(cls, votes: ArrayLike, y: ArrayLike, objective: Any = "accuracy") -> PluralityInstance:
        """Bring equal points together.

        Parameters
        ----------
        votes : array-like of labels, shape (n, K)
        y : array-like of labels, shape (n,)
        objective : {"accuracy", "balanced_accuracy"}

        Raises
        ------
        InvalidDataError, InvalidParameterError
        """
        check_choice("objective", objective, OBJECTIVES)
        classes, codes, labels = _coded(votes, y)
        worth = _worth(objective, labels, len(classes))
        unit, integral = _unit(worth, len(labels))
        points, counts = _distinct(np.column_stack([codes, labels]))
        weights = counts * np.array([float(one / unit) for one in worth])[points[:, -1]]
        at_once = max(CELLS_AT_ONCE // (len(classes) * points.shape[1]), 1)
        parts = [
            _open_rows(points[start : start + at_once], len(classes))
            for start in range(0, len(points), at_once)
        ]
        margins, deltas, n_rows, lost = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
        matters = n_rows > 0
        return cls(
            classes,
            codes,
            labels,
            worth,
            margins,
            deltas,
            np.cumsum(n_rows)[matters] - n_rows[matters],
            weights[matters],
            float(weights[~matters & ~lost].sum()),
            float(unit),
            integral,
        )

    @property
    def n_classifiers(self) -> int:
        return self.codes.shape[1]

    @property
    def points(self) -> NDArray[np.intp]:
        """Which point each row belongs to, shape (r,)."""
        ends = np.append(self.first[1:], len(self.deltas))
        return np.repeat(np.arange(len(self.first)), ends - self.first)

    @property
    def ideal(self) -> float:
        """Value in ``unit`` if every point that a set can call rightly were called so."""
        return self.offset + float(self.gains.sum())

    def value(self, selected: NDArray[np.intp]) -> float:
        """What a set is worth, counted from all points."""
        called = plurality(self.codes[:, selected], len(self.classes)).argmax(axis=1)
        right = np.bincount(self.y[called == self.y], minlength=len(self.classes))
        return float(sum(int(n) * one for n, one in zip(right, self.worth, strict=True)))

    def bound(self, errors: float) -> float:
        """Bound on the value from a proved lower bound on the worth of wrong calls, in ``unit``."""
        if self.integral:
            errors = math.ceil(errors - 1e-6)
        return float(self.unit * (self.ideal - max(errors, 0.0)))


def _coded(votes: ArrayLike, y: ArrayLike) -> tuple[NDArray[Any], NDArray[np.intp], NDArray[np.intp]]:
    """Classes in sorted order, and votes and labels as their numbers."""
    rows, labels = (array_of("an array of labels", *given) for given in (("votes", votes), ("y", y)))
    if rows.ndim != 2 or rows.shape[0] == 0 or rows.shape[1] < 2:
        raise InvalidDataError("votes", "of shape (n >= 1, K >= 2)", f"shape {rows.shape}")
    if labels.shape != (len(rows),):
        raise InvalidDataError("y", f"of shape ({len(rows)},)", f"shape {labels.shape}")
    for name, given in (("votes", rows), ("y", labels)):
        if given.dtype.kind == "f" and not np.isfinite(given).all():
            raise InvalidDataError(name, "labels of classes", "NaN or infinity")
    try:
        values = np.concatenate([rows.ravel(), labels])
        classes = np.unique(values)
        which = np.searchsorted(classes, values)  # of few classes: faster than the inverse of a sort
    except TypeError:
        raise InvalidDataError("votes, y", "labels of one type", "labels that cannot be compared") from None
    if rows.dtype.kind != labels.dtype.kind and "U" in (rows.dtype.kind, labels.dtype.kind):
        raise InvalidDataError("votes", f"labels of y's type, {labels.dtype}", f"dtype {rows.dtype}")
    return classes, which[: rows.size].reshape(rows.shape), which[rows.size :]


def _worth(objective: str, y: NDArray[np.intp], n_classes: int) -> tuple[Fraction, ...]:
    """1 for each point, or n / (C n_c) for one of class c: then the value is n times the balanced accuracy."""
    counts = np.bincount(y, minlength=n_classes)
    if objective == "accuracy":
        return (Fraction(1),) * n_classes
    present = int((counts > 0).sum())
    return tuple(Fraction(len(y), present * int(n)) if n else Fraction(0) for n in counts)


def _unit(worth: tuple[Fraction, ...], n: int) -> tuple[Fraction, bool]:
    """The unit in which all of them are coprime integers, 1 where n of them are too large to be exact."""
    scale = math.lcm(*(one.denominator for one in worth))
    unit = Fraction(math.gcd(*(int(one * scale) for one in worth)), scale)
    return (unit, True) if n * max(worth) / unit < LARGEST_EXACT else (Fraction(1), False)


def _distinct(rows: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Distinct rows of numbers from 0 in lexicographic order, and how often each occurs.

    Numbers with the highest byte first compare as texts do, and texts sort much faster than rows.
    """
    kind = np.min_scalar_type(int(rows.max())).newbyteorder(">")
    texts, counts = np.unique(_texts(rows.astype(kind)), return_counts=True)
    return texts.view(kind).reshape(len(texts), -1).astype(np.intp), counts


def _texts(rows: NDArray[Any]) -> NDArray[np.bytes_]:
    """Each row of the last axis as one text."""
    return rows.view(f"S{rows.shape[-1] * rows.itemsize}")[..., 0]


def _open_rows(
    points: NDArray[np.intp], n_classes: int
) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.intp], NDArray[np.bool_]]:
    """The rows that some non-empty sets meet and others do not, of points that some set calls rightly.

    Parameters
    ----------
    points : ndarray of int, shape (m, K + 1)
        Votes and the label.
    n_classes : int

    Returns
    -------
    margins : ndarray of int8, shape (r, K)
        d, for each point in lexicographic order without repetition.
    deltas : ndarray of int8, shape (r,)
    n_rows : ndarray of int, shape (m,)
        Of each point.
    lost : ndarray of bool, shape (m,)
        Points that no set calls rightly.
    """
    votes, labels = points[:, :-1], points[:, -1:]
    others = np.arange(n_classes - 1) + (np.arange(n_classes - 1) >= labels)
    right = (votes == labels).astype(np.int8)
    rows = np.empty((*others.shape, points.shape[1]), dtype=np.uint8)  # a number more, for texts have no sign
    rows[..., :-1] = 1 + right[:, np.newaxis] - (votes[:, np.newaxis] == others[..., np.newaxis])
    rows[..., -1] = 1 + (others < labels)
    texts = np.sort(_texts(rows), axis=1)
    fresh = np.ones(texts.shape, dtype=bool)
    fresh[:, 1:] = texts[:, 1:] != texts[:, :-1]
    rows = texts.view(np.uint8).reshape(rows.shape).astype(np.int8) - np.int8(1)
    d, delta = rows[..., :-1], rows[..., -1]
    lost = ((delta == 1) & ~(d == 1).any(axis=2)).any(axis=1)
    unsure = ((delta == 1) | (d == -1).any(axis=2)) & ~(d == 1).all(axis=2)
    kept = unsure & fresh & ~lost[:, np.newaxis]
    return d[kept], delta[kept], kept.sum(axis=1), lost
