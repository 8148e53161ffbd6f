"""What the timing of pricing rests on: engines are timed where nothing is left to find."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from benchmarks import boolean_rules

ROWS = ("110", "011", "101", "100", "010", "001", "000")


def test_engines_are_timed_where_nothing_is_left_to_find(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = np.array([[int(digit) for digit in row] for row in ROWS], dtype=np.uint8)
    X, y = pd.DataFrame(matrix, columns=list("abc")), np.arange(len(ROWS)) < 3
    monkeypatch.setattr(boolean_rules, "problem", lambda dataset: (X, y))
    given = boolean_rules.pricings("any", 6)
    for pricing in given.engines.values():
        assert boolean_rules.timed(pricing, given.duals).proved
