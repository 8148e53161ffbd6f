"""A common factor changes no answer but by itself, and bounds hold whatever the size of the numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compactml.solvers import MixedIntegerProgram, Outcome, RestrictedMaster, SolveOptions, solve
from compactml.solvers.scaling import Scaling
from tests.solvers.toy_problems import (
    best_by_grid,
    best_by_vertices,
    binary_quadratic_problems,
    problems,
    shifted,
)

FACTORS = [1e-12, 1e-10, 1e-8, 1e-6, 1e-3, 1e3, 1e6, 1e9, 1e12]
for_each_solver = settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def times(problem: MixedIntegerProgram, factor: float) -> MixedIntegerProgram:
    """The problem in other units of the objective."""
    quadratic = problem.quadratic
    return replace(
        problem,
        objective=factor * problem.objective,
        offset=factor * problem.offset,
        quadratic=quadratic if quadratic is None else quadratic * factor,
    )


def check(problem: MixedIntegerProgram, solver: str, best: float | None, unit: float) -> None:
    """Value and bound are the optimum, within what is small beside ``unit``."""
    result = solve(problem, solver)
    assert result.outcome is (Outcome.INFEASIBLE if best is None else Outcome.OPTIMAL)
    if best is not None:
        assert result.x is not None
        assert result.objective == problem.value(result.x)
        assert result.objective == pytest.approx(best, rel=1e-6, abs=1e-5 * unit)
        assert result.bound == pytest.approx(best, rel=1e-6, abs=1e-5 * unit)


@for_each_solver
@given(problem=problems(integer=True), factor=st.sampled_from(FACTORS))
def test_integer_programs(solver: str, problem: MixedIntegerProgram, factor: float) -> None:
    check(times(problem, factor), solver, best_by_grid(times(problem, factor)), factor)


@for_each_solver
@given(problem=binary_quadratic_problems(), factor=st.sampled_from(FACTORS))
def test_quadratic_programs(solver: str, problem: MixedIntegerProgram, factor: float) -> None:
    check(times(problem, factor), solver, best_by_grid(times(problem, factor)), factor)


@for_each_solver
@given(problem=problems(integer=False), factor=st.sampled_from(FACTORS))
def test_linear_programs(solver: str, problem: MixedIntegerProgram, factor: float) -> None:
    check(times(problem, factor), solver, best_by_vertices(times(problem, factor)), factor)


@for_each_solver
@given(problem=problems(integer=False), factor=st.sampled_from(FACTORS))
def test_duals_are_in_the_problems_own_units(
    solver: str, problem: MixedIntegerProgram, factor: float
) -> None:
    """The derivative of the optimum in a row's sides, in the units of the scaled objective."""
    scaled = times(problem, factor)
    result = solve(scaled, solver)
    if result.outcome is not Outcome.OPTIMAL:
        return
    sign = 1 if problem.sense == "min" else -1
    assert result.duals is not None
    assert result.objective is not None
    for i, slope in enumerate(result.duals):
        moved = best_by_vertices(shifted(scaled, "row_lower", "row_upper", i, 0.5))
        if moved is not None:
            assert sign * moved >= sign * (result.objective + 0.5 * slope) - 1e-6 * factor


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("seed", range(3))
def test_costs_over_six_orders(solver: str, factor: float, seed: int) -> None:
    """Cover each row; the optimum is made of the smallest costs, and it is the optimum of these that counts."""
    rng = np.random.default_rng(seed)
    n = 9
    cost = factor * 10.0 ** rng.uniform(-6, 0, n)
    matrix = (rng.random((5, n)) < 0.5).astype(float)
    matrix[:, np.argsort(cost)[:4]] = rng.random((5, 4)) < 0.6
    matrix[np.arange(5), rng.integers(0, n, 5)] = 1
    problem = MixedIntegerProgram(cost, matrix, row_lower=1, upper=1, integrality=True)
    best = best_by_grid(problem)
    assert best is not None
    result = solve(problem, solver)
    assert result.outcome is Outcome.OPTIMAL
    assert result.objective == pytest.approx(best, rel=1e-4)
    assert result.bound is not None
    assert result.bound <= best * (1 + 1e-9)
    assert result.bound == pytest.approx(best, rel=1e-4)


