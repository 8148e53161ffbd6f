"""The compiled simplex method against scipy's, and its way back from an inverse that lost its digits."""

import numpy as np
import pytest
from scipy.optimize import linprog

from compactml.pace.weights._kernels.simplex import _invert, game


def stumps(seed, m=300, k=60):
    """Margins of weighted stumps on points with ten codes for each of seven features."""
    random = np.random.default_rng(seed)
    codes = random.integers(0, 10, (m, 7))
    left, right = random.uniform(-1, 1, (2, k))
    scores = np.where(codes[:, random.integers(0, 7, k)] <= random.integers(0, 9, k), left, right)
    return np.ascontiguousarray(scores * np.sign(scores.sum(axis=1))[:, None])


@pytest.mark.parametrize("seed", range(5))
def test_value_weights_and_multipliers_of_a_game(seed):
    A = stumps(seed)
    m, k = A.shape
    value, weights, multipliers = game(A, np.arange(k))
    expected = -linprog(
        np.append(np.zeros(k), -1.0),
        A_ub=np.column_stack([-A, np.ones(m)]),
        b_ub=np.zeros(m),
        A_eq=np.append(np.ones(k), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0, None)] * k + [(None, None)],
    ).fun
    assert value == pytest.approx(expected, abs=1e-8)
    assert (A @ weights).min() == pytest.approx(expected, abs=1e-8)
    assert (A.T @ multipliers).max() == pytest.approx(expected, abs=1e-8)


def test_inverse_and_solution_are_computed_anew():
    random = np.random.default_rng(0)
    B = random.random((8, 4)) + 1.0
    basis = np.array([9, 2, 11, 10])  # slacks 1, 3, 2 and row 2
    inverse, x = random.random((4, 4)), random.random(4)
    right = np.array([1.0, 1.1, 1.2, 1.3])
    _invert(B, basis, right, inverse, x)
    matrix = np.column_stack([np.eye(4)[1], B[2], np.eye(4)[3], np.eye(4)[2]])
    assert inverse @ matrix == pytest.approx(np.eye(4), abs=1e-12)
    assert matrix @ x == pytest.approx(right)
