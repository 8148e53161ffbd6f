"""Trials of Nakamura and Sakurada (2022): two datasets end to end against the printed tables, and the lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

from compactml.chapters.condition_sharing import NAME
from compactml.chapters.condition_sharing import rows as frames
from compactml.chapters.condition_sharing.chapter import CHAPTER
from compactml.chapters.condition_sharing.datasets import BY_KEY, DATASETS
from compactml.chapters.condition_sharing.trials import relaxing
from compactml.chapters.condition_sharing.trials.paper import N_FOLDS, count_ties
from compactml.chapters.condition_sharing.trials.relaxing import CLUSTERINGS, CLUSTERS, LEVELS
from compactml.condition_sharing import Intervals
from compactml.study import Profile, Store, Trial
from compactml.study.judging.comparison import same_digits
from compactml.study.recording.published import published
from compactml.study.running import engine
from compactml.study.running.engine import Finished

# Five folds of 21 datasets with 4 learners, of 21 with the 2 bagged ones, of the 14 small ones with all 4.
SIZES = {
    "fig_1": 0, "table_1": 0, "table_2": 420, "fig_2": 420, "table_3": 210, "fig_3": 210, "fig_4": 280, "fig_5": 280,
    "relaxation_cost": 280,
}  # fmt: skip


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> list[Finished]:
    """All folds of two datasets that ship with scikit-learn, with the learners that later versions did not move."""
    trials = [
        Trial(NAME, "sharing", key, method=learner, fold=fold)
        for key in ("iris", "wdbc")
        for learner in ("RF", "ABoost", "ERT")
        for fold in range(N_FOLDS)
    ]
    with Store(tmp_path_factory.mktemp("store") / "results.sqlite") as store:
        return engine.run(CHAPTER, trials, store=store, progress=False)


@pytest.mark.parametrize(
    ("table", "rows", "n_cells"),
    [("table_2", frames.table_2, 2 * 3 * 5), ("table_3", frames.table_3, 2 * 2 * 6)],
)
def test_every_printed_digit_comes_out(
    table: str, rows: Callable[[list[Finished]], pd.DataFrame], n_cells: int, finished: list[Finished]
) -> None:
    cells = rows(finished).merge(published(NAME, table), on=frames.CELL, suffixes=("", "_printed"))
    assert len(cells) == n_cells
    same = [same_digits(*pair) for pair in zip(cells["value"], cells["value_printed"], strict=True)]
    assert cells[~np.array(same)].empty, cells[~np.array(same)].to_string()


def test_no_training_path_changes_and_every_row_is_tested_once(finished: list[Finished]) -> None:
    for one in finished:
        assert one.result["paths_changed"] == 0
        assert one.result["paths_changed_tree"] in (0, None)
    for key, n_rows in (("iris", 150), ("wdbc", 569)):
        tested = [one for one in finished if (one.trial.dataset, one.trial.method) == (key, "RF")]
        assert sum(one.result["n_test"] for one in tested) == n_rows  # type: ignore[misc]


@pytest.mark.parametrize("learner", ["RF", "GBoost"])
def test_relaxations_keep_what_they_promise_and_shrink_with_their_level(learner: str) -> None:
    result: dict[str, Any] = CHAPTER.run(Trial(NAME, "relaxation", "iris", method=learner, fold=0))
    assert result["certified"] == 1
    for name in ("sigma", "c"):
        sizes = [result["NDC_shared"], *(result[f"NDC_{name}={level}"] for level in LEVELS)]
        assert sizes == sorted(sizes, reverse=True)
        assert sizes[-1] < sizes[0]
    for name in CLUSTERINGS:
        clusters = [*(result[f"NDC_{name}={k}"] for k in CLUSTERS), result["NDC"]]
        assert clusters == sorted(clusters)
        assert clusters[0] == 2 * 4  # two thresholds for each of the four features
    assert {result[f"printed_c={level}"] for level in LEVELS} == {1}  # iris is small
    assert min(result[f"{name}_seconds"] for name in ("sigma", "c", "search")) > 0


def test_the_papers_program_takes_its_share_of_the_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    feature = np.repeat([0, 1, 2], [10, 20, 30])
    intervals = Intervals(feature, feature, feature, *(np.zeros(60) for _ in range(3)))
    monkeypatch.setattr(relaxing, "DYNAMIC_UP_TO", 20 * 2**2)
    assert relaxing.printed_share(intervals, 0.1) == 30 / 60  # 30 * 3**2 is too much
    assert relaxing.printed_share(intervals, 0.0) == 1


class Voter(ClassifierMixin, BaseEstimator):
    """A classifier whose rows are its votes."""

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        return X


class Margin(ClassifierMixin, BaseEstimator):
    """A boosted classifier of two classes whose rows are its margins."""

    def decision_function(self, X: np.ndarray) -> np.ndarray:
        return X[:, 0]


class Line(RegressorMixin, BaseEstimator):
    """A regressor has no votes."""


def test_ties_are_equal_best_scores_but_for_rounding() -> None:
    votes = [
        [0.3, 0.4, 0.3],
        [0.4, 0.4, 0.2],
        [0.7 - 0.3, 0.2, 0.4],
        [0.41, 0.2, 0.39],
    ]
    assert 0.7 - 0.3 != 0.4
    assert count_ties(Voter(), np.array(votes)) == 2
    assert count_ties(Margin(), np.array([[0.1 + 0.2 - 0.3], [1e-3], [-1e-3]])) == 1
    assert count_ties(Line(), np.array(votes)) == 0


def test_datasets_are_those_of_table_1() -> None:
    ours = [
        {
            "dataset": one.name, "n": str(one.n), "d": str(one.d),
            "task": "classification" if one.classification else "regression", "n_classes": str(one.n_classes or ""),
        }
        for one in DATASETS
    ]  # fmt: skip
    assert ours == published(NAME, "table_1")[list(ours[0])].to_dict("records")
    assert len(BY_KEY) == len(DATASETS)


@pytest.mark.parametrize("table", SIZES)
def test_the_paper_profile_is_the_papers(table: str) -> None:
    quick, paper = (CHAPTER.trials(table, profile) for profile in (Profile.QUICK, Profile.PAPER))
    assert len(paper) == SIZES[table]
    assert bool(quick) == bool(paper)
    assert {trial.dataset for trial in paper} <= set(BY_KEY)
