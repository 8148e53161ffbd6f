"""Pruning as a whole: enumeration, bounds that hold at every time limit, infeasible limits, bad input."""

import pickle
import warnings
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compactml.clock import Clock
from compactml.ensemble_pruning import steps as module
from compactml.ensemble_pruning._failure_credit import Diversity
from compactml.ensemble_pruning.bounds.isotonic import conflicts_of
from compactml.ensemble_pruning.errors import DiversityInfeasibleError, DiversityUndecidedError
from compactml.ensemble_pruning.instance import PruningInstance
from compactml.ensemble_pruning.program.feasible_sets import feasible_set
from compactml.ensemble_pruning.program.formulation import FORMULATIONS, Formulation
from compactml.ensemble_pruning.program.pruning_program import PruningProgram
from compactml.ensemble_pruning.pruning import prune
from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.solvers import Level, VerificationError, licence, usable_solvers
from compactml.watch import EndedEarlyWarning, recorded
from tests.ensemble_pruning.tiny_ensembles import (
    O3,
    O4,
    O5,
    failure_credits,
    four_weights,
    is_diverse,
    optimum,
    random_votes,
    weighted_sum,
)

SOLVERS = pytest.mark.parametrize("solver", usable_solvers())
BOTH = pytest.mark.parametrize("formulation", FORMULATIONS)
OBJECTIVES = ("accuracy", "balanced_accuracy", "recall", (3, -1, 2, 1), (-2, 1, 1, 4), (0.3, 0.5, -0.7, -3))
PROGRAM_ONLY = Formulation(cuts="none", search=False, branch=False)
WITHOUT_TREE = Formulation(branch=False)
LIMITS = (
    {},
    {"mean_pfc": 0.55},
    {"min_pfc": 0.5, "mean_pfc": 0.52},
    {"min_size": 2, "max_size": 3, "mean_pfc": 0.5},
    {"max_size": 1},
    {"min_size": 4},
)


def check_value(result, votes, y, objective):
    """The value is that of the ensemble, recounted, and the bound is on its side."""
    exact = weighted_sum(votes, y, four_weights(objective, y), result.selected, result.threshold)
    assert result.value == pytest.approx(float(exact), abs=1e-9)
    assert result.bound >= result.value
    assert result.selected.tolist() == sorted(set(result.selected.tolist()))


def check_optimum(result, votes, y, objective, limits):
    tau, gamma = limits.get("min_pfc", 0), limits.get("mean_pfc", 0)
    sizes = limits.get("min_size", 0), limits.get("max_size")
    best, _ = optimum(votes, y, objective, tau=tau, gamma=gamma, min_size=sizes[0], max_size=sizes[1])
    check_value(result, votes, y, objective)
    assert result.proved
    assert result.value == pytest.approx(float(best), abs=1e-9)
    assert is_diverse(tuple(map(int, result.selected)), failure_credits(votes, y), tau, gamma)
    assert sizes[0] <= len(result.selected) <= (sizes[1] or votes.shape[1])


@SOLVERS
@pytest.mark.parametrize("formulation", [*FORMULATIONS, PROGRAM_ONLY, WITHOUT_TREE], ids=str)
@pytest.mark.parametrize(("seed", "limits"), enumerate(LIMITS), ids=str)
def test_against_enumeration(solver, formulation, seed, limits):
    votes, y = random_votes(seed, 14, 6)
    for objective in (OBJECTIVES[seed], OBJECTIVES[(seed + 1) % 6]):
        result = prune(votes, y, objective=objective, formulation=formulation, solver=solver, **limits)
        check_optimum(result, votes, y, objective, limits)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    k=st.integers(2, 6),
    weights=st.tuples(*[st.integers(-5, 5)] * 4),
    limits=st.sampled_from(LIMITS[:3]),
)
def test_random_weights(seed, k, weights, limits):
    votes, y = random_votes(seed, 10, k)
    result = prune(votes, y, objective=weights, solver="highs", **limits)
    check_optimum(result, votes, y, weights, limits)


