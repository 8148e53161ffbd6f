"""How many matrices of all pairs of features a certificate holds at once: 3,000 features have 72 MB in each."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from compactml.feature_selection.building import measure
from compactml.feature_selection.multipliers import Multipliers
from compactml.feature_selection.parametric_form import ParametricForm
from compactml.feature_selection.program import FractionalProgram, cfs_program, mrmr_program


def test_multipliers_are_made_valid_in_three_matrices():
    """Two of K, one of single precision that is kept, and what a factorisation needs beside them."""
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
    assert peak < 3.1 * matrix.nbytes


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
