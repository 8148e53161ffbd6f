"""The chapter's tables beside print, what is recorded, and the figures."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from compactml.chapters.boolean_rules import figures, opening, shown
from compactml.chapters.boolean_rules.chapter import CHAPTER
from compactml.chapters.boolean_rules.datasets import PRINTED
from compactml.chapters.boolean_rules.fold_rows import FOLD_COLUMNS, points
from compactml.chapters.boolean_rules.methods import (
    CART_SHARES,
    JRIP,
    OUR_CG,
    PAPER_CG,
    PORT,
    PROGRAM_OF,
    RF_SHARES,
    WITHOUT_PROGRAM,
)
from compactml.chapters.boolean_rules.trials.aix360 import Pair
from compactml.study import Finished, Result
from compactml.study.judging.comparison import Agreement
from compactml.study.keys.fingerprint import DataIdentity
from compactml.study.page.picture import NARROW, WIDE, page_colours
from compactml.study.page.style import rendered
from compactml.study.recording import tables as recording
from compactml.study.recording.published import home
from compactml.study.recording.recorded import recorded, recorded_provenance, write_recorded
from compactml.study.recording.results import Results
from compactml.study.recording.tables import claim_tables, combined_rows, comparison, record
from compactml.study.results import columns
from tests.chapters.boolean_rules.toy_tables import as_printed_folds, done, fold_points, folds


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
    """Our own CG on pima."""
    return folds("pima", "CG", list(accuracies), [4] * len(accuracies))


def record_jrip(*accuracies: float) -> None:
    """RIPPER on adult, a fold for each accuracy: print has 83.6 (0.3) and 133.3 (6.3) for it."""
    rows = [["adult", JRIP, fold, None, 1, value, 130.0 + fold] for fold, value in enumerate(accuracies)]
    write_recorded(CHAPTER.name, "programs", pd.DataFrame(rows, columns=FOLD_COLUMNS), [])


def cell(dataset: str = "adult", method: str = "RIPPER") -> pd.Series:
    cells = comparison(CHAPTER, "table_1", [])
    return cells[(cells["dataset"] == dataset) & (cells["method"] == method)].iloc[0]


@pytest.mark.parametrize(
    ("accuracies", "verdict"),
    [
        ((83.5, 83.6, 83.7), Agreement.EVERY_DIGIT),
        ((83.9, 84.0, 84.1), Agreement.WITHIN_ERRORS),  # 0.4 above, errors 0.1 and 0.3
        ((84.9, 85.0, 85.1), Agreement.DIFFERS),  # 1.4 above
        ((80.0, 83.0, 86.0), Agreement.INCONCLUSIVE),  # 0.6 below, an error of nearly 2 points
        ((84.9, 85.1), Agreement.INCONCLUSIVE),  # two folds decide nothing
        ((83.6,), Agreement.INCONCLUSIVE),  # a single fold has no error
    ],
)
def test_a_cell_of_the_papers_program_is_judged(accuracies: tuple[float, ...], verdict: Agreement) -> None:
    record_jrip(*accuracies)
    assert cell()["verdict"] == verdict


def test_our_own_programs_stand_beside_no_printed_cell() -> None:
    record(CHAPTER, "table_1", pima(0.741, 0.741))
    assert cell("pima", "CG")["verdict"] == Agreement.NOT_RUN


def test_cells_without_a_value_are_not_run_or_not_at_hand() -> None:
    assert cell("gas")["verdict"] == Agreement.NOT_AT_HAND
    assert cell("pima")["verdict"] == Agreement.NOT_RUN


def test_the_page_shows_the_programs_beside_print_and_ours_apart() -> None:
    record_jrip(83.5, 83.6, 83.7)
    record(CHAPTER, "table_1", pima(0.8, 0.82))
    record(CHAPTER, "table_2", pima(0.8, 0.82))
    found = Results(CHAPTER, lambda id: [])
    table = shown.accuracies(found)
    assert table.frame["RIPPER"].loc["adult"].to_list()[:2] == ["83.6 (0.3)", "83.6 (0.1)"]
    assert shown.complexities(found).frame["RIPPER"].loc["adult"].to_list()[:2] == [
        "133.3 (6.3)",
        "131.0 (0.6)",
    ]
    ours = shown.our_programs(found).frame
    assert ours.loc[0, ["dataset", "CG (ours), accuracy (%)", "CG (ours), complexity"]].to_list() == [
        "pima", "81.0 (1.0)", "4.0 (0.0)",
    ]  # fmt: skip
    assert set(shown.our_programs(Results(CHAPTER, lambda id: [])).frame["dataset"]) == {"pima"}


def test_a_cell_of_the_papers_programs_that_this_build_ran_stands_beside_print() -> None:
    """Its folds are trials of the table in the quick profile; those of our own programs have no column there."""
    fits = [("0.93", "10"), ("0.94", "11"), ("0.95", "12")]
    live = [
        done("scikit", "wdbc", CART_SHARES, {
            "parameter": 0.02, "values": "0.02", "accuracies": accuracy, "complexities": complexity,
        }, fold)
        for fold, (accuracy, complexity) in enumerate(fits)
    ]  # fmt: skip
    found = Results(CHAPTER, lambda id: [*live, *pima(0.8, 0.82)])
    for make, ours in ((shown.accuracies, "94.0 (0.6)"), (shown.complexities, "11.0 (0.6)")):
        table = make(found)
        assert table.frame["CART"].loc["WDBC", "this build"] == ours
        assert set(table.frame.xs("this build", axis="columns", level=1).to_numpy().ravel()) == {ours, ""}
        assert "this build: run " in (table.note or "")


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
        "majority": 0.5, "n_positive": 3, "values": "-", "accuracies": "0.5", "complexities": "4", "parameter": None,
        "nonzeros": 9, "sampled": 0, "by_program": 1, "by_heuristic": 1, "generated": 9, "least_gap": 0.5,
        "lp_solved": 1, "literals": 9, "train_accuracy": 0.5, "best_train_accuracy": 0.5,
    }  # fmt: skip
    for table in CHAPTER.table_ids:
        kind = {
            "fig_1": "trade_off", "table_1": "nested", "table_2": "nested", "programs": "ripper",
            "paper_steps": "paper_cg",
        }.get(table, table)  # fmt: skip
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


def curves() -> pd.DataFrame:
    """Points of the paper's programs, and of ours on heart."""
    ours = pd.DataFrame(fold_points("heart", OUR_CG, 4.0, 0, 70.0, 5.0), columns=FOLD_COLUMNS)
    return points(pd.concat([as_printed_folds(), ours]))


