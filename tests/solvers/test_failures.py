"""A solver that fails is no lost run: without the start, then the next solver, and an error only at the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from compactml.errors import CompactmlError
from compactml.solvers import (
    SOLVERS,
    MixedIntegerProgram,
    Outcome,
    RestrictedMaster,
    SolveOptions,
    SolverStatusError,
    VerificationError,
    solve,
    usable_solvers,
)
from compactml.solvers.adapter import WarmLP
from compactml.solvers.registry import adapter
from compactml.solvers.result import RawResult
from tests.solvers.toy_problems import hard_knapsack

Way = Callable[[RawResult], Any]
PROBLEM = MixedIntegerProgram(
    [5, 4, 3], [[2, 3, 1], [4, 1, 2]], row_upper=[5, 7], upper=1, integrality=True, sense="max"
)
"""The optimum is 9, of the first two columns; as an LP 32 / 3, with two thirds of the second one and the third."""
QUADRATIC = replace(PROBLEM, quadratic=np.array([[0, -1, 0], [-1, 0, 0], [0, 0, 0]]))
LP = replace(PROBLEM, integrality=False)
START = np.array([0.0, 0.0, 1.0])
BEST = {"integer": (PROBLEM, 9.0), "quadratic": (QUADRATIC, 8.0), "linear": (LP, 32 / 3)}


def struck(raw: RawResult) -> None:
    raise RuntimeError("struck")


def out_of_memory(raw: RawResult) -> None:
    raise MemoryError


FAILURES: dict[str, Way] = {
    "error": struck,
    "no memory": out_of_memory,
    "no answer": lambda raw: None,
    "no solution": lambda raw: RawResult(Outcome.OPTIMAL, None, raw.objective, raw.bound),
    "another objective": lambda raw: replace(raw, objective=raw.objective + 1),
    "an infeasible point": lambda raw: replace(raw, x=np.ones(raw.x.size) * 2, objective=24.0),  # type: ignore[union-attr]
    "another length": lambda raw: replace(raw, x=np.zeros(1)),
    "no number": lambda raw: replace(raw, x=np.full(raw.x.size, np.nan)),  # type: ignore[union-attr]
}


def spoil(
    monkeypatch: pytest.MonkeyPatch, name: str, way: Way, *, only_with_start: bool = False
) -> list[bool]:
    """Let a solver fail in a way; returns the list of whether there was a start in each of its runs."""
    runs: list[bool] = []
    kind = type(adapter(name))
    honest = kind.solve

    def failing(self: Any, problem: MixedIntegerProgram, options: SolveOptions) -> Any:
        runs.append(options.start is not None)
        raw = honest(self, problem, options)
        return raw if only_with_start and options.start is None else way(raw)

    monkeypatch.setattr(kind, "solve", failing)
    return runs


@pytest.mark.parametrize("what", FAILURES)
@pytest.mark.parametrize("kind", BEST)
def test_the_next_solver_answers(monkeypatch: pytest.MonkeyPatch, what: str, kind: str) -> None:
    monkeypatch.delenv("COMPACTML_SOLVER", raising=False)
    problem, best = BEST[kind]
    first = solve(problem).choice.solver
    spoil(monkeypatch, first, FAILURES[what])
    result = solve(problem)
    assert result.objective == pytest.approx(best)
    assert result.outcome is Outcome.OPTIMAL
    assert result.choice.solver != first
    assert len(result.failures) == 1
    assert result.failures[0].startswith(f"failed: {first}: ")
    assert result.failures[0] in result.choice.reason


@pytest.mark.parametrize("what", FAILURES)
def test_each_but_the_last(monkeypatch: pytest.MonkeyPatch, solver: str, what: str) -> None:
    """All others fail, and this one answers."""
    monkeypatch.delenv("COMPACTML_SOLVER", raising=False)
    for other in usable_solvers():
        if other != solver:
            spoil(monkeypatch, other, FAILURES[what])
    result = solve(PROBLEM)
    assert (result.choice.solver, result.objective) == (solver, 9.0)


@pytest.mark.parametrize("what", FAILURES)
def test_one_that_fails_from_the_start_is_asked_without_it(
    monkeypatch: pytest.MonkeyPatch, solver: str, what: str
) -> None:
    runs = spoil(monkeypatch, solver, FAILURES[what], only_with_start=True)
    result = solve(PROBLEM, solver, SolveOptions(start=START))
    assert (result.choice.solver, result.objective) == (solver, 9.0)
    assert runs == [True, False]
    assert result.failures[0].startswith(f"failed, begun from the start: {solver}: ")


@pytest.mark.parametrize("what", FAILURES)
def test_an_error_of_the_project_where_none_is_left(
    monkeypatch: pytest.MonkeyPatch, solver: str, what: str
) -> None:
    wrong = what in ("another objective", "an infeasible point", "another length", "no number")
    spoil(monkeypatch, solver, FAILURES[what])
    with pytest.raises(VerificationError if wrong else SolverStatusError, match=f"^{solver}: "):
        solve(PROBLEM, solver)
    monkeypatch.delenv("COMPACTML_SOLVER", raising=False)
    for other in usable_solvers():
        if other != solver:
            spoil(monkeypatch, other, FAILURES[what])
    with pytest.raises(CompactmlError):
        solve(PROBLEM)


@pytest.mark.parametrize("by_variable", [False, True])
def test_a_forced_solver_is_asked_again_without_its_start_and_not_replaced(
    monkeypatch: pytest.MonkeyPatch, solver: str, by_variable: bool
) -> None:
    monkeypatch.setenv("COMPACTML_SOLVER", solver if by_variable else "")
    runs = spoil(monkeypatch, solver, FAILURES["another objective"])
    others = [spoil(monkeypatch, other, lambda raw: raw) for other in usable_solvers() if other != solver]
    with pytest.raises(VerificationError, match=f"^{solver}: "):
        solve(PROBLEM, "auto" if by_variable else solver, SolveOptions(start=START))
    assert runs == [True, False]
    assert not any(others)


def test_a_known_solution_convicts_a_false_infeasible_and_a_false_bound(
    monkeypatch: pytest.MonkeyPatch, solver: str
) -> None:
    """Nothing but the start tells that these words are wrong."""
    worse = RawResult(Outcome.OPTIMAL, np.array([0.0, 0.0, 1.0]), 3.0, 3.0)
    for lie in (RawResult(Outcome.INFEASIBLE), worse):
        with monkeypatch.context() as patch:
            spoil(patch, solver, lambda raw, lie=lie: lie)  # type: ignore[misc]
            with pytest.raises(VerificationError, match=r"infeasible|known solution"):
                solve(PROBLEM, solver, SolveOptions(start=np.array([1.0, 1.0, 0.0])))


def test_all_have_the_one_time_limit_together(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[float | None] = []
    for name in usable_solvers():
        kind = type(adapter(name))

        def failing(self: Any, problem: MixedIntegerProgram, options: SolveOptions) -> None:
            limits.append(options.time_limit)
            struck(RawResult(Outcome.INFEASIBLE))

        monkeypatch.setattr(kind, "solve", failing)
    monkeypatch.delenv("COMPACTML_SOLVER", raising=False)
    with pytest.raises(SolverStatusError, match="RuntimeError: struck"):
        solve(hard_knapsack(), options=SolveOptions(time_limit=1.0, start=np.zeros(60)))
    assert len(limits) == 2 * len(usable_solvers())
    assert None not in limits
    assert all(b < a <= 1.0 for a, b in pairwise(limits))  # type: ignore[operator]


def test_an_interrupt_is_no_failure(monkeypatch: pytest.MonkeyPatch, solver: str) -> None:
    def stopped(raw: RawResult) -> None:
        raise KeyboardInterrupt

    spoil(monkeypatch, solver, stopped)
    with pytest.raises(KeyboardInterrupt):
        solve(PROBLEM, solver)


class Spoiled:
    """A growing LP that fails."""

    def __init__(self, lp: WarmLP, way: Way) -> None:
        self.lp, self.way = lp, way

    def solve(self, problem: MixedIntegerProgram, time_limit: float | None) -> Any:
        return self.way(self.lp.solve(problem, time_limit))

    def add_columns(self, *args: Any) -> None:
        struck(RawResult(Outcome.INFEASIBLE))

    def close(self) -> None:
        self.lp.close()


WARM_FAILURES = {name: way for name, way in FAILURES.items() if name != "an infeasible point"} | {
    "wrong duals": lambda raw: replace(raw, duals=raw.duals + 1.0),
    "no duals": lambda raw: replace(raw, duals=None),
}


@pytest.mark.parametrize("what", WARM_FAILURES)
def test_a_master_moves_on(monkeypatch: pytest.MonkeyPatch, solver: str, what: str) -> None:
    kind = type(adapter(solver))
    honest = kind.warm
    monkeypatch.setattr(
        kind, "warm", lambda self, problem: Spoiled(honest(self, problem), WARM_FAILURES[what])
    )
    covering = MixedIntegerProgram([5.0, 4.0], np.eye(2), row_lower=[2, 3])
    with RestrictedMaster(covering, solver) as master:
        assert master.solve().objective == pytest.approx(22.0)
        assert master.choice.solver != solver
        assert f"failed: {solver}" in master.choice.reason
        master.add_columns([6.0], [[1], [1]])
        assert master.solve().objective == pytest.approx(16.0)


def test_a_master_that_fails_while_it_grows_is_opened_anew(
    monkeypatch: pytest.MonkeyPatch, solver: str
) -> None:
    kind = type(adapter(solver))
    honest = kind.warm
    monkeypatch.setattr(kind, "warm", lambda self, problem: Spoiled(honest(self, problem), lambda raw: raw))
    with RestrictedMaster(MixedIntegerProgram([5.0, 4.0], np.eye(2), row_lower=[2, 3]), solver) as master:
        master.add_columns([6.0], [[1], [1]])
        assert master.solve().objective == pytest.approx(16.0)
        assert master.choice.solver == solver


def test_a_master_without_any_solver_left_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in SOLVERS:
        if name in usable_solvers():
            kind = type(adapter(name))
            honest = kind.warm
            monkeypatch.setattr(
                kind, "warm", lambda self, problem, honest=honest: Spoiled(honest(self, problem), struck)
            )
    with (
        RestrictedMaster(MixedIntegerProgram([1.0], lower=1), "highs") as master,
        pytest.raises(SolverStatusError, match="struck"),
    ):
        master.solve()
