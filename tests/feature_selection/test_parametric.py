"""Algorithms 1 and 2: the iterates of the worked examples, enumeration, honest bounds, limits."""

import math
from dataclasses import replace

import numpy as np
import pytest

from compactml.errors import InvalidParameterError
from compactml.feature_selection import FractionalProgram, Tolerance, parametric
from compactml.feature_selection.parametric import binary_search, newton, parametric_problem, start_interval
from compactml.solvers import solve, usable_solvers
from tests.feature_selection.fractional_programs import (
    KINDS,
    REDUNDANCY,
    RELEVANCE,
    SU_CLASS,
    SU_PAIRS,
    cfs,
    mrmr,
    optimum,
    parts,
    random_program,
    supports,
)

TIGHT = Tolerance(1e-6, 1e-6)
PAPER = Tolerance()
ALGORITHMS = pytest.mark.parametrize("algorithm", [newton, binary_search])
SOLVERS = pytest.mark.parametrize("solver", usable_solvers())


@SOLVERS
def test_newton_on_the_mrmr_example(solver):
    result = newton(mrmr(RELEVANCE, REDUNDANCY), TIGHT, solver=solver)
    assert [step.t for step in result.history] == pytest.approx([0.138889, 0.175], abs=1e-6)
    assert [step.value for step in result.history] == pytest.approx([0.144444, 0.0], abs=1e-6)
    assert (result.support.tolist(), result.iterations, result.proved) == ([0, 1], 2, True)
    assert result.value == pytest.approx(0.175)
    # (19): v / g with g = |S|^2 = 4, also relative to t.
    assert result.history[0].gap_abs == pytest.approx(0.144444 / 4, abs=1e-6)
    assert result.history[0].gap_rel == pytest.approx(0.144444 / 4 / 0.138889, abs=1e-5)


V_OF_T = {
    0.0: 1.25,
    0.5: -0.6,
    0.25: -0.3,
    0.125: 0.2,
    0.1875: -0.05,
    0.15625: 0.075,
    0.171875: 0.0125,
    0.1796875: -0.01875,
}
"""v(t) of the mRMR example at the midpoints from [-1, 1] on."""


@SOLVERS
@pytest.mark.parametrize(("t", "v"), V_OF_T.items())
def test_parametric_problems_of_the_mrmr_example(solver, t, v):
    result = solve(parametric_problem(mrmr(RELEVANCE, REDUNDANCY), t), solver)
    assert result.objective == pytest.approx(v, abs=1e-9)
    assert result.bound == pytest.approx(v, abs=1e-7)


@SOLVERS
def test_binary_search_on_the_mrmr_example(solver):
    program = mrmr(RELEVANCE, REDUNDANCY)
    result = binary_search(program, Tolerance(0.0, 1 / 128), lower=-1.0, upper=1.0, solver=solver)
    assert [step.t for step in result.history] == list(V_OF_T)
    for step in result.history:  # a positive value is enough, a negative one must be the maximum
        assert (step.value > 0) == (V_OF_T[step.t] > 0)
        assert step.value <= V_OF_T[step.t] + 1e-9
        assert step.value > 0 or step.bound == pytest.approx(V_OF_T[step.t], abs=1e-7)
    assert [step.gap_abs for step in result.history] == [2.0**-k for k in range(8)]  # (18)
    assert result.history[-1].gap_rel == pytest.approx(2.0**-7 / 0.171875)
    assert (result.support.tolist(), result.proved) == ([0, 1], True)
    assert result.bound == pytest.approx(0.1796875)


def test_a_set_that_is_known_tells_the_sign():
    result = binary_search(mrmr(RELEVANCE, REDUNDANCY), Tolerance(0.0, 0.5), lower=-1.0, upper=1.0)
    first = result.history[0]
    assert (first.t, first.bound) == (0.0, math.inf)  # not solved: all features have 0.1389 > 0
    assert first.value == pytest.approx(0.138889 * 9, abs=1e-5)


