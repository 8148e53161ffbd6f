"""The bound without multipliers against enumeration."""

from itertools import combinations

import numpy as np
import pytest

from compactml.feature_selection.certified.pair_bound import pair_bound
from compactml.feature_selection.parametric_form import ParametricForm
from tests.feature_selection.fractional_programs import KINDS, parts, random_program

NONE = np.zeros(0, dtype=np.intp)


def sets_of(node):
    """All sets of a slice, with both what is inside and what is chosen of the free features."""
    return [sorted({*node.inside.tolist(), *some}) for some in combinations(node.free.tolist(), node.left)]


def values(program, t, node):
    """F = t g - f of all sets of a slice."""
    return {tuple(s): t * g - f for s in sets_of(node) for f, g in [parts(program, s)]}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(6))
def test_no_set_is_below_the_bound_nor_lost(kind, seed):
    p = 7
    program = random_program(kind, seed, p)
    random = np.random.default_rng(seed)
    for size in range(1, p):
        t = program.value(np.sort(random.permutation(p)[:size]))
        form = ParametricForm.of(program, t)
        j, k = np.split(random.permutation(p)[:2], 2)
        slices = [form.whole(size), form.whole(size).decide(j, NONE), form.whole(size).decide(j, k)]
        for node in (one for one in slices if 0 < one.left < len(one.free)):
            all_values = values(program, t, node)
            for margin in (-1.0, 0.0, 0.5, 2.0):
                bound, gone = pair_bound(node, margin)
                assert bound <= min(all_values.values()) + 1e-12
                assert set(gone) <= set(node.free)
                for support, own in all_values.items():
                    assert own >= margin - 1e-12 or not set(support) & set(gone)


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_exact_for_single_features(kind):
    program = random_program(kind, 1, 6)
    node = ParametricForm.of(program, 0.2).whole(1)
    all_values = values(program, 0.2, node)
    bound, gone = pair_bound(node, margin=1e-9)
    assert bound == pytest.approx(min(all_values.values()))
    best = min(all_values, key=all_values.get)[0]
    assert set(gone) == {j for (j,), own in all_values.items() if j != best and own >= 1e-9}


def test_a_pair_by_hand():
    """Own costs 1, 2, 3 and pairs M_01 = -1, M_02 = 0, M_12 = 4: features bring 0, 1 and 3, sets 1, 4 and 13."""
    matrix = np.array([[1.0, -1.0, 0.0], [-1.0, 2.0, 4.0], [0.0, 4.0, 3.0]])
    form = ParametricForm(0.0, matrix, np.zeros(3))
    bound, gone = pair_bound(form.whole(2), margin=3.0)
    assert bound == 1.0  # features 0 and 1
    assert gone.tolist() == [2]  # with feature 2 it is 0 + 3
    bound, gone = pair_bound(form.whole(2), margin=3.1)
    assert gone.tolist() == []
