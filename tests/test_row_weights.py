"""Rows that are repeated: a whole weight for what counts rows and so takes no ``sample_weight``."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from compactml.ensemble_pruning import prune
from compactml.feature_selection import measure

RNG = np.random.default_rng(3)
WEIGHTS = RNG.integers(1, 5, size=30)
X, Y = RNG.integers(3, size=(30, 5)), RNG.integers(2, size=30)
VOTES = RNG.integers(2, size=(30, 7))


def weighted_information(first: np.ndarray, second: np.ndarray) -> float:
    """I(X, Y) of the weighted frequencies, by definition."""
    joint = np.array([
        [WEIGHTS[(first == a) & (second == b)].sum() for b in range(3)] for a in range(3)
    ]) / WEIGHTS.sum()  # fmt: skip
    independent = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    seen = joint > 0
    return float((joint[seen] * np.log(joint[seen] / independent[seen])).sum())


def test_measures_of_repeated_rows_are_those_of_weighted_frequencies() -> None:
    measures = measure(np.repeat(X, WEIGHTS, axis=0), np.repeat(Y, WEIGHTS))
    for j in range(X.shape[1]):
        assert measures.relevance[j] == pytest.approx(weighted_information(X[:, j], Y), abs=1e-12)
        for k in range(j):
            assert measures.redundancy[j, k] == pytest.approx(
                weighted_information(X[:, j], X[:, k]), abs=1e-12
            )


def test_pruning_on_repeated_rows_finds_the_largest_weighted_accuracy() -> None:
    best = max(
        WEIGHTS[(VOTES[:, chosen].sum(axis=1) > threshold) == Y].sum()
        for size in range(1, 8)
        for chosen in map(list, combinations(range(7), size))
        for threshold in range(size)
    )
    found = prune(np.repeat(VOTES, WEIGHTS, axis=0), np.repeat(Y, WEIGHTS), time_limit=None)
    assert found.value == found.bound == best
    unweighted = prune(VOTES, Y, time_limit=None)
    assert set(unweighted.selected) != set(found.selected)
