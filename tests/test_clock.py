"""The deadline that several steps share."""

import math
import threading
import time

import pytest
from numba import njit

from compactml import clock
from compactml.clock import Clock, Standstill
from compactml.compiling import announce


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


def test_a_clock_that_is_ended_stops_and_its_seconds_go_on() -> None:
    clock, endless = Clock(100.0), Clock(None)
    clock.end()
    endless.end()
    assert clock.stopped()
    assert clock.left == 0.0
    assert clock.limit == 100.0
    assert clock.seconds < 50.0
    assert not endless.stopped()


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that the module sees; entry 0 is now."""
    now = [0.0]
    monkeypatch.setattr(clock.time, "perf_counter", lambda: now[0])
    monkeypatch.setattr(clock, "COMPILING", Standstill())
    return now


def test_a_clock_stands_still_while_something_is_compiled(seconds: list[float]) -> None:
    running = Clock(10.0)
    seconds[0] += 1.0
    clock.COMPILING.begin()
    clock.COMPILING.begin()  # within the first one
    seconds[0] += 50.0
    clock.COMPILING.end()
    assert running.seconds == 1.0
    seconds[0] += 50.0
    assert running.seconds == 1.0
    assert not running.stopped()
    clock.COMPILING.end()
    seconds[0] += 8.0
    assert (running.seconds, running.left, Clock(5.0).left) == (9.0, 1.0, 5.0)
    seconds[0] += 1.0
    assert running.stopped()


def test_it_stands_still_until_the_last_thread_is_done(seconds: list[float]) -> None:
    running = Clock(None)
    other = threading.Thread(target=clock.COMPILING.begin)
    other.start()
    other.join()
    clock.COMPILING.begin()
    seconds[0] += 3.0
    clock.COMPILING.end()
    seconds[0] += 3.0
    assert running.seconds == 0.0


def test_what_an_interrupt_has_left_open_is_ended(seconds: list[float]) -> None:
    running = Clock(None)
    clock.COMPILING.begin()
    clock.COMPILING.begin()
    seconds[0] += 3.0
    clock.COMPILING.leave()
    seconds[0] += 2.0
    assert running.seconds == 2.0
    clock.COMPILING.leave()  # nothing is open
    seconds[0] += 2.0
    assert running.seconds == 4.0


def test_numba_tells_when_it_compiles() -> None:
    announce()
    running, begin = Clock(None), time.perf_counter()
    assert njit(lambda n: n + 1)(1) == 2
    took = time.perf_counter() - begin
    assert running.seconds < took / 2
