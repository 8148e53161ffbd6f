"""Ensembles small enough to try every subset and threshold, and the worked examples O3-O5 of the specification."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np


@dataclass(frozen=True)
class Oracle:
    """Votes, the failure credits as printed, and gamma."""

    votes: np.ndarray
    y: np.ndarray
    credit: dict[tuple[int, int], Fraction]
    tau: Fraction
    gamma: Fraction


def bits(rows):
    return np.array([[int(bit) for bit in row] for row in rows.split(", ")])


def oracle(b, a, credit="", tau="0", gamma="0"):
    beta, alpha = bits(b), bits(a)
    y = np.repeat([1, 0], [len(beta), len(alpha)])
    pairs = [entry.split() for entry in credit.split(", ")] if credit else []
    known = {(int(pair[1]) - 1, int(pair[2]) - 1): Fraction(value) for pair, value in pairs}
    return Oracle(np.vstack([beta, alpha]), y, known, Fraction(tau), Fraction(gamma))


O3 = oracle(
    "11100, 11100, 11111, 10011",
    "10110, 10011, 10101, 01010, 01101, 11000",
    "(12) 3/4, (13) 1/2, (14) 5/9, (15) 5/9, (23) 1/2, (24) 7/9, (25) 7/9, (34) 7/9, (35) 5/9, (45) 2/5",
    "103/180",
    "2137/3600",
)
O4 = oracle(
    "11001, 11101, 10101, 11111",
    "11010, 10100, 10001, 00100, 00101, 01001",
    "(12) 2/3, (13) 5/7, (14) 5/7, (15) 2/3, (23) 1, (24) 3/7, (25) 2/3, (34) 3/4, (35) 5/7, (45) 1",
    "29/42",
    "239/336",
)
O5 = oracle("01010, 00010, 00110, 01000", "00010, 01011, 11101, 00010, 10101, 00101")


def random_votes(seed, n=14, k=5):
    """Votes that are right a little more often than not, with some equal rows."""
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.5
    votes = np.where(rng.random((n, k)) < 0.62, y[:, None], ~y[:, None])
    votes[n // 2] = votes[0]
    return votes.astype(int), y.astype(int)


def ensembles(k, min_size=0, max_size=None):
    """Every subset with every threshold 0..K."""
    for size in range(min_size, (k if max_size is None else max_size) + 1):
        for selected in combinations(range(k), size):
            for threshold in range(k + 1):
                yield np.array(selected, dtype=np.intp), threshold


def weighted_sum(votes, y, weights, selected, threshold):
    """(1), point by point."""
    total = Fraction(0)
    for row, label in zip(votes, y, strict=True):
        positive = sum(row[k] for k in selected) > threshold
        if label:
            total += weights[0] if positive else weights[1]
        else:
            total += weights[3] if positive else weights[2]
    return total


def four_weights(objective, y):
    """(W_T+, W_F-, W_T-, W_F+) of a named objective, from its definition."""
    if not isinstance(objective, str):
        return tuple(map(Fraction, objective))
    theta = Fraction(int(np.sum(y)), len(y))
    return {
        "accuracy": (1, 0, 1, 0),
        "recall": (1, 0, 0, 0),
        "balanced_accuracy": (1 - theta, 0, theta, 0),
    }[objective]


def failure_credits(votes, y):
    """FC of all pairs, exactly."""
    right = np.asarray(votes) == np.asarray(y)[:, None]
    k = right.shape[1]
    credit = {}
    for a, b in combinations(range(k), 2):
        failures = int((~right[:, a]).sum() + (~right[:, b]).sum())
        credit[a, b] = (
            Fraction(int((right[:, a] != right[:, b]).sum()), failures) if failures else Fraction(0)
        )
    return credit


def is_diverse(selected, credit, tau, gamma):
    """(18) and (20), exactly."""
    if len(selected) < 2:
        return True
    pfc = [
        sum(credit[min(a, b), max(a, b)] for b in selected if b != a) / (len(selected) - 1) for a in selected
    ]
    return min(pfc) >= tau and sum(pfc) / len(pfc) >= gamma


def optimum(votes, y, objective, *, tau=0, gamma=0, min_size=0, max_size=None):
    """Best value of (1) and all ensembles that have it, by enumeration."""
    weights, credit = four_weights(objective, y), failure_credits(votes, y)
    values = {
        (tuple(map(int, selected)), threshold): weighted_sum(votes, y, weights, selected, threshold)
        for selected, threshold in ensembles(np.shape(votes)[1], min_size, max_size)
        if is_diverse(tuple(map(int, selected)), credit, tau, gamma)
    }
    best = max(values.values())
    return best, {ensemble for ensemble, value in values.items() if value == best}
