"""Branch and bound and the constraint program in turn."""

import numpy as np
import pytest

from compactml.clock import Clock
from compactml.pace.separation import alternating
from compactml.pace.separation.alternating import AlternatingSeparation
from compactml.pace.separation.branching import Hunt
from compactml.pace.separation.constraint_program import ConstraintSeparation
from tests.clocks import Looks
from tests.pace.small_separations import problem


def answers(seed):
    """Whether an answer is right, for every pair of a small problem."""
    small = problem(seed, generated=2)
    engine = AlternatingSeparation(small.grid, small.region)
    for pair, faithful in small.truth().items():
        point, proved = engine.solve(small.current, pair, Clock(None))
        assert proved is True
        yield (point is None) == faithful and (
            faithful or (small.separating(pair) == point).all(axis=1).any()
        )


@pytest.mark.parametrize("seed", range(4))
def test_the_program_answers_where_the_search_stands_still(seed, monkeypatch):
    monkeypatch.setattr(Hunt, "advance", lambda self, n_nodes, clock: False)
    assert all(answers(seed))


@pytest.mark.parametrize("seed", [1, 2, 4, 10])  # more than one node
def test_the_search_goes_on_where_the_program_knows_nothing(seed, monkeypatch):
    tries = []

    def nothing(self, current, pair, clock):
        while True:
            tries.append(pair)
            yield None, False

    monkeypatch.setattr(ConstraintSeparation, "attempts", nothing)
    monkeypatch.setattr(alternating, "FIRST_NODES", 1)
    assert all(answers(seed))
    assert tries


def test_easy_problems_need_no_program(monkeypatch):
    monkeypatch.setattr(AlternatingSeparation, "_constraint_program", None)
    assert all(answers(0))


def test_without_time_nothing_is_known_and_no_program_is_built(monkeypatch):
    monkeypatch.setattr(AlternatingSeparation, "_constraint_program", None)
    small = problem(1)
    engine = AlternatingSeparation(small.grid, small.region)
    for pair in small.truth():
        point, proved = engine.solve(small.current, pair, Clock(1e-9))
        assert point is None
        assert proved is False


@pytest.mark.parametrize("objective", [False, True])
def test_every_try_says_what_is_known(objective):
    small = problem(3, generated=2)
    engine = ConstraintSeparation(small.grid, small.region, not objective, objective)
    for pair, faithful in small.truth().items():
        *before, (point, final) = engine.attempts(small.current, pair, Clock(None))
        assert final
        assert not any(final for _, final in before)
        assert (point is None) == faithful
    assert list(engine.attempts(small.current, pair, Clock(1e-9))) == []
    np.testing.assert_equal(engine.solve(small.current, pair, Clock(1e-9)), (None, False))


def test_a_program_is_built_as_far_as_there_is_time_and_goes_on_from_there():
    """For 300 trees of depth 12 and five classes building took four seconds, whatever the limit was."""
    small = problem(3, generated=2)
    engine = ConstraintSeparation(small.grid, small.region, True, False)
    pair, built = next(iter(small.truth())), 0
    for _ in range(4):
        assert engine.solve(small.current, pair, Looks(2)) == (None, False)
        assert built < len(engine._order) + len(engine._leaves) <= built + 2
        built = len(engine._order) + len(engine._leaves)
    for pair, faithful in small.truth().items():
        point, proved = engine.solve(small.current, pair, Clock(None))
        assert proved
        assert (point is None) == faithful
