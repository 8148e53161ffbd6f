"""A record is guarded: its tree, its profile, its hash, one writer; and it is continued from a copy."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from compactml import cli
from compactml.chapters.boolean_rules import chapter as boolean_rules
from compactml.errors import CompactmlError, InvalidParameterError
from compactml.files import locked
from compactml.study import Profile, Trial
from compactml.study.keys.fingerprint import data_identity
from compactml.study.recording import record_rules, recorded
from compactml.study.recording.clocked import is_clocked
from compactml.study.recording.errors import DamagedRecord, OtherProfile, RecordBusy, UncleanTree
from compactml.study.recording.record_rules import Recording, check_origins, check_tree, recording, target
from compactml.study.recording.recorded import (
    recorded_provenance,
    recorded_tables,
    update_recorded,
    write_recorded,
)
from tests.study.toy_report import finished

ROOT = Path(__file__).resolve().parents[2]
TRIAL = finished("iris")
FRAME = pd.DataFrame({"dataset": ["iris"], "value": [1.0]})
SMALL = "blood_transfusion"
TABLE_1 = boolean_rules.CHAPTER.table("table_1")


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "data" / "published").mkdir(parents=True)
    (tmp_path / "data" / "published" / "text").write_text("printed")
    monkeypatch.setenv("COMPACTML_HOME", str(tmp_path))
    monkeypatch.setattr(record_rules, "git_state_once", lambda: ("c" * 40, False))
    for command in ("init -q", "add .", "-c user.name=a -c user.email=b commit -qm one"):
        subprocess.run(["git", "-C", str(tmp_path), *command.split()], check=True)
    return tmp_path


def test_the_official_record_needs_a_clean_tree(checkout: Path) -> None:
    place = target(None, True, Profile.STANDARD, False)
    assert place.root == checkout / "data" / "recorded"
    (checkout / "data" / "recorded").mkdir()
    (checkout / "data" / "recorded" / "new").touch()
    check_tree()  # what is recorded does not count
    (checkout / "code.py").touch()
    for force in (False, True):
        with pytest.raises(UncleanTree, match=r"code\.py.*worktree"):
            target(None, True, Profile.STANDARD, force)


def test_no_commit_is_no_tree(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_rules, "git_state_once", lambda: ("c" * 40, True))
    with pytest.raises(UncleanTree, match="package"):
        check_tree()
    shutil.rmtree(checkout / ".git")
    with pytest.raises(UncleanTree, match="no checkout"):
        check_tree()
    with pytest.raises(UncleanTree, match=r"1 results.*--store"):
        check_origins([TRIAL, finished("iris", dirty=True)])


def test_a_folder_of_the_official_record_is_no_other_place(checkout: Path) -> None:
    with pytest.raises(InvalidParameterError, match="outside data/recorded"):
        target(str(checkout / "data" / "recorded" / "x"), False, Profile.QUICK, False)


@pytest.mark.parametrize(
    ("first", "then", "same_row", "refused"),
    [
        ("standard", "standard", True, False),
        ("standard", "quick", True, True),
        ("standard", "paper", True, True),
        ("standard", "quick", False, True),
        ("standard", "paper", False, False),
        (None, "quick", True, True),
        (None, "standard", True, False),
        (None, "paper", True, False),
    ],
)
def test_a_row_replaces_a_row_of_its_profile(
    tmp_path: Path, first: str | None, then: str, same_row: bool, refused: bool
) -> None:
    old = Recording(tmp_path, Profile(first) if first else None)
    with recording(old):
        update_recorded("toy", "table_1", FRAME, [finished("iris", profile=first)], keys=["dataset"])
        before = recorded_tables("toy")["table_1"]
    rows = FRAME.assign(value=2.0) if same_row else FRAME.assign(dataset="wine")
    new = Recording(tmp_path, Profile(then))
    if refused:
        with recording(new), pytest.raises(OtherProfile, match=r"1 recorded rows of table_1.*--force"):
            update_recorded("toy", "table_1", rows, [TRIAL], keys=["dataset"])
        with recording(new):
            pd.testing.assert_frame_equal(recorded_tables("toy")["table_1"], before)
        new = replace(new, force=True)
    with recording(new):
        update_recorded("toy", "table_1", rows, [TRIAL], keys=["dataset"])
        origin = recorded_provenance("toy", "table_1")
    assert origin is not None
    assert then in origin["profile"] or not first  # the run's, whatever profile computed the trial


@pytest.mark.parametrize("damage", ["csv", "json", "lost csv", "lost json"])
def test_a_table_apart_from_its_provenance_is_refused(tmp_path: Path, damage: str) -> None:
    place = Recording(tmp_path)
    with recording(place):
        path = write_recorded("toy", "table_1", FRAME, [TRIAL])
        said = path.with_name("table_1.provenance.json")
        changed = path if damage.endswith("csv") else said
        if damage.startswith("lost"):
            changed.unlink()
        else:
            changed.write_bytes(changed.read_bytes().replace(b"csv_sha256", b"other").replace(b"1.0", b"1.5"))
        for read in (recorded.recorded, recorded_provenance):
            with pytest.raises(DamagedRecord, match=r"table_1\.csv.*git -C .* checkout HEAD"):
                read("toy", "table_1")


def test_a_kill_between_both_files_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with recording(Recording(tmp_path)):
        path = write_recorded("toy", "table_1", FRAME, [TRIAL])
        first = path.read_bytes()
        real = Path.replace

        def killed(own: Path, goal: Path) -> Path:
            if str(goal).endswith(".json"):
                raise KeyboardInterrupt
            return real(own, goal)

        monkeypatch.setattr(Path, "replace", killed)
        with pytest.raises(KeyboardInterrupt):
            write_recorded("toy", "table_1", FRAME.assign(value=7.0), [TRIAL])
        assert path.read_bytes() != first
        with pytest.raises(DamagedRecord):
            recorded.recorded("toy", "table_1")


def test_one_process_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "toy").mkdir()
    monkeypatch.setattr(recorded, "locked", lambda path: locked(path, seconds=0))
    with recording(Recording(tmp_path)), locked(tmp_path / "toy" / recorded.LOCK), pytest.raises(RecordBusy):
        write_recorded("toy", "table_1", FRAME, [TRIAL])
    assert isinstance(RecordBusy("x"), CompactmlError)


PROGRAM = """
import sys
from dataclasses import replace
from compactml import cli
from compactml.chapters.condition_sharing import chapter as module
table = module.CHAPTER.table("table_2")
def trials(profile):
    return [trial for trial in table.trials(profile) if trial.dataset == "iris" and trial.method in ("RF", "GBoost")]
