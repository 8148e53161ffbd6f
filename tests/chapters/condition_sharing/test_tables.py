"""The chapter's tables beside print: reasons for cells that differ, what is recorded, what a build repeats."""

from __future__ import annotations

import shutil
from pathlib import Path

import pandas as pd
import pytest

from compactml.chapters.condition_sharing import NAME, reasons
from compactml.chapters.condition_sharing import rows as frames
from compactml.chapters.condition_sharing.chapter import CHAPTER
from compactml.chapters.condition_sharing.claims.common import ROW_ORDER
from compactml.chapters.condition_sharing.datasets import DATASETS
from compactml.study import Finished
from compactml.study.keys.fingerprint import DataIdentity
from compactml.study.page.beside_print import beside_print, differing
from compactml.study.recording import tables
from compactml.study.recording.published import home
from compactml.study.recording.recorded import recorded, recorded_provenance, write_recorded
from tests.chapters.condition_sharing.toy_tables import folds, printed_table


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the printed tables and nothing recorded, on a machine that lacks RNA-Seq PANCAN."""
    shutil.copytree(home() / "data" / "published", tmp_path / "data" / "published")
    monkeypatch.setenv("COMPACTML_HOME", str(tmp_path))
    monkeypatch.setattr(
        tables, "data_identity", lambda key: DataIdentity("", "made up", at_hand=key != "rna_seq_pancan")
    )
    return tmp_path


def iris_rf(**changes: list[float] | float) -> list[Finished]:
    """Iris with RF: the test accuracy, size ratio and accuracy ratio that are printed unless changed."""
    printed = printed_table("table_2").query("dataset == 'iris' and learner == 'RF'")
    value = dict(zip(printed["measure"], printed["value"], strict=True))
    own = {
        "TrA": value["TrA"], "TeA": value["TeA"], "NDC": value["NDC"], "n_test": 30,
        "NDC_shared": value["SR"] * value["NDC"], "TeA_shared": value["AR"] * value["TeA"],
    }  # fmt: skip
    return folds("iris", "RF", **(own | changes))


def cell(finished: list[Finished], measure: str = "TeA", dataset: str = "iris") -> pd.Series:
    cells = tables.comparison(CHAPTER, "table_2", finished)
    found = cells[(cells[frames.CELL] == [dataset, "RF", measure]).all(axis="columns")]
    assert len(found) == 1
    return found.iloc[0]


def test_printed_values_agree_and_need_no_reason() -> None:
    for measure in frames.TABLE_2:
        found = cell(iris_rf(), measure)
        assert (found["verdict"], found["reason"]) == ("every digit", "")


def test_cells_without_a_value_are_not_run_or_not_at_hand() -> None:
    assert cell(iris_rf(), dataset="blood")["verdict"] == "not run"
    missing = cell(iris_rf(), dataset="RNA-Seq PANCAN")
    assert (missing["verdict"], missing["reason"]) == ("not at hand", "")


def test_a_difference_is_explained_by_the_older_version_only_if_that_gives_the_digits() -> None:
    differing = iris_rf(TeA=0.9)
    assert cell(differing)["reason"] == "not explained"
    older = frames.table_2(differing)
    write_recorded(NAME, "table_2" + reasons.OLDER["1.1.3"], older, differing)
    assert cell(differing)["reason"] == "not explained"
    write_recorded(NAME, "table_2" + reasons.OLDER["1.1.0"], printed_table("table_2"), differing)
    assert cell(differing)["reason"] == "every digit with scikit-learn 1.1.0"
    write_recorded(NAME, "table_2" + reasons.OLDER["1.1.3"], printed_table("table_2"), differing)
    found = cell(differing)
    assert (found["verdict"], found["reason"]) == ("differs", "every digit with scikit-learn 1.1.3")


@pytest.mark.parametrize(
    ("elsewhere", "reason"),
    [
        ({"TeA": 0.91}, reasons.ROUNDING),
        ({"TeA": 0.9 + 1e-15}, "not explained"),  # a mean added up in another order is the same number
        (
            {"TeA": 0.9, "TrA": 0.5},
            "not explained",
        ),  # another cell of the same trees moves, this one does not
    ],
)
def test_a_difference_is_explained_by_environments_that_disagree_about_the_cell(
    elsewhere: dict[str, float], reason: str
) -> None:
    differing = iris_rf(TeA=0.9)
    write_recorded(NAME, "table_2" + reasons.OLDER["1.1.3"], frames.table_2(differing), differing)
    write_recorded(NAME, "table_2" + reasons.OLDER["1.1.0"], frames.table_2(iris_rf(**elsewhere)), differing)
    assert cell(differing)["reason"] == reason


@pytest.mark.parametrize(("ties", "explained"), [(1, True), (0, False)])
def test_a_difference_is_explained_by_ties_that_can_move_it_so_far(ties: int, explained: bool) -> None:
    # one row of thirty is 0.0333
    printed = cell(iris_rf())["this_build"]
    near = cell(iris_rf(TeA=printed - 0.03, ties=ties))
    assert (near["reason"] == "rows with a tied vote can move it that far") == explained
    far = cell(iris_rf(TeA=printed - 0.04, ties=ties))
    assert far["reason"] == "not explained"


@pytest.mark.parametrize("dataset", ROW_ORDER)
def test_a_lost_row_order_is_named_where_nothing_else_explains(dataset: str) -> None:
    key = next(one.key for one in DATASETS if one.name == dataset)
    assert cell(folds(key, "RF"), dataset=dataset)["reason"] == ROW_ORDER[dataset]


def test_recorded_numbers_stand_beside_those_of_the_build() -> None:
    tables.record(CHAPTER, "table_2", iris_rf(TeA=0.9))
    recorded_only = cell([])
    assert recorded_only["recorded"] == pytest.approx(0.9)
    assert (pd.isna(recorded_only["this_build"]), recorded_only["verdict"]) == (True, "differs")
    both = cell(iris_rf())
    assert both["recorded"] == pytest.approx(0.9)
    assert both["verdict"] == "every digit"  # the build decides


def test_record_names_what_is_lacking_and_writes_nothing_for_drawn_figures() -> None:
    tables.record(CHAPTER, "table_2", iris_rf())
    kept, origin = recorded(NAME, "table_2"), recorded_provenance(NAME, "table_2")
    assert kept is not None
    assert origin is not None
    pd.testing.assert_frame_equal(kept, frames.table_2(iris_rf()), check_dtype=False)
    assert origin["partial"] == [one.name for one in DATASETS if one.name != "iris"]
    for table in ("fig_2", "fig_3", "fig_5"):
        tables.record(CHAPTER, table, iris_rf())
        assert recorded(NAME, table) is None
    tables.record(CHAPTER, "table_3", [])
    assert recorded(NAME, "table_3") is None


def test_known_is_the_recorded_rows_and_the_builds_for_the_rest() -> None:
    assert set(tables.combined_rows(CHAPTER, "table_2", iris_rf())["dataset"]) == {"iris"}
    tables.record(CHAPTER, "table_2", iris_rf(TeA=0.9))
    merged = tables.combined_rows(CHAPTER, "table_2", [*iris_rf(), *folds("wdbc", "RF")])
    assert len(merged) == 2 * len(frames.TABLE_2)
    accuracy = merged.query("measure == 'TeA'").set_index("dataset")["value"]
    assert accuracy.to_dict() == pytest.approx({"iris": 0.9, "breast cancer": 0.8})


def test_repeated_counts_the_numbers_that_came_out_again() -> None:
    assert tables.repeated(CHAPTER, "table_2", iris_rf(), ["value"]) == (0, 0)
    tables.record(CHAPTER, "table_2", iris_rf())
    assert tables.repeated(CHAPTER, "table_2", [*iris_rf(), *folds("wdbc", "RF")], ["value"]) == (5, 5)
    assert tables.repeated(CHAPTER, "table_2", iris_rf(TrA=0.5), ["value"]) == (4, 5)


def test_reproduced_shows_the_paper_layout_and_the_differing_cells() -> None:
    whole, different = (show(CHAPTER, "table_2", iris_rf(TrA=0.5)) for show in (beside_print, differing))
    assert len(different.frame) == 1
    assert different.frame.loc[0, ["dataset", "measure", "reason"]].to_list() == [
        "iris",
        "TrA",
        "not explained",
    ]
    assert whole.frame.shape[0] == 21 * len(frames.TABLE_2)


def test_claim_data_has_what_is_recorded() -> None:
    tables.record(CHAPTER, "table_2", iris_rf())
    write_recorded(NAME, "table_2" + reasons.OLDER["1.1.3"], frames.table_2(iris_rf()), iris_rf())
    write_recorded(NAME, "table_1", pd.DataFrame({"dataset": ["iris"]}), [])
    data = tables.claim_tables(CHAPTER)
    assert set(data) == {"table_1", "table_2", "table_2_scikit_learn_1_1"}
    assert data["table_1"]["dataset"].to_list() == ["iris"]


def test_rows_of_our_own_trials_have_what_was_asked_and_measured() -> None:
    trials = folds("wdbc", "RF", "speed", {"ratio": 1.5})
    frame = CHAPTER.table("speed").rows(trials)
    assert frame[["dataset", "learner", "ratio"]].to_dict("records") == [
        {"dataset": "wdbc", "learner": "RF", "ratio": 1.5}
    ] * len(trials)
