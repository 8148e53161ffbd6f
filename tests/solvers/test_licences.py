from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import date
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from compactml.errors import InvalidParameterError
from compactml.solvers import Level, MixedIntegerProgram, ModelTooLargeError, Outcome, SolveOptions, licence
from compactml.solvers.backends.gurobi import Gurobi, _date
from compactml.solvers.backends.highs import Highs
from compactml.solvers.registry import SOLVERS, adapter, kept_licence


@pytest.fixture
def fresh() -> Iterator[None]:
    """Ask anew within the test, and again after it."""
    kept_licence.cache_clear()
    yield
    kept_licence.cache_clear()


@pytest.mark.parametrize(("name", "version"), [("highs", "1."), ("scip", "10.")])
def test_free_solvers_are_always_there(name: str, version: str) -> None:
    found = licence(name)
    assert (found.level, found.usable, found.max_columns) == (Level.OPEN, True, np.inf)
    assert found.version.startswith(version)


def test_an_unknown_solver_is_refused() -> None:
    with pytest.raises(
        InvalidParameterError, match="solver: must be one of 'gurobi', 'cplex', 'highs', 'scip'"
    ):
        licence("glpk")


def solve_directly(solver: str, columns: int, rows: int, *, quadratic: bool = False) -> Outcome:
    """Hand a model to the solver itself, past the choice."""
    products = np.eye(columns) if quadratic else None
    matrix = np.zeros((rows, columns))
    matrix[:, 0] = 1
    problem = MixedIntegerProgram(
        np.ones(columns), matrix, row_lower=1, upper=1, integrality=quadratic, quadratic=products
    )
    return adapter(solver).solve(problem, SolveOptions()).outcome


@pytest.mark.parametrize("name", ["gurobi", "cplex"])
@pytest.mark.parametrize("what", ["columns", "rows", "quadratic_columns"])
def test_the_written_limits_are_those_of_the_solver(name: str, what: str) -> None:
    found = licence(name)
    if found.level is not Level.SIZE_LIMITED:
        pytest.skip(f"{name}: {found.level}")
    limit = int(getattr(found, f"max_{what}"))
    quadratic = what == "quadratic_columns"

    def attempt(size: int) -> Outcome:
        columns, rows = (2, size) if what == "rows" else (size, 1)
        return solve_directly(name, columns, rows, quadratic=quadratic)

    assert attempt(limit) is Outcome.OPTIMAL
    with pytest.raises(
        ModelTooLargeError, match=f"^{name}: .* at most {int(found.max_rows)}|{limit} columns"
    ):
        attempt(limit + 1)


@pytest.mark.parametrize("name", SOLVERS)
def test_an_adapter_and_its_licence_have_the_name_of_the_registry(name: str) -> None:
    found = licence(name)
    assert found.solver == name
    if found.usable:
        assert adapter(name).name == name
        assert adapter(name).available()


@pytest.mark.usefixtures("fresh")
class TestWithoutLicence:
    def test_missing_package(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "cplex", None)  # makes its import fail
        monkeypatch.delitem(sys.modules, "compactml.solvers.backends.cplex", raising=False)
        found = licence("cplex")
        assert (found.level, found.usable, found.refusal) == (Level.MISSING, False, "not installed")

    def test_a_shared_library_that_does_not_load(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def broken(self: Gurobi) -> None:
            raise OSError("libgurobi.so: cannot open")

        monkeypatch.setattr(Gurobi, "licence", broken)
        assert licence("gurobi").refusal == "not installed (libgurobi.so: cannot open)"

    @pytest.mark.parametrize(
        ("message", "level"),
        [("License expired 2024-11-29", Level.EXPIRED), ("HostID mismatch", Level.UNUSABLE)],
    )
    def test_gurobi_without_a_valid_licence(
        self, monkeypatch: pytest.MonkeyPatch, message: str, level: Level
    ) -> None:
        class GurobiError(Exception):
            errno = 10009

        def refuse(**_: Any) -> None:
            raise GurobiError(message)

        fake = SimpleNamespace(
            gurobi=SimpleNamespace(version=lambda: (13, 0, 3)), Env=refuse, GurobiError=GurobiError
        )
        monkeypatch.setattr("compactml.solvers.backends.gurobi.gurobipy", fake)
        found = licence("gurobi")
        assert (found.level, found.version, found.detail) == (level, "13.0.3", message)
        assert not found.usable

    def test_each_is_asked_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        before = licence("highs")
        monkeypatch.setattr(Highs, "licence", lambda self: pytest.fail("asked again"))
        assert licence("highs") is before


def test_expiry_date() -> None:
    assert _date(20271129) == date(2027, 11, 29)
    assert _date(99999999) is None
