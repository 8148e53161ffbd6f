"""Rows of Tables 2 and 3 from made-up trials."""

from __future__ import annotations

import pandas as pd
import pytest

from compactml.chapters.condition_sharing import rows as frames
from tests.chapters.condition_sharing.toy_tables import folds

CHANGES = {
    "TeA": [0.2, 0.4, 0.6, 0.8, 1.0],  # mean 0.6
    "TeA_shared": [0.8, 0.8, 0.8, 0.8, 0.4],  # mean 0.72
    "TeA_tree": 0.54,
    "NDC": [10.0, 20.0, 30.0, 40.0, 50.0],  # mean 30
    "NDC_shared": 15.0,
    "NDC_tree": [3.0, 6.0, 9.0, 12.0, 15.0],  # mean 9
    "ties": [0, 1, 0, 1, 1],  # mean 0.6 of 10 test rows
    "ties_shared": [2, 0, 0, 0, 0],  # mean 0.4
    "ties_tree": 1,
}


def cells(frame: pd.DataFrame, column: str = "value") -> dict[str, float]:
    return dict(zip(frame["measure"], frame[column], strict=True))


def test_table_2_has_means_over_folds_and_ratios_of_means() -> None:
    frame = frames.table_2(folds("iris", "RF", **CHANGES))
    assert list(frame.columns) == [*frames.CELL, "value", "ties"]
    assert set(zip(frame["dataset"], frame["learner"], strict=True)) == {("iris", "RF")}
    assert cells(frame) == pytest.approx({"TrA": 1.0, "TeA": 0.6, "NDC": 30, "SR": 15 / 30, "AR": 0.72 / 0.6})
    movable = {"TrA": 0, "TeA": 0.06, "NDC": 0, "SR": 0, "AR": (0.06 + 0.04) / 0.6}
    assert cells(frame, "ties") == pytest.approx(movable)


def test_table_3_compares_bootstrap_samples_with_all_rows() -> None:
    frame = frames.table_3([*folds("iris", "RF", **CHANGES), *folds("iris", "ABoost", **CHANGES)])
    assert set(frame["learner"]) == {"RF"}
    ratios = {"SR_all": 15 / 30, "SR_tree": 9 / 30, "SR_tree_over_all": 9 / 15}
    ratios |= {"AR_all": 0.72 / 0.6, "AR_tree": 0.54 / 0.6, "AR_tree_over_all": 0.54 / 0.72}
    assert cells(frame) == pytest.approx(ratios)
    movable = {"AR_all": 0.1 / 0.6, "AR_tree": 0.16 / 0.6, "AR_tree_over_all": 0.14 / 0.6}
    assert cells(frame, "ties") == pytest.approx(dict.fromkeys(ratios, 0.0) | movable)


def test_fits_without_all_folds_are_left_out() -> None:
    complete, incomplete = folds("wdbc", "RF"), folds("iris", "RF")[:-1]
    for table in (frames.table_2, frames.table_3):
        assert set(table([*complete, *incomplete])["dataset"]) == {"breast cancer"}
        for nothing in (table(incomplete), table([])):
            assert nothing.empty
            assert list(nothing.columns) == [*frames.CELL, "value", "ties"]


def test_rows_come_in_the_order_of_the_paper() -> None:
    trials = [*folds("wdbc", "GBoost"), *folds("wdbc", "RF"), *folds("iris", "ABoost")]
    frame = frames.table_2(trials)
    fits = list(dict.fromkeys(zip(frame["dataset"], frame["learner"], strict=True)))
    assert fits == [("iris", "ABoost"), ("breast cancer", "RF"), ("breast cancer", "GBoost")]
    assert frame["measure"].to_list() == list(frames.TABLE_2) * 3
