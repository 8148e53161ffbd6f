"""What the table of scale rests on: each case does its work, and ends with a proof where it is small."""

from __future__ import annotations

import pytest

from benchmarks.scale import CASES, Size

SMALL: dict[str, Size] = {
    "rules": (60, 6),
    "CFS": (60, 12),
    "mRMR": (60, 12),
    "sharing": (60, 3),
    "voters": (50, 4),
    "Pace": (4, 2),
}


@pytest.mark.parametrize("method", CASES)
def test_a_small_case_of_each_method_ends_with_its_proof(method: str) -> None:
    prepare, _ = CASES[method]
    proved, answer = prepare(SMALL[method])()
    assert proved
    assert answer
