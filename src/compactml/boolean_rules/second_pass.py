"""The best rule set of clauses that are there: the paper's last step, and its second pass over those of all C.

The integer program (1)-(4) of a large dataset with thousands of clauses has millions of non-zeros, and a solver then
overruns its limit by minutes before it has looked at anything. So above a million those clauses are kept whose reduced
cost in the linear program is least.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from compactml.boolean_rules.columns import Columns
from compactml.boolean_rules.duals import Duals
from compactml.boolean_rules.instance import Clause, Instance
from compactml.boolean_rules.master import Master, MasterSolution
from compactml.boolean_rules.restricted_program import solve_restricted
from compactml.clock import Clock
from compactml.solvers import MasterNotSolvedError

__all__ = ["RESTRICTED_NONZEROS", "best_of_clauses", "second_pass"]

RESTRICTED_NONZEROS = 1_000_000
TOLERANCE = 1e-6


def second_pass(
    instance: Instance,
    generated: Iterable[Clause],
    complexity: int,
    starts: Iterable[Sequence[Clause]],
    *,
    solver: str = "auto",
    time_limit: float | None = None,
) -> list[Clause]:
    """Return the best rule set of the clauses that were generated for all bounds on the complexity (section 4).

    Parameters
    ----------
    instance : Instance
    generated : iterable of Clause
    complexity : int
        C of (3).
    starts : iterable of rule sets
        Those of the first pass. The best one within the complexity is what the second begins with.
    solver : str, default "auto"
    time_limit : float, optional
        Seconds.
    """
    fitting = [list(rules) for rules in starts if sum(1 + len(clause) for clause in rules) <= complexity]
    start = min(fitting, key=instance.hamming_loss, default=[])
    columns = Columns(instance)
    columns.add(generated)
    columns.add(start)  # simplified rules need not be among the clauses
    return best_of_clauses(columns, complexity, start, solver=solver, clock=Clock(time_limit))


def best_of_clauses(
    columns: Columns, complexity: int, start: list[Clause], *, solver: str, clock: Clock
) -> list[Clause]:
    """Return the best rule set of some clauses, or ``start`` where none is better or the time does not suffice.

    Parameters
    ----------
    columns : Columns
    complexity : int
        C of (3).
    start : list of Clause
        A rule set of these clauses within the complexity.
    solver : str
    clock : Clock
    """
    if not len(columns) or (solution := _relaxed(columns, complexity, clock)) is None:
        return start
    if solution.value > columns.instance.hamming_loss(start) - 1 + TOLERANCE:
        return start  # the linear program over the same clauses says that none is better
    some = _of_least_reduced_cost(columns, solution, start)
    return solve_restricted(some, complexity, start=start, solver=solver, time_limit=clock.allowance()).rules


def _relaxed(columns: Columns, complexity: int, clock: Clock) -> MasterSolution | None:
    """The linear program's optimum, None where the time does not suffice."""
    if clock.stopped():
        return None
    try:
        return Master(columns, complexity).solve(clock.allowance())
    except MasterNotSolvedError:
        return None


def _of_least_reduced_cost(columns: Columns, solution: MasterSolution, start: list[Clause]) -> Columns:
    """The clauses of a start, and those of least reduced cost until the program has a million non-zeros."""
    sizes = np.diff(columns.coverage().indptr)
    if sizes.sum() <= RESTRICTED_NONZEROS:
        return columns
    duals = Duals.rounded(columns.instance, solution.mu, solution.price)
    order = np.argsort([-duals.f(columns.instance, clause) for clause in columns.clauses], kind="stable")
    keep = np.zeros(len(columns), dtype=bool)
    keep[order[np.cumsum(sizes[order]) <= RESTRICTED_NONZEROS]] = True
    keep |= np.isin(np.arange(len(columns)), [columns.clauses.index(clause) for clause in start])
    return columns.subset(keep)
