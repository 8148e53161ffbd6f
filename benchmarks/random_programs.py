"""Random small programs in the project's shapes, and their optima by enumeration.

At most 12 integer columns and two continuous ones; all numbers are small integers, so that a point is feasible or
clearly not. For each point of the integer columns the best of the continuous ones is an end of an interval or a
vertex of a polygon.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from compactml.solvers import MixedIntegerProgram

__all__ = ["SHAPES", "optimum", "solutions"]

Floats = NDArray[np.float64]
Generator = np.random.Generator
CLOSE = 1e-9


def cover(rng: Generator) -> MixedIntegerProgram:
    """Restricted program of Boolean rules: clauses, errors of four samples, a limit on the size of the rule set."""
    clauses, samples = int(rng.integers(4, 9)), 4
    covers = rng.integers(0, 2, (samples, clauses))
    size = rng.integers(1, 5, clauses)
    matrix = np.block([[covers, np.eye(samples)], [size, np.zeros(samples)]])
    cost = np.append(rng.integers(0, 4, clauses), np.ones(samples))
    low, high = np.append(np.ones(samples), -np.inf), np.append(np.full(samples, np.inf), rng.integers(1, 9))
    return MixedIntegerProgram(cost, matrix, low, high, upper=1, integrality=True)


def pruning(rng: Generator) -> MixedIntegerProgram:
    """Shape of the pruning program: classifiers, threshold L, right and wrong calls of four samples, big constants."""
    k, n = 3, 4
    votes, positive = rng.integers(0, 2, (n, k)), rng.integers(0, 2, n).astype(bool)
    sign = np.where(positive, 1, -1)
    right, wrong, none = np.eye(n), np.eye(n), np.zeros((n, 1))
    called = np.hstack([sign[:, None] * votes, -sign[:, None], -(k + 1) * right, 0 * wrong])
    other = np.hstack([-sign[:, None] * votes, sign[:, None], 0 * right, -(k + 1) * wrong])
    sums = np.hstack([np.zeros((n, k)), none, right, wrong])
    size = np.concatenate([np.ones(k), np.zeros(1 + 2 * n)])[None]
    low = np.concatenate(
        [np.where(positive, 1, 0) - (k + 1), np.where(positive, 0, 1) - (k + 1), np.ones(n), [1]]
    )
    high = np.concatenate([np.full(2 * n, np.inf), np.ones(n), [k]])
    upper = np.concatenate([np.ones(k), [k], np.ones(2 * n)])
    gain = np.concatenate([np.zeros(k + 1), rng.integers(0, 4, n), -rng.integers(0, 4, n)])
    return MixedIntegerProgram(
        gain, np.vstack([called, other, sums, size]), low, high, upper=upper, integrality=True, sense="max"
    )


def selection(rng: Generator) -> MixedIntegerProgram:
    """Features of a number, with two products in linear form: equality row, continuous columns in [0, 1]."""
    n = int(rng.integers(4, 12))
    pairs = [rng.choice(n, 2, replace=False) for _ in range(2)]
    rows, low, high = [np.append(np.ones(n), [0, 0])], [float(rng.integers(1, n))], []
    high.append(low[0])
    for place, (j, k) in enumerate(pairs):
        for columns, side in (((j,), 0.0), ((k,), 0.0), ((j, k), -1.0)):
            row = np.zeros(n + 2)
            row[n + place], row[list(columns)] = 1, -1
            rows.append(row)
            low.append(side if side else -np.inf)
            high.append(np.inf if side else 0.0)
    gain = rng.integers(-9, 10, n + 2)
    return MixedIntegerProgram(
        gain, np.array(rows), low, high, upper=1, integrality=np.arange(n + 2) < n, sense="max"
    )


def support(rng: Generator) -> MixedIntegerProgram:
    """Two weights that are 0 unless a column says otherwise, and that have to keep margins: big constants."""
    n, rows = int(rng.integers(2, 8)), 3
    switch = np.zeros((2, n + 2))
    switch[[0, 1], [0, 1]], switch[[0, 1], [n, n + 1]] = -5, 1
    margins = rng.integers(-2, 4, (rows, n + 2))
    low = np.append([-np.inf, -np.inf], rng.integers(-3, 3, rows))
    high = np.append([0, 0], np.full(rows, np.inf))
    cost = np.append(rng.integers(1, 4, n), rng.integers(-1, 2, 2))
    upper = np.append(np.ones(n), [5, 5])
    return MixedIntegerProgram(
        cost, np.vstack([switch, margins]), low, high, upper=upper, integrality=np.arange(n + 2) < n
    )


def mixed(rng: Generator) -> MixedIntegerProgram:
    """Any bounds, any rows (none, one, two or equal sides), any sense; one or two continuous columns."""
    return _general(rng, int(rng.integers(1, 7)), int(rng.integers(1, 3)))


def pure(rng: Generator) -> MixedIntegerProgram:
    """Any bounds, any rows, any sense; integer columns only."""
    return _general(rng, int(rng.integers(2, 7)), 0)


def equalities(rng: Generator) -> MixedIntegerProgram:
    """Two equality rows over binary columns that some point keeps more often than not."""
    n = int(rng.integers(6, 13))
    matrix, point = rng.integers(-9, 10, (2, n)), rng.integers(0, 2, n)
    sides = matrix @ point + (rng.random(2) < 0.1)
    return MixedIntegerProgram(rng.integers(-9, 10, n), matrix, sides, sides, upper=1, integrality=True)


SHAPES: dict[str, Callable[[Generator], MixedIntegerProgram]] = {
    "cover": cover,
    "pruning": pruning,
    "selection": selection,
    "support": support,
    "mixed": mixed,
    "pure": pure,
    "equalities": equalities,
}


def _general(rng: Generator, integers: int, continuous: int) -> MixedIntegerProgram:
    n, m = integers + continuous, int(rng.integers(0, 5))
    lower, row_lower = rng.integers(-2, 1, n), rng.integers(-4, 5, m).astype(float)
    kind, row_upper = rng.integers(0, 4, m), row_lower + rng.integers(0, 6, m)
    row_upper[kind == 0] = row_lower[kind == 0]
    row_lower[kind == 1], row_upper[kind == 2] = -np.inf, np.inf
    return MixedIntegerProgram(
        rng.integers(-5, 6, n),
        rng.integers(-4, 5, (m, n)),
        row_lower,
        row_upper,
        lower,
        lower + rng.integers(0, 4, n),
        integrality=rng.permutation(n) < integers,
        sense="min" if rng.random() < 0.5 else "max",
        offset=float(rng.integers(-3, 4)),
    )


def optimum(problem: MixedIntegerProgram) -> tuple[float, Floats] | None:
    """Return the best value and a point that has it, None where no point is feasible."""
    best: tuple[float, Floats] | None = None
    sign = 1.0 if problem.sense == "min" else -1.0
    for points in solutions(problem):
        values = sign * (points @ problem.objective + problem.offset)
        if values.size and (best is None or values.min() < sign * best[0]):
            best = float(sign * values.min()), points[values.argmin()]
    return best


def solutions(problem: MixedIntegerProgram) -> Iterator[Floats]:
    """Yield feasible points, row by row, an optimal one among them: all integer points, the corners of the rest."""
    integer = problem.integrality
    ranges = [np.arange(problem.lower[j], problem.upper[j] + 1) for j in np.flatnonzero(integer)]
    points = np.zeros((int(np.prod([len(one) for one in ranges])), problem.n_columns))
    points[:, integer] = list(product(*ranges))
    rest = np.flatnonzero(~integer)
    normals = np.vstack([problem.matrix.toarray()] * 2 + [np.eye(problem.n_columns)] * 2)
    sides = np.concatenate([problem.row_lower, problem.row_upper, problem.lower, problem.upper])
    normals, sides = normals[np.isfinite(sides)], sides[np.isfinite(sides)]
    for tight in combinations(range(len(sides)), rest.size):
        square = normals[np.ix_(tight, rest)]
        if rest.size and abs(np.linalg.det(square)) < CLOSE:
            continue
        corners = points.copy()
        if rest.size:
            left = sides[list(tight)] - points @ normals[list(tight)].T
            corners[:, rest] = np.linalg.solve(square, left.T).T
        yield corners[_feasible(problem, corners)]


def _feasible(problem: MixedIntegerProgram, points: Floats) -> NDArray[np.bool_]:
    activity = points @ problem.matrix.toarray().T
    within = (activity >= problem.row_lower - CLOSE) & (activity <= problem.row_upper + CLOSE)
    inside = (points >= problem.lower - CLOSE) & (points <= problem.upper + CLOSE)
    return within.all(axis=1) & inside.all(axis=1)