def test_figure_1_has_the_four_printed_panels_and_the_other_one_all() -> None:
    with page_colours():
        some, every = figures.figure_1(curves(), WIDE), figures.figure_1_all(curves(), NARROW)
    assert [ax.get_title() for ax in some.axes] == list(figures.PAPER_PANELS.values())
    assert len([ax for ax in every.axes if ax.get_visible()]) == 16
    labels = [text.get_text() for text in some.legends[0].get_texts()]
    assert labels == [PAPER_CG, PORT, JRIP, CART_SHARES, OUR_CG]
    assert rendered(some, "svg").startswith(b"<?xml")


def test_a_panel_without_points_says_so() -> None:
    with page_colours():
        fig = figures.figure_1(curves().query("dataset == 'heart'"), WIDE)
    texts = [[text.get_text() for text in ax.texts] for ax in fig.axes]
    assert texts == [[], *[["no result here"]] * 3]


def test_lines_join_the_pareto_optimal_points_only() -> None:
    worse = curves().query(f"dataset == 'heart' and method == '{PAPER_CG}'").iloc[:1]
    worse = worse.assign(complexity=30.0, accuracy=50.0, parameter=99.0)
    with page_colours():
        fig = figures.figure_1(pd.concat([curves(), worse]), WIDE)
    lines = [line for line in fig.axes[0].get_lines() if line.get_linestyle() == "-"]
    assert all(50.0 not in line.get_ydata() for line in lines)


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_both_tables_are_squares_of_one_picture(width: float) -> None:
    record_jrip(83.5, 83.6, 83.7)
    with page_colours():
        fig = shown.squares(Results(CHAPTER, lambda id: []), width)
    heads = [text.get_text() for text in fig.axes[0].texts]
    assert heads == ["accuracy (Table 1)", "complexity (Table 2)"]
    counts = [text.get_text() for text in fig.legends[0].get_texts()]
    methods = len(WITHOUT_PROGRAM) + len(PROGRAM_OF)
    away = 2 * methods - 1 - 2 * len(WITHOUT_PROGRAM)  # one dataset; forests have no complexity
    assert {"1 to every digit", f"{away} no data here"} <= set(counts)
    assert f"{2 * len(WITHOUT_PROGRAM) * len(PRINTED)} {shown.NO_PROGRAM}" in counts


def test_our_search_stands_beside_both_published_tables() -> None:
    record(CHAPTER, "table_1", pima(0.8, 0.82))
    record(CHAPTER, "table_2", pima(0.8, 0.82))
    fig = opening.our_search(Results(CHAPTER, lambda id: []), WIDE)
    accuracy, size = ([line.get_xdata() for line in ax.lines] for ax in fig.axes)
    assert [81.0] in [list(map(float, x)) for x in map(np.atleast_1d, accuracy)]
    assert [4.0] in [list(map(float, x)) for x in map(np.atleast_1d, size)]
    assert [label.get_text() for label in fig.axes[0].get_yticklabels()] == [
        label.get_text() for label in fig.axes[1].get_yticklabels()
    ]


def test_a_cell_that_decided_a_setting_is_no_agreement() -> None:
    rows = as_printed_folds().query(f"dataset == 'liver' and method in ['{CART_SHARES}', '{RF_SHARES}']")
    write_recorded(CHAPTER.name, "programs", rows, [])
    with page_colours():
        fig = shown.squares(Results(CHAPTER, lambda id: []), WIDE)
    counts = [text.get_text() for text in fig.legends[0].get_texts()]
    assert f"3 {shown.DECIDED}" in counts  # accuracies of both, and the lengths of CART
    assert not [count for count in counts if "digit" in count or "errors" in count]
