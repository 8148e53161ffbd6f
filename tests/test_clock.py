"""The deadline that several steps share."""

import math

import pytest

from compactml.clock import Clock


def test_a_part_ends_with_the_whole_and_counts_from_the_same_start() -> None:
    whole = Clock(100.0)
    part, longer = whole.part(10.0), whole.part(1000.0)
    assert part.start == whole.start
    assert part.left == pytest.approx(10.0, abs=1.0)
    assert longer.left == pytest.approx(100.0, abs=1.0)
    assert part.seconds == pytest.approx(whole.seconds, abs=1.0)


def test_without_a_limit_it_never_stops_but_its_parts_do() -> None:
    endless = Clock(None)
    assert endless.left == math.inf
    assert not endless.stopped()
    assert endless.part(0.0).stopped()
    assert not endless.part(math.inf).stopped()


def test_an_allowance_is_a_share_of_what_is_left_or_none() -> None:
    assert Clock(None).allowance(0.5) is None
    assert Clock(100.0).allowance() == pytest.approx(100.0, abs=1.0)
    assert Clock(100.0).part(40.0).allowance(0.5) == pytest.approx(20.0, abs=1.0)
    assert Clock(0.0).allowance() == 0.0
