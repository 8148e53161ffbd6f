"""What column generation asks of a pricing method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from compactml.boolean_rules.duals import Duals
from compactml.boolean_rules.instance import Clause
from compactml.clock import Clock

__all__ = ["LimitedPricing", "Priced", "Pricing"]


@dataclass(frozen=True)
class Priced:
    """Answer of a pricing method.

    Attributes
    ----------
    clauses : tuple of Clause
        Clauses with f > 0.
    at_most : int or None
        A proved upper bound on f (units of 1 / UNIT; 0 when no clause has f > 0), None when nothing is proved.
    max_clause_size : int, optional
        Of the clauses for which ``at_most`` is proved; all by default.
    """

    clauses: tuple[Clause, ...]
    at_most: int | None
    max_clause_size: int | None = None


class Pricing(Protocol):
    """A way to find clauses with negative reduced cost."""

    def __call__(self, duals: Duals, clock: Clock) -> Priced:
        """Clauses with f > 0 at these duals, or a proof that f is bounded."""
        ...


class LimitedPricing(Protocol):
    """The same among clauses of at most so many literals."""

    def __call__(self, duals: Duals, clock: Clock, max_clause_size: int) -> Priced:
        """Clauses with f > 0 of any length, or a proof that f is bounded for those that are not longer."""
        ...