@BOTH
@pytest.mark.parametrize(
    ("example", "limits", "best"),
    [
        (O3, (0, 0), 9),
        (O3, (0, O3.gamma), 8),
        (O3, (O3.tau, O3.gamma), 8),
        (O4, (0, 0), 10),
        (O4, (0, O4.gamma), 10),
        (O4, (O4.tau, O4.gamma), 9),
        (O5, (0, 0), 7),
    ],
)
def test_o3_o4_o5(formulation, example, limits, best):
    tau, gamma = map(float, limits)
    result = prune(example.votes, example.y, min_pfc=tau, mean_pfc=gamma, formulation=formulation)
    assert (result.value, result.bound) == (best, best)


def test_o5_theorem_1():
    """BA = N / (2 N_0 N_1) times the theta-weighted value."""
    result = prune(O5.votes, O5.y, objective="balanced_accuracy")
    assert result.value == pytest.approx(3.2)
    called = O5.votes[:, result.selected].sum(axis=1) > result.threshold
    balanced = ((called & (O5.y == 1)).sum() / 4 + (~called & (O5.y == 0)).sum() / 6) / 2
    assert balanced == pytest.approx(10 / (2 * 4 * 6) * result.value) == pytest.approx(2 / 3)


@BOTH
@pytest.mark.parametrize("time_limit", [0, 0.001, 0.2])
def test_value_and_bound_hold_at_any_time_limit(formulation, time_limit):
    votes, y = random_votes(5, 150, 20)
    limits = {"min_pfc": 0.3, "mean_pfc": 0.5, "min_size": 3, "max_size": 12}
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        result = prune(votes, y, formulation=formulation, time_limit=time_limit, solver="highs", **limits)
    assert [one.category for one in said] == [] if result.proved else [EndedEarlyWarning]
    check_value(result, votes, y, "accuracy")
    assert 3 <= len(result.selected) <= 12
    assert is_diverse(tuple(map(int, result.selected)), failure_credits(votes, y), 0.3, 0.5)
    assert result.value <= result.bound <= len(y)


def test_a_program_that_proves_nothing_says_so_and_the_answer_keeps_a_bound(monkeypatch):
    """Equal votes allow 8 of 10 points, of which the program on points knows nothing."""
    solve = PruningProgram.solve
    monkeypatch.setattr(PruningProgram, "solve", lambda *a, **b: replace(solve(*a, **b), bound=None))
    votes = [[1, 0], [1, 0], [0, 1], [0, 1], *[[1, 1]] * 6]
    result = prune(votes, [1, 0, 1, 0, *[1] * 6], formulation="plain", solver="highs")
    assert (result.value, result.bound, result.solver_bound) == (8, 10, np.inf)
    assert result.history[-1].bound == np.inf
    assert not result.proved


def test_many_vectors_of_votes_are_left_to_the_tree():
    votes, y = random_votes(5, 600, 20)
    assert len(PruningInstance.from_votes(votes, y).gains) > module.FEW_PATTERNS
    with recorded():
        result = prune(votes, y, time_limit=2.0)
    check_value(result, votes, y, "accuracy")
    assert {one.step for one in result.history} <= {"start", "isotonic", "local search", "branching"}
    assert result.choice is None
    with recorded():
        program = prune(votes, y, time_limit=2.0, formulation=WITHOUT_TREE, solver="highs")
    assert program.value <= result.bound
    assert result.value <= program.bound


def test_history_improves_and_ends_at_the_result():
    votes, y = random_votes(6, 60, 10)
    result = prune(votes, y, solver="highs")
    values, bounds = (np.array([getattr(one, name) for one in result.history]) for name in ("value", "bound"))
    assert (np.diff(values) >= 0).all()
    assert (np.diff(bounds) <= 0).all()
    assert (values[-1], bounds[-1]) == (result.value, result.bound)


