"""Every adapter passes the suite, and the suite finds adapters that do not do what they have to."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from compactml.errors import CompactmlError
from compactml.solvers import MixedIntegerProgram, Outcome, SolveOptions, conformance
from compactml.solvers.adapter import Features, Solver, WarmLP
from compactml.solvers.backends.highs import Highs
from compactml.solvers.conformance import CHECKS, ConformanceError, check_solver
from compactml.solvers.licences import Level, Licence
from compactml.solvers.registry import adapter
from compactml.solvers.result import RawResult


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_every_adapter_passes(solver: str, check: Callable[[Solver], None]) -> None:
    check(adapter(solver))


class Outside(Solver):
    """An adapter that is not registered, made of HiGHS, with one thing that may be spoiled."""

    name = "outside"
    features = Features(quadratic=False)

    def __init__(self, spoil: Callable[[RawResult], Any] = lambda raw: raw) -> None:
        self.spoil = spoil

    def licence(self) -> Licence:
        return Licence("outside", Level.OPEN, "0")

    def solve(self, problem: MixedIntegerProgram, options: SolveOptions) -> RawResult:
        raw: RawResult = self.spoil(Highs().solve(problem, options))
        return raw

    def warm(self, problem: MixedIntegerProgram) -> WarmLP:
        return Highs().warm(problem)


def test_an_adapter_from_outside_passes() -> None:
    check_solver(Outside())


@pytest.mark.parametrize(
    ("spoil", "caught_by"),
    [
        (lambda raw: None, "check_linear_programs"),
        (lambda raw: replace(raw, duals=None), "check_linear_programs"),
        (lambda raw: replace(raw, duals=None if raw.duals is None else -raw.duals), "check_linear_programs"),
        (lambda raw: replace(raw, objective=raw.objective + 1), "check_integer_programs"),
        (lambda raw: replace(raw, x=None if raw.x is None else raw.x * 0), "check_integer_programs"),
        (lambda raw: replace(raw, bound=raw.objective - 1), "check_integer_programs"),
        (lambda raw: RawResult(Outcome.INFEASIBLE), "check_integer_programs"),
        (lambda raw: RawResult(Outcome.INFEASIBLE) if raw.x is None else raw, "check_outcomes"),
        (lambda raw: replace(raw, outcome=Outcome.OPTIMAL), "check_limits"),
        (lambda raw: replace(raw, pool=tuple(point + 1 for point in raw.pool)), "check_pools"),
    ],
)
def test_an_adapter_that_lies_is_found(spoil: Callable[[RawResult], Any], caught_by: str) -> None:
    with pytest.raises(CompactmlError):
        getattr(conformance, caught_by)(Outside(spoil))


def test_one_that_is_not_available_or_has_another_name_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Outside, "licence", lambda self: Licence("other", Level.OPEN, "0"))
    with pytest.raises(ConformanceError, match="outside: solver of the licence must be outside, got other"):
        check_solver(Outside())


def test_one_that_answers_at_random_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)

    def shuffled(raw: RawResult) -> RawResult:
        return raw if raw.x is None else replace(raw, x=rng.permutation(raw.x))

    with pytest.raises(ConformanceError, match="solution of a second run"):
        conformance.check_repetition(Outside(shuffled))


def test_the_error_can_be_pickled() -> None:
    error = ConformanceError("mine", "optimum", "1", "2")
    assert str(pickle.loads(pickle.dumps(error))) == "mine: optimum must be 1, got 2."
    assert isinstance(error, AssertionError)
