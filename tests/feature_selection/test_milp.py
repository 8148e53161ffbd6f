"""The MILPs: their value at every set, their optima in every solver, their sizes."""

from dataclasses import replace

import numpy as np
import pytest

from compactml.errors import InvalidDataError
from compactml.feature_selection import FractionalProgram
from compactml.feature_selection.milp import milp1, milp2, milp3, n_rows, value_disjunction
from compactml.solvers import Outcome, solve, usable_solvers
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

GENERAL, SQUARE = (milp1, milp2), (milp3, value_disjunction)
CASES = [(build, kind) for build in GENERAL for kind in KINDS] + [(build, "mrmr") for build in SQUARE]
MODELS = pytest.mark.parametrize(("build", "kind"), CASES)
SOLVERS = pytest.mark.parametrize("solver", usable_solvers())


@MODELS
def test_the_value_of_every_set(build, kind):
    program = random_program(kind, 7, 4)
    problem = build(program)
    for support in supports(4):
        x = np.isin(np.arange(4), support).astype(float)
        fixed = replace(problem, lower=np.append(x, problem.lower[4:]), upper=np.append(x, problem.upper[4:]))
        f, g = parts(program, support)
        assert solve(fixed, "highs").objective == pytest.approx(f / g, abs=1e-6)


@MODELS
def test_the_empty_set_is_excluded(build, kind):
    problem = build(random_program(kind, 7, 4))
    without = replace(problem, upper=np.append(np.zeros(4), problem.upper[4:]))
    assert solve(without, "highs").outcome is Outcome.INFEASIBLE


@MODELS
@SOLVERS
@pytest.mark.parametrize("seed", range(3))
def test_against_enumeration(build, kind, solver, seed):
    program = random_program(kind, seed, 5 if build is value_disjunction else 6)
    result = solve(build(program), solver)
    assert result.outcome is Outcome.OPTIMAL
    assert result.objective == pytest.approx(optimum(program), abs=1e-6)
    assert program.value(result.x[: program.n_features] > 0.5) == pytest.approx(optimum(program), abs=1e-6)


@MODELS
@pytest.mark.parametrize("n_features", [1, 3, 5])
def test_sets_of_a_given_size(build, kind, n_features):
    program = random_program(kind, 2, 5)
    result = solve(build(program, n_features))
    assert result.x[:5].sum() == n_features
    assert result.objective == pytest.approx(optimum(program, n_features), abs=1e-6)


@SOLVERS
def test_the_worked_examples(solver):
    for build in (*GENERAL, *SQUARE):
        assert solve(build(mrmr(RELEVANCE, REDUNDANCY)), solver).objective == pytest.approx(0.175, abs=1e-6)
    for build in GENERAL:
        assert solve(build(cfs(SU_CLASS, SU_PAIRS)), solver).objective == pytest.approx(0.253125, abs=1e-6)


@pytest.mark.parametrize("build", SQUARE)
def test_another_denominator_is_refused(build):
    with pytest.raises(InvalidDataError, match="cfs"):
        build(cfs(SU_CLASS, SU_PAIRS))


@pytest.mark.parametrize("build", SQUARE)
def test_a_linear_term_in_the_numerator(build):
    b = RELEVANCE[:, None] - REDUNDANCY
    program = FractionalProgram([0.1, -0.3, 0.7], b, np.zeros(3), np.ones((3, 3)))
    assert solve(build(program), "highs").objective == pytest.approx(optimum(program), abs=1e-6)


def test_sizes():
    p = 6
    pairs = p * (p + 1) // 2
    program = random_program("mrmr", 0, p)
    sizes = {build: (build(program).n_columns, build(program).n_rows) for build in (*GENERAL, *SQUARE)}
    assert sizes == {
        milp1: (2 * p + 1 + pairs, 2 + 4 * pairs + 3 * p),
        milp2: (4 * p + 1, 2 + 8 * p + 3 * p),
        milp3: (3 * p + 1 + pairs, 4 + 3 * pairs + 2 * p),
        value_disjunction: (2 * p + p * pairs, 3 + 4 * p * pairs),
    }


@MODELS
@pytest.mark.parametrize("p", [1, 2, 5, 9])
def test_rows_are_counted_without_building(build, kind, p):
    assert n_rows(build.__name__, p) == build(random_program(kind, 3, p)).n_rows
