"""Tabu search: as good as its starts at least, of the right size, repeatable, and mostly optimal."""

import numpy as np
import pytest

from compactml.feature_selection import FractionalProgram
from compactml.feature_selection.certified._kernels.tabu import tabu
from compactml.feature_selection.certified.tabu import search
from tests.feature_selection.fractional_programs import KINDS, mrmr, optimum, random_program


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("p", [1, 2, 3, 12, 40])
def test_never_worse_than_all_features_and_each_single_one(kind, p):
    for seed in range(5):
        program = random_program(kind, seed, p)
        support = search(program)
        assert support.tolist() == sorted(set(support.tolist()))
        least = max(program.value(range(p)), *(program.value([j]) for j in range(p)), -np.inf)
        assert program.value(support) >= least - 1e-12


@pytest.mark.parametrize("kind", KINDS)
def test_without_time_the_best_start_is_left(kind):
    """At least as good as what `solve` returns for a limit of 0, of the size that is asked for."""
    for seed in range(5):
        program = random_program(kind, seed, 12)
        support = search(program, stopped=lambda: True)
        least = max(program.value(range(12)), *(program.value([j]) for j in range(12)))
        assert program.value(support) >= least - 1e-12
        assert len(search(program, 4, stopped=lambda: True)) == 4


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("p", [1, 2, 3, 7, 11])
def test_the_size_that_is_asked_for(kind, p):
    for k in range(1, p + 1):
        support = search(random_program(kind, 3, p), k)
        assert len(set(support.tolist())) == k
        assert 0 <= support.min() <= support.max() < p


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_gives_the_same_set(kind):
    program = random_program(kind, 0, 60)
    for k in (None, 10):
        assert (search(program, k, seed=4) == search(program, k, seed=4)).all()


@pytest.mark.parametrize("kind", KINDS)
def test_the_optimum_of_small_programs(kind):
    for seed in range(20):
        program = random_program(kind, seed, 9)
        assert program.value(search(program)) == pytest.approx(optimum(program))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("k", [1, 3, 8, 9])
def test_the_optimum_of_a_size(kind, k):
    for seed in range(8):
        program = random_program(kind, seed, 9)
        assert program.value(search(program, k)) == pytest.approx(optimum(program, k))


def test_it_leaves_local_optima():
    """From {0} one gets to {0, 1}, where every flip is for the worse; {2, 3} is beyond."""
    redundancy = np.full((4, 4), 3.0)
    redundancy[:2, :2] = [[1.5, 1.0], [1.0, 1.5]]
    redundancy[2:, 2:] = [[2.0, 0.1], [0.1, 2.0]]
    program = mrmr(np.ones(4), redundancy)
    assert program.value([0]) > program.value([2])
    assert all(program.value(s) < program.value([0, 1]) for s in ([0], [1], [0, 1, 2], [0, 1, 3]))
    x = np.array([1, 0, 0, 0])
    found = tabu(x, program.a, program.b, program.c, program.d, 50, 2, False)
    assert (np.flatnonzero(x).tolist(), found) == ([2, 3], pytest.approx(program.value([2, 3])))
    assert search(program).tolist() == [2, 3]


def test_features_that_are_equal_do_not_keep_it_from_ending():
    program = FractionalProgram(np.zeros(6), np.ones((6, 6)), np.ones(6), np.ones((6, 6)))
    assert program.value(search(program)) == pytest.approx(optimum(program))
    assert len(search(program, 4)) == 4
