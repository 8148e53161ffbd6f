"""Points of Figs 4 and 5 from made-up trials, and the two ways to compare curves against their definitions."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from compactml.chapters.condition_sharing import curves
from compactml.chapters.condition_sharing.trials.relaxing import CLUSTERINGS, CLUSTERS, LEVELS, Relaxed
from compactml.study import Result
from compactml.study.results import columns
from tests.chapters.condition_sharing.toy_tables import folds

PLAIN: Result = dict.fromkeys(columns(Relaxed), 1.0)


def test_figure_4_has_every_ensemble_of_every_fold() -> None:
    changes: dict[str, list[float] | float] = {
        "NDC": [100, 150, 200, 250, 300],  # mean 200
        "NDC_shared": 100,
        "TeA": 0.8,
        "NDC_c=0.1": [4, 8, 12, 16, 10],  # mean 10
        "TeA_c=0.1": [0.4, 0.6, 0.6, 0.6, 0.6],  # mean 0.56
        "search_c=0.1": 0.5,
        "printed_c=0.1": 0.25,
        "TeA_lloyd_once=64": 0.72,
    }
    rows = curves.figure_4(folds("iris", "RF", "relaxation", PLAIN, **changes))
    assert list(rows.columns) == [*curves.POINT, "TeA", "NDC", "printed"]
    assert len(rows) == 5 * (2 + 3 * len(LEVELS) + len(CLUSTERINGS) * len(CLUSTERS))
    assert not rows[curves.POINT].duplicated().any()
    fold = rows[rows["fold"] == 1].set_index(["method", "level"])
    assert fold.loc[("original", 0.0), ["TeA", "NDC"]].to_list() == [0.8, 150]
    assert fold.loc[("c", 0.1), ["TeA", "NDC", "printed"]].to_list() == [0.6, 8, 0.25]
    assert fold.loc[("c, search", 0.1), ["TeA", "NDC", "printed"]].to_list() == [0.5, 8, 0]
    assert fold.loc[("Lloyd, once", 64.0), "TeA"] == 0.72
    means = curves.mean_points(rows).set_index(["method", "level"])
    assert means.loc[("c", 0.1), ["AR", "SR"]].to_list() == pytest.approx([0.56 / 0.8, 10 / 200])
    assert means.loc[("sharing", 0.0), "SR"] == pytest.approx(0.5)
    ratios = curves.fold_points(rows).set_index(["fold", "method", "level"])
    assert ratios.loc[(0, "c", 0.1), ["AR", "SR"]].to_list() == pytest.approx([0.5, 4 / 100])


def test_without_trials_there_is_no_row_and_every_column() -> None:
    assert list(curves.figure_4([]).columns) == [*curves.POINT, "TeA", "NDC", "printed"]
    assert curves.mean_points(curves.figure_4([])).empty


def test_costs_have_the_smallest_share_of_the_papers_program() -> None:
    changes: dict[str, list[float] | float] = {
        "printed_c=0.4": [1, 0.5, 1, 1, 1],
        "printed_c=0.5": 0.75,
        "c_seconds": 3,
    }
    costs = curves.relaxation_costs(folds("iris", "ERT", "relaxation", PLAIN, **changes))
    assert costs["printed"].to_list() == [0.75, 0.5, 0.75, 0.75, 0.75]
    assert costs["c_seconds"].to_list() == [3] * 5


def random_points(seed: int) -> pd.DataFrame:
    """Two datasets with points on a coarse grid, so that ties occur, and the original among them."""
    rng = np.random.default_rng(seed)
    n = 30
    points = pd.DataFrame(
        {
            "dataset": rng.choice(["a", "b"], n),
            "learner": "RF",
            "method": rng.choice(["sharing", "c", "sigma", "Lloyd"], n),
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
    assert set(curves.pareto(points).index) == expected


def test_pareto_takes_only_points_above_the_least_accuracy() -> None:
    points = random_points(0).assign(AR=0.95)
    assert curves.pareto(points).empty
    assert not curves.pareto(points, least_accuracy=0.94).empty


@pytest.mark.parametrize("method", ["c", "sigma", "Lloyd"])
@pytest.mark.parametrize("seed", range(5))
def test_curve_score_is_the_mean_log_of_the_smallest_size_at_each_accuracy(seed: int, method: str) -> None:
    points = random_points(seed).query("dataset == 'a'")
    allowed = {"original", method} | ({"sharing"} if method != "Lloyd" else set())
    logs = []
    for i in range(11):
        level = np.linspace(0.95, 1.0, 11)[i]
        sizes = [row.SR for row in points.itertuples() if row.method in allowed and level <= row.AR]
        logs.append(math.log(min(sizes)))
    assert curves.curve_score(points, method) == pytest.approx(sum(logs) / 11)
