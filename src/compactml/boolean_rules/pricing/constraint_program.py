"""The pricing problem (6)-(10) of Dash, Günlük and Wei (2018) as a constraint program.

With Boolean delta the objective is a whole number of units 1 / UNIT and the solver's bound needs no tolerance: a second
opinion on our branch and bound, and the engine beside which it is timed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from ortools.sat.python import cp_model

from compactml.boolean_rules.duals import UNIT, Duals
from compactml.boolean_rules.instance import Clause, Instance
from compactml.boolean_rules.pricing.priced import Priced
from compactml.clock import Clock
from compactml.solvers.backends.cp_sat import cp_solver

__all__ = ["ConstraintPricing"]


class ConstraintPricing:
    """Exact pricing by CP-SAT, one worker.

    Parameters
    ----------
    instance : Instance
    max_clause_size : int
        D of (9).
    time_limit : float or None, default 45.0
        Seconds per call.
    random_state : int, default 0
    """

    def __init__(
        self,
        instance: Instance,
        max_clause_size: int,
        *,
        time_limit: float | None = 45.0,
        random_state: int = 0,
    ) -> None:
        self.instance, self.max_clause_size = instance, max_clause_size
        self.time_limit, self.random_state = time_limit, random_state
        self._truth = instance.literals.evaluate(instance.codes)

    def __call__(self, duals: Duals, clock: Clock) -> Priced:
        """All solutions with f > 0 that the solver passed through, the largest f first, and its proved bound."""
        if self._truth.shape[1] == 0:
            return Priced((), 0)
        seconds = clock.left if self.time_limit is None else min(self.time_limit, clock.left)
        if seconds <= 0:
            return Priced((), None)
        model, z = self._model(duals)
        solver, solutions = cp_solver(self.random_state, seconds), _Solutions(z)
        status = solver.solve(model, solutions)
        if status == cp_model.UNKNOWN:  # stopped before it had a solution: nothing is certain about its bound
            return Priced((), None)
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            raise AssertionError(f"CP-SAT returned {solver.status_name(status)} for a problem with solutions")
        value = {clause: duals.f(self.instance, clause) for clause in solutions.clauses}
        ranked = sorted((c for c in value if value[c] > 0), key=lambda c: (-value[c], c))
        return Priced(tuple(ranked), max(int(np.ceil(solver.best_objective_bound)), 0))

    def _model(self, duals: Duals) -> tuple[cp_model.CpModel, list[Any]]:
        """Maximise f, the negative of (6)."""
        model = cp_model.CpModel()
        z = [model.new_bool_var(f"z{j}") for j in range(self._truth.shape[1])]
        mu, kept = self._positives(model, z, duals.mu)
        lost, hit = self._negatives(model, z)
        model.add_linear_constraint(sum(z), 1, self.max_clause_size)  # (9), and not the empty clause
        gain = cp_model.LinearExpr.weighted_sum([*kept, *hit], [*mu, *(-one for one in lost)])
        model.maximize(gain - duals.price * (1 + sum(z)))
        return model, z

    def _positives(
        self, model: cp_model.CpModel, z: list[Any], mu: NDArray[np.int64]
    ) -> tuple[list[int], list[Any]]:
        """(7): a positive row is covered only if no literal of the clause is false on it."""
        rows = np.flatnonzero(mu > 0)
        deltas = [model.new_bool_var(f"positive{u}") for u in rows]
        for u, delta in zip(rows, deltas, strict=True):
            for j in np.flatnonzero(~self._truth[u]):
                model.add_implication(delta, ~z[j])
        return mu[rows].tolist(), deltas

    def _negatives(self, model: cp_model.CpModel, z: list[Any]) -> tuple[list[int], list[Any]]:
        """(8): a negative row is covered unless some literal of the clause is false on it."""
        rows = np.flatnonzero(self.instance.negatives)
        deltas = [model.new_bool_var(f"negative{u}") for u in rows]
        for u, delta in zip(rows, deltas, strict=True):
            model.add_bool_or([delta, *(z[j] for j in np.flatnonzero(~self._truth[u]))])
        return (UNIT * self.instance.negatives[rows]).tolist(), deltas


class _Solutions(cp_model.CpSolverSolutionCallback):
    """Collects the clause of every solution found on the way."""

    def __init__(self, z: list[Any]) -> None:
        super().__init__()
        self._z = z
        self.clauses: set[Clause] = set()

    def on_solution_callback(self) -> None:
        self.clauses.add(tuple(j for j, one in enumerate(self._z) if self.boolean_value(one)))
