"""What every adapter of a solver has to do, as plain functions that raise: for ours, and for one from outside.

    from compactml.solvers.conformance import check_solver
    check_solver(MySolver())

``MySolver`` is a subclass of `compactml.solvers.adapter.Solver`; it need not be registered. Expected values come from
enumeration or are worked out by hand, never from another solver.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product

import numpy as np
from scipy import sparse

from compactml.errors import CompactmlError
from compactml.solvers import verify
from compactml.solvers._solve import answer_of
from compactml.solvers.adapter import Solver
from compactml.solvers.errors import ModelTooLargeError, SolverNotAvailableError
from compactml.solvers.licences import Licence
from compactml.solvers.problem import MixedIntegerProgram
from compactml.solvers.result import Outcome, RawResult, SolveOptions

__all__ = ["CHECKS", "ConformanceError", "check_solver"]

PROGRAMS = 40
"""Random programs of each kind."""


class ConformanceError(CompactmlError, AssertionError):
    """An adapter does not do what every adapter has to."""

    def __init__(self, solver: str, what: str, expected: str, got: str) -> None:
        super().__init__(f"{solver}: {what} must be {expected}, got {got}.")
        self.solver, self.what, self.expected, self.got = solver, what, expected, got


def check_licence(solver: Solver) -> None:
    """The licence names the solver and its version, and agrees with `Solver.available`."""
    licence = solver.licence()
    _expect(solver, "licence", "a Licence", licence, isinstance(licence, Licence))
    _expect(solver, "solver of the licence", solver.name, licence.solver, licence.solver == solver.name)
    _expect(solver, "available()", licence.usable, solver.available(), solver.available() == licence.usable)
    _expect(
        solver, "version", "some text", repr(licence.version), bool(licence.version) or not licence.usable
    )


def check_linear_programs(solver: Solver) -> None:
    """Check feasible points, and duals that prove them: the bound is recomputed from the duals."""
    rng = np.random.default_rng(0)
    for _ in range(PROGRAMS):
        n, m = rng.integers(2, 6), rng.integers(1, 5)
        point = rng.integers(0, 3, n).astype(float)
        matrix = rng.integers(-3, 4, (m, n)).astype(float)
        low, high = matrix @ point - rng.integers(0, 3, m), matrix @ point + rng.integers(0, 3, m)
        sense = "min" if rng.random() < 0.5 else "max"
        problem = MixedIntegerProgram(rng.integers(-5, 6, n), matrix, low, high, upper=4, sense=sense)  # type: ignore[arg-type]
        raw = _ask(solver, problem)
        _expect(solver, "outcome of an LP", Outcome.OPTIMAL, raw.outcome, raw.outcome is Outcome.OPTIMAL)
        shape = None if raw.duals is None else raw.duals.shape
        _expect(solver, "shape of the duals of an LP", (m,), shape, shape == (m,))
        verify.verified(problem, solver.name, raw)  # objective, feasibility, and the bound of the duals


def check_integer_programs(solver: Solver) -> None:
    """Check the optimum by enumeration of linear programs in integers, and the outcome of infeasible ones."""
    rng = np.random.default_rng(1)
    for _ in range(PROGRAMS):
        n, m = rng.integers(2, 5), rng.integers(1, 4)
        low = rng.integers(-4, 5, m)
        problem = MixedIntegerProgram(
            rng.integers(-5, 6, n),
            rng.integers(-3, 4, (m, n)),
            np.where(rng.random(m) < 0.3, -np.inf, low),
            np.where(rng.random(m) < 0.3, np.inf, low + rng.integers(0, 4, m)),
            lower=-1,
            upper=2,
            integrality=True,
            sense="min" if rng.random() < 0.5 else "max",
            offset=3,
        )
        _check_optimum(solver, problem)


def check_products(solver: Solver) -> None:
    """Check the optimum by enumeration of indefinite products of binary columns, where the solver takes them."""
    if not solver.features.quadratic:
        return
    rng = np.random.default_rng(2)
    for _ in range(PROGRAMS):
        n = int(rng.integers(2, 6))
        half = np.triu(rng.integers(-4, 5, (n, n)))
        problem = MixedIntegerProgram(
            rng.integers(-4, 5, n),
            np.ones((1, n)),
            1,
            rng.integers(1, n + 1),
            upper=1,
            integrality=True,
            sense="min" if rng.random() < 0.5 else "max",
            quadratic=half + half.T,
            offset=-2,
        )
        _check_optimum(solver, problem)


def check_outcomes(solver: Solver) -> None:
    """Infeasible and unbounded programs are called so; UNBOUNDED may stand for either, `solve` finds out."""
    for integer in (False, True):
        impossible = MixedIntegerProgram([1, 1], [[1, 1]], 3, 3, upper=1, integrality=integer)
        ray = MixedIntegerProgram([1, 1], [[1, -1]], row_upper=2, integrality=integer, sense="max")
        allowed = (Outcome.INFEASIBLE, Outcome.UNBOUNDED)
        for problem, outcomes in ((impossible, allowed), (ray, (Outcome.UNBOUNDED,))):
            found = _ask(solver, problem).outcome
            _expect(solver, "outcome", " or ".join(outcomes), found, found in outcomes)


def check_limits(solver: Solver) -> None:
    """A time limit ends in FEASIBLE or NO_SOLUTION, never in a proof that there is none."""
    problem = _hard()
    for options in (
        SolveOptions(time_limit=0.2),
        SolveOptions(time_limit=0.0),
        SolveOptions(work_limit=0.01),
    ):
        raw = _ask(solver, problem, options)
        stopped = (Outcome.FEASIBLE, Outcome.NO_SOLUTION)
        _expect(solver, "outcome at a limit", " or ".join(stopped), raw.outcome, raw.outcome in stopped)
        if raw.x is not None:
            verify.verified(problem, solver.name, raw)


def check_gaps_and_targets(solver: Solver) -> None:
    """A gap ends in OPTIMAL with a bound as near; a target in a solution as good."""
    problem = _hard()
    for options in (SolveOptions(gap=0.2), SolveOptions(gap_abs=1000.0)):
        raw = _ask(solver, problem, options)
        _expect(solver, "outcome at the gap", Outcome.OPTIMAL, raw.outcome, raw.outcome is Outcome.OPTIMAL)
        verify.verified(problem, solver.name, raw, options.gap, options.gap_abs)
    for sense in ("max", "min"):
        sign = 1.0 if sense == "max" else -1.0
        turned = replace(problem, objective=sign * problem.objective, sense=sense)
        raw = _ask(solver, turned, SolveOptions(target=sign * 100.0, time_limit=20.0))
        reached = raw.x is not None and sign * turned.value(raw.x) >= 100.0 - 1e-6
        _expect(solver, "a solution at the target", "as good as it", raw.objective, reached)


def check_starts(solver: Solver) -> None:
    """A start, complete, in part or infeasible, changes no optimum."""
    problem = MixedIntegerProgram(
        [3, 5, 4, 1], [[2, 4, 3, 1], [1, 1, 1, 1]], row_upper=[6, 2], upper=1, integrality=True, sense="max"
    )
    for start in ([1, 0, 1, 0], [0, 0, 0, 0], [np.nan, 1, np.nan, 0], [1, 1, 1, 1]):
        raw = _ask(solver, problem, SolveOptions(start=np.array(start, dtype=float)))
        verify.verified(problem, solver.name, raw)
        _expect(solver, f"optimum from the start {start}", "8", raw.objective, abs(raw.objective - 8) < 1e-6)


def check_pools(solver: Solver) -> None:
    """Every point of a pool is feasible; asking for one changes no optimum. An empty pool is allowed."""
    problem = _knapsack(4, 5, 30)
    raw, alone = _ask(solver, problem, SolveOptions(pool=True)), _ask(solver, problem)
    same = abs(raw.objective - alone.objective) < 1e-6
    _expect(solver, "optimum with a pool", alone.objective, raw.objective, same)
    for point in raw.pool:
        shape = point.shape == (problem.n_columns,)
        _expect(solver, "shape of a point of the pool", (problem.n_columns,), point.shape, shape)
        found = verify.violation(problem, point)
        _expect(solver, "violation of a point of the pool", 0, found, found <= verify.TOLERANCE)


def check_repetition(solver: Solver) -> None:
    """The same seed and one thread give the same solution."""
    problem = _knapsack(3, 3, 20)
    first, second = (_ask(solver, problem, SolveOptions(seed=5)) for _ in range(2))
    same = first.x is not None and second.x is not None and bool((first.x == second.x).all())
    _expect(solver, "solution of a second run", "that of the first", second.x, same)


def check_growing(solver: Solver) -> None:
    """An LP that grows: 22 with two columns, 16 with a third one, 22 again once a row forbids that."""
    problem = MixedIntegerProgram([5.0, 4.0], np.eye(2), row_lower=[2, 3])
    lp = solver.warm(problem)
    try:
        _check_growing(solver, problem, lp.solve(problem, None), 22.0)
        column = np.array([[1.0], [1.0]])
        problem = problem.with_columns([6.0], column)
        lp.add_columns(np.array([6.0]), sparse.csc_array(column), (np.zeros(1), np.full(1, np.inf)))
        _check_growing(solver, problem, lp.solve(problem, None), 16.0)
        row = np.array([[0.0, 0.0, 1.0]])
        problem = problem.with_rows(row, row_upper=0.0)
        lp.add_rows(problem.matrix[2:], problem.row_lower[2:], problem.row_upper[2:])
        _check_growing(solver, problem, lp.solve(problem, None), 22.0)
    finally:
        lp.close()


def check_size_limits(solver: Solver) -> None:
    """A model beyond the licence's sizes is refused as such, by the solver itself."""
    licence = solver.licence()
    if not licence.usable or np.isinf(licence.max_columns):
        return
    columns = int(licence.max_columns) + 1
    problem = MixedIntegerProgram(np.ones(columns), np.ones((1, columns)), row_lower=1, upper=1)
    try:
        raw = solver.solve(problem, SolveOptions())
    except (ModelTooLargeError, SolverNotAvailableError):
        return
    raise ConformanceError(solver.name, f"a model of {columns} columns", "refused", str(raw.outcome))


