"""The chapter's tables beside print, and what is recorded."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from compactml.chapters.feature_selection import NAME
from compactml.chapters.feature_selection.chapter import CHAPTER
from compactml.chapters.feature_selection.datasets import DATASETS
from compactml.chapters.feature_selection.judging import endings, run_counts
from compactml.chapters.feature_selection.printed import HEURISTIC
from compactml.study import Finished
from compactml.study.judging.comparison import Agreement
from compactml.study.keys.fingerprint import DataIdentity
from compactml.study.page.beside_print import beside_print, differing
from compactml.study.recording import tables as report
from compactml.study.recording.published import home
from compactml.study.recording.recorded import recorded, recorded_provenance
from compactml.study.recording.tables import (
    claim_tables,
    combined_rows,
    comparison,
    counted_cells,
    counted_sides,
    record,
    sides,
)
from tests.chapters.feature_selection.toy_tables import NO_SET, SOLVED, STOPPED, TOO_LARGE, done

ABSENT = "pcmac"


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the printed tables and nothing recorded, on a machine that lacks one dataset."""
    shutil.copytree(home() / "data" / "published", tmp_path / "data" / "published")
    monkeypatch.setenv("COMPACTML_HOME", str(tmp_path))
    monkeypatch.setattr(
        report, "data_identity", lambda key: DataIdentity("", "made up", at_hand=key != ABSENT)
    )
    return tmp_path


def ends_of(table: str, finished: list[Finished]) -> dict[str, int]:
    """How the runs that are counted ended."""
    return endings(table, counted_sides(CHAPTER, table, finished))


def cell(table: str, finished: list[Finished], name: str, quantity: str, method: str) -> pd.Series:
    cells = comparison(CHAPTER, table, finished)
    keys = (cells["dataset"] == name) & (cells["quantity"] == quantity) & (cells["method"] == method)
    (found,) = (row for _, row in cells[keys].iterrows())
    return found


@pytest.mark.parametrize(
    ("name", "method", "result", "verdicts"),
    [
        # print: solved, gaps 0.003 and 0.01, 0.7 s
        ("Zoo", "milp1", SOLVED | {"gap_abs": 0.0031, "gap_rel": 0.4}, ["every digit", "", ""]),
        ("Zoo", "milp1", STOPPED, ["differs"] * 3),
        (
            "Breast_Cancer",
            "milp1",
            STOPPED,
            ["", "", ""],
        ),  # print: solved in 176.7 s, more than its limit here
        ("SPECTF_Heart", "milp3", STOPPED, ["", "every digit", ""]),  # 55.1 s on four threads
        ("Zoo", "milp1", TOO_LARGE, ["not run"] * 3),
        # print: limit, gaps + and +
        ("PCMAC", "milp3", STOPPED | {"gap_abs": None, "gap_rel": 101.0}, ["every digit"] * 3),
        ("PCMAC", "milp3", SOLVED, ["differs"] * 3),
        # print: no set
        ("Madelon", "milp1", NO_SET, ["every digit"] * 3),
        ("Madelon", "milp1", STOPPED, ["differs"] * 3),
        ("Yale_32x32", "milp3", NO_SET, ["", "", "every digit"]),  # print: limit, gaps + and +
    ],
)
def test_cells_of_a_run_are_judged_by_how_it_ended(
    name: str, method: str, result: dict[str, Any], verdicts: list[str]
) -> None:
    cells = comparison(CHAPTER, "table_2", [done(name, method, result)])
    own = cells[(cells["dataset"] == name) & (cells["method"] == method.upper())]
    assert own["quantity"].to_list() == ["gap, absolute", "gap, relative", "seconds"]
    assert own["verdict"].to_list() == verdicts


def test_texts_are_written_as_the_paper_writes_them() -> None:
    finished = [done("Zoo", "milp1", STOPPED), done("Zoo", "milp2", TOO_LARGE), done("Zoo", "milp3", NO_SET)]
    texts = [
        [
            cell("table_2", finished, "Zoo", quantity, method)["this_build"]
            for quantity in ("gap, relative", "seconds")
        ]
        for method in ("MILP1", "MILP2", "MILP3")
    ]
    assert texts[0] == ["0.01", "T"]
    assert pd.isna(texts[1][0])
    assert texts[1][1] == "too large"
    assert texts[2] == ["–", "T"]


