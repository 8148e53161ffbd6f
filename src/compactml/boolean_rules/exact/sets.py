"""All sets of listed clauses that may be good enough: the best of those that are allowed, or their number."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from compactml.boolean_rules.duals import UNIT
from compactml.boolean_rules.exact import _kernels as compiled
from compactml.boolean_rules.exact.limits import Limits
from compactml.boolean_rules.exact.relaxing import Case, Proof
from compactml.boolean_rules.instance import Clause, Instance
from compactml.boolean_rules.pricing.search import Search
from compactml.clock import Clock

__all__ = ["Listed", "Problem", "Walk", "distinct", "enumerated", "walk"]

CAPACITY = 200_000
"""Most clauses that are listed."""

MOST_COVERED = 50_000_000
"""Most rows that they cover together."""

NODES_BETWEEN_CHECKS = 50
CLAUSES_BETWEEN_CHECKS = 200

FINEST = 1 << 20


@dataclass(frozen=True)
class Problem:
    """What is asked of rule sets.

    Attributes
    ----------
    instance : Instance
    limits : Limits
    complexity, clause_size : int
    zero_one : bool
        Whether a row of the other class counts once, rather than for each clause.
    """

    instance: Instance
    limits: Limits
    complexity: int
    clause_size: int
    zero_one: bool

    @cached_property
    def truth(self) -> NDArray[np.bool_]:
        """Truth of each literal on each row, shape (n_literals, U)."""
        return np.ascontiguousarray(self.instance.literals.evaluate(self.instance.codes).T)

    def rows(self, clause: Clause) -> NDArray[np.bool_]:
        """Rows of which a clause is true, shape (U,); all of the clause without literals."""
        true: NDArray[np.bool_] = np.all(self.truth[list(clause)], axis=0)
        return true

    def irreducible(self, clause: Clause) -> bool:
        """Whether a clause is true of some rows, and of more without any one of its literals."""
        rows = self.rows(clause)
        if not rows.any():
            return False
        shorter = [clause[:q] + clause[q + 1 :] for q in range(len(clause))]
        return len(clause) == 1 or all((self.rows(one) & ~rows).any() for one in shorter)

    def loss(self, rules: list[Clause]) -> int:
        """Loss of a rule set in whole weights."""
        if not self.zero_one:
            return self.instance.hamming_loss(rules)
        covered = np.zeros(len(self.instance.codes), dtype=bool)
        for clause in rules:
            covered |= self.instance.covered(clause)
        return int(self.instance.positives[~covered].sum() + self.instance.negatives[covered].sum())

    def allows(self, rules: list[Clause]) -> bool:
        """Whether a rule set keeps the limits and the complexity."""
        used = sum(1 + len(clause) for clause in rules)
        return used <= self.complexity and self.limits.kept_by(self.instance, rules)


@dataclass(frozen=True)
class Walk:
    """Outcome of a walk.

    Attributes
    ----------
    rules : list of Clause or None
        The best rule set, None where there is none, or where they are counted.
    count : int
    complete : bool
        Whether all sets were considered.
    """

    rules: list[Clause] | None
    count: int
    complete: bool


def enumerated(problem: Problem, proof: Proof, case: Case, worst: int, clock: Clock) -> list[Clause] | None:
    """Return every clause that a rule set of a case with a loss of at most ``worst`` may have, None if there are many.

    Of clauses that are true of the same rows one is enough, and none is longer than it need be. The search leaves a
    literal out only where it takes no negative away; so every row gets a part of a negative, which moves f by less than
    the threshold is lowered.
    """
    relaxed, duals = proof.relaxation.instance, proof.duals
    budget = _budget(proof, problem.complexity, worst)
    if budget < 0:
        return []
    n_rows = len(relaxed.codes)
    weight = int(relaxed.positives.sum() + relaxed.negatives.sum()) + n_rows
    parts = max(min(FINEST, (1 << 61) // (UNIT * weight)), 1)
    tilted = replace(relaxed, positives=parts * relaxed.positives, negatives=parts * relaxed.negatives + 1)
    fine = replace(duals, mu=parts * duals.mu, price=parts * duals.price)
    threshold = -parts * (budget + 1) - UNIT * n_rows
    found = Search(tilted, case.clause_size).all_above(
        fine, threshold, capacity=CAPACITY, stopped=clock.stopped
    )
    return list(found.clauses) if found.complete else None


@dataclass(frozen=True)
class Listed:
    """Clauses that are true of different rows, or use different forced columns.

    Attributes
    ----------
    clauses : list of Clause
    pointer : ndarray of int64, shape (n + 1,)
    rows : ndarray of int32
        Clause k is true of ``rows[pointer[k]:pointer[k + 1]]``, at least one row.
    """

    clauses: list[Clause]
    pointer: NDArray[np.int64]
    rows: NDArray[np.int32]

    def sums(self, weights: NDArray[np.int64]) -> NDArray[np.int64]:
        """Sum of the weights of the rows of each clause."""
        if not self.clauses:
            return np.zeros(0, dtype=np.int64)
        sums: NDArray[np.int64] = np.add.reduceat(weights[self.rows], self.pointer[:-1])
        return sums

    def f(self, proof: Proof) -> NDArray[np.int64]:
        """Value f of each clause at the duals of a relaxation, see `compactml.boolean_rules.Duals`."""
        costs = np.array([1 + len(clause) for clause in self.clauses], dtype=np.int64)
        return (
            self.sums(proof.duals.mu - UNIT * proof.relaxation.instance.negatives) - proof.duals.price * costs
        )


def distinct(problem: Problem, clauses: Iterable[Clause], clock: Clock) -> Listed | None:
    """Return the cheapest clause of each set of rows and of forced columns; None if time or room end.

    Parameters
    ----------
    problem : Problem
    clauses : iterable of Clause
        Whose conditions all tell rows apart.
    clock : Clock
    """
    kept: dict[tuple[bytes, int], int] = {}
    chosen: list[Clause] = []
    places: list[NDArray[np.int32]] = []
    covered = 0
    for number, clause in enumerate(clauses):
        if number % CLAUSES_BETWEEN_CHECKS == 0 and (clock.stopped() or covered > MOST_COVERED):
            return None
        rows = problem.rows(clause)
        key = np.packbits(rows).tobytes(), problem.limits.columns_of(clause)
        at = kept.get(key)
        if at is None:
            true = np.flatnonzero(rows).astype(np.int32)
            if len(true):
                kept[key] = len(chosen)
                chosen.append(clause)
                places.append(true)
                covered += len(true)
        elif (len(clause), clause) < (len(chosen[at]), chosen[at]):
            chosen[at] = clause
    pointer = np.concatenate([[0], np.cumsum([len(true) for true in places])]).astype(np.int64)
    return Listed(chosen, pointer, np.concatenate([np.zeros(0, dtype=np.int32), *places]))


def walk(
    problem: Problem,
    proof: Proof,
    case: Case,
    listed: Listed,
    worst: int,
    stopped: Callable[[], bool],
    *,
    most_sets: int | None = None,
) -> Walk:
    """Walk through the sets of some clauses; sets without a clause are left to the caller.

    Parameters
    ----------
    problem : Problem
    proof : Proof
        At whose duals none of the clauses has f > 0.
    case : Case
    listed : Listed
    worst : int
        Largest loss that is good enough.
    stopped : callable
        Asked every so many nodes; True ends the walk.
    most_sets : int, optional
        Count the sets that are good enough, up to one more than this.
    """
    instance, limits, duals, n = problem.instance, problem.limits, proof.duals, len(listed.clauses)
    reduced = -listed.f(proof)
    clauses = compiled.Clauses(
        listed.pointer,
        listed.rows,
        reduced,
        np.array([1 + len(clause) for clause in listed.clauses], dtype=np.int64),
        listed.sums(instance.negatives),
        np.array([limits.columns_of(clause) for clause in listed.clauses], dtype=np.int64),
    )
    weights = compiled.Weights(
        duals.mu,
        instance.positives,
        instance.negatives,
        limits.samples,
        np.ascontiguousarray(limits.groups),
    )
    bounds = compiled.Bounds(
        problem.complexity,
        case.most_clauses,
        problem.zero_one,
        limits.least,
        limits.most,
        limits.widest,
        limits.all_columns,
        duals.price,
        proof.relaxation.times,
        proof.relaxation.scale,
        UNIT,
        _fixed(proof, problem.complexity),
        most_sets is not None,
        most_sets or 0,
    )
    depth = min(case.most_clauses, n) + 1  # a set has each clause once
    path = compiled.Path(
        chosen=np.zeros(depth, dtype=np.int64),
        lists=np.empty((depth, n), dtype=np.int64),
        penalties=np.empty((depth, n), dtype=np.int64),
        length=np.zeros(depth, dtype=np.int64),
        position=np.zeros(depth, dtype=np.int64),
        spent=np.zeros(depth, dtype=np.int64),
        used=np.zeros(depth, dtype=np.int64),
        columns=np.zeros(depth, dtype=np.int64),
        counts=np.zeros(len(instance.codes), dtype=np.int64),
        in_groups=np.zeros(limits.groups.shape[1], dtype=np.int64),
        best=np.zeros(depth, dtype=np.int64),
    )
    order = np.argsort(reduced, kind="stable")
    path.lists[0], path.penalties[0], path.length[0] = order, reduced[order], n
    counters = np.zeros(compiled.N_COUNTERS, dtype=np.int64)
    counters[compiled.MISSED], counters[compiled.WORST] = instance.n_positives, worst
    sizes, complete = limits.groups.sum(axis=0), False
    while not complete and not stopped():
        complete = compiled.visit(NODES_BETWEEN_CHECKS, clauses, weights, sizes, bounds, path, counters)
    best = [listed.clauses[k] for k in path.best[: counters[compiled.BEST_SIZE]]]
    return Walk(best or None, int(counters[compiled.COUNT]), complete)


def _fixed(proof: Proof, complexity: int) -> int:
    return proof.duals.value(complexity) + UNIT * proof.relaxation.constant


def _budget(proof: Proof, complexity: int, worst: int) -> int:
    """Largest penalty of a rule set whose loss is at most ``worst``."""
    return proof.relaxation.scale * UNIT * worst - _fixed(proof, complexity)
