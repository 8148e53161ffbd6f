from __future__ import annotations

from dataclasses import replace
from time import perf_counter, sleep

import numpy as np
import pytest
from scipy import sparse

from compactml.errors import InvalidDataError
from compactml.solvers import (
    Level,
    MasterNotSolvedError,
    MixedIntegerProgram,
    RestrictedMaster,
    VerificationError,
    licence,
    master,
    solve,
)
from compactml.solvers.adapter import WarmLP
from compactml.solvers.result import RawResult

COVER = MixedIntegerProgram([5.0, 4.0], np.eye(2), row_lower=[2, 3])


@pytest.mark.parametrize("seed", range(6))
def test_growing_by_columns_and_rows_is_solving_anew(solver: str, seed: int) -> None:
    """Rows of every kind, columns with every kind of bounds, and either sense."""
    rng = np.random.default_rng(seed)
    sense = "min" if seed % 2 else "max"
    sign = 1 if sense == "min" else -1

    def sides(count: int) -> tuple[np.ndarray, np.ndarray]:
        low, span = rng.integers(-3, 1, count), rng.integers(0, 4, count)
        kind = rng.integers(0, 4, count)
        return np.where(kind == 1, -np.inf, low), np.where(kind == 2, np.inf, low + span)

    problem = MixedIntegerProgram(
        sign * rng.integers(1, 9, 4), rng.integers(-2, 3, (3, 4)), *sides(3), sense=sense, offset=2
    )  # type: ignore[arg-type]
    # Columns that make every later row feasible at a price, so that no round stops the test.
    with RestrictedMaster(problem, solver) as master:
        for _ in range(4):
            k, m = 3, master.problem.n_rows
            master.add_columns(
                sign * rng.integers(1, 9, k), rng.integers(-2, 3, (m, k)), -1, rng.integers(0, 5, k)
            )
            repair = np.hstack([np.eye(m), -np.eye(m)])
            master.add_columns(np.full(2 * m, sign * 50.0), sparse.csr_array(repair))
            warm, cold = master.solve(), solve(master.problem, "highs")
            assert warm.objective == pytest.approx(cold.objective, abs=1e-6)
            master.add_rows(rng.integers(-2, 3, (2, master.problem.n_columns)), *sides(2))
    assert master.problem.n_rows == 3 + 4 * 2


def test_duals_price_a_column_as_enumeration_does(solver: str) -> None:
    """Reduced cost of a column = change of the optimum for a little of it, forced in."""
    with RestrictedMaster(COVER, solver) as master:
        before = master.solve()
        assert before.objective == pytest.approx(22)
        column = np.array([[1.0], [1.0]])
        price = 6.0 - before.duals @ column[:, 0]
        assert price == pytest.approx(-3)
        little = solve(COVER.with_columns([6.0], column, lower=0.01, upper=0.01), solver)
        assert little.objective == pytest.approx(before.objective + 0.01 * price)
        master.add_columns([6.0], column)
        after = master.solve()
    assert after.objective == pytest.approx(16)
    assert after.reduced_costs == pytest.approx([3, 0, 0])
    assert after.x == pytest.approx([0, 1, 2])


def test_an_infeasible_master_can_be_repaired(solver: str) -> None:
    with RestrictedMaster(
        MixedIntegerProgram([1.0], [[1], [1]], [2, -np.inf], [np.inf, 1]), solver
    ) as master:
        with pytest.raises(MasterNotSolvedError, match=f"{solver}: .* got outcome 'infeasible"):
            master.solve()
        master.add_columns([10.0], [[1], [0]])
        assert master.solve().objective == pytest.approx(11)
        master.add_columns([-1.0], [[0], [0]])
        with pytest.raises(MasterNotSolvedError, match="unbounded"):
            master.solve()


def covering() -> MixedIntegerProgram:
    rng = np.random.default_rng(0)
    matrix = sparse.random_array((600, 900), density=0.2, rng=rng, format="csr")
    return MixedIntegerProgram(rng.random(900), matrix, row_lower=1)


