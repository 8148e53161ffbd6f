from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from compactml.study import Finished
from compactml.study.judging.claims import changed_verdicts
from compactml.study.recording.origins import combined, row_keys, source_line, summary, time_limits
from compactml.study.recording.recorded import (
    recorded,
    recorded_provenance,
    recorded_tables,
    update_recorded,
    with_recorded,
    write_recorded,
    write_verdicts,
)
from tests.study.toy_report import finished

TRIALS = [
    finished("iris", run_id="a", seconds=1.25, utc="2026-01-02T00:00:00+00:00"),
    finished("iris", run_id="b", seconds=2.0, profile="standard", dirty=True),
    finished("blood", run_id="c", seconds=4.0, commit=None),
]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "data" / "published").mkdir(parents=True)
    monkeypatch.setenv("COMPACTML_HOME", str(tmp_path))
    return tmp_path


def test_summary_adds_up() -> None:
    found = summary(TRIALS)
    assert (found["n_trials"], found["wall_seconds"], found["cpu_seconds"]) == (3, 7.2, None)
    assert found["dataset_seconds"] == {"blood": 4.0, "iris": 3.2}
    assert (found["profile"], found["commit"], found["dirty"]) == (["quick", "standard"], ["c" * 40], True)
    assert (found["first_utc"][:10], found["last_utc"][:10]) == ("2026-01-01", "2026-01-02")
    assert found["run_id"] == summary(TRIALS[::-1])["run_id"]
    assert found["run_id"] != summary(TRIALS[1:])["run_id"]


HIGHS = {
    "solver": "highs", "version": "1.13.1", "licence": "open source",
    "answers": 2, "rows": 5, "columns": 9, "statuses": {"optimal": 2}, "seconds": 0.25,
}  # fmt: skip
MEASURED = [
    finished(
        "iris", run_id=name, formula=2, cpu_seconds=1.5, host="here", lock_sha256="l" * 64,
        libraries={"python": "3.11", "highspy": "1.13.1"}, backends=(backend,), starved=starved,
    )
    for name, backend, starved in (
        ("a", HIGHS, False),
        ("b", HIGHS | {"rows": 7, "columns": 3, "statuses": {"feasible": 1}, "answers": 1}, True),
        ("c", HIGHS | {"version": "1.16.0"}, False),
    )
]  # fmt: skip


def test_back_ends_are_added_up_by_solver_version_and_licence() -> None:
    found = summary(MEASURED)
    assert [(one["version"], one["answers"], one["rows"], one["columns"]) for one in found["backends"]] == [
        ("1.13.1", 3, 7, 9),
        ("1.16.0", 2, 5, 9),
    ]
    assert found["backends"][0]["statuses"] == {"optimal": 2, "feasible": 1}
    assert found["backends"][0]["seconds"] == 0.5
    assert HIGHS["statuses"] == {"optimal": 2}  # nothing handed in was changed
    assert (found["formula"], found["cpu_seconds"], found["starved"]) == ([2], 4.5, 1)
    assert (found["host"], found["lock"], found["versions"]["highspy"]) == (["here"], ["l" * 64], ["1.13.1"])
    line = source_line(found)
    assert "highs 1.13.1, open source; highs 1.16.0, open source" in line
    assert "1 short of a processor" in line


def at_limit(limit: float, seconds: float, cpu_seconds: float | None) -> Finished:
    one = finished("iris", formula=2, seconds=seconds, cpu_seconds=cpu_seconds)
    return replace(one, trial=replace(one.trial, time_limit=limit))


def test_what_rests_on_a_clock_names_its_limits_and_the_least_share_of_cpu_time() -> None:
    some = [at_limit(60.0, 61.0, 58.0), at_limit(60.0, 30.0, 3.0)]
    more = [at_limit(20.0, 20.0, 19.0)]
    first, second = summary(some), summary(more)
    assert first["clocked"] == {"trials": 1, "limits": [60.0], "share": round(58 / 61, 3)}
    assert combined([first, second, summary(TRIALS)])["clocked"] == summary([*some, *more])["clocked"]
    assert "2 as long as their limit of 20 or 60 s at 95 % of a processor or more" in source_line(
        combined([first, second])
    )
    assert "clocked" not in summary(TRIALS)
    unknown = summary([at_limit(20.0, 20.0, None)])
    assert unknown["clocked"]["share"] is None
    assert "1 as long as their limit of 20 s · " in source_line(unknown)


