from __future__ import annotations

from dataclasses import replace

import pytest

from compactml.solvers import SOLVERS, Level, Licence, SolveResult, self_test, solver_table, usable_solvers
from compactml.solvers import table as module

HIGHS = Licence("highs", Level.OPEN, "1.16.0")
SCIP = Licence("scip", Level.OPEN, "10.0.2")
GUROBI = Licence("gurobi", Level.SIZE_LIMITED, "13.0.3", "", 2000, 2000, 200)


def machine(monkeypatch: pytest.MonkeyPatch, gurobi: Licence, cplex: Licence) -> None:
    found = {"gurobi": gurobi, "cplex": cplex, "highs": HIGHS, "scip": SCIP}
    here = lambda name: found.get(name, Licence(name, Level.MISSING))  # noqa: E731, a solver that is added is missing
    monkeypatch.setattr(module, "licence_of", here)


def test_every_solver_has_its_row(monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, GUROBI, Licence("cplex", Level.MISSING))
    frame = solver_table().set_index("solver")
    assert tuple(frame.index) == SOLVERS
    assert frame.loc["gurobi", ["columns", "rows", "quadratic_columns"]].tolist() == ["2000", "2000", "200"]
    assert frame.loc["gurobi", "used_for"] == "everything within its limits"
    assert frame.loc["cplex", ["licence", "version", "columns", "used_for"]].tolist() == [
        "not installed", "", "", "nothing",
    ]  # fmt: skip
    assert frame.loc["highs", "columns"] == "no limit"
    assert frame.loc["highs", "used_for"].startswith("what gurobi cannot take; master problems")
    assert frame.loc["scip", "used_for"].startswith(
        "quadratic programs: what gurobi cannot take; linear ones"
    )


def test_a_full_licence_leaves_nothing_to_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, GUROBI, Licence("cplex", Level.FULL, "22.2"))
    assert usable_solvers() == ("cplex", "gurobi", "highs", "scip")
    use = solver_table().set_index("solver")["used_for"]
    assert use["cplex"] == "everything"
    assert use["gurobi"] == "only on demand"
    assert "master problems" in use["highs"]


def test_an_expired_licence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    machine(
        monkeypatch,
        Licence("gurobi", Level.EXPIRED, "13", "License expired"),
        replace(GUROBI, solver="cplex"),
    )
    row = solver_table().iloc[0]
    assert (row["licence"], row["used_for"]) == ("expired licence", "License expired")
    assert usable_solvers() == ("cplex", "highs", "scip")


def test_self_test_agrees_on_every_usable_solver() -> None:
    frame = self_test()
    assert len(frame) == 3 * len(usable_solvers())
    assert frame["agrees"].all()


def test_self_test_finds_a_solver_that_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = module.solve

    def wrong(problem: object, solver: str) -> SolveResult:
        result = honest(problem, solver)  # type: ignore[arg-type]
        assert result.objective is not None
        return replace(result, objective=result.objective + (solver == "highs"))

    monkeypatch.setattr(module, "solve", wrong)
    frame = self_test()
    assert frame.loc[~frame["agrees"], "solver"].tolist() == ["highs"] * 3