def test_it_repeats_itself_and_can_be_pickled():
    votes, y = random_votes(7, 60, 12)
    first, again = (prune(votes, y, solver="highs", random_state=3, time_limit=None) for _ in range(2))
    copied = pickle.loads(pickle.dumps(first))
    for other in (again, copied):
        np.testing.assert_array_equal(first.selected, other.selected)
        assert (first.threshold, first.value, first.bound) == (other.threshold, other.value, other.bound)


def test_a_bound_below_an_ensemble_is_an_error(monkeypatch):
    votes, y = random_votes(5, 40, 6)
    true = conflicts_of(PruningInstance.from_votes(votes, y))
    wrong = true._replace(isotonic=replace(true.isotonic, bound=3.0))
    monkeypatch.setattr(module, "conflicts_of", lambda *_: wrong)
    with pytest.raises(VerificationError, match="isotonic"):
        prune(votes, y)


@pytest.mark.parametrize("name", ["gurobi", "cplex"])
def test_small_programs_go_to_a_size_limited_licence(name, monkeypatch):
    if licence(name).level is not Level.SIZE_LIMITED:
        pytest.skip(f"{name}: no size-limited licence")
    monkeypatch.delenv("COMPACTML_SOLVER", raising=False)
    votes, y = random_votes(8, 40, 6)
    result = prune(votes, y, formulation="plain", solver=name)
    assert (result.choice.solver, result.choice.licence) == (name, str(Level.SIZE_LIMITED))
    chosen = prune(votes, y, formulation="plain").choice
    assert chosen.licence in (str(Level.SIZE_LIMITED), str(Level.FULL))
    assert " of " in chosen.reason or chosen.licence == str(Level.FULL)


def test_no_program_is_solved_where_bound_and_search_meet():
    votes, y = random_votes(9, 30, 6)
    votes[:, 2] = y
    result = prune(votes, y)
    assert (result.value, result.bound, result.choice) == (30, 30, None)


def largest(votes, y, measure, sizes, tau=Fraction(0)):
    """Largest tau or gamma over all sets of the given sizes, gamma beside a tau."""
    credit = failure_credits(votes, y)
    best = Fraction(-1)
    for size in range(sizes[0], sizes[1] + 1):
        for chosen in combinations(range(votes.shape[1]), size):
            pfc = [sum(credit[min(a, b), max(a, b)] for b in chosen if b != a) / (size - 1) for a in chosen]
            if min(pfc) >= tau:
                best = max(best, measure(pfc))
    return best


def mean(values):
    return sum(values) / len(values)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("sizes", [(2, 6), (3, 5), (4, 4)])
def test_the_largest_feasible_limits(seed, sizes):
    votes, y = random_votes(seed, 16, 6)
    arguments = {"min_size": sizes[0], "max_size": sizes[1], "solver": "highs"}
    tau = largest(votes, y, min, sizes)
    gamma = largest(votes, y, mean, sizes)
    both = largest(votes, y, mean, sizes, tau)
    for name, limits, most in (
        ("min_pfc", {"min_pfc": min(float(tau) + 0.01, 1.0)}, tau),
        ("mean_pfc", {"mean_pfc": min(float(gamma) + 0.01, 1.0)}, gamma),
        ("mean_pfc", {"min_pfc": float(tau) - 1e-9, "mean_pfc": min(float(both) + 0.01, 1.0)}, both),
    ):
        within = limits | {name: float(most) - 1e-6}
        assert sizes[0] <= len(prune(votes, y, **within, **arguments).selected) <= sizes[1]
        if most == 1:  # nothing beyond to ask for
            continue
        with pytest.raises(DiversityInfeasibleError, match=name) as caught:
            prune(votes, y, **limits, **arguments)
        assert caught.value.name == name
        assert caught.value.largest == pytest.approx(float(most), abs=1e-6)


