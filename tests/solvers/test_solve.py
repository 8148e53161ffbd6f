from __future__ import annotations

import pickle
from dataclasses import replace

import gurobipy
import numpy as np
import pytest
from docplex.mp.model import Model
from hypothesis import HealthCheck, given, settings

from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.solvers import (
    MixedIntegerProgram,
    ModelTooLargeError,
    Outcome,
    SolveOptions,
    SolverNotAvailableError,
    VerificationError,
    solve,
    violation,
)
from compactml.solvers.backends.highs import Highs
from compactml.solvers.registry import ADAPTERS
from compactml.solvers.result import RawResult
from tests.solvers.toy_problems import (
    best_by_grid,
    best_by_vertices,
    best_of_mixed,
    binary_quadratic_problems,
    hard_knapsack,
    problems,
    shifted,
)

same_for_each_solver = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


class TestAgainstEnumeration:
    @same_for_each_solver
    @given(problem=problems(integer=False))
    def test_lp(self, solver: str, problem: MixedIntegerProgram) -> None:
        result = solve(problem, solver)
        expected = best_by_vertices(problem)
        assert result.outcome is (Outcome.INFEASIBLE if expected is None else Outcome.OPTIMAL)
        if expected is not None:
            assert result.objective == pytest.approx(expected, abs=1e-6)
            assert result.bound == pytest.approx(expected, abs=1e-6)

    def test_lp_whose_equation_fixes_the_basic_column(self, solver: str) -> None:
        """SoPlex answered with duals of 0 here, which bound nothing, while it presolved."""
        problem = MixedIntegerProgram(
            [1, 0], [[3, 1], [2, 2]], [-1, -3], [1, -3], [0, -2], [2, 0], sense="max"
        )
        result = solve(problem, solver)
        assert result.objective == pytest.approx(0.5)
        assert result.bound == pytest.approx(0.5)

    @same_for_each_solver
    @given(problem=problems(integer=True))
    def test_integer_program(self, solver: str, problem: MixedIntegerProgram) -> None:
        result = solve(problem, solver)
        expected = best_by_grid(problem)
        assert result.outcome is (Outcome.INFEASIBLE if expected is None else Outcome.OPTIMAL)
        assert (result.duals, result.reduced_costs) == (None, None)
        if expected is not None:
            assert result.objective == expected
            assert result.x is not None
            assert (result.x == np.round(result.x)).all()
            assert result.gap == pytest.approx(0, abs=1e-6)

    @same_for_each_solver
    @given(problem=problems(integer=None))
    def test_mixed_integer_program(self, solver: str, problem: MixedIntegerProgram) -> None:
        expected = best_of_mixed(problem)
        result = solve(problem, solver)
        assert result.outcome is (Outcome.INFEASIBLE if expected is None else Outcome.OPTIMAL)
        assert expected is None or result.objective == pytest.approx(expected, abs=1e-6)

    @same_for_each_solver
    @given(problem=binary_quadratic_problems())
    def test_binary_quadratic_program(self, solver: str, problem: MixedIntegerProgram) -> None:
        expected = best_by_grid(problem)
        assert expected is not None or solve(problem, solver).outcome is Outcome.INFEASIBLE
        if expected is not None:
            assert solve(problem, solver).objective == expected


@same_for_each_solver
@given(problem=problems(integer=False))
def test_duals_are_derivatives_of_the_objective(solver: str, problem: MixedIntegerProgram) -> None:
    """The optimum is convex (min) or concave (max) in the right-hand sides and the duals are a subgradient."""
    result = solve(problem, solver)
    if result.outcome is not Outcome.OPTIMAL:
        return
    sign = 1 if problem.sense == "min" else -1
    assert result.duals is not None
    assert result.reduced_costs is not None
    assert result.objective is not None
    for low, high, slopes in (
        ("row_lower", "row_upper", result.duals),
        ("lower", "upper", result.reduced_costs),
    ):
        for i, slope in enumerate(slopes):
            for by in (-1.0, 0.5):
                moved = best_by_vertices(shifted(problem, low, high, i, by))
                if moved is not None:
                    assert sign * moved >= sign * (result.objective + slope * by) - 1e-6


