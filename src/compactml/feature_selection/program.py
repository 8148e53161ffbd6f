"""The fractional 0-1 program (5), and those of mRMR (1), (2) and CFS (4).

    lambda* = max f(x) / g(x),   f(x) = a'x + x'Bx,   g(x) = c'x + x'Dx > 0,   x in {0,1}^p, x not 0

(Mehmanchi, Gómez and Prokopyev 2021). The paper mentions x != 0 only as an option; without it x = 0 makes every
parametric problem (15) nonnegative and no upper bound can be lowered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from compactml.errors import InvalidDataError, check_choice, check_finite, check_instance, check_integer
from compactml.feature_selection.building import Measures, Preparation, frozen, measure, symmetric
from compactml.feature_selection.coefficients import check_factor, coefficients
from compactml.feature_selection.discretize import Discretizer, as_array

__all__ = ["FractionalProgram", "cfs_program", "mrmr_program"]


@dataclass(frozen=True, eq=False, init=False)
class FractionalProgram:
    """Maximise (a'x + x'Bx) / (c'x + x'Dx) over binary x other than 0.

    B and D may be given in any form with the right double sums over ordered pairs; they are kept symmetric.

    Parameters
    ----------
    a, c : array-like of float, shape (p,)
    b, d : array-like of float, shape (p, p)
    names : sequence of str, optional
        Names of the variables, "0", "1", ... by default.
    features : array-like of int, shape (p,), optional
        Column of the data that each variable stands for, 0 .. p - 1 by default.
    measure : str, default "general"
        "mrmr" or "cfs" where it was built as such.
    size : int, optional
        The only number of features whose sets it values; by default it values all sets.
    preparation : Preparation, optional
        What was done to the table that it was built from.

    Raises
    ------
    InvalidDataError
        A wrong shape, values that are not finite or whose sums overflow, or g not positive on some single feature.

    Examples
    --------
    >>> from compactml.feature_selection import FractionalProgram, solve
    >>> program = FractionalProgram([3.0, 1.0], [[0, 0], [0, 0]], [1.0, 1.0], [[0, 0], [0, 0]])
    >>> program.value([0]), program.value([0, 1]), solve(program).support.tolist()
    (3.0, 2.0, [0])
    """

    a: NDArray[np.float64]
    b: NDArray[np.float64]
    c: NDArray[np.float64]
    d: NDArray[np.float64]
    names: tuple[str, ...]
    features: NDArray[np.intp]
    measure: str
    size: int | None
    preparation: Preparation

    def __init__(
        self,
        a: ArrayLike,
        b: ArrayLike,
        c: ArrayLike,
        d: ArrayLike,
        *,
        names: Sequence[str] | None = None,
        features: ArrayLike | None = None,
        measure: str = "general",
        size: int | None = None,
        preparation: Preparation | None = None,
    ) -> None:
        linear = coefficients("a", a, (None,))
        p = len(linear)
        if p == 0:
            raise InvalidDataError("a", "a vector with at least one entry", "none")
        check_instance("names", names, (Sequence, np.ndarray, type(None)))
        own_names = tuple(map(str, range(p) if names is None else names))
        own_features = np.arange(p) if features is None else as_array("features", features, 1)
        if len(own_names) != p or own_features.shape != (p,) or own_features.dtype.kind not in "iu":
            got = f"{len(own_names)}, {own_features.shape}"
            raise InvalidDataError("names and features", f"{p} of each", got)
        # The way to fill a frozen dataclass.
        vars(self).update(
            a=linear,
            b=symmetric(coefficients("b", b, (p, p))),
            c=coefficients("c", c, (p,)),
            d=symmetric(coefficients("d", d, (p, p))),
            names=own_names,
            features=own_features.astype(np.intp),
            measure=measure,
            size=None if size is None else check_integer("size", size, 1, p),
            preparation=preparation or Preparation(),
        )
        alone = self.c + np.diagonal(self.d)
        if not (alone > 0).all():
            j = int(np.argmin(alone))
            got = f"g = {alone[j]!r} on feature {own_names[j]}"
            raise InvalidDataError("c and d", "so that g(x) > 0", got)

    @classmethod
    def from_mrmr(
        cls,
        X: Any,
        y: Any,
        *,
        k: int | None = None,
        count_own_entropy: bool = False,
        discretizer: Discretizer = None,
        drop_constant: bool = True,
    ) -> FractionalProgram:
        """The program of mRMR for a table.

        Parameters and errors as of `compactml.feature_selection.measure`; see
        `compactml.feature_selection.mrmr_program` for the coefficients, ``k`` and ``count_own_entropy``.
        """
        measures = measure(X, y, discretizer=discretizer, drop_constant=drop_constant)
        return mrmr_program(measures, k, count_own_entropy=count_own_entropy)

    @classmethod
    def from_cfs(
        cls,
        X: Any,
        y: Any,
        *,
        su: str = "geometric",
        redundancy_factor: float = 2.0,
        discretizer: Discretizer = None,
        drop_constant: bool = True,
    ) -> FractionalProgram:
        """The program of CFS, (4), for a table.

        Parameters and errors as of `compactml.feature_selection.measure`; see
        `compactml.feature_selection.cfs_program` for the coefficients, ``su`` and ``redundancy_factor``.
        """
        measures = measure(X, y, discretizer=discretizer, drop_constant=drop_constant)
        return cfs_program(measures, su=su, redundancy_factor=redundancy_factor)

    @property
    def n_features(self) -> int:
        """Number of variables, p."""
        return len(self.a)

    def value(self, support: ArrayLike) -> float:
        """Value f / g of a set of features.

        Parameters
        ----------
        support : array-like
            Numbers of the variables in the set, or a mask of shape (p,).

        Raises
        ------
        InvalidDataError
            An empty set, a number out of range, or a set of another size than ``size``.
        """
        chosen = self.indices(support)
        if self.size is not None and len(chosen) != self.size:
            raise InvalidDataError("support", f"a set of {self.size} features", f"{len(chosen)}")
        numerator = self.a[chosen].sum() + self.b[np.ix_(chosen, chosen)].sum()
        return float(numerator / (self.c[chosen].sum() + self.d[np.ix_(chosen, chosen)].sum()))

    def indices(self, support: ArrayLike) -> NDArray[np.intp]:
        """Numbers of the variables of a set, sorted and each once."""
        p, allowed = self.n_features, f"a set of at least one of 0 .. {self.n_features - 1}"
        try:
            given = np.asarray(support)
            marks = given.dtype == bool and given.shape == (p,)
            chosen = np.unique(np.flatnonzero(given) if marks else given)
        except (TypeError, ValueError) as error:  # entries of several types or lengths
            raise InvalidDataError("support", allowed, repr(support)) from error
        if chosen.size == 0 or chosen.dtype.kind not in "iu" or chosen[0] < 0 or chosen[-1] >= p:
            raise InvalidDataError("support", allowed, repr(given.tolist()))
        return chosen.astype(np.intp)

    def parametric(self, t: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Objective f - t g of (15) as (q, Q) in q'x + x'Qx, with the diagonal of Q moved to q."""
        quadratic = self.b - t * self.d
        linear = self.a - t * self.c + np.diagonal(quadratic)
        np.fill_diagonal(quadratic, 0.0)
        return linear, quadratic


