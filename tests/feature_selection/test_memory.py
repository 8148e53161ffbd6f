"""How many matrices of all pairs of features a certificate holds at once: 3,000 features have 72 MB in each."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from compactml.feature_selection.allowed_sets import least_denominators
from compactml.feature_selection.building import measure
from compactml.feature_selection.certified import prover
from compactml.feature_selection.multipliers import Multipliers
from compactml.feature_selection.parametric_form import ParametricForm
from compactml.feature_selection.program import FractionalProgram, cfs_program, mrmr_program
from compactml.feature_selection.solving import solve
from compactml.watch import EndedEarlyWarning


def test_multipliers_are_made_valid_in_two_matrices():
    """K, one of single precision that is kept, and what a factorisation needs beside them."""
    rng = np.random.default_rng(0)
    p = 500
    matrix = rng.random((p, p))
    form = ParametricForm(0.0, matrix + matrix.T, rng.random(p))
    nothing = np.broadcast_to(0.0, (p, p))
    Multipliers.made_valid(form, np.arange(5), np.zeros(5), np.zeros((5, 5)))
    tracemalloc.start()
    own = Multipliers.made_valid(form, np.arange(p), np.zeros(p), nothing)
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert own.n.nbytes <= held
    assert peak < 2.5 * matrix.nbytes


@pytest.mark.parametrize(
    "program_of", [cfs_program, lambda measures: mrmr_program(measures, 5)], ids=["cfs", "mrmr"]
)
def test_a_program_is_made_of_two_matrices_and_no_copy(program_of):
    """Its own two, and while the first of them is made one more."""
    p = 400
    rng = np.random.default_rng(0)
    measures = measure(rng.integers(0, 3, (60, p)), rng.integers(0, 2, 60))
    program_of(measures)
    tracemalloc.start()
    program = program_of(measures)
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert program.b.nbytes + program.d.nbytes <= held < 2.1 * program.b.nbytes
    assert peak < 2.6 * program.b.nbytes


def test_a_bound_on_denominators_of_one_size_needs_no_matrix():
    """A few rows at a time; the same value as among all sizes."""
    p = 1500
    d = np.random.default_rng(0).random((p, p))
    program = FractionalProgram(np.zeros(p), d, np.ones(p), d)
    every = least_denominators(program)
    tracemalloc.start()
    (one,) = least_denominators(program, np.array([20]))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert one == every[19]
    assert peak < 0.75 * d.nbytes


def test_a_wide_relaxation_for_which_there_is_no_time_is_not_begun(monkeypatch):
    """Its matrices would take memory, and it the rest of the limit, for nothing; the bound is one without it."""
    monkeypatch.setattr(prover, "WIDE", 10)
    begun = []
    monkeypatch.setattr(prover, "AS_LONG", 1e12)
    monkeypatch.setattr(prover, "Relaxation", lambda *args: begun.append(args))
    rng = np.random.default_rng(0)
    program = mrmr_program(measure(rng.integers(0, 3, (60, 60)), rng.integers(0, 2, 60)), 20)
    with pytest.warns(EndedEarlyWarning, match="time_limit=60 s"):
        result = solve(program)
    assert not begun
    assert np.isfinite(result.bound)
    assert not result.proved


def test_a_program_keeps_what_it_was_given():
    """Matrices that the caller may still write to are copied."""
    b, d = np.ones((2, 2)), np.zeros((2, 2))
    program = FractionalProgram([0, 0], b, [1, 1], d)
    b[0, 0], d[0, 0] = 5.0, 5.0
    view = b[:]
    view.flags.writeable = False
    other = FractionalProgram([0, 0], view, [1, 1], np.zeros((2, 2)))
    b[0, 0] = 7.0
    assert (program.b[0, 0], program.d[0, 0], other.b[0, 0]) == (1.0, 0.0, 5.0)
