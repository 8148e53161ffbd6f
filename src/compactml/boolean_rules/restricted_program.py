"""The Restricted MIP of Dash, Günlük and Wei (2018): (1)-(4) over the clauses generated so far."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from compactml.boolean_rules.columns import Columns
from compactml.boolean_rules.instance import Clause
from compactml.errors import InvalidParameterError
from compactml.solvers import MixedIntegerProgram, SolveOptions, SolveResult, solve

__all__ = ["RestrictedSolution", "restricted_program", "solve_restricted"]

TOLERANCE = 1e-6
"""Part of a solver's bound, absolute and relative, that is not trusted before it is rounded up."""


class RestrictedSolution(NamedTuple):
    """A rule set over given clauses.

    Attributes
    ----------
    rules : list of Clause
    loss : int
        Hamming loss (1), recomputed from the data.
    bound : int or None
        Lower bound on the loss of every rule set of the given clauses; None when the solver has none.
    result : SolveResult
    """

    rules: list[Clause]
    loss: int
    bound: int | None
    result: SolveResult


def restricted_program(columns: Columns, complexity: int) -> MixedIntegerProgram:
    """Build (1)-(4): xi_u of the positive rows, equal ones grouped, then w_k of the clauses.

    Parameters
    ----------
    columns : Columns
    complexity : int
        C of (3).
    """
    rows, n_clauses = columns.instance.positive_rows, len(columns)
    n_rows = len(rows)
    covered = sparse.hstack([sparse.identity(n_rows), columns.coverage().T])  # (2)
    budget = sparse.csr_matrix(np.concatenate([np.zeros(n_rows), columns.complexities])[None, :])  # (3)
    return MixedIntegerProgram(
        objective=np.concatenate([columns.instance.positives[rows], columns.negatives]).astype(float),
        matrix=sparse.vstack([covered, budget], format="csr"),
        row_lower=np.append(np.ones(n_rows), -np.inf),
        row_upper=np.append(np.full(n_rows, np.inf), float(complexity)),
        lower=np.zeros(n_rows + n_clauses),
        upper=np.ones(n_rows + n_clauses),
        integrality=np.arange(n_rows + n_clauses) >= n_rows,  # (4)
        sense="min",
    )


def solve_restricted(
    columns: Columns,
    complexity: int,
    *,
    start: list[Clause] | None = None,
    solver: str = "auto",
    time_limit: float | None = None,
    gap: float = 0.0,
) -> RestrictedSolution:
    """Choose the best rule set among given clauses.

    Parameters
    ----------
    columns : Columns
    complexity : int
        C of (3).
    start : list of Clause, optional
        A rule set of these clauses, within the complexity, to begin with.
    solver : str, default "auto"
    time_limit : float, optional
        Seconds.
    gap : float, default 0.0
        Relative gap at which the solver may stop.

    Raises
    ------
    InvalidParameterError
        ``start`` is too complex or has a clause that is not among the columns.
    """
    first = None if start is None else _start(columns, complexity, start)
    options = SolveOptions(time_limit=time_limit, gap=gap, start=first)
    result = solve(restricted_program(columns, complexity), solver=solver, options=options)
    n_rows = len(columns.instance.positive_rows)
    rules = list(start or [])
    if result.x is not None:
        found = [columns.clauses[k] for k in np.flatnonzero(result.x[n_rows:] > 0.5)]
        rules = min(found, rules, key=columns.instance.hamming_loss)
    loss = columns.instance.hamming_loss(rules)
    return RestrictedSolution(rules, loss, _integer_bound(result.bound, loss), result)


def _start(columns: Columns, complexity: int, rules: list[Clause]) -> NDArray[np.float64]:
    """The values of xi and w for a rule set."""
    unknown = [clause for clause in rules if clause not in set(columns.clauses)]
    if unknown:
        raise InvalidParameterError("start", "clauses that are among the columns", unknown[0])
    used = sum(1 + len(clause) for clause in rules)
    if used > complexity:
        raise InvalidParameterError("start", f"of complexity at most {complexity}", used)
    weights = np.array([clause in set(rules) for clause in columns.clauses], dtype=float)
    return np.concatenate([np.maximum(1 - columns.coverage().T @ weights, 0), weights])


def _integer_bound(bound: float | None, loss: int) -> int | None:
    """The loss is a whole number: the solver's bound rounded up, after its tolerance is taken off."""
    if bound is None or not math.isfinite(bound):
        return None
    return min(max(math.ceil(bound - TOLERANCE * max(1.0, abs(bound))), 0), loss)
