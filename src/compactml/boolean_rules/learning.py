"""One binary problem from columns to a rule set with a proved bound: generate, round, close."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from compactml.boolean_rules.closing import close_gap
from compactml.boolean_rules.column_generation import ColumnGeneration
from compactml.boolean_rules.columns import Columns
from compactml.boolean_rules.duals import Duals
from compactml.boolean_rules.instance import Instance
from compactml.boolean_rules.learned import Learned
from compactml.boolean_rules.literals import Literals
from compactml.boolean_rules.local_search import simplify
from compactml.boolean_rules.paper_procedure import learn_as_printed
from compactml.boolean_rules.pricing.branch_and_bound import BranchAndBoundPricing
from compactml.boolean_rules.pricing.integer_program import IntegerPricing
from compactml.boolean_rules.pricing.paper_heuristic import HeuristicPricing, PaperPricing
from compactml.boolean_rules.pricing.priced import Pricing
from compactml.boolean_rules.pricing.search import ROWS_FOR_BITSETS, Search
from compactml.boolean_rules.restricted_program import solve_restricted
from compactml.boolean_rules.second_pass import RESTRICTED_NONZEROS
from compactml.clock import Clock
from compactml.errors import check_choice, check_finite, check_fraction, check_integer
from compactml.solvers import SOLVERS

__all__ = ["PRICINGS", "Learned", "check_parameters", "compile_kernels", "learn"]

CLOSING_SHARE = 0.4
"""Part of the time left for closing the gap before the restricted program is asked for a better rule set."""

RESTRICTED_SHARE = 0.5
"""Part of the time left that the restricted program gets."""

TOLERANCE = 1e-6

CLOSING_EXTRA = 2.0**-10
"""Price added to lambda before an enumeration, so that rounding leaves no generated clause with f > 0."""


def _branch_and_bound(instance: Instance, search: Search, solver: str, time_limit: float) -> Pricing:
    return BranchAndBoundPricing(search)


def _mip(instance: Instance, search: Search, solver: str, time_limit: float) -> Pricing:
    exact = IntegerPricing(instance, search.max_clause_size, solver=solver, time_limit=time_limit)
    return PaperPricing(exact, _heuristic(instance, search, solver, time_limit))


def _heuristic(instance: Instance, search: Search, solver: str, time_limit: float) -> Pricing:
    return HeuristicPricing(instance, search.max_clause_size)


PRICINGS: Mapping[str, Callable[[Instance, Search, str, float], Pricing]] = {
    "branch_and_bound": _branch_and_bound,
    "mip": _mip,
    "heuristic": _heuristic,
}


PAPER = "paper"
"""The whole of the paper's procedure, see `compactml.boolean_rules.paper_procedure`."""


def check_parameters(complexity: Any, max_clause_size: Any, pricing: Any, gap: Any, solver: Any) -> None:
    """Raise `InvalidParameterError` where `learn` does not take one of these."""
    check_integer("complexity", complexity, 2)
    if max_clause_size is not None:
        check_integer("max_clause_size", max_clause_size, 1)
    check_choice("pricing", pricing, (*PRICINGS, PAPER))
    check_fraction("gap", gap)
    check_choice("solver", solver, ("auto", *SOLVERS))


def learn(
    instance: Instance,
    complexity: int,
    *,
    max_clause_size: int | None = None,
    pricing: str = "branch_and_bound",
    pricing_time_limit: float = 45.0,
    time_limit: float | None = None,
    gap: float = 0.0,
    solver: str = "auto",
    random_state: int = 0,
) -> Learned:
    """Learn the rule set of smallest Hamming loss with complexity at most C.

    Parameters
    ----------
    instance : Instance
    complexity : int
        C of (3), at least 2.
    max_clause_size : int, optional
        D of (9), by default C - 1, which excludes nothing.
    pricing : {"branch_and_bound", "mip", "heuristic", "paper"}
        Ours, or the paper's integer program with its heuristic behind it, or the heuristic alone; our local search
        stands behind each of these. With "paper" nothing of ours does: the paper's procedure as it is described,
        with random samples of large data.
    pricing_time_limit : float, default 45.0
        Seconds for one integer program of "mip" and "paper" (45 in the paper's first experiment, 30 in its second).
    time_limit : float, optional
        Seconds; what compiling takes at the first use comes before them.
    gap : float, default 0
        Relative gap (loss - bound) / loss at which to stop.
    solver : str
        For the integer programs.
    random_state : int, default 0
        Of the samples of "paper".

    Raises
    ------
    InvalidParameterError
        An argument outside its range.
    """
    check_parameters(complexity, max_clause_size, pricing, gap, solver)
    check_finite("pricing_time_limit", pricing_time_limit, 0.0)
    if time_limit is not None:
        check_finite("time_limit", time_limit, 0.0)
        compile_kernels()
    clock = Clock(time_limit)
    size = min(max_clause_size or complexity - 1, complexity - 1)
    if pricing == PAPER:
        return learn_as_printed(
            instance, complexity, size, clock, pricing_time_limit, gap, solver, random_state
        )
    search = Search(instance, size)
    columns = Columns(instance)
    method = PRICINGS[pricing](instance, search, solver, pricing_time_limit)
    ours = method if isinstance(method, BranchAndBoundPricing) else None
    generation = ColumnGeneration(
        columns,
        complexity,
        method,
        search,
        inflate=ours is not None,
        warm_up=ours.beams if ours else None,
        short=ours.short if ours else None,
        limited=ours,
    )
    if not len(instance.literals):  # only the empty rule set is left
        return Learned((), generation.loss, generation.loss, size, generation.bound, None, (), ())
    generation.run(clock, gap)
    lower, enumerated = generation.bound.value, None
    if ours and generation.converged and not generation.finished(gap):
        lower, enumerated = _close(generation, ours, clock.part(CLOSING_SHARE * clock.left))
    if lower < generation.loss and not generation.finished(gap):
        better = _restricted_program(generation, clock, solver)
        if ours and better and generation.converged:
            lower, enumerated = _close(generation, ours, clock)
    return Learned(
        tuple(simplify(instance, generation.rules)),
        generation.loss,
        lower,
        size,
        generation.bound,
        enumerated,
        tuple(generation.history),
        tuple(columns.clauses),
    )


@cache
def compile_kernels() -> None:
    """Learn a tiny rule set, once in a process: compiling and loading must not use up the time limit of another."""
    rng = np.random.default_rng(1)
    codes, y = rng.integers(2, size=(30, 6)), rng.random(30) < 0.5
    # The gap of this one takes an enumeration to close, so that all kernels are called but those on bitsets.
    learn(Instance.from_codes(codes, y, Literals.binary(tuple("abcdef"))), 4)
    cells = np.arange(ROWS_FOR_BITSETS)[:, None] >> np.arange(ROWS_FOR_BITSETS.bit_length()) & 1
    names = tuple(f"x{a}" for a in range(cells.shape[1]))
    many = Instance.from_codes(cells, cells.sum(axis=1) % 2 == 0, Literals.binary(names))
    Search(many, 2).best(Duals.left_by(many, []))


def _close(
    generation: ColumnGeneration, pricing: BranchAndBoundPricing, clock: Clock
) -> tuple[int, int | None]:
    """Enumerate at the master's duals; the bound, and how many clauses the proof of optimality went through.

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
            return generation.loss, closed.n_clauses
        break
    return generation.bound.value, None


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