@pytest.mark.parametrize("sense", ["min", "max"])
def test_signs_of_duals_by_hand(solver: str, sense: str) -> None:
    """Minimise 2x + 3y with x + y >= 4, x <= 3 as a row; and the same problem turned around."""
    turn = 1 if sense == "min" else -1
    problem = MixedIntegerProgram(
        [2 * turn, 3 * turn], [[1, 1], [1, 0]], row_lower=[4, -np.inf], row_upper=[np.inf, 3], sense=sense
    )  # type: ignore[arg-type]
    result = solve(problem, solver)
    assert result.x is not None
    assert result.duals is not None
    assert result.reduced_costs is not None
    assert result.x == pytest.approx([3, 1])
    assert result.objective == pytest.approx(9 * turn)
    assert result.duals == pytest.approx([3 * turn, -1 * turn])
    assert result.reduced_costs == pytest.approx([0, 0])


@pytest.mark.parametrize(
    ("problem", "optimum"),
    [
        (MixedIntegerProgram([2, 3], [[1, 1]], 4.5, upper=10, integrality=[False, True]), 9),
        (MixedIntegerProgram([-3, -3, 2], [[1, 1, -1]], -np.inf, 1, 0, 1, [True, True, False]), -4),
        (MixedIntegerProgram([-100, 0.01], [[1, -1]], -np.inf, 0, 1, 3, [True, False]), -299.97),
    ],
)
def test_highs_issue_2957_singleton_columns_of_mixed_rows(
    solver: str, problem: MixedIntegerProgram, optimum: float
) -> None:
    """HiGHS 1.14.0 with presolve calls 15, -3 and -99.99 optimal."""
    assert solve(problem, solver).objective == pytest.approx(optimum)


def test_products_of_binary_columns_that_are_not_convex(solver: str) -> None:
    """CPLEX 22.2 calls 0 optimal when it is told to look for a global optimum."""
    half = np.triu([[0, -0.11, -0.15, -0.06], [0, 0, -0.07, -0.09], [0, 0, 0, -0.02], [0, 0, 0, 0]])
    problem = MixedIntegerProgram(
        [-0.3, -0.36, 0.0, 0.04],
        np.ones((1, 4)),
        1,
        upper=1,
        integrality=True,
        sense="max",
        quadratic=half + half.T,
    )
    assert solve(problem, solver).objective == best_by_grid(problem) == 0.04


