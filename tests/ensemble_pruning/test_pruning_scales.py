"""Bounds of the program hold for weights of any size: every formulation and solver against all ensembles."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from compactml.ensemble_pruning import prune
from compactml.solvers import usable_solvers

by_each = pytest.mark.parametrize("solver", usable_solvers())
forms = pytest.mark.parametrize("formulation", ["plain", "strengthened"])


def case(seed, factor, orders):
    rng = np.random.default_rng(seed)
    votes, y = rng.integers(0, 2, (8, 4)), rng.integers(0, 2, 8)
    weights = factor * rng.random(4) * 10.0 ** rng.uniform(-orders, 0, 4)
    return votes, y, tuple(weights.tolist())


def optimum(votes, y, weights):
    """Best value of (1) over all sets and thresholds."""
    values = []
    for chosen in product((0, 1), repeat=votes.shape[1]):
        count = votes @ np.array(chosen)
        for threshold in range(votes.shape[1] + 1):
            called = count > threshold
            cells = (y & called, y & ~called, ~called & (y == 0), called & (y == 0))
            values.append(sum(np.count_nonzero(cell) * w for cell, w in zip(cells, weights, strict=True)))
    return max(values)


@by_each
@forms
@pytest.mark.parametrize("factor", [1e-12, 1e-9, 1e-7, 1e-3, 1.0, 1e6, 1e12])
@pytest.mark.parametrize("orders", [0, 6])
def test_value_and_bound_are_the_optimum(solver, formulation, factor, orders):
    votes, y, weights = case(int(orders), factor, orders)
    best = optimum(votes, y, weights)
    result = prune(votes, y, objective=weights, formulation=formulation, solver=solver)
    assert result.bound >= best * (1 - 1e-9)
    assert result.value == pytest.approx(best, rel=1e-5)
    assert result.bound == pytest.approx(best, rel=1e-5)