@pytest.mark.parametrize("outcome", ["work limit", "no set"])
def test_a_run_that_its_work_ended_is_shown_and_judges_nothing(outcome: str) -> None:
    """Print proved Zoo, found no set of Madelon, and was stopped on Yale: no such run says anything of them."""
    ended = STOPPED | {"outcome": outcome, "time_limit_reached": 0}
    for dataset, method in (("Zoo", "milp1"), ("Madelon", "milp1"), ("Yale_32x32", "milp3")):
        found = cell("table_2", [done(dataset, method, ended)], dataset, "seconds", method.upper())
        assert found["this_build"] == ("work" if outcome == "work limit" else "T")
        assert found["verdict"] in ("", "every digit")


def test_a_time_of_the_heuristic_is_never_judged() -> None:
    slow = {"outcome": "selected", "seconds": 3.0, "n_selected": 9}
    for result, text in ((slow, "3.0"), (slow | {"outcome": "time limit"}, "T")):
        trial = done("Optical_Recog", "scikit_feature", result, "cfs")
        found = cell("table_4", [trial], "Optical_Recog", "seconds", HEURISTIC)
        assert (found["published"], found["this_build"]) == ("T", text)
        assert found["verdict"] == ("every digit" if text == "T" else "")


def test_a_size_at_which_an_order_was_cut_is_not_judged_but_its_scores_are() -> None:
    by_rule = SOLVED | {
        "outcome": "stopped by its rule",
        "n_selected": 26,
        "f1_nb_mean": 0.74,
        "f1_nb_std": 0.02,
    }
    expected = {"stopped by its rule": "every digit", "cut at the printed size": ""}
    for outcome, verdict in expected.items():
        trial = done("Semeion_Hand", "raw_heuristic", by_rule | {"outcome": outcome}, "cfs")
        assert cell("table_7", [trial], "Semeion_Hand", "features", HEURISTIC)["verdict"] == verdict
        # print: T in Table 4, and 0.74 ± 0.02 in Table 7
        score = cell("table_7", [trial], "Semeion_Hand", "F1, naive Bayes", HEURISTIC)
        assert score["verdict"] == str(Agreement.INCONCLUSIVE)  # the error is 1.3 points


def test_sizes_that_chose_a_reading_are_shown_and_not_judged() -> None:
    run = done("Breast_Cancer", "newton", SOLVED | {"n_selected": 1}, "cfs")
    for quantity, judged in (("features", False), ("F1, naive Bayes", True)):
        found = cell("table_7", [run], "Breast_Cancer", quantity, "Algorithm 2")
        assert not pd.isna(found["this_build"])
        assert (found["verdict"] != "") == judged


def test_what_is_not_printed_stands_below_without_a_verdict() -> None:
    finished = [
        done("Zoo", "newton", SOLVED),
        done("Zoo", "certified", SOLVED | {"gap_abs": 0.002}),
        done("wdbc", "newton", STOPPED),
    ]
    for table, quantity, texts in (
        ("table_3", "gap, absolute", {("Zoo", "ours"): "0.002", ("wdbc", "Algorithm 2"): "≈ 0.004"}),
        ("table_6", "features", {("Zoo", "ours"): "4", ("wdbc", "Algorithm 2"): "4"}),
    ):
        own = CHAPTER.table(table).printed
        assert own is not None
        assert own.text is not None
        both = sides(CHAPTER, table, finished)
        cells = comparison(CHAPTER, table, finished)
        shown = own.text(cells, both)
        assert shown.head(len(cells))["published"].equals(cells["published"])
        more = shown.iloc[len(cells) :]
        assert set(more["published"]) == set(more["verdict"]) == {""}
        of_quantity = more[more["quantity"] == quantity].set_index(["dataset", "method"])["this_build"]
        assert of_quantity.to_dict() == texts
        whole = beside_print(CHAPTER, table, finished).frame
        assert "wdbc" in whole.index.get_level_values(0)
        assert "ours" in whole.columns.get_level_values(0)