CHECKS: tuple[Callable[[Solver], None], ...] = (
    check_licence,
    check_linear_programs,
    check_integer_programs,
    check_products,
    check_outcomes,
    check_limits,
    check_gaps_and_targets,
    check_starts,
    check_pools,
    check_repetition,
    check_growing,
    check_size_limits,
)


def check_solver(solver: Solver) -> None:
    """Run all checks on an adapter that is available.

    Raises
    ------
    ConformanceError
        The adapter does not do what it has to; names the check's expectation and what came.
    CompactmlError
        An answer that does not stand up to the verification, or an error of the adapter.
    """
    for check in CHECKS:
        check(solver)


def _ask(solver: Solver, problem: MixedIntegerProgram, options: SolveOptions | None = None) -> RawResult:
    return answer_of(solver, problem, options or SolveOptions())


def _check_optimum(solver: Solver, problem: MixedIntegerProgram) -> None:
    """Compare with the best of all points."""
    ranges = [np.arange(a, b + 1) for a, b in zip(problem.lower, problem.upper, strict=True)]
    points = [np.array(point, dtype=float) for point in product(*ranges)]
    values = [problem.value(point) for point in points if verify.violation(problem, point) == 0]
    raw = _ask(solver, problem)
    expected = Outcome.OPTIMAL if values else Outcome.INFEASIBLE
    _expect(solver, "outcome", expected, raw.outcome, raw.outcome is expected)
    if values:
        best = min(values) if problem.sense == "min" else max(values)
        found = verify.verified(problem, solver.name, raw).objective
        _expect(solver, "optimum", best, found, found == best)


def _check_growing(solver: Solver, problem: MixedIntegerProgram, raw: RawResult, expected: float) -> None:
    found = verify.verified(problem, solver.name, raw).objective
    _expect(solver, "optimum of the LP that grew", expected, found, abs(found - expected) < 1e-6)


def _hard() -> MixedIntegerProgram:
    """A multidimensional knapsack that no solver finishes in a second."""
    return _knapsack(0, 40, 60, 100)


def _knapsack(seed: int, rows: int, columns: int, most: int = 50) -> MixedIntegerProgram:
    """A random multidimensional knapsack of which about half the columns fit."""
    rng = np.random.default_rng(seed)
    weight = rng.integers(1, most, (rows, columns)).astype(float)
    return MixedIntegerProgram(
        rng.integers(1, most, columns),
        weight,
        row_upper=weight.sum(axis=1) // 2,
        upper=1,
        integrality=True,
        sense="max",
    )


def _expect(solver: Solver, what: str, expected: object, got: object, holds: bool) -> None:
    if not holds:
        raise ConformanceError(solver.name, what, str(expected), str(got))
