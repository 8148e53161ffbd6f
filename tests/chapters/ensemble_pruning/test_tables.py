"""The chapter's tables beside print, and what is recorded."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from compactml.chapters.ensemble_pruning import rows as frames
from compactml.chapters.ensemble_pruning.chapter import CHAPTER
from compactml.chapters.ensemble_pruning.datasets import DATASETS
from compactml.study import Finished
from compactml.study.judging.comparison import JUDGED
from compactml.study.keys.fingerprint import DataIdentity
from compactml.study.page.beside_print import beside_print
from compactml.study.recording import tables as report
from compactml.study.recording.published import home
from compactml.study.recording.recorded import recorded, recorded_provenance
from compactml.study.recording.tables import claim_tables, combined_rows, comparison, counted_cells, record
from tests.chapters.ensemble_pruning.toy_tables import PROGRAM, done


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the printed tables and nothing recorded, on a machine that lacks one dataset."""
    shutil.copytree(home() / "data" / "published", tmp_path / "data" / "published")
    monkeypatch.setenv("COMPACTML_HOME", str(tmp_path))
    monkeypatch.setattr(
        report, "data_identity", lambda key: DataIdentity("", "made up", at_hand=key != "aps_scania")
    )
    return tmp_path


def runs(scores: dict[str, list[float]], dataset: str = "DRD", K: int = 80) -> list[Finished]:
    """Trials with these test accuracies, plain and balanced, in folds 0, 1, ..."""
    return [
        done(
            dataset, method, K=K, fold=fold, **PROGRAM | {"test_accuracy": one, "test_balanced_accuracy": one}
        )
        for method, values in scores.items()
        for fold, one in enumerate(values)
    ]


def cell(table: str, finished: list[Finished], *key: str) -> pd.Series:
    """The cell that the first columns of a comparison name so."""
    cells = comparison(CHAPTER, table, finished)
    chosen = (cells.iloc[:, : len(key)].astype(str) == list(key)).all(axis="columns")
    (row,) = (row for _, row in cells[chosen].iterrows())
    return row


def test_rows_have_printed_names_and_no_lists() -> None:
    (row,) = CHAPTER.table("table_4").rows([done("BMK", "F3", K=60, fold=2)]).to_dict("records")
    assert {name: row[name] for name in ("dataset", "K", "fold", "method")} == {
        "dataset": "BMK", "K": 60, "fold": 2, "method": "F3",
    }  # fmt: skip
    assert not {"selected", "history"} & row.keys()
    for one in CHAPTER.tables:
        assert not {"selected", "history"} & set(one.rows([]).columns)


def test_table_2_is_compared_digit_by_digit() -> None:
    data: dict[str, Any] = {"features": 99, "columns": 22, "n": 195, "n0": 48, "n1": 147, "theta": 147 / 195}
    finished = [done("PRK", "", kind="dataset", **data)]
    verdicts = {
        name: cell("table_2", finished, "PRK", name)["verdict"] for name in ("N", "theta", "features")
    }
    assert verdicts == {"N": "every digit", "theta": "", "features": ""}
    assert cell("table_2", finished, "APS", "N")["verdict"] == "not at hand"
    assert cell("table_2", finished, "BMK", "N")["verdict"] == "not run"


def test_gaps_are_shown_in_percent_and_not_judged() -> None:
    finished = [
        done("DRD", K=100, kind=kind, fold=fold, **PROGRAM | {"gap": gap})
        for kind, gaps in (("plain", (0.01, 0.03)), ("program", (0.0, 0.001)))
        for fold, gap in enumerate(gaps)
    ]
    assert cell("table_3", finished, "DRD", "F1")[["this_build", "verdict"]].to_list() == [
        pytest.approx(2),
        "",
    ]
    shown = beside_print(CHAPTER, "table_3", finished).frame.loc["DRD"]
    assert shown["no diversity"].to_list() == ["4.3 (2.0)", "2.0 (1.4)"]
    assert shown["no diversity, our method"].to_list() == ["", "0.1 (0.1)"]


