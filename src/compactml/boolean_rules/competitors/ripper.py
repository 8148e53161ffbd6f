"""RIPPER: rules grown and pruned one after another, then optimised by description length."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from compactml.boolean_rules.competitors.base import Clause, RuleSetClassifier, covered, covers
from compactml.boolean_rules.competitors.description_length import data_bits, rule_bits
from compactml.errors import InvalidParameterError, check_integer

__all__ = ["RipperClassifier"]

GROWING_SHARE = 2 / 3
MAX_EXTRA_BITS = 64.0
MIN_COVERED = 2

Rows = NDArray[np.intp]


class RipperClassifier(RuleSetClassifier):
    """RIPPER_k of Cohen (1995) on 0/1 columns, for the rarer class (the positive one if both are as frequent).

    Parameters
    ----------
    n_optimizations : int, default=2
        k, the optimisation rounds.
    random_state : int, default=0
        Seed of the splits into growing and pruning rows.

    Notes
    -----
    Growing maximises FOIL's information gain, pruning (p - n) / (p + n); rules are added until the description length
    exceeds the least so far by more than 64 bits or a rule errs on more than half of its pruning rows. As in
    WEKA's JRip, which the paper ran: rules for the rarer class, its formula for the bits of the exceptions, at least
    two rows covered by a rule. Other than there, a condition is "column is 1" only: the binarizer gives a
    column for each negation.

    References
    ----------
    W. W. Cohen, Fast Effective Rule Induction, ICML 1995. J. R. Quinlan, MDL and categorical theories (continued),
    ICML 1995 (bits of the exceptions).
    """

    def __init__(self, n_optimizations: int = 2, random_state: int = 0) -> None:
        self.n_optimizations = n_optimizations
        self.random_state = random_state

    def _learn(self, X: NDArray[np.bool_], y: NDArray[np.bool_]) -> tuple[Clause, ...]:
        if not isinstance(self.n_optimizations, int) or self.n_optimizations < 0:
            raise InvalidParameterError("n_optimizations", "an integer of at least 0", self.n_optimizations)
        self.rule_class_ = int(y.mean() <= 0.5)
        target = y == bool(self.rule_class_)
        seed = check_integer("random_state", self.random_state, 0)
        ripper = _Ripper(X, target, np.random.default_rng(seed))
        rules = ripper.add_rules([])
        for _ in range(self.n_optimizations):
            rules = ripper.add_rules(ripper.optimized(rules))
        return tuple(ripper.without_costly(rules))


class _Ripper:
    """The steps of the algorithm on one training set; ``target`` marks the rows that rules should cover."""

    def __init__(self, X: NDArray[np.bool_], target: NDArray[np.bool_], rng: np.random.Generator) -> None:
        self.X, self.target, self.rng = X, target, rng
        self.counts = X.astype(
            np.float32
        )  # products of this matrix count covered rows of all columns at once

    def add_rules(self, rules: Sequence[Clause]) -> list[Clause]:
        """IREP*: grow and prune rules for what is not covered, until the description length forbids it."""
        rules = list(rules)
        free = ~covered(self.X, rules)
        least = self.bits(rules)
        while self.target[free].any():
            grow_rows, prune_rows = self.split(np.flatnonzero(free))
            rule = self.pruned(self.grow((), grow_rows), partial(_worth, self.target[prune_rows]), prune_rows)
            hits = prune_rows[covers(self.X[prune_rows], rule)]
            if not rule or (len(hits) and self.target[hits].mean() <= 0.5):
                break
            bits = self.bits([*rules, rule])
            if bits > least + MAX_EXTRA_BITS:
                break
            rules.append(rule)
            least = min(least, bits)
            free &= ~covers(self.X, rule)
        return self.without_costly(rules)

    def optimized(self, rules: Sequence[Clause]) -> list[Clause]:
        """Replace each rule by the best of itself, a new one, and an extension of it, in the order of learning."""
        rules = list(rules)
        for i in range(len(rules)):
            before, after = rules[:i], rules[i + 1 :]
            elsewhere = covered(self.X, before + after)
            free = np.flatnonzero(~covered(self.X, before))
            if not self.target[free].any():
                continue
            grow_rows, prune_rows = self.split(free)

            right = partial(_right, self.target[prune_rows], elsewhere[prune_rows])
            candidates = [rules[i]] + [
                self.pruned(self.grow(start, grow_rows), right, prune_rows) for start in ((), rules[i])
            ]
            costs = [self.bits([*before, rule, *after]) if rule else np.inf for rule in candidates]
            rules[i] = candidates[int(np.argmin(costs))]
        return rules

    def split(self, rows: Rows) -> tuple[Rows, Rows]:
        """Growing and pruning rows, a random two to one in each class."""
        parts = [self.rng.permutation(rows[self.target[rows] == kind]) for kind in (True, False)]
        cuts = [int(np.ceil(GROWING_SHARE * len(part))) for part in parts]
        grow = np.concatenate([part[:cut] for part, cut in zip(parts, cuts, strict=True)])
        prune = np.concatenate([part[cut:] for part, cut in zip(parts, cuts, strict=True)])
        return grow, prune

    def grow(self, start: Clause, rows: Rows) -> Clause:
        """Add the column of greatest FOIL gain until no row outside the target is covered or nothing is gained."""
        rule = list(start)
        rows = rows[covers(self.X[rows], rule)]
        while len(rows) and not self.target[rows].all():
            table, target = self.counts[rows], self.target[rows].astype(np.float32)
            p, t = target @ table, table.sum(axis=0)
            gain = p * (np.log2((p + 1) / (t + 1)) - np.log2((target.sum() + 1) / (len(rows) + 1)))
            gain[(t < MIN_COVERED) | (t == len(rows))] = 0.0
            best = int(np.argmax(gain))
            if gain[best] <= 0:
                break
            rule.append(best)
            rows = rows[self.X[rows, best]]
        return tuple(rule)

    def pruned(self, rule: Clause, worth: Callable[[NDArray[np.bool_]], float], rows: Rows) -> Clause:
        """The shortest of the best prefixes of the rule, ``worth`` of the pruning rows it covers being the measure."""
        hits, best, length = np.ones(len(rows), dtype=bool), -np.inf, 0
        for k, column in enumerate(rule, 1):
            hits = hits & self.X[rows, column]
            if (value := worth(hits)) > best:
                best, length = value, k
        return rule[:length]

    def without_costly(self, rules: Sequence[Clause]) -> list[Clause]:
        """Delete, the last first, rules without which the description is shorter."""
        kept = list(rules)
        for rule in reversed(rules):
            fewer = [other for other in kept if other is not rule]
            if self.bits(fewer) < self.bits(kept):
                kept = fewer
        return kept

    def bits(self, rules: Sequence[Clause]) -> float:
        """Total description length: the rules, then the rows that they get wrong."""
        n, d = self.X.shape
        hits = covered(self.X, rules)
        false_hits = int((hits & ~self.target).sum())
        misses = int((~hits & self.target).sum())
        exceptions = data_bits(n, int(hits.sum()), false_hits, misses, float(self.target.mean()))
        return sum(rule_bits(len(rule), d) for rule in rules) + exceptions


def _worth(target: NDArray[np.bool_], hits: NDArray[np.bool_]) -> float:
    """(p - n) / (p + n) of the covered pruning rows; the least value where none is covered."""
    p = int(target[hits].sum())
    total = int(hits.sum())
    return (2 * p - total) / total if total else -1.0


def _right(target: NDArray[np.bool_], elsewhere: NDArray[np.bool_], hits: NDArray[np.bool_]) -> float:
    """Pruning rows that the whole set of rules gets right, ``elsewhere`` being covered by the other rules."""
    return float(((hits | elsewhere) == target).sum())
