"""The pricing program (6)-(10): oracles O2, O3 and O6, brute force, constraint programming, bounds rounded outwards."""

import numpy as np
import pytest

from compactml.boolean_rules.duals import UNIT, Duals
from compactml.boolean_rules.pricing import integer_program as integer_pricing
from compactml.boolean_rules.pricing.constraint_program import ConstraintPricing
from compactml.boolean_rules.pricing.integer_program import IntegerPricing, pricing_program
from compactml.clock import Clock
from compactml.solvers import solve, usable_solvers
from tests.boolean_rules.tiny_instances import (
    AB,
    A,
    all_clauses,
    equal_duals,
    f_by_hand,
    from_rows,
    largest_f,
    random_duals,
    random_instance,
    three_features,
)


def value_of(program, instance, duals, clause):
    """Objective (6) of a clause, with every delta as large or small as (7) and (8) allow."""
    z = np.isin(np.arange(len(instance.literals)), clause)
    covered = (instance.literals.evaluate(instance.codes) | ~z).all(axis=1)
    positive, negative = np.flatnonzero(duals.mu), np.flatnonzero(instance.negatives)
    x = np.concatenate([z, covered[positive], covered[negative]]).astype(float)
    activity = program.matrix @ x
    assert (activity >= program.row_lower).all()
    assert (activity <= program.row_upper).all()
    return program.objective @ x + program.offset


def test_reduced_costs_of_oracle_3():
    instance = three_features()
    duals = equal_duals(instance)
    program = pricing_program(instance, duals, 3)
    assert [value_of(program, instance, duals, clause) for clause in (A, AB, (0, 1, 2))] == [0, 0, 1]


def test_first_and_last_round_of_oracle_2():
    instance = three_features()
    first = IntegerPricing(instance, 3)(equal_duals(instance, mu=1.0, price=0.0), Clock(None))
    assert first.at_most == pytest.approx(UNIT, abs=3)
    assert first.at_most >= UNIT
    last = IntegerPricing(instance, 3)(equal_duals(instance), Clock(None))
    assert (last.clauses, last.at_most) == ((), 0)


@pytest.mark.parametrize("solver", usable_solvers())
@pytest.mark.parametrize("seed", range(20))
def test_least_value_is_that_of_enumeration(seed, solver):
    """Oracle O6, on instances with equal rows, rows of both labels and rows with mu = 0."""
    rng = np.random.default_rng(seed)
    instance = random_instance(rng)
    duals = random_duals(rng, instance)
    program = pricing_program(instance, duals, 3)
    clauses = all_clauses(instance, 3)
    by_hand = [-f_by_hand(instance, duals, clause) / UNIT for clause in clauses]
    assert [value_of(program, instance, duals, clause) for clause in clauses] == pytest.approx(by_hand)
    result = solve(program, solver)
    assert result.objective == pytest.approx(min(by_hand), abs=1e-6)


@pytest.mark.parametrize("solver", usable_solvers())
@pytest.mark.parametrize("seed", range(20))
def test_clause_and_bound_agree_with_brute_force_and_constraint_programming(seed, solver):
    rng = np.random.default_rng(100 + seed)
    instance = random_instance(rng, 14, 5)
    duals = random_duals(rng, instance)
    best = max(largest_f(instance, duals, 3), 0)
    priced = IntegerPricing(instance, 3, solver, time_limit=None)(duals, Clock(None))
    assert best <= priced.at_most <= best + 3 + 2e-6 * best
    assert best == ConstraintPricing(instance, 3)(duals, Clock(None)).at_most
    found = [f_by_hand(instance, duals, clause) for clause in priced.clauses]
    assert found == sorted(found, reverse=True)
    assert found[:1] == [best] * (best > 0)
    assert all(f > 0 for f in found)
    assert len(set(priced.clauses)) == len(found)


def test_clauses_that_the_solver_passes_through_come_too():
    """As in section 3, where all solutions of negative reduced cost are added."""
    rng = np.random.default_rng(3)
    found = []
    for _ in range(30):
        instance = random_instance(rng, 60, 8)
        duals = random_duals(rng, instance)
        found.append(len(IntegerPricing(instance, 5, "highs", time_limit=None)(duals, Clock(None)).clauses))
    assert max(found) > 1


def test_a_clause_is_never_empty_and_a_literal_that_holds_everywhere_is_one():
    """Repairs (a) and (b): S_u is empty on the one row, and only the clause of its literal is allowed."""
    instance = from_rows([[1]], [1])
    duals = Duals(np.array([UNIT]), UNIT // 4)
    priced = IntegerPricing(instance, 3)(duals, Clock(None))
    assert priced.clauses == ((0,),)
    assert duals.f(instance, (0,)) == UNIT // 2 <= priced.at_most <= UNIT // 2 + 3
    worthless = IntegerPricing(instance, 3)(Duals(np.array([0]), UNIT // 4), Clock(None))
    assert (worthless.clauses, worthless.at_most) == ((), 0)


def test_size_of_the_program_by_hand():
    """Positives 110, 011 and 101 have one false literal each; the negatives 3 - (number of ones)."""
    instance = three_features()
    program = pricing_program(instance, equal_duals(instance), 2)
    assert program.matrix.shape == (3 + 4 + 1, 3 + 3 + 4)
    assert program.matrix.nnz == 2 * 3 + (4 + 2 + 2 + 2 + 3) + 3
    assert pricing_program(instance, equal_duals(instance, mu=0.0), 2).matrix.shape == (
        4 + 1,
        3 + 4,
    )


@pytest.mark.parametrize(
    ("bound", "f", "expected"),
    [(None, 5, None), (-np.inf, 5, None), (0.0, 0, 0), (-1e-7, 0, 0), (2.0, 0, 0), (-1e-7, 9, 9)],
)
def test_bounds_that_prove_nothing_or_everything(bound, f, expected):
    assert integer_pricing._at_most(bound, f) == expected


@pytest.mark.parametrize("bound", [-1e-5, -0.3, -1.0, -1234.5])
def test_a_bound_is_rounded_outwards_by_its_tolerance(bound):
    tolerance = integer_pricing.TOLERANCE * max(1, -bound)
    assert integer_pricing._at_most(bound, 0) / UNIT >= -bound + tolerance
    assert integer_pricing._at_most(bound, 0) / UNIT <= -bound + tolerance + 1.5 / UNIT


def test_without_time_or_without_literals():
    instance = three_features()
    assert IntegerPricing(instance, 3)(equal_duals(instance), Clock(0.0)).at_most is None
    nothing = from_rows(np.zeros((2, 1), int), [1, 0])
    assert IntegerPricing(nothing, 3)(equal_duals(nothing), Clock(None)).at_most == 0
