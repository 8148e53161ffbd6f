"""Our procedure for one binary problem within a clock: generate clauses, round, close the gap."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from compactml.boolean_rules.closing import CAPACITY, close_gap
from compactml.boolean_rules.column_generation import ColumnGeneration
from compactml.boolean_rules.columns import Columns
from compactml.boolean_rules.duals import Duals
from compactml.boolean_rules.instance import Instance
from compactml.boolean_rules.learned import Learned
from compactml.boolean_rules.local_search import simplify
from compactml.boolean_rules.paper_procedure import learn_as_printed
from compactml.boolean_rules.pricing.branch_and_bound import BranchAndBoundPricing
from compactml.boolean_rules.pricing.integer_program import IntegerPricing
from compactml.boolean_rules.pricing.paper_heuristic import HeuristicPricing, PaperPricing
from compactml.boolean_rules.pricing.priced import Pricing
from compactml.boolean_rules.pricing.search import Search
from compactml.boolean_rules.restricted_program import solve_restricted
from compactml.boolean_rules.second_pass import RESTRICTED_NONZEROS
from compactml.clock import Clock
from compactml.watch import Watch

__all__ = ["PAPER", "PRICINGS", "Ended", "Options", "Tell", "learn_within"]

CLOSING_SHARE = 0.4
"""Part of the time left for closing the gap before the restricted program is asked for a better rule set."""

RESTRICTED_SHARE = 0.5
"""Part of the time left that the restricted program gets."""

TOLERANCE = 1e-6

CLOSING_EXTRA = 2.0**-10
"""Price added to lambda before an enumeration, so that rounding leaves no generated clause with f > 0."""

PAPER_SHARE = 2 / 3
"""Part of the time in which the paper's procedure generates; its last integer program may take half as much again."""

PAPER = "paper"
"""The whole of the paper's procedure, see `compactml.boolean_rules.paper_procedure`."""

BY_THE_CLOCK = ""

Tell = Callable[[int, int], object]
"""Takes loss and lower bound."""


@dataclass(frozen=True)
class Options:
    """How rule sets are learned: the arguments of `compactml.boolean_rules.learn` of these names."""

    complexity: int
    max_clause_size: int | None = None
    pricing: str = "branch_and_bound"
    pricing_time_limit: float = 45.0
    gap: float = 0.0
    solver: str = "auto"
    random_state: int = 0

    @property
    def clause_size(self) -> int:
        """D of (9)."""
        return min(self.max_clause_size or self.complexity - 1, self.complexity - 1)


class Ended(NamedTuple):
    """What was learned, and what ended it before its proof: text for a warning, None for the clock."""

    learned: Learned
    early: bool
    cause: str | None = None


def _branch_and_bound(instance: Instance, search: Search, options: Options) -> Pricing:
    return BranchAndBoundPricing(search)


def _mip(instance: Instance, search: Search, options: Options) -> Pricing:
    limit = options.pricing_time_limit
    exact = IntegerPricing(instance, search.max_clause_size, solver=options.solver, time_limit=limit)
    return PaperPricing(exact, _heuristic(instance, search, options))


def _heuristic(instance: Instance, search: Search, options: Options) -> Pricing:
    return HeuristicPricing(instance, search.max_clause_size)


PRICINGS: Mapping[str, Callable[[Instance, Search, Options], Pricing]] = {
    "branch_and_bound": _branch_and_bound,
    "mip": _mip,
    "heuristic": _heuristic,
}


def learn_within(
    instance: Instance,
    options: Options,
    clock: Clock,
    watch: Watch,
    tell: Tell,
) -> Ended:
    """Learn the rule set of one instance until a clock stops.

    Parameters
    ----------
    instance : Instance
    options : Options
        Checked.
    clock : Clock
    watch : Watch
        Says whether an interrupt keeps what there is.
    tell : callable (loss, lower bound) -> object
        Called at each change of one of them.
    """
    if options.pricing == PAPER:
        learned, cause = _as_printed(instance, options, clock, watch, tell)
    else:
        learned, cause = _ours(instance, options, clock, watch, tell)
    early = learned.loss - learned.lower_bound > options.gap * learned.loss
    if clock.stopped() or watch.interrupted:
        return Ended(learned, early)
    return Ended(learned, early and cause is not None, cause or None)


