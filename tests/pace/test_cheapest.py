"""(P0) with costs, against all supports."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from compactml.clock import Clock
from compactml.errors import InvalidDataError
from compactml.pace.weights.cheapest import CheapestPruner
from compactml.pace.weights.games import best_weights


@pytest.mark.parametrize("seed", range(20))
def test_no_support_is_cheaper(seed: int) -> None:
    rng = np.random.default_rng(seed)
    m, k = int(rng.integers(3, 12)), int(rng.integers(3, 8))
    margins = rng.integers(-4, 5, (m, k)) / 4
    margins[:, 0] = 0.25
    costs = rng.integers(1, 10, k)
    pruner = CheapestPruner(costs)
    pruner.prune(margins)
    best = pruner.prove(Clock(None))
    cheapest = min(
        int(costs[list(chosen)].sum())
        for size in range(1, k + 1)
        for chosen in itertools.combinations(range(k), size)
        if best_weights(margins, np.array(chosen))[0] >= best.epsilon
    )
    assert best.cost == best.bound == cheapest
    assert best.cost == costs[best.support].sum()
    assert (margins @ best.weights).min() >= best.epsilon * (1 - 1e-6)


@pytest.mark.parametrize("costs", [[], [0, 1], [[1]]])
def test_costs_that_are_none_are_refused(costs: list[int]) -> None:
    with pytest.raises(InvalidDataError, match="costs"):
        CheapestPruner(costs)
