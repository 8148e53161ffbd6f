"""The pool of a result: feasible points of the program itself, each once, the best first, on every solver."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from compactml.solvers import MixedIntegerProgram, Outcome, SolveOptions, solve, verify
from compactml.solvers.backends.highs import Highs
from compactml.solvers.result import RawResult
from tests.solvers.toy_problems import hard_knapsack


def knapsack(sense: int = 1) -> MixedIntegerProgram:
    rng = np.random.default_rng(0)
    weight = rng.integers(1, 60, (4, 30)).astype(float)
    return MixedIntegerProgram(
        1e-9 * sense * rng.integers(1, 60, 30),  # so small that the solver sees a scaled program
        weight,
        row_upper=weight.sum(axis=1) // 3,
        upper=1,
        integrality=True,
        sense="max" if sense > 0 else "min",
    )


def test_points_are_feasible_and_the_best_is_the_answer(solver: str) -> None:
    for sense in (1, -1):
        problem = knapsack(sense)
        result = solve(problem, solver, SolveOptions(pool=True))
        values = [sense * problem.value(point) for point in result.pool]
        assert result.pool
        assert all(verify.violation(problem, point) == 0 for point in result.pool)
        assert all(first >= second for first, second in pairwise(values))
        assert sense * result.objective == values[0]
        assert len({point.tobytes() for point in result.pool}) == len(result.pool)
        assert not any(point.flags.writeable for point in result.pool)


def test_without_asking_and_of_linear_programs_there_is_none(solver: str) -> None:
    problem = knapsack()
    assert solve(problem, solver).pool == ()
    linear = MixedIntegerProgram([1.0, 2.0], [[1, 1]], row_lower=1)
    assert solve(linear, solver, SolveOptions(pool=True)).pool == ()


def test_some_solver_passes_through_more_than_one() -> None:
    problem = hard_knapsack()
    result = solve(problem, "highs", SolveOptions(pool=True, work_limit=0.1))
    assert len(result.pool) > 1


def test_points_that_are_wrong_are_left_out(monkeypatch) -> None:
    honest = Highs.solve

    def lying(self: Highs, problem: MixedIntegerProgram, options: SolveOptions) -> RawResult:
        raw = honest(self, problem, options)
        wrong = (np.ones(problem.n_columns), np.full(problem.n_columns, 0.5), np.zeros(3))
        return RawResult(raw.outcome, raw.x, raw.objective, raw.bound, pool=wrong)

    monkeypatch.setattr(Highs, "solve", lying)
    result = solve(knapsack(), "highs", SolveOptions(pool=True))
    assert result.outcome is Outcome.OPTIMAL
    assert len(result.pool) == 1
    assert (result.pool[0] == result.x).all()
