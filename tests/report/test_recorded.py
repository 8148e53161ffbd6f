from __future__ import annotations

import math
from pathlib import Path

import pandas as pd
import pytest
from toy_report import finished

from compactml.report.claims import changed_verdicts
from compactml.report.recorded import (
    recorded,
    recorded_provenance,
    recorded_tables,
    source_line,
    summary,
    with_recorded,
    write_recorded,
    write_verdicts,
)

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
    assert (found["n_trials"], found["cpu_seconds"]) == (3, 7.2)
    assert found["dataset_seconds"] == {"blood": 4.0, "iris": 3.2}
    assert (found["profile"], found["commit"], found["dirty"]) == (["quick", "standard"], ["c" * 40], True)
    assert (found["first_utc"][:10], found["last_utc"][:10]) == ("2026-01-01", "2026-01-02")
    assert found["run_id"] == summary(TRIALS[::-1])["run_id"]
    assert found["run_id"] != summary(TRIALS[1:])["run_id"]


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


def test_rows_of_this_build_fill_what_is_not_recorded(repository: Path) -> None:
    """A file has 1.0 and NaN where a build has 1 and None, and may lack a column that tells rows apart."""
    kept = pd.DataFrame({"dataset": ["iris", "iris"], "n": [1.0, math.nan], "value": [0.5, 0.6]})
    write_recorded("toy", "table_1", kept, TRIALS)
    build = pd.DataFrame({"dataset": "iris", "n": [1, None, 2], "extra": "x", "value": [0.1, 0.2, 0.3]})
    found = with_recorded("toy", "table_1", build, ["dataset", "n", "extra"])
    assert found["value"].tolist() == [0.5, 0.6, 0.3]
    assert with_recorded("toy", "table_2", build, ["dataset"]) is build
    assert list(recorded_tables("toy", ["table_1", "table_2"])) == ["table_1"]