@pytest.mark.parametrize("factor", [1e-12, 1e-9, 1e-6])
def test_rows_of_small_coefficients_are_kept(solver: str, factor: float) -> None:
    """A knapsack in other units: with absolute tolerances every point keeps a row of 1e-9."""
    rng = np.random.default_rng(0)
    weight = rng.integers(5, 40, (2, 8)).astype(float)
    problem = MixedIntegerProgram(
        rng.integers(5, 40, 8),
        weight,
        row_upper=weight.sum(axis=1) // 2,
        upper=1,
        integrality=True,
        sense="max",
    )
    small = replace(problem, matrix=problem.matrix * factor, row_upper=problem.row_upper * factor)
    assert solve(small, solver).objective == best_by_grid(problem)


@pytest.mark.parametrize("factor", FACTORS)
def test_targets_and_absolute_gaps_are_in_the_problems_own_units(solver: str, factor: float) -> None:
    rng = np.random.default_rng(1)
    weight = rng.integers(1, 100, (40, 60)).astype(float)
    gain = factor * rng.integers(1, 100, 60)
    problem = MixedIntegerProgram(
        gain, weight, row_upper=weight.sum(axis=1) // 2, upper=1, integrality=True, sense="max"
    )
    result = solve(problem, solver, SolveOptions(target=100 * factor, time_limit=20))
    assert result.objective is not None
    assert result.objective >= 100 * factor
    assert result.outcome is Outcome.FEASIBLE
    result = solve(problem, solver, SolveOptions(gap_abs=1000 * factor, time_limit=20))
    assert result.outcome is Outcome.OPTIMAL
    assert result.objective is not None
    assert result.bound is not None
    assert 0 < result.bound - result.objective <= 1000 * factor * (1 + 1e-6)


@pytest.mark.parametrize("factor", FACTORS)
def test_a_master_grows_from_one_size_to_another(solver: str, factor: float) -> None:
    with RestrictedMaster(
        MixedIntegerProgram([5.0 * factor, 4.0 * factor], np.eye(2), row_lower=[2, 3]), solver
    ) as master:
        first = master.solve()
        assert first.objective == pytest.approx(22 * factor)
        assert first.duals == pytest.approx([5 * factor, 4 * factor])
        master.add_columns([6.0 * factor], [[1], [1]])
        second = master.solve()
        assert second.objective == pytest.approx(16 * factor)
        assert second.reduced_costs == pytest.approx([3 * factor, 0, 0], abs=1e-9 * factor)
        master.add_columns([1e6 * factor], [[1], [1]])  # of another size, and of no use
        assert master.solve().objective == pytest.approx(16 * factor)
        master.add_columns([1e-5 * factor], [[1], [1]])
        assert master.solve().objective == pytest.approx(3e-5 * factor, rel=1e-4)


@given(problem=problems(integer=None), exponent=st.integers(-40, 60))
def test_the_scaled_program_is_the_same_one(problem: MixedIntegerProgram, exponent: int) -> None:
    """Powers of two change no digit: the values of a point differ by exactly one factor."""
    problem = times(problem, 2.0**exponent)
    scaling = Scaling.of(problem)
    scaled = scaling.problem(problem)
    rng = np.random.default_rng(0)
    for point in rng.integers(-3, 4, (5, problem.n_columns)).astype(float):
        assert scaling.down(scaled.value(point)) == problem.value(point)
        assert scaling.up(problem.value(point)) == scaled.value(point)
    if problem.objective.any():
        assert 1 <= np.abs(scaled.objective).max() < 2**21


def test_a_program_of_usual_size_is_left_alone() -> None:
    problem = MixedIntegerProgram([1.0, 40.0], [[1.0, 0.5]], row_lower=1, integrality=True)
    assert Scaling.of(problem).problem(problem) is problem
