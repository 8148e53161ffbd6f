"""The Restricted MIP (1)-(4): oracle O1, brute force over sets of clauses, starts."""

from itertools import combinations

import numpy as np
import pytest

from compactml.boolean_rules.certificate import verify_rules
from compactml.boolean_rules.columns import Columns
from compactml.boolean_rules.restricted_program import _integer_bound, restricted_program, solve_restricted
from compactml.errors import InvalidParameterError
from compactml.solvers import MixedIntegerProgram, solve, usable_solvers
from tests.boolean_rules.tiny_instances import (
    AB,
    AC,
    BC,
    Z_MIP,
    A,
    all_clauses,
    random_instance,
    three_features,
)

Z_MLP = {1: 2.5, 2: 2, 3: 1.5, 4: 1.25, 5: 1, 6: 0.75, 7: 0.5, 8: 0.25, 9: 0, 10: 0}
"""The linear relaxation of the same instance, worked out by hand."""


def all_columns(instance, size=3):
    columns = Columns(instance)
    columns.add(all_clauses(instance, size))
    return columns


def relaxed(problem):
    return MixedIntegerProgram(
        objective=problem.objective,
        matrix=problem.matrix,
        row_lower=problem.row_lower,
        row_upper=problem.row_upper,
        lower=problem.lower,
        upper=problem.upper,
        integrality=np.zeros(len(problem.objective), dtype=bool),
        sense="min",
    )


@pytest.mark.parametrize("solver", usable_solvers())
@pytest.mark.parametrize("complexity", range(1, 11))
def test_optima_and_relaxations_of_oracle_1(complexity, solver):
    columns = all_columns(three_features())
    rules, loss, bound, result = solve_restricted(columns, complexity, solver=solver)
    assert loss == bound == Z_MIP[complexity]
    assert result.objective == pytest.approx(loss)
    assert verify_rules(columns.instance, rules, complexity).holds
    relaxation = solve(relaxed(restricted_program(columns, complexity)), solver)
    assert relaxation.objective == pytest.approx(Z_MLP[complexity])


def test_the_unique_optimum_of_oracle_1():
    assert set(solve_restricted(all_columns(three_features()), 9).rules) == {AB, BC, AC}


@pytest.mark.parametrize("seed", range(10))
def test_the_best_set_of_given_clauses(seed):
    rng = np.random.default_rng(seed)
    instance, complexity = random_instance(rng, 25, 5), int(rng.integers(2, 10))
    clauses = all_clauses(instance, 3)
    columns = Columns(instance)
    columns.add(clauses[k] for k in rng.choice(len(clauses), 9, replace=False))
    allowed = [
        list(rules)
        for size in range(5)
        for rules in combinations(columns.clauses, size)
        if sum(1 + len(clause) for clause in rules) <= complexity
    ]
    best = min(verify_rules(instance, rules, complexity).loss for rules in allowed)
    solution = solve_restricted(columns, complexity)
    check = verify_rules(instance, solution.rules, complexity)
    assert solution.loss == solution.bound == check.loss == best
    assert check.holds


def test_without_clauses_every_positive_is_lost():
    rules, loss, bound, _ = solve_restricted(Columns(three_features()), 5)
    assert (rules, loss, bound) == ([], 3, 3)


def test_a_start_changes_nothing_but_the_way():
    columns = all_columns(three_features())
    assert solve_restricted(columns, 9, start=[A, BC]).loss == 0
    with pytest.raises(InvalidParameterError, match="start: must be of complexity at most 4"):
        solve_restricted(columns, 4, start=[A, BC])
    with pytest.raises(InvalidParameterError, match="start: must be clauses that are among the columns"):
        solve_restricted(columns, 9, start=[(0, 1, 2, 3)])


def test_the_bound_is_rounded_up_but_not_by_noise():
    assert _integer_bound(2.3, 9) == 3
    assert _integer_bound(3.0000001, 9) == 3
    assert _integer_bound(2.9999, 9) == 3
    assert _integer_bound(-0.5, 9) == 0
    assert _integer_bound(None, 9) is None
    assert _integer_bound(-np.inf, 9) is None
