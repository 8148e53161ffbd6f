"""Duals from inside the optimal face: feasible, optimal, and positive wherever any optimal dual is."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

from compactml.pace.weights.interior import inner_duals
from compactml.pace.weights.master import LinearMaster


def small_margins(seed: int) -> np.ndarray:
    """Few values, so that ties and equal rows abound; the first learner is right everywhere."""
    rng = np.random.default_rng(seed)
    margins = rng.integers(-2, 3, (rng.integers(2, 12), rng.integers(2, 6))) / 2
    margins[:, 0] = 0.5
    return margins


@pytest.mark.parametrize("costly", [False, True])
@pytest.mark.parametrize("seed", range(25))
def test_inner_duals_lie_inside_the_face_of_optimal_ones(seed: int, costly: bool) -> None:
    margins = small_margins(seed)
    m, k = margins.shape
    costs = np.random.default_rng(seed).integers(1, 9, k).astype(float) if costly else np.ones(k)
    with LinearMaster(margins, costs=costs) as master:
        value = master.solve().value
    duals = inner_duals(margins, value, costs)
    assert duals is not None
    assert duals.min() >= 0
    assert (duals @ margins <= costs + 1e-9).all()
    assert duals.sum() == pytest.approx(value, rel=1e-6)
    for row in range(m):  # the largest dual of this row among the optimal ones
        face = linprog(
            -np.eye(m)[row], A_ub=margins.T, b_ub=costs, A_eq=np.ones((1, m)), b_eq=[value], method="highs"
        )
        if face.status == 0 and -face.fun > 1e-3:
            assert duals[row] > 1e-5


def test_equal_rows_share_a_dual() -> None:
    """Oracle O3: the simplex method may give it all to one of them."""
    assert inner_duals([[0.5], [0.5]], 2.0) == pytest.approx([1.0, 1.0])


def test_a_wrong_value_is_not_answered() -> None:
    assert inner_duals([[0.5], [0.5]], 3.0) is None
