"""CPLEX within a node may ask no clock: what is past its limit is ended from outside, and keeps its solution."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from compactml.clock import Clock
from compactml.solvers import MixedIntegerProgram, Outcome, SolveOptions, solve
from tests.solvers.interrupts import interrupted
from tests.solvers.toy_problems import hard_knapsack

backend = pytest.importorskip("compactml.solvers.backends.cplex")


@pytest.fixture
def _deaf(monkeypatch: pytest.MonkeyPatch) -> None:
    """CPLEX that is told of no limit."""
    told = backend._set

    def untold(parameters: Any, problem: MixedIntegerProgram, options: SolveOptions) -> None:
        told(parameters, problem, replace(options, time_limit=None))

    monkeypatch.setattr(backend, "_set", untold)


@pytest.mark.usefixtures("_deaf")
def test_the_best_solution_and_the_bound_are_kept() -> None:
    clock = Clock(None)
    result = solve(hard_knapsack(200, 60), "cplex", SolveOptions(time_limit=0.5, start=np.zeros(200)))
    assert clock.seconds > 0.5, "it ended by itself"
    assert result.outcome is Outcome.FEASIBLE
    assert result.objective is not None
    assert result.bound is not None
    assert result.objective < result.bound < np.inf


@pytest.mark.usefixtures("_deaf")
def test_without_a_solution_there_is_none() -> None:
    """A market split problem, on which branch and bound takes days."""
    weight = np.random.default_rng(1).integers(0, 100, (5, 40)).astype(float)
    half = weight.sum(axis=1) // 2
    problem = MixedIntegerProgram(np.zeros(40), weight, half, half, upper=1, integrality=True)
    result = solve(problem, "cplex", SolveOptions(time_limit=0.2))
    assert result.outcome is Outcome.NO_SOLUTION
    assert result.x is None


@pytest.mark.usefixtures("_deaf")
@pytest.mark.parametrize("limit", [30.0, None])
def test_ctrl_c_is_no_limit(limit: float | None) -> None:
    with interrupted(0.5), pytest.raises(KeyboardInterrupt):
        solve(hard_knapsack(200, 60), "cplex", SolveOptions(time_limit=limit))
