"""What this machine's solvers may do, as a table, and a self-test that compares them with plain enumeration."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pandas as pd

from compactml.errors import CompactmlError
from compactml.solvers._solve import solve
from compactml.solvers.licences import Level, Licence
from compactml.solvers.problem import MixedIntegerProgram
from compactml.solvers.registry import SOLVERS, adapter, by_preference
from compactml.solvers.registry import licence as licence_of
from compactml.solvers.result import Outcome

__all__ = ["self_test", "solver_table", "usable_solvers"]


def usable_solvers() -> tuple[str, ...]:
    """Return the solvers that this machine can use, best licence first."""
    usable = [licence for licence in map(licence_of, SOLVERS) if licence.usable]
    return tuple(licence.solver for licence in by_preference(usable))


def solver_table() -> pd.DataFrame:
    """Return one row for each solver: version, licence, limits (empty for none), last day, and its use.

    Columns: solver, version, licence, columns, rows, quadratic_columns, expires, used_for; all text.
    """
    rows = [
        {
            "solver": licence.solver,
            "version": licence.version,
            "licence": str(licence.level),
            "columns": _limit(licence, licence.max_columns),
            "rows": _limit(licence, licence.max_rows),
            "quadratic_columns": _limit(licence, licence.max_quadratic_columns),
            "expires": str(licence.expires or ""),
            "used_for": _use(licence),
        }
        for licence in map(licence_of, SOLVERS)
    ]
    return pd.DataFrame(rows, dtype="str")


def _limit(licence: Licence, limit: float) -> str:
    if not licence.usable:
        return ""
    return "no limit" if np.isinf(limit) else f"{limit:g}"


def _use(licence: Licence) -> str:
    """What the automatic choice leaves to a solver on this machine."""
    if not licence.usable:
        return licence.detail or "nothing"
    order = usable_solvers()
    free = {one for one in order if licence_of(one).level is Level.OPEN}
    before = [one for one in order[: order.index(licence.solver)] if one not in free]
    if any(licence_of(one).level is Level.FULL for one in before):
        use = "only on demand"
    else:
        use = f"what {' and '.join(before)} cannot take" if before else "everything"
        use += " within its limits" if licence.level is Level.SIZE_LIMITED else ""
    if licence.solver not in free:
        return use
    if adapter(licence.solver).features.quadratic:
        return f"quadratic programs: {use}; linear ones on demand or after a failure"
    return f"{use}; master problems"


def self_test() -> pd.DataFrame:
    """Solve an LP, a MIP and a binary quadratic program with each usable solver and with plain enumeration.

    Columns: problem, solver, outcome, objective, expected, agrees (bool), seconds.
    """
    rows = [
        _trial(name, problem, expected, solver)
        for name, (problem, expected) in _problems().items()
        for solver in usable_solvers()
    ]
    return pd.DataFrame(rows)


def _trial(name: str, problem: MixedIntegerProgram, expected: float, solver: str) -> dict[str, object]:
    """Solve one problem with one solver; an error is a disagreement, not an end."""
    row: dict[str, object] = {"problem": name, "solver": solver}
    try:
        result = solve(problem, solver)
    except CompactmlError as error:
        return row | {"outcome": str(error), "objective": np.nan, "expected": expected, "agrees": False}
    objective = np.nan if result.objective is None else result.objective
    agrees = result.outcome is Outcome.OPTIMAL and abs(objective - expected) <= 1e-6
    return row | {
        "outcome": str(result.outcome),
        "objective": objective,
        "expected": expected,
        "agrees": agrees,
        "seconds": result.seconds,
    }


def _problems() -> dict[str, tuple[MixedIntegerProgram, float]]:
    """Three small problems and their optima by enumeration."""
    rng = np.random.default_rng(0)
    return {"LP": _assignment(rng), "MIP": _knapsack(rng), "quadratic": _quadratic_knapsack(rng)}


def _assignment(rng: np.random.Generator, size: int = 5) -> tuple[MixedIntegerProgram, float]:
    """An assignment problem: as an LP it has an integer optimum, one of the permutations."""
    cost = rng.integers(1, 30, (size, size)).astype(float)
    ones, eye = np.ones((1, size)), np.eye(size)
    matrix = np.vstack([np.kron(eye, ones), np.kron(ones, eye)])
    problem = MixedIntegerProgram(cost.ravel(), matrix, row_lower=1.0, row_upper=1.0)
    best = min(cost[range(size), order].sum() for order in map(list, permutations(range(size))))
    return problem, float(best)


def _knapsack(rng: np.random.Generator, size: int = 10) -> tuple[MixedIntegerProgram, float]:
    """Two knapsack rows over 0-1 columns."""
    weight = rng.integers(5, 40, (2, size)).astype(float)
    gain, capacity = rng.integers(5, 40, size).astype(float), weight.sum(axis=1) // 2
    problem = MixedIntegerProgram(gain, weight, row_upper=capacity, upper=1.0, integrality=True, sense="max")
    return problem, _enumerate(problem)


def _quadratic_knapsack(rng: np.random.Generator, size: int = 9) -> tuple[MixedIntegerProgram, float]:
    """A knapsack whose gains come from pairs, of either sign."""
    pairs = np.triu(rng.integers(-15, 20, (size, size)), 1).astype(float)
    weight = rng.integers(5, 40, (1, size)).astype(float)
    problem = MixedIntegerProgram(
        rng.integers(-5, 10, size),
        weight,
        row_upper=weight.sum() // 2,
        upper=1.0,
        integrality=True,
        sense="max",
        quadratic=pairs + pairs.T,
    )
    return problem, _enumerate(problem)


def _enumerate(problem: MixedIntegerProgram) -> float:
    """Best value over all 0-1 points that satisfy the rows."""
    points = (np.array(point, dtype=float) for point in product((0, 1), repeat=problem.n_columns))
    return max(
        problem.value(point) for point in points if (problem.matrix @ point <= problem.row_upper).all()
    )
