"""`compactml store`: rows are checked, merged and exported."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from compactml import cli
from compactml.study import Store, Trial
from compactml.study.storing import rows


def call(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str]:
    """Exit code and all that a command printed."""
    with pytest.raises(SystemExit) as end:
        cli.main(["store", *map(str, arguments)])
    captured = capsys.readouterr()
    assert isinstance(end.value.code, int)
    return end.value.code, captured.out + captured.err


def filled(path: Path, *seeds: int) -> Path:
    with Store(path) as store:
        for seed in seeds:
            store.put(
                f"key {seed}", Trial("chapter", "kind", "iris", seed=seed), {"a": seed}, {"host": path.stem}
            )
        store.fail("lost", Trial("chapter", "kind", "iris", seed=99), {"error": "it failed"})
    return path


def spoil(path: Path, key: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE results SET result = '{\"a\": 7}' WHERE key = ?", (key,))
    connection.close()


def test_a_store_is_checked_and_repaired(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = filled(tmp_path / "s.sqlite", 1, 2, 3)
    assert call(capsys, "check", "--store", path) == (0, f"{path}: 3 results, 0 damaged\n")
    spoil(path, "key 2")
    for _ in range(2):  # to check changes nothing
        code, said = call(capsys, "check", "--store", path)
        assert (code, said) == (1, f"row key 2: is not what was written\n{path}: 3 results, 1 damaged\n")
    code, said = call(capsys, "check", "--store", path, "--repair")
    assert code == 0
    assert said.endswith(f"{path}: 2 results, 1 damaged, taken out\n")
    assert call(capsys, "check", "--store", path)[0] == 0


DAMAGED_FAILURES = {
    "failure": ["{", "null", "[]", "{}", '{"error": 7}'],
    "trial": ["{", "null", "{}", '{"chapter": 1, "kind": 2, "dataset": 3, "parameters": {}}'],
}


@pytest.mark.parametrize(
    ("column", "text"), [(column, text) for column, texts in DAMAGED_FAILURES.items() for text in texts]
)
def test_a_damaged_failure_is_named_and_left_out(
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    tmp_path: Path,
    column: str,
    text: str,
) -> None:
    path = filled(tmp_path / "s.sqlite", 1)
    with Store(path) as store:
        store.fail("sound", Trial("chapter", "kind", "iris", seed=98), {"error": "too long"})
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE failures SET {column} = ? WHERE key = 'lost'", (text,))
    connection.close()
    with pytest.raises(SystemExit) as end:
        cli.main(["failed", "--store", str(path)])
    assert end.value.code == 0
    out = capsys.readouterr().out
    assert "too long" in out
    assert "\n1 trials failed; 'compactml run' tries them again" in out
    assert "the failure 'lost' is damaged" in caplog.text
    assert "compactml store check --repair" in caplog.text
    with Store(path) as store:
        assert store.failure("lost") is None  # so that a run tries it again
    code, said = call(capsys, "check", "--store", path)
    assert (code, said) == (1, f"failure lost: is not what was written\n{path}: 1 results, 1 damaged\n")
    said = call(capsys, "merge", path, "--store", tmp_path / "other")[1]
    assert said.endswith(", 1 damaged rows left out\n")
    assert call(capsys, "check", "--store", path, "--repair")[0] == 0
    assert call(capsys, "check", "--store", path) == (0, f"{path}: 1 results, 0 damaged\n")


def test_a_missing_file_is_not_a_sound_store(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for command in (["check"], ["check", "--repair"], ["export", tmp_path / "rows.jsonl"]):
        code, said = call(capsys, *command, "--store", tmp_path / "nothing")
        assert (code, said.startswith(f"error: store {tmp_path / 'nothing'}: no such file.")) == (2, True)
    assert list(tmp_path.iterdir()) == []


def test_stores_are_merged(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    mine, other = filled(tmp_path / "mine.sqlite", 1, 2), filled(tmp_path / "other.sqlite", 2, 3, 4)
    spoil(other, "key 4")
    before = other.read_bytes()
    code, said = call(capsys, "merge", other, "--store", mine)
    assert (code, said) == (0, f"{other}: 1 results are new, 1 damaged rows left out\n")
    assert other.read_bytes() == before
    with Store(mine) as store:
        assert [(row.key, row.provenance["host"]) for row in store.rows()] == [
            ("key 1", "mine"), ("key 2", "mine"), ("key 3", "other"),
        ]  # fmt: skip
        assert [row.key for row in store.failures()] == ["lost"]
    code, said = call(capsys, "merge", tmp_path / "nothing", "--store", mine)
    assert code == 2
    assert "nothing: no such file" in said
    assert not (tmp_path / "nothing").exists()


def test_of_two_failures_the_later_one_stays_and_none_beside_a_result(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial, mine, other = Trial("chapter", "kind", "iris"), tmp_path / "mine.sqlite", tmp_path / "other.sqlite"
    for path, day in ((mine, 2), (other, 1), (tmp_path / "late.sqlite", 3)):
        monkeypatch.setattr(rows, "now", lambda day=day: f"2026-01-0{day}T00:00:00+00:00")
        with Store(path) as store:
            for key in ("failed", "finished"):
                store.fail(key, trial, {"error": f"of day {day}"})
    with Store(mine) as store:
        store.put("finished", trial, {"a": 1}, {})
    for path, day in ((other, 2), (tmp_path / "late.sqlite", 3)):
        assert call(capsys, "merge", path, "--store", mine)[0] == 0
        with Store(mine) as store:
            assert [(row.key, row.failure["error"]) for row in store.failures()] == [
                ("failed", f"of day {day}")
            ]
            assert [row.key for row in store.rows()] == ["finished"]


def test_results_are_exported_as_text(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path, target = filled(tmp_path / "s.sqlite", 1, 2), tmp_path / "rows.jsonl"
    assert call(capsys, "export", target, "--store", path) == (0, f"{target}: 2 results\n")
    rows = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    assert [(row["key"], row["trial"]["seed"], row["result"]) for row in rows] == [
        ("key 1", 1, {"a": 1}), ("key 2", 2, {"a": 2}),
    ]  # fmt: skip


def test_what_can_be_read_of_a_damaged_file_is_exported(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path, target = filled(tmp_path / "s.sqlite", *range(200)), tmp_path / "rows.jsonl"
    content = bytearray(path.read_bytes())
    content[-8192:] = bytes(8192)  # pages of late rows
    path.write_bytes(content)
    code, said = call(capsys, "check", "--store", path)
    assert code == 2
    assert "malformed. Its rows can be saved: compactml store export" in said
    code, said = call(capsys, "export", target, "--store", path)
    n = len(target.read_text(encoding="utf-8").splitlines())
    assert 0 < n <= 200
    assert code == 1
    assert said.startswith(f"{target}: {n} results, and others cannot be read")
