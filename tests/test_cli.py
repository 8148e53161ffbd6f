from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pandas as pd
import pytest

import compactml
from compactml import cli, datasets
from compactml.datasets import keys
from compactml.files import locked
from compactml.study import Finished, Store
from compactml.study.recording import recorded as recorded_module
from compactml.study.recording.errors import OtherProfile
from compactml.study.recording.recorded import recorded
from compactml.study.recording.recorded_trials import append_trials, read_trials
from compactml.study.storing.rows import SUMMED, checksum
from tests import toy_chapter
from tests.study.test_cluster import Dask
from tests.toy_chapter import add_chapter, with_rows

FIG_1 = "fig_1: 3 of 3 repetitions are recorded, 0 missing\n"


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty store, no data at hand but what ships with scikit-learn, and the toy chapter."""
    monkeypatch.setenv("COMPACTML_STORE", str(tmp_path / "results.sqlite"))
    monkeypatch.setenv("COMPACTML_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("COMPACTML_CACHE", str(tmp_path / "cache"))
    add_chapter(monkeypatch, tmp_path / "chapters")
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
        code, out, messages = call(capsys, "run", "toy", "--table", "1")
        assert (code, out.splitlines()[0], messages) == (0, "table_1: 2 of 2 trials, 0 from the store", "")
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
        assert call(capsys, "run", "toy", "--record", folder)[0] == 0
        assert {path.name for path in (tmp_path / "record" / "toy").glob("*.csv")} == {
            "table_1.csv",
            "fig_1.csv",
        }
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
            (["--record", "x", "--seed", "1"], "do not go with --record"),
            (["--record", "x", "--time-limit", "1"], "do not go with --record"),
            (["--record", "x", "--method", "y"], "do not go with --record"),
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
        assert re.search(
            r"kind synthetic:none seed 1: killed its process twice.*SIGKILL.*; run it again", messages
        )

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
@pytest.mark.usefixtures("environment")
def test_what_a_row_lacks_of_where_it_comes_from_stops_no_command(capsys: pytest.CaptureFixture[str]) -> None:
    """Nor does a failure that is damaged."""
    run = ["run", "toy", "--table", "1"]
    call(capsys, *run)
    with Store() as store:
        entries = list(store.entries())
        store.remove([entry["key"] for entry in entries])
        for entry in entries:
            said = json.loads(entry["provenance"])
            del said["seconds"], said["utc"]
            entry["provenance"] = json.dumps(said)
            entry["checksum"] = checksum(*(entry[name] for name in SUMMED))
        store.write(entries)
        store.fail("lost", toy_chapter.CHAPTER.trials("fig_1", "quick")[0], {})
    code, out, _ = call(capsys, *run)
    assert (code, out.splitlines()[0]) == (0, "table_1: 2 of 2 trials, 2 from the store")
    code, out, _ = call(capsys, "trials")
    assert (code, out.splitlines()[-1]) == (0, "2 trials, 2 of them served here")
    assert call(capsys, "show", "toy", "1")[0] == 0


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
@pytest.mark.parametrize("option", ["--trial-seconds", "--trial-mib"])
def test_a_limit_that_is_no_number_is_refused(capsys: pytest.CaptureFixture[str], option: str) -> None:
    name = option.removeprefix("--").replace("-", "_")
    said = f"error: {name}: must be a number greater than 0, got nan.\n"
    assert call(capsys, "run", "toy", option, "nan") == (2, "", said)


@pytest.mark.usefixtures("environment")
def test_claims_are_printed_with_their_verdicts(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = str(tmp_path / "record")
    call(capsys, "run", "toy", "--table", "1", "--record", folder)
    code, out, _ = call(capsys, "claims", "toy", "--record", folder)
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


def started(environment: Path, *arguments: str) -> subprocess.Popen[str]:
    """Start a command on the toy chapter in a process of its own; its third trial makes a flag and sleeps."""
    program = (
        "import sys; from compactml import chapters, cli\n"
        "chapters.__path__.append(sys.argv[1]); cli.main(sys.argv[2:])"
    )
    paths = [str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    variables = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "TOY_FLAG": str(environment / "flag")}
    command = [sys.executable, "-c", program, str(environment / "chapters"), *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command, stdout=pipe, stderr=pipe, text=True, env=variables, start_new_session=True
    )


@pytest.mark.parametrize(
    ("blow", "code", "said"), [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")]
)
@pytest.mark.parametrize("everyone", [False, True])
def test_a_run_that_is_ended_from_outside_says_how_to_resume(
    environment: Path,
    capsys: pytest.CaptureFixture[str],
    blow: signal.Signals,
    code: int,
    said: str,
    everyone: bool,
) -> None:
    """Also where its workers get the signal too, as from a shell or a cluster's queue."""
    process = started(environment, "run", "toy", "--table", "fig_1")
    while not (environment / "flag").exists():
        assert process.poll() is None
        time.sleep(0.02)
    (os.killpg if everyone else os.kill)(process.pid, blow)
    _, messages = process.communicate(timeout=30)
    assert process.returncode == code
    assert messages.strip() == f"{said}: finished trials are kept; run the same command again to resume"
    out = call(capsys, "run", "toy", "--table", "fig_1")[1]
    assert out.startswith("fig_1: 3 of 3 trials, 2 from the store\n")