class TestOutcomes:
    @pytest.mark.parametrize("integer", [False, True])
    def test_infeasible(self, solver: str, integer: bool) -> None:
        problem = MixedIntegerProgram([1, 1], [[1, 1]], 3, 3, upper=1, integrality=integer)
        result = solve(problem, solver)
        assert result.outcome is Outcome.INFEASIBLE
        assert (result.x, result.objective, result.bound, result.gap) == (None, None, None, None)

    @pytest.mark.parametrize("integer", [False, True])
    def test_unbounded(self, solver: str, integer: bool) -> None:
        problem = MixedIntegerProgram([1, 1], [[1, -1]], row_upper=2, integrality=integer, sense="max")
        assert solve(problem, solver).outcome is Outcome.UNBOUNDED

    @pytest.mark.parametrize("integer", [False, True])
    def test_a_ray_without_a_point_is_infeasible(self, solver: str, integer: bool) -> None:
        problem = MixedIntegerProgram(
            [1, 1, 0],
            [[1, -1, 0], [0, 0, 2]],
            [-np.inf, 1],
            [2, 1],
            upper=[np.inf, np.inf, 1 if integer else 0.25],
            integrality=integer,
            sense="max",
        )
        assert solve(problem, solver).outcome is Outcome.INFEASIBLE

    def test_unbounded_along_a_mixed_ray(self, solver: str) -> None:
        """Columns 0 and 5 grow together without end; presolve of Gurobi 13.0.3 calls a point optimal."""
        problem = MixedIntegerProgram(
            [3, 3, -5, 2, 5, 0, -5, -5],
            [
                [-2, 0, 0, -1, -1, 2, -2, 3],
                [0, 0, 4, 0, 0, 0, 4, 0],
                [-3, 0, 0, 4, 0, 1, 0, 0],
                [0, 0, 0, -3, 0, -3, 2, 3],
            ],
            row_lower=[-3, -np.inf, -np.inf, -np.inf],
            row_upper=[1, 7, -6, 8],
            lower=[0, -2, -1, -2, -1, -1, 0, -1],
            upper=[np.inf, 1, 1, 1, 3, np.inf, 1, 1],
            integrality=[False, True, False, False, False, False, False, True],
            sense="max",
        )
        ray = np.eye(8)[0] + np.eye(8)[5]
        assert (problem.matrix @ ray).tolist() == [0, 0, -2, -3]  # keeps every row
        assert problem.objective @ ray > 0
        assert solve(problem, solver).outcome is Outcome.UNBOUNDED

    def test_time_limit_with_incumbent(self, solver: str) -> None:
        result = solve(hard_knapsack(), solver, SolveOptions(time_limit=0.3))
        assert result.outcome is Outcome.FEASIBLE
        assert result.objective is not None
        assert result.bound is not None
        assert result.gap is not None
        assert result.objective < result.bound < np.inf
        assert result.gap == pytest.approx((result.bound - result.objective) / result.objective)

    def test_time_limit_without_incumbent(self, solver: str) -> None:
        """A market split problem: no point is found at once, in no time at all."""
        rng = np.random.default_rng(1)
        weight = rng.integers(0, 100, (5, 40)).astype(float)
        half = weight.sum(axis=1) // 2
        problem = MixedIntegerProgram(np.zeros(40), weight, half, half, upper=1, integrality=True)
        result = solve(problem, solver, SolveOptions(time_limit=0.2))
        assert result.outcome is Outcome.NO_SOLUTION
        assert (result.x, result.objective, result.gap) == (None, None, None)
        assert result.bound is not None

    def test_no_time_at_all_for_an_lp(self, solver: str) -> None:
        rng = np.random.default_rng(0)
        problem = MixedIntegerProgram(rng.random(200), rng.random((100, 200)), row_lower=1, upper=1)
        result = solve(problem, solver, SolveOptions(time_limit=0))
        assert (result.outcome, result.bound) == (Outcome.NO_SOLUTION, -np.inf)

    def test_work_limit_stops_at_the_same_place(self, solver: str) -> None:
        options = SolveOptions(work_limit=0.05)
        first, second = (solve(hard_knapsack(), solver, options) for _ in range(2))
        assert first.outcome is Outcome.FEASIBLE
        assert (first.objective, first.bound, first.nodes) == (second.objective, second.bound, second.nodes)

    def test_a_wide_gap_is_proved_early_and_kept_to(self, solver: str) -> None:
        result = solve(hard_knapsack(), solver, SolveOptions(gap=0.05))
        assert result.outcome is Outcome.OPTIMAL
        assert result.gap is not None
        assert 0 < result.gap <= 0.05

    def test_the_interior_point_method_has_the_same_optimum(self, solver: str) -> None:
        rng = np.random.default_rng(0)
        problem = MixedIntegerProgram(rng.random(40), rng.random((20, 40)), row_lower=1, upper=1)
        simplex, interior = (solve(problem, solver, SolveOptions(interior=way)) for way in (False, True))
        assert interior.outcome is Outcome.OPTIMAL
        assert interior.objective == pytest.approx(simplex.objective)


