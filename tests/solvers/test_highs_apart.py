"""HiGHS may go on for minutes without a look at its clock: then it has a process of its own, which is ended."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import numpy as np
import psutil
import pytest

from compactml.clock import Clock
from compactml.solvers import MixedIntegerProgram, Outcome, SolveOptions, SolverStatusError, solve
from compactml.solvers.backends import highs, highs_apart, highs_late
from tests.solvers.interrupts import interrupted
from tests.solvers.toy_problems import hard_knapsack

pytestmark = pytest.mark.skipif(not highs_apart.IS_POSSIBLE, reason="needs a POSIX system")

UNTOLD = """
from dataclasses import replace
from compactml.solvers.backends.highs import Highs
from compactml.solvers.backends.highs_apart import serve
def untold(problem, options, told):
    return Highs().solve_here(problem, replace(options, time_limit=None), told)
serve(untold)
"""
"""A process whose HiGHS is told of no limit."""


@pytest.fixture
def _apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(highs, "is_deaf", lambda *_: True)


@pytest.fixture
def _deaf(monkeypatch: pytest.MonkeyPatch, _apart: None) -> None:
    monkeypatch.setattr(highs_apart, "PROGRAM", UNTOLD)


def minimised(problem: MixedIntegerProgram) -> MixedIntegerProgram:
    """The same problem with its other sense."""
    other = {"max": "min", "min": "max"}[problem.sense]
    bounds = problem.row_lower, problem.row_upper, problem.lower, problem.upper
    return MixedIntegerProgram(-problem.objective, problem.matrix, *bounds, problem.integrality, other)


def children() -> list[psutil.Process]:
    return psutil.Process().children()


@pytest.mark.parametrize("start", [None, np.zeros(30)])
def test_the_answer_is_the_same(start: np.ndarray | None, monkeypatch: pytest.MonkeyPatch) -> None:
    options = SolveOptions(time_limit=60.0, start=start, pool=True)
    here = solve(hard_knapsack(30, 10), "highs", options)
    monkeypatch.setattr(highs, "is_deaf", lambda *_: True)
    monkeypatch.setattr(highs, "_load", None)  # not in this process
    there = solve(hard_knapsack(30, 10), "highs", options)
    assert (there.outcome, there.objective, there.bound) == (Outcome.OPTIMAL, here.objective, here.bound)
    np.testing.assert_array_equal(there.x, here.x)
    np.testing.assert_array_equal(there.pool, here.pool)
    impossible = MixedIntegerProgram([1.0], [[1.0]], row_lower=2, upper=1, integrality=True)
    assert solve(impossible, "highs", options=SolveOptions(time_limit=60.0)).outcome is Outcome.INFEASIBLE


@pytest.mark.usefixtures("_deaf")
@pytest.mark.parametrize("sense", ["max", "min"])
def test_past_the_limit_it_is_ended_and_the_best_solution_and_the_bound_are_kept(sense: str) -> None:
    problem = hard_knapsack(200, 60)
    problem = problem if problem.sense == sense else minimised(problem)
    clock = Clock(None)
    result = solve(problem, "highs", SolveOptions(time_limit=4.0, pool=True))
    assert clock.seconds > 4.0, "it ended by itself"
    assert result.outcome is Outcome.FEASIBLE
    assert result.objective is not None
    assert result.bound is not None
    sign = 1 if sense == "min" else -1
    assert -np.inf < sign * result.bound < sign * result.objective
    assert not children()


@pytest.mark.usefixtures("_deaf")
def test_without_a_solution_the_start_is_kept() -> None:
    """A market split problem, on which branch and bound takes days."""
    weight = np.random.default_rng(1).integers(0, 100, (5, 40)).astype(float)
    hidden = (np.random.default_rng(2).random(40) < 0.5).astype(float)
    problem = MixedIntegerProgram(
        np.zeros(40), weight, weight @ hidden, weight @ hidden, upper=1, integrality=True
    )
    assert solve(problem, "highs", SolveOptions(time_limit=0.5)).outcome is Outcome.NO_SOLUTION
    kept = solve(problem, "highs", SolveOptions(time_limit=0.5, start=hidden))
    np.testing.assert_array_equal(kept.x, hidden)


@pytest.mark.usefixtures("_apart")
@pytest.mark.parametrize("program", ["import os; os._exit(3)", "import nothing_of_this_name"])
def test_a_process_that_dies_is_an_error_of_the_solver(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(highs_apart, "PROGRAM", program)
    with pytest.raises(SolverStatusError, match="its process ended without an answer"):
        solve(hard_knapsack(30, 10), "highs", SolveOptions(time_limit=60.0))


@pytest.mark.usefixtures("_apart")
def test_an_error_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    raising = UNTOLD.replace("return", "1 // 0\n    return")
    monkeypatch.setattr(highs_apart, "PROGRAM", raising)
    with pytest.raises(SolverStatusError, match="ZeroDivisionError"):
        solve(hard_knapsack(30, 10), "highs", SolveOptions(time_limit=60.0))


@pytest.mark.usefixtures("_deaf")
def test_ctrl_c_ends_it() -> None:
    with interrupted(2.0), pytest.raises(KeyboardInterrupt):
        solve(hard_knapsack(200, 60), "highs", SolveOptions(time_limit=60.0))
    assert not children()


def test_it_ends_with_the_process_that_began_it() -> None:
    """However that one ends."""
    program = f"""
from compactml.solvers import SolveOptions, solve
from compactml.solvers.backends import highs, highs_apart
from tests.solvers.toy_problems import hard_knapsack
highs.is_deaf = lambda *_: True
highs_apart.PROGRAM = {UNTOLD!r}
solve(hard_knapsack(200, 60), "highs", SolveOptions(time_limit=300.0))
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, "-c", program], env=environment) as first:
        started = psutil.Process(first.pid)
        clock = Clock(60.0)
        while not started.children() and not clock.stopped():
            time.sleep(0.1)
        (second,) = started.children()
        while second.cpu_times().user < 2.0 and not clock.stopped():  # it has the job by now
            time.sleep(0.1)
        first.kill()
    psutil.wait_procs([second], timeout=20)
    assert not second.is_running()


def test_only_programs_on_which_it_is_known_to_go_on_have_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """And only where the limit is worth the start of one."""
    problem = MixedIntegerProgram(np.ones(3), np.ones((2, 3)), row_lower=1, upper=1, integrality=True)
    assert not highs_late.is_deaf(problem, 20.0)
    seconds = {
        "PIVOT_SECONDS": 2.1 / 3**2,
        "WEIGHTS_SECONDS": 2.1 / (2 * 2),
        "PRESOLVE_SECONDS": (20.0 + 2.1) / (2 * 6),
    }
    for name, many in seconds.items():
        with monkeypatch.context() as patch:
            patch.setattr(highs_late, name, many)
            assert highs_late.is_deaf(problem, 20.0)
            assert not highs_late.is_deaf(problem, 22.0)
            assert not highs_late.is_deaf(problem, 5.0)


def test_an_lp_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(highs, "solved_apart", None)
    monkeypatch.setattr(highs, "is_deaf", lambda *_: True)
    lp = MixedIntegerProgram([1.0, 2.0], [[1, 1]], row_lower=1)
    assert solve(lp, "highs", SolveOptions(time_limit=60.0)).outcome is Outcome.OPTIMAL
