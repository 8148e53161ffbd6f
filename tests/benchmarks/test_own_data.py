"""The script that calls every method as a user does tells what a user would be wronged by."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks import own_data
from benchmarks.own_data import Row

GOOD = Row(size_before=9, size_after=3, quality_before=0.8, quality_after=0.8, proved=True)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"size_after": 10}, "larger than its input"),
        ({"quality_after": 0.79}, "worse than its input"),
        ({"certified": False}, "less certain than its input"),
        ({"proved": False}, "ended early without a word"),
    ],
)
def test_each_fault_is_named(change: dict[str, float], fault: str) -> None:
    assert GOOD.faults() == []
    assert replace(GOOD, **change).faults() == [fault]
    assert replace(GOOD, proved=False, warned=True).faults() == []


def test_a_call_of_its_own_process_is_reported() -> None:
    row = own_data.call("penguins", "CFSSelector", 60.0)
    assert row.faults() == []
    assert (row.size_before, row.size_after) == (4, 4)
    assert row.test_accuracy > 0.9
    printed, ended = own_data.process(["--call", "penguins", "nothing", "1"], 120)
    assert (printed, ended) == ("", "KeyError: 'nothing'")


def test_a_process_ends_after_its_seconds_of_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_data, "PATIENCE", 600)
    printed, ended = own_data.process(["--call", "penguins", "PaceClassifier", "60"], 1)
    assert (printed, ended) == ("", "killed after 1 s of the processor")