def test_nothing_run_is_not_run_or_not_at_hand() -> None:
    for table in ("table_3", "table_6"):
        cells = comparison(CHAPTER, table, [])
        by_name = cells.groupby("dataset")["verdict"].unique()
        assert list(by_name["PCMAC"]) == ["not at hand"]
        assert list(by_name["colon"]) == ["not run"]


@pytest.mark.parametrize(
    ("quantity", "changed", "verdict"),
    [
        ("features", {}, "every digit"),  # print: 4, 0.84 ± 0.04, 0.93 ± 0.03
        ("features", {"n_selected": 3}, "differs"),
        # two errors of the difference are 2 sqrt(2) 0.04 / sqrt(5) = 0.05, and one is more than a point
        ("F1, naive Bayes", {}, str(Agreement.INCONCLUSIVE)),
        ("F1, naive Bayes", {"f1_nb_mean": 0.80}, str(Agreement.INCONCLUSIVE)),
        ("F1, naive Bayes", {"f1_nb_mean": 0.78}, "differs"),
        ("features", NO_SET, ""),
    ],
)
def test_sizes_agree_exactly_and_scores_within_their_errors(
    quantity: str, changed: dict[str, Any], verdict: str
) -> None:
    found = cell(
        "table_5", [done("banknote_auth", "milp1", SOLVED | changed)], "banknote_auth", quantity, "MILP1"
    )
    assert found["verdict"] == verdict


def test_sets_of_stopped_runs_are_not_judged() -> None:
    both = [
        cell("table_5", [done("Madelon", "milp1", one)], "Madelon", "features", "MILP1")
        for one in (NO_SET, SOLVED)
    ]
    assert [one["published"] for one in both] == ["–", "–"]
    assert [one["verdict"] for one in both] == ["", ""]
    ours = cell("table_5", [done("Zoo", "milp1", STOPPED | {"n_selected": 3})], "Zoo", "features", "MILP1")
    assert ours["verdict"] == ""


def test_the_layout_has_print_recorded_and_this_build_under_each_method() -> None:
    record(CHAPTER, "table_5", [done("banknote_auth", "milp1", SOLVED | {"n_selected": 3})])
    build = [done("banknote_auth", "milp1", SOLVED | {"n_selected": 2})]
    whole, listed = beside_print(CHAPTER, "table_5", build), differing(CHAPTER, "table_5", build)
    shown = whole.frame.loc["banknote_auth"]
    assert shown.loc["features", "MILP1"].to_list() == ["4", "3", "2"]
    assert shown.loc["F1, naive Bayes", "MILP1"].to_list() == ["0.84 ± 0.04"] * 3
    assert listed.frame.to_numpy().tolist() == [["banknote_auth", "features", "MILP1", "4", "3"]]
    assert "cm-differs" in whole._repr_html_()


def test_the_recorded_run_is_counted_and_this_build_where_nothing_is_recorded() -> None:
    record(CHAPTER, "table_2", [done("Zoo", "milp1", SOLVED)])
    build = [done("Zoo", "milp1", STOPPED), done("banknote_auth", "milp1", STOPPED)]
    listed = differing(CHAPTER, "table_2", build)
    assert listed.frame[["dataset", "method"]].to_numpy().tolist() == [["banknote_auth", "MILP1"]]
    found = (
        counted_cells(CHAPTER, "table_2", build)
        .query("quantity == 'seconds' and method == 'MILP1'")
        .set_index("dataset")
    )
    assert found.loc[["Zoo", "banknote_auth"], "verdict"].to_list() == ["", "differs"]


def test_runs_that_were_stopped_early_are_counted_apart() -> None:
    # print: solved in 0.7 s, in 176.7 s, at the limit; the limit here is 100 s
    ends = ends_of("table_2", [done(name, "milp1", STOPPED) for name in ("Zoo", "Breast_Cancer")])
    assert ends == {"differs": 1, "stopped before print was done": 1, "not run": 73}
    assert ends_of("table_2", [done("PCMAC", "milp2", STOPPED)])["as print"] == 1
    finished = [done(name, "milp2", STOPPED) for name in ("PCMAC", "Zoo")]
    counts = run_counts("table_2", counted_sides(CHAPTER, "table_2", finished), set())
    assert counts == {
        "all": 2, "agree": 1, "shorter": 0, "differ": 1, "differ_fitting": 0,
    }  # fmt: skip
    heuristic = [done("Zoo", "heuristic", SOLVED)]
    assert ends_of("table_3", heuristic) == {"not run": 100}


