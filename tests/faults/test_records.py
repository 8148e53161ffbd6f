"""A record that is interrupted at any step of its writing: each table is the old one, the new one, or is refused.

A process is ended, as by the power or the kernel, wherever it opens, fills, syncs or renames one of its files, at each
of these in turn. What a table that is refused says of the way out is followed to the letter.
"""

from __future__ import annotations

import multiprocessing
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from compactml import cli
from compactml.study import Finished, Trial
from compactml.study.recording.errors import DamagedRecord
from compactml.study.recording.record_rules import Recording, recording
from compactml.study.recording.recorded import (
    CLAIMS,
    LOCK,
    recorded,
    update_recorded,
    write_recorded,
    write_verdicts,
)
from compactml.study.recording.recorded_trials import read_trials
from compactml.study.recording.writing import Continued, write_record
from tests import toy_chapter
from tests.study.toy_report import finished
from tests.toy_chapter import add_chapter, rows, with_rows

TRIALS = [finished("iris", run_id="a", utc="2026-01-02T00:00:00+00:00")]
STEPS = {"mkstemp": tempfile, "fdopen": os, "fsync": os, "replace": Path}
KILLED = 9
REFUSED = "refused"
TABLES = ("table_1", "fig_1")
Write = Callable[[], object]
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are forked")


def die_at(step: str, n: int, write: Write) -> None:
    """Write, and end like a killed process at the n-th time that a step is come to; a file is then half full."""
    real, left = getattr(STEPS[step], step), [n]

    def dies(*arguments: Any, **options: Any) -> Any:
        if left[0] == 0:
            if step == "fdopen":
                os.write(arguments[0], b"dataset,val")
            os._exit(KILLED)
        left[0] -= 1
        return real(*arguments, **options)

    setattr(STEPS[step], step, dies)
    write()
    os._exit(0)


def kills(step: str, folder: Path, write: Write) -> Iterator[None]:
    """Interrupt the writing at each time that a step is come to, the folder as it was before each."""
    before = folder.parent / "before"
    shutil.copytree(folder, before)
    for n in range(100):
        shutil.rmtree(folder)
        shutil.copytree(before, folder)
        process = multiprocessing.get_context("fork").Process(target=die_at, args=(step, n, write))
        process.start()
        process.join(60)
        if process.exitcode == 0:
            return
        assert process.exitcode == KILLED
        yield
    raise AssertionError("the step is come to without an end")


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a record but its lock and what a killed process left under other names."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(".")
    }


def values(chapter: str, id: str, column: str) -> list[Any] | str | None:
    """What a reader gets of a table."""
    try:
        kept = recorded(chapter, id)
    except DamagedRecord:
        return REFUSED
    return None if kept is None else list(kept[column])


def refusal(chapter: str, id: str) -> str:
    with pytest.raises(DamagedRecord) as refused:
        recorded(chapter, id)
    return str(refused.value)


def follow_git(message: str, cwd: Path) -> int:
    """Run the command that a message names, in a folder of its own; returns its exit code."""
    command = message.partition("committed, ")[2].partition(" brings them back")[0]
    assert command.startswith("git -C ")
    return subprocess.run(shlex.split(command), cwd=cwd, capture_output=True).returncode


def follow_removal(message: str, folder: Path, away: Path) -> None:
    """Move away the two files that a message names, as far as they are there."""
    names = message.partition("If not, move ")[2].partition(" out of the folder")[0].split(" and ")
    assert len(names) == 2
    away.mkdir(exist_ok=True)
    for name in names:
        if (folder / name).exists():
            (folder / name).rename(away / name)


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    """The folder of a record, with a blank in its name."""
    folder = tmp_path / "a record"
    with recording(Recording(folder)):
        yield folder


def table(value: int) -> pd.DataFrame:
    return pd.DataFrame({"dataset": ["iris"], "x": [value]})


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ("mkstemp", [[1], [1]]),
        ("fdopen", [[1], [1]]),
        ("fsync", [[1], [1], [9]]),
        ("replace", [[1], REFUSED]),
    ],
)
def test_a_killed_update_is_old_new_or_refused(root: Path, step: str, expected: list[object]) -> None:
    """Two files are written, synced and renamed, the table first; then their folder is synced."""
    update = partial(update_recorded, "toy", "table_1", finished=TRIALS, keys=["dataset"])
    update(frame=table(1))
    seen = [values("toy", "table_1", "x") for _ in kills(step, root, lambda: update(frame=table(9)))]
    assert seen == expected
    assert values("toy", "table_1", "x") == [9]
    update(frame=table(9))
    assert sorted(path.name for path in (root / "toy").iterdir()) == [
        LOCK, "table_1.csv", "table_1.provenance.json",
    ]  # fmt: skip


def items(*datasets: str) -> list[Finished]:
    """Results of both tables' trials on some datasets."""
    return [
        replace(
            finished(name, run_id=f"{name}{seed}", utc=f"2026-01-0{len(datasets)}T00:00:00+00:00"),
            trial=Trial("toy", "kind", name, seed=seed),
        )
        for name in datasets
        for seed in range(2)
    ]


def record_all(root: Path, value: float, *datasets: str) -> None:
    """Record both tables and the raw trials, as a run does at its end."""
    chapter, done = with_rows(partial(rows, value=value)), items(*datasets)
    trials = [item.trial for item in done]
    run = Continued(done, frozenset(), (), frozenset(trials))
    write_record(chapter, dict.fromkeys(TABLES, trials), Recording(root), run, say=lambda _: None)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("first", [False, True])
