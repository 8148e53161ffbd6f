"""The integer program: every ensemble's place in it, the optima of every solver, the paper's form and its sizes."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy import sparse

from compactml.ensemble_pruning._failure_credit import Diversity, failure_credit, failure_patterns
from compactml.ensemble_pruning.bounds.isotonic import isotonic_of
from compactml.ensemble_pruning.instance import PruningInstance
from compactml.ensemble_pruning.program.formulation import FORMULATIONS, Formulation, as_formulation
from compactml.ensemble_pruning.program.pruning_program import PruningProgram
from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.solvers import Outcome, usable_solvers, violation
from tests.ensemble_pruning.tiny_ensembles import (
    O3,
    O4,
    O5,
    ensembles,
    four_weights,
    optimum,
    random_votes,
    weighted_sum,
)

SOLVERS = pytest.mark.parametrize("solver", usable_solvers())
SWITCHES = [Formulation(*switches, "none") for switches in product((False, True), repeat=4)]
OBJECTIVES = (
    "accuracy",
    "balanced_accuracy",
    "recall",
    (3, -1, 2, 1),
    (-2, 1, 1, 4),
    (0.25, 0.5, -0.125, -3),
)


def diversity_of(votes, y, tau, gamma):
    return Diversity(failure_credit(failure_patterns(votes, y)), float(tau), float(gamma))


def solved(model, solver):
    """Optimum of an integer program: its ensemble and its bound."""
    result = model.solve(solver)
    assert result.outcome is Outcome.OPTIMAL
    selected, threshold = model.ensemble(result.x)
    return (tuple(map(int, selected)), threshold), model.bound(result)


@SOLVERS
@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize(
    ("example", "objective", "tau", "gamma", "best", "attained"),
    [
        (O3, "accuracy", 0, 0, 9, {((0, 1, 2), 2)}),
        (O3, "accuracy", 0, O3.gamma, 8, {((0, 1), 1), ((0, 1, 2, 3), 2)}),
        (O3, "accuracy", O3.tau, O3.gamma, 8, {((0, 1), 1), ((0, 1, 2, 3), 2)}),
        (O3, "balanced_accuracy", 0, 0, 21 / 5, {((0, 1, 2), 2)}),
        (O4, "accuracy", 0, 0, 10, {((0, 1, 2, 4), 2)}),
        (O4, "accuracy", 0, O4.gamma, 10, {((0, 1, 2, 4), 2)}),
        (O4, "accuracy", O4.tau, O4.gamma, 9, {((0, 2, 3, 4), 2), ((0, 1, 2, 3, 4), 2)}),
        (O5, "accuracy", 0, 0, 7, {((2, 3), 1)}),
        (O5, "balanced_accuracy", 0, 0, 16 / 5, {((1, 3), 0)}),
    ],
)
def test_o3_o4_o5(solver, formulation, example, objective, tau, gamma, best, attained):
    value, all_best = optimum(example.votes, example.y, objective, tau=tau, gamma=gamma)
    assert (float(value), all_best) == (best, attained)
    instance = PruningInstance.from_votes(example.votes, example.y, objective)
    diversity = diversity_of(example.votes, example.y, tau, gamma)
    ensemble, bound = solved(PruningProgram(instance, formulation, diversity=diversity), solver)
    assert ensemble in attained
    assert bound == pytest.approx(best, abs=1e-9)


def test_o6_the_threshold():
    votes = np.ones((2, 10), dtype=int)
    votes[0, :4], votes[1, :5] = 0, 0  # 6 and 5 positive votes
    instance = PruningInstance.from_votes(votes, [1, 1])
    assert instance.value(np.arange(10), 5) == 1


@pytest.mark.parametrize("form", SWITCHES, ids=str)
@pytest.mark.parametrize("objective", OBJECTIVES, ids=str)
def test_every_ensemble_has_its_place_and_its_value(form, objective):
    votes, y = random_votes(3, 10, 4)
    votes[1], votes[2], votes[3] = 0, 1, 1  # unanimous
    y[2], y[3] = 0, 1
    instance = PruningInstance.from_votes(votes, y, objective)
    diversity = diversity_of(votes, y, 0.3, 0.45)
    model = PruningProgram(instance, form, diversity=diversity, min_size=1, max_size=3)
    weights = four_weights(objective, y)
    n_placed = 0
    for selected, threshold in ensembles(4):
        allowed = 1 <= len(selected) <= 3 and diversity.met(selected)
        if not model.has_place_for(selected, threshold):
            assert threshold >= len(selected)
            continue
        vector = model.vector(selected, threshold)
        assert (violation(model.problem, vector) <= 1e-9) == allowed
        value = model.problem.value(vector)
        worth = instance.unit * (instance.ideal - value) if form.aggregate else value
        assert worth == pytest.approx(float(weighted_sum(votes, y, weights, selected, threshold)))
        back, same = model.ensemble(vector)
        assert (back.tolist(), same) == (selected.tolist(), threshold)
        n_placed += allowed
    assert n_placed > 5


@SOLVERS
@pytest.mark.parametrize("form", [*SWITCHES[:8:3], *SWITCHES[8:], Formulation(cuts="isotonic")], ids=str)
@pytest.mark.parametrize("seed", range(2))
def test_against_enumeration(solver, form, seed):
    votes, y = random_votes(seed, 12, 5)
    objective = OBJECTIVES[(seed + SWITCHES.index(form) if form in SWITCHES else seed) % len(OBJECTIVES)]
    limits = {"tau": 0.4, "gamma": 0.55, "min_size": 2, "max_size": 4}
    instance = PruningInstance.from_votes(votes, y, objective)
    cuts = isotonic_of(instance).rows if form.cuts != "none" else None
    model = PruningProgram(instance, form, cuts, diversity_of(votes, y, 0.4, 0.55), 2, 4)
    value, attained = optimum(votes, y, objective, **limits)
    ensemble, bound = solved(model, solver)
    assert bound == pytest.approx(float(value), abs=1e-6)
    assert ensemble in attained or not any(model.has_place_for(*best) for best in attained)


def test_the_sizes_of_the_paper_s_program():
    votes, y = random_votes(0, 12, 5)
    instance = PruningInstance.from_votes(votes, y)
    problem = PruningProgram(instance, "plain").problem
    assert (problem.n_columns, problem.n_rows) == (5 + 1 + 2 * 12, 3 * 12)
    diversity = diversity_of(votes, y, 0.1, 0.2)
    problem = PruningProgram(instance, "plain", diversity=diversity).problem
    assert (problem.n_columns, problem.n_rows) == (5 + 1 + 2 * 12 + 10, 3 * 12 + 3 * 10 + 5 + 1)


def test_the_sizes_of_the_strengthened_program():
    votes, y = random_votes(0, 12, 5)
    instance = PruningInstance.from_votes(np.repeat(votes, 7, axis=0), np.repeat(y, 7))
    problem = PruningProgram(instance, diversity=diversity_of(votes, y, 0.1, 0.2)).problem
    m = len(instance.patterns)
    assert m <= 12
    assert (problem.n_columns, problem.n_rows) == (5 + 1 + m + 5, m + 1 + 5 + 11)


def test_constant_k_in_6_would_exclude_calling_all_negative_with_l_equal_to_k():
    """Erratum 1: a negative point without positive votes and L = K."""
    instance = PruningInstance.from_votes([[0, 0], [1, 1]], [0, 0])
    model = PruningProgram(instance, "plain")
    assert violation(model.problem, model.vector(np.arange(2), 2)) == 0


def test_one_class_and_no_patterns():
    instance = PruningInstance.from_votes(np.zeros((3, 2)), [0, 0, 0])
    assert len(instance.patterns) == 0
    for formulation in FORMULATIONS:
        _, bound = solved(PruningProgram(instance, formulation), "highs")
        assert bound == 3


def test_a_start_without_place_is_left_out():
    votes, y = random_votes(1)
    model = PruningProgram(PruningInstance.from_votes(votes, y))
    start = (np.arange(2), 5)
    assert not model.has_place_for(*start)
    assert model.solve("highs", start=start).outcome is Outcome.OPTIMAL


def test_bad_arguments():
    instance = PruningInstance.from_votes(*random_votes(1))
    with pytest.raises(InvalidParameterError, match="'plain', 'strengthened'"):
        as_formulation("strong")
    with pytest.raises(InvalidParameterError, match="cuts"):
        Formulation(aggregate=False)
    wrong = sparse.csr_array((1, len(instance.patterns) + 1))
    with pytest.raises(InvalidDataError, match="cuts"):
        PruningProgram(instance, cuts=wrong)
    with pytest.raises(InvalidDataError, match="cuts"):
        PruningProgram(instance, "plain", cuts=wrong)


def with_bound(model, bound):
    """What a solver that a limit ends says, with this bound."""
    return replace(model.solve("highs"), outcome=Outcome.NO_SOLUTION, x=None, objective=None, bound=bound)


@pytest.mark.parametrize(
    ("bound", "own", "rounded"),
    [
        (None, np.inf, np.inf),
        (np.nan, np.inf, np.inf),
        (np.inf, np.inf, np.inf),
        (10, 10, 10),
        (9.4, 9.4, 9),
        (8.5, 8.5, 8),
        (7.9999999, 7.9999999, 8),
    ],
)
def test_the_bound_of_the_paper_s_program_is_the_solver_s_alone(bound, own, rounded):
    """Two pairs of equal votes cost two of ten points, of which the program on points knows nothing."""
    votes = [[1, 0], [1, 0], [0, 1], [0, 1], *[[1, 1]] * 6]
    instance = PruningInstance.from_votes(votes, [1, 0, 1, 0, *[1] * 6])
    assert instance.ideal == 8
    model = PruningProgram(instance, "plain")
    result = with_bound(model, bound)
    assert model.bound(result, rounded=False) == pytest.approx(own, abs=1e-9)
    assert model.bound(result) == rounded


@pytest.mark.parametrize(("bound", "expected"), [(None, 8), (-3.0, 8), (0.4, 7)])
def test_the_objective_of_a_program_on_patterns_knows_equal_votes(bound, expected):
    votes = [[1, 0], [1, 0], [0, 1], [0, 1], *[[1, 1]] * 6]
    model = PruningProgram(PruningInstance.from_votes(votes, [1, 0, 1, 0, *[1] * 6]))
    assert model.bound(with_bound(model, bound)) == expected
