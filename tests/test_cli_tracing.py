"""A table shown with its sides, a claim traced, a run id computed again."""

from __future__ import annotations

import json
import logging
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from compactml import chapters
from compactml.study import Store
from compactml.study.recording.at_commit import Answer, ask_commit
from compactml.study.recording.errors import CommitNotRun
from compactml.study.recording.published import home
from compactml.study.recording.recorded import recorded_provenance
from compactml.study.recording.recorded_trials import read_trials
from compactml.study.recording.verifying import Outcome, check_run, check_table
from compactml.study.running import engine, progress
from tests import toy_chapter
from tests.test_cli import call, environment  # noqa: F401, a fixture

CHAPTER = toy_chapter.CHAPTER


@pytest.mark.usefixtures("environment")
class TestShow:
    def test_yours_are_the_numbers_of_the_last_run(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, out, _ = call(capsys, "show", "toy", "1")
        assert code == 0
        assert "nothing of yours: compactml run toy --table table_1" in out
        call(capsys, "run", "toy", "--table", "fig_1", "--seed", "2", "--profile", "standard")
        out = call(capsys, "show", "toy", "fig_1")[1]
        assert "compactml run toy --table fig_1 --seed 2 --profile standard" in out
        assert "yours synthetic:none" in out
        assert "1 trials" in out
        call(capsys, "run", "toy", "--table", "fig_1")
        assert "3 trials" in call(capsys, "show", "toy", "fig_1")[1]

    @pytest.mark.parametrize("content", [b"{", b"null", b"[]", b"{}", b"\xff", b'{"keys": 1}'])
    def test_a_note_that_is_damaged_is_named_and_ignored(
        self,
        capsys: pytest.CaptureFixture[str],
        caplog: pytest.LogCaptureFixture,
        tmp_path: Path,
        content: bytes,
    ) -> None:
        note = tmp_path / "results.sqlite.last" / "toy.table_1.json"
        note.parent.mkdir()
        note.write_bytes(content)
        code, out, _ = call(capsys, "show", "toy", "1")
        assert code == 0
        assert "nothing of yours: compactml run toy --table table_1" in out
        assert f"{note}: is no note of a run and is ignored; the next run writes it anew" in caplog.text

    def test_a_run_ends_with_its_table(self, capsys: pytest.CaptureFixture[str]) -> None:
        out = call(capsys, "run", "toy", "--table", "1")[1]
        head, row = out.splitlines()[2:4]
        assert head.split() == ["whose", "dataset", "value"]
        assert row.split() == ["yours", "synthetic:none", "1"]

    def test_what_is_not_there_is_named(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, _, messages = call(capsys, "show", "toy", "9")
        assert (code, messages) == (2, "error: table: toy has table_1, fig_1, got 'table_9'.\n")


def test_a_printed_table_is_shown_cell_by_cell(capsys: pytest.CaptureFixture[str]) -> None:
    """A printed number of the paper, and whose verdict it is."""
    code, out, _ = call(capsys, "show", "ensemble-pruning", "2")
    assert code == 0
    head, *rows = out.splitlines()
    assert head.split()[-4:] == ["published", "recorded", "yours", "verdict"]
    assert any("every digit" in row for row in rows)


def test_a_claim_is_traced_to_code_rows_commit_and_command(capsys: pytest.CaptureFixture[str]) -> None:
    claim = chapters.chapter("ensemble-pruning").claims[0].id
    code, out, _ = call(capsys, "trace", claim)
    assert code == 0
    lines = dict.fromkeys(line[:11].strip() for line in out.splitlines())
    assert {"claim", "verdict", "cells", "check", "repeat"} <= set(lines)
    for line in out.splitlines():
        if line.startswith("check"):
            path, number = line.rsplit("(", 1)[1].rstrip(")").split(":")
            source = (Path(chapters.__file__).parents[2].parent / path).read_text().splitlines()
            assert any(text.startswith("def ") for text in source[int(number) - 1 : int(number) + 15])
        if line.startswith("rows"):
            assert (home() / line.split()[1].rstrip(",")).is_file()
    code, _, messages = call(capsys, "trace", "pace/no-such-claim")
    assert code == 2
    assert "claim: must be one of" in messages


@pytest.fixture
def record(environment: Path, capsys: pytest.CaptureFixture[str]) -> Path:  # noqa: F811
    folder = environment / "record"
    assert call(capsys, "run", "toy", "--table", "1", "--record", str(folder))[0] == 0
    return folder


def said_of(record: Path) -> dict[str, object]:
    return dict(json.loads((record / "toy" / "table_1.provenance.json").read_text()))


def outcomes(run: dict[str, object], record: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Outcome]:
    """What is said of a run whose commit gives the keys and codes of this process."""
    specifications = {
        name: tuple(trial.canonical() for trial in CHAPTER.trials("table_1", name))
        for name in ("quick", "standard")
    }
    trials = read_trials(record / "toy")
    codes = {item.trial.kind: item.provenance.code_sha256 for item in trials}
    keys = {item.trial.canonical(): item.provenance.parts().key(item.trial) for item in trials}
    answer = Answer(keys, specifications, (), codes)
    monkeypatch.setattr("compactml.study.recording.verifying.ask_commit", lambda *_: answer)
    lock = trials[0].provenance.lock_sha256
    monkeypatch.setattr("compactml.study.recording.verifying.lock_at", lambda commit: lock)
    return {check.what: check.outcome for check in check_run(CHAPTER, "table_1", run, trials)}


class TestVerify:
    def test_what_was_recorded_comes_out_equal(self, record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        said = outcomes(said_of(record) | {"dirty": False}, record, monkeypatch)
        assert {"id of the run", "keys of the trials", "data synthetic:none"} <= set(said)
        assert set(said.values()) == {Outcome.EQUAL}

    def test_a_changed_number_of_trials_or_dirty_code_does_not(
        self, record: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        said = outcomes(said_of(record) | {"run_id": "0" * 12, "dirty": True}, record, monkeypatch)
        assert said["id of the run"] is Outcome.OPEN
        assert said["commit"] is Outcome.DIFFERS

    def test_other_data_and_other_code_are_named(self, record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        run = said_of(record) | {"dirty": False}
        monkeypatch.setattr(
            "compactml.study.recording.verifying.trial_data",
            lambda trial, recipe: replace(engine.trial_data(trial, recipe), sha256="other"),
        )
        said = outcomes(run, record, monkeypatch)
        assert said["data synthetic:none"] is Outcome.DIFFERS
        assert said["id of the run"] is Outcome.EQUAL

    def test_runs_of_the_first_formula_are_computed_from_the_keys_of_their_commit(
        self, record: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run = said_of(record) | {"dirty": False, "formula": [1]}
        shutil.rmtree(record / "toy" / "trials")
        keys = {trial.canonical(): f"{i}" * 64 for i, trial in enumerate(CHAPTER.trials("table_1", "quick"))}
        answer = Answer(keys, {"quick": tuple(keys)}, (), {})
        monkeypatch.setattr("compactml.study.recording.verifying.ask_commit", lambda *_: answer)
        (check,) = check_run(CHAPTER, "table_1", run, [])
        assert check.outcome is Outcome.DIFFERS
        from compactml.study.recording.origins import identity

        (check,) = check_run(CHAPTER, "table_1", run | {"run_id": identity(["0" * 12, "1" * 12])}, [])
        assert check.outcome is Outcome.EQUAL

    def test_unknown_ids_are_refused(self, record: Path, capsys: pytest.CaptureFixture[str]) -> None:
        code, _, messages = call(capsys, "verify", "no-such-run")
        assert code == 2
        assert "run: must be the run id" in messages

    def test_a_trial_of_the_store_is_named(self, record: Path, capsys: pytest.CaptureFixture[str]) -> None:
        with Store() as opened:
            run = next(opened.rows("toy")).provenance["run_id"]
        _, out, _ = call(capsys, "verify", run)
        assert f"run {run}: toy, trial kind synthetic:none" in out
        assert "equal          keys of the trials: specification" in out
        assert "equal          data synthetic:none" in out


def test_the_id_of_every_table_recorded_in_parts_is_that_of_its_parts() -> None:
    found = 0
    for chapter in chapters.every_chapter():
        for table in chapter.table_ids:
            for check in check_table(recorded_provenance(chapter.name, table) or {}):
                assert check.outcome is Outcome.EQUAL, (chapter.name, table)
                found += 1
    assert found


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two commits: the package as it is, and with another number of trees."""
    root = tmp_path / "repository"
    ignore = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for name in ("src", "data/published"):
        shutil.copytree(home() / name, root / name, ignore=ignore)
    git(root, "init", "-q")
    commit(root, "as it is")
    kind = root / "src" / "compactml" / "chapters" / "condition_sharing" / "trials" / "beyond.py"
    text = kind.read_text(encoding="utf-8")
    kind.write_text(f"{text}\nANOTHER = 1\n", encoding="utf-8")
    commit(root, "changed")
    monkeypatch.setenv("COMPACTML_HOME", str(root))
    return root


def git(root: Path, *arguments: str) -> str:
    names = ["-c", "user.name=a", "-c", "user.email=a@b"]
    done = subprocess.run(["git", *names, *arguments], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def commit(root: Path, message: str) -> None:
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message)


def test_the_code_of_a_commit_gives_its_own_keys(repository: Path, tmp_path: Path) -> None:
    """Those of this process for the same code; others once the kind's module is another one."""
    chapter = chapters.chapter("condition-sharing")
    with Store(tmp_path / "empty.sqlite") as opened:
        planned = engine.plan(chapter, chapter.trials("search", "quick"), opened)
    here = {trial.canonical(): key for trial, key in planned.keys.items()}
    before = ask_commit(git(repository, "rev-parse", "HEAD~1"), chapter.name, "search", ("quick",), {})
    after = ask_commit("HEAD", chapter.name, "search", ("quick",), {})
    assert before.keys == here
    assert set(after.specifications["quick"]) == set(before.specifications["quick"]) == set(here)
    assert before.codes["search"] != after.codes["search"]
    assert not set(before.keys.values()) & set(after.keys.values())
    with pytest.raises(CommitNotRun, match="its code cannot be asked"):
        ask_commit("0" * 40, chapter.name, "search", ("quick",), {})


def test_a_long_run_says_how_far_it_is(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.01)
    caplog.set_level(logging.INFO, "compactml")
    with progress.progress("toy", 2, bar=False) as step:
        step()
        for _ in range(500):
            if caplog.messages:
                break
            progress.time.sleep(0.01)
    assert caplog.messages[0].startswith("toy: 1 of 2 trials, ")


def test_a_short_run_says_nothing(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "compactml")
    with progress.progress("toy", 1, bar=False) as step:
        step()
    assert caplog.messages == []
