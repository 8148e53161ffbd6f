"""What the caller of a long run sees of it."""

from __future__ import annotations

import math
import warnings

import pytest

from compactml.clock import Clock
from compactml.errors import InvalidParameterError
from compactml.watch import EndedEarlyWarning, News, Watch, checked_limit, gap_of, recorded


@pytest.mark.parametrize(
    ("value", "bound", "gap"),
    [(10, 8, 0.2), (-10, -12, 0.2), (5, 5, 0.0), (0, 0, 0.0), (0, -1, math.inf), (math.inf, 3, math.inf)],
)
def test_gap_is_relative_to_the_value(value: float, bound: float, gap: float) -> None:
    assert gap_of(value, bound) == pytest.approx(gap)


def test_changes_are_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    heard: list[News] = []
    watch = Watch("pruning", Clock(None), verbose=True, callback=heard.append)
    for value, bound in ((10, 5), (10, 5), (8, 5), (8, 8)):
        watch.tell(value, bound)
    assert [(news.value, news.bound, news.gap) for news in heard] == [(10, 5, 0.5), (8, 5, 0.375), (8, 8, 0)]
    assert [news.seconds for news in heard] == sorted(news.seconds for news in heard)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert lines[1].startswith("pruning: value 8, bound 5, gap 37.50%, ")


def test_a_quiet_run_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    Watch("pruning", Clock(None)).tell(1, 1)
    assert capsys.readouterr().out == ""


def test_interrupt_keeps_the_answer_only_where_it_may() -> None:
    kept = Watch("pruning", Clock(None), keep=True)
    with kept.interruptible():
        raise KeyboardInterrupt
    assert kept.interrupted
    with pytest.raises(KeyboardInterrupt), Watch("pruning", Clock(None)).interruptible():
        raise KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt), recorded(), kept.interruptible():
        raise KeyboardInterrupt


def test_interrupt_that_leaves_compiled_code_is_one() -> None:
    kept = Watch("pruning", Clock(None), keep=True)
    with kept.interruptible():
        raise SystemError("returned a result with an exception set") from KeyboardInterrupt()
    assert kept.interrupted
    with pytest.raises(KeyboardInterrupt), Watch("pruning", Clock(None)).interruptible():
        raise SystemError("returned a result with an exception set") from KeyboardInterrupt()
    with pytest.raises(SystemError), kept.interruptible():
        raise SystemError("another one")


def test_warning_has_value_bound_and_gap() -> None:
    watch = Watch("pruning", Clock(5.0), keep=True)
    with pytest.warns(
        EndedEarlyWarning, match=r"pruning: time_limit=5 s .* value 8, proved bound 4, gap 50.00%"
    ):
        watch.warn(8, 4)
    with pytest.warns(EndedEarlyWarning, match=r"work_limit=7 .* no gap is known"):
        watch.warn(math.inf, 4, limit="work_limit=7")
    with watch.interruptible():
        raise KeyboardInterrupt
    with pytest.warns(EndedEarlyWarning, match="an interrupt ended the work"):
        watch.warn(8, 4)


def test_a_recorded_run_does_not_warn() -> None:
    with warnings.catch_warnings(), recorded():
        warnings.simplefilter("error")
        Watch("pruning", Clock(5.0)).warn(8, 4)


@pytest.mark.parametrize("name", ["verbose", "callback"])
def test_refuses_what_it_cannot_use(name: str) -> None:
    with pytest.raises(InvalidParameterError, match=name):
        Watch("pruning", Clock(None), **{name: 3})  # type: ignore[arg-type]


def test_limit_is_seconds_or_none() -> None:
    assert checked_limit(None) is None
    assert checked_limit(2) == 2.0
    for wrong in (-1, math.inf, "5", True):
        with pytest.raises(InvalidParameterError, match="time_limit"):
            checked_limit(wrong)
