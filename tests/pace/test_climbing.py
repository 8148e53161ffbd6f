"""The local search: what it returns separates, and no single code would do more."""

import numpy as np
import pytest

from compactml.clock import Clock
from compactml.pace.separation.climbing import N_STARTS, Climber, climb
from tests.pace.small_separations import problem


@pytest.mark.parametrize("seed", range(8))
def test_points_separate_and_are_local_optima(seed):
    small = problem(seed, generated=1)
    climber = Climber(small.grid, small.region)
    for pair in small.truth():
        label, other = pair
        found = climber.climb(small.current, pair, small.cells, Clock(None))
        separating = {tuple(x) for x in small.separating(pair).tolist()}
        assert {tuple(x) for x in found.tolist()} <= separating
        assert bool(len(found)) == bool(separating)  # every cell was a start
        assert len(found) <= N_STARTS
        for point in found:
            differ = (small.cells != point).sum(axis=1) <= 1
            near = small.cells[differ]
            near = near[small.region.contains(near) & (small.region.labels(near) == label)]
            scores = small.current.scores(np.vstack([point, near]))
            lead = scores[:, other] - scores[:, label]
            assert lead[0] == lead.max()


def test_all_pairs_together():
    small = problem(3)
    climber = Climber(small.grid, small.region)
    parts = [climber.climb(small.current, pair, small.cells, Clock(None)) for pair in small.truth()]
    found = climb(small.grid, small.region, small.current, small.cells)
    np.testing.assert_array_equal(found, np.unique(np.concatenate(parts), axis=0))
    assert len(found) > 0


def test_starts_outside_the_region_and_no_time_give_nothing():
    small = problem(3)
    outside = small.cells[~small.region.contains(small.cells)]
    assert len(outside) > 0
    assert len(climb(small.grid, small.region, small.current, outside)) == 0
    assert len(climb(small.grid, small.region, small.current, small.cells, time_limit=0.0)) == 0


def test_no_pair_is_begun_when_the_time_is_over(monkeypatch):
    small = problem(3)
    asked = []
    monkeypatch.setattr(Climber, "climb", lambda _, __, pair, starts, ___: asked.append(pair) or starts[:0])
    climb(small.grid, small.region, small.current, small.cells, time_limit=0.0)
    assert asked == []
    climb(small.grid, small.region, small.current, small.cells)
    assert len(asked) == len(small.truth())
