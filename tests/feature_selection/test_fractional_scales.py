"""Bounds that are called proved hold at any scale: every method on every solver against enumeration."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from compactml.feature_selection import FractionalProgram
from compactml.feature_selection.common_factors import CommonFactors
from compactml.feature_selection.result import Tolerance
from compactml.feature_selection.solving import METHODS, solve
from compactml.solvers import usable_solvers

SQUARE_ONLY = ("milp3", "value_disjunction")
GAP = 1e-4
SEEDS = range(2)
CASES = [
    (method, solver)
    for method in METHODS
    for solver in (("auto",) if method == "certified" else usable_solvers())
]
by_each = pytest.mark.parametrize(("method", "solver"), CASES)


def program_of(method, seed, numerator=1.0, denominator=1.0, orders=0):
    """Four features; f of either sign, g positive; ``orders`` mixes the sizes of the coefficients of both."""
    rng = np.random.default_rng(seed)
    p = 4

    def coefficients(values, factor):
        values = factor * values * 10.0 ** rng.uniform(-orders, 0, values.shape)
        return values if values.ndim == 1 else values + values.T

    a, b = coefficients(rng.normal(size=p), numerator), coefficients(rng.normal(size=(p, p)), numerator)
    if method in SQUARE_ONLY:
        return FractionalProgram(a, b, np.zeros(p), np.ones((p, p)))
    c, d = rng.random(p) + 0.1, rng.random((p, p))
    return FractionalProgram(a, b, coefficients(c, denominator), coefficients(d, denominator))


def optimum(program):
    masks = [np.flatnonzero(mask) for mask in product((0, 1), repeat=program.n_features) if any(mask)]
    return max(program.value(support) for support in masks)


def check(program, method, solver, absolute=0.0):
    """The bound is not below the optimum, and what is called proved is within the gap of it."""
    best = optimum(program)
    result = solve(program, method=method, solver=solver, gap_rel=GAP, gap_abs=absolute)
    assert result.bound >= best - 1e-7 * abs(best)
    assert result.value <= best + 1e-12 * abs(best)
    assert result.value == program.value(result.support)
    assert result.proved
    assert best - result.value <= max(absolute, GAP * abs(result.value)) + 1e-7 * abs(best)
    return result


@by_each
@pytest.mark.parametrize("factor", [1e-12, 1e-8, 1e-6, 1e-3, 1e6, 1e12])
def test_a_common_factor_of_the_numerator(method, solver, factor):
    for seed in SEEDS:
        check(program_of(method, seed, numerator=factor), method, solver)


@by_each
@pytest.mark.parametrize("factor", [1e-12, 1e-7, 1e7, 1e12])
def test_a_common_factor_of_both(method, solver, factor):
    for seed in SEEDS:
        check(program_of(method, seed, numerator=factor, denominator=factor), method, solver)
        check(program_of(method, seed, denominator=factor), method, solver)


@by_each
@pytest.mark.parametrize("factor", [1e-12, 1.0, 1e12])
def test_numerators_over_six_orders(method, solver, factor):
    for seed in SEEDS:
        program = program_of(method, seed, numerator=factor, orders=6)
        even = program_of(method, seed)
        check(FractionalProgram(program.a, program.b, even.c, even.d), method, solver)


@by_each
def test_the_absolute_gap_is_in_the_programs_units(method, solver):
    program = program_of(method, 0, numerator=1e-8)
    result = check(program, method, solver, absolute=0.05 * abs(optimum(program)))
    for iterate in result.history:  # the parameter is a ratio in the program's units
        assert abs(iterate.t) < 1e-6


def test_a_program_of_usual_size_is_left_alone():
    program = program_of("newton", 0)
    factors = CommonFactors.of(program)
    assert factors.program(program) is program
    assert factors.tolerance(Tolerance()) == Tolerance()


def test_factors_are_powers_of_two_and_come_off_exactly():
    program = program_of("newton", 0, numerator=2.0**-40, denominator=2.0**30)
    factors = CommonFactors.of(program)
    scaled = factors.program(program)
    assert 1 <= max(np.abs(scaled.a).max(), np.abs(scaled.b).max()) < 2
    assert 1 <= max(np.abs(scaled.c).max(), np.abs(scaled.d).max()) < 2
    exact = {"method": "newton", "gap_rel": 1e-6, "gap_abs": 0.0}
    ours, plain = solve(program, **exact), solve(scaled, **exact)
    back = factors.result(program, Tolerance(), replace(plain))
    assert (ours.value, ours.bound) == (back.value, back.bound)