def test_runs_of_both_formulas_go_together(repository: Path) -> None:
    """What was recorded first has no back ends, and its CPU seconds are wall clock."""
    first = {name: value for name, value in summary(TRIALS).items() if name in FIRST_FIELDS}
    first["cpu_seconds"] = 7.2
    found = combined([first, summary(MEASURED)])
    assert (found["formula"], found["wall_seconds"], found["cpu_seconds"]) == ([1, 2], 10.2, None)
    assert found["backends"] == summary(MEASURED)["backends"]
    assert "7 s" in source_line(first)


FIRST_FIELDS = (
    "run_id", "profile", "n_trials", "commit", "dirty", "versions", "solver", "cpu", "first_utc", "last_utc",
    "dataset_seconds",
)  # fmt: skip


def test_source_line_names_run_commit_and_day() -> None:
    line = source_line(summary(TRIALS))
    for part in (
        summary(TRIALS)["run_id"],
        "3 trials",
        "ccccccccc with changes",
        "scikit-learn 1.9",
        "2026-01-02",
    ):
        assert part in line
    assert source_line(None) == source_line(summary([])) == "no run"


def test_what_is_recorded_is_read_back_bit_by_bit(repository: Path) -> None:
    frame = pd.DataFrame({"dataset": ["iris", "None", "NA"], "value": [0.1 + 0.2, math.nan, 1e-300]})
    path = write_recorded("toy-chapter", "table_1", frame, TRIALS, partial=["hepmass"])
    assert path == repository / "data" / "recorded" / "toy_chapter" / "table_1.csv"
    found = recorded("toy-chapter", "table_1")
    assert found is not None
    pd.testing.assert_frame_equal(found, frame, check_exact=True)
    assert recorded_provenance("toy-chapter", "table_1") == summary(TRIALS) | {"partial": ["hepmass"]}
    first = path.read_bytes()
    write_recorded("toy-chapter", "table_1", found, TRIALS)
    assert path.read_bytes() == first


@pytest.mark.usefixtures("repository")
def test_nothing_recorded_is_none() -> None:
    assert recorded("toy-chapter", "table_9") is None
    assert recorded_provenance("toy-chapter", "table_9") is None


def test_recorded_verdicts_are_compared_with_those_of_now(repository: Path) -> None:
    card = pd.DataFrame({"id": ["a", "b"], "verdict": ["holds", "does not hold"]})
    write_verdicts("some-chapter", card)
    kept = recorded("some-chapter", "claims")
    assert kept is not None
    assert changed_verdicts(card, kept).empty
    assert changed_verdicts(card.assign(verdict="holds"), kept)["id"].tolist() == ["b"]