def test_a_killed_record_of_several_tables_can_be_completed(
    root: Path, tmp_path: Path, step: str, first: bool
) -> None:
    """Over an old record and where there is none; the raw trials come first, so that none of them is lost."""
    old: list[float] | None = None if first else [1.0]
    new = [2.0, 2.0]
    root.mkdir()
    if not first:
        record_all(root, 1.0, "iris")
    before = contents(root)
    with recording(Recording(tmp_path / "whole")):
        if not first:
            record_all(tmp_path / "whole", 1.0, "iris")
        record_all(tmp_path / "whole", 2.0, "iris", "wine")
    whole = contents(tmp_path / "whole")
    assert len(whole) == len(before) + (5 if first else 1)
    states = []
    for _ in kills(step, root, lambda: record_all(root, 2.0, "iris", "wine")):
        now = contents(root)
        assert all(content in (before.get(name), whole[name]) for name, content in now.items())
        assert set(before) <= set(now)
        state = [values("toy", id, "value") for id in TABLES]
        states.append(state)
        assert all(one in (old, new, REFUSED) for one in state)
        if state != [old, old]:
            assert {item.trial for item in read_trials(root / "toy")} == {
                item.trial for item in items("iris", "wine")
            }
        for id, one in zip(TABLES, state, strict=True):
            if one == REFUSED:
                with pytest.raises(DamagedRecord):  # never continued from as if it were sound
                    record_all(root, 2.0, "iris", "wine")
                assert contents(root) == now
                follow_removal(refusal("toy", id), root / "toy", tmp_path / "away")
        record_all(root, 2.0, "iris", "wine")
        assert contents(root) == whole
        assert not [path for path in root.rglob(".*") if path.name != LOCK]
    if step == "replace":  # the raw trials, then each table and its provenance
        assert states == [
            [old, old], [old, old], [REFUSED, old], [new, old], [new, REFUSED],
        ]  # fmt: skip
    else:
        assert len(states) >= 5
        assert REFUSED not in [one for state in states for one in state]


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("first", [False, True])
def test_killed_verdicts_are_the_old_or_the_new(root: Path, step: str, first: bool) -> None:
    """One file without a hash: it takes its place whole, so that there is nothing to refuse."""
    card = pd.DataFrame({"id": ["toy/one", "toy/two"], "verdict": ["confirmed", "refuted"]})
    root.mkdir()
    if not first:
        write_verdicts("toy", card.assign(verdict="inconclusive"))
    old, new = (None if first else ["inconclusive"] * 2), ["confirmed", "refuted"]
    seen = [values("toy", CLAIMS, "verdict") for _ in kills(step, root, lambda: write_verdicts("toy", card))]
    assert seen == ([old, new] if step == "fsync" else [old])
    assert values("toy", CLAIMS, "verdict") == new


def damage(path: Path, how: str) -> None:
    """Leave a pair of which one file is lost, torn, or of another writing."""
    changed = path if how.endswith("csv") else path.with_name(f"{path.stem}.provenance.json")
    if how.startswith("lost"):
        changed.unlink()
    elif how.startswith("torn"):
        changed.write_bytes(changed.read_bytes()[:-3])
    else:
        changed.write_bytes(changed.read_bytes().replace(b"csv_sha256", b"other").replace(b"2.0", b"1.5"))


DAMAGES = ["lost csv", "lost json", "torn csv", "torn json", "other csv", "other json"]


@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize("how", DAMAGES)
def test_the_command_that_a_refused_pair_names_brings_it_back(
    root: Path, tmp_path: Path, how: str, staged: bool
) -> None:
    path = write_recorded("toy", "table_1", pd.DataFrame({"value": [2.0]}), TRIALS)
    git = ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=b"]
    for command in ("init -q", "add .", "commit -qm one"):
        subprocess.run([*git, *command.split()], check=True)
    before = contents(path.parent)
    damage(path, how)
    if staged:
        subprocess.run([*git, "add", "--all"], check=True)
    assert follow_git(refusal("toy", "table_1"), tmp_path) == 0
    assert contents(path.parent) == before
    assert values("toy", "table_1", "value") == [2.0]


def call(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Exit code of a command, and all that it says."""
    with pytest.raises(SystemExit) as end:
        cli.main(arguments)
    said = capsys.readouterr()
    return int(str(end.value.code)), said.out + said.err


@pytest.mark.parametrize("how", DAMAGES)
def test_without_git_a_refused_pair_is_moved_away_and_recorded_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], how: str
) -> None:
    """No store has the trials any more: they come from the record, and none is run again."""
    add_chapter(monkeypatch, tmp_path / "chapters")
    folder = tmp_path / "a record"
    command = partial(call, "run", "toy", "--record", str(folder), capsys=capsys)
    monkeypatch.setattr(toy_chapter, "CHAPTER", with_rows(partial(rows, value=2.0)))
    assert command("--store", str(tmp_path / "one"))[0] == 0
    before = contents(folder)
    damage(folder / "toy" / "table_1.csv", how)
    for more in ([], ["--force"], ["--finished"]):
        damaged = contents(folder)
        code, said = command("--store", str(tmp_path / "two"), *more)
        assert (code, "table_1.csv" in said, "checkout HEAD" in said) == (2, True, True)
        assert contents(folder) == damaged
    assert follow_git(said, tmp_path) != 0  # as the message says, it is for committed files
    follow_removal(said, folder / "toy", tmp_path / "away")
    code, said = command("--store", str(tmp_path / "two"))
    assert code == 0
    assert "table_1: 2 of 2 trials, 0 from the store, 2 from the record" in said
    assert contents(folder) == before