def _as_printed(
    instance: Instance, options: Options, clock: Clock, watch: Watch, tell: Tell
) -> tuple[Learned, str | None]:
    """What the paper's procedure learns, and what ended it as in `_cause`."""
    generating = Clock(None if clock.limit is None else PAPER_SHARE * clock.left)
    learned = learn_as_printed(
        instance,
        options.complexity,
        options.clause_size,
        generating,
        options.pricing_time_limit,
        options.gap,
        options.solver,
        options.random_state,
        watch=watch,
    )
    tell(learned.loss, learned.lower_bound)
    return learned, BY_THE_CLOCK if generating.stopped() else None


def _ours(
    instance: Instance, options: Options, clock: Clock, watch: Watch, tell: Tell
) -> tuple[Learned, str | None]:
    """What our procedure learns, and what ended it as in `_cause`."""
    search = Search(instance, options.clause_size)
    method = PRICINGS[options.pricing](instance, search, options)
    ours = method if isinstance(method, BranchAndBoundPricing) else None
    generation = ColumnGeneration(
        Columns(instance),
        options.complexity,
        method,
        search,
        inflate=ours is not None,
        warm_up=ours.beams if ours else None,
        short=ours.short if ours else None,
        limited=ours,
        tell=tell,
    )
    if not len(instance.literals) or not instance.n_positives:  # only the empty rule set is left
        tell(generation.loss, generation.loss)
        loss, size = generation.loss, options.clause_size
        return Learned((), loss, loss, size, generation.bound, None, (), ()), None
    with watch.interruptible():
        _to_the_end(generation, ours, options, clock)
        tell(generation.loss, generation.lower_bound)
    learned = Learned(
        tuple(simplify(instance, generation.rules)),
        generation.loss,
        generation.lower_bound,
        options.clause_size,
        generation.bound,
        generation.enumerated,
        tuple(generation.history),
        tuple(generation.columns.clauses),
    )
    return learned, _cause(generation, options, clock)


def _cause(generation: ColumnGeneration, options: Options, clock: Clock) -> str | None:
    """What ended a run without a proof before its clock did: None where it ended by itself, "" for shares of the time.

    The heuristic proves nothing, and integer programs prove no more than the bound of the linear program.
    """
    if options.pricing == "branch_and_bound":
        return f"the enumeration's {CAPACITY} clauses" if clock.limit is None else BY_THE_CLOCK
    if options.pricing == "mip" and not generation.converged:
        return f"pricing_time_limit={options.pricing_time_limit:g} s"
    return None


def _to_the_end(
    generation: ColumnGeneration, ours: BranchAndBoundPricing | None, options: Options, clock: Clock
) -> None:
    """Generate, then close what is left of the gap.

    An enumeration that does not end in its share of the time is tried again in the rest of it, since a better rule set
    makes it shorter, and more time may suffice.
    """
    gap = options.gap
    generation.run(clock, gap)
    if ours and generation.converged and not generation.finished(gap):
        _close(generation, ours, clock.part(CLOSING_SHARE * clock.left))
    if not generation.finished(gap):
        if not _restricted_program(generation, clock, options.solver) and ours:
            generation.start_anew(clock.part(CLOSING_SHARE * clock.left))
        if ours and generation.converged and not generation.finished(gap):
            _close(generation, ours, clock)


def _close(generation: ColumnGeneration, pricing: BranchAndBoundPricing, clock: Clock) -> None:
    """Enumerate at the master's duals.

    The bound was proved at a dearer price, so at the master's own duals a clause may still have f > 0; an enumeration
    that meets one is in vain.
    """
    while not clock.stopped():
        if (solution := generation.solve_master(clock)) is None:
            break
        duals = Duals.rounded(generation.columns.instance, solution.mu, solution.price + CLOSING_EXTRA)
        if generation.columns.add(pricing.beams(duals, clock).clauses or pricing.wide_beam(duals)):
            continue
        closed = close_gap(generation.search, duals, generation.complexity, generation.loss, clock)
        if generation.columns.add(closed.improving):
            continue
        if closed.rules is not None:
            generation.take(closed.rules)
        if closed.complete:
            generation.enumerated = closed.n_clauses
        break


def _restricted_program(generation: ColumnGeneration, clock: Clock, solver: str) -> bool:
    """The paper's last step, the best rule set of the clauses generated; whether it is better."""
    columns = generation.columns
    if clock.stopped() or not len(columns) or columns.coverage().nnz > RESTRICTED_NONZEROS:
        return False
    solution = generation.solve_master(clock)
    if solution is None or solution.value > generation.loss - 1 + TOLERANCE:
        return False  # the LP over the same clauses says that none is better
    restricted = solve_restricted(
        columns,
        generation.complexity,
        start=generation.rules,
        solver=solver,
        time_limit=clock.allowance(RESTRICTED_SHARE),
    )
    return generation.take(restricted.rules)
