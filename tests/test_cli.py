from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

import compactml
from compactml import cli, datasets
from compactml.datasets import keys
from compactml.experiments.recorded_trials import append_trials, read_trials
from toy_chapter import register

FIG_1 = "fig_1: 3 of 3 repetitions are recorded, 0 missing\n"


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty store, no data at hand but what ships with scikit-learn, and the toy chapter."""
    monkeypatch.setenv("COMPACTML_STORE", str(tmp_path / "results.sqlite"))
    monkeypatch.setenv("COMPACTML_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("COMPACTML_CACHE", str(tmp_path / "cache"))
    register(monkeypatch.setitem)
    return tmp_path


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, output and messages of a command."""
    with pytest.raises(SystemExit) as end:
        cli.main(arguments)
    captured = capsys.readouterr()
    assert isinstance(end.value.code, int)
    return end.value.code, captured.out, captured.err


@pytest.mark.usefixtures("environment")
class TestRun:
    def test_second_run_comes_from_the_store(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert call(capsys, "run", "toy", "--table", "1") == (
            0,
            "table_1: 2 of 2 trials, 0 from the store\n",
            "",
        )
        code, out, _ = call(capsys, "run", "toy")
        assert code == 0
        assert out.splitlines() == [
            "table_1: 2 of 2 trials, 2 from the store",
            "fig_1: 3 of 3 trials, 2 from the store",
        ]

    def test_dry_run_counts_and_runs_nothing(self, capsys: pytest.CaptureFixture[str]) -> None:
        call(capsys, "run", "toy", "--table", "1")
        code, out, _ = call(capsys, "run", "toy", "--dry-run", "--jobs", "2")
        assert code == 0
        assert "3 trials" in out
        assert "in the store: 2" in out
        assert "to run: 1, about 60 s with --jobs 2" in out
        assert "rough estimates" in out
        assert "fig_1: 3 of 3 trials, 2" in call(capsys, "run", "toy", "--table", "fig_1")[1]

    def test_record_hands_the_tables_to_the_chapter(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        folder = str(tmp_path / "record")
        assert call(capsys, "run", "toy", "--record", folder)[1].count("recorded") == 2
        (raw,) = (tmp_path / "record" / "toy" / "trials").iterdir()
        assert raw.name.endswith(".jsonl.xz")
        code, out, messages = call(
            capsys, "run", "toy", "--record", folder, "--store", str(tmp_path / "empty")
        )
        assert (code, messages) == (0, "table_1: 2 of 2 repetitions are recorded, 0 missing\n" + FIG_1)
        assert "fig_1: 3 of 3 trials, 0 from the store, 3 from the record" in out
        assert list((tmp_path / "record" / "toy" / "trials").iterdir()) == [raw]

    @pytest.mark.parametrize(
        ("options", "says"),
        [
            (["--record"], "--record DIR, or --official"),
            (["--record", "x", "--official"], "--record DIR, or --official"),
            (["--official"], "go with --record"),
            (["--force"], "go with --record"),
        ],
    )
    def test_a_record_names_its_place(
        self, capsys: pytest.CaptureFixture[str], options: list[str], says: str
    ) -> None:
        code, _, messages = call(capsys, "run", "toy", *options)
        assert code == 2
        assert says in " ".join(messages.split())

    def test_failed_trials_are_an_error_and_the_others_kept(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, _, messages = call(capsys, "run", "toy", "--profile", "paper")
        assert code == 2
        assert messages.startswith("error: 1 trials failed, 3 finished and are kept")
        assert "Traceback" not in messages

    def test_a_trial_that_kills_its_process_is_a_failure_with_one_job(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("TOY_KILL", str(os.getpid()))
        code, _, messages = call(capsys, "run", "toy", "--jobs", "1")
        assert code == 2
        assert "error: 1 trials failed, 2 finished and are kept" in messages
        assert re.search(r"kind synthetic:none seed 1: killed its process twice.*SIGKILL", messages)

    def test_unknown_table_and_wrong_store(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        code, _, messages = call(capsys, "run", "toy", "--table", "9")
        assert (code, messages) == (2, "error: table: toy has table_1, fig_1, got 'table_9'.\n")
        (tmp_path / "text").write_text("no database" * 100, encoding="utf-8")
        code, _, messages = call(capsys, "run", "toy", "--store", str(tmp_path / "text"))
        assert code == 2
        assert re.fullmatch(r"error: store .*text: file is not a database\. .*\n", messages)

    def test_paper_profile_can_be_estimated_without_data(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, out, messages = call(capsys, "run", "condition-sharing", "--profile", "paper", "--dry-run")
        assert (code, messages) == (0, "")
        assert "data not at hand" in out
        assert "hepmass" in out


@pytest.mark.usefixtures("environment")
def test_stored_trials_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, "run", "toy", "--table", "fig_1")
    code, out, _ = call(capsys, "trials")
    assert code == 0
    assert out.splitlines()[-1] == "3 trials, 3 of them served here"
    assert call(capsys, "trials", "toy", "--where", "solver=highs")[1] == "0 trials, 0 of them served here\n"
    assert call(capsys, "trials", "--where", "kind=kind", "--where", "state=served")[1].count("kind") == 4
    code, _, messages = call(capsys, "trials", "--where", "colour=red")
    assert code == 2
    assert "where: must be one of" in messages


@pytest.mark.usefixtures("environment")
def test_usage_errors_end_with_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["run", "toy", "--profile", "slow"], ["run"], ["fly"]):
        code, _, messages = call(capsys, *arguments)
        assert code == 2
        assert "Usage" in messages
    for command in ("run", "claims", "cite"):
        code, _, messages = call(capsys, command, "nowhere")
        assert code == 2
        assert re.fullmatch(
            r"error: chapter: must be one of .*condition-sharing.*, got 'nowhere'\.\n", messages
        )


@pytest.mark.usefixtures("environment")
def test_claims_are_printed_with_their_verdicts(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "claims", "toy")
    assert code == 0
    assert "reproduced                toy/one (Table 1): One is one" in out
    assert out.splitlines()[-1] == "tested by runs: 1 reproduced"


@pytest.mark.usefixtures("environment")
def test_data_commands(capsys: pytest.CaptureFixture[str], environment: Path) -> None:
    code, out, _ = call(capsys, "data", "list")
    assert code == 0
    assert {line.split()[0] for line in out.splitlines()[1:]} == set(keys())
    code, out, _ = call(capsys, "data", "verify", "iris")
    assert (code, out.split()[-1]) == (0, "missing")
    (environment / "data" / "iris").mkdir(parents=True)
    (environment / "data" / "iris" / "iris.data").write_text("1,2,3,4,setosa\n", encoding="utf-8")
    code, out, messages = call(capsys, "data", "verify", "iris")
    assert (code, out.split()[-1]) == (2, "corrupt")
    assert messages.startswith("error: ")
    code, _, messages = call(capsys, "data", "fetch", "iris", "no_such_key")
    assert code == 2
    assert "2 datasets were not fetched: iris, no_such_key" in messages


def test_everything_means_what_has_a_registered_hash(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(datasets, "fetch", lambda key: asked.append(key) or [])
    code, _, _ = call(capsys, "data", "fetch")
    assert code == 0
    assert {"iris", "magic"} <= set(asked)
    assert "hepmass" not in asked


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "--version")[:2] == (0, f"compactml, version {compactml.__version__}\n")


def test_interrupted_run_says_how_to_resume(environment: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = "import sys, toy_chapter as t; t.register(); from compactml.cli import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", program, "run", "toy", "--table", "fig_1"]
    flag = environment / "flag"  # made when the third trial, which sleeps then, starts
    paths = [str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    variables = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "TOY_FLAG": str(flag)}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=variables)
    while not flag.exists():
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, messages = process.communicate(timeout=30)
    assert process.returncode == 130
    assert messages.strip() == "interrupted: finished trials are kept; run the same command again to resume"
    assert call(capsys, "run", "toy", "--table", "fig_1")[1] == "fig_1: 3 of 3 trials, 2 from the store\n"


@pytest.mark.usefixtures("environment")
@pytest.mark.parametrize("equal", [True, False])
def test_a_record_of_other_code_is_continued_if_a_sample_is_equal(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, equal: bool
) -> None:
    folder = tmp_path / "record"
    call(capsys, "run", "toy", "--table", "fig_1", "--record", str(folder))
    older = []
    for item in read_trials(folder / "toy"):
        parts = replace(item.provenance.parts(), code="0" * 64)
        origin = replace(item.provenance, code_sha256=parts.code, run_id=parts.key(item.trial)[:12])
        result = item.result if equal else {"seed": 9}
        older.append(replace(item, provenance=origin, result=result))
    shutil.rmtree(folder)
    append_trials(folder / "toy", "older", older)
    store = str(tmp_path / "empty")
    _, out, messages = call(
        capsys, "run", "toy", "--table", "fig_1", "--record", str(folder), "--store", store
    )
    assert "fig_1: 3 of 3 trials" in out
    assert "repeated 3 of 3 kind trials recorded at" in messages
    assert ("equal; 0 count as done" in messages) is equal
    assert ("start anew" in messages) is not equal
    assert len(read_trials(folder / "toy")) == 6  # both codes are kept