def test_an_undecided_limit_says_so():
    rng = np.random.default_rng(0)
    upper = np.triu(rng.random((30, 30)), 1)
    with pytest.raises(DiversityUndecidedError, match="at least 12"):
        feasible_set(Diversity(upper + upper.T, 0.0, 0.95), 12, 30, solver="highs", clock=Clock(0.0))


@BOTH
def test_single_classifiers_meet_every_limit(formulation):
    votes, y = random_votes(10)
    limits = {"min_pfc": 1.0, "mean_pfc": 1.0}
    result = prune(votes, y, formulation=formulation, **limits)
    check_optimum(result, votes, y, "accuracy", limits)


@BOTH
def test_tau_above_gamma_decides_alone(formulation):
    votes, y = random_votes(11)
    both, alone = (
        prune(votes, y, formulation=formulation, min_pfc=0.6, mean_pfc=mean_pfc) for mean_pfc in (0.1, 0)
    )
    assert both.value == alone.value
    check_optimum(both, votes, y, "accuracy", {"min_pfc": 0.6})


@BOTH
def test_identical_classifiers(formulation):
    votes, y = random_votes(12)
    same = np.repeat(votes[:, :1], 4, axis=1)
    result = prune(same, y, formulation=formulation)
    check_optimum(result, same, y, "accuracy", {})
    assert prune(same, y, formulation=formulation, min_size=2).value == result.value
    with pytest.raises(DiversityInfeasibleError) as caught:
        prune(same, y, formulation=formulation, min_size=2, mean_pfc=0.1)
    assert caught.value.largest == 0.0


@BOTH
@pytest.mark.parametrize("label", [0, 1])
@pytest.mark.parametrize("objective", OBJECTIVES[:3])
def test_one_class(formulation, label, objective):
    votes, _ = random_votes(13)
    y = np.full(len(votes), label)
    result = prune(votes, y, formulation=formulation, objective=objective)
    check_optimum(result, votes, y, objective, {})


@BOTH
def test_calling_all_negative_may_be_best(formulation):
    votes, y = random_votes(14)
    result = prune(votes, y, formulation=formulation, objective=(0, 0, 1, -10), min_size=2)
    assert result.value == (y == 0).sum() == result.bound
    assert not (votes[:, result.selected].sum(axis=1) > result.threshold)[y == 0].any()


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"min_pfc": -0.1}, "min_pfc"),
        ({"mean_pfc": 1.5}, "mean_pfc"),
        ({"mean_pfc": float("nan")}, "mean_pfc"),
        ({"formulation": "exact"}, "formulation"),
        ({"objective": "f1"}, "objective"),
        ({"objective": (1, 2, 3)}, "objective"),
        ({"objective": 5}, "objective"),
        ({"solver": "lp_solve"}, "solver"),
        ({"time_limit": -1}, "time_limit"),
        ({"random_state": -1}, "random_state"),
        ({"random_state": None}, "random_state"),
        ({"max_size": 0}, "max_size"),
        ({"max_size": 9}, "max_size"),
        ({"min_size": 2.5}, "min_size"),
        ({"min_size": "two"}, "min_size"),
        ({"min_size": 3, "max_size": 2}, "max_size"),
    ],
    ids=str,
)
def test_bad_parameters(change, match):
    votes, y = random_votes(15)
    with pytest.raises(InvalidParameterError, match=match):
        prune(votes, y, **change)


@pytest.mark.parametrize(
    ("votes", "y", "match"),
    [
        ([[0, 1], [1, float("nan")]], [0, 1], "votes"),
        ([[0, 1], [1, 0.4]], [0, 1], "votes"),
        ([[1], [0]], [0, 1], "votes"),
        (np.zeros((0, 3)), [], "votes"),
        ([[0, 1], [1, 0]], [0, 2], "y"),
        ([[0, 1], [1, 0]], [0, 1, 1], "y"),
    ],
    ids=str,
)
def test_bad_data(votes, y, match):
    with pytest.raises(InvalidDataError, match=match):
        prune(votes, y)