@ALGORITHMS
@SOLVERS
def test_the_cfs_example(algorithm, solver):
    result = algorithm(cfs(SU_CLASS, SU_PAIRS), TIGHT, solver=solver)
    assert result.value == pytest.approx(0.253125)
    assert (result.support.tolist(), result.proved) == ([0, 1], True)
    if algorithm is newton:
        assert result.history[0].t == pytest.approx(0.192308, abs=1e-6)


@ALGORITHMS
@SOLVERS
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("p", [5, 6, 7])
def test_against_enumeration(algorithm, solver, kind, p):
    program = random_program(kind, 10 * p, p)
    best = optimum(program)
    result = algorithm(program, TIGHT, solver=solver)
    assert result.value == pytest.approx(best, abs=TIGHT.allows(best))
    assert best - 1e-9 <= result.bound <= result.value + TIGHT.allows(result.value)
    assert result.proved
    assert result.value == program.value(result.support)


@ALGORITHMS
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(8))
def test_the_paper_s_tolerance_is_proved(algorithm, kind, seed):
    program = random_program(kind, seed, 6)
    best = optimum(program)
    result = algorithm(program, PAPER)
    assert result.proved
    assert result.value <= best + 1e-12 <= result.bound + 1e-9
    assert result.bound - result.value <= PAPER.allows(result.value)
    for step in result.history:
        v = max(f - step.t * g for f, g in (parts(program, support) for support in supports(6)))
        assert step.bound >= v - 1e-8
        assert step.value == pytest.approx(v, abs=1e-8) or 0 < step.value < v  # enough to go on


@ALGORITHMS
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_features", [1, 2, 4, 5])
def test_sets_of_a_given_size(algorithm, kind, n_features):
    program = random_program(kind, 1, 5)
    result = algorithm(program, TIGHT, n_features=n_features)
    best = optimum(program, n_features)
    assert result.support.size == n_features
    assert result.value == pytest.approx(best, abs=TIGHT.allows(best))
    assert result.bound >= best - 1e-9
    assert result.proved


@ALGORITHMS
def test_an_optimum_below_zero(algorithm):
    program = mrmr(RELEVANCE - 1.0, REDUNDANCY)
    result = algorithm(program, TIGHT)
    assert result.value == pytest.approx(optimum(program))
    assert result.value < 0
    assert result.proved


@ALGORITHMS
def test_one_feature(algorithm):
    program = FractionalProgram([0.5], [[-1.0]], [1.0], [[1.0]])
    result = algorithm(program, TIGHT)
    assert (result.value, result.support.tolist(), result.proved) == (-0.25, [0], True)


@ALGORITHMS
def test_no_time_leaves_the_first_set_without_a_proof(algorithm):
    program = random_program("cfs", 0, 6)
    result = algorithm(program, PAPER, time_limit=0.0)
    assert result.support.tolist() == list(range(6))
    assert (result.proved, result.history) == (False, ())
    assert result.bound >= optimum(program)


def edge_program(seed):
    """A general program of up to four features whose coefficients are mostly 0 and 1, or far apart, or all negative."""
    rng = np.random.default_rng(seed)
    p, scale = int(rng.integers(1, 5)), 10.0 ** rng.integers(-6, 7)
    signs = [[0.0, 1.0], [-1.0, 0.0], [-1.0, 0.0, 1.0]][seed % 3]
    a, b = scale * rng.choice(signs, p), scale * rng.choice(signs, (p, p))
    d = rng.choice([0.0, 1.0], (p, p))
    if seed % 2:  # some d_jk below 0, so few that g stays positive
        d = d - 0.2 * (1 - np.eye(p)) * rng.random((p, p))
    return FractionalProgram(a, b, np.ones(p), d)


@pytest.mark.parametrize("early_stop", [True, False])
@pytest.mark.parametrize("seed", range(60))
def test_a_search_that_is_finished_has_a_proof(seed, early_stop):
    program = edge_program(seed)
    best = optimum(program)
    result = binary_search(program, PAPER, early_stop=early_stop)
    assert result.proved
    assert result.value == pytest.approx(best, abs=PAPER.allows(best))
    assert best - 1e-9 * abs(best) <= result.bound < math.inf
    assert result.value == program.value(result.support)


