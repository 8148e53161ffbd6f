"""The chapter's tables beside print, and what is recorded."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from compactml.chapters.pace import NAME, odd_cells
from compactml.chapters.pace import rows as frames
from compactml.chapters.pace.chapter import CHAPTER
from compactml.chapters.pace.datasets import BY_KEY, DATASETS
from compactml.chapters.pace.printed import printed_sizes, printed_texts
from compactml.chapters.pace.rows import NAMES
from compactml.chapters.pace.trials.paper import FIPE, GENERATE, PACE, PRUNE
from compactml.study import Finished
from compactml.study.keys.fingerprint import DataIdentity
from compactml.study.page.beside_print import beside_print
from compactml.study.profile import Profile
from compactml.study.recording import tables as report
from compactml.study.recording.origins import row_keys
from compactml.study.recording.published import home
from compactml.study.recording.recorded import recorded, recorded_provenance
from tests.chapters.pace.toy_tables import COMPRESSED, done, loops_as_stated, row


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the printed tables and nothing recorded, on a machine that lacks one dataset."""
    shutil.copytree(home() / "data" / "published", tmp_path / "data" / "published")
    monkeypatch.setenv("COMPACTML_HOME", str(tmp_path))
    monkeypatch.setattr(
        report, "data_identity", lambda key: DataIdentity("", "made up", at_hand=key != "pol")
    )
    return tmp_path


def cell(table: str, finished: list[Finished], *key: str) -> pd.Series:
    cells = report.comparison(CHAPTER, table, finished)
    asked = report.printed(CHAPTER, table)
    chosen = (cells[[*asked.rows, asked.columns]].astype(str) == list(key)).all(axis="columns")
    (found,) = (one for _, one in cells[chosen].iterrows())
    return found


def shown(table: str, finished: list[Finished], head: str, *key: str) -> list[str]:
    """The cells of one row under one head, with plain spaces."""
    frame = beside_print(CHAPTER, table, finished).frame
    cells = frame.loc[key if len(key) > 1 else key[0], head].to_list()
    return [text.replace("\N{NO-BREAK SPACE}", " ") for text in cells]


TO_BE_RECORDED = {
    "scan_table_1", "scan_table_3", "scan_regions", "scan_order", "scale",
}  # fmt: skip


