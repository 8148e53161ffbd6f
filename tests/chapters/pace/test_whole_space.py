"""Printed sizes of Table 4 within the scatter of our runs."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from compactml.chapters.pace.printed import printed_sizes
from compactml.chapters.pace.trials.paper import FIPE
from compactml.chapters.pace.whole_space import (
    PRINTED_RUNS,
    intervals,
    intervals_picture,
    single_run,
    size_fits,
)
from compactml.study.page.picture import WIDE
from tests.chapters.pace.toy_tables import whole_space_runs as runs

PRINTED = printed_sizes("table_4")[FIPE].loc[("Seeds", "random_forest")]


def test_the_interval_is_students_for_a_rounded_mean_of_five() -> None:
    (one,) = intervals(runs(-3, -1)).to_dict("records")
    reach = 12.7062 * math.sqrt(2) * math.sqrt(1 / 5 + 1 / 2) + 0.5  # t(1) of 97.5 %, deviation of the two
    assert [one["runs"], one["mean"], one["printed"]] == [2, PRINTED - 2, PRINTED]
    assert [one["low"], one["high"]] == pytest.approx([PRINTED - 2 - reach, PRINTED - 2 + reach], rel=1e-5)
    assert one["inside"]
    assert not one["near"]


def test_as_many_printed_means_are_inside_and_near_as_is_said() -> None:
    random = np.random.default_rng(0)
    n, trials = 20, 4000
    ours, print_ = random.normal(14.2, 2.0, (trials, n)), random.normal(14.2, 2.0, (trials, PRINTED_RUNS))
    printed = np.round(print_.mean(axis=1))
    found = [intervals(runs(*(own - PRINTED))).iloc[0] for own in ours[:200]]
    low, high, chance = (np.array([one[name] for one in found]) for name in ("low", "high", "chance"))
    assert ((low <= printed[:200]) & (printed[:200] <= high)).mean() > 0.95
    near = np.abs(np.round(ours.mean(axis=1)) - printed) <= 1
    assert chance.mean() == pytest.approx(near.mean(), abs=0.03)


def test_single_runs_and_uncertified_ones_have_no_interval() -> None:
    rows = [runs(0), runs(0, 1, dataset="Pol", certified=0), runs(0, 1, dataset="Fico", alpha=0.1)]
    assert intervals(pd.concat(rows)).empty


def test_runs_that_agree_leave_nothing_to_chance() -> None:
    (one,) = intervals(runs(1, 1, 1)).to_dict("records")
    assert [one["low"], one["high"], one["chance"]] == pytest.approx([PRINTED + 0.5, PRINTED + 1.5, 1.0])
    assert one["near"]
    assert not one["inside"]


def test_the_size_with_the_most_inside_comes_first() -> None:
    far = [runs(4, 4.1, n_learners=75), runs(0, 0.1, n_learners=75, dataset="Pol")]
    near = [runs(0, 0.1), runs(0, 0.1, dataset="Pol")]
    found = intervals(pd.concat(far + near))
    fits = size_fits(found)
    assert fits["n_learners"].to_list() == [50, 75]
    assert fits["inside"].to_list() == fits["within 1"].to_list() == [2, 1]
    assert len(intervals_picture(found, WIDE).axes) == 2
    assert size_fits(found.iloc[:0]).empty
    assert len(intervals_picture(found.iloc[:0], WIDE).axes) == 1


def test_a_single_run_has_its_own_nearest_size() -> None:
    rows = pd.concat(
        [
            runs(0, 9),
            runs(1, 9, dataset="Pol"),
            runs(0, 0, n_learners=75),
            runs(5, 0, n_learners=75, dataset="Pol"),
            runs(0, 0, dataset="Fico", certified=0),
        ]
    )
    assert single_run(rows, "random_forest") == (50, 2, 2)
    assert single_run(rows, "random_forest", 1) == (75, 2, 2)
    assert single_run(rows, "adaboost") == (0, 0, 0)
