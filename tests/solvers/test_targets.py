"""Stopping early: at an objective that is good enough, or at an absolute gap, on every solver."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compactml.errors import InvalidParameterError
from compactml.solvers import MixedIntegerProgram, Outcome, SolveOptions, SolveResult, solve
from tests.solvers.toy_problems import (
    best_by_grid,
    best_by_vertices,
    binary_quadratic_problems,
    hard_knapsack,
    problems,
)

same_for_each_solver = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def negative(problem: MixedIntegerProgram) -> MixedIntegerProgram:
    """The same problem with the other sense and sign."""
    return replace(
        problem,
        objective=-problem.objective,
        sense="min" if problem.sense == "max" else "max",
        quadratic=None if problem.quadratic is None else -problem.quadratic,
        offset=-problem.offset,
    )


def hard_quadratic(n: int = 45, seed: int = 0) -> MixedIntegerProgram:
    """Choose a third of the features for the most of dense random products: no solver proves it in seconds."""
    rng = np.random.default_rng(seed)
    half = np.triu(rng.integers(-50, 51, (n, n)).astype(float), 1)
    return MixedIntegerProgram(
        rng.integers(-50, 51, n),
        np.ones((1, n)),
        n // 3,
        n // 3,
        upper=1,
        integrality=True,
        sense="max",
        quadratic=half + half.T,
    )


def some_value(problem: MixedIntegerProgram) -> float:
    """Value of a feasible point: the best single columns, as many as the rows take."""
    x = np.zeros(problem.n_columns)
    for j in np.argsort(-problem.objective):
        x[j] = 1
        if (problem.matrix @ x > problem.row_upper).any():
            x[j] = 0
    return problem.value(x)


HARD = {"linear": hard_knapsack(), "quadratic": hard_quadratic()}


def check_answer(problem: MixedIntegerProgram, result: SolveResult, target: float, best: float) -> None:
    """At least as good as the target where that can be, with a bound that holds, and optimal where it says so."""
    sign = 1.0 if problem.sense == "max" else -1.0
    assert result.x is not None
    assert result.objective == problem.value(result.x)
    assert result.bound is not None
    assert sign * result.bound >= sign * best - 1e-6
    if sign * target <= sign * best:
        assert sign * result.objective >= sign * target - 1e-6
        assert result.outcome in (Outcome.OPTIMAL, Outcome.FEASIBLE)
    else:
        assert result.outcome is Outcome.OPTIMAL
    if result.outcome is Outcome.OPTIMAL:
        assert result.objective == best


class TestTargets:
    @same_for_each_solver
    @given(problem=problems(integer=True), beyond=st.integers(-4, 3))
    def test_integer_program(self, solver: str, problem: MixedIntegerProgram, beyond: int) -> None:
        best = best_by_grid(problem)
        sign = 1 if problem.sense == "max" else -1
        target = sign * beyond + (0.0 if best is None else best)
        result = solve(problem, solver, SolveOptions(target=target))
        if best is None:
            assert result.outcome is Outcome.INFEASIBLE
        else:
            check_answer(problem, result, target, best)

    @same_for_each_solver
    @given(problem=binary_quadratic_problems(), beyond=st.integers(-4, 3))
    def test_binary_quadratic_program(self, solver: str, problem: MixedIntegerProgram, beyond: int) -> None:
        best = best_by_grid(problem)
        sign = 1 if problem.sense == "max" else -1
        target = sign * beyond + (0.0 if best is None else best)
        result = solve(problem, solver, SolveOptions(target=target))
        if best is None:
            assert result.outcome is Outcome.INFEASIBLE
        else:
            check_answer(problem, result, target, best)

    @pytest.mark.parametrize("kind", HARD)
    @pytest.mark.parametrize("sense", ["max", "min"])
    @pytest.mark.parametrize("offset", [0.0, 1000.0])
    def test_a_hard_problem_ends_at_its_target(
        self, solver: str, kind: str, sense: str, offset: float
    ) -> None:
        """The offset counts: a target without it would be far from where the run has to end."""
        target = some_value(HARD[kind]) + offset
        problem = replace(HARD[kind], offset=offset)
        if sense == "min":
            problem, target = negative(problem), -target
        sign = 1.0 if sense == "max" else -1.0
        result = solve(problem, solver, SolveOptions(target=target, time_limit=20))
        assert result.outcome is Outcome.FEASIBLE
        assert result.objective is not None
        assert result.bound is not None
        assert sign * result.objective >= sign * target
        assert sign * result.bound > sign * result.objective
        assert result.seconds < 10

    def test_a_target_out_of_reach_changes_nothing(self, solver: str) -> None:
        problem = hard_knapsack(20, 5)
        plain = solve(problem, solver)
        assert plain.objective is not None
        result = solve(problem, solver, SolveOptions(target=plain.objective + 1))
        assert (result.outcome, result.objective) == (Outcome.OPTIMAL, plain.objective)

    def test_a_limit_before_the_target_is_still_a_limit(self, solver: str) -> None:
        result = solve(hard_knapsack(), solver, SolveOptions(target=1e6, time_limit=0.3))
        assert result.outcome is Outcome.FEASIBLE
        assert result.bound is not None
        assert result.objective is not None
        assert result.objective < result.bound < 1e6

    @same_for_each_solver
    @given(problem=problems(integer=False))
    def test_an_lp_has_none(self, solver: str, problem: MixedIntegerProgram) -> None:
        best = best_by_vertices(problem)
        for target in (-100.0, 100.0):
            result = solve(problem, solver, SolveOptions(target=target))
            assert result.outcome is (Outcome.INFEASIBLE if best is None else Outcome.OPTIMAL)
            assert best is None or result.objective == pytest.approx(best, abs=1e-6)


class TestAbsoluteGap:
    @pytest.mark.parametrize("sense", ["max", "min"])
    def test_it_is_kept_to_and_ends_the_run(self, solver: str, sense: str) -> None:
        problem = HARD["linear"] if sense == "max" else negative(HARD["linear"])
        allowed = 0.05 * some_value(HARD["linear"])
        result = solve(problem, solver, SolveOptions(gap_abs=allowed, time_limit=20))
        assert result.outcome is Outcome.OPTIMAL
        assert result.objective is not None
        assert result.bound is not None
        assert 0 < abs(result.bound - result.objective) <= allowed * (1 + 1e-9)
        assert result.seconds < 10

    @same_for_each_solver
    @given(problem=binary_quadratic_problems(), allowed=st.floats(0, 5))
    def test_quadratic_programs(self, solver: str, problem: MixedIntegerProgram, allowed: float) -> None:
        best = best_by_grid(problem)
        result = solve(problem, solver, SolveOptions(gap_abs=allowed))
        assert result.outcome is (Outcome.INFEASIBLE if best is None else Outcome.OPTIMAL)
        if best is not None:
            assert result.objective is not None
            assert result.bound is not None
            assert abs(result.objective - best) <= allowed + 1e-6
            assert abs(result.objective - result.bound) <= allowed + 1e-6
            sign = 1 if problem.sense == "max" else -1
            assert sign * result.bound >= sign * best - 1e-6

    def test_either_gap_is_enough(self, solver: str) -> None:
        for options in (SolveOptions(gap=0.05, gap_abs=1e-9), SolveOptions(gap=1e-9, gap_abs=200.0)):
            assert solve(hard_knapsack(), solver, options).outcome is Outcome.OPTIMAL


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("target", np.nan),
        ("target", np.inf),
        ("target", -np.inf),
        ("target", "1"),
        ("target", True),
        ("gap_abs", -1e-9),
        ("gap_abs", np.nan),
        ("gap_abs", np.inf),
        ("gap_abs", None),
        ("gap_abs", "0"),
        ("gap_abs", False),
    ],
)
def test_what_is_no_finite_number_is_refused(name: str, value: Any) -> None:
    with pytest.raises(InvalidParameterError, match=f"^{name}: must be a finite number"):
        SolveOptions(**{name: value})


def test_no_target_and_numbers_of_numpy_are_allowed() -> None:
    options = SolveOptions(target=np.float64(-3.5), gap_abs=np.float32(0.5))
    assert (options.target, options.gap_abs) == (-3.5, 0.5)
    assert SolveOptions().target is None
