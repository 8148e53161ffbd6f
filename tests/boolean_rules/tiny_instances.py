"""Instances small enough for brute force, and the brute force, written on plain 0/1 rows."""

from itertools import combinations

import numpy as np

from compactml.boolean_rules.duals import UNIT, Duals
from compactml.boolean_rules.instance import Instance
from compactml.boolean_rules.literals import Literals

A, B, C = (0,), (1,), (2,)
AB, BC, AC = (0, 1), (1, 2), (0, 2)
Z_MIP = {1: 3, 2: 2, 3: 2, 4: 2, 5: 1, 6: 1, 7: 1, 8: 1, 9: 0, 10: 0}
"""The least Hamming loss of the instance of `three_features` at each complexity, worked out by hand."""


def from_rows(rows, y):
    """Every 0/1 column is a literal."""
    rows = np.asarray(rows)
    names = tuple(f"x{j}" for j in range(rows.shape[1]))
    return Instance.from_codes(rows, np.asarray(y, dtype=bool), Literals.binary(names))


def three_features():
    """Positives 110, 011, 101; negatives 100, 010, 001, 000."""
    rows = [[1, 1, 0], [0, 1, 1], [1, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]
    return from_rows(rows, [1, 1, 1, 0, 0, 0, 0])


def equal_duals(instance, mu=0.75, price=0.25):
    """The same mu for every positive sample; the defaults are optimal for `three_features` at 3 <= C <= 8."""
    return Duals.rounded(instance, mu * instance.positives, price)


def random_instance(rng, n_samples=10, n_features=4):
    """Equal rows and rows with both labels occur."""
    rows = rng.random((n_samples, n_features)) < 0.6
    return from_rows(rows.astype(int), rng.random(n_samples) < 0.5)


def random_duals(rng, instance):
    """Some mu are 0, some at their upper bound; now and then lambda is 0."""
    share = np.clip(rng.random(len(instance.codes)) * 1.6 - 0.3, 0, 1)
    return Duals.rounded(instance, share * instance.positives, rng.choice([0, 0.05, 0.3]))


def all_clauses(instance, max_size):
    d = len(instance.literals)
    return [c for size in range(1, min(max_size, d) + 1) for c in combinations(range(d), size)]


def f_by_hand(instance, duals, clause):
    """The negative of the reduced cost (5), row by row, in units of 1 / UNIT."""
    truth = instance.literals.evaluate(instance.codes)
    rows = [u for u in range(len(truth)) if all(truth[u, j] for j in clause)]
    gain = sum(int(duals.mu[u]) - UNIT * int(instance.negatives[u]) for u in rows)
    return gain - duals.price * (1 + len(clause))


def largest_f(instance, duals, max_size):
    return max((f_by_hand(instance, duals, c) for c in all_clauses(instance, max_size)), default=0)
