"""Bounds of the denominator against enumeration; starting sets."""

import numpy as np
import pytest

from compactml.errors import InvalidDataError
from compactml.feature_selection import FractionalProgram
from compactml.feature_selection.allowed_sets import best_known, first_set, least_denominator
from tests.feature_selection.fractional_programs import (
    KINDS,
    REDUNDANCY,
    RELEVANCE,
    mrmr,
    parts,
    random_program,
    supports,
)


def least(program, n_features=None):
    return min(parts(program, support)[1] for support in supports(program.n_features, n_features))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_features", [None, 1, 3, 5])
@pytest.mark.parametrize("seed", range(4))
def test_the_denominator_is_never_below_its_bound(kind, n_features, seed):
    program = random_program(kind, seed, 5)
    bound = least_denominator(program, n_features)
    assert 0 < bound <= least(program, n_features) + 1e-9
    if kind == "mrmr" or (kind == "cfs" and n_features is None):
        assert bound == least(program, n_features)


def test_terms_of_both_signs_need_the_exact_minimum():
    d = np.array([[1.0, -0.9, 0.2], [-0.9, 1.0, 0.2], [0.2, 0.2, 1.0]])
    program = FractionalProgram(np.ones(3), np.zeros((3, 3)), np.zeros(3), d)
    assert least_denominator(program) == pytest.approx(least(program)) == pytest.approx(0.2)


def test_a_denominator_that_is_not_positive_is_refused():
    d = np.array([[1.0, -1.1], [-1.1, 1.0]])
    program = FractionalProgram(np.ones(2), np.zeros((2, 2)), np.zeros(2), d)
    with pytest.raises(InvalidDataError, match="g\\(x\\) > 0"):
        least_denominator(program)


def test_starting_sets():
    program = mrmr(RELEVANCE, REDUNDANCY)  # alone: -0.1, -0.1, -0.45; all: 0.1389
    assert first_set(program).tolist() == best_known(program).tolist() == [0, 1, 2]
    assert first_set(program, 2).tolist() == best_known(program, 2).tolist() == [0, 1]
    redundant = mrmr(RELEVANCE, REDUNDANCY + 1.0 - np.eye(3))
    assert first_set(redundant).tolist() == [0, 1, 2]
    assert best_known(redundant).tolist() == [0]
