"""Rows of the tables from made-up trials, and the two ways to compare curves against their definitions."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from compactml.chapters.condition_sharing import rows as frames
from compactml.chapters.condition_sharing.trials.paper import CLUSTERS, LEVELS
from compactml.study import Result
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
    assert frames.figure_4(incomplete).empty


def test_rows_come_in_the_order_of_the_paper() -> None:
    trials = [*folds("wdbc", "GBoost"), *folds("wdbc", "RF"), *folds("iris", "ABoost")]
    frame = frames.table_2(trials)
    fits = list(dict.fromkeys(zip(frame["dataset"], frame["learner"], strict=True)))
    assert fits == [("iris", "ABoost"), ("breast cancer", "RF"), ("breast cancer", "GBoost")]
    assert frame["measure"].to_list() == list(frames.TABLE_2) * 3


def test_figure_4_has_every_level_as_ratios_of_means() -> None:
    suffixes = [f"{name}={level}" for name in ("sigma", "c") for level in LEVELS] + [
        f"k={k}" for k in CLUSTERS
    ]
    base: Result = {"TeA": 0.8, "NDC": 200, "TeA_shared": 0.8, "NDC_shared": 100}
    for i, suffix in enumerate(suffixes, 1):
        base |= {f"TeA_{suffix}": 0.4 + 0.01 * i, f"NDC_{suffix}": 100 - i}
    changes: dict[str, list[float] | float] = {
        "NDC": [100, 150, 200, 250, 300],
        "NDC_c=0.1": [4, 8, 12, 16, 10],
    }
    points = frames.figure_4(folds("iris", "RF", "relaxation", base, **changes))
    assert list(points.columns) == ["dataset", "learner", "method", "level", "AR", "SR"]
    found = {(row.method, row.level): (row.AR, row.SR) for row in points.itertuples()}
    assert len(found) == len(points) == 2 + len(suffixes)
    assert found["original", 0.0] == (1.0, 1.0)
    assert found["sharing", 0.0] == (1.0, 0.5)
    assert found["sigma", LEVELS[0]] == pytest.approx((0.41 / 0.8, 99 / 200))
    assert found["c", LEVELS[0]] == pytest.approx(((0.41 + 0.01 * len(LEVELS)) / 0.8, 10 / 200))
    assert found["k-means", CLUSTERS[-1]] == pytest.approx(
        ((0.4 + 0.01 * len(suffixes)) / 0.8, (100 - len(suffixes)) / 200)
    )


def random_points(seed: int) -> pd.DataFrame:
    """Two datasets with points on a coarse grid, so that ties occur, and the original among them."""
    rng = np.random.default_rng(seed)
    n = 30
    points = pd.DataFrame(
        {
            "dataset": rng.choice(["a", "b"], n),
            "learner": "RF",
            "method": rng.choice(["sharing", "c", "sigma", "k-means"], n),
            "AR": rng.integers(94, 104, n) / 100,
            "SR": 0.1 * rng.integers(1, 9, n),
        }
    )
    originals = [
        {"dataset": name, "learner": "RF", "method": "original", "AR": 1.0, "SR": 1.0} for name in "ab"
    ]
    return pd.concat([points, pd.DataFrame(originals)], ignore_index=True)


def dominated(point: pd.Series, points: pd.DataFrame) -> bool:
    """Whether another point is no worse in both ratios and better in one."""
    for _, other in points[points["dataset"] == point["dataset"]].iterrows():
        no_worse = other["AR"] >= point["AR"] and other["SR"] <= point["SR"]
        if no_worse and (other["AR"] > point["AR"] or other["SR"] < point["SR"]):
            return True
    return False


@pytest.mark.parametrize("seed", range(10))
def test_pareto_is_what_no_other_point_dominates(seed: int) -> None:
    points = random_points(seed)
    accurate = points[points["AR"] > 0.95]
    expected = {index for index, point in accurate.iterrows() if not dominated(point, accurate)}
    assert set(frames.pareto(points).index) == expected


def test_pareto_takes_only_points_above_the_least_accuracy() -> None:
    points = random_points(0).assign(AR=0.95)
    assert frames.pareto(points).empty
    assert not frames.pareto(points, least_accuracy=0.94).empty


@pytest.mark.parametrize("method", ["c", "sigma", "k-means"])
@pytest.mark.parametrize("seed", range(5))
def test_curve_score_is_the_mean_log_of_the_smallest_size_at_each_accuracy(seed: int, method: str) -> None:
    points = random_points(seed).query("dataset == 'a'")
    allowed = {"original", method} | ({"sharing"} if method != "k-means" else set())
    logs = []
    for i in range(11):
        level = np.linspace(0.95, 1.0, 11)[i]
        sizes = [row.SR for row in points.itertuples() if row.method in allowed and level <= row.AR]
        logs.append(math.log(min(sizes)))
    assert frames.curve_score(points, method) == pytest.approx(sum(logs) / 11)
