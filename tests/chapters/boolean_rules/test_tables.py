"""The chapter's tables beside print, what is recorded, and the figures."""

from __future__ import annotations

import shutil
from pathlib import Path

import pandas as pd
import pytest

from compactml.chapters.boolean_rules import figures
from compactml.chapters.boolean_rules import rows as frames
from compactml.chapters.boolean_rules.chapter import CHAPTER
from compactml.chapters.boolean_rules.trials.aix360 import Pair
from compactml.study import Finished, Result
from compactml.study.keys.fingerprint import DataIdentity
from compactml.study.page.beside_print import beside_print, differing
from compactml.study.page.style import figure_style, rendered
from compactml.study.recording import tables as recording
from compactml.study.recording.published import home
from compactml.study.recording.recorded import recorded, recorded_provenance
from compactml.study.recording.tables import claim_tables, combined_rows, comparison, record
from compactml.study.results import columns
from tests.chapters.boolean_rules.toy_tables import done, folds, optima, stated_points


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the printed tables and nothing recorded, on a machine that lacks the gas data."""
    shutil.copytree(home() / "data" / "published", tmp_path / "data" / "published")
    monkeypatch.setenv("COMPACTML_HOME", str(tmp_path))
    monkeypatch.setattr(
        recording, "data_identity", lambda key: DataIdentity("", "made up", at_hand=key != "gas_drift")
    )
    return tmp_path


def pima(*accuracies: float) -> list[Finished]:
    """CG on pima: print has 74.1 (1.9) for it."""
    return folds("pima", "CG", list(accuracies), [4] * len(accuracies))


def cell(finished: list[Finished], dataset: str = "pima") -> pd.Series:
    cells = comparison(CHAPTER, "table_1", finished)
    return cells[(cells["dataset"] == dataset) & (cells["method"] == "CG")].iloc[0]


def test_a_cell_agrees_within_two_standard_errors() -> None:
    assert cell(pima(0.741))["verdict"] == "every digit"
    for accuracies, verdict in (
        ((0.70, 0.74), "within the standard errors"),  # 2.1 below, errors 2.0 and 1.9
        ((0.70, 0.702), "differs"),  # 4.0 below, errors 0.1 and 1.9
        ((0.75,), "within the standard errors"),  # no error of its own, print's is 1.9
        ((0.78,), "differs"),
    ):
        assert cell(pima(*accuracies))["verdict"] == verdict


def test_cells_without_a_value_are_not_run_or_not_at_hand() -> None:
    assert cell([], "gas")["verdict"] == "not at hand"
    assert cell([])["verdict"] == "not run"


def test_the_table_shows_errors_and_our_other_readings_unjudged() -> None:
    record(CHAPTER, "table_1", pima(0.7, 0.72))
    build = [*pima(0.8, 0.82), *folds("heart_statlog", "CG", [0.8], [4])]
    whole = beside_print(CHAPTER, "table_1", build)
    shown = whole.frame["CG"]
    assert shown.loc["pima"].to_list() == ["74.1 (1.9)", "71.0 (1.0)", "81.0 (1.0)"]
    assert shown.loc["heart (Statlog)"].to_list() == ["", "", "80.0"]
    assert whole.verdicts is not None
    assert whole.verdicts["CG"].loc["heart (Statlog)"].to_list() == ["", "", ""]
    assert "cm-differs" in whole._repr_html_()
    assert differing(CHAPTER, "table_1", build).frame.empty  # of the recorded run, which agrees
    record(CHAPTER, "table_1", pima(0.8, 0.82))
    listed = differing(CHAPTER, "table_1", pima(0.7, 0.72))
    assert listed.frame[[*frames.CELL, "recorded"]].to_numpy().tolist() == [["pima", "CG", 81.0]]


def test_record_names_what_is_lacking() -> None:
    record(CHAPTER, "table_1", [])
    assert recorded(CHAPTER.name, "table_1") is None
    record(CHAPTER, "table_1", pima(0.7, 0.8))
    origin = recorded_provenance(CHAPTER.name, "table_1")
    assert origin is not None
    assert "gas" in origin["partial"]
    assert "pima" not in origin["partial"]


def test_every_table_of_the_chapter_can_be_recorded_and_merged() -> None:
    result: Result = {
        **dict.fromkeys(columns(Pair)), "test_accuracy": 0.5, "complexity": 4, "accuracy": 0.5, "std_error": 0.1,
        "majority": 0.5, "n_positive": 3,
    }  # fmt: skip
    for table in CHAPTER.table_ids:
        kind = {"fig_1": "trade_off", "table_1": "nested", "table_2": "nested"}.get(table, table)
        parameters = {
            "fig_1": {"value": 4.0}, "liver_reading": {"above": 2.0}, "growth": {"n": 9.0}, "aix360": {"lambda": 0.1},
        }  # fmt: skip
        trial = done(kind, "pima", "CG", result, 0, **parameters.get(table, {"C": 6.0}))
        record(CHAPTER, table, [trial])
        assert recorded(CHAPTER.name, table) is not None
        assert len(combined_rows(CHAPTER, table, [trial])) == 1, table
    assert set(claim_tables(CHAPTER)) <= set(CHAPTER.table_ids)


def test_combined_rows_take_whole_curves_from_one_side() -> None:
    def points(key: str, *values: float) -> list[Finished]:
        result: Result = {"test_accuracy": 0.5, "complexity": 4}
        return [done("trade_off", key, "CG", result, 0, value=value) for value in values]

    record(CHAPTER, "fig_1", points("pima", 4, 10))
    merged = combined_rows(CHAPTER, "fig_1", [*points("pima", 4, 32), *points("wdbc", 7)])
    assert merged[["dataset", "parameter"]].to_numpy().tolist() == [["pima", 4], ["pima", 10], ["WDBC", 7]]


def test_figure_1_has_the_four_printed_panels_and_the_other_one_all() -> None:
    with figure_style():
        some, every = figures.figure_1(stated_points()), figures.figure_1_all(stated_points())
    assert [ax.get_title() for ax in some.axes] == list(figures.PAPER_PANELS.values())
    assert len([ax for ax in every.axes if ax.get_visible()]) == 16
    labels = [text.get_text() for text in some.legends[0].get_texts()]
    assert labels == ["CG", "BRS", "AM", "BCD"]
    assert rendered(some, "svg").startswith(b"<?xml")


def test_a_panel_without_points_says_so() -> None:
    with figure_style():
        fig = figures.figure_1(stated_points().query("dataset == 'heart'"))
    texts = [[text.get_text() for text in ax.texts] for ax in fig.axes]
    assert texts == [[], *[["no result here"]] * 3]


def test_lines_join_the_pareto_optimal_points_only() -> None:
    worse = (
        stated_points()
        .query("dataset == 'heart' and method == 'CG'")
        .iloc[:1]
        .assign(complexity=30.0, accuracy=50.0)
    )
    with figure_style():
        fig = figures.figure_1(pd.concat([stated_points(), worse]))
    lines = [line for line in fig.axes[0].get_lines() if line.get_linestyle() == "-"]
    assert all(50.0 not in line.get_ydata() for line in lines)


def test_the_figure_of_the_optima_shows_bounds_as_shares_of_the_loss() -> None:
    with figure_style():
        open_ = optima().head(4)
        open_.loc[open_["dataset"] == "transfusion", "bound"] -= 1
        fig = figures.optima(open_)
    widths = [bar.get_width() for bar in fig.axes[0].patches]
    assert widths == pytest.approx([100, 100, 100 * 142 / 143, 100])  # a loss of 0 is optimal
