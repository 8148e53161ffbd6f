"""Which back ends answered is noted, once a log is open."""

from __future__ import annotations

import numpy as np
import pytest

from compactml.solvers import (
    MasterNotSolvedError,
    MixedIntegerProgram,
    RestrictedMaster,
    answers,
    licence,
    solve,
)
from compactml.solvers._answers import note
from compactml.solvers.backends.cp_sat import cp_solver


def knapsack(n: int) -> MixedIntegerProgram:
    weight = np.arange(1.0, n + 1)[None]
    return MixedIntegerProgram(np.ones(n), weight, row_upper=n, upper=1.0, integrality=True, sense="max")


def test_solve_notes_who_answered_with_the_largest_sizes() -> None:
    with answers() as log:
        solve(knapsack(6), "highs")
        solve(knapsack(4), "highs")
    (found,) = log.values()
    assert (found.solver, found.version) == ("highs", licence("highs").version)
    assert (found.answers, found.rows, found.columns, found.statuses) == (2, 1, 6, {"optimal": 2})
    assert 0 < found.seconds < 10
    assert found.as_dict()["licence"] == "open source"


def test_a_growing_master_notes_each_solve_and_its_failures() -> None:
    problem = MixedIntegerProgram([5.0, 4.0], [[1, 0], [0, 1]], row_lower=[2, 3])
    with answers() as log, RestrictedMaster(problem) as master:
        master.solve()
        master.add_rows([[1.0, 1.0]], row_upper=[1.0])
        with pytest.raises(MasterNotSolvedError):
            master.solve()
    (found,) = log.values()
    assert (found.answers, found.rows, found.columns) == (2, 3, 2)
    assert found.statuses["optimal"] == 1


def test_constraint_programs_are_noted() -> None:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    x = model.new_bool_var("x")
    model.add(x == 1)
    with answers() as log:
        cp_solver(0).solve(model)
    (found,) = log.values()
    assert (found.solver, found.rows, found.columns, found.statuses) == ("cp-sat", 1, 1, {"optimal": 1})


def test_logs_are_apart_and_nothing_is_noted_without_one() -> None:
    note("toy", "1", "free", (1, 1), "optimal", 1.0)
    with answers() as outer:
        note("toy", "1", "free", (1, 1), "optimal", 1.0)
        with answers() as inner:
            note("toy", "2", "free", (1, 1), "optimal", 1.0)
        note("toy", "1", "full", (1, 1), "optimal", 1.0)
    assert [one.version for one in outer.values()] == ["1", "1"]
    assert [one.version for one in inner.values()] == ["2"]
