"""What the benchmark of limits counts, without its hard cases."""

from __future__ import annotations

import time

import pytest

from benchmarks import deadlines


def test_only_the_processor_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    def works(limit: float) -> None:
        start = time.process_time()
        while time.process_time() - start < limit:
            pass

    monkeypatch.setattr(
        deadlines, "CASES", {"sleeps": lambda: lambda limit: time.sleep(limit), "works": lambda: works}
    )
    monkeypatch.setattr(deadlines, "COMPILING", {"sleeps": (), "works": ()})
    assert deadlines.measure("works", 0.2) >= 0.2
    assert deadlines.measure("sleeps", 0.2) < 0.1


def test_every_case_is_compiled_before_it_is_measured() -> None:
    assert {name.split()[0] for name in deadlines.CASES} == set(deadlines.COMPILING)
