"""The relaxation: whatever iterate it is stopped at bounds F from below, and it goes far beyond the convex bound."""

import numpy as np
import pytest

from compactml.feature_selection.certified.relaxation import Relaxation
from compactml.feature_selection.multipliers import Multipliers
from compactml.feature_selection.parametric_form import ParametricForm
from tests.feature_selection.fractional_programs import KINDS, optimum, parts, random_program, supports

P = 8


def bound_of(form, own, x, size):
    """The linear bound of a point: - x'Kx and the smallest slopes."""
    k = own.convex_matrix(form)
    return -x @ k @ x + np.sort(2 * k @ x + own.y + form.linear)[:size].sum()


def best_bound(form, own, size):
    """The best linear bound of some multipliers: of the minimum of the convex problem, by conditional gradients.

    Exact line search on a convex quadratic; every point on the way gives a bound, the best one counts.
    """
    k = own.convex_matrix(form)
    x = np.full(len(form.linear), size / len(form.linear))
    best = -np.inf
    for _ in range(3000):
        slope = 2 * k @ x + own.y + form.linear
        best = max(best, bound_of(form, own, x, size))
        target = np.zeros(len(x))
        target[np.argsort(slope, kind="stable")[:size]] = 1.0
        step = target - x
        curvature = step @ k @ step
        if -(slope @ step) <= 1e-12:
            break
        x = x + step * (1.0 if curvature <= 0 else min(1.0, -(slope @ step) / (2 * curvature)))
    return best


def least_value(program, t, size):
    """The smallest F = t g - f over the sets of a size."""
    return min(t * g - f for f, g in (parts(program, s) for s in supports(program.n_features, size)))


def multipliers(form, dual):
    return Multipliers.made_valid(form, np.arange(len(form.linear)), dual.y, dual.n)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", range(1, P + 1))
def test_every_iterate_gives_a_bound(kind, size):
    program = random_program(kind, size, P)
    t = optimum(program) + 0.01
    form = ParametricForm.of(program, t)
    least = least_value(program, t, size)
    relaxation = Relaxation(form.matrix, form.linear, size)
    for n_iterations in (1, 1, 3, 10, 60):
        dual = relaxation.run(n_iterations)
        assert dual.x.shape == (P,)
        assert (dual.x >= 0).all()
        assert dual.x.sum() == pytest.approx(size)
        assert (dual.n >= 0).all()
        assert not np.diagonal(dual.n).any()
        own = multipliers(form, dual)
        for x in (dual.x, np.full(P, size / P)):
            assert bound_of(form, own, x, size) <= least + 1e-9


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_better_than_a_uniform_shift(kind):
    """The plain convex bound has y = -shift for all and N = 0. The relaxation's is nowhere worse, and mostly better."""
    better = 0
    for seed in range(3):
        program = random_program(kind, seed, P)
        t = optimum(program)
        form = ParametricForm.of(program, t)
        plain = Multipliers.made_valid(form, np.arange(P), np.zeros(P), np.zeros((P, P)))
        for size in (2, 4, 6, P - 1):
            dual = Relaxation(form.matrix, form.linear, size).run(400)
            own, simple = best_bound(form, multipliers(form, dual), size), best_bound(form, plain, size)
            assert simple - 1e-4 * form.scale <= own <= least_value(program, t, size) + 1e-9
            better += own > simple + 1e-3
    assert better >= 6


@pytest.mark.parametrize("size", [1, P])
@pytest.mark.parametrize("kind", KINDS)
def test_it_is_exact_where_x_has_to_be_a_set(kind, size):
    """One feature: X = Diag(x) by X >= 0 and its trace, so the relaxation is linear; all: X_jj = x_j = 1."""
    program = random_program(kind, 5, P)
    t = optimum(program)
    form = ParametricForm.of(program, t)
    dual = Relaxation(form.matrix, form.linear, size).run(3000)
    least = least_value(program, t, size)
    assert bound_of(form, multipliers(form, dual), dual.x, size) == pytest.approx(
        least, abs=1e-6 * (1 + abs(least))
    )


def test_a_set_that_is_alone_optimal_is_found_exactly():
    """F = sum of (x_j - s_j)^2 over sets of 3 features has its minimum 0 at s, and the relaxation is tight there."""
    s = np.array([1.0, 0, 0, 1, 0, 1, 0, 0])
    form = ParametricForm(0.0, np.eye(P), -2 * s)
    dual = Relaxation(form.matrix, form.linear, 3).run(500)
    assert dual.x == pytest.approx(s, abs=1e-6)
    assert bound_of(form, multipliers(form, dual), dual.x, 3) == pytest.approx(-3.0, abs=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_going_on_in_two_runs_is_the_same_as_in_one(kind):
    form = ParametricForm.of(random_program(kind, 6, P), 0.1)
    once, twice = (Relaxation(form.matrix, form.linear, 3) for _ in range(2))
    twice.run(12)
    for a, b in zip(once.run(30), twice.run(18), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("kind", KINDS)
def test_a_start_from_a_state_over_more_features(kind):
    """The iterate of the whole, restricted to a part of it: valid from the first iteration on, and near to the end."""
    program = random_program(kind, 7, 9)
    form = ParametricForm.of(program, optimum(program))
    whole = Relaxation(form.matrix, form.linear, 3)
    whole.run(200)
    state = whole.state
    before = [array.copy() for array in state[:3]]
    node = form.whole(3).decide(np.zeros(0, dtype=np.intp), np.array([2, 7]))
    rest = Relaxation(node.matrix, node.linear, node.left, state.restricted(node.free))
    part = ParametricForm(form.t, node.matrix, node.linear)
    least = min(
        t_g_f
        for support in supports(9, 3)
        if not {2, 7} & set(support)
        for f, g in [parts(program, support)]
        for t_g_f in [form.t * g - f]
    )
    for n_iterations in (1, 5, 300):
        dual = rest.run(n_iterations)
        assert bound_of(part, multipliers(part, dual), dual.x, 3) <= least + 1e-9
    for array, old in zip(state[:3], before, strict=True):
        np.testing.assert_array_equal(array, old)  # who starts from a state does not change it


def test_a_start_from_its_own_end_goes_on_there():
    form = ParametricForm.of(random_program("mrmr", 8, P), 0.2)
    first = Relaxation(form.matrix, form.linear, 4)
    reached = first.run(600)
    again = Relaxation(form.matrix, form.linear, 4, first.state).run(20)
    cold = Relaxation(form.matrix, form.linear, 4).run(20)
    assert np.abs(again.x - reached.x).max() < 1e-3 < np.abs(cold.x - reached.x).max()


@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_the_scale_of_f_does_not_matter(scale):
    form = ParametricForm.of(random_program("general", 9, P), 0.5)
    one = Relaxation(form.matrix, form.linear, 3).run(40)
    other = Relaxation(scale * form.matrix, scale * form.linear, 3).run(40)
    np.testing.assert_allclose(other.y, scale * one.y, rtol=1e-6, atol=1e-7 * scale)
    np.testing.assert_allclose(other.x, one.x, atol=1e-7)
