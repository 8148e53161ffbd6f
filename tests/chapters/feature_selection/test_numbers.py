"""Numbers of the prose by hand, from toy results: sizes, endings, scores, readings, proofs, growth, three features."""

from __future__ import annotations

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
from compactml.chapters.feature_selection.printed import HEURISTIC, printed_runs
from compactml.feature_selection import verify
from compactml.study import Finished
from compactml.study.keys.fingerprint import DataIdentity
from compactml.study.page.html import ShownTable
from compactml.study.profile import Profile
from compactml.study.recording import tables as recording
from compactml.study.recording.published import home
from compactml.study.recording.recorded import write_recorded
from compactml.study.recording.results import Results, Settings
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
    return Results(CHAPTER, lambda id: (built or {}).get(id, []), Settings(Profile.STANDARD))


def rows_of(table: str, *rows: Mapping[str, Any]) -> pd.DataFrame:
    """Rows of a table with all its columns."""
    return whole(table, pd.DataFrame(list(rows)))


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


def test_endings_are_counted_over_the_tables() -> None:
    trials = [done("Zoo", "milp1", SOLVED), done("Zoo", "milp2", STOPPED), done("Zoo", "milp3", SOLVED)]
    printed = printed_runs("table_2").query("dataset == 'Zoo'")
    assert (printed["outcome"] == "proved").all()
    counts = {"fs_runs": 3, "fs_agree": 2, "fs_differ": 1, "fs_differ_fitting": 0}
    assert numbers.endings(results({"table_2": trials})) == counts
    twice = numbers.endings(results({"table_2": trials, "table_3": [trials[0], trials[2]]}))
    assert twice == counts | {"fs_runs": 5, "fs_agree": 4}


def test_scored_cells_are_counted_without_the_full_set() -> None:
    ours = as_printed("table_6").query("dataset == 'Zoo'")
    outcomes = printed_runs("table_3").query("dataset == 'Zoo'").set_index("method")["outcome"]
    n_runs = int((outcomes == "proved").sum())
    # the sizes are decided, of the scores none: their errors are larger than a point
    every = {"fs_decided": n_runs, "fs_decided_agree": n_runs, "fs_noisy": 2 * n_runs}
    assert numbers.scores(results(table_6=ours)) == every
    larger = ours["n_selected"] + ours["method"].isin([HEURISTIC, "MILP3", "full set"])
    found = numbers.scores(results(table_6=ours.assign(n_selected=larger)))
    assert found == every | {"fs_decided_agree": n_runs - 2}


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
        "fs_readings": 3, "fs_instances_read": 2, "fs_instances_explained": 1,
    }  # fmt: skip
    assert numbers.taken(results()) == {"fs_taken": 2, "fs_taken_compatible": 1}


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
    found = numbers.instances(results(beyond=whole("beyond", ours), readings=rows))
    assert found == {"fs_compatible": 1, "fs_compatible_proved": 1}


def test_proofs_are_counted_here_and_in_the_paper() -> None:
    ours = whole("beyond", proofs())
    left = (ours["dataset"] == "Zoo") & (ours["measure"] == "cfs")
    ours.loc[left, ["proved", "certificate_verified"]] = 0
    assert numbers.proofs(results(beyond=ours)) == {
        "fs_run": 50, "fs_proved": 49, "fs_paper": int(beyond.printed_best()["proved"].sum()),
    }  # fmt: skip


def test_exact_optima_and_the_open_sets_of_cfs_beside_the_largest_proved_one() -> None:
    rows = proofs().query("dataset in ('Zoo', 'SCADI', 'USPS')").sort_values(["measure", "dataset"])
    rows = rows.assign(n_selected=[7, 8, 9, 5, 6, 99], proved=[0, 1, 0, 1, 0, 1])  # those of CFS first
    assert numbers.exact(results(exact=whole("exact", rows))) == {
        "fs_exact": "3 of 6", "fs_exact_larger": "1 of 2",
    }  # fmt: skip


def test_selections_of_the_papers_program_that_ended_and_those_with_our_columns() -> None:
    ended = {"outcome": "selected", "measure": "cfs", "as_ours": 1}
    rows = rows_of(
        "heuristic_times",
        ended | {"dataset": "Zoo"},
        ended | {"dataset": "SPECTF_Heart", "as_ours": 0},
        {"outcome": "time limit", "measure": "cfs", "dataset": "Optical_Recog"},
    )
    assert numbers.scikit_feature(results(heuristic_times=rows)) == {
        "fs_program_ended": "2 of 3", "fs_program_same": "1",
    }  # fmt: skip


def test_limits_are_those_that_stopped_the_papers_methods_and_those_of_each_study() -> None:
    runs = pd.DataFrame(
        {"dataset": "Zoo", "time_limit": [20.0, 300.0, 60.0], "time_limit_reached": [1, 1, 0]}
    )
    grown = growing().assign(dataset="ORL")
    grown["time_limit"] = grown["method"].map({"ours": 300.0, "Algorithm 2": 60.0})
    recorded = {"table_3": runs, "beyond": proofs(), "growth": grown}
    found = numbers.limits(results(**{id: whole(id, rows) for id, rows in recorded.items()}))
    assert (found["fs_rerun_limits"], found["fs_own_limits"]) == ("20 or 300", "300")
    assert (found["fs_growth_limit_own"], found["fs_growth_limit_other"]) == ("300", "60")


def test_nothing_run_and_nothing_recorded_is_no_error() -> None:
    nothing = results()
    for name in numbers.__all__:
        assert getattr(numbers, name)(nothing), name
    assert numbers.readings(nothing)["fs_readings"] == 0


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
    gaps = list(digits.bound_numbers(nothing).values())
    _, program, best = digits.solved_digits()
    assert best.certificate is not None
    assert best.value <= verify(program, best.certificate) <= best.value * (1 + 2e-6)
    assert digits.numbers(nothing) == {"fs_p": program.n_features, "fs_size": len(best.support)}
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[-1] > 0
