"""The mixed-integer form: every usable solver, the optimum of (27), and near ties that it must not decide."""

import numpy as np
import pytest

from compactml.pace.model.ensemble import IntegerEnsemble
from compactml.pace.model.region import Region
from compactml.pace.separation.mixed_integer_program import MilpSeparation
from compactml.pace.separation.rows import conditions
from compactml.pace.separation.separator import Separator
from compactml.solvers import solve, usable_solvers
from tests.pace.small_separations import problem
from tests.pace.tiny_forests import three_stumps


@pytest.mark.parametrize("solver", usable_solvers())
@pytest.mark.parametrize("seed", [2, 3, 4])
def test_every_solver_agrees_with_enumeration(solver, seed):
    small = problem(seed, generated=1)
    found = Separator(small.grid, small.region, form="milp", solver=solver).separate(small.current)
    assert found.proved == small.truth()


@pytest.mark.parametrize("seed", range(6))
def test_the_optimum_is_the_largest_lead_in_the_region(seed):
    small = problem(seed)
    engine = MilpSeparation(small.grid, small.region)
    for label, other in small.truth():
        rows = [row.reduced() for row in conditions(small.region, small.current, (label, other))]
        result = solve(engine._program(rows), "highs")
        inside = small.cells[np.all([row.total(small.cells) >= row.least for row in rows[:-1]], axis=0)]
        if len(inside) == 0:
            assert result.x is None
            continue
        largest = max(int(value.max()) for value in rows[-1].values)
        assert result.objective == pytest.approx(rows[-1].total(inside).max() / max(largest, 1), abs=1e-6)


def test_a_margin_below_the_tolerance_is_not_called_proved():
    grid, initial = three_stumps()
    near_tie = IntegerEnsemble(initial.learners, np.array([10**8, 1, 10**8]), 2)
    found = Separator(grid, Region(initial, 1), form="milp", solver="highs").separate(near_tie)
    assert set(found.proved.values()) == {"unknown"}
    assert not found.certified
