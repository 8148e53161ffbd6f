"""Our pricing method: beam searches first, and the exact search when they find nothing."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from compactml.boolean_rules.duals import Duals
from compactml.boolean_rules.instance import Clause
from compactml.boolean_rules.pricing.priced import Priced
from compactml.boolean_rules.pricing.search import Search
from compactml.clock import Clock

__all__ = ["BranchAndBoundPricing"]

ENOUGH = 5
"""Clauses with f > 0 after which an exact search is ended: on large data the rest of the tree costs a minute."""

CHECKS_OF_A_SHORT_SEARCH = 5
"""After which an exact search, some thousand nodes between two, waits for the widest beam."""

WIDEST_BEAM, ROWS_OF_A_BEAM = 1024, 30_000_000
"""Width of that beam, and how many rows its clauses may have in all (that is its memory)."""


class BranchAndBoundPricing:
    """Our pricing: beam searches, and when they fail the exact search; a long one waits for a wide beam."""

    def __init__(self, search: Search, widths: tuple[int, ...] = (8, 64)) -> None:
        self.search, self.widths = search, widths
        self.widest = max(1, min(WIDEST_BEAM, ROWS_OF_A_BEAM // len(search.instance.codes)))

    def beams(self, duals: Duals, clock: Clock) -> Priced:
        """What the beam searches find, the narrow ones first."""
        for width, by_gain in itertools.product(self.widths, (False, True)):
            if found := self.search.beam(duals, width=width, by_gain=by_gain).clauses:
                return Priced(found, None)
        return Priced((), None)

    def wide_beam(self, duals: Duals) -> tuple[Clause, ...]:
        """What the widest beam finds among clauses of every length."""
        return self.search.beam(duals, width=self.widest, max_literals=self.search.max_clause_size).clauses

    def short(self, duals: Duals, clock: Clock) -> Priced:
        """What the beams find, and if nothing the exact search as far as it goes in little time."""
        if (found := self.beams(duals, clock)).clauses:
            return found
        checks = itertools.count(1)
        return self._exact(duals, lambda: next(checks) == CHECKS_OF_A_SHORT_SEARCH or clock.stopped())

    def __call__(self, duals: Duals, clock: Clock, max_clause_size: int | None = None) -> Priced:
        """What the beams find, or the exact search among clauses of at most ``max_clause_size`` literals."""
        if (found := self.beams(duals, clock)).clauses:
            return found
        checks, aside = itertools.count(1), list[Clause]()

        def stopped() -> bool:
            if next(checks) == CHECKS_OF_A_SHORT_SEARCH:
                aside.extend(self.wide_beam(duals))
            return bool(aside) or clock.stopped()

        priced = self._exact(duals, stopped, max_clause_size)
        return Priced((*priced.clauses, *aside), priced.at_most, priced.max_clause_size)

    def _exact(self, duals: Duals, stopped: Callable[[], bool], longest: int | None = None) -> Priced:
        sizes = None if longest is None else (1, longest)
        result = self.search.best(duals, enough=ENOUGH, sizes=sizes, stopped=stopped)
        return Priced(result.clauses, max(result.best, 0) if result.complete else None, longest)