def test_runs_that_differ_are_counted_where_the_reading_fits() -> None:
    finished = [done(name, "milp2", STOPPED) for name in ("Zoo", "banknote_auth")]
    sides = counted_sides(CHAPTER, "table_2", finished)
    counts = run_counts("table_2", sides, {"Zoo"})
    assert (counts["differ"], counts["differ_fitting"]) == (2, 1)
    assert run_counts("table_2", sides, set())["differ_fitting"] == 0


def test_the_gap_of_a_stopped_newton_run_is_marked_as_an_estimate() -> None:
    texts = [
        cell("table_3", [done("Zoo", method, one)], "Zoo", "gap, absolute", name)["this_build"]
        for method, name, one in (
            ("newton", "Algorithm 2", STOPPED),
            ("newton", "Algorithm 2", SOLVED),
            ("binary_search", "Algorithm 1", STOPPED),
        )
    ]
    assert texts == ["≈ 0.004", "0.004", "0.004"]
    same = cell(
        "table_3",
        [done("USPS", "newton", STOPPED | {"gap_abs": 0.02})],
        "USPS",
        "gap, absolute",
        "Algorithm 2",
    )
    assert (same["published"], same["verdict"]) == ("0.020", "every digit")


def test_record_names_what_is_lacking_and_leaves_out_the_sets() -> None:
    record(CHAPTER, "table_2", [])
    assert recorded(NAME, "table_2") is None
    record(CHAPTER, "table_2", [done("Zoo", "milp1", SOLVED)])
    frame, origin = recorded(NAME, "table_2"), recorded_provenance(NAME, "table_2")
    assert frame is not None
    assert origin is not None
    assert "support" not in frame
    assert frame.loc[0, ["dataset", "method", "measure"]].to_list() == ["Zoo", "MILP1", "mrmr"]
    assert set(origin["partial"]) == {one.name for one in DATASETS} - {"Zoo"}


def test_every_table_of_the_chapter_can_be_recorded_and_merged() -> None:
    reading = {"name": "Zoo", "discretizer": "levels", "su": "usual", "drop_constant": False}
    parameters: dict[str, dict[str, Any]] = {"readings": reading, "growth": {"p": 25}}
    for table in CHAPTER.table_ids:
        trial = done("Zoo", "certified", SOLVED, **parameters.get(table, {}))
        record(CHAPTER, table, [trial])
        assert recorded(NAME, table) is not None
        assert len(combined_rows(CHAPTER, table, [trial])) == 1, table
    assert set(claim_tables(CHAPTER)) == set(CHAPTER.table_ids)


def test_known_takes_recorded_rows_first() -> None:
    record(CHAPTER, "beyond", [done("Zoo", "certified", SOLVED | {"value": 1.0})])
    build = [done(name, "certified", SOLVED | {"value": 2.0}) for name in ("Zoo", "colon")]
    merged = combined_rows(CHAPTER, "beyond", build)
    assert merged[["dataset", "value"]].to_numpy().tolist() == [["Zoo", 1.0], ["colon", 2.0]]


def test_table_1_has_what_is_printed_beside_what_is_read() -> None:
    read = [done(name, "sizes", {"p_here": 3, "n_here": 7, "classes_here": 2}) for name in ("Zoo", "wdbc")]
    sizes = combined_rows(CHAPTER, "table_1", read).set_index("dataset")
    assert sizes.loc["Zoo", ["p", "n", "p_here", "n_here"]].to_list() == ["17", "101", 3, 7]
    assert sizes.loc["wdbc", ["p_here", "n_here"]].to_list() == [3, 7]
    assert sizes.loc["wdbc", ["p", "n"]].isna().all()


def test_a_run_that_does_not_name_the_early_stop_has_it() -> None:
    runs = [done("Zoo", "newton", SOLVED), done("Zoo", "newton", SOLVED, early_stop=False)]
    record(CHAPTER, "early_stop", runs)
    record(CHAPTER, "early_stop", runs)
    kept = recorded(NAME, "early_stop")
    assert kept is not None
    assert sorted(kept["early_stop"].astype(str)) == ["False", "True"]