def test_a_scheduler_that_dies_is_one_line(environment: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What Dask tells of it meanwhile is left out."""
    (environment / "dask").mkdir()
    dask = Dask(environment / "dask")
    try:
        dask.worker(TOY_FLAG=str(environment / "flag"))
        process = started(environment, "run", "toy", "--table", "fig_1", "--scheduler", dask.address)
        while not (environment / "flag").exists():
            assert process.poll() is None
            time.sleep(0.02)
        dask.processes[0].kill()
        _, messages = process.communicate(timeout=60)
    finally:
        dask.close()
    assert process.returncode == 2
    taking_part, lost = messages.splitlines()
    assert taking_part == "1 workers take part, with 1 threads"
    assert lost.startswith("error: scheduler: ")
    assert lost.endswith("the connection is lost; finished trials are kept.")


def test_a_closed_output_is_one_line(environment: Path) -> None:
    process = started(environment, "data", "list")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    with process.stderr:
        messages = process.stderr.read()
    assert process.wait(timeout=30) == 141
    assert messages == "error: stdout was closed before all was printed; finished trials are kept\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="Linux has a disk that is always full")
def test_a_full_disk_below_the_output_is_one_line(
    environment: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:  # its end would raise if it still held something
        monkeypatch.setattr(sys, "stdout", full)
        code, _, messages = call(capsys, "data", "list")
    assert (code, messages.count("\n")) == (2, 1)
    assert messages.startswith(
        "error: stdout, or a file that was being written: No space left on device; finished trials are kept."
    )


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="Linux has a disk that is always full")
@pytest.mark.parametrize(
    "command",
    [("data", "list"), ("run", "nonsense"), ("run", "--nonsense")],
    ids=["output", "error", "usage"],
)
def test_a_full_disk_below_both_outputs_leaves_the_exit_code(
    environment: Path, command: tuple[str, ...]
) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        whole = [sys.executable, "-m", "compactml.cli", *command]
        assert subprocess.run(whole, stdout=full, stderr=full).returncode == 2


def test_output_and_messages_may_both_be_closed(
    environment: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by `2>&1 | true`."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as out, os.fdopen(os.dup(writing), "w") as messages:
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stderr", messages)
        assert call(capsys, "data", "list")[0] == 141


def test_a_file_that_cannot_be_written_is_named_with_the_way_out(
    environment: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    (environment / "file").touch()
    (environment / "results.sqlite.last").touch()  # where the note of the last run would lie
    run = ["run", "toy", "--table", "1"]
    code, _, messages = call(capsys, *run, "--record", str(environment / "file" / "x"))
    assert code == 2
    assert f"{environment / 'results.sqlite.last'}: File exists; the results are in the store" in caplog.text
    assert messages.splitlines()[-1].startswith(f"error: {environment / 'file' / 'x'}")
    assert messages.endswith("run the same command again.\n")
    target = environment / "nowhere" / "x"
    code, out, messages = call(capsys, "store", "export", str(target))
    assert (code, out, messages.count("\n")) == (2, "", 1)
    assert messages.startswith(f"error: {target}: No such file or directory; finished trials are kept.")
    assert call(capsys, *run)[1].startswith("table_1: 2 of 2 trials, 2 from the store")


def test_failed_trials_are_listed_with_their_tracebacks(
    environment: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(capsys, "failed") == (0, "0 trials failed\n", "")
    call(capsys, "run", "toy", "--profile", "paper")
    code, out, messages = call(capsys, "failed", "toy")
    assert (code, messages) == (0, "")
    assert re.match(r"kind synthetic:none seed \d \(\d{4}-.*\): ValueError: ", out)
    assert re.search(r"Traceback .*\n(.*\n)+ +raise ValueError", out)
    assert out.endswith(
        "1 trials failed; 'compactml run' tries them again, and leaves them out with --skip-failed\n"
    )
    assert call(capsys, "failed", "pace")[1] == "0 trials failed\n"


def write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def files(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, with its bytes."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def recording(monkeypatch: pytest.MonkeyPatch, value: float, *key: str) -> None:
    """Have the chapter record this value, with a row for each combination of dataset and key."""
    rows = partial(toy_chapter.rows, value=value, by=["dataset", *key])
    monkeypatch.setattr(toy_chapter, "CHAPTER", with_rows(rows, *key))


@pytest.mark.usefixtures("environment")
def test_a_refused_table_leaves_the_whole_record_untouched(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second table is refused once the first and the raw trials are ready to be written."""
    folder = tmp_path / "record"
    recording(monkeypatch, 1.0)
    assert call(capsys, "run", "toy", "--table", "1", "--record", str(folder))[0] == 0
    before = files(folder)
    assert {"toy/table_1.csv", "toy/table_1.provenance.json"} < set(before)
    recording(monkeypatch, 2.0)
    second = toy_chapter.CHAPTER

    def refused(finished: Sequence[Finished]) -> pd.DataFrame:
        kept = recorded("toy", "table_1")
        assert kept is not None
        assert set(kept["value"]) == {2.0}  # what is read is what will be there
        raise OtherProfile("fig_1", 1, "paper", "quick")

    table, figure = second.tables
    monkeypatch.setattr(
        toy_chapter, "CHAPTER", replace(second, tables=(table, replace(figure, rows=refused)))
    )
    code, _, messages = call(capsys, "run", "toy", "--record", str(folder))
    assert code == 2
    assert "Nothing was recorded" in messages
    assert files(folder) == before
    monkeypatch.setattr(toy_chapter, "CHAPTER", second)
    assert call(capsys, "run", "toy", "--record", str(folder))[0] == 0
    assert {"toy/fig_1.csv", *before} < set(files(folder))


@pytest.mark.usefixtures("environment")
def test_a_locked_record_is_not_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither raw trials nor verdicts."""
    chapter = tmp_path / "record" / "toy"
    chapter.mkdir(parents=True)
    monkeypatch.setattr(recorded_module, "locked", lambda path: locked(path, seconds=0))
    with locked(chapter / recorded_module.LOCK):
        for command in ("run", "claims"):
            code, _, messages = call(capsys, command, "toy", "--record", str(chapter.parent))
            assert code == 2
            assert "another process writes it" in messages
    assert [path.name for path in chapter.iterdir()] == [recorded_module.LOCK]
    assert call(capsys, "claims", "toy", "--record", str(chapter.parent))[0] == 0
    assert (chapter / "claims.csv").is_file()


@pytest.mark.usefixtures("environment")
def test_rows_over_fewer_repetitions_replace_none_over_more(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "record"
    recording(monkeypatch, 1.0)
    command = ["run", "toy", "--table", "fig_1", "--record", str(folder)]
    call(capsys, *command)
    shutil.rmtree(folder / "toy" / "trials")  # as if all of them started anew
    before = files(folder)
    few = [*command, "--store", str(tmp_path / "empty"), "--repetitions", "2"]
    code, out, messages = call(capsys, *few)
    assert (code, out) == (2, "")
    for part in ("over 3 repetitions of synthetic:none, this run only 2", "--repetitions 3", "--force"):
        assert part in messages
    assert files(folder) == before
    assert call(capsys, "trials", "--store", str(tmp_path / "empty"))[1].startswith(
        "0 trials"
    )  # none was run
    said = folder / "toy" / "fig_1.provenance.json"
    origin = json.loads(said.read_text())
    del origin["repetitions"]  # as what was recorded before --repetitions was there
    said.write_text(json.dumps(origin))
    assert call(capsys, *few)[0] == 2
    assert call(capsys, *few, "--force")[0] == 0
    assert call(capsys, *few)[0] == 0


@pytest.mark.usefixtures("environment")
def test_rows_of_one_repetition_each_stay_beside_fewer(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "record"
    command = ["run", "toy", "--table", "fig_1", "--record", str(folder)]
    for value, options in ((1.0, []), (2.0, ["--repetitions", "2"])):
        recording(monkeypatch, value, "seed")
        assert call(capsys, *command, *options, "--store", str(tmp_path / str(value)))[0] == 0
        shutil.rmtree(folder / "toy" / "trials")
    assert pd.read_csv(folder / "toy" / "fig_1.csv")["value"].tolist() == [2.0, 2.0, 1.0]


@pytest.mark.usefixtures("environment")
def test_old_rows_of_a_dataset_stand_until_all_its_repetitions_are_there(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "record"
    command = ["run", "toy", "--table", "fig_1", "--record", str(folder)]
    recording(monkeypatch, 1.0, "seed")
    call(capsys, *command)
    shutil.rmtree(folder / "toy" / "trials")
    recording(monkeypatch, 2.0, "seed")
    table, figure = toy_chapter.CHAPTER.tables
    whole = replace(toy_chapter.CHAPTER, tables=(table, replace(figure, whole_datasets=True)))
    monkeypatch.setattr(toy_chapter, "CHAPTER", whole)
    before = files(folder)
    more = [*command, "--store", str(tmp_path / "empty")]
    code, _, messages = call(capsys, *more, "--repetitions", "2")
    assert code == 0
    assert "fig_1: the rows of synthetic:none wait for the rest of their trials" in messages
    assert files(folder).items() >= before.items()
    assert len(read_trials(folder / "toy")) == 2  # kept all the same
    call(capsys, *more)
    assert pd.read_csv(folder / "toy" / "fig_1.csv")["value"].tolist() == [2.0, 2.0, 2.0]


@pytest.mark.usefixtures("environment")
def test_a_dry_run_counts_what_the_record_has_and_makes_no_folder(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = tmp_path / "record"
    dry = ["run", "toy", "--record", str(folder), "--store", str(tmp_path / "empty"), "--dry-run"]
    code, out, _ = call(capsys, *dry)
    assert code == 0
    assert "in the record, done: 0\n  to run: 3" in out
    assert not folder.exists()
    call(capsys, "run", "toy", "--table", "1", "--record", str(folder))
    before = files(folder)
    assert "in the store: 0\n  in the record, done: 2\n  to run: 1" in call(capsys, *dry)[1]
    assert files(folder) == before


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
    append_trials(folder / "toy", "older", older, write)
    store = str(tmp_path / "empty")
    dry = ["run", "toy", "--table", "fig_1", "--record", str(folder), "--store", store, "--dry-run"]
    assert "of other code or libraries: 0, done if 3 that are repeated" in call(capsys, *dry)[1]
    _, out, messages = call(
        capsys, "run", "toy", "--table", "fig_1", "--record", str(folder), "--store", store
    )
    assert "fig_1: 3 of 3 trials" in out
    assert ("repeated 3 of 3 kind trials recorded at" in messages) is not equal
    assert ("all 3 kind trials recorded at" in messages) is equal
    assert ("equal; none is left to count besides" in messages) is equal
    assert ("start anew" in messages) is not equal
    assert len(read_trials(folder / "toy")) == 6  # both codes are kept
