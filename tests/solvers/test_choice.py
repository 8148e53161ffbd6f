from __future__ import annotations

import pickle

import numpy as np
import pytest

from compactml.errors import InvalidParameterError
from compactml.solvers import (
    Level,
    Licence,
    MixedIntegerProgram,
    ModelTooLargeError,
    SolverNotAvailableError,
    candidates,
)

HIGHS = Licence("highs", Level.OPEN, "1.16.0")
SCIP = Licence("scip", Level.OPEN, "10.0.2")
LIMITED = {
    "gurobi": Licence("gurobi", Level.SIZE_LIMITED, "13.0.3", "", 2000, 2000, 200),
    "cplex": Licence("cplex", Level.SIZE_LIMITED, "22.2", "", 1000, 1000, 1000),
}
FULL = {name: Licence(name, Level.FULL, found.version) for name, found in LIMITED.items()}
EXPIRED = Licence("gurobi", Level.EXPIRED, "13.0.3", "License expired")
MISSING = Licence("cplex", Level.MISSING)


def lp(columns: int, rows: int = 1) -> MixedIntegerProgram:
    return MixedIntegerProgram(np.ones(columns), np.ones((rows, columns)), row_lower=1)


def quadratic(columns: int) -> MixedIntegerProgram:
    return MixedIntegerProgram(
        np.ones(columns), upper=1, integrality=True, quadratic=np.eye(columns), sense="max"
    )


def machine(
    monkeypatch: pytest.MonkeyPatch,
    gurobi: Licence,
    cplex: Licence,
    highs: Licence = HIGHS,
    scip: Licence = SCIP,
) -> None:
    """Pretend that these are the licences here."""
    found = {"gurobi": gurobi, "cplex": cplex, "highs": highs, "scip": scip}
    here = lambda name: found.get(name, Licence(name, Level.MISSING))  # noqa: E731, a solver that is added is missing
    monkeypatch.setattr("compactml.solvers.choice.licence_of", here)
    monkeypatch.delenv("COMPACTML_SOLVER", raising=False)


@pytest.mark.parametrize(
    ("gurobi", "cplex", "problem", "order"),
    [
        (FULL["gurobi"], FULL["cplex"], lp(5000), ["gurobi", "cplex", "highs", "scip"]),
        (LIMITED["gurobi"], FULL["cplex"], lp(5), ["cplex", "gurobi", "highs", "scip"]),
        (LIMITED["gurobi"], LIMITED["cplex"], lp(1000, 1000), ["gurobi", "cplex", "highs", "scip"]),
        (LIMITED["gurobi"], LIMITED["cplex"], lp(1001), ["gurobi", "highs", "scip"]),
        (LIMITED["gurobi"], LIMITED["cplex"], lp(1, 1001), ["gurobi", "highs", "scip"]),
        (LIMITED["gurobi"], LIMITED["cplex"], lp(2001), ["highs", "scip"]),
        (LIMITED["gurobi"], LIMITED["cplex"], quadratic(200), ["gurobi", "cplex", "scip", "highs"]),
        (LIMITED["gurobi"], LIMITED["cplex"], quadratic(201), ["cplex", "scip", "highs"]),
        (LIMITED["gurobi"], LIMITED["cplex"], quadratic(1001), ["scip", "highs"]),
        (EXPIRED, MISSING, lp(5), ["highs", "scip"]),
    ],
)
def test_order(
    monkeypatch: pytest.MonkeyPatch,
    gurobi: Licence,
    cplex: Licence,
    problem: MixedIntegerProgram,
    order: list[str],
) -> None:
    machine(monkeypatch, gurobi, cplex)
    assert [choice.solver for choice in candidates(problem)] == order


