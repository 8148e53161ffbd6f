"""How many matrices of all pairs of features a certificate holds at once: 3,000 features have 72 MB in each."""

from __future__ import annotations

import tracemalloc

import numpy as np

from compactml.feature_selection.multipliers import Multipliers
from compactml.feature_selection.parametric_form import ParametricForm


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
