"""Sizes near the optimum, against enumeration."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from compactml.chapters.feature_selection.trials import near
from compactml.feature_selection import FractionalProgram


def random_program(p: int, seed: int) -> FractionalProgram:
    rng = np.random.default_rng(seed)
    b, d = rng.normal(size=(p, p)), rng.random((p, p))
    return FractionalProgram(rng.normal(size=p), b, rng.random(p) + 0.1, d)


@pytest.mark.parametrize("grow", [True, False])
@pytest.mark.parametrize("seed", range(5))
def test_the_best_change_is_that_of_enumeration(grow: bool, seed: int) -> None:
    own = random_program(6, seed)
    inside = np.array([True, False, True, True, False, False])
    options = {}
    for j in np.flatnonzero(inside != grow):
        changed = inside.copy()
        changed[j] = grow
        options[int(j)] = own.value(changed)
    best = max(options, key=lambda j: options[j])
    found = near.best_change(own, inside, grow)
    assert found is not None
    assert found[0] == best
    assert found[1] == pytest.approx(options[best])


@pytest.mark.parametrize("seed", range(5))
def test_the_best_exchange_is_that_of_enumeration(seed: int) -> None:
    own = random_program(6, seed)
    inside = np.array([True, False, True, True, False, False])
    options = {}
    for i, j in product(np.flatnonzero(inside), np.flatnonzero(~inside)):
        changed = inside.copy()
        changed[[i, j]] = False, True
        options[int(i), int(j)] = own.value(changed)
    best = max(options, key=lambda pair: options[pair])
    found = near.best_exchange(own, inside)
    assert found is not None
    assert found[:2] == best
    assert found[2] == pytest.approx(options[best])
    before = own.value(inside)
    after = near.exchanged(own, inside)
    assert after == pytest.approx(own.value(inside))
    assert after >= before
    assert inside.sum() == 3


def test_the_last_feature_is_not_taken_away_and_none_is_added_to_all() -> None:
    own = random_program(3, 0)
    assert near.best_change(own, np.array([False, True, False]), grow=False) is None
    assert near.best_change(own, np.ones(3, dtype=bool), grow=True) is None
    assert near.best_exchange(own, np.ones(3, dtype=bool)) is None


@pytest.mark.parametrize("seed", range(4))
def test_every_size_found_has_a_set_and_most_sizes_that_have_one_are_found(seed: int) -> None:
    own = random_program(8, seed)
    sets = [np.flatnonzero([(k >> j) & 1 for j in range(8)]) for k in range(1, 256)]
    values = {tuple(one): own.value(one) for one in sets}
    best = max(values, key=lambda one: values[one])
    least = values[best] - 0.3 * abs(values[best])
    found = set(near.sizes_within(own, np.array(best), least))
    have_one = {len(one) for one, value in values.items() if value >= least}
    assert found <= have_one
    assert len(have_one - found) <= 1
    assert near.sizes_within(own, np.array(best), values[best] + 1) == [len(best)]