def test_our_own_gaps_stand_in_no_column_of_the_papers_program() -> None:
    ours = [done("DRD", K=100, fold=fold, **PROGRAM | {"gap": 0.0}) for fold in (0, 1)]
    assert cell("table_3", ours, "DRD", "F1")["verdict"] == "not run"
    nothing = done("DRD", K=100, kind="plain", **PROGRAM | {"gap": None, "bound": None})
    assert cell("table_3", [nothing, *ours], "DRD", "F1")["this_build"] == np.inf


def test_a_gap_of_a_smaller_pool_stands_beside_no_printed_one() -> None:
    smaller = [done("DRD", K=40, kind="plain", fold=fold, **PROGRAM | {"gap": 0.0}) for fold in (0, 1)]
    assert cell("table_3", smaller, "DRD", "F1")["verdict"] == "not run"


RANKED = {"F1": 0.9, "F2": 0.9, "F3": 0.8, "BFT": 0.7, "HC-CON": 0.6, "HC-UWA": 0.5, "FE": 0.4}


def test_ranks_share_ties_and_datasets_count_alike() -> None:
    reverse = dict(zip(RANKED, reversed(RANKED.values()), strict=True))
    finished = runs({name: [one, one] for name, one in RANKED.items()}, "DRD")
    finished += runs({name: [one] for name, one in reverse.items()}, "MSK")
    for method, first, second in (("F1", 1.5, 7.0), ("F3", 3.0, 5.0), ("FE", 7.0, 1.5)):
        found = cell("table_4", finished, "80", method)["this_build"]
        assert found == pytest.approx((first + second) / 2)
        assert cell("table_4", finished, "avg", method)["this_build"] == found


def test_runs_without_a_method_are_not_ranked() -> None:
    few = CHAPTER.table("table_4").rows(runs({"F1": [0.9], "FE": [0.5]}))
    assert frames.rank_cells(few, frames.BY_ACCURACY).empty


def test_the_error_of_a_mean_rank_is_that_of_the_datasets() -> None:
    swapped = RANKED | {"BFT": 0.6, "HC-CON": 0.7}
    finished = [
        *runs({name: [score] * 3 for name, score in RANKED.items()}, "DRD"),
        *runs({name: [score] * 2 for name, score in swapped.items()}, "MSK"),
    ]
    rows = CHAPTER.table("table_4").rows(finished)
    found = frames.rank_cells(rows, frames.BY_ACCURACY).set_index(["K", "method"])
    assert found.loc[("80", "BFT"), ["value", "std_error"]].to_list() == pytest.approx(
        [4.5, np.std([4, 5], ddof=1) / np.sqrt(2)]
    )
    assert found.loc[("80", "F1"), "std_error"] == 0
    assert found.loc[("80", "BFT"), "datasets"] == 2
    one = frames.rank_cells(rows[rows["dataset"] == "DRD"], frames.BY_ACCURACY)
    assert one["std_error"].isna().all()


@pytest.mark.parametrize("id", ["table_4", "table_6"])
def test_mean_ranks_are_judged_only_over_all_datasets(id: str) -> None:
    """The printed ones are over nine; what the ninth adds can turn a verdict."""
    names = [one.name for one in DATASETS]
    scores = {name: [one] for name, one in (RANKED | {"F1_theta": 0.95}).items()}
    whole = [trial for name in names for trial in runs(scores, name)]
    other = [trial for name in names[:-1] for trial in runs(scores, name, 40)]
    cells = comparison(CHAPTER, id, [*whole, *other]).set_index("K")
    assert cells["this_build"].notna().groupby("K").all().to_dict() == {
        "100": False, "40": True, "60": False, "80": True, "avg": True,
    }  # fmt: skip
    assert set(cells.loc["80", "verdict"]) <= set(JUDGED)
    assert set(cells.loc["40", "verdict"]) == set(cells.loc["avg", "verdict"]) == {""}
    assert set(cells.loc["60", "verdict"]) == {"not run"}
    record(CHAPTER, id, whole)
    assert set(comparison(CHAPTER, id, other).set_index("K").loc["80", "verdict"]) <= set(JUDGED)
    assert set(comparison(CHAPTER, id, other).set_index("K").loc["40", "verdict"]) == {""}


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ([0.7457, 0.7457], "every digit"),
        ([0.74, 0.75], "within the standard errors"),
        ([0.70, 0.71], "differs"),
        (
            [0.7537, 0.7537],
            "inconclusive: the standard error is large",
        ),  # by one reading of the deviation only
        ([0.7], "inconclusive: the standard error is large"),
    ],
)
def test_means_of_table_5_agree_within_their_errors(values: list[float], verdict: str) -> None:
    assert cell("table_5", runs({"F1": values}), "DRD", "80", "F1")["verdict"] == verdict


