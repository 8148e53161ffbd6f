"""The tables of the scan and of single trees, on rows made by hand, and on none."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from compactml.chapters.pace.readings import scan_table, single_table
from compactml.chapters.pace.shown import readings
from compactml.chapters.pace.trials.paper import PRUNE
from compactml.chapters.pace.trials.readings import SINGLE, TIME
from compactml.study.page.html import ShownTable
from compactml.study.recording.results import Results
from tests.chapters.pace.toy_results import results
from tests.chapters.pace.toy_tables import row, scanned

INITIAL = {"initial_size": 25, "initial_leaves": 50, "initial_path_length": 25.0}


@pytest.mark.usefixtures("nothing_recorded")
@pytest.mark.parametrize(
    "make", [readings.whole_space, readings.forests, readings.boosted, readings.our_order, readings.single]
)
def test_what_is_shown_needs_no_recorded_row(make: Callable[[Results], ShownTable]) -> None:
    assert isinstance(make(results()), ShownTable)


def test_means_of_a_scan_are_those_of_certified_runs() -> None:
    rows = pd.DataFrame(
        [
            scanned("Seeds", 1, path_length=3.0),
            scanned("Fico", 3, path_length=5.0),
            scanned("Pol", 1, path_length=99.0, certified=0, ended=TIME),
        ]
    )
    (line,) = scan_table(rows).to_dict("records")
    counts = ("runs", "certified", "out of time", "single trees")
    assert [line[name] for name in counts] == [3, 2, 1, 1]
    assert (line["learners"], line["leaves"], line["tests"]) == (2.0, 18.0, 4.0)


def test_sizes_stand_beside_those_of_the_initial_ensemble() -> None:
    rows = pd.DataFrame(
        [
            row("Seeds", SINGLE, 1, total_leaves=40, path_length=5.0, **INITIAL),
            row("Seeds", SINGLE, 1, total_leaves=60, path_length=6.0, seed=1, **INITIAL),
            row("Seeds", PRUNE, 7, total_leaves=14, path_length=7.0, **INITIAL),
        ]
    )
    (line,) = single_table(rows).to_dict("records")
    assert (line["learners, initial"], line["leaves, initial"]) == (25, 50)
    assert (line[f"leaves, {SINGLE}"], line[f"tests, {SINGLE}"]) == (50, 5.5)
    assert (line[f"learners, {PRUNE}"], line[f"leaves, {PRUNE}"]) == (7, 14)
