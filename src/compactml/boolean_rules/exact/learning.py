"""The best rule set under limits on predictions, or of the 0-1 loss, with a proved bound."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from compactml.boolean_rules.bounds import Bound
from compactml.boolean_rules.duals import Duals
from compactml.boolean_rules.exact.limits import Limits
from compactml.boolean_rules.exact.relaxing import Case, Proof, cases, relaxations
from compactml.boolean_rules.exact.sets import Listed, Problem, distinct, enumerated, walk
from compactml.boolean_rules.generating import Ended, Options, Tell, learn_within
from compactml.boolean_rules.instance import Clause, Instance
from compactml.boolean_rules.learned import Learned
from compactml.clock import Clock
from compactml.watch import Watch

__all__ = ["Nothing", "all_listed", "feasible", "learn_exactly"]

RELAXING_SHARE = 0.5
"""Part of the time for the bounds of relaxations."""

IMPROVING_SHARE = 0.2
"""Part of the time left for rule sets out of the clauses of the relaxations."""

POOL_CHECKS = 2000
"""Times `compactml.boolean_rules.exact.sets.NODES_BETWEEN_CHECKS` nodes for the sets of clauses met so far."""


class Nothing(NamedTuple):
    """No rule set keeps the limits, or none was met in time that does: ``proved`` says which."""

    proved: bool


@dataclass
class _State:
    """What is known so far."""

    problem: Problem
    tell: Tell
    rules: list[Clause] | None = None
    loss: int = 0
    pool: dict[Clause, None] = field(default_factory=dict)
    bounds: dict[Case, int] = field(default_factory=dict)
    proofs: dict[Case, Proof] = field(default_factory=dict)

    @property
    def worst(self) -> int:
        """Largest loss that would be better than the best rule set; any loss where there is none."""
        instance = self.problem.instance
        if self.rules is None:
            most = 1 if self.problem.zero_one else max(self.problem.complexity // 2, 1)
            return instance.n_positives + most * int(instance.negatives.sum())
        return self.loss - 1

    @property
    def bound(self) -> int:
        """Proved of all rule sets."""
        lowest = min(self.bounds.values())
        return lowest if self.rules is None else min(lowest, self.loss)

    def take(self, rules: list[Clause]) -> None:
        """Keep a rule set if it is allowed and the best so far."""
        if not all(self.problem.irreducible(clause) for clause in rules):
            return
        loss = self.problem.loss(rules)
        if loss <= self.worst and self.problem.allows(rules):
            self.rules, self.loss = rules, loss
            self.tell(loss, self.bound)

    def prove(self, case: Case, bound: int) -> None:
        """Note a bound on the rule sets of a case."""
        if bound > self.bounds[case]:
            self.bounds[case] = bound
            if self.rules is not None:
                self.tell(self.loss, self.bound)


def learn_exactly(
    instance: Instance,
    limits: Limits,
    options: Options,
    clock: Clock,
    watch: Watch,
    tell: Tell,
    *,
    zero_one: bool,
) -> Ended | Nothing:
    """Learn the rule set of the smallest loss among those that keep the limits, if there is one.

    Relaxations give bounds, and clauses to make rule sets of. What they leave open is enumerated: all clauses that a
    better rule set may have, and all sets of them.

    Parameters
    ----------
    instance : Instance
        With all rows that the limits speak of.
    limits : Limits
    options : Options
        Without the paper's procedure.
    clock, watch, tell
        As in `compactml.boolean_rules.generating.learn_within`.
    zero_one : bool
        Whether the loss is the weight of rows predicted wrongly, rather than the Hamming loss.
    """
    problem = Problem(instance, limits, options.complexity, options.clause_size, zero_one)
    state = _State(problem, tell)
    every = cases(options.complexity, options.clause_size, zero_one)
    state.bounds = dict.fromkeys(every, 0)
    history: list[Learned] = []
    with watch.interruptible():
        state.take([])
        _relax(state, every, options, clock.part(RELAXING_SHARE * clock.left), watch, history)
        for case in every:
            if not watch.interrupted:
                _improve(state, case, clock.part(IMPROVING_SHARE * clock.left))
        for left, case in zip(range(len(every), 0, -1), every, strict=True):
            if state.bounds[case] <= state.worst and not _finished(state, options) and not watch.interrupted:
                _close(state, case, clock.part(clock.left / left))
    proved = all(bound > state.worst for bound in state.bounds.values())
    if state.rules is None:
        return Nothing(proved)
    best = history[-1] if history else Learned.nothing(instance, options.clause_size)
    bound = Bound(0, Duals(0 * instance.positives, 0), 0, None)
    learned = replace(
        best, clauses=tuple(state.rules), loss=state.loss, lower_bound=state.bound, bound=bound, enumerated=None,
        generated=tuple(state.pool), max_clause_size=options.clause_size,
    )  # fmt: skip
    early = learned.loss - learned.lower_bound > options.gap * learned.loss
    cause = "" if clock.limit is not None else "the capacity of the enumeration"
    return Ended(learned, early, None if clock.stopped() or watch.interrupted else cause or None)


def _finished(state: _State, options: Options) -> bool:
    return state.rules is not None and state.loss - state.bound <= options.gap * state.loss


def _relax(
    state: _State, every: list[Case], options: Options, clock: Clock, watch: Watch, history: list[Learned]
) -> None:
    """Bound each case by its relaxations; their clauses join the pool."""
    instance, limits, zero_one = state.problem.instance, state.problem.limits, state.problem.zero_one
    singles: list[Clause] = [(j,) for j in range(len(instance.literals))]
    state.pool.update(dict.fromkeys(singles))
    for number, case in enumerate(every):
        tried = list(relaxations(instance, limits, case, zero_one))
        part = clock.part(clock.left / (len(every) - number))
        for q, relaxation in enumerate(tried):
            if state.bounds[case] > state.worst or watch.interrupted:
                break
            if not relaxation.instance.n_positives:
                nothing = Duals(0 * instance.positives, 0)  # f is not above 0 at these
                state.proofs.setdefault(case, Proof(relaxation, nothing))
                state.prove(case, relaxation.bound(0))
                continue
            own = replace(options, max_clause_size=case.clause_size, gap=0.0)
            ended = learn_within(
                relaxation.instance,
                own,
                part.part(part.left / (len(tried) - q)),
                watch,
                lambda loss, bound: None,
            )
            learned = ended.learned
            history.append(learned)
            state.pool.update(dict.fromkeys(learned.generated))
            state.pool.update(dict.fromkeys(_with_forced(limits, learned.clauses)))
            state.take(list(learned.clauses))
            proof = Proof(relaxation, learned.bound.duals).dearer(learned.bound.at_most)
            if case not in state.proofs or relaxation.bound(learned.lower_bound) > state.bounds[case]:
                state.proofs[case] = proof
            state.prove(case, relaxation.bound(learned.lower_bound))


def _with_forced(limits: Limits, clauses: Iterable[Clause]) -> Iterator[Clause]:
    """Each clause with each literal of a forced column."""
    for clause in clauses:
        for j in np.flatnonzero(limits.columns):
            yield tuple(sorted({*clause, int(j)}))


def _improve(state: _State, case: Case, clock: Clock) -> None:
    """The best rule set of the clauses met so far, as far as a limited number of nodes finds one."""
    if case not in state.proofs or state.bounds[case] > state.worst or clock.stopped():
        return
    sized = (one for one in state.pool if len(one) <= case.clause_size)
    listed = distinct(state.problem, filter(state.problem.irreducible, sized), clock)
    if listed is None:
        return
    checks = iter(range(POOL_CHECKS))
    outcome = walk(
        state.problem,
        feasible(state.proofs[case], listed),
        case,
        listed,
        state.worst,
        lambda: clock.stopped() or next(checks, None) is None,
    )
    if outcome.rules:
        state.take(outcome.rules)


def _close(state: _State, case: Case, clock: Clock) -> None:
    """Enumerate what may be better, and prove the case where all of it was seen."""
    if case not in state.proofs:
        return
    listed, proof = all_listed(state.problem, state.proofs[case], case, state.worst, clock)
    if listed is None:
        return
    outcome = walk(state.problem, proof, case, listed, state.worst, clock.stopped)
    if outcome.rules:
        state.take(outcome.rules)
    if outcome.complete:
        state.prove(case, state.worst + 1)


def all_listed(
    problem: Problem, proof: Proof, case: Case, worst: int, clock: Clock
) -> tuple[Listed | None, Proof]:
    """All clauses that a rule set of a loss of at most ``worst`` may have, at duals at which none has f > 0.

    None where time or room end.
    """
    for _ in range(2):  # the second time at a price at which no clause has f > 0
        clauses = enumerated(problem, proof, case, worst, clock)
        listed = None if clauses is None else distinct(problem, clauses, clock)
        if listed is None:
            break
        dearer = feasible(proof, listed)
        if dearer is proof:
            return listed, proof
        proof = dearer
    return None, proof


def feasible(proof: Proof, listed: Listed) -> Proof:
    """The proof at a price at which no clause of the list has f > 0; the same object if that is so already."""
    return proof.dearer(int(listed.f(proof).max(initial=0)))
