"""An exactly equal linear form of a 0-1 problem with products in its objective (Glover and Woolsey 1974)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from compactml.clock import Clock
from compactml.errors import check_instance
from compactml.solvers.problem import MixedIntegerProgram
from compactml.solvers.result import RawResult, SolveOptions
from compactml.solvers.verify import rounded

__all__ = ["linearise", "products", "solve_linearised"]


def products(
    problem: MixedIntegerProgram,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return i < j and the coefficient Q_ij + Q_ji of every product x_i x_j, each of shape (k,)."""
    if problem.quadratic is None:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0)
    upper = sparse.triu(problem.quadratic, 1).tocoo()
    return upper.row.astype(np.int64), upper.col.astype(np.int64), 2 * upper.data


def linearise(problem: MixedIntegerProgram) -> MixedIntegerProgram:
    """Replace each product x_i x_j by a column y in [0, 1] behind the others; x_i^2 is x_i.

    A product that the objective wants small needs only y >= x_i + x_j - 1, one that it wants large only y <= x_i and
    y <= x_j: in an optimum y is the product, and the relaxation is as tight as with all three rows.

    Raises
    ------
    InvalidDataError
        What is no `MixedIntegerProgram`.

    Notes
    -----
    Glover and Woolsey, Converting the 0-1 polynomial programming problem to a 0-1 linear program, Operations
    Research 22 (1974).
    """
    check_instance("problem", problem, MixedIntegerProgram)
    if problem.quadratic is None:
        return problem
    i, j, weight = products(problem)
    n, k = problem.n_columns, i.size
    linear = replace(problem, objective=problem.objective + problem.quadratic.diagonal(), quadratic=None)
    linear = linear.with_columns(weight, sparse.csr_array((problem.n_rows, k)), 0.0, 1.0) if k else linear
    small = (weight > 0) == (problem.sense == "min")
    y = n + np.arange(k)
    for columns, coefficients, bound in (
        ((i[small], j[small], y[small]), (1.0, 1.0, -1.0), 1.0),
        ((y[~small], i[~small]), (1.0, -1.0), 0.0),
        ((y[~small], j[~small]), (1.0, -1.0), 0.0),
    ):
        linear = linear.with_rows(_rows(columns, coefficients, n + k), row_upper=bound)
    return linear


def _rows(
    columns: tuple[NDArray[np.int64], ...], coefficients: tuple[float, ...], width: int
) -> sparse.csr_array:
    """Rows with the same coefficients, each in its own columns."""
    count = columns[0].size
    indices = np.stack(columns, axis=1).ravel()
    pointer = np.arange(count + 1) * len(columns)
    return sparse.csr_array((np.tile(coefficients, count), indices, pointer), shape=(count, width))


def solve_linearised(
    solve: Callable[[MixedIntegerProgram, SolveOptions], RawResult],
    problem: MixedIntegerProgram,
    options: SolveOptions,
) -> RawResult:
    """Let a solver that takes no products solve the linear form; the answer is one of the problem itself."""
    if problem.quadratic is None:
        return solve(problem, options)
    clock = Clock(options.time_limit)
    if options.start is not None:  # the columns of the products get their values too
        i, j, _ = products(problem)
        start = options.start
        options = replace(options, start=np.append(start, start[i] * start[j]))
    linear = linearise(problem)
    raw = solve(linear, replace(options, time_limit=clock.allowance()))
    if raw.x is None:
        return raw
    # A product has rows on its profitable side only, so before the optimum it may be worth more than its column says.
    x = raw.x[: problem.n_columns]
    best = min if problem.sense == "min" else max
    pool = tuple(one[: problem.n_columns] for one in raw.pool)
    return replace(raw, x=x, pool=pool, objective=best(raw.objective, problem.value(rounded(problem, x))))
