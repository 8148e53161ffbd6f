"""The covering problem in integers: errors are whole, with the cuts of the asummability bound.

Every ensemble calls a pattern right or wrong, so the least cost of a 0-1 vector e that meets the cuts is a bound as
well, and a better one than that of fractional e. It is an integer program without classifiers, threshold and big-M.
Its optimum may violate cuts that the LP did not need; they are added and it is solved again.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from scipy import sparse

from compactml.clock import Clock
from compactml.ensemble_pruning.asummability import WORK, AsummabilityBound
from compactml.ensemble_pruning.cover import cover_rows
from compactml.ensemble_pruning.instance import PruningInstance
from compactml.ensemble_pruning.separation import Separator
from compactml.solvers import MixedIntegerProgram, Outcome, SolveOptions, SolveResult, solve

__all__ = ["integer_cover_of"]

SOLVER_TOLERANCE = 1e-6
"""A solver's bound may be too large by so much, relative to 1 + its size."""


def integer_cover_of(
    instance: PruningInstance,
    start: AsummabilityBound,
    clock: Clock,
    *,
    solver: str = "auto",
    random_state: int = 0,
) -> AsummabilityBound:
    """Improve an asummability bound with errors that are 0 or 1.

    Unlike that of the LP, this proof is a solver's branch and bound, on its word up to its tolerance.

    Parameters
    ----------
    instance : PruningInstance
    start : AsummabilityBound
        Of the same instance.
    clock : Clock
    solver : {"auto", "gurobi", "cplex", "highs"}
    random_state : int, default=0

    Returns
    -------
    AsummabilityBound
        Never worse than ``start``; its history goes on.

    Raises
    ------
    CompactmlError
        As `compactml.solvers.solve`.
    """
    separator, best = Separator(instance), start
    while not clock.stopped() and best.rows.shape[0]:
        program = MixedIntegerProgram(
            np.abs(instance.gains), best.rows, row_lower=1.0, upper=1.0, integrality=True
        )
        limit = None if clock.limit is None else clock.left
        result = solve(program, solver, SolveOptions(time_limit=limit, seed=random_state))
        best = _improved(best, instance, result, clock)
        if result.outcome is not Outcome.OPTIMAL or result.x is None:
            break
        found = separator.pairs(result.x), separator.quadruples(result.x, WORK)[0]
        if not any(map(len, found)):
            break
        added = [cover_rows(group, len(instance.gains)) for group in found]
        best = replace(best, rows=sparse.vstack([best.rows, *added], format="csr"))
    return best


def _improved(
    best: AsummabilityBound, instance: PruningInstance, result: SolveResult, clock: Clock
) -> AsummabilityBound:
    """The better of a bound and what a solver proved, rounded up where costs are integers."""
    errors, bound = best.errors, result.bound
    if bound is not None and math.isfinite(bound):
        safe = bound - SOLVER_TOLERANCE * (1.0 + abs(bound))
        errors = max(errors, float(math.ceil(safe)) if instance.integral else safe)
    history = (*best.history, (clock.seconds, errors))
    choice = result.choice if errors > best.errors else best.choice
    return replace(best, errors=errors, bound=instance.bound(errors), history=history, choice=choice)
