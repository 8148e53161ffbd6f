"""The heuristic pricing of Dash, Günlük and Wei (2018), section 3, and its place behind an exact method.

The heuristic grows clauses literal by literal. Those of one literal come first; then, for l = 1, 2, ..., all clauses of
l literals are extended by one, those with the smallest reduced cost (6) first, until a cap or the end of the level is
reached, and the best clauses with negative reduced cost are returned before the next level is begun.

Three things that the paper leaves open are chosen here. A clause of complexity c is only extended while its positives
are worth more than a longer clause costs, ``lambda (c + 1) < mu(cov)``: extensions only lose rows. A literal that takes
no row of any weight away is not added. The cap and the number of clauses returned are parameters.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from compactml.boolean_rules.duals import UNIT, Duals
from compactml.boolean_rules.instance import Clause, Instance
from compactml.boolean_rules.pricing.priced import Priced, Pricing
from compactml.clock import Clock

__all__ = ["HeuristicPricing", "PaperPricing"]

ETA = 5
"""Most literals of a clause."""

PARENTS_PER_PRODUCT = 32


class _Level(NamedTuple):
    """Clauses of one length, those that may be extended by falling f, and those with f > 0."""

    extendable: list[Clause]
    improving: dict[Clause, int]


class PaperPricing:
    """The order of section 3: an exact method under a time limit, and the heuristic when that left the matter open.

    Parameters
    ----------
    exact, heuristic : Pricing
    """

    def __init__(self, exact: Pricing, heuristic: Pricing) -> None:
        self.exact, self.heuristic = exact, heuristic

    def __call__(self, duals: Duals, clock: Clock) -> Priced:
        """What the exact method found or proved, else what the heuristic finds."""
        priced = self.exact(duals, clock)
        if priced.clauses or priced.at_most == 0:
            return priced
        return Priced(self.heuristic(duals, clock).clauses, priced.at_most)


class HeuristicPricing:
    """Heuristic pricing; it never proves anything.

    Parameters
    ----------
    instance : Instance
    max_clause_size : int
        D of (9); clauses have at most ``min(D, 5)`` literals.
    n_generated : int, default 10000
        Most distinct clauses generated in a level.
    n_returned : int, default 100
        Most clauses returned by a call.
    """

    def __init__(
        self,
        instance: Instance,
        max_clause_size: int,
        *,
        n_generated: int = 10_000,
        n_returned: int = 100,
    ) -> None:
        self.instance, self.max_clause_size = instance, min(max_clause_size, ETA)
        self.n_generated, self.n_returned = n_generated, n_returned
        self._truth = np.ascontiguousarray(instance.literals.evaluate(instance.codes).T)
        # Sums of weights are whole numbers below 2**53, so that products in floating point are exact and fast.
        self._matrix = self._truth.T.astype(np.float64, order="C")

    def __call__(self, duals: Duals, clock: Clock) -> Priced:
        """Clauses with f > 0, the largest f first; ``at_most`` is None."""
        level = self._extended([()], duals, clock)
        candidates = level.improving
        for _ in range(1, self.max_clause_size):
            level = self._extended(level.extendable, duals, clock)
            candidates |= level.improving
            if candidates:
                break
        ranked = sorted(candidates, key=lambda clause: (-candidates[clause], clause))
        return Priced(tuple(ranked[: self.n_returned]), None)

    def _extended(self, parents: list[Clause], duals: Duals, clock: Clock) -> _Level:
        """Clauses with one literal more than ``parents``, which are all of one length."""
        f_of: dict[Clause, int] = {}
        extendable: list[Clause] = []
        for first in range(0, len(parents), PARENTS_PER_PRODUCT):
            if clock.stopped():
                break
            block = parents[first : first + PARENTS_PER_PRODUCT]
            f, may_grow, useful = self._scores(block, duals)
            for k, j in np.argwhere(useful).tolist():
                clause = tuple(sorted((*block[k], j)))
                if clause not in f_of and len(f_of) < self.n_generated:
                    f_of[clause] = int(f[k, j])
                    if may_grow[k, j]:
                        extendable.append(clause)
            if len(f_of) >= self.n_generated:
                break
        extendable.sort(key=lambda clause: -f_of[clause])
        return _Level(extendable, {clause: value for clause, value in f_of.items() if value > 0})

    def _scores(
        self, block: list[Clause], duals: Duals
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
        """For each clause of ``block`` with each literal: f, whether it may grow, and whether to generate it."""
        size = len(block[0]) + 1
        covered = np.array([self._truth[list(clause)].all(axis=0) for clause in block])
        mu, negatives = covered * duals.mu, covered * (UNIT * self.instance.negatives)
        new_mu, new_negatives = mu @ self._matrix, negatives @ self._matrix
        changes = (new_mu < mu.sum(axis=1)[:, None]) | (new_negatives < negatives.sum(axis=1)[:, None])
        f = new_mu - new_negatives - duals.price * (1 + size)
        may_grow = changes & (size < self.max_clause_size) & (new_mu > duals.price * (2 + size))
        # A literal that is true everywhere is useless beside others, and still a clause by itself.
        improving = (f > 0) & (changes | (size == 1))
        return f, may_grow, may_grow | improving
