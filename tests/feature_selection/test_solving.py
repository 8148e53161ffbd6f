"""The one door: every method against enumeration and each other, arguments, limits."""

import math

import numpy as np
import pytest

from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.feature_selection import FractionalProgram, verify
from compactml.feature_selection.allowed_sets import best_known
from compactml.feature_selection.solving import METHODS, solve
from compactml.solvers import usable_solvers
from compactml.watch import EndedEarlyWarning
from tests.feature_selection.fractional_programs import (
    KINDS,
    REDUNDANCY,
    RELEVANCE,
    SU_CLASS,
    SU_PAIRS,
    cfs,
    mrmr,
    optimum,
    random_program,
)

SQUARE_ONLY = ("milp3", "value_disjunction")
MILPS = ("milp1", "milp2", *SQUARE_ONLY)
CASES = [(m, kind) for m in METHODS for kind in KINDS if kind == "mrmr" or m not in SQUARE_ONLY]


@pytest.mark.parametrize(("method", "kind"), CASES)
@pytest.mark.parametrize("n_features", [None, 3])
def test_every_method_finds_the_optimum(method, kind, n_features):
    program = random_program(kind, 4, 5)
    best = optimum(program, n_features)
    result = solve(program, method=method, gap_rel=1e-5, gap_abs=1e-5, n_features=n_features)
    assert result.value == pytest.approx(best, rel=1e-5, abs=1e-5)
    assert result.bound >= best - 1e-7
    assert result.proved
    assert result.gap_abs <= max(1e-5 * abs(result.value), 1e-5)
    assert result.support.tolist() == sorted(set(result.support.tolist()))
    assert n_features in (None, result.support.size)


@pytest.mark.parametrize("kind", KINDS)
def test_only_the_certified_method_writes_certificates(kind):
    program = random_program(kind, 4, 5)
    for method in ("certified", "newton", "milp1"):
        result = solve(program, method=method)
        assert (result.certificate is not None) == (method == "certified")
    own = solve(program)  # the default
    assert verify(program, own.certificate) == own.bound
    assert own.choice is None


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_features", [None, 6])
def test_methods_agree_where_enumeration_ends(kind, n_features):
    """No value is above the bound of another method."""
    program = random_program(kind, 2, 22)
    results = [
        solve(program, method=method, n_features=n_features, gap_rel=1e-4, gap_abs=1e-4)
        for method in ("certified", "newton")
    ]
    assert all(result.proved for result in results)
    assert max(result.value for result in results) <= min(result.bound for result in results) + 1e-7


@pytest.mark.parametrize("method", [method for method in METHODS if method not in SQUARE_ONLY])
def test_a_denominator_that_is_not_positive_is_refused(method):
    """The pair has g = -4, each feature alone g = 1."""
    program = FractionalProgram([0, 0], [[-1, -1], [-1, -1]], [0, 0], [[1, -3], [-3, 1]])
    with pytest.raises(InvalidDataError, match="c and d"):
        solve(program, method=method, time_limit=5.0)


@pytest.mark.parametrize("method", ["certified", "newton"])
def test_a_denominator_may_be_negative_for_sizes_not_asked_for(method):
    program = FractionalProgram([1, 2], np.zeros((2, 2)), [0, 0], [[1, -3], [-3, 1]])
    result = solve(program, method=method, n_features=1, time_limit=5.0)
    assert (result.value, result.support.tolist(), result.proved) == (2.0, [1], True)


@pytest.mark.parametrize("solver", usable_solvers())
@pytest.mark.parametrize("method", [method for method in METHODS if method != "certified"])
def test_the_solver_that_is_asked_for_answers(method, solver):
    result = solve(mrmr(RELEVANCE, REDUNDANCY), method=method, solver=solver)
    assert result.choice.solver == solver
    assert result.value == pytest.approx(0.175)


@pytest.mark.parametrize("method", METHODS)
def test_without_time_the_best_known_set_is_returned_unproved(method):
    with pytest.warns(EndedEarlyWarning, match="time_limit=0 s"):
        result = solve(cfs(SU_CLASS, SU_PAIRS), method=method, time_limit=0)
    assert (result.support.tolist(), result.bound, result.proved) == ([0], math.inf, False)
    assert result.value == pytest.approx(0.25)