def test_a_master_without_time_can_be_solved_later(solver: str) -> None:
    with RestrictedMaster(covering(), solver) as master:
        with pytest.raises(MasterNotSolvedError, match="no solution"):
            master.solve(time_limit=0)
        assert master.solve().objective == pytest.approx(solve(covering(), "highs").objective)


def test_the_clock_of_highs_starts_anew_with_each_call() -> None:
    """Its own runs on from call to call, and has passed the limit before the last one begins."""
    rng = np.random.default_rng(1)

    def add_columns(master: RestrictedMaster) -> None:  # of some hundredths of a second
        master.add_columns(0.5 * rng.random(40), sparse.random_array((600, 40), density=0.2, rng=rng))

    with RestrictedMaster(covering(), "highs") as master:
        before, used = master.solve().objective, 0.0
        while used < 0.8:
            add_columns(master)
            begin = perf_counter()
            before = master.solve().objective
            used += perf_counter() - begin
        add_columns(master)
        assert master.solve(time_limit=0.6).objective <= before + 1e-6


@pytest.mark.parametrize("name", ["gurobi", "cplex"])
@pytest.mark.parametrize("direction", ["columns", "rows"])
def test_outgrowing_a_licence_moves_to_highs(name: str, direction: str) -> None:
    if licence(name).level is not Level.SIZE_LIMITED:
        pytest.skip(f"{name}: {licence(name).level}")
    with RestrictedMaster(COVER, name) as master:
        before = master.solve().objective
        assert master.choice.solver == name
        if direction == "columns":
            master.add_columns(np.full(2500, 6.0), np.ones((2, 2500)))
        else:
            master.add_rows(np.ones((2500, 2)), row_lower=7)
        after = master.solve().objective
        assert master.choice.solver == "highs"
        assert "moved while growing" in master.choice.reason
        assert name in master.choice.reason
        master.add_rows(np.ones((1, master.problem.n_columns)), row_lower=100)
        assert master.solve().objective > after
    assert after == pytest.approx(before - 6 if direction == "columns" else before + 8)


def test_integer_columns_are_refused() -> None:
    with pytest.raises(InvalidDataError, match="problem: must be an LP, got 1 integer columns"):
        RestrictedMaster(MixedIntegerProgram([1, 1], integrality=[True, False]))


class Inaccurate:
    """A solver's LP whose duals are off, once or for good; keeps the time limits that it is given."""

    def __init__(self, lp: WarmLP, limits: list[float | None]) -> None:
        self.lp, self.limits = lp, limits

    def solve(self, problem: MixedIntegerProgram, time_limit: float | None) -> RawResult:
        self.limits.append(time_limit)
        sleep(0.01)
        raw = self.lp.solve(problem, time_limit)
        assert raw.duals is not None
        return replace(raw, duals=raw.duals + 1e-3)

    def close(self) -> None:
        self.lp.close()


def test_a_basis_that_lost_its_accuracy_is_left_behind() -> None:
    grown = MixedIntegerProgram([5.0, 4.0], np.eye(2), row_lower=[2, 3])
    with RestrictedMaster(grown, "highs") as growing:
        growing.add_columns([6.0], [[1], [1]])
        growing._lp = Inaccurate(growing._lp, [])  # type: ignore[assignment]
        assert growing.solve().objective == pytest.approx(16.0)
        assert growing.solve().duals.sum() == pytest.approx(6.0)


def test_inaccurate_duals_are_not_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = master._open
    limits: list[float | None] = []
    monkeypatch.setattr(master, "_open", lambda solver, problem: Inaccurate(opened(solver, problem), limits))
    with RestrictedMaster(COVER, "highs") as growing, pytest.raises(VerificationError, match="dual"):
        growing.solve(time_limit=60)
    first, second, *_ = limits
    assert first is not None
    assert second is not None
    assert second <= first - 0.01  # both share the limit of the call