def test_cases_that_are_not_printed_stand_below_and_the_last_row_averages_ours() -> None:
    finished = runs({"F1": [0.7, 0.8]}) + runs({"F1": [0.9, 0.9]}, "PRK", 40)
    frame = beside_print(CHAPTER, "table_5", finished).frame["F1"]
    assert frame.loc[("DRD", "80")].to_list() == ["0.7457 (0.0064)", "0.7500 (0.0707)"]
    assert frame.loc[("PRK", "40")].to_list() == ["", "0.9000 (0.0000)"]
    assert frame.loc[("all cases", "")].to_list() == ["0.8433 (0.0080)", "0.8250 (0.0354)"]
    assert cell("table_5", finished, "all cases", "", "F1")["verdict"] == ""


def test_names_of_methods_are_written_out() -> None:
    finished = runs({method: [0.8] for method in frames.BALANCED_METHODS})
    groups = beside_print(CHAPTER, "table_6", finished).frame.columns.get_level_values(0)
    assert "F1, θ-weighted" in groups


def test_every_table_of_the_chapter_can_be_recorded_and_merged() -> None:
    numbers: dict[str, dict[str, Any]] = {
        "table_2": {"features": 1, "columns": 1, "n": 4, "n0": 2, "n1": 2, "theta": 0.5}
    }
    for table in CHAPTER.table_ids:
        method = "" if table == "table_2" else "F1"
        trial = done("PRK", method, **numbers.get(table, PROGRAM))
        record(CHAPTER, table, [])
        assert recorded(CHAPTER.name, table) is None
        record(CHAPTER, table, [trial])
        origin = recorded_provenance(CHAPTER.name, table)
        assert origin is not None
        assert set(origin["partial"]) == {one.name for one in DATASETS} - {"PRK"}
        assert len(combined_rows(CHAPTER, table, [trial])) == 1, table
    assert set(claim_tables(CHAPTER)) == set(CHAPTER.table_ids)


def test_a_later_run_replaces_an_earlier_one_but_limits_of_curves_are_told_apart() -> None:
    for table, expected in (("table_4", [(0, 2.0), (1, 2.0)]), ("curves", [(0, 1.0), (0, 2.0), (1, 2.0)])):
        record(CHAPTER, table, [done("PRK", limit=60.0, **PROGRAM | {"value": 1.0})])
        later = [done("PRK", fold=fold, limit=5.0, **PROGRAM | {"value": 2.0}) for fold in (0, 1)]
        record(CHAPTER, table, later)
        found = combined_rows(CHAPTER, table, [done("PRK", fold=2, limit=5.0, **PROGRAM)])
        assert sorted(zip(found["fold"], found["value"], strict=True)) == expected
    assert combined_rows(CHAPTER, "bounds", []).empty


def test_a_mean_rank_over_the_recorded_datasets_is_not_replaced_by_that_of_another_one() -> None:
    reverse = dict(zip(RANKED, reversed(RANKED.values()), strict=True))
    other = runs({name: [one] for name, one in reverse.items()}, "MSK")
    build = counted_cells(CHAPTER, "table_4", other)["this_build"]
    assert build.notna().any()
    record(CHAPTER, "table_4", runs({name: [one] for name, one in RANKED.items()}, "DRD"))
    cells = counted_cells(CHAPTER, "table_4", other)
    assert cells["this_build"].isna().all()
    assert cells["recorded"].notna().sum() == 2 * len(RANKED)