module.CHAPTER = replace(module.CHAPTER, tables=(replace(table, trials=trials),))
cli.main(sys.argv[1:])
"""
"""The paper's table on the one dataset that needs no download, five folds."""


def record(folder: Path, name: str, store: str, *options: str) -> str:
    """Record the table in a process of its own; returns what it says."""
    command = [
        sys.executable,
        "-c",
        PROGRAM,
        "run",
        "condition-sharing",
        "--table",
        "2",
        "--profile",
        "paper",
    ]
    command += ["--record", str(folder / name), "--store", str(folder / store), *options]
    variables = os.environ | {"COMPACTML_DATA": str(folder / "none")}
    done = subprocess.run(command, capture_output=True, text=True, env=variables, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_a_record_of_three_is_continued_to_five_elsewhere(tmp_path: Path) -> None:
    """A copy of the record and an empty store: the table is that of five repetitions at once."""
    assert "3 of 5 repetitions are recorded, 2 missing" in record(tmp_path, "a", "one", "--repetitions", "3")
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    said = record(tmp_path, "b", "empty")
    assert "10 of 10 trials, 0 from the store, 6 from the record" in said
    assert "5 of 5 repetitions are recorded, 0 missing" in said
    record(tmp_path, "c", "other")
    tables = []
    for name in ("b", "c"):
        with recording(Recording(tmp_path / name)):
            tables.append(recorded_tables("condition-sharing")["table_2"])
            origin = recorded_provenance("condition-sharing", "table_2")
        assert origin is not None
        assert origin["repetitions"] == {"there": 5, "asked_by_profile": 5, "datasets": {"iris": 5}}
    own = [
        one[[name for name in one if not is_clocked("condition-sharing", name)]].drop(
            columns="run", errors="ignore"
        )
        for one in tables
    ]
    assert len(own[0])
    pd.testing.assert_frame_equal(*own, check_exact=True)


def run_command(folder: Path, store: str, *options: str) -> None:
    """Run the table without recording it."""
    command = [
        sys.executable,
        "-c",
        PROGRAM,
        "run",
        "condition-sharing",
        "--table",
        "2",
        "--profile",
        "paper",
    ]
    variables = os.environ | {"COMPACTML_DATA": str(folder / "none")}
    subprocess.run(
        [*command, "--store", str(folder / store), *options],
        check=True,
        env=variables,
        cwd=ROOT,
        capture_output=True,
    )


def test_what_is_finished_is_recorded_and_a_dataset_waits_for_all_its_trials(tmp_path: Path) -> None:
    """A run that was stopped after three folds of five, recorded without running anything, and continued elsewhere."""
    run_command(tmp_path, "stopped", "--repetitions", "3")
    said = record(tmp_path, "a", "stopped", "--finished")
    assert "table_2: the rows of iris wait for the rest of their trials" in said
    with recording(Recording(tmp_path / "a")):
        assert "table_2" not in recorded_tables("condition-sharing")
    assert "6 from the record" in record(tmp_path, "a", "empty")
    with recording(Recording(tmp_path / "a")):
        rows = recorded_tables("condition-sharing")["table_2"]
    before = (tmp_path / "a" / "condition_sharing" / "table_2.csv").read_bytes()
    assert set(rows["dataset"]) == {"iris"}
    record(tmp_path, "a", "nothing", "--finished")
    assert (tmp_path / "a" / "condition_sharing" / "table_2.csv").read_bytes() == before


def test_a_run_can_be_of_one_dataset(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["run", "condition-sharing", "--table", "2", "--profile", "paper", "--dry-run", "--dataset"]
    with pytest.raises(SystemExit) as end:
        cli.main([*command, "iris"])
    assert end.value.code == 0
    assert "20 trials" in capsys.readouterr().out  # four learners, five folds
    with pytest.raises(SystemExit) as end:
        cli.main([*command, "no such"])
    assert end.value.code != 0
    assert "--dataset: must be one of table_2: [" in capsys.readouterr().err


def first_folds(profile: Profile) -> list[Trial]:
    """Two methods without a clock on a small dataset, five of Table 1's ten folds."""
    trials = TABLE_1.trials(profile)
    (one, *_) = (trial for trial in trials if trial.method == "RIPPER" and trial.dataset == SMALL)
    (other, *_) = (trial for trial in trials if trial.method == "CART" and trial.dataset == SMALL)
    return [replace(trial, fold=fold) for trial in (one, other) for fold in range(5)]


def test_means_over_three_are_continued_to_five_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A row is a mean over folds: it is made anew of recorded trials and new ones, in the same order."""
    if not data_identity(SMALL).at_hand:
        pytest.skip(f"{SMALL} is not at hand")
    shortened = replace(TABLE_1, trials=first_folds)
    monkeypatch.setattr(boolean_rules, "CHAPTER", replace(boolean_rules.CHAPTER, tables=(shortened,)))
    tables: dict[str, pd.DataFrame] = {}
    for name, store, more in (("a", "one", ["--repetitions", "3"]), ("a", "empty", []), ("b", "other", [])):
        command = ["run", "boolean-rules", "--table", "1", "--record", str(tmp_path / name)]
        with pytest.raises(SystemExit) as end:
            cli.main([*command, "--store", str(tmp_path / store), *more])
        assert end.value.code == 0
        with recording(Recording(tmp_path / name)):
            tables[store] = recorded_tables("boolean-rules")["table_1"]
    assert "10 of 10 trials, 0 from the store, 6 from the record" in capsys.readouterr().out
    assert {store: set(one["folds"]) for store, one in tables.items()} == {
        "one": {3}, "empty": {5}, "other": {5},
    }  # fmt: skip
    own = [
        one[[name for name in one if not is_clocked("boolean-rules", name)]]
        for one in (tables["empty"], tables["other"])
    ]
    assert {"value", "std_error"} <= set(own[0])
    pd.testing.assert_frame_equal(*own, check_exact=True)
