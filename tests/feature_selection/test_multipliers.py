"""Multipliers: K is convex on the plane whatever they come from, and the bounds they give hold for every set."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compactml.feature_selection import FractionalProgram, solve, verify
from compactml.feature_selection.certified.bounding import OutOfTime
from compactml.feature_selection.multipliers import Multipliers
from compactml.feature_selection.parametric_form import ParametricForm
from tests.feature_selection.fractional_programs import KINDS, optimum, random_program, supports

SCALES = (1e-30, 1e-12, 1.0, 1e12, 1e30)


def plane(n):
    """An orthonormal basis of the vectors of n entries that sum to 0, shape (n, n - 1)."""
    return np.linalg.svd(np.ones((1, n)))[2][1:].T


def least_eigenvalue(k):
    basis = plane(len(k))
    return np.linalg.eigvalsh(basis.T @ k @ basis)[0] if len(k) > 1 else 0.0


def random_form(rng, p, scale=1.0):
    matrix = rng.normal(size=(p, p)) * scale
    return ParametricForm(0.0, (matrix + matrix.T) / 2, rng.normal(size=p) * scale)


def value(form, support):
    """F of a set, by its definition."""
    x = np.isin(np.arange(len(form.linear)), support).astype(float)
    return x @ form.matrix @ x + form.linear @ x


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("n", [1, 2, 3, 4, 9])
def test_k_is_convex_on_the_plane(n, scale):
    rng = np.random.default_rng(n)
    for _ in range(10):
        form = random_form(rng, n, scale)
        y, pairs = rng.normal(size=n) * scale, rng.normal(size=(n, n)) * scale
        own = Multipliers.made_valid(form, np.arange(n), y, pairs)
        k = form.matrix - np.diag(own.y) - own.n
        assert least_eigenvalue(k) >= -1e-14 * np.abs(k).max()
        np.testing.assert_allclose(own.convex_matrix(form), k, rtol=1e-14, atol=0)
        assert (own.n >= 0).all()
        assert (own.n == own.n.T).all()
        assert not np.diagonal(own.n).any()
        assert (own.y <= y).all()
        assert np.ptp(own.y - y) <= 1e-14 * np.abs(own.y).max()  # one shift for all


def test_n_is_what_was_given_where_that_is_allowed():
    given_n = np.array([[5.0, 0.25, -1.0], [0.75, 0.0, 2.0], [-1.0, 2.0, -3.0]])
    form = random_form(np.random.default_rng(0), 3)
    own = Multipliers.made_valid(form, np.arange(3), np.zeros(3), given_n)
    assert own.n.tolist() == [[0.0, 0.5, 0.0], [0.5, 0.0, 2.0], [0.0, 2.0, 0.0]]
    assert own.n.dtype == np.float32


@pytest.mark.parametrize("n", [2, 3, 8, 30])
def test_the_shift_is_what_k_lacks(n):
    form = random_form(np.random.default_rng(n), n)
    own = Multipliers.made_valid(form, np.arange(n), np.zeros(n), np.zeros((n, n)))
    lacks = max(0.0, -least_eigenvalue(form.matrix))
    assert -own.y == pytest.approx(np.full(n, lacks), abs=1e-11)


def test_y_stays_where_k_is_convex():
    form = ParametricForm(0.0, np.eye(5), np.zeros(5))
    own = Multipliers.made_valid(form, np.arange(5), np.full(5, 0.5), np.zeros((5, 5)))
    assert own.y.tolist() == [0.5] * 5


def test_a_part_of_the_features():
    form = random_form(np.random.default_rng(3), 9)
    base = np.array([1, 4, 5, 8])
    own = Multipliers.made_valid(form, base, np.zeros(4), np.ones((4, 4)))
    k = form.matrix[np.ix_(base, base)] - np.diag(own.y) - own.n
    assert (own.convex_matrix(form) == k).all()
    assert least_eigenvalue(k) >= -1e-12


@settings(max_examples=25, deadline=None)
@given(kind=st.sampled_from(KINDS), seed=st.integers(0, 10**6), p=st.integers(1, 8), t=st.floats(-2, 2))
def test_the_linear_bound_is_below_every_set(kind, seed, p, t):
    """- x'Kx + G'x' <= F(x') for any point x with as much mass as x' has features (the docstring's inequality)."""
    rng = np.random.default_rng(seed)
    form = ParametricForm.of(random_program(kind, seed, p), t)
    own = Multipliers.made_valid(form, np.arange(p), rng.normal(size=p), rng.normal(size=(p, p)))
    k = own.convex_matrix(form)
    for support in supports(p):
        x = rng.random(p)
        x *= len(support) / x.sum()
        slope = 2 * k @ x + own.y + form.linear
        bound = -x @ k @ x + slope[support].sum()
        assert bound <= value(form, support) + 1e-12 * (1 + np.abs(k).max()) * p**2


@pytest.mark.parametrize("kind", KINDS)
def test_f_is_negative_exactly_where_the_ratio_exceeds_t(kind):
    program = random_program(kind, 2, 6)
    for t in (-0.5, 0.0, 0.3):
        form = ParametricForm.of(program, t)
        for support in supports(6):
            assert (value(form, support) < 0) == (program.value(support) > t)


@pytest.mark.parametrize("kind", KINDS)
def test_a_slice_keeps_the_value_of_its_sets(kind):
    form = ParametricForm.of(random_program(kind, 4, 7), 0.1)
    node = form.whole(4).decide(np.array([5]), np.array([0])).decide(np.array([2]), np.array([6]))
    assert (node.free.tolist(), node.inside.tolist(), node.left) == ([1, 3, 4], [2, 5], 2)
    for pair in ([0, 1], [0, 2], [1, 2]):
        own = node.constant + node.linear[pair].sum() + node.matrix[np.ix_(pair, pair)].sum()
        assert own == pytest.approx(value(form, [*node.free[pair], 2, 5]))


def test_the_clock_is_asked_before_a_factorisation():
    def stop():
        raise OutOfTime

    form = ParametricForm(0.0, np.eye(5), np.zeros(5))
    with pytest.raises(OutOfTime):
        Multipliers.made_valid(form, np.arange(5), np.zeros(5), np.zeros((5, 5)), stop)


@pytest.mark.parametrize("seed", [596, 970, 999, *range(20)])
def test_the_verifier_accepts_what_large_coefficients_that_cancel_give(seed):
    """Two features: K on the plane is one number, the difference of numbers that are up to a million times as large."""
    rng = np.random.default_rng(seed)
    scale = 10.0 ** rng.integers(0, 7)
    b, d = scale * rng.normal(size=(2, 2)), rng.random((2, 2)) + 0.1
    a, c = scale * rng.normal(size=2) * rng.integers(0, 2), rng.random(2) * rng.integers(0, 2)
    program = FractionalProgram(a, b, c, d)
    gap_rel, gap_abs = float(rng.choice([0.01, 1e-6, 0])), float(rng.choice([0.001, 1e-9, 0]))
    result = solve(program, gap_rel=gap_rel, gap_abs=gap_abs)
    assert verify(program, result.certificate) == result.certificate.t >= optimum(program)
