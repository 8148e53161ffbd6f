from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings

from compactml.solvers import MixedIntegerProgram, Outcome, SolveOptions, linearise, solve
from compactml.solvers.backends import highs, highs_late
from tests.solvers.toy_problems import best, best_by_grid, binary_quadratic_problems


@settings(deadline=None)
@given(problem=binary_quadratic_problems())
def test_same_optimum_by_enumeration(problem: MixedIntegerProgram) -> None:
    linear = linearise(problem)
    assert linear.quadratic is None
    points = [np.array(point, dtype=float) for point in product((0, 1), repeat=linear.n_columns)]
    assert best(linear, points) == best_by_grid(problem)


@pytest.mark.parametrize(("weight", "sense", "rows"), [(1, "min", 1), (1, "max", 2), (-1, "min", 2)])
def test_only_the_rows_that_the_objective_asks_for(weight: int, sense: str, rows: int) -> None:
    problem = MixedIntegerProgram(
        [0, 0], upper=1, integrality=True, quadratic=[[7, weight], [weight, 0]], sense=sense
    )  # type: ignore[arg-type]
    linear = linearise(problem)
    assert linear.n_rows == rows
    assert linear.objective.tolist() == [7, 0, 2 * weight]
    assert linear.integrality.tolist() == [True, True, False]


def test_a_linear_problem_is_itself() -> None:
    problem = MixedIntegerProgram([1])
    assert linearise(problem) is problem


def test_a_limit_too_short_for_presolve_goes_without_it() -> None:
    """HiGHS would take about seven seconds for this one before it looks at the clock for the first time."""
    p = 250
    weights = np.random.default_rng(0).normal(size=(p, p))
    problem = linearise(
        MixedIntegerProgram(np.zeros(p), upper=1, integrality=True, quadratic=weights + weights.T)
    )

    def presolve(limit: float | None) -> object:
        return highs._settings(problem, SolveOptions(time_limit=limit)).get("presolve")

    assert presolve(1.0) == "off"
    assert presolve(60.0) is None
    assert presolve(None) is None


def test_no_restart_is_allowed_which_does_not_look_at_the_clock() -> None:
    """HiGHS 1.16.0 never came back from the presolve of one, on the pricing program of a fold of WDBC."""
    problem = MixedIntegerProgram([1], upper=1, integrality=True)
    loaded = highs._load(problem, highs._settings(problem, SolveOptions()))
    assert loaded.getOptionValue("mip_allow_restart")[1] is False


def test_in_haste_nothing_is_left_on_that_does_not_look_at_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a linear form of 1,000 features feasibility jump took 25 s of a limit of 3, and stopping 2 s more."""
    monkeypatch.setattr(highs_late, "PRESOLVE_SECONDS", 10.0)
    monkeypatch.setattr(highs_late, "PIVOT_SECONDS", 0.0)
    problem = MixedIntegerProgram(np.ones(3), np.ones((2, 3)), row_lower=1, upper=1, integrality=True)
    settings = highs._settings(problem, SolveOptions(time_limit=50.0))
    assert settings["mip_heuristic_run_feasibility_jump"] is False
    assert settings["time_limit"] == 50.0 - 6 * highs_late.LATE_SECONDS
    assert "mip_heuristic_run_feasibility_jump" not in highs._settings(problem, SolveOptions(time_limit=70.0))
    assert "mip_heuristic_run_feasibility_jump" not in highs._settings(problem, SolveOptions())


def test_half_a_million_columns_in_a_row_take_minutes_a_pivot(monkeypatch: pytest.MonkeyPatch) -> None:
    """MILP1 on 1,000 features took 234 s of a limit of 200, and 381 of 300 on ORL_32x32."""
    monkeypatch.setattr(highs_late, "PIVOT_SECONDS", 2.0)
    rows = [[1, 1, 1], [0, 1, 0]]
    problem = MixedIntegerProgram(np.ones(3), rows, upper=1, integrality=True)
    assert highs._settings(problem, SolveOptions(time_limit=50.0))["time_limit"] == 50.0 - 2 * 3**2
    assert highs._settings(problem, SolveOptions(time_limit=5.0))["time_limit"] == 0.0
    lp = MixedIntegerProgram(np.ones(3), rows, upper=1)
    assert highs._settings(lp, SolveOptions(time_limit=50.0))["time_limit"] == 50.0


@pytest.mark.parametrize("too_late", ["LATE_SECONDS", "PIVOT_SECONDS"])
def test_what_would_end_long_after_its_limit_does_not_begin(
    too_late: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A start is kept all the same."""
    monkeypatch.setattr(highs_late, "PRESOLVE_SECONDS", 10.0)
    monkeypatch.setattr(highs_late, too_late, 1.0)
    monkeypatch.setattr(highs, "_load", None)  # it is not even handed over
    problem = MixedIntegerProgram(np.ones(3), np.ones((2, 3)), row_lower=1, upper=1, integrality=True)
    result = solve(problem, "highs", SolveOptions(time_limit=2.0))
    assert (result.outcome, result.bound) == (Outcome.NO_SOLUTION, -np.inf)
    kept = solve(problem, "highs", SolveOptions(time_limit=2.0, start=np.array([1.0, 1.0, 0.0])))
    assert (kept.outcome, kept.objective) == (Outcome.FEASIBLE, 2.0)
