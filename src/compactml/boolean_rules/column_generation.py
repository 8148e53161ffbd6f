"""Column generation for the master LP, and the bounds it proves on the best rule set.

For any duals with 0 <= mu <= p and lambda >= 0 and any F >= max f (see `compactml.boolean_rules.pricing.search`),

    z_MIP >= sum mu - C lambda - (C / 2) F^+

(Dash, Günlük and Wei 2018, section 3: no rule set has more than C/2 clauses, because c_k >= 2). The bound does not
need mu and lambda to be optimal. *Dearer literals.* So pricing is done at lambda' = lambda + delta / C, with the
largest delta for which the bound z - delta that "no clause found" proves is still the bound we want: the integer above
z, or z less a given tolerance. Literals cost more, the search ends sooner, and the long tail of column generation is
cut off. When a short search ends with nothing at these duals, the long one is done at others, of the same value for
the clauses known and with the largest lambda of all: the LP is degenerate, and they make literals dearer still. The
long search leaves out the longest clauses, which are bounded by themselves (`compactml.boolean_rules.long_clauses`).
"""

from __future__ import annotations

import math
from collections.abc import Callable

from compactml.boolean_rules.bounds import Bound, Round, proved_by
from compactml.boolean_rules.closing import recombine
from compactml.boolean_rules.columns import Columns
from compactml.boolean_rules.duals import UNIT, Duals
from compactml.boolean_rules.instance import Clause
from compactml.boolean_rules.local_search import polish, relearn
from compactml.boolean_rules.long_clauses import LongClauses
from compactml.boolean_rules.master import Master, MasterSolution
from compactml.boolean_rules.pricing.priced import LimitedPricing, Priced, Pricing
from compactml.boolean_rules.pricing.search import Search
from compactml.clock import Clock
from compactml.solvers import MasterNotSolvedError

__all__ = ["ColumnGeneration"]

MARGIN = 1e-3
"""Part of the distance to the next integer that is not given away."""

ROUNDING = 0.02
"""Part of the dual objective that rounding the dearest duals may cost."""

COARSE = UNIT >> 8
"""Steps of mu tried first for the dearest duals: fewer binary digits are counted faster."""

ROUNDS_BETWEEN_IMPROVEMENTS = 5
"""Rounds after which the local search is run again: a long proof must not end with a poor rule set."""

TOLERANCES = (0.1, 0.05, 0.02, 0.01)
"""Relative tolerances at which bounds are proved, one after the other, when the one wanted is too dear."""

PROOF_SHARE = 0.95
"""Part of the time after which no proof goes on."""

SOON_ROUNDS, SOON_STARTS, SOON = 40, 10, 0.05
"""Rounds after which, or when a short search has failed, a proof counts as long. A better rule set is then looked for
around so many clauses, for so much of the time at most. Both are counted, so that the same call has the same answer."""

DEAREST_SHARE = 0.05
"""Part of the time left for the LP of the dearest duals; where it needs more, they are not asked for again."""

FIRST_TRY = 0.7
"""Part of the time in which the bound wanted is tried at once."""


