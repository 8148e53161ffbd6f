"""From a table and its classes to the entropies and mutual informations behind mRMR and CFS."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from compactml.errors import InvalidDataError, check_choice
from compactml.feature_selection.discretize import Codes, Discretizer, as_table, encode
from compactml.feature_selection.errors import NoUsableFeatureError
from compactml.feature_selection.measures import (
    class_information,
    entropies,
    information_of_pairs,
    symmetrical_uncertainty,
)
from compactml.feature_selection.targets import coded_target

__all__ = ["Coded", "Measures", "Preparation", "coded", "frozen", "measure", "measures_of", "symmetric"]

Floats = NDArray[np.float64]


def frozen(matrix: Floats) -> Floats:
    """Return a matrix that nobody writes to any more, so that who keeps it need not copy it."""
    matrix.flags.writeable = False
    return matrix


def symmetric(matrix: Floats) -> Floats:
    """Return the symmetric matrix with the same double sums, itself where it is one."""
    return matrix if (matrix == matrix.T).all() else frozen((matrix + matrix.T) / 2)


@dataclass(frozen=True)
class Preparation:
    """What was noticed about the columns of a table.

    Attributes
    ----------
    constant : tuple of str
        Columns left out because they have one value.
    equal : tuple of tuple of str
        Groups of columns that are the same up to names of their values; all of them were kept.

    Examples
    --------
    >>> from compactml.feature_selection import measure
    >>> measure([[0, 0, 7], [1, 1, 7]], [0, 1]).preparation
    Preparation(constant=('2',), equal=(('0', '1'),))
    """

    constant: tuple[str, ...] = ()
    equal: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, eq=False)
class Measures:
    """What the features of a table say about its classes and about each other, in nats.

    Attributes
    ----------
    relevance : ndarray of float, shape (p,)
        I(f_j, C).
    redundancy : ndarray of float, shape (p, p)
        I(f_j, f_k), the entropies H(f_j) on the diagonal.
    class_entropy : float
        H(C).
    names : tuple of str
    features : ndarray of int, shape (p,)
        Column of the table that each feature is.
    preparation : Preparation
        Constant columns left out, and groups of equal features.

    Examples
    --------
    >>> from compactml.feature_selection import measure
    >>> X = [[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]]
    >>> measures = measure(X, [0, 1, 2, 3])
    >>> measures.relevance.round(4).tolist(), round(measures.class_entropy, 4)  # ln 2 and ln 4
    ([0.6931, 0.6931, 0.6931], 1.3863)
    """

    relevance: Floats
    redundancy: Floats
    class_entropy: float
    names: tuple[str, ...]
    features: NDArray[np.intp]
    preparation: Preparation

    @property
    def n_features(self) -> int:
        """Number of features, p."""
        return len(self.relevance)

    @property
    def entropy(self) -> Floats:
        """H(f_j), shape (p,)."""
        return np.diagonal(self.redundancy)

    def uncertainty_with_class(self, su: str = "geometric") -> Floats:
        """Symmetrical uncertainty with the class, shape (p,)."""
        return symmetrical_uncertainty(self.relevance, self.entropy, self.class_entropy, su)

    def uncertainty(self, su: str = "geometric") -> tuple[Floats, Floats]:
        """Symmetrical uncertainty with the class, shape (p,), and of pairs, shape (p, p).

        See `symmetrical_uncertainty` for the variants ``su``.
        """
        own = self.entropy
        return self.uncertainty_with_class(su), symmetrical_uncertainty(
            self.redundancy, own[:, None], own, su
        )


@dataclass(frozen=True, eq=False)
class Coded:
    """A table and its target as symbols.

    Attributes
    ----------
    codes : ndarray of int, shape (n, p)
        Of the features.
    target : ndarray of int, shape (n,)
    numbers : bool
        Whether the target is one of numbers, in bins.
    names, features, preparation
        As of `Measures`.
    """

    codes: Codes
    target: Codes
    numbers: bool
    names: tuple[str, ...]
    features: NDArray[np.intp]
    preparation: Preparation

    def rows(self, rows: NDArray[np.intp]) -> Coded:
        """Some rows, and the features that vary there.

        Raises
        ------
        NoUsableFeatureError
            None does.
        """
        codes = self.codes[rows]
        used = np.flatnonzero((codes != codes[0]).any(axis=0))
        if used.size == 0:
            raise NoUsableFeatureError(codes.shape[1])
        names = tuple(self.names[j] for j in used)
        return replace(
            self, codes=codes[:, used], target=self.target[rows], names=names, features=self.features[used]
        )


def measure(
    X: Any,
    y: Any,
    *,
    discretizer: Discretizer = None,
    drop_constant: bool = True,
    target: str = "classes",
) -> Measures:
    """Estimate the entropies and mutual informations that mRMR and CFS are made of.

    Parameters
    ----------
    X : DataFrame or array-like, shape (n, p)
    y : array-like, shape (n,)
        Class labels.
    discretizer : str, pair or None, default=None
        See `encode`.
    drop_constant : bool, default=True
        Leave out columns with one value. A constant says nothing, yet it is a legal feature: its mRMR value is 0, more
        than the optimum of tables where that is negative (the paper's Sports_articles), and beside other features it
        dilutes their redundancy. In CFS it only lowers the value of a set.
    target : {"classes", "numbers", "auto"}, default="classes"
        What y is, see `encode_target`.

    Returns
    -------
    Measures

    Raises
    ------
    NoUsableFeatureError
        All columns are constant and constants are left out.
    InvalidDataError
        Fewer than two samples or classes, lengths that differ, or what `encode` refuses.
    ContinuousFeaturesError, InvalidParameterError
        From `encode`.

    Notes
    -----
    Equal features (the same up to names of the values) are reported and kept: a set with two copies can be better than
    every set with one. With C = 0011, f_1 = f_2 = C and f_3 = 0101 the set of all three has the mRMR value log(2)/9 and
    no other set one above 0.
    """
    return measures_of(coded(X, y, discretizer=discretizer, drop_constant=drop_constant, target=target))


def coded(
    X: Any, y: Any, *, discretizer: Discretizer, drop_constant: bool = True, target: str = "classes"
) -> Coded:
    """Encode a table and its target; parameters and errors as of `measure`."""
    check_choice("drop_constant", drop_constant, (True, False))
    table, (labels, numbers) = as_table(X), coded_target(y, target)
    if len(table) < 2:
        raise InvalidDataError("X", "a table with at least two rows", f"{len(table)} sample")
    if len(labels) != len(table):
        raise InvalidDataError("y", f"{len(table)} labels, one for each row of X", f"{len(labels)}")
    codes = encode(table, discretizer)
    varies = codes.any(axis=0)  # the codes of a constant are all 0
    used = np.flatnonzero(varies) if drop_constant else np.arange(codes.shape[1])
    if used.size == 0:
        raise NoUsableFeatureError(codes.shape[1])
    every_name = tuple(map(str, table.columns))
    codes, names = codes[:, used], tuple(every_name[j] for j in used)
    dropped = tuple(every_name[j] for j in np.flatnonzero(~varies)) if drop_constant else ()
    return Coded(codes, labels, numbers, names, used, Preparation(dropped, _equal_groups(codes, names)))


def measures_of(table: Coded, look: Callable[[float], object] | None = None) -> Measures:
    """Estimate what `measure` does from codes; see `information_of_pairs` for ``look``."""
    return Measures(
        class_information(table.codes, table.target),
        information_of_pairs(table.codes, look),
        float(entropies(table.target[:, None])[0]),
        table.names,
        table.features,
        table.preparation,
    )


def _equal_groups(codes: Codes, names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Names of the features that are equal but for the names of their values; groups of at least two."""
    groups: dict[bytes, list[str]] = {}
    for column, name in zip(codes.T, names, strict=True):
        by_appearance, _ = pd.factorize(column)
        groups.setdefault(by_appearance.astype(np.int32).tobytes(), []).append(name)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)
