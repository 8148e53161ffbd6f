"""Table 4 by two readings of the bins."""

from __future__ import annotations

import pandas as pd

from compactml.chapters.pace.bins import FIRST, reading_fits
from tests.chapters.pace.toy_tables import whole_space_runs as runs


def test_the_better_reading_comes_first_and_the_first_five_runs_are_counted_alone() -> None:
    drifting = pd.concat([runs(0, 0, 0, 0, 0.1, 9, 9, 9), runs(9, 9, 9.1, dataset="Pol")])
    found = reading_fits({"drifting": drifting, "right": runs(0, 0.1)})
    assert found["deciles of"].to_list() == ["right", "drifting"]
    assert found["within 1"].to_list() == [1, 0]
    assert found[FIRST + "datasets"].to_list() == [1, 2]
    assert found[FIRST + "within 1"].to_list() == [1, 1]


def test_readings_without_runs_have_no_rows() -> None:
    assert reading_fits({"none": runs(0).iloc[:0], "single": runs(0)}).empty
