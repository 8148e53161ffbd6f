"""Numbers of the prose by hand: cells and their reasons, older releases, growth, evaluators, both relaxations."""

from __future__ import annotations

import math
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd
import pytest

from compactml.chapters.condition_sharing import NAME, method, numbers, reasons
from compactml.chapters.condition_sharing.chapter import CHAPTER
from compactml.study import Finished
from compactml.study.recording.published import home
from compactml.study.recording.recorded import write_recorded
from compactml.study.recording.results import Results
from tests.chapters.condition_sharing.toy_tables import folds, printed_table
from tests.study.toy_report import finished


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the printed tables and nothing recorded."""
    shutil.copytree(home() / "data" / "published", tmp_path / "data" / "published")
    monkeypatch.setenv("COMPACTML_HOME", str(tmp_path))
    return tmp_path


def results(built: Mapping[str, Sequence[Finished]] | None = None, **recorded: pd.DataFrame) -> Results:
    """Results with these trials and these recorded rows."""
    for id, rows in recorded.items():
        write_recorded(NAME, id, rows, [finished("iris")])
    return Results(CHAPTER, lambda id: (built or {}).get(id, []))


def iris(**changes: float) -> pd.DataFrame:
    """The printed cells of iris, changed in test accuracy of some learners."""
    cells = printed_table("table_2").query("dataset == 'iris'")
    for learner, value in changes.items():
        cells.loc[(cells["learner"] == learner) & (cells["measure"] == "TeA"), "value"] = value
    return cells


def test_cells_are_counted() -> None:
    assert numbers.cells(results(table_2=iris(RF=0.5))) == {
        "cells": 20,
        "agree": 19,
        "changed": 0,
        "ensembles": 0,
    }


def test_paths_that_changed_are_of_this_build() -> None:
    trials = folds("iris", "RF", paths_changed=2)
    found = numbers.cells(results({"table_2": trials}, table_2=CHAPTER.table("table_2").rows(trials)))
    assert (found["ensembles"], found["changed"]) == (5, 10)


def test_differences_are_counted_by_reason() -> None:
    latest, nearest = (f"table_2{ending}" for ending in reasons.OLDER.values())
    ours = results(
        table_2=iris(RF=0.5, ERT=0.5, GBoost=0.5, ABoost=0.5),
        **{latest: iris(ERT=0.5, GBoost=0.25, ABoost=0.5), nearest: iris(GBoost=0.25, ABoost=0.5)},
    )
    found = numbers.differences(ours)
    assert found == {
        "differ": 4, "by_1_1_3": 1, "by_1_1_0": 1, "lost_order": 0, "moving": 1, "moving_boosting": 1,
        "unexplained": 1, "unexplained_named": "iris ABoost TeA",
    }  # fmt: skip


def test_older_releases_agree_where_they_do_and_lose_what_the_other_has() -> None:
    latest, nearest = (f"table_2{ending}" for ending in reasons.OLDER.values())
    found = numbers.older_releases(results(table_2=iris(), **{latest: iris(RF=0.5), nearest: iris(ERT=0.5)}))
    assert (found["cells_1_1_0"], found["lost_1_1_0"], found["lost_1_1_0_named"]) == (20, 1, "iris")
    assert (found["older_trials"], found["own_trials"]) == (1, 1)


def test_folds_that_rounding_moves_are_counted() -> None:
    rows = pd.DataFrame(
        {
            "dataset": ["blood"] * 2 + ["iris"],
            "learner": ["ABoost"] * 2 + ["GBoost"],
            "fold": [0, 1, 0],
            "NDC_whole": [235, 281, 64],
            "NDC_avx_512_off": [270, 281, 65],
            "NDC_fma_off": [270, 281, 65],
        }
    )
    assert numbers.rounding(results(rounding=rows)) == {
        "moved_blood": "1 of 2 folds", "moved_blood_fma": "0 of 2 folds", "moved_gradient": "1 of 1 folds",
    }  # fmt: skip


def test_accuracy_ratios_lose_and_gain() -> None:
    rows = iris()
    ratios = rows["measure"] == "AR"
    rows.loc[ratios, "value"] = [1.0, 0.995, 0.9, 1.02]
    assert numbers.accuracy_ratios(results(table_2=rows)) == {
        "ratios": 4, "ratios_close": 2, "ratios_lost": "10.0%", "ratios_gained": "2.0%",
    }  # fmt: skip


def growing(**columns: list[float]) -> pd.DataFrame:
    rows = pd.DataFrame(columns).assign(dataset="synthetic", learner="ERT")
    return rows.assign(trees=rows.get("trees", 4), interval_seconds=rows["seconds"], set_seconds=0.0)


def test_growth_is_an_exponent_and_bytes_of_nodes_and_rows() -> None:
    by_rows = growing(
        n_rows=[10, 20, 40], seconds=[1, 4, 16], row_visits=[5, 10, 20], peak_mib=[1, 2, 4], n_nodes=[1, 2, 4]
    )
    by_nodes = growing(
        n_rows=[100] * 3, n_nodes=[1, 2, 4], seconds=[1, 2, 4], peak_mib=[1, 3, 4], row_visits=[1] * 3
    )
    found = numbers.growth(results(growth_rows=by_rows, growth_nodes=by_nodes))
    assert [found["slope_rows"], found["slope_nodes"]] == pytest.approx([2, 1])
    assert found["last_nodes"] == pytest.approx(2**19)
    assert found["row_bytes"] == f"{2**20 / 10:.0f} to {2**20 / 10:.0f}"
    assert (found["max_rows"], found["max_nodes"]) == ("40", "4")


def test_the_search_is_told_for_most_intervals() -> None:
    rows = pd.DataFrame({"dataset": "x", "learner": "", "p": [10, 2000], "c": 5, "seconds": 1.0})
    rows = rows.assign(seconds_dynamic=[3.0, 1234.4])
    assert numbers.search(results(search=rows)) == {"search": "1,234", "search_p": "2,000"}


def test_falls_of_the_accuracy_are_steps_to_more_clusters() -> None:
    rows = pd.DataFrame(
        {
            "dataset": ["a"] * 3 + ["b"] * 2,
            "method": "k-means",
            "level": [4.0, 2.0, 8.0, 2.0, 4.0],
            "TeA": [0.9, 0.8, 0.7, 0.5, 0.6],
        }
    )
    original = pd.DataFrame({"dataset": ["a", "b"], "method": "original", "level": 0.0, "TeA": 1.0})
    started = rows.assign(method="Lloyd", TeA=[0.9, 0.7, 0.7, 0.5, 0.6])  # one of five is 0.1 apart
    rows = pd.concat([rows, started, original]).assign(learner="RF", fold=0, NDC=10.0, printed=1.0)
    assert numbers.baseline(results(fig_4=rows)) == {
        "falls": "in 1 of 3 recorded steps", "starts_apart": "2.0%",
    }  # fmt: skip


def test_our_search_is_compared_where_the_papers_program_decided_every_node() -> None:
    rows = pd.DataFrame(
        {
            "method": ["original", "c", "c", "c", "c, search", "c, search", "c, search"],
            "level": [0.0, 0.1, 0.2, 0.3, 0.1, 0.2, 0.3],
            "TeA": [0.5, 0.5, 0.5, 0.5, 0.5, 0.45, 0.1],
            "printed": [None, 1, 1, 0.5, 0, 0, 0],
        }
    ).assign(dataset="iris", learner="RF", fold=0, NDC=10)
    found = numbers.relaxations(results(fig_4=rows))
    assert (found["c_points"], found["printed_points"]) == (3, 2)
    assert (found["moved_points"], found["moved_most"]) == (1, "10.0%")


def test_what_an_older_release_lacks_is_named() -> None:
    latest, nearest = (f"table_2{ending}" for ending in reasons.OLDER.values())
    whole = printed_table("table_2").query("dataset in ('iris', 'blood', 'musk')")
    some = whole[(whole["dataset"] != "musk") & ((whole["dataset"] != "blood") | (whole["learner"] == "RF"))]
    found = numbers.older_releases(results(table_2=whole, **{latest: some, nearest: some}))
    assert found["older_left_out"] == "blood (ABoost, ERT, GBoost), musk"
    found = numbers.older_releases(results(table_2=whole, **{latest: whole, nearest: some}))
    assert found["older_left_out"] == "none"


def test_nothing_run_and_nothing_recorded_is_no_error() -> None:
    nothing = results()
    assert math.isnan(numbers.speed(nothing)["worst"])
    assert numbers.relaxations(nothing) == {
        "points_equal": 0, "points_compared": 0, "certified": "0 of 0", "dynamic_up_to": "20 billion",
        "printed_points": 0, "c_points": 0, "moved_points": 0, "moved_most": "none",
    }  # fmt: skip
    assert numbers.curve_datasets(nothing) == {"curve_datasets": "0 of 14"}
    assert set(numbers.baseline(nothing).values()) == {"nan"}  # so the page leaves the sentences out
    assert set(numbers.rounding(nothing).values()) == {"(not yet recorded)"}


def test_the_example_of_the_method_is_the_papers() -> None:
    nothing = results()
    assert method.example_numbers(nothing) == {"before": 4, "after": 2, "paths": 8, "changed": 0}
    assert method.sweep_numbers(nothing) == {"points": "3.5 and 7.5"}
    assert method.errata_numbers(nothing)["minimum"] == "[0.5, 2.5, 4.5]"