def test_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, LIMITED["gurobi"], LIMITED["cplex"])
    assert str(next(candidates(lp(40, 812)))) == "gurobi 13.0.3, size-limited licence, 812 of 2000 rows used"
    last = list(candidates(quadratic(1001)))
    assert str(last[0]) == (
        "scip 10.0.2, open source, "
        "gurobi: 1001 columns of a quadratic model, size-limited licence takes 200; "
        "cplex: 1001 columns of a quadratic model, size-limited licence takes 1000"
    )
    assert str(last[1]) == (
        "highs 1.16.0, open source, quadratic objective linearised exactly; "
        "gurobi: 1001 columns of a quadratic model, size-limited licence takes 200; "
        "cplex: 1001 columns of a quadratic model, size-limited licence takes 1000"
    )
    machine(monkeypatch, EXPIRED, MISSING)
    assert next(candidates(lp(1))).reason.split("; ")[:2] == [
        "gurobi: expired licence (License expired)", "cplex: not installed",
    ]  # fmt: skip
    machine(monkeypatch, FULL["gurobi"], MISSING)
    assert str(next(candidates(lp(1)))) == "gurobi 13.0.3, full licence, no size limit"


def test_a_range_is_two_rows_in_gurobi_and_one_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, LIMITED["gurobi"], LIMITED["cplex"])
    sides = np.array([[1, 2], [3, 3], [1, np.inf], [-np.inf, 4], [-np.inf, np.inf]])
    problem = MixedIntegerProgram([1], np.ones((5, 1)), sides[:, 0], sides[:, 1])
    assert "5 of 2000 rows used" in next(candidates(problem, "gurobi")).reason
    assert "5 of 1000 rows used" in next(candidates(problem, "cplex")).reason
    wide = MixedIntegerProgram([1], np.ones((1001, 1)), 1, 2)
    with pytest.raises(ModelTooLargeError, match="got 1 columns and 2002 rows"):
        next(candidates(wide, "gurobi"))


def test_the_argument_beats_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, LIMITED["gurobi"], LIMITED["cplex"])
    monkeypatch.setenv("COMPACTML_SOLVER", "cplex")
    (by_environment,) = candidates(lp(1))
    (by_argument,) = candidates(lp(1), "highs")
    assert by_environment.solver == "cplex"
    assert by_environment.reason.endswith("asked for by COMPACTML_SOLVER")
    assert (by_argument.solver, by_argument.reason) == ("highs", "asked for by argument")
    monkeypatch.setenv("COMPACTML_SOLVER", "glpk")
    with pytest.raises(InvalidParameterError, match=r"COMPACTML_SOLVER: must be one of .*, got 'glpk'"):
        next(candidates(lp(1)))


def test_a_forced_solver_that_cannot_take_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, LIMITED["gurobi"], MISSING)
    with pytest.raises(ModelTooLargeError) as too_large:
        next(candidates(quadratic(201), "gurobi"))
    assert str(too_large.value) == (
        "gurobi: the quadratic model must have at most 200 columns and 2000 rows for this licence, got 201 "
        "columns and 0 rows. Use solver='auto' or 'highs', or install a full licence."
    )
    assert pickle.loads(pickle.dumps(too_large.value)).columns == 201
    with pytest.raises(SolverNotAvailableError, match="cplex: must be installed and licensed, got: not inst"):
        next(candidates(lp(1), "cplex"))


def test_nothing_left(monkeypatch: pytest.MonkeyPatch) -> None:
    without = [Licence(name, Level.MISSING) for name in ("highs", "scip")]
    machine(monkeypatch, EXPIRED, MISSING, *without)
    with pytest.raises(
        SolverNotAvailableError, match=r"gurobi: expired .* cplex: not .* highs: not .* scip: not"
    ):
        list(candidates(lp(1)))


def test_the_last_one_takes_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, EXPIRED, MISSING, Licence("highs", Level.MISSING))
    assert [choice.solver for choice in candidates(lp(1))] == ["scip"]
    machine(monkeypatch, EXPIRED, MISSING, scip=Licence("scip", Level.MISSING))
    assert [choice.solver for choice in candidates(quadratic(1))] == ["highs"]


def test_scip_takes_a_linear_program_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, LIMITED["gurobi"], LIMITED["cplex"])
    monkeypatch.setenv("COMPACTML_SOLVER", "scip")
    (only,) = candidates(lp(1))
    assert (only.solver, only.reason) == ("scip", "asked for by COMPACTML_SOLVER")
