"""The procedure of Dash, Günlük and Wei (2018), section 3, as it is described.

From no clause on: solve the restricted master; price by the integer program (6)-(10) under a limit, on a random sample
of rows and features where the data are large and it has more than a million non-zeros; where that neither finds a
clause nor proves that there is none, by the heuristic. All clauses found are added, until none is or the time is up.
Then the restricted integer program over the clauses gives the rule set.

Of the integer program come all clauses of negative reduced cost that the solver passes through on its way; HiGHS passes
through fewer than a pool of CPLEX holds. The heuristic returns up to a hundred a round. How long the last integer
program may take is not said: half of the overall limit here. Ours are three details that change no rule set's loss:
equal rows and equal conditions are counted once, weights are whole units, and the pricing program has two constraints
that it lacks in our copy of the paper, see `compactml.boolean_rules.pricing.integer_program`. What the paper leaves
open and may change a rule set is ours too: what "more than several hundred" features are, lambda in proportion to the
sample, and the caps of the heuristic and of the last program.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from compactml.boolean_rules.bounds import Bound, Round, proved_by
from compactml.boolean_rules.columns import Columns
from compactml.boolean_rules.duals import UNIT, Duals
from compactml.boolean_rules.instance import Clause, Instance
from compactml.boolean_rules.learned import Learned
from compactml.boolean_rules.local_search import exchange
from compactml.boolean_rules.master import Master
from compactml.boolean_rules.pricing.integer_program import IntegerPricing
from compactml.boolean_rules.pricing.paper_heuristic import HeuristicPricing
from compactml.boolean_rules.pricing.priced import Priced, Pricing
from compactml.boolean_rules.pricing.sampling import SampledPricing, count_nonzeros
from compactml.boolean_rules.second_pass import best_of_clauses
from compactml.clock import Clock
from compactml.solvers import MasterNotSolvedError
from compactml.watch import Watch

__all__ = ["LARGE_LITERALS", "SAMPLED_FROM", "Steps", "learn_as_printed", "pricing_nonzeros"]

SAMPLED_FROM = 1_000_000
"""Non-zeros of the pricing program of large data above which it is replaced by one on a sample."""
LARGE_LITERALS = 300
"""Literals above which data are large: the paper says "more than several hundred binary features"."""


@dataclass
class Steps:
    """Which step of the paper's pricing found clauses, in how many rounds.

    Attributes
    ----------
    by_program, by_heuristic : int
    sampled : bool
        Whether the integer program is one on a sample.
    priced_out : bool
        Whether the last integer program proved that no clause has a negative reduced cost: that the linear program over
        all clauses is solved.
    """

    by_program: int = 0
    by_heuristic: int = 0
    sampled: bool = False
    priced_out: bool = False


@dataclass(frozen=True)
class PrintedPricing:
    """The integer program, then the heuristic where that left the matter open; counts who found something."""

    exact: Pricing
    heuristic: Pricing
    steps: Steps = field(default_factory=Steps)

    def __call__(self, duals: Duals, clock: Clock) -> Priced:
        """Clauses of negative reduced cost, or what is proved of them."""
        priced = self.exact(duals, clock)
        self.steps.priced_out = priced.at_most == 0
        if priced.clauses or priced.at_most == 0:
            self.steps.by_program += bool(priced.clauses)
            return priced
        found = self.heuristic(duals, clock).clauses
        self.steps.by_heuristic += bool(found)
        return Priced(found, priced.at_most)


def pricing_nonzeros(instance: Instance) -> int:
    """Return the non-zeros of the pricing program of all rows."""
    truth = instance.literals.evaluate(instance.codes)
    return count_nonzeros(truth, instance.positives > 0, instance.negatives > 0)


def printed_pricing(
    instance: Instance, max_clause_size: int, time_limit: float, solver: str, random_state: int
) -> PrintedPricing:
    """Return the paper's pricing for an instance, on samples where it is large."""

    def program(some: Instance) -> Pricing:
        return IntegerPricing(some, max_clause_size, solver=solver, time_limit=time_limit)

    sampled = len(instance.literals) > LARGE_LITERALS and pricing_nonzeros(instance) > SAMPLED_FROM
    exact: Pricing = (
        SampledPricing(instance, program, random_state=random_state) if sampled else program(instance)
    )
    return PrintedPricing(exact, HeuristicPricing(instance, max_clause_size), Steps(sampled=sampled))


def learn_as_printed(
    instance: Instance,
    complexity: int,
    max_clause_size: int,
    clock: Clock,
    pricing_time_limit: float,
    gap: float,
    solver: str,
    random_state: int,
    *,
    pricing: PrintedPricing | None = None,
    watch: Watch | None = None,
) -> Learned:
    """Learn a rule set by the paper's procedure.

    Parameters
    ----------
    instance : Instance
    complexity, max_clause_size : int
        C of (3) and D of (9).
    clock : Clock
        The overall limit, of column generation; the last integer program comes after it.
    pricing_time_limit : float
        Seconds of one integer program.
    gap : float
        Relative gap (value of the master - bound) / value at which to stop generating; 0 to go on, as the paper does,
        until no clause is found.
    solver : str
    random_state : int
        Of the samples.
    pricing : PrintedPricing, optional
        In place of that for these arguments: one whose steps are to be counted.
    watch : Watch, optional
        Where it keeps an answer after an interrupt, that is the rule set that adding and exchanging clauses finds.
    """
    columns = Columns(instance)
    bound = Bound(0, Duals(0 * instance.positives, 0), 0, None)
    history: list[Round] = []
    rules: list[Clause] = []
    watch = watch or Watch("learn", clock)
    with watch.interruptible():
        if len(instance.literals):
            if pricing is None:
                pricing = printed_pricing(instance, max_clause_size, pricing_time_limit, solver, random_state)
            for bound in _generated(columns, complexity, pricing, clock, gap, history):  # noqa: B007
                pass
        last = Clock(None if clock.limit is None else clock.limit / 2)
        rules = best_of_clauses(columns, complexity, [], solver=solver, clock=last)
    if watch.interrupted and len(columns):
        rules = exchange(columns, np.zeros(len(columns), dtype=bool), complexity, Clock(None))
    loss = instance.hamming_loss(rules)
    return Learned(
        tuple(rules), loss, bound.value, max_clause_size, bound, None, tuple(history), tuple(columns.clauses)
    )


def _generated(
    columns: Columns, complexity: int, pricing: Pricing, clock: Clock, gap: float, history: list[Round]
) -> Iterator[Bound]:
    """Add clauses until none is found, or the time is up; each better bound that an answer of the pricing proves."""
    master = Master(columns, complexity)
    bound = Bound(0, Duals(0 * columns.instance.positives, 0), 0, None)
    while not clock.stopped():
        try:
            solution = master.solve(clock.allowance())
        except MasterNotSolvedError:
            break
        duals = Duals.rounded(columns.instance, solution.mu, solution.price)
        priced = pricing(duals, clock)
        if priced.at_most is not None:
            value = proved_by(duals, complexity, priced.at_most)
            if value > bound.value:
                bound = Bound(value, duals, priced.at_most, None)
                yield bound
        added = columns.add(priced.clauses)
        best = max((duals.f(columns.instance, clause) for clause in priced.clauses), default=0)
        history.append(Round(solution.value, -best / UNIT, bound.value, len(columns), clock.seconds))
        if not added or (gap > 0 and solution.value - bound.value <= gap * solution.value):
            break
