"""Certified runs and growth: pieces that need no data."""

from __future__ import annotations

import numpy as np
import pytest

from compactml.chapters.feature_selection.plans import GROWTH_METHODS, growth
from compactml.chapters.feature_selection.trials import beyond
from compactml.feature_selection import FractionalProgram
from compactml.feature_selection.solving import solve
from compactml.study.profile import Profile


def random_program(p: int, seed: int) -> FractionalProgram:
    rng = np.random.default_rng(seed)
    b = rng.random((p, p))
    d = rng.random((p, p))
    return FractionalProgram(rng.random(p), b + b.T, rng.random(p) + 0.1, d + d.T, measure="general")


def test_smaller_sets_of_columns_are_parts_of_larger_ones() -> None:
    large = beyond.columns(50, 80, seed=4)
    assert len(set(large)) == 50
    assert beyond.columns(20, 80, seed=4).tolist() == large[:20].tolist()


def test_the_part_of_a_program_has_the_same_values() -> None:
    whole = random_program(7, 0)
    chosen = np.array([5, 1, 3])
    own = beyond.part(whole, chosen)
    for support in ([0], [1, 2], [0, 1, 2]):
        assert own.value(support) == pytest.approx(whole.value(chosen[support]))
    assert own.features.tolist() == [5, 1, 3]
    assert own.names == ("5", "1", "3")


def test_a_certificate_of_another_program_is_refused_and_none_is_not_verified() -> None:
    zeros, ones = np.zeros(4), np.ones((4, 4))
    rng = np.random.default_rng(2)
    redundancy = rng.random((4, 4)) / 4 + np.eye(4)
    redundancy += redundancy.T
    own, better = (
        FractionalProgram(zeros, relevance[:, None] - redundancy, zeros, ones, measure="mrmr")
        for relevance in (rng.random(4), 5 + rng.random(4))
    )
    found = solve(own)
    checked = beyond.checked(own, found)
    assert (checked.certificate_verified, checked.refused) == (1, None)
    assert (checked.certificate_bytes or 0) > 0
    other = beyond.checked(better, found)
    assert other.certificate_verified == 0
    assert "certificate" in str(other.refused)
    without = beyond.checked(own, solve(own, method="newton"))
    assert (without.certificate_verified, without.refused) == (0, None)
    assert (without.verify_seconds, without.certificate_bytes) == (None, None)


def test_the_rows_of_a_growth_study_and_their_limits() -> None:
    quick, standard = (growth(profile) for profile in (Profile.QUICK, Profile.STANDARD))
    assert 0 < len(quick) < len(standard)
    assert {one.method for one in standard} == set(GROWTH_METHODS)
    assert all(beyond.growth_cost(one) > 0 for one in standard)