@pytest.mark.parametrize("method", MILPS)
def test_a_milp_stopped_by_the_clock_proves_nothing(method):
    program = random_program("mrmr", 0, 20 if method == "value_disjunction" else 60)
    with pytest.warns(EndedEarlyWarning, match=r"time_limit=0\.05 s"):
        result = solve(program, method=method, solver="highs", time_limit=0.05)
    assert not result.proved
    assert result.value == (program.value(result.support) if result.support.size else -math.inf)
    assert result.bound >= program.value(best_known(program))


@pytest.mark.parametrize("method", ["newton", "binary_search"])
def test_an_iteration_is_counted_for_each_parametric_problem(method):
    result = solve(mrmr(RELEVANCE, REDUNDANCY), method=method)
    assert result.iterations == len(result.history) > 1


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ({"method": "simplex"}, "method"),
        ({"solver": "abacus"}, "solver"),
        ({"gap_rel": -0.1}, "gap_rel"),
        ({"gap_rel": math.nan}, "gap_rel"),
        ({"gap_abs": math.inf}, "gap_abs"),
        ({"gap_abs": True}, "gap_abs"),
        ({"time_limit": -1}, "time_limit"),
        ({"time_limit": math.inf}, "time_limit"),
        ({"time_limit": "1"}, "time_limit"),
        ({"verbose": 1}, "verbose"),
        ({"callback": 3}, "callback"),
        ({"work_limit": -1}, "work_limit"),
        ({"work_limit": True}, "work_limit"),
        ({"n_features": 0}, "n_features"),
        ({"n_features": 4}, "n_features"),
        ({"n_features": 2.0}, "n_features"),
        ({"n_features": True}, "n_features"),
    ],
)
def test_arguments_outside_of_what_is_allowed(arguments, name):
    with pytest.raises(InvalidParameterError, match=f"^{name}: must be "):
        solve(mrmr(RELEVANCE, REDUNDANCY), **arguments)


LIMITED = [(method, kind) for method, kind in CASES if method != "certified"]


@pytest.mark.parametrize(("method", "kind"), LIMITED)
def test_a_run_that_work_ends_ends_at_the_same_place_and_its_bound_holds(method, kind):
    program, exact = random_program(kind, 2, 9), {"method": method, "gap_rel": 0, "gap_abs": 0}
    best = optimum(program)
    with pytest.warns(EndedEarlyWarning, match="work_limit=") as caught:
        first, again, nothing = (
            solve(program, solver="highs", work_limit=work, **exact) for work in (0.001, 0.001, 0.0)
        )
    assert not nothing.proved
    assert len(caught) == sum(not result.proved for result in (first, again, nothing))
    for result in (first, nothing):
        assert result.value - 1e-7 <= best <= result.bound + 1e-7
    assert (first.value, first.bound, first.proved) == (again.value, again.bound, again.proved)
    assert first.support.tolist() == again.support.tolist()


def test_numbers_of_numpy_are_numbers():
    program = mrmr(RELEVANCE, REDUNDANCY)
    result = solve(
        program, method="newton", n_features=np.int64(2), time_limit=np.float64(9), gap_abs=np.float32(0)
    )
    assert result.support.tolist() == [0, 1]


@pytest.mark.parametrize("method", SQUARE_ONLY)
def test_models_for_mrmr_refuse_cfs(method):
    with pytest.raises(InvalidDataError, match="program"):
        solve(cfs(SU_CLASS, SU_PAIRS), method=method)


def test_a_relative_gap_above_one_is_a_gap():
    result = solve(mrmr(RELEVANCE, REDUNDANCY), method="milp1", gap_rel=5.0)
    assert result.proved
    assert result.bound >= 0.175


def test_complex_coefficients_are_refused() -> None:
    """NumPy would drop their imaginary parts with a warning."""
    with pytest.raises(InvalidDataError, match=r"b: must be finite numbers of shape .*, got complex"):
        FractionalProgram([0, 0], np.full((2, 2), 1j), [1, 1], np.zeros((2, 2)))
