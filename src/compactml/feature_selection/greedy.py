"""Forward selection for mRMR and CFS: the heuristics that the paper compares with.

They are those of Brown et al. (2012) and Zhao et al. (2010) with the stopping rules of the scikit-feature repository,
which the paper names as its source. Their scores are not the values of the programs, so the best prefix of the order
of selection is found beside the set that the rule stops at.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from compactml.errors import InvalidDataError, InvalidParameterError, check_instance
from compactml.feature_selection.building import Measures
from compactml.feature_selection.measures import symmetrical_uncertainty
from compactml.feature_selection.program import FractionalProgram

__all__ = ["GreedyResult", "cfs_forward", "check_size", "mrmr_forward", "prefix_values"]

Floats = NDArray[np.float64]
Integers = NDArray[np.intp]

ROUNDING = 1e-12
"""Scores that differ by less are equal: the running sums should not decide a tie."""
CFS_WINDOW = 5
"""CFS stops when this many merits in a row do not increase."""
CFS_LEAST = 6
"""CFS does not look at the merits of fewer features."""


@dataclass(frozen=True, eq=False)
class GreedyResult:
    """A forward selection.

    Attributes
    ----------
    order : ndarray of int
        Features as they were added, each once.
    scores : ndarray of float
        Score of each when it was added; for CFS the merit of the set it completes.
    support : ndarray of int
        The set that the rule stops at, sorted.
    reported_size : int
        Number of entries that scikit-feature returns. Above ``len(support)`` when features run out before the rule
        stops: then it repeats the last feature (mRMR, once) or appends -1 (CFS).
    best_prefix : ndarray of int
        The prefix of ``order`` with the largest value in the program (the shortest of several), sorted.

    Examples
    --------
    >>> from compactml.feature_selection import measure, mrmr_forward, mrmr_program
    >>> X = [[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]]
    >>> measures = measure(X, [0, 1, 2, 3])
    >>> found = mrmr_forward(measures, mrmr_program(measures, count_own_entropy=True))
    >>> found.order[:2].tolist()
    [0, 2]
    """

    order: Integers
    scores: Floats
    support: Integers
    reported_size: int
    best_prefix: Integers


def mrmr_forward(measures: Measures, program: FractionalProgram, *, k: int | None = None) -> GreedyResult:
    """Forward selection by I(f, C) less the mean of I(f, g) over the features g chosen before.

    Parameters
    ----------
    measures : Measures
    program : FractionalProgram
        What the prefixes are valued by, over the same features.
    k : int, optional
        Number of features; that of the program where it values one size only. Otherwise features are added until a
        score is negative; that feature stays in. A score is never negative for the first.

    Returns
    -------
    GreedyResult

    Raises
    ------
    InvalidParameterError
        ``k`` is no integer in [1, p].
    InvalidDataError
        What are no measures and program over the same features.

    Notes
    -----
    The smallest index wins a tie.
    """
    _check(measures, program)
    check_size(k, measures.n_features)
    k = program.size if k is None else k
    if program.size not in (None, k):
        raise InvalidParameterError("k", f"None or {program.size}, the size that the program values", k)
    redundant = np.zeros(measures.n_features)  # sum of I(f, g) over the chosen g

    def scores(order: list[int]) -> Floats:
        if order:
            np.add(redundant, measures.redundancy[order[-1]], out=redundant)
        return measures.relevance - redundant / max(len(order), 1)

    def stopped(scores: list[float]) -> bool:
        return len(scores) == k if k is not None else scores[-1] < -ROUNDING

    order, values = _forward(measures.n_features, scores, stopped)
    return _result(program, order, values, len(order) + (not stopped(values)))


def cfs_forward(measures: Measures, program: FractionalProgram, *, k: int | None = None) -> GreedyResult:
    """Forward selection by Hall's merit, sum_j SU(f_j, C) / sqrt(k + sum of SU(f_j, f_k) over j != k in S).

    SU is the usual 2 I / (H + H), whatever the program takes.

    Parameters
    ----------
    measures : Measures
    program : FractionalProgram
        What the prefixes are valued by, over the same features.
    k : int, optional
        Number of features. By default features are added, also where the merit falls, until there are at least six and
        the last five merits do not increase; all of them stay in.

    Returns
    -------
    GreedyResult

    Raises
    ------
    InvalidParameterError
        ``k`` is no integer in [1, p].

    Notes
    -----
    The smallest index wins a tie.
    """
    _check(measures, program)
    check_size(k, measures.n_features)
    with_class, entropy = measures.uncertainty_with_class("usual"), measures.entropy
    between = np.ones(measures.n_features)  # what a feature adds to the sum under the root
    chosen = np.zeros(2)  # the sums above and under the root

    def merits(order: list[int]) -> Floats:
        if order:
            j = order[-1]
            chosen[:] += with_class[j], between[j]
            # a row at a time: a whole matrix would be one more to hold
            pairs = symmetrical_uncertainty(measures.redundancy[j], entropy, entropy[j], "usual")
            np.add(between, 2 * pairs, out=between)
        return (chosen[0] + with_class) / np.sqrt(chosen[1] + between)

    def stopped(merits: list[float]) -> bool:
        return len(merits) == k if k is not None else _no_longer_increasing(merits)

    order, values = _forward(measures.n_features, merits, stopped)
    padded = list(values)
    while not stopped(padded):
        padded.append(-np.inf)
    return _result(program, order, values, len(padded))


def prefix_values(program: FractionalProgram, order: Integers) -> Floats:
    """Value in the program of the first 1, 2, ... features of an order; -inf for sizes that it does not value."""
    pairs = np.ix_(order, order)
    numerator = np.cumsum(program.a[order] + _added(program.b[pairs]))
    values = numerator / np.cumsum(program.c[order] + _added(program.d[pairs]))
    valued = program.size is None or np.arange(1, len(order) + 1) == program.size
    return np.where(valued, values, -np.inf)


def check_size(k: int | None, p: int) -> None:
    """Raise `InvalidParameterError` unless ``k`` is a number of features out of p, or None."""
    whole = isinstance(k, int | np.integer) and not isinstance(k, bool)
    if k is not None and not (whole and 1 <= k <= p):
        raise InvalidParameterError("k", f"None or an integer in [1, {p}]", k)


def _check(measures: Measures, program: FractionalProgram) -> None:
    check_instance("measures", measures, Measures)
    check_instance("program", program, FractionalProgram)
    if program.n_features != measures.n_features:
        allowed = f"over the same {measures.n_features} features"
        raise InvalidDataError("program", allowed, f"{program.n_features} features")


def _added(matrix: Floats) -> Floats:
    """What each row and column adds to the sum over the rows and columns before."""
    return 2 * np.tril(matrix, -1).sum(axis=1) + np.diagonal(matrix)


def _forward(
    p: int, scores: Callable[[list[int]], Floats], stopped: Callable[[list[float]], bool]
) -> tuple[list[int], list[float]]:
    """Add the feature with the best score until the rule stops or all are in."""
    order: list[int] = []
    values: list[float] = []
    free = np.ones(p, dtype=bool)
    while len(order) < p and not (values and stopped(values)):
        candidates = np.where(free, scores(order), -np.inf)
        best = int(np.argmax(candidates >= candidates.max() - ROUNDING))
        order.append(best)
        values.append(float(candidates[best]))
        free[best] = False
    return order, values


def _no_longer_increasing(merits: list[float]) -> bool:
    last = merits[-CFS_WINDOW:]
    return len(merits) >= CFS_LEAST and all(after <= before + ROUNDING for before, after in pairwise(last))


def _result(program: FractionalProgram, order: list[int], scores: list[float], size: int) -> GreedyResult:
    added = np.array(order, dtype=np.intp)
    values = prefix_values(program, added)
    best = int(np.argmax(values >= values.max() - ROUNDING)) + 1
    return GreedyResult(added, np.array(scores), np.sort(added), size, np.sort(added[:best]))
