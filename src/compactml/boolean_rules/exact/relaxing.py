"""Relaxations: Hamming losses of other weights, which bound a loss or a limit on predictions from below.

Let z_u say whether a clause is true of row u, and k_u how many are. With at most m clauses, z_u >= k_u / m, so m times
the 0-1 loss is at least the Hamming loss with m times the positives. And with a price theta for each row flagged above
``most``, which no allowed rule set pays,

    loss + theta (sum n z - most) >= sum of (p - a) (1 - z) + negatives + sum a - theta most,    a = min(p, theta n):

the Hamming loss with the positives p - a, and a constant (a part of the negatives' price is given away). Column
generation bounds each as it bounds every Hamming loss. Rule sets of exactly m clauses have clauses of at most
C - 2m + 1 literals, which makes the many parts of a large m affordable.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from compactml.boolean_rules.duals import Duals
from compactml.boolean_rules.exact.limits import Limits
from compactml.boolean_rules.instance import MOST_WEIGHT, Instance

__all__ = ["Case", "Proof", "Relaxation", "cases", "relaxations"]

PARTS = 8
"""Of a row's price: theta is a multiple of the mean weight over so many."""


@dataclass(frozen=True)
class Case:
    """Rule sets of at most so many clauses, each of at most so many literals."""

    most_clauses: int
    clause_size: int


def cases(complexity: int, clause_size: int, zero_one: bool) -> list[Case]:
    """Return cases that cover all rule sets: one for the Hamming loss, one a number of clauses for the 0-1 loss."""
    if not zero_one:
        return [Case(complexity // 2, clause_size)]
    return [Case(m, min(clause_size, complexity - 2 * m + 1)) for m in range(1, complexity // 2 + 1)]


@dataclass(frozen=True)
class Relaxation:
    """``scale * loss >= Hamming loss of instance + constant`` for every rule set that is allowed.

    Attributes
    ----------
    instance : Instance
    scale, times, constant : int
        ``times`` divides ``scale``: parts in which the negatives of the 0-1 loss are counted.
    """

    instance: Instance
    scale: int
    times: int
    constant: int

    def bound(self, hamming: int) -> int:
        """What a bound on the Hamming loss says of the loss."""
        return max(-(-(hamming + self.constant) // self.scale), 0)


def relaxations(instance: Instance, limits: Limits, case: Case, zero_one: bool) -> Iterator[Relaxation]:
    """Yield the relaxation without a price for flagged rows, then, where a limit can bind, those with one."""
    times = case.most_clauses if zero_one else 1
    positives, negatives = instance.positives, instance.negatives
    yield Relaxation(replace(instance, positives=times * positives), times, times, 0)
    total = int(limits.samples.sum())
    if limits.most >= total or not total:
        return
    mean = max(int((positives.sum() + negatives.sum()) // total), 1)
    if PARTS * times * int(positives.sum() + negatives.sum()) > MOST_WEIGHT // 4:
        return
    for theta in (PARTS, PARTS // 2, PARTS - 2):
        given = np.minimum(PARTS * positives, theta * mean * limits.samples)
        relaxed = replace(
            instance, positives=times * (PARTS * positives - given), negatives=PARTS * negatives
        )
        constant = times * (int(given.sum()) - theta * mean * limits.most)
        yield Relaxation(relaxed, times * PARTS, times, constant)


@dataclass(frozen=True)
class Proof:
    """Duals of a relaxation at which no clause of the case has f > 0."""

    relaxation: Relaxation
    duals: Duals

    def dearer(self, largest: int) -> Proof:
        """The same at a price at which a clause with this f, and every one with a smaller f, has none above 0."""
        if largest <= 0:
            return self
        return replace(self, duals=replace(self.duals, price=self.duals.price + -(-largest // 2)))
