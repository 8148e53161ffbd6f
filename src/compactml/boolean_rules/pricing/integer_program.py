"""The pricing problem of Dash, Günlük and Wei (2018) as their integer program (6)-(10).

Variables: z_j (literal j is in the clause), then delta_u of the positive rows and of the negative rows (the clause
covers row u); delta need not be integral. Two repairs: delta <= 1 also where no literal is false, and at least one
literal, since the bound of section 2.3 assumes c_k >= 2. Equal rows share one delta, weighted by their multiplicity;
positive rows with mu = 0 are left out.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from compactml.boolean_rules.duals import UNIT, Duals
from compactml.boolean_rules.instance import Clause, Instance
from compactml.boolean_rules.pricing.priced import Priced
from compactml.clock import Clock
from compactml.solvers import MixedIntegerProgram, SolveOptions, solve
from compactml.solvers.problem import leaves_time_for

__all__ = ["IntegerPricing", "pricing_program"]

TOLERANCE = 1e-6
"""A solver's bound is trusted up to this, absolute and relative (floating-point solvers prove no more)."""


class _Rows(NamedTuple):
    """Constraints ``lower <= matrix x <= upper`` over all variables."""

    matrix: sparse.csr_matrix
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]


class _Falses(NamedTuple):
    """False literals of the positive and of the negative rows that occur, as sparse 0/1 matrices."""

    positive: sparse.csr_matrix
    negative: sparse.csr_matrix

    @classmethod
    def of(cls, instance: Instance, duals: Duals) -> _Falses:
        """Of the positive rows that have a multiplier, and of the negative ones."""
        false = ~instance.literals.evaluate(instance.codes)
        positive, negative = np.flatnonzero(duals.mu), np.flatnonzero(instance.negatives)
        return cls(sparse.csr_matrix(false[positive]), sparse.csr_matrix(false[negative]))

    @property
    def n_entries(self) -> int:
        """Of the program's matrix, but for one or two a row."""
        return int(2 * self.positive.nnz + self.negative.nnz)


def pricing_program(instance: Instance, duals: Duals, max_clause_size: int) -> MixedIntegerProgram:
    """Build (6)-(10) with both repairs.

    Parameters
    ----------
    instance : Instance
    duals : Duals
    max_clause_size : int
        D of (9).

    Returns
    -------
    MixedIntegerProgram
        Its least value is the least reduced cost z_CG = -max f / UNIT.
    """
    return _program(instance, duals, _Falses.of(instance, duals), max_clause_size)


def _program(instance: Instance, duals: Duals, falses: _Falses, max_clause_size: int) -> MixedIntegerProgram:
    positive, negative = np.flatnonzero(duals.mu), np.flatnonzero(instance.negatives)
    n_literals, n_deltas = falses.positive.shape[1], len(positive) + len(negative)
    groups = [_no_false_literal(falses), _covered_unless_false(falses), _clause_size(falses, max_clause_size)]
    n_variables = n_literals + n_deltas
    return MixedIntegerProgram(
        objective=_reduced_cost(duals, positive, instance.negatives[negative], n_literals),
        matrix=sparse.vstack([group.matrix for group in groups], format="csr"),
        row_lower=np.concatenate([group.lower for group in groups]),
        row_upper=np.concatenate([group.upper for group in groups]),
        lower=np.zeros(n_variables),
        upper=np.ones(n_variables),  # repair: delta <= 1
        integrality=np.arange(n_variables) < n_literals,  # (10)
        sense="min",
        offset=duals.price / UNIT,
    )


def _reduced_cost(
    duals: Duals, positive: NDArray[np.intp], lost: NDArray[np.int64], n_literals: int
) -> NDArray[np.float64]:
    """(6) less its constant: lambda for a literal, -mu for a positive row, and for a negative one its samples."""
    return np.concatenate([np.full(n_literals, duals.price / UNIT), -duals.mu[positive] / UNIT, lost])


