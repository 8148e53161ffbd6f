"""How many rule sets are nearly as good as the best one."""

from __future__ import annotations

import math
from dataclasses import dataclass

from compactml.boolean_rules.exact.learning import Nothing, all_listed, feasible, learn_exactly
from compactml.boolean_rules.exact.relaxing import Case, Proof, relaxations
from compactml.boolean_rules.exact.sets import Problem, distinct, walk
from compactml.boolean_rules.generating import Options, learn_within
from compactml.boolean_rules.instance import MOST_WEIGHT, Instance
from compactml.clock import Clock
from compactml.watch import Watch

__all__ = ["Counted", "RuleSetCount", "count_sets"]

OPTIMUM_SHARE = 0.4
"""Part of the time for the best rule set, and of the rest for the duals that a list of clauses begins with."""

ROUNDING = 1e-9


@dataclass(frozen=True)
class RuleSetCount:
    """Number of rule sets whose loss is close to the least.

    Attributes
    ----------
    count : int
    exact : bool
        Whether there are so many, rather than at least so many.
    best : float
        Loss of the best rule set known.
    worst : float
        Largest loss that was counted. Where ``best`` is not proved to be the least it comes from the proved bound, so
        that no rule set is counted that is not close.

    Examples
    --------
    >>> from compactml.boolean_rules import RuleSetCount
    >>> print(RuleSetCount(12, True, 40, 42))
    12 rule sets have a loss of at most 42 (best: 40)
    """

    count: int
    exact: bool
    best: float
    worst: float

    def __str__(self) -> str:
        at_least = "" if self.exact else "at least "
        return f"{at_least}{self.count} rule sets have a loss of at most {self.worst:g} (best: {self.best:g})"


@dataclass(frozen=True)
class Counted:
    """A count in whole weights.

    Attributes
    ----------
    count, exact
        As in `RuleSetCount`.
    best, bound, worst : int
        The best loss known, its proved bound, and the largest loss that was counted.
    early : bool
        Whether a limit ended the count, or the proof of the best rule set.
    cause : str or None
        What ended it where that was not the clock.
    """

    count: int
    exact: bool
    best: int
    bound: int
    worst: int
    early: bool
    cause: str | None


def count_sets(
    problem: Problem, options: Options, clock: Clock, watch: Watch, within: float, most: int
) -> Counted | Nothing:
    """Count the rule sets with a loss of at most ``1 + within`` times the least, exactly up to ``most``.

    Clauses that are true of the same rows, and use the same forced columns, count as one.

    Parameters
    ----------
    problem : Problem
    options : Options
    clock : Clock
    watch : Watch
        Is told the best loss and its bound.
    within : float
    most : int
    """
    instance, limits = problem.instance, problem.limits
    ended = learn_exactly(
        instance,
        limits,
        options,
        clock.part(OPTIMUM_SHARE * clock.left),
        watch,
        watch.tell,
        zero_one=problem.zero_one,
    )
    if isinstance(ended, Nothing):
        return ended
    best = ended.learned
    case = Case(problem.complexity // 2, problem.clause_size)
    worst = math.floor(min((1 + within) * best.lower_bound + ROUNDING, _most_loss(instance, case)))
    relaxation = next(relaxations(instance, limits, case, problem.zero_one))
    own = clock.part(OPTIMUM_SHARE * clock.left)
    learned = learn_within(relaxation.instance, options, own, watch, lambda loss, bound: None).learned
    proof = Proof(relaxation, learned.bound.duals).dearer(learned.bound.at_most)
    listed, proof = all_listed(problem, proof, case, worst, clock)
    complete = listed is not None
    if listed is None:
        known = {*best.generated, *learned.generated, *best.clauses}
        listed = distinct(problem, filter(problem.irreducible, sorted(known)), Clock(None))
        assert listed is not None  # no clock, and few clauses
        proof = feasible(proof, listed)
    empty = int(problem.loss([]) <= worst and problem.allows([]))
    outcome = walk(problem, proof, case, listed, worst, clock.stopped, most_sets=most)
    count = outcome.count + empty
    proved = best.loss == best.lower_bound
    exact = complete and outcome.complete and proved and count <= most
    early = not proved or (not exact and count <= most)
    by_the_clock = clock.stopped() or (clock.limit is not None and complete)
    cause = None if by_the_clock else "the capacity of the enumeration"
    return Counted(min(count, most), exact, best.loss, best.lower_bound, worst, early, cause)


def _most_loss(instance: Instance, case: Case) -> int:
    """A loss that no rule set exceeds, or the largest that weights of clauses can be compared with."""
    return min(instance.n_positives + int(instance.negatives.sum()) * case.most_clauses, MOST_WEIGHT)
