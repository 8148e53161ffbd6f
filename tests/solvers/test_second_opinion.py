from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.solvers import (
    Level,
    Licence,
    MixedIntegerProgram,
    Outcome,
    SolveOptions,
    Verdict,
    second_opinion,
    solve,
)
from compactml.solvers.backends.highs import Highs
from compactml.solvers.result import RawResult
from tests.solvers.toy_problems import best_by_grid, hard_knapsack, problems

KNAPSACK = hard_knapsack(15, 3)
RAY = MixedIntegerProgram([1, 1], [[1, -1]], row_upper=2, sense="max")
IMPOSSIBLE = MixedIntegerProgram([1, 1], [[1, 1]], 3, 3, upper=1, integrality=True)

for_each_solver = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@for_each_solver
@given(problem=problems(integer=True))
def test_an_honest_result_is_confirmed(solver: str, problem: MixedIntegerProgram) -> None:
    first = "scip" if solver == "highs" else "highs"
    opinion = second_opinion(problem, solve(problem, first), solver)
    assert opinion.verdict is Verdict.CONFIRMED
    assert opinion.value == best_by_grid(problem)
    assert opinion.solver is not None
    assert opinion.solver.startswith(solver)


@pytest.mark.parametrize("exponent", [-40, 0, 40])
@pytest.mark.parametrize("sense", ["min", "max"])
def test_a_worse_point_called_optimal_is_refuted(solver: str, sense: str, exponent: int) -> None:
    """The bound is what lies: the point is a solution, one unit (or its multiple) from the optimum."""
    sign = 1.0 if sense == "min" else -1.0
    problem = MixedIntegerProgram(
        np.ldexp([sign, 2 * sign, 3 * sign], exponent), [[1, 1, 1]], 1, upper=1, integrality=True, sense=sense
    )  # type: ignore[arg-type]
    honest = solve(problem, "scip" if solver == "highs" else "highs")
    value = float(np.ldexp(2 * sign, exponent))
    wrong = replace(honest, x=np.array([0.0, 1.0, 0.0]), objective=value, bound=value)
    opinion = second_opinion(problem, wrong, solver)
    assert (opinion.verdict, opinion.value) == (Verdict.REFUTED, float(np.ldexp(sign, exponent)))
    assert "better solution" in opinion.reason


def test_outcomes_without_a_solution(solver: str) -> None:
    first = "scip" if solver == "highs" else "highs"
    for problem, outcome in ((IMPOSSIBLE, Outcome.INFEASIBLE), (RAY, Outcome.UNBOUNDED)):
        result = solve(problem, first)
        assert result.outcome is outcome
        assert second_opinion(problem, result, solver).verdict is Verdict.CONFIRMED
        assert second_opinion(KNAPSACK, result, solver).verdict is Verdict.REFUTED


def test_a_limit_refutes_nothing(solver: str) -> None:
    problem = hard_knapsack()
    result = solve(problem, "scip" if solver == "highs" else "highs", SolveOptions(time_limit=0.2))
    opinion = second_opinion(problem, result, solver, SolveOptions(time_limit=0.2))
    assert opinion.verdict is Verdict.NOT_REFUTED
    assert opinion.seconds < 5


def test_the_gap_that_was_asked_for_is_enough(solver: str) -> None:
    problem, options = hard_knapsack(), SolveOptions(gap=0.2)
    result = solve(problem, "scip" if solver == "highs" else "highs", options)
    assert second_opinion(problem, result, solver, options).verdict is Verdict.CONFIRMED


def test_another_solver_is_chosen_whatever_the_variable_says(
    solver: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPACTML_SOLVER", solver)
    opinion = second_opinion(KNAPSACK, solve(KNAPSACK))
    assert opinion.verdict is Verdict.CONFIRMED
    assert opinion.solver is not None
    assert not opinion.solver.startswith(solver)


def test_a_solver_that_fails_passes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Highs, problem: MixedIntegerProgram, options: SolveOptions) -> RawResult:
        raise RuntimeError("struck")

    result = solve(KNAPSACK, "scip")
    monkeypatch.setattr(Highs, "solve", fail)
    only = {name: Licence(name, Level.MISSING) for name in ("gurobi", "cplex")}
    only |= {name: Licence(name, Level.OPEN) for name in ("highs", "scip")}
    monkeypatch.setattr("compactml.solvers.opinion.licence", only.__getitem__)
    opinion = second_opinion(KNAPSACK, result)
    assert (opinion.verdict, opinion.solver) == (Verdict.NOT_REFUTED, None)
    assert "struck" in opinion.reason


def test_a_solver_that_excludes_a_verified_solution_is_no_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    def lie(self: Highs, problem: MixedIntegerProgram, options: SolveOptions) -> RawResult:
        return RawResult(Outcome.INFEASIBLE)

    result = solve(KNAPSACK, "scip")
    monkeypatch.setattr(Highs, "solve", lie)
    opinion = second_opinion(KNAPSACK, result, "highs")
    assert opinion.verdict is Verdict.NOT_REFUTED
    assert "excludes" in opinion.reason


def test_what_is_no_result_of_the_problem_is_refused() -> None:
    result = solve(MixedIntegerProgram([1], lower=1), "highs")
    with pytest.raises(InvalidDataError, match="result: must be a result of this problem"):
        second_opinion(KNAPSACK, result)
    with pytest.raises(InvalidParameterError, match="solver"):
        second_opinion(KNAPSACK, solve(KNAPSACK, "highs"), "glpk")


def test_an_opinion_can_be_pickled() -> None:
    opinion = second_opinion(KNAPSACK, solve(KNAPSACK, "highs"), "scip")
    assert pickle.loads(pickle.dumps(opinion)) == opinion
