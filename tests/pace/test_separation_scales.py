"""What the mixed-integer form of the separation calls proved holds for weights of any size."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from compactml.clock import Clock
from compactml.pace.separation.separator import Separator
from compactml.pace.weights.big_m import least_support, weight_bounds
from compactml.solvers import usable_solvers
from tests.pace.small_separations import problem

by_each = pytest.mark.parametrize("solver", usable_solvers())


@by_each
@pytest.mark.parametrize("factor", [1, 1000, 10**6])
@pytest.mark.parametrize("seed", [2, 3, 4])
def test_a_common_factor(solver, factor, seed):
    small = problem(seed, generated=1)
    current = replace(small.current, weights=small.current.weights * factor)
    found = Separator(small.grid, small.region, form="milp", solver=solver).separate(current)
    assert found.proved == small.truth()  # the factor changes no sign


@by_each
@pytest.mark.parametrize("seed", range(6))
def test_weights_over_six_orders(solver, seed):
    """Near ties may stay undecided; nothing that is decided is wrong."""
    small = problem(seed, generated=1)
    rng = np.random.default_rng(seed)
    weights = (10.0 ** rng.uniform(0, 6, len(small.current.weights))).astype(np.int64)
    small = replace(small, current=replace(small.current, weights=weights))
    found = Separator(small.grid, small.region, form="milp", solver=solver).separate(small.current)
    truth = small.truth()
    decided = {pair: proved for pair, proved in found.proved.items() if proved != "unknown"}
    assert decided == {pair: truth[pair] for pair in decided}


@by_each
@pytest.mark.parametrize("seed", range(3))
def test_least_supports_of_margins_over_six_orders(solver, seed):
    """The bound is not above the size of a support that reaches epsilon, whatever the sizes of the columns."""
    rng = np.random.default_rng(seed)
    margins = rng.uniform(-1, 1, (6, 5)) * 10.0 ** rng.uniform(-6, 0, 5)
    margins[:, 0] = np.abs(margins[:, 0]) + 1e-3  # one learner is enough
    largest = weight_bounds(margins, 1e-4, Clock(None))
    answer = least_support(margins, 1e-4, np.arange(5), 1, largest, solver=solver, clock=Clock(None))
    assert answer.bound == 1
    assert answer.support is None or len(answer.support) == 1
