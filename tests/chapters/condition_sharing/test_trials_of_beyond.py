"""Every trial of the third notebook once on a tiny size: what it counts is right; what it times is not judged."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from compactml.chapters.condition_sharing.chapter import CHAPTER
from compactml.chapters.condition_sharing.trials import beyond
from compactml.chapters.condition_sharing.trials.measuring import fitted
from compactml.condition_sharing import share_conditions
from compactml.condition_sharing.evaluator import condition_table
from compactml.forests import count_conditions
from compactml.study import Trial
from compactml.watch import recorded

ROWS, FEATURES, TREES = 400, 5, 4
DATA = f"synthetic:{ROWS}x{FEATURES}"


def trial(kind: str, learner: str = "RF", dataset: str = DATA, **parameters: int) -> Trial:
    return Trial("toy", kind, dataset, method=learner, parameters=tuple(parameters.items()))


def n_inner_nodes(forest: Any) -> int:
    return sum(int((tree.tree_.feature >= 0).sum()) for tree in forest.estimators_)


@pytest.mark.parametrize("learner", ["RF", "ERT"])
def test_speed_is_the_time_of_sharing_over_that_of_apply(learner: str) -> None:
    asked = trial("speed", learner, trees=TREES)
    result: dict[str, Any] = CHAPTER.run(asked)
    assert (result["n_rows"], result["n_features"]) == (ROWS, FEATURES)
    assert result["n_nodes"] == n_inner_nodes(fitted(asked)[0])
    assert min(result["apply_seconds"], result["interval_seconds"], result["set_seconds"]) > 0
    sharing = result["interval_seconds"] + result["set_seconds"]
    assert result["ratio"] == pytest.approx(sharing / result["apply_seconds"])


def test_growth_counts_the_visits_of_the_rows_that_each_tree_was_fitted_on() -> None:
    asked = trial("growth", "ERT", trees=TREES)
    result: dict[str, Any] = CHAPTER.run(asked)
    forest, X = fitted(asked)
    visits = sum(
        tree.decision_path(X[np.unique(rows)].astype(np.float32)).sum()
        for tree, rows in zip(forest.estimators_, forest.estimators_samples_, strict=True)
    )
    assert (result["n_rows"], result["n_nodes"]) == (ROWS, n_inner_nodes(forest))
    assert result["row_visits"] == visits
    assert result["interval_seconds"] > 0
    assert result["peak_mib"] >= 0


def test_evaluator_counts_the_conditions_of_the_three_models() -> None:
    asked = trial("evaluator", trees=TREES)
    result: dict[str, Any] = CHAPTER.run(asked)
    forest, X = fitted(asked)
    with recorded():
        exceptional = share_conditions(forest, X, exceptions=0.1).ensemble_
    models = {"before": forest, "shared": share_conditions(forest, X).ensemble_, "exceptions": exceptional}
    for name, model in models.items():
        assert result[f"NDC_{name}"] == count_conditions(model)
        assert result[f"rank_bytes_{name}"] == condition_table(model).rank_dtype.itemsize
        assert min(result[f"bank_seconds_{name}"], result[f"rank_seconds_{name}"]) > 0
    assert result["NDC_exceptions"] < result["NDC_shared"] < result["NDC_before"]


def test_tradeoff_shrinks_with_either_relaxation_and_starts_from_plain_sharing() -> None:
    asked = trial("tradeoff", trees=TREES)
    result: dict[str, Any] = CHAPTER.run(asked)
    grid = np.array([[result[f"NDC_sigma={s}_c={c}"] for c in beyond.GRID] for s in beyond.GRID])
    assert grid[0, 0] <= result["NDC"]
    assert (np.diff(grid, axis=1) <= 0).all()
    assert (np.diff(grid[:, 0]) <= 0).all()
    assert grid[-1, -1] < grid[0, 0]
    accuracies = [value for name, value in result.items() if name.startswith("TeA")]
    assert len(accuracies) == 1 + grid.size
    assert all(0 <= value <= 1 for value in accuracies)


def test_baseline_is_never_better_than_the_exact_clusters() -> None:
    result: dict[str, Any] = CHAPTER.run(trial("baseline", trees=TREES))
    assert result["n_features"] == FEATURES
    exact = [result[f"exact_k={k}"] for k in beyond.CLUSTERS]
    lloyd = [result[f"lloyd_k={k}"] for k in beyond.CLUSTERS]
    assert all(best <= found + 1e-12 for best, found in zip(exact, lloyd, strict=True))
    assert exact == sorted(exact, reverse=True)
    for k, best, found in zip(beyond.CLUSTERS, exact, lloyd, strict=True):
        assert (result[f"worse_k={k}"] > 0) == (found > best * (1 + 1e-9) + 1e-15)


@pytest.mark.parametrize(("p", "c", "seed"), [(30, 0, 0), (60, 12, 1), (60, 30, 2)])
def test_search_finds_as_few_points_as_the_dynamic_program(p: int, c: int, seed: int) -> None:
    asked = Trial("toy", "search", "synthetic:intervals", seed=seed, parameters=(("p", p), ("c", c)))
    result: dict[str, Any] = CHAPTER.run(asked)
    assert 0 < result["points"] == result["points_dynamic"] <= p - c
    assert min(result["seconds"], result["seconds_dynamic"]) > 0
