"""Lower bounds on the Hamming loss, and the rounds in which they rise."""

from __future__ import annotations

from dataclasses import dataclass

from compactml.boolean_rules.duals import UNIT, Duals

__all__ = ["Bound", "Round", "proved_by"]


@dataclass(frozen=True)
class Round:
    """One round of column generation.

    Attributes
    ----------
    master_value : float
        z_RMLP.
    reduced_cost : float
        Smallest reduced cost found at the duals priced (0 when none is negative).
    lower_bound : int
        Largest bound proved so far.
    n_columns : int
    seconds : float
        Since the start.
    """

    master_value: float
    reduced_cost: float
    lower_bound: int
    n_columns: int
    seconds: float


@dataclass(frozen=True)
class Bound:
    """A proved lower bound on the Hamming loss of every rule set within the complexity.

    It holds for rule sets of clauses up to the length asked for; with none asked for, for all.

    Attributes
    ----------
    value : int
    duals : Duals
        The bound is ``ceil((duals.value(C) - C / 2 * at_most) / UNIT)``.
    at_most : int
        Proved upper bound on f at these duals, in units of 1 / UNIT.
    max_clause_size : int or None
        Of the clauses for which ``at_most`` is proved, None for all lengths asked for: rule sets with a longer clause
        are bounded by `compactml.boolean_rules.long_clauses`.
    """

    value: int
    duals: Duals
    at_most: int
    max_clause_size: int | None


def proved_by(duals: Duals, complexity: int, at_most: int) -> int:
    """The integer bound, not negative, that follows from ``f <= at_most`` at these duals."""
    twice = 2 * duals.value(complexity) - complexity * at_most
    return max(-(-twice // (2 * UNIT)), 0)
