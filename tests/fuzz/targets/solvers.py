"""The problem form, the solvers, and second opinions."""

from __future__ import annotations

from typing import Any

import numpy as np

from compactml import solvers
from tests.fuzz.calling import Target
from tests.fuzz.targets.given import of_record

__all__ = ["TARGETS"]

Rng = np.random.Generator


def _numbers(rng: Rng) -> dict[str, Any]:
    return {
        "objective": rng.integers(1, 9, 3).astype(float), "matrix": rng.integers(1, 5, (2, 3)).astype(float),
        "row_lower": np.full(2, -np.inf), "row_upper": rng.integers(4, 9, 2).astype(float), "lower": np.zeros(3),
        "upper": np.ones(3), "integrality": np.ones(3, dtype=bool), "sense": "max", "quadratic": None, "offset": 0.0,
        "names": ["a", "b", "c"],
    }  # fmt: skip


def _problem(rng: Rng, **others: Any) -> dict[str, Any]:
    return {"problem": solvers.MixedIntegerProgram(**_numbers(rng)), **others}


def _relaxed(rng: Rng) -> dict[str, Any]:
    return {
        "problem": solvers.MixedIntegerProgram(**{**_numbers(rng), "integrality": False}),
        "solver": "highs",
    }


def _mastered(problem: Any, solver: Any) -> Any:
    with solvers.RestrictedMaster(problem, solver) as master:
        return master.solve()


def _opined(rng: Rng, **others: Any) -> dict[str, Any]:
    problem = solvers.MixedIntegerProgram(**_numbers(rng))
    result = solvers.solve(problem, "highs")
    return {
        "problem": problem,
        "result": result,
        "solver": "scip",
        "options": solvers.SolveOptions(),
        **others,
    }


def _stated(rng: Rng) -> dict[str, Any]:
    given = _opined(rng, not_by="highs")
    result = given.pop("result")
    return {**given, "stated": solvers.Stated(result.objective, result.bound, result.outcome, result.x)}


def _options(rng: Rng) -> dict[str, Any]:
    del rng
    return {
        "time_limit": 1.0,
        "work_limit": None,
        "target": None,
        "gap": 0.0,
        "gap_abs": 0.0,
        "threads": 1,
        "seed": 0,
    }


def _solved() -> solvers.SolveResult:
    return solvers.solve(**_problem(np.random.default_rng(0)), solver="highs")


TARGETS = (
    Target("solvers.MixedIntegerProgram", solvers.MixedIntegerProgram, _numbers),
    Target("solvers.RestrictedMaster", _mastered, _relaxed),
    Target("solvers.SolveOptions", solvers.SolveOptions, _options),
    Target("solvers.candidates", lambda problem, solver: list(solvers.candidates(problem, solver)),
           lambda rng: _problem(rng, solver="auto")),
    Target("solvers.licence", solvers.licence, lambda rng: {"solver": "highs"}),
    Target("solvers.linearise", solvers.linearise, _problem),
    Target("solvers.opinion_on", solvers.opinion_on, _stated),
    Target("solvers.second_opinion", solvers.second_opinion, _opined),
    Target("solvers.solve", solvers.solve, lambda rng: _problem(rng, solver="highs", options=solvers.SolveOptions())),
    Target("solvers.violation", solvers.violation, lambda rng: _problem(rng, x=np.zeros(3))),
    of_record("solvers", _solved),
    of_record("solvers", lambda: _solved().choice),
    of_record("solvers", lambda: solvers.licence("highs")),
    of_record("solvers", lambda: solvers.second_opinion(**_opined(np.random.default_rng(0)))),
    of_record("solvers", lambda: _stated(np.random.default_rng(0))["stated"]),
    of_record("solvers", lambda: solvers.BackEnd("highs", "1.16", "open source")),
    of_record("solvers", lambda: solvers.SolverIdentity("highs", "1.16", "open source", None, None, None)),
    of_record("solvers", lambda: solvers.MasterSolution(1.0, np.zeros(2), np.zeros(1), np.zeros(2))),
)  # fmt: skip