class ColumnGeneration:
    """The restricted master, its columns, the best bound and the best rule set so far.

    Parameters
    ----------
    columns : Columns
    complexity : int
        C of (3).
    pricing : Pricing
    search : Search
        For the local search.
    inflate : bool, default True
        Price with dearer literals.
    warm_up : Pricing, optional
        Quick pricing for the first rounds, after which the local search has a rule set to improve.
    short : Pricing, optional
        Tried before ``pricing`` in every round; when it neither finds nor proves anything, ``pricing`` gets the dearest
        duals.
    limited : LimitedPricing, optional
        Takes the place of ``pricing`` behind ``short`` where the longest clauses are bounded by themselves.
    tell : callable (loss, lower bound) -> object
        Called where one of them has changed.
    """

    def __init__(
        self,
        columns: Columns,
        complexity: int,
        pricing: Pricing,
        search: Search,
        *,
        inflate: bool = True,
        warm_up: Pricing | None = None,
        short: Pricing | None = None,
        limited: LimitedPricing | None = None,
        tell: Callable[[int, int], object] = lambda loss, bound: None,
    ) -> None:
        self.columns, self.complexity, self.pricing, self.search = columns, complexity, pricing, search
        self.inflate, self.warm_up, self.short, self.limited = inflate, warm_up, short, limited
        self._tell = tell
        self.master = Master(columns, complexity)
        self.history: list[Round] = []
        self.long_clauses = LongClauses(search, complexity)
        self.bound = Bound(0, Duals(0 * columns.instance.positives, 0), 0, None)
        self.rules: list[Clause] = []
        self.loss = columns.instance.n_positives
        self.converged = False
        self.enumerated: int | None = None
        """Clauses that a proof of optimality went through, see `compactml.boolean_rules.closing`."""
        self._long, self._too_dear = False, False
        self._started: set[Clause] = set()
        self._solution = self.master.solve()  # of no clauses yet

    @property
    def lower_bound(self) -> int:
        """What is proved of every rule set: the loss itself where an enumeration found nothing better."""
        return self.loss if self.enumerated is not None else self.bound.value

    def run(self, clock: Clock, gap: float = 0.0) -> None:
        """Generate columns until the bound is within ``gap`` of the rule set, or as good as the LP's, or time is up.

        The bound wanted is tried for a part of the time, then looser ones first: hard problems end with some bound.
        """
        if self.warm_up is not None:
            self._prove(0.0, clock, self.warm_up)
            self.improve(clock)
        proof = clock.part(PROOF_SHARE * clock.left)  # what is left belongs to the local search behind it
        if not self.inflate:
            self.converged = self._prove(0.0, proof)
            self.improve(clock)
            return
        if self._prove(gap, clock.part(FIRST_TRY * clock.left)):
            self.improve(clock)
            self.converged = True
            return
        for tolerance in [t for t in TOLERANCES if t > gap] + [gap]:
            proved = self._prove(tolerance, proof)
            self.improve(clock)
            if not proved or self.finished(gap):
                break
        else:
            self.converged = True
        if not self.finished(gap):
            self.start_anew(clock)

    def finished(self, gap: float) -> bool:
        """Whether the rule set is proved to be within ``gap`` of the best."""
        return self.loss - self.lower_bound <= gap * self.loss

    def improve(self, clock: Clock) -> None:
        """Local search from the master's weights and from the best rule set so far, until the time is up."""
        solution = self.solve_master(clock) or self._solution
        self.take(polish(self.search, self.columns, solution.weights, self.complexity, self.rules, clock))
        duals = Duals.rounded(self.columns.instance, solution.mu, solution.price)
        if (better := recombine(self.columns, duals, self.complexity, self.loss, clock)) is not None:
            self.take(better)

    def start_anew(self, clock: Clock, most: int | None = None) -> None:
        """Local search around one clause of the list after another, ``most`` of them, until the time is up.

        The clauses of least reduced cost come first: what the list lacks is most often a partner of theirs.
        """
        instance, solution = self.columns.instance, self.solve_master(clock) or self._solution
        duals = Duals.rounded(instance, solution.mu, solution.price)
        new = [clause for clause in self.columns.clauses if clause not in self._started]
        for clause in sorted(new, key=lambda one: -duals.f(instance, one))[:most]:
            if clock.stopped():
                break
            self._started.add(clause)
            rules = relearn(self.search, [clause], self.complexity, clock)
            self.columns.add(rules)
            self.take(rules)
        self.improve(clock)

    def solve_master(self, clock: Clock) -> MasterSolution | None:
        """The master's optimum, None when the time did not suffice; the latest one is kept."""
        try:
            self._solution = self.master.solve(clock.allowance())
        except MasterNotSolvedError:
            return None
        return self._solution

    def take(self, rules: list[Clause]) -> bool:
        """Keep a rule set if it is better than the best so far; whether it was."""
        loss = self.columns.instance.hamming_loss(rules)
        better = loss < self.loss
        if better:
            self.rules, self.loss = rules, loss
            self._tell(loss, self.lower_bound)
        return better

    def _prove(self, tolerance: float, clock: Clock, pricing: Pricing | None = None) -> bool:
        """Add columns until the bound for this tolerance is proved; False when time is up or nothing is found."""
        while not clock.stopped():
            if (solution := self.solve_master(clock)) is None:
                return False
            target = self._target(solution, tolerance)
            duals = self._inflated(solution, target)
            if pricing or self.short is None:
                priced = (pricing or self.pricing)(duals, clock)
            else:
                duals, priced = self._in_two_steps(self.short, solution, duals, target, clock)
            best = max((duals.f(self.columns.instance, clause) for clause in priced.clauses), default=0)
            if priced.at_most is not None:
                self._raise_bound(duals, priced)
            added = self.columns.add(priced.clauses)
            self.history.append(
                Round(solution.value, -best / UNIT, self.bound.value, len(self.columns), clock.seconds)
            )
            if priced.at_most == 0:
                return True
            if not added:
                return False
            if len(self.history) % ROUNDS_BETWEEN_IMPROVEMENTS == 0:
                self.improve(clock)
        return False

    def _in_two_steps(
        self, short: Pricing, solution: MasterSolution, duals: Duals, target: float, clock: Clock
    ) -> tuple[Duals, Priced]:
        """Price in short, and where that neither finds nor proves anything at length, at the dearest duals.

        The first time that it takes long, the better rule set is looked for that makes the rest shorter.
        """
        priced = (self.warm_up if self._long and self.warm_up else short)(duals, clock)
        nothing = not priced.clauses and priced.at_most is None
        if not self._long and (nothing or len(self.history) >= SOON_ROUNDS):
            self._long = True
            self.start_anew(clock.part(SOON * clock.left), SOON_STARTS)
        if not nothing:
            return duals, priced
        duals = self._dearest(solution, target, clock) or duals
        if self.limited is None or not self.long_clauses.some:
            return duals, self.pricing(duals, clock)
        priced = self.limited(duals, clock, self.long_clauses.shortest - 1)
        return duals, self._with_long_clauses(duals, priced, clock) if priced.at_most == 0 else priced

    def _with_long_clauses(self, duals: Duals, priced: Priced, clock: Clock) -> Priced:
        """The same proof if rule sets with a long clause are no better than its bound; otherwise their clauses."""
        bound = proved_by(duals, self.complexity, 0)
        better = self.long_clauses.below(bound, clock)
        if better:
            self.take(better)
            return Priced(tuple(better), None)
        return priced if self.long_clauses.proved >= bound else Priced((), None)

    def _target(self, solution: MasterSolution, tolerance: float) -> float:
        """The dual objective that proves the bound wanted: the LP's, or what the tolerance asks for."""
        if not self.inflate:
            return solution.value
        wanted = min(math.ceil(solution.value - 1e-6), math.ceil((1 - tolerance) * self.loss))
        return min(wanted - 1 + MARGIN, solution.value)  # the bound is the integer above it

    def _inflated(self, solution: MasterSolution, target: float) -> Duals:
        """The master's duals with lambda raised as far as the target allows."""
        extra = (solution.value - target) / self.complexity
        return Duals.rounded(self.columns.instance, solution.mu, solution.price + extra)

    def _dearest(self, solution: MasterSolution, target: float, clock: Clock) -> Duals | None:
        """The duals with the largest lambda that the target allows, None where rounding or time forbids it."""
        if target + ROUNDING > solution.value or self._too_dear:
            return None
        if (found := self.master.dearest(target + ROUNDING, clock.allowance(DEAREST_SHARE))) is None:
            self._too_dear = True
            return None
        mu, price = found
        for step in (COARSE, 1):
            duals = Duals.rounded(
                self.columns.instance, mu, price + ROUNDING / (2 * self.complexity), step=step
            )
            if duals.value(self.complexity) >= target * UNIT:
                return duals
        return None

    def _raise_bound(self, duals: Duals, priced: Priced) -> None:
        assert priced.at_most is not None
        value = proved_by(duals, self.complexity, priced.at_most)
        if value > self.bound.value:
            self.bound = Bound(value, duals, priced.at_most, priced.max_clause_size)
            self._tell(self.loss, self.lower_bound)
