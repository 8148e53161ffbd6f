"""Rule sets with a clause so long that hardly anything fits beside it: bounded without a dual price.

One price lambda per literal has to serve short and long clauses alike, and on large data it is the long ones, of which
there are most, that make pricing long. But a clause of at least C - 3 literals costs at least C - 2 of the complexity:
beside it there is room for one clause of one literal, or for none. So there are few cases R, the empty set and the
single literals with more positives than negatives, and in each the long clause K is searched for by itself: with mu = p
where R does not cover and 0 where it does, and no price at all,

    loss(R + K) = loss(R) - (mu(cov K) - neg(cov K)),

so a rule set with a loss below W needs a clause with mu - neg > loss(R) - W. That is a far larger number than what one
price leaves to long clauses, and the search ends the sooner. Rule sets of clauses of at most C - 4 literals are left to
column generation.
"""

from __future__ import annotations

from compactml.boolean_rules.duals import UNIT, Duals
from compactml.boolean_rules.instance import Clause
from compactml.boolean_rules.pricing.search import Search
from compactml.clock import Clock

__all__ = ["LongClauses"]


class LongClauses:
    """Bounds and rule sets with a clause of at least C - 3 literals.

    Parameters
    ----------
    search : Search
        Of clauses with at most D literals.
    complexity : int
        C of (3), at least 5.
    """

    def __init__(self, search: Search, complexity: int) -> None:
        self.search, self.complexity = search, complexity
        self.shortest = complexity - 3
        self.proved = 0
        """No such rule set has a loss below this, unless one without its useless literals has, too."""

    @property
    def some(self) -> bool:
        """Whether clauses may be so long, and others shorter."""
        return 2 <= self.shortest <= self.search.max_clause_size

    def below(self, loss: int, clock: Clock) -> list[Clause] | None:
        """A rule set with a smaller loss than ``loss``, or None: then there is none if `proved` has reached it."""
        if loss <= self.proved:
            return None
        for rest in self._rests():
            found = self._completed(rest, loss, clock)
            if found or clock.stopped():
                return found
        self.proved = loss
        return None

    def _rests(self) -> list[list[Clause]]:
        """What may stand beside the long clause: nothing, or a literal that is right more often than wrong."""
        instance = self.search.instance
        singles: list[Clause] = [(j,) for j in range(len(instance.literals))]
        return [[], *([one] for one in singles if instance.hamming_loss([one]) < instance.n_positives)]

    def _completed(self, rest: list[Clause], loss: int, clock: Clock) -> list[Clause] | None:
        instance = self.search.instance
        room = self.complexity - sum(1 + len(clause) for clause in rest) - 1
        sizes = (self.shortest, min(room, self.search.max_clause_size))
        needed = UNIT * max(instance.hamming_loss(rest) - loss, 0)
        result = self.search.best(
            Duals.left_by(instance, rest), above=needed, enough=1, sizes=sizes, stopped=clock.stopped
        )
        return [*rest, result.clauses[0]] if result.clauses else None