class TestStart:
    def test_a_start_is_not_lost_where_there_is_no_time(self, solver: str) -> None:
        problem = hard_knapsack()
        start = np.zeros(problem.n_columns)
        start[:10] = 1
        result = solve(problem, solver, SolveOptions(time_limit=0, start=start))
        assert result.outcome is Outcome.FEASIBLE
        assert result.objective is not None
        assert result.objective >= problem.value(start)
        assert start.flags.writeable

    def test_an_optimal_start_is_given_back_at_the_root(self, solver: str) -> None:
        """A start that hits an equality that the solvers do not hit in no time."""
        rng = np.random.default_rng(1)
        weight, start = rng.integers(0, 100, (5, 40)).astype(float), rng.integers(0, 2, 40).astype(float)
        problem = MixedIntegerProgram(
            np.zeros(40), weight, weight @ start, weight @ start, upper=1, integrality=True
        )
        result = solve(problem, solver, SolveOptions(time_limit=10, start=start))
        assert result.outcome is Outcome.OPTIMAL
        assert result.seconds < 5

    def test_partial_and_infeasible_starts_do_no_harm(self, solver: str) -> None:
        problem = MixedIntegerProgram(
            [3, 2], [[2, 2]], row_upper=2, upper=1, integrality=True, sense="max", quadratic=[[0, 1], [1, 0]]
        )
        for start in ([np.nan, 1.0], [1.0, 1.0]):
            assert solve(problem, solver, SolveOptions(start=np.array(start))).objective == 3

    def test_products_get_their_values_from_the_start(self, monkeypatch: pytest.MonkeyPatch) -> None:
        handed_over = []
        honest = Highs.solve

        def watched(self: Highs, problem: MixedIntegerProgram, options: SolveOptions) -> RawResult:
            handed_over.append(options.start)
            return honest(self, problem, options)

        monkeypatch.setattr(Highs, "solve", watched)
        products = np.ones((3, 3)) - np.eye(3)
        problem = MixedIntegerProgram(np.ones(3), upper=1, integrality=True, quadratic=products)
        solve(problem, "highs", SolveOptions(start=np.array([1, 1, np.nan])))
        np.testing.assert_equal(handed_over[0], [1, 1, np.nan, 1, np.nan, np.nan])

    def test_a_start_of_the_wrong_shape_is_refused(self) -> None:
        with pytest.raises(InvalidDataError, match="start: must be 1 finite numbers or NaN"):
            solve(MixedIntegerProgram([1]), options=SolveOptions(start=np.zeros(2)))