def _no_false_literal(falses: _Falses) -> _Rows:
    """(7): delta_u + z_j <= 1 for each positive row u and each literal j that is false on it."""
    pairs = falses.positive.tocoo()
    n, n_literals = pairs.nnz, pairs.shape[1]
    row = np.tile(np.arange(n), 2)
    column = np.concatenate([pairs.col, n_literals + pairs.row])
    width = n_literals + pairs.shape[0] + falses.negative.shape[0]
    matrix = sparse.csr_matrix((np.ones(2 * n), (row, column)), shape=(n, width))
    return _Rows(matrix, np.full(n, -np.inf), np.ones(n))


def _covered_unless_false(falses: _Falses) -> _Rows:
    """(8): delta_u >= 1 - the sum of z_j over the literals j that are false on the negative row u."""
    n = falses.negative.shape[0]
    middle = sparse.csr_matrix((n, falses.positive.shape[0]))
    matrix = sparse.hstack([falses.negative.astype(float), middle, sparse.identity(n)], format="csr")
    return _Rows(matrix, np.ones(n), np.full(n, np.inf))


def _clause_size(falses: _Falses, max_clause_size: int) -> _Rows:
    """(9), and the second repair: 1 <= sum of z_j <= D."""
    n_literals = falses.positive.shape[1]
    n_variables = n_literals + falses.positive.shape[0] + falses.negative.shape[0]
    matrix = sparse.csr_matrix((np.arange(n_variables) < n_literals).astype(float)[None, :])
    return _Rows(matrix, np.ones(1), np.full(1, float(max_clause_size)))


class IntegerPricing:
    """Pricing by a solver of mixed-integer programs.

    As in the paper, every clause of negative reduced cost that the solver passes through is returned.

    Parameters
    ----------
    instance : Instance
    max_clause_size : int
        D of (9).
    solver : str, default "auto"
    time_limit : float or None, default 45.0
        Seconds per call; the paper's are 45 and, in its second experiment, 30.
    """

    def __init__(
        self,
        instance: Instance,
        max_clause_size: int,
        solver: str = "auto",
        time_limit: float | None = 45.0,
    ) -> None:
        self.instance, self.max_clause_size = instance, max_clause_size
        self.solver, self.time_limit = solver, time_limit

    def __call__(self, duals: Duals, clock: Clock) -> Priced:
        """The clauses found with f > 0, the best first, and the solver's bound rounded outwards to units."""
        n_literals = len(self.instance.literals)
        if n_literals == 0:
            return Priced((), 0)
        part = clock if self.time_limit is None else clock.part(self.time_limit)
        if part.stopped():
            return Priced((), None)
        falses = _Falses.of(self.instance, duals)
        if not leaves_time_for(falses.n_entries, part):
            return Priced((), None)
        program = _program(self.instance, duals, falses, self.max_clause_size)
        options = SolveOptions(time_limit=part.allowance(), gap=0.0, pool=True)
        result = solve(program, solver=self.solver, options=options)
        points = () if result.x is None else (result.x, *result.pool)
        clauses = dict.fromkeys(tuple(np.flatnonzero(x[:n_literals] > 0.5).tolist()) for x in points)
        f = {clause: duals.f(self.instance, clause) for clause in clauses if clause}
        found: list[Clause] = sorted(
            (clause for clause in f if f[clause] > 0), key=lambda one: (-f[one], one)
        )
        return Priced(tuple(found), _at_most(result.bound, max(f.values(), default=0)))


def _at_most(bound: float | None, f: int) -> int | None:
    """A bound on f from the solver's bound on z_CG: 0 if that is at least -TOLERANCE."""
    if bound is None or not math.isfinite(bound):
        return None
    if bound >= -TOLERANCE and f <= 0:
        return 0
    return max(math.ceil((-bound + TOLERANCE * max(1.0, abs(bound))) * UNIT), f, 0)
