"""Small random problems and their optima by enumeration."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from compactml.solvers import MixedIntegerProgram, violation


@st.composite
def problems(draw: st.DrawFn, *, integer: bool | None) -> MixedIntegerProgram:
    """Up to 3 bounded columns and 3 rows with one, two, equal or no sides, some infeasible; ``integer=None`` mixes."""
    n, m = draw(st.integers(1, 3)), draw(st.integers(0, 3))
    numbers = st.integers(-4, 4)

    def vector(size: int, elements: st.SearchStrategy[int]) -> NDArray[np.float64]:
        return np.array(draw(st.lists(elements, min_size=size, max_size=size)), dtype=float)

    lower, row_lower = vector(n, st.integers(-2, 0)), vector(m, numbers)
    upper, row_upper = lower + vector(n, st.integers(0, 3)), row_lower + vector(m, st.integers(0, 4))
    row_lower[vector(m, st.integers(0, 2)) == 0] = -np.inf
    row_upper[vector(m, st.integers(0, 2)) == 0] = np.inf
    return MixedIntegerProgram(
        vector(n, numbers),
        vector(n * m, numbers).reshape(m, n),
        row_lower,
        row_upper,
        lower,
        upper,
        integrality=vector(n, st.integers(0, 1)) if integer is None else integer,
        sense=draw(st.sampled_from(["min", "max"])),
        offset=draw(numbers),
    )


@st.composite
def binary_quadratic_problems(draw: st.DrawFn) -> MixedIntegerProgram:
    """Up to 4 binary columns, indefinite Q with a diagonal, at most one row."""
    n = draw(st.integers(1, 4))
    entries = draw(st.lists(st.integers(-4, 4), min_size=n * n, max_size=n * n))
    half = np.array(entries, dtype=float).reshape(n, n)
    weights = draw(st.lists(st.integers(-3, 3), min_size=n, max_size=n))
    return MixedIntegerProgram(
        draw(st.lists(st.integers(-4, 4), min_size=n, max_size=n)),
        [weights],
        row_upper=draw(st.integers(0, 3)),
        upper=1,
        integrality=True,
        sense=draw(st.sampled_from(["min", "max"])),
        quadratic=half + half.T,
        offset=draw(st.integers(-2, 2)),
    )


def best(problem: MixedIntegerProgram, points: list[NDArray[np.float64]]) -> float | None:
    """Best objective over the feasible points, None if there is none."""
    values = [problem.value(point) for point in points if violation(problem, point) <= 1e-9]
    if not values:
        return None
    return min(values) if problem.sense == "min" else max(values)


def best_by_grid(problem: MixedIntegerProgram) -> float | None:
    """Enumerate the integer points of the box."""
    ranges = [np.arange(low, high + 1) for low, high in zip(problem.lower, problem.upper, strict=True)]
    return best(problem, [np.array(point, dtype=float) for point in product(*ranges)])


def best_by_vertices(problem: MixedIntegerProgram) -> float | None:
    """Enumerate the vertices of a bounded LP: n sides of rows and bounds that hold with equality."""
    n = problem.n_columns
    normals = np.vstack([problem.matrix.toarray()] * 2 + [np.eye(n)] * 2)
    sides = np.concatenate([problem.row_lower, problem.row_upper, problem.lower, problem.upper])
    finite = np.isfinite(sides)
    normals, sides = normals[finite], sides[finite]
    chosen = [list(some) for some in combinations(range(len(sides)), n)]
    regular = [some for some in chosen if abs(np.linalg.det(normals[some])) > 1e-9]
    return best(problem, [np.linalg.solve(normals[some], sides[some]) for some in regular])


def best_of_mixed(problem: MixedIntegerProgram) -> float | None:
    """Enumerate the values of the integer columns, and the vertices of the rest for each."""
    integer = problem.integrality
    ranges = [np.arange(problem.lower[j], problem.upper[j] + 1) for j in np.flatnonzero(integer)]
    found = []
    for values in product(*ranges):
        lower, upper = problem.lower.copy(), problem.upper.copy()
        lower[integer] = upper[integer] = values
        found.append(best_by_vertices(replace(problem, lower=lower, upper=upper, integrality=False)))
    optima = [value for value in found if value is not None]
    if not optima:
        return None
    return min(optima) if problem.sense == "min" else max(optima)


def shifted(problem: MixedIntegerProgram, low: str, high: str, i: int, by: float) -> MixedIntegerProgram:
    """Move both sides of row i (``row_lower``, ``row_upper``) or column i (``lower``, ``upper``)."""
    step = np.zeros(getattr(problem, low).size)
    step[i] = by
    return replace(problem, **{name: getattr(problem, name) + step for name in (low, high)})


def hard_knapsack(n: int = 60, m: int = 40, seed: int = 0) -> MixedIntegerProgram:
    """A multidimensional knapsack that no solver finishes in a second."""
    rng = np.random.default_rng(seed)
    weight = rng.integers(1, 100, (m, n)).astype(float)
    return MixedIntegerProgram(
        rng.integers(1, 100, n),
        weight,
        row_upper=weight.sum(axis=1) // 2,
        upper=1,
        integrality=True,
        sense="max",
    )