class TestChoice:
    def test_a_model_that_no_limited_licence_takes_goes_to_highs(self) -> None:
        result = solve(MixedIntegerProgram(np.ones(2001), lower=1))
        assert result.objective == 2001
        if "full licence" not in str(result.choice):
            assert result.choice.solver == "highs"

    def test_a_large_quadratic_model_reaches_highs_in_a_linear_form(self) -> None:
        problem = MixedIntegerProgram([1, 1], upper=1, integrality=True, quadratic=[[0, -2], [-2, 0]])
        result = solve(problem, "highs")
        assert (result.objective, result.x.tolist() if result.x is not None else None) == (-2, [1, 1])
        assert result.choice.reason == "quadratic objective linearised exactly; asked for by argument"

    def test_an_unforeseen_refusal_passes_on_with_its_reason(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(self: object, problem: MixedIntegerProgram, options: SolveOptions) -> None:
            raise ModelTooLargeError("gurobi", problem.n_columns, problem.n_rows, 1, 1)

        pytest.importorskip("gurobipy")
        monkeypatch.setattr("compactml.solvers.backends.gurobi.Gurobi.solve", refuse)
        result = solve(MixedIntegerProgram([1, 1], lower=1))
        assert result.choice.solver != "gurobi"
        assert "gurobi: 2 columns and 0 rows refused when solved" in result.choice.reason
        with pytest.raises(ModelTooLargeError):
            solve(MixedIntegerProgram([1, 1], lower=1), "gurobi")

    def test_a_package_that_does_not_import_passes_on(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(ADAPTERS, "gurobi", ("no_such", "x"))
        assert "no_such" in solve(MixedIntegerProgram([1], lower=1)).choice.reason
        with pytest.raises(SolverNotAvailableError, match="gurobi: must be installed"):
            solve(MixedIntegerProgram([1], lower=1), "gurobi")

    def test_an_unknown_solver_is_refused(self) -> None:
        with pytest.raises(InvalidParameterError, match="solver: must be one of"):
            solve(MixedIntegerProgram([1]), "glpk")


def test_a_wrong_answer_does_not_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Highs.solve

    def lie(self: Highs, problem: MixedIntegerProgram, options: SolveOptions) -> RawResult:
        return replace(honest(self, problem, options), objective=0.5)

    monkeypatch.setattr(Highs, "solve", lie)
    with pytest.raises(VerificationError, match="error of the objective"):
        solve(MixedIntegerProgram([1], lower=1), "highs")


def test_results_survive_pickling_and_cannot_be_changed(solver: str) -> None:
    result = solve(MixedIntegerProgram([1, 2], [[1, 1]], row_lower=1), solver)
    again = pickle.loads(pickle.dumps(result))
    assert again.choice == result.choice
    assert again.outcome is Outcome.OPTIMAL
    assert again.x.tolist() == [1, 0]
    assert result.x is not None
    with pytest.raises(ValueError, match="read-only"):
        result.x[0] = 2


def test_highs_changes_its_number_of_threads_within_a_process() -> None:
    problem = hard_knapsack(30, 5)
    found = {solve(problem, "highs", SolveOptions(threads=count)).objective for count in (1, 2, 1)}
    assert len(found) == 1


def test_same_seed_gives_the_same_solution(solver: str) -> None:
    problem = hard_knapsack(30, 5)
    first, second = (solve(problem, solver, SolveOptions(seed=3)) for _ in range(2))
    assert first.x is not None
    assert second.x is not None
    assert (first.x == second.x).all()
    assert violation(problem, first.x) == 0


class TestAlgebra:
    """max 5a + 4b + 3c - 6ab, 2a + 3b + c <= 5, 4a + b + 2c <= 7, a + c >= 1, all binary: written three times."""

    problem = MixedIntegerProgram(
        [5, 4, 3],
        [[2, 3, 1], [4, 1, 2], [1, 0, 1]],
        row_lower=[-np.inf, -np.inf, 1],
        row_upper=[5, 7, np.inf],
        upper=1,
        integrality=True,
        sense="max",
        quadratic=[[0, -3, 0], [-3, 0, 0], [0, 0, 0]],
    )

    def test_gurobipy(self) -> None:
        with gurobipy.Env(params={"OutputFlag": 0}) as env, gurobipy.Model(env=env) as model:
            a, b, c = model.addVars(3, vtype="B").values()
            model.setObjective(5 * a + 4 * b + 3 * c - 6 * a * b, gurobipy.GRB.MAXIMIZE)
            model.addConstr(2 * a + 3 * b + c <= 5)
            model.addConstr(4 * a + b + 2 * c <= 7)
            model.addConstr(a + c >= 1)
            model.optimize()
            expected = model.ObjVal
        assert solve(self.problem, "gurobi").objective == pytest.approx(expected)

    def test_docplex(self) -> None:
        with Model() as model:
            a, b, c = model.binary_var_list(3)
            model.maximize(5 * a + 4 * b + 3 * c - 6 * a * b)
            model.add_constraint(2 * a + 3 * b + c <= 5)
            model.add_constraint(4 * a + b + 2 * c <= 7)
            model.add_constraint(a + c >= 1)
            model.parameters.optimalitytarget = 3
            solution = model.solve()
        assert solve(self.problem, "cplex").objective == pytest.approx(solution.objective_value)

    def test_enumeration(self, solver: str) -> None:
        assert solve(self.problem, solver).objective == best_by_grid(self.problem)


def test_an_integer_column_that_a_row_fixes_at_a_fraction(solver: str) -> None:
    """3 z = 1 for the only column that is not fixed at 0, and a row that says nothing."""
    problem = MixedIntegerProgram(
        np.zeros(3),
        [[-3, -1, 3], [0, 0, 0]],
        row_lower=[1, -np.inf],
        row_upper=[1, np.inf],
        lower=0,
        upper=[0, 0, 2],
        integrality=True,
    )
    assert solve(problem, solver).outcome is Outcome.INFEASIBLE
