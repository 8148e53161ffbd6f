"""Bounds on the reduced costs hold for duals of any size, down to single units, and for sizes mixed within one."""

from __future__ import annotations

import numpy as np
import pytest

from compactml.boolean_rules.duals import UNIT, Duals
from compactml.boolean_rules.pricing.integer_program import IntegerPricing
from compactml.clock import Clock
from compactml.solvers import usable_solvers
from tests.boolean_rules.tiny_instances import largest_f, random_instance


@pytest.mark.parametrize("solver", usable_solvers())
@pytest.mark.parametrize("size", [1, 30, 1000, UNIT // 30, UNIT])
@pytest.mark.parametrize("mixed", [False, True])
def test_no_clause_is_above_the_bound(solver, size, mixed):
    """Duals of at most ``size`` units, or from one unit up to it."""
    for seed in range(4):
        rng = np.random.default_rng([seed, size])
        instance = random_instance(rng)
        rows = len(instance.positives)
        scale = size ** rng.random(rows) if mixed else np.full(rows, float(size))
        mu = np.minimum((rng.random(rows) * scale).astype(np.int64) + 1, instance.positives * UNIT)
        duals = Duals(mu * (instance.positives > 0), int(rng.integers(0, max(size // 4, 1) + 1)))
        best = largest_f(instance, duals, 3)
        priced = IntegerPricing(instance, 3, solver=solver)(duals, Clock(None))
        assert priced.at_most is not None
        assert priced.at_most >= best
        assert priced.at_most <= max(best, 0) + 3 + 1e-5 * abs(best) or best <= 0
        for clause in priced.clauses:
            assert 0 < duals.f(instance, clause) <= best