def mrmr_program(
    measures: Measures, k: int | None = None, *, count_own_entropy: bool = False
) -> FractionalProgram:
    """The program of mRMR, with or without a feature's own entropy among what is redundant.

    Parameters
    ----------
    measures : Measures
    k : int, optional
        Number of features; needed without own entropies, where the sets of each size have a program of their own.
    count_own_entropy : bool, default=False
        False: a set of k features has the value mean of I(f_j, C) less mean of I(f_j, f_k) over its k (k - 1) ordered
        pairs of different features, as mRMR packages have it; one feature has no redundancy. That is f / g with
        a_j = I(f_j, C), b_jk = -I(f_j, f_k) / (k - 1), c_j = 1. No set is better than the best one of a size less:
        its value is at most the mean over its subsets. So the best of all sizes is one feature.
        True: the paper's (2), b_jk = I(f_j, C) - I(f_j, f_k), d_jk = 1, over all ordered pairs with j = k. The entropy
        of each chosen feature counts as redundancy, which favours features that hardly vary; one program values the
        sets of all sizes, and ``k`` says nothing.

    Raises
    ------
    InvalidParameterError
        No ``k``, or one out of 1 .. p, where own entropies do not count.
    """
    check_instance("measures", measures, Measures)
    check_choice("count_own_entropy", count_own_entropy, (True, False))
    p = measures.n_features
    if count_own_entropy:
        a, c, d, size = np.zeros(p), np.zeros(p), np.ones((p, p)), None
        b = measures.relevance[:, None] - measures.redundancy
    else:
        size = check_integer("k", k, 1, p)
        a, c, d = measures.relevance, np.ones(p), np.zeros((p, p))
        b = measures.redundancy / (-(size - 1) if size > 1 else -np.inf)
        np.fill_diagonal(b, 0.0)
    return FractionalProgram(
        a,
        frozen(b),
        c,
        frozen(d),
        names=measures.names,
        features=measures.features,
        measure="mrmr",
        size=size,
        preparation=measures.preparation,
    )


def cfs_program(
    measures: Measures, *, su: str = "geometric", redundancy_factor: float = 2.0
) -> FractionalProgram:
    """The program of CFS, (4): b_jk = SU(f_j, C) SU(f_k, C), c_j = 1, d_jk = factor SU(f_j, f_k) for j != k.

    Parameters
    ----------
    measures : Measures
    su : {"geometric", "usual", "printed"}, default="geometric"
        See `symmetrical_uncertainty`.
    redundancy_factor : float, default=2.0
        2 over the ordered pairs as in the paper; 1 is the square of Hall's merit, in which each unordered pair counts
        twice.

    Raises
    ------
    InvalidParameterError
        Another ``su``, or a factor that is negative, not finite, or so large that sums overflow.
    """
    check_instance("measures", measures, Measures)
    factor = check_finite("redundancy_factor", redundancy_factor, 0.0)
    with_class, pairs = measures.uncertainty(su)
    np.fill_diagonal(pairs, 0.0)
    check_factor("redundancy_factor", factor, pairs)
    pairs *= factor
    p = measures.n_features
    return FractionalProgram(
        np.zeros(p),
        frozen(np.outer(with_class, with_class)),
        np.ones(p),
        frozen(pairs),
        names=measures.names,
        features=measures.features,
        measure="cfs",
        preparation=measures.preparation,
    )