@pytest.mark.parametrize("gap", [0.0, 1e-3])
def test_an_optimum_at_the_proved_bound_is_proved_at_once(gap):
    nothing = FractionalProgram([0.0, 0.0], np.zeros((2, 2)), [1.0, 1.0], np.zeros((2, 2)))
    for program, best in ((nothing, 0.0), (FractionalProgram([1.0], [[0.0]], [1.0], [[0.0]]), 1.0)):
        result = binary_search(program, Tolerance(gap, gap))
        assert (result.value, result.bound, result.proved, result.iterations) == (best, best, True, 0)


@pytest.mark.parametrize("relevance", [2.99, 3.0, 3.005, 4.0, 40.0])
def test_the_search_goes_on_where_three_is_no_bound(relevance):
    """Features that say so much about the class that the paper's 3 does not exceed the optimum."""
    redundancy = np.full((4, 4), 0.001) + np.diag([0.5, 0.01, 0.02, 0.01])
    program = mrmr(relevance - np.array([1.0, 0.0, 0.01, 0.0]), redundancy)
    best = optimum(program)
    for tolerance in (PAPER, TIGHT):
        result = binary_search(program, tolerance)
        assert result.proved
        assert result.value <= best + 1e-12
        assert best - 1e-9 <= result.bound <= result.value + tolerance.allows(result.value)


@ALGORITHMS
@pytest.mark.parametrize("kind", KINDS)
def test_without_the_early_stop_every_problem_is_solved_to_the_end(algorithm, kind):
    program = random_program(kind, 5, 6)
    result = algorithm(program, TIGHT, early_stop=False)
    best = optimum(program)
    assert result.proved
    assert result.value == pytest.approx(best, abs=TIGHT.allows(best))
    for step in result.history:
        v = max(f - step.t * g for f, g in (parts(program, support) for support in supports(6)))
        assert (step.value, step.bound) == pytest.approx((v, v), abs=1e-7)


@ALGORITHMS
def test_the_problem_that_the_clock_stops_is_the_last(algorithm, monkeypatch):
    """The third problem has a thousandth of a second; a clock for all of them could run out between two."""
    program, limits = random_program("mrmr", 3, 60), iter([None, None, 1e-3])

    def solve_within(problem, solver, options):
        return solve(problem, solver, replace(options, time_limit=next(limits)))

    monkeypatch.setattr(parametric, "solve", solve_within)
    result = algorithm(program, Tolerance(0.0, 0.0), solver="highs")
    assert len(result.history) == 3
    assert not result.proved
    assert result.bound > result.value >= program.value(range(60))
    *decided, stopped = result.history
    assert all(step.value > 0 or step.bound <= 1e-8 for step in decided)
    assert stopped.bound > 1e-3


@pytest.mark.parametrize(("lower", "upper"), [(-1.0, 0.17), (-1.0, 0.1), (0.2, 1.0)])
def test_an_interval_beside_the_optimum_gives_no_wrong_bound(lower, upper):
    result = binary_search(mrmr(RELEVANCE, REDUNDANCY), PAPER, lower=lower, upper=upper)
    assert result.value - 1e-12 <= 0.175 <= result.bound < np.inf
    assert result.proved or lower > 0.175


def test_intervals_at_the_start():
    program = mrmr(RELEVANCE, REDUNDANCY)
    assert start_interval(program) == pytest.approx((0.138889 - 0.01, 3.0), abs=1e-6)
    for seed in range(5):
        general = random_program("general", seed, 6)
        lower, upper = start_interval(general)
        assert lower < optimum(general) <= upper


@pytest.mark.parametrize(("lower", "upper"), [(1.0, 1.0), (2.0, 1.0), (-np.inf, 1.0), (0.0, np.nan)])
def test_an_impossible_interval_is_refused(lower, upper):
    with pytest.raises(InvalidParameterError, match="lower and upper"):
        binary_search(mrmr(RELEVANCE, REDUNDANCY), PAPER, lower=lower, upper=upper)
