"""Rows of the tables from made-up trials, and the comparison of curves against its definition."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from compactml.chapters.boolean_rules import rows as frames
from compactml.chapters.boolean_rules.trials.engines import ENGINE
from tests.chapters.boolean_rules.toy_tables import done, folds


def test_tables_have_means_and_standard_errors_over_the_folds() -> None:
    trials = [
        *folds("pima", "RF", [0.5, 0.7], [None, None]),
        *folds("pima", "CG", [0.8, 0.7, 0.9], [4, 6, 8]),
    ]
    accuracy, size = frames.table_1(trials), frames.table_2(trials)
    assert accuracy.columns.to_list() == size.columns.to_list() == frames.TABLE_COLUMNS
    cg, forest = accuracy.to_dict("records")
    assert (cg["method"], forest["method"], forest["dataset"]) == ("CG", "RF", "pima")
    assert (cg["value"], cg["std_error"], cg["folds"]) == (
        pytest.approx(80),
        pytest.approx(10 / math.sqrt(3)),
        3,
    )
    assert size["method"].to_list() == ["CG"]  # no complexity for random forests
    assert (size["value"][0], size["std_error"][0]) == (6.0, pytest.approx(2 / math.sqrt(3)))


def test_a_single_fold_has_no_standard_error() -> None:
    assert np.isnan(frames.table_1(folds("pima", "CG", [0.8], [4]))["std_error"][0])


def test_rows_come_in_the_order_of_the_paper() -> None:
    trials = [
        *folds("wdbc", "CART", [0.9], [4]),
        *folds("wdbc", "CG", [0.9], [4]),
        *folds("banknote", "RF", [1.0], [0]),
    ]
    table = frames.table_1(trials)
    assert table[frames.CELL].to_numpy().tolist() == [["banknote", "RF"], ["WDBC", "CG"], ["WDBC", "CART"]]


def test_without_trials_there_are_no_rows() -> None:
    for make in (frames.table_1, frames.table_2):
        assert make([]).columns.to_list() == frames.TABLE_COLUMNS
    assert frames.figure_1([]).columns.to_list() == frames.POINT_COLUMNS
    assert frames.liver_reading([]).empty


def test_a_column_without_a_value_is_missing_and_not_dropped() -> None:
    refused = done("engine", "pima", "CPLEX", {"outcome": "ModelTooLargeError", "finished": 0}, C=10)
    rows = frames.trial_rows([refused], ENGINE, ("C",))
    assert rows.columns.to_list() == [
        "dataset", "method", "time_limit", "C", "outcome", "finished", "best", "bound", "price", "seconds",
    ]  # fmt: skip
    assert rows.loc[0, ["dataset", "C", "outcome"]].to_list() == ["pima", 10, "ModelTooLargeError"]
    assert rows[["time_limit", "best", "bound", "price", "seconds"]].isna().all(axis=None)
    assert rows["seconds"].dtype == float


def test_points_of_figure_1_are_means_for_each_value() -> None:
    trials = [
        done("trade_off", "pima", "CG", {"test_accuracy": accuracy, "complexity": size}, fold, value=value)
        for value, fold, accuracy, size in ((10, 0, 0.7, 8), (10, 1, 0.8, 10), (4, 0, 0.6, 4), (4, 1, 0.6, 4))
    ]
    points = frames.figure_1(trials)
    assert points.columns.to_list() == frames.POINT_COLUMNS
    few, many = points.to_dict("records")
    assert (few["parameter"], few["accuracy"], few["accuracy_error"]) == (4, pytest.approx(60), 0)
    assert (many["parameter"], many["accuracy"], many["complexity"]) == (10, pytest.approx(75), 9)
    assert (many["accuracy_error"], many["complexity_error"]) == (pytest.approx(5), pytest.approx(1))
    assert many["folds"] == 2


def test_liver_readings_are_named_and_in_percent() -> None:
    result = {"accuracy": 0.6, "std_error": 0.02, "majority": 0.5, "n_positive": 176}
    trials = [done("liver_reading", "liver", "RF", result, above=above) for above in (None, 2.0)]  # type: ignore[arg-type]
    found = frames.liver_reading(trials)
    assert found["class"].to_list() == ["selector", "drinks > 2"]
    assert found.loc[0, ["accuracy", "std_error", "majority"]].to_list() == pytest.approx([60, 2, 50])


def points(*rows: tuple[str, float, float], error: float = 0.0) -> pd.DataFrame:
    """Points (method, complexity, accuracy) of one dataset."""
    frame = pd.DataFrame(rows, columns=["method", "complexity", "accuracy"])
    return frame.assign(dataset="a", accuracy_error=error)


@pytest.mark.parametrize("seed", range(10))
def test_pareto_is_what_no_other_point_of_the_method_dominates(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = [
        (str(rng.choice(["CG", "AM"])), float(rng.integers(9)), float(rng.integers(9))) for _ in range(25)
    ]
    frame = points(*rows)
    expected = {
        (method, size, accuracy)
        for method, size, accuracy in rows
        if not any(
            m == method and s <= size and a >= accuracy and (s < size or a > accuracy) for m, s, a in rows
        )
    }
    best = frames.pareto(frame)[["method", "complexity", "accuracy"]]
    assert set(best.itertuples(index=False, name=None)) == expected
    assert len(best) == len(expected)
