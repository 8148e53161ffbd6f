"""The sets of features that a method may choose from, and what is known of them without a search."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from compactml.errors import InvalidDataError
from compactml.feature_selection.parametric_form import partners
from compactml.feature_selection.program import FractionalProgram
from compactml.solvers import MixedIntegerProgram, solve

__all__ = [
    "best_known",
    "check_denominator",
    "first_set",
    "largest_value",
    "least_denominator",
    "least_denominators",
    "size_limits",
]


def size_limits(n_features: int | None) -> tuple[float, float]:
    """Sides of the row sum x: at least one feature, or exactly ``n_features``."""
    return (1.0, np.inf) if n_features is None else (float(n_features), float(n_features))


def first_set(program: FractionalProgram, n_features: int | None = None) -> NDArray[np.intp]:
    """The paper's starting point, all features; with ``n_features``, those that are best alone."""
    if n_features is None:
        return np.arange(program.n_features)
    return np.sort(np.argsort(-_values_alone(program), kind="stable")[:n_features])


def best_known(program: FractionalProgram, n_features: int | None = None) -> NDArray[np.intp]:
    """The better one of the starting point and, where its size is allowed, the best single feature."""
    first = first_set(program, n_features)
    single = np.array([np.argmax(_values_alone(program))])
    if n_features is None and program.value(single) > program.value(first):
        return single
    return first


def _values_alone(program: FractionalProgram) -> NDArray[np.float64]:
    """Value f / g of each single feature, shape (p,)."""
    numerators = program.a + np.diagonal(program.b)
    values: NDArray[np.float64] = numerators / (program.c + np.diagonal(program.d))
    return values


def least_denominator(program: FractionalProgram, n_features: int | None = None) -> float:
    """A positive lower bound on g over the allowed sets: 1 for mRMR and CFS, n_features**2 for mRMR of a size.

    A feature of a set of size l has l - 1 partners in it, so its share of g is at least c_j + d_jj and the l - 1
    smallest of its d_jk; the l smallest shares bound g from below. That is exact where no d_jk is negative and any
    size is allowed. Where it is not positive, the exact minimum is computed as a binary quadratic problem.

    Raises
    ------
    InvalidDataError
        g is not positive on some allowed set.
    """
    of_size = least_denominators(program)
    bound = float(of_size.min() if n_features is None else of_size[n_features - 1])
    return bound if bound > 0 else _exact_least(program, n_features)


def least_denominators(
    program: FractionalProgram, sizes: NDArray[np.integer] | None = None
) -> NDArray[np.float64]:
    """The bound of `least_denominator` for each of some sizes, all by default; it may be negative."""
    p = program.n_features
    sizes = np.arange(1, p + 1) if sizes is None else sizes
    alone = program.c + np.diagonal(program.d)
    shares = np.empty((len(sizes), p))
    for rows, block in partners(program.d):
        block.sort(axis=1)
        sums = np.hstack([np.zeros((len(block), 1)), np.cumsum(block, axis=1)])
        shares[:, rows] = (alone[rows, None] + sums[:, sizes - 1]).T
    shares.sort(axis=1)
    return np.array([np.cumsum(row)[size - 1] for row, size in zip(shares, sizes, strict=True)])


def largest_value(program: FractionalProgram, least: float) -> float:
    """An upper bound on the value of every set on which g is at least ``least``, without a search.

    The sum of all positive terms of f, divided by the least g. Where f and g have no linear terms and every d_jk is
    positive, as for mRMR, also the largest b_jk / d_jk, of which a value is a weighted mean.
    """
    linear, quadratic = program.parametric(0.0)
    positive = np.maximum(linear, 0).sum() + np.maximum(quadratic, 0).sum()
    bound = float(positive / least)
    if program.a.any() or program.c.any() or (program.d <= 0).any():
        return bound
    return min(bound, float((program.b / program.d).max()))


def check_denominator(program: FractionalProgram, n_features: int | None = None) -> None:
    """Raise `InvalidDataError` unless g is positive on all allowed sets; nothing to do without negative d_jk."""
    if (program.d < 0).any():
        least_denominator(program, n_features)


def _exact_least(program: FractionalProgram, n_features: int | None) -> float:
    quadratic = program.d.copy()
    np.fill_diagonal(quadratic, 0.0)
    linear = program.c + np.diagonal(program.d)
    row = np.ones((1, program.n_features))
    problem = MixedIntegerProgram(
        linear, row, *size_limits(n_features), upper=1.0, integrality=True, quadratic=quadratic
    )
    result = solve(problem)
    least = -np.inf if result.bound is None else result.bound
    if least <= 0:
        raise InvalidDataError("c and d", "so that g(x) > 0 for every set of features", f"g = {least!r}")
    return least