def test_a_table_is_recorded_in_parts(repository: Path) -> None:
    """The rows of a second run take the places of the first one's; each row names its run."""
    keys, (slow, quick, other) = ["dataset", "method"], TRIALS
    first = pd.DataFrame(
        {"dataset": ["iris", "iris", "blood"], "method": ["a", "b", None], "value": [1.0, 2.0, 3.0]}
    )
    update_recorded("toy", "table_1", first, [slow, other], keys=keys, datasets=["iris", "blood", "seeds"])
    assert recorded_provenance("toy", "table_1") == summary([slow, other]) | {"partial": ["seeds"]}

    again = pd.DataFrame({"dataset": ["seeds", "iris"], "method": ["a", "b"], "value": [5.0, 4.0]})
    update_recorded("toy", "table_1", again, [quick], keys=keys, datasets=["iris", "blood", "seeds"])
    found, origin = recorded("toy", "table_1"), recorded_provenance("toy", "table_1")
    assert found is not None
    assert origin is not None
    assert found["value"].tolist() == [1.0, 4.0, 3.0, 5.0]
    runs = {run["run_id"]: run for run in origin["runs"]}
    assert [runs[run]["wall_seconds"] for run in found["run"]] == [5.2, 2.0, 5.2, 2.0]
    assert (origin["n_trials"], origin["wall_seconds"], origin["partial"]) == (3, 7.2, [])
    assert (origin["dirty"], origin["commit"]) == (True, ["c" * 40])
    assert origin["dataset_seconds"] == {"blood": 4.0, "iris": 3.2}
    assert "3 trials" in source_line(origin)

    update_recorded("toy", "table_1", first, [slow, other], keys=keys)  # the rows of the first run only once
    origin = recorded_provenance("toy", "table_1")
    assert origin is not None
    assert {run["run_id"] for run in origin["runs"]} == set(runs)
    whole = pd.concat([first, again[:1]])
    update_recorded("toy", "table_1", whole, TRIALS, keys=keys)
    assert recorded_provenance("toy", "table_1") == summary(TRIALS) | {"partial": []}
    assert "run" not in pd.read_csv(repository / "data" / "recorded" / "toy" / "table_1.csv")


@pytest.mark.usefixtures("repository")
def test_a_profile_is_named_if_every_part_had_it() -> None:
    parts = {"quick": TRIALS[0], "other": finished("blood", run_id="d", profile=None)}
    for name, trial in parts.items():
        frame = pd.DataFrame({"dataset": [trial.trial.dataset], "value": [1.0]})
        update_recorded("toy", name, frame, [trial], keys=["dataset"])
        update_recorded("toy", name, frame.assign(dataset="wine"), TRIALS[2:], keys=["dataset"])
    profiles = {name: recorded_provenance("toy", name) for name in parts}
    assert {name: origin and origin["profile"] for name, origin in profiles.items()} == {
        "quick": ["quick"],
        "other": [],
    }


def test_rows_of_this_build_fill_in_datasets_that_are_not_recorded(repository: Path) -> None:
    """Of a dataset that is recorded no row is taken, whatever its setting: a mean would be over two profiles."""
    kept = pd.DataFrame({"dataset": ["iris", "iris"], "n": [1, 2], "value": [0.5, 0.6]})
    write_recorded("toy", "table_1", kept, TRIALS)
    build = pd.DataFrame({"dataset": ["iris", "iris", "wdbc"], "n": [1, 3, 3], "value": [0.1, 0.2, 0.3]})
    found = with_recorded(recorded("toy", "table_1"), build)
    assert found["value"].tolist() == [0.5, 0.6, 0.3]
    assert with_recorded(recorded("toy", "table_2"), build) is build
    write_recorded("toy", "table_3", kept.drop(columns="dataset"), TRIALS)
    assert with_recorded(recorded("toy", "table_3"), build.drop(columns="dataset"))["value"].tolist() == [
        0.5,
        0.6,
    ]
    assert list(recorded_tables("toy", ["table_1", "table_2"])) == ["table_1"]


@pytest.mark.parametrize(
    ("limits", "text"), [([], ""), ([None], ""), ([60.0, None], "60"), ([300, 20, 60, 20], "20, 60 or 300")]
)
def test_time_limits_as_text(limits: list[float | None], text: str) -> None:
    assert time_limits(pd.DataFrame({"time_limit": pd.Series(limits, dtype=float)})) == text
    assert time_limits(pd.DataFrame()) == ""


def test_rows_of_a_part_are_those_of_the_whole_though_a_file_has_numbers_for_texts() -> None:
    """A column of 4 and "none" is one of numbers as long as only rows with 4 are in the file."""
    whole = pd.DataFrame({"depth": ["4", "none", "4"], "seed": [0, 0, 1]})
    part = pd.DataFrame({"depth": [4.0, 4.0], "seed": [0.0, 1.0]})
    first, second = row_keys(part, whole, ["depth", "seed"])
    assert first.isin(second).all()
    assert second.isin(first).tolist() == [True, False, True]
