"""Numbers of the prose by hand, from toy results: sizes, endings, scores, readings, proofs, growth, three features."""

from __future__ import annotations

import math
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jupytext
import numpy as np
import pandas as pd
import pytest

from compactml.chapters.feature_selection import NAME, beyond, digits, method, numbers, shown
from compactml.chapters.feature_selection.chapter import CHAPTER
from compactml.chapters.feature_selection.datasets import DATASETS
from compactml.chapters.feature_selection.printed import HEURISTIC, printed_runs
from compactml.study import Finished
from compactml.study.keys.fingerprint import DataIdentity
from compactml.study.page.html import ShownTable
from compactml.study.recording import tables as recording
from compactml.study.recording.published import home
from compactml.study.recording.recorded import write_recorded
from compactml.study.recording.results import Results
from tests.chapters.feature_selection.toy_tables import (
    SOLVED,
    STOPPED,
    as_printed,
    done,
    growing,
    proofs,
    whole,
)
from tests.study.toy_report import finished

NOTEBOOKS = home() / "notebooks" / "feature_selection"


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the printed tables and nothing recorded, on a machine that has no data."""
    shutil.copytree(home() / "data" / "published", tmp_path / "data" / "published")
    monkeypatch.setenv("COMPACTML_HOME", str(tmp_path))
    monkeypatch.setattr(recording, "data_identity", lambda key: DataIdentity("", "made up", at_hand=True))
    return tmp_path


def results(built: Mapping[str, Sequence[Finished]] | None = None, **recorded: pd.DataFrame) -> Results:
    """Results with these trials and these recorded rows."""
    for id, rows in recorded.items():
        write_recorded(NAME, id, rows, [finished("zoo")])
    return Results(CHAPTER, lambda id: (built or {}).get(id, []))


def rows_of(table: str, *rows: Mapping[str, Any]) -> pd.DataFrame:
    """Rows of a table with all its columns."""
    return whole(table, pd.DataFrame(list(rows)))


def test_sizes_are_equal_where_rows_and_features_are() -> None:
    table = pd.DataFrame({"dataset": [one.name for one in DATASETS], "p": "3", "n": "10", "n_here": 10})
    table = table.assign(p_here=[3, 3, 4, *[np.nan] * 22])
    table.loc[0, "n_here"] = 11
    assert numbers.sizes(results(table_1=table)) == {"fs_sizes": 3, "fs_sizes_equal": 1}


def test_limits_are_those_that_stopped_runs_and_those_of_this_build() -> None:
    runs = pd.DataFrame(
        {"dataset": "Zoo", "time_limit": [20.0, 300.0, 60.0], "time_limit_reached": [1, 1, 0]}
    )
    trial = done("Zoo", "milp3", SOLVED)
    assert numbers.limits(results({"table_2": [trial]}, table_3=whole("table_3", runs))) == {
        "fs_limit": "100", "fs_limit_recorded": "20 or 300", "fs_limit_standard": "300",
    }  # fmt: skip


def test_newton_gaps_are_those_of_stopped_runs() -> None:
    run = {"dataset": "Zoo", "method": "Algorithm 2", "outcome": "time limit"}
    three = rows_of(
        "table_3",
        run | {"gap_proved": 0.034},
        run | {"gap_proved": 0.001, "outcome": "proved"},
        run | {"gap_proved": 0.002, "method": "Algorithm 1"},
    )
    four = rows_of("table_4", run | {"gap_proved": 1234.5})
    found = numbers.newton_gaps(results(table_3=three, table_4=four))
    assert found == {"fs_newton_least": "0.03", "fs_newton_most": "1,234"}


def test_endings_are_counted_by_table() -> None:
    trials = [done("Zoo", "milp1", SOLVED), done("Zoo", "milp2", STOPPED), done("Zoo", "milp3", SOLVED)]
    found = numbers.table_2(results({"table_2": trials}))
    printed = printed_runs("table_2").query("dataset == 'Zoo'")
    assert (printed["outcome"] == "proved").all()
    assert found == {
        "fs_table_2_all": 3, "fs_table_2_agree": 2, "fs_table_2_shorter": 0, "fs_table_2_differ": 1,
        "fs_table_2_both_stopped": 0, "fs_table_2_differ_fitting": 0,
    }  # fmt: skip


def test_scored_cells_are_counted_without_the_full_set() -> None:
    ours = as_printed("table_6").query("dataset == 'Zoo'")
    outcomes = printed_runs("table_3").query("dataset == 'Zoo'").set_index("method")["outcome"]
    n_runs = int((outcomes == "proved").sum())
    # the sizes are decided, of the scores none: their errors are larger than a point
    every = {"fs_table_6_all": n_runs, "fs_table_6_open": 2 * n_runs, "fs_table_6_agree": n_runs}
    assert numbers.table_6(results(table_6=ours)) == every | {
        "fs_table_6_differ": 0,
        "fs_table_6_heuristic": 0,
    }
    larger = ours["n_selected"] + ours["method"].isin([HEURISTIC, "MILP3", "full set"])
    found = numbers.table_6(results(table_6=ours.assign(n_selected=larger)))
    assert found == every | {
        "fs_table_6_agree": n_runs - 2,
        "fs_table_6_differ": 2,
        "fs_table_6_heuristic": 1,
    }


def reading(dataset: str, measure: str, **changes: Any) -> dict[str, Any]:
    """A reading of Optical_Recog that is known to fit print for mRMR, or another one."""
    return {
        "dataset": dataset, "key": "optdigits_without_constant_pixels", "measure": measure, "discretizer": "levels",
        "su": "geometric", "drop_constant": False, "h_ones": 0.05, "value": 0.18833, "bound": 0.189,
        "n_selected": 32, "sizes": "31 32 33", "f1_nb_mean": 0.92, "f1_nb_std": 0.01, "f1_rf_mean": 0.82,
        "f1_rf_std": 0.01,
    } | changes  # fmt: skip


OTHER = {"value": 0.3, "bound": 0.301}
"""An optimum that print rules out."""


def test_readings_are_counted_by_what_they_explain() -> None:
    rows = rows_of(
        "readings",
        reading("Optical_Recog", "mrmr"),
        reading("Optical_Recog", "mrmr", discretizer="integer", **OTHER),
        reading("Optical_Recog", "cfs", **OTHER),
    )
    assert numbers.readings(results(readings=rows)) == {
        "fs_readings": 3, "fs_instances_read": 2, "fs_instances_explained": 1, "fs_taken": 2, "fs_taken_compatible": 1,
    }  # fmt: skip


def test_a_better_reading_is_named_by_its_dataset() -> None:
    taken = reading("Optical_Recog", "mrmr", **OTHER)
    rows = rows_of("readings", taken, reading("Optical_Recog", "mrmr", discretizer="integer"))
    assert numbers.better_readings(results(readings=rows)) == {
        "fs_better_n": 1, "fs_better": "Optical_Recog",
    }  # fmt: skip
    assert numbers.better_readings(results(readings=rows.head(1)))["fs_better_n"] == 0


def test_the_best_discretiser_is_told_in_words() -> None:
    rows = rows_of("readings", reading("USPS", "mrmr", discretizer="equal_width"))
    found = numbers.discretizers(results(readings=rows))
    assert (found["fs_rule"], found["fs_rule_tried"]) == ("equal width", 1)


def test_two_features_of_the_heuristic_in_print_and_here() -> None:
    run = {"method": HEURISTIC, "outcome": "", "measure": "mrmr", "dataset": "USPS", "n_selected": 2}
    rows = rows_of(
        "heuristics",
        run,
        run | {"dataset": "Madelon", "n_selected": 3},
        run | {"dataset": "ISOLET", "measure": "cfs"},
        run | {"dataset": "Zoo"},
    )
    printed = printed_runs("table_6").query("method == @HEURISTIC").set_index("dataset")["n_selected"]
    assert (printed["USPS"], printed["Zoo"] == 2) == (2, False)
    found = numbers.two_features(results(heuristics=rows))
    assert found == {"fs_two": int((printed == 2).sum()), "fs_two_here": 1}


def test_instances_whose_reading_fits_are_counted() -> None:
    ours = proofs().query("dataset in ('Optical_Recog', 'Zoo')").assign(value=1.0, bound=1.0)
    ours.loc[ours["measure"] == "cfs", "proved"] = 0
    rows = rows_of("readings", reading("Optical_Recog", "mrmr"), reading("Optical_Recog", "cfs", **OTHER))
    stopped = as_printed("table_2").assign(time_limit_reached=1, time_limit=60.0)
    found = numbers.instances(results(beyond=whole("beyond", ours), readings=rows, table_2=stopped))
    assert found == {
        "fs_rerun_limits": "60", "fs_own_limits": "300", "fs_compatible": 1, "fs_compatible_proved": 1,
    }  # fmt: skip


def test_proofs_are_counted_by_measure() -> None:
    ours = whole("beyond", proofs())
    left = (ours["dataset"] == "Zoo") & (ours["measure"] == "cfs")
    ours.loc[left, ["proved", "certificate_verified"]] = 0
    ours.loc[ours["measure"] == "mrmr", "seconds"] = np.linspace(1, 25, 25)
    found = numbers.proofs(results(beyond=ours))
    assert (found["fs_all_run"], found["fs_all_proved"], found["fs_verified"]) == (50, 49, 49)
    assert (found["fs_mrmr_proved"], found["fs_cfs_proved"], found["fs_cfs_run"]) == (25, 24, 25)
    assert found["fs_mrmr_median"] == pytest.approx(13)
    printed = beyond.printed_best().query("proved")["measure"].value_counts()
    assert (found["fs_mrmr_paper"], found["fs_cfs_paper"]) == (printed["mrmr"], printed["cfs"])


def test_exact_optima_of_cfs_that_are_open_are_named() -> None:
    rows = proofs().query("dataset in ('Zoo', 'SCADI')").assign(n_selected=[5, 6, 7, 8], proved=[1, 0, 0, 1])
    rows["measure"] = ["mrmr", "mrmr", "cfs", "cfs"]
    rows["dataset"] = ["Zoo", "SCADI", "Zoo", "SCADI"]
    assert numbers.exact(results(exact=whole("exact", rows))) == {
        "fs_exact_largest": 205, "fs_exact": "2 of 4", "fs_exact_open": "Zoo 7 of 17", "fs_exact_most": "8",
    }  # fmt: skip


def test_growth_tells_the_smallest_size_and_both_limits() -> None:
    rows = growing().assign(dataset="ORL")
    rows["time_limit"] = rows["method"].map({"ours": 300.0, "Algorithm 2": 60.0})
    assert numbers.growth(results(growth=whole("growth", rows))) == {
        "fs_growth_limit_own": "300", "fs_growth_limit_other": "60", "fs_small_p": "25", "fs_small_own": 0.01,
    }  # fmt: skip


def test_nothing_run_and_nothing_recorded_is_no_error() -> None:
    nothing = results()
    for name in numbers.__all__:
        assert getattr(numbers, name)(nothing), name
    assert numbers.readings(nothing)["fs_readings"] == 0
    assert math.isnan(numbers.proofs(nothing)["fs_mrmr_median"])


def of_results(function: Any) -> bool:
    """Whether a function makes something of results alone, as a notebook calls it."""
    code = getattr(function, "__code__", None)
    return code is not None and code.co_varnames[: code.co_argcount] == ("results",)


@pytest.mark.parametrize("name", [name for name, one in vars(shown).items() if of_results(one)])
def test_a_table_is_shown_where_nothing_is_recorded(name: str) -> None:
    make = getattr(shown, name)
    if make.__annotations__.get("return") == "ShownTable" and name != "show":
        assert isinstance(make(results()), ShownTable)


def test_the_example_of_the_method() -> None:
    nothing = results()
    assert method.best_numbers(nothing) == {"fs_best": pytest.approx(0.175), "fs_best_set": "{1, 2}"}
    assert method.step_numbers(nothing) == {"fs_newton_steps": 2, "fs_bisection_steps": 8}
    bounds = method.relaxation_numbers(nothing)
    assert bounds["fs_free"] > 0.175
    assert bounds["fs_free_gap"] == pytest.approx(100 * (float(bounds["fs_free"]) / 0.175 - 1))
    assert str(bounds["fs_by_size"]).split(", ")[1] == "0.175"


def test_the_card_proves_what_each_size_can_have() -> None:
    """F of the best set of a size is l**2 (t - its value), and no tangent is above it."""
    card = method.card(results()).frame.set_index("l")["F is at least"]
    every = method.sets(method.mrmr_example())
    best = every.groupby(every["set"].str.count(",") + 1)["value"].max()
    exact = [size**2 * (0.175 - best[size]) for size in (1, 2, 3)]
    assert card[2] == pytest.approx(0, abs=1e-9)
    assert (card >= 0).all()
    assert (card <= np.array(exact) + 1e-9).all()


def test_models_and_methods_find_the_best_set() -> None:
    assert set(method.models(results()).frame["set"]) == {"{1, 2}"}
    frame = method.cfs_sets(results()).frame
    best = frame.loc[frame["value"].idxmax(), "set"]
    for name in method.CFS_METHODS:
        assert frame.loc[frame[name] == "best", "set"].to_list() == [best]


def test_the_page_has_the_numbers_that_it_shows() -> None:
    """The visible cell with the three features, and the program that the page's tables are made of."""
    source = (NOTEBOOKS / "01_method.md").read_text(encoding="utf-8")
    cells = [cell.source for cell in jupytext.reads(source, "md:myst").cells if cell.cell_type == "code"]
    names: dict[str, Any] = {"np": np, "FractionalProgram": type(method.mrmr_example())}
    for start in ("relevance = ", "y = "):
        (cell,) = [text for text in cells if text.startswith(start)]
        exec(cell, names)
    assert (names["mrmr"].b == method.mrmr_example().b).all()
    assert (names["redundancy"] == method.REDUNDANCY).all()
    assert (names["y"] == method.DIAGONAL).all()


def test_bounds_of_the_digits_are_above_the_optimum_and_each_is_tighter() -> None:
    nothing = results()
    optimum, gaps = digits.numbers(nothing), list(digits.bound_numbers(nothing).values())
    assert optimum["fs_value"] <= optimum["fs_checked"] <= optimum["fs_value"] * (1 + 2e-6)
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[-1] > 0