@pytest.mark.parametrize("table", CHAPTER.table_ids)
def test_every_recorded_row_is_one_trial_of_the_standard_profile(
    table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows of settings that were given up would be drawn and judged beside the others."""
    monkeypatch.delenv("COMPACTML_HOME")
    kept = recorded(NAME, table)
    if kept is None and table in TO_BE_RECORDED:
        pytest.skip(f"{table} is still to be recorded")
    assert kept is not None
    planned = pd.DataFrame(
        {
            "dataset": BY_KEY[trial.dataset].name,
            "seed": trial.seed,
            "kind": trial.kind,
            "method": trial.method,
            **dict(trial.parameters),
        }
        for trial in CHAPTER.trials(table, Profile.STANDARD)
    )
    rows, trials = row_keys(kept, planned, CHAPTER.table(table).key)
    assert rows.is_unique
    assert rows.isin(trials).all()


def test_rows_have_printed_names_and_what_was_asked_and_measured() -> None:
    finished = [done("Cancer", "", kind="history", steps="[]", ended="time")]
    (first,) = CHAPTER.table("fig_10").rows(finished).to_dict("records")
    assert {name: first[name] for name in ("dataset", "n_learners", "depth", "alpha", "beta", "steps")} == {
        "dataset": "Cancer", "n_learners": 25, "depth": 2, "alpha": 0.1, "beta": 0.1, "steps": "[]",
    }  # fmt: skip


def test_numbers_without_a_value_are_not_a_number() -> None:
    rows = CHAPTER.table("table_1").rows([done("Seeds", lower_bound=None)])
    assert list(rows.columns) == list(CHAPTER.table("table_1").rows([]).columns)
    for name in ("lower_bound", "generated_depth", "isolation_trees", "largest_margin"):
        assert rows[name].dtype == float
        assert rows[name].isna().all()


def test_table_2_is_compared_digit_by_digit() -> None:
    data: dict[str, Any] = {
        "n": 683, "binary": 0, "numerical": 9, "classes": 2, "share_1": 444 / 683, "share_2": 239 / 683,
        "share_3": None,
    }  # fmt: skip
    finished = [done("Cancer", "", kind="dataset", **data)]
    verdicts = {
        name: cell("table_2", finished, "Cancer", name)["verdict"]
        for name in ("samples", "numerical", "share 1")
    }
    assert verdicts == {"samples": "every digit", "numerical": "differs", "share 1": "every digit"}
    assert cell("table_2", finished, "Pol", "samples")["verdict"] == "not at hand"
    assert cell("table_2", finished, "Fico", "samples")["verdict"] == "not run"


def test_sizes_are_averaged_over_the_runs_and_compared() -> None:
    finished = [done("Diabetes", seed=seed, final_size=size) for seed, size in ((0, 4), (1, 6))]
    found = cell("table_1", finished, "Diabetes", PRUNE, "25")
    assert (found["published"], found["this_build"], found["verdict"]) == ("5", 5, "every digit")
    assert cell("table_1", [done("Diabetes", final_size=7)], "Diabetes", PRUNE, "25")["verdict"] == "differs"


@pytest.mark.parametrize("changes", [{"certified": 0}, {"certified": 0, "timed_out": 1}])
def test_a_size_without_a_certificate_is_not_judged(changes: dict[str, Any]) -> None:
    finished = [done("Diabetes", seed=seed, **changes if seed else {}) for seed in (0, 1)]
    assert cell("table_1", finished, "Diabetes", PRUNE, "25")["verdict"] == ""
    (_, ours) = shown("table_1", finished, "N = 25", "Diabetes", PRUNE)
    assert ours.startswith("5‡" if "timed_out" not in changes else "5†‡")


def test_nothing_is_judged_where_print_has_the_limit() -> None:
    finished = [done("Ionosphere", PACE, ensemble="adaboost", n_learners=75)]
    assert cell("table_3", finished, "Ionosphere", PACE, "75")[["published", "verdict"]].to_list() == [
        "tlim",
        "",
    ]


def test_cells_show_size_share_and_time_as_printed() -> None:
    finished = [
        done("Cancer", PACE, seconds=1234.0, generated_in_final=0.25, timed_out=1),
        done("Cancer", PRUNE, seconds=0.44),
    ]
    assert shown("table_1", finished, "N = 25", "Cancer", PACE) == [
        "3 · 100 % · 406 s",
        "5† · 25 % · 1,234 s",
    ]
    assert shown("table_1", finished, "N = 25", "Cancer", PRUNE) == ["7 · – · 8 s", "5 · – · 0.4 s"]


def test_table_4_has_a_column_group_for_each_ensemble() -> None:
    finished = [
        done("Seeds", method, kind=kind, ensemble=ensemble, n_learners=100, depth=1, alpha=0.0, beta=0.0)
        for ensemble in ("random_forest", "adaboost")
        for method, kind in ((PACE, "compress"), (FIPE, "fipe"))
    ]
    heads = beside_print(CHAPTER, "table_4", finished).frame.columns.get_level_values(0).unique()
    assert list(heads) == ["random forest", "AdaBoost"]
    assert cell("table_4", finished, "Seeds", FIPE, "adaboost")[["published", "this_build"]].to_list() == [
        "7",
        5,
    ]


def test_an_empty_region_has_no_size() -> None:
    trial = done("Compas")
    empty = Finished(
        trial.trial, {"error": "EmptyRegionError", "largest_margin": 0.4}, trial.provenance, False
    )
    assert cell("table_1", [empty], "Compas", PRUNE, "25")["verdict"] == "not run"
    rows = CHAPTER.table("table_1").rows([empty])
    assert frames.sizes_of(rows, ["dataset"]).isna().all(axis=None)


def test_printed_numbers_are_read_with_their_signs() -> None:
    assert printed_texts("table_3").loc[("Ionosphere", PACE, 100)] == "tlim"
    assert np.isnan(printed_sizes("table_3")[PACE].loc[("Ionosphere", 100)])
    assert printed_texts("table_4").loc[("Fico", FIPE, "adaboost")] == "16 · – · 29 s"


def test_suspicious_entries_are_those_found_by_hand() -> None:
    found = odd_cells.suspicious()
    assert [tuple(one) for one in found[["table", "dataset", "N"]].to_numpy()] == [
        ("Table 1", "Compas", 75),
        ("Table 1", "Ionosphere", 100),
        ("Table 1", "Ionosphere", 100),
        ("Table 3", "House-16H", 100),
        ("Table 3", "Htru2", 75),
    ]
    impossible = odd_cells.impossible_shares("table_3")
    assert (1, 73) in set(zip(impossible["size"], impossible["share"], strict=True))  # Seeds, N = 25


def test_every_table_of_the_chapter_can_be_recorded_and_merged() -> None:
    ours = [
        table for table in CHAPTER.table_ids if table != "fipepy"
    ]  # its rows are other ones: test_trials_of_fipepy
    for table in ours:
        report.record(CHAPTER, table, [])
        assert recorded(NAME, table) is None
        report.record(CHAPTER, table, [done("Seeds", **{**COMPRESSED, "final_size": 3})])
        origin = recorded_provenance(NAME, table)
        assert origin is not None
        assert set(origin["partial"]) == {one.name for one in DATASETS} - {"Seeds"}
        build = [done("Seeds"), done("Seeds", seed=1), done("Seeds", beta=0.2), done("Pol")]
        merged = report.combined_rows(CHAPTER, table, build)
        assert merged[["dataset", "final_size"]].to_numpy().tolist() == [["Seeds", 3], ["Pol", 5]], table
    assert set(report.claim_tables(CHAPTER)) == set(ours)


def test_a_missing_parameter_is_the_same_before_and_after_recording() -> None:
    more: dict[str, Any] = {"pricing": "cart", "generated_depth": None}
    deeper = more | {"generated_depth": 3}
    both = [done("Seeds", more=more), done("Seeds", more=deeper)]
    report.record(CHAPTER, "pricing", both)
    report.record(CHAPTER, "pricing", both)
    assert len(report.combined_rows(CHAPTER, "pricing", both)) == 2


def test_ratios_count_a_limit_of_the_dividend_as_a_bound() -> None:
    def run(method: str, seconds: float, certified: int, dataset: str) -> dict[str, Any]:
        return row(dataset, method, 5, seconds=seconds, certified=certified)

    rows = pd.DataFrame(
        [
            run("constraint", 2, 1, "Seeds"),
            run("milp", 60, 0, "Seeds"),
            run("constraint", 60, 0, "Pol"),
            run("milp", 9, 1, "Pol"),
        ]
    )
    (found,) = frames.ratios(rows, "seconds", "milp").to_dict("records")
    assert (found["dataset"], found["ratio"], found["bound"]) == ("Seeds", 30.0, 1)
    assert frames.geometric(pd.Series([1.0, 4.0])) == pytest.approx(2.0)


def test_speedups_are_given_by_setting_and_over_all() -> None:
    rows = loops_as_stated()
    rows.loc[(rows["method"] == "objective") & (rows["depth"] == 3), "seconds"] *= 8
    found = frames.speedups(rows, ["objective"])
    assert found["setting"].to_list() == ["10 × d2", "25 × d2", "10 × d3", "all"]
    assert found["objective"].to_list() == pytest.approx([3, 3, 24, 6])
    assert found["runs, objective"].to_list() == ["", "", "", f"{3 * len(NAMES)}, 0 at the limit"]


def test_sizes_need_a_certificate_of_every_run() -> None:
    rows = pd.DataFrame(
        [row("Seeds", PACE, 3), row("Seeds", PACE, 5, seed=1, certified=0), row("Seeds", GENERATE, 25)]
    )
    certified = frames.sizes_of(rows, ["dataset"]).loc["Seeds"]
    assert np.isnan(certified[PACE])
    assert certified[GENERATE] == 25
    assert frames.sizes_of(rows, ["dataset"], certified=False).loc["Seeds", PACE] == 4


def test_the_limits_named_are_those_that_stopped_a_run() -> None:
    rows = pd.DataFrame(
        [row("Seeds", PACE, 5, time_limit=8.0), row("Pol", PACE, 5, time_limit=60.0, timed_out=1)]
    )
    assert frames.stopping_limits(rows) == "60"
    assert frames.stopping_limits(rows[:1]) == "8"
    assert frames.stopping_limits(rows.drop(columns="timed_out")) == "8 or 60"
    assert frames.stopping_limits(CHAPTER.table("table_1").rows([])) == ""
