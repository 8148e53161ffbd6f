"""Damaged, foreign, full, read-only and locked stores: no false row, no harm to what is not ours, and a way out."""

from __future__ import annotations

import gzip
import multiprocessing
import os
import resource
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from compactml.cli.program import main
from compactml.study import Store, StoreError, Trial
from compactml.study.storing import store as store_module

ROWS = {f"key {seed}": {"a": seed, "text": "x" * 500} for seed in range(60)}
Damage = Callable[[Path], Any]


def trial(key: str) -> Trial:
    return Trial("chapter", "kind", "iris", seed=int(key.split()[1]))


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The content of a store with 60 rows on some twenty pages."""
    path = tmp_path_factory.mktemp("sound") / "s.sqlite"
    with Store(path) as store:
        for key, result in ROWS.items():
            store.put(key, trial(key), result, {"seconds": 1.0})
        store.fail("key 99", trial("key 99"), {"error": "it failed"})
    return path.read_bytes()


def bytes_at(start: int, content: bytes) -> Damage:
    """Write over a part of the file."""

    def damage(path: Path) -> None:
        whole = bytearray(path.read_bytes())
        first = start % len(whole)
        whole[first : first + len(content)] = content
        path.write_bytes(whole)

    return damage


def sql(*statements: str) -> Damage:
    def damage(path: Path) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            for statement in statements:
                connection.execute(statement)

    return damage


def put(content: bytes) -> Damage:
    return lambda path: path.write_bytes(content)


def beside(ending: str, content: bytes) -> Damage:
    return lambda path: path.with_name(path.name + ending).write_bytes(content)


def other_application(path: Path) -> None:
    path.unlink()
    sql("PRAGMA application_id = 12345")(path)


def other_tables(path: Path) -> None:
    path.unlink()
    sql("CREATE TABLE results (x)", "INSERT INTO results VALUES (1)")(path)


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def loop(path: Path) -> None:
    path.unlink()
    path.symlink_to(path)


FOREIGN: dict[str, Damage] = {
    "text": put(b"not a database, but long enough to be looked at as one" * 100),
    "an archive": put(gzip.compress(os.urandom(9999))),
    "a picture": put(b"\x89PNG\r\n\x1a\n" + bytes(5000)),
    "zeros": put(bytes(8192)),
    "garbage": put(os.urandom(20_000)),
    "an empty file of another application": other_application,
    "tables of another application": other_tables,
    "another number of the application": sql("PRAGMA application_id = 7"),
    "a newer release": sql("PRAGMA user_version = 99"),
    "a folder": folder,
    "a link to itself": loop,
}
DAMAGED: dict[str, Damage] = {
    "head gone": bytes_at(0, bytes(16)),
    "page size gone": bytes_at(16, b"\0\0"),
    "first page gone": bytes_at(100, bytes(3000)),
    "second page zeros": bytes_at(4096, bytes(4096)),
    "third page garbage": bytes_at(8192, os.urandom(4096)),
    "last page zeros": bytes_at(-4096, bytes(4096)),
    "last page garbage": bytes_at(-4096, os.urandom(4096)),
    "cut to a hundred bytes": lambda path: path.write_bytes(path.read_bytes()[:100]),
    "cut to one page": lambda path: path.write_bytes(path.read_bytes()[:4096]),
    "cut to a half": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "a hundred bytes short": lambda path: path.write_bytes(path.read_bytes()[:-100]),
    "longer": lambda path: path.write_bytes(path.read_bytes() + os.urandom(5000)),
    "emptied": put(b""),
    "a log of garbage": beside("-wal", os.urandom(9000)),
    "an index of garbage": beside("-shm", os.urandom(32768)),
    "an old journal of garbage": beside("-journal", os.urandom(9000)),
    "a result changed": sql("UPDATE results SET result = '{\"a\": 7}' WHERE key = 'key 3'"),
    "a result null": sql("UPDATE results SET result = 'null' WHERE key = 'key 3'"),
    "a result that is no JSON": sql("UPDATE results SET result = '{' WHERE key = 'key 3'"),
    "a provenance changed": sql("UPDATE results SET provenance = '{}' WHERE key = 'key 3'"),
    "a key changed": sql("UPDATE results SET key = 'key 98' WHERE key = 'key 3'"),
    "a checksum gone": sql("UPDATE results SET checksum = ''"),
    "bytes instead of text": sql("UPDATE results SET result = x'00ff' WHERE key = 'key 3'"),
    "results dropped": sql("DROP TABLE results"),
    "failures dropped": sql("DROP TABLE failures"),
    "leases dropped": sql("DROP TABLE running"),
    "a column dropped": sql("ALTER TABLE results DROP COLUMN checksum"),
    "an older version claimed": sql("PRAGMA user_version = 1"),
}  # fmt: skip

HARMLESS = {
    "longer",
    "a log of garbage",
    "an index of garbage",
    "an old journal of garbage",
    "leases dropped",
}


def used(path: Path) -> list[str]:
    """Do with a store what runs do; returns what was refused. Rows that are served must be what was written."""
    refused: list[str] = []

    def attempt(action: Callable[[], Any]) -> Any:
        try:
            return action()
        except StoreError as error:
            says_enough = error.way_out and str(error).endswith(error.way_out) and str(path) in str(error)
            refused.append(str(error) if says_enough else f"says too little: {error}")
            return None

    for read_only in (True, False):
        store = attempt(lambda: Store(path, read_only=read_only))  # noqa: B023
        if store is None:
            continue
        with store:
            for key, result in ROWS.items():
                row = attempt(lambda: store.get(key))  # noqa: B023
                assert row is None or (row.result, row.trial["seed"]) == (result, result["a"])
            assert attempt(lambda: store.get("key 98")) is None  # noqa: B023
            attempt(lambda: list(store.failures()))  # noqa: B023
            attempt(lambda: [entry for entry in store.entries() if entry["key"]])  # noqa: B023
            attempt(store.integrity)
            if not read_only:
                attempt(lambda: store.put("key 97", trial("key 97"), {"a": 97}, {}))  # noqa: B023
                new = attempt(lambda: store.get("key 97"))  # noqa: B023
                assert new is None or new.result == {"a": 97}
    assert not [text for text in refused if text.startswith("says too little")]
    return refused


@pytest.mark.parametrize("kind", FOREIGN)
def test_what_is_not_ours_is_refused_and_left_alone(kind: str, sound: bytes, tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    path.write_bytes(sound)
    FOREIGN[kind](path)
    before = path.read_bytes() if path.is_file() else None
    assert used(path)
    assert (path.read_bytes() if path.is_file() else None) == before
    assert "delete" not in " ".join(used(path))


@pytest.mark.parametrize("kind", DAMAGED)
def test_a_damaged_store_serves_no_false_row(kind: str, sound: bytes, tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    path.write_bytes(sound)
    DAMAGED[kind](path)
    used(path)


def lost(path: Path) -> list[str]:
    """Return the keys whose rows a store does not give any more; no false row is given, see above."""

    def is_there(key: str) -> bool:
        try:
            with Store(path, read_only=True) as store:
                return (store.get(key) if key in ROWS else store.failure(key)) is not None
        except StoreError:
            return False

    return [key for key in [*ROWS, "key 99"] if not is_there(key)]


@pytest.mark.parametrize("kind", DAMAGED)
def test_a_damage_that_costs_a_row_is_said(
    kind: str, sound: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By `compactml store check`, which names the file and each row that it can tell; a harmless byte may go unsaid."""
    path = tmp_path / "s.sqlite"
    path.write_bytes(sound)
    DAMAGED[kind](path)
    try:
        code = main(["store", "check", "--store", str(path)])
    except SystemExit as end:
        code = int(str(end.code))
    said = "".join(capsys.readouterr())
    assert str(path) in said
    gone = lost(path)
    assert bool(gone) == (kind not in HARMLESS)
    assert code in ((1, 2) if gone else (0,)), said
    if code == 1 and "pages: " not in said:
        assert len(gone) == said.count(": is not what was written")


def fill(path: Path, limit: int) -> None:
    """In a process of its own, whose files may not grow beyond a size: put rows until that fails, and once more."""
    import signal

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with Store(path) as store:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        for i in range(1000):
            try:
                store.put(f"key {i}", trial(f"key {i}"), {"a": i, "text": "x" * 2000}, {})
            except StoreError as error:
                os._exit(0 if "run the same command again" in str(error) else 2)
    os._exit(1)


@pytest.mark.parametrize("pages", [16, 40, 200])
def test_a_full_disk_costs_the_last_row_only(pages: int, tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    Store(path).close()
    process = multiprocessing.get_context("fork").Process(target=fill, args=(path, 4096 * pages))
    process.start()
    process.join(120)
    assert process.exitcode == 0
    with Store(path) as store:
        seeds = [row.result["a"] for row in store.rows()]
        assert seeds == list(range(len(seeds)))
        store.put("key 999", trial("key 999"), {"a": 999}, {})
        assert store.integrity() == []


@pytest.mark.parametrize("mode", ["IMMEDIATE", "EXCLUSIVE", "DEFERRED"])
@pytest.mark.parametrize("log", ["WAL", "DELETE"])
def test_a_locked_store_is_waited_for_and_said(
    mode: str, log: str, sound: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "BUSY_SECONDS", 0.1)
    path = tmp_path / "s.sqlite"
    path.write_bytes(sound)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute(f"PRAGMA journal_mode = {log}")
        other.execute(f"BEGIN {mode}")
        other.execute("SELECT count(*) FROM results").fetchone()
        refused = used(path)
        assert all("is locked by another program" in text or log == "DELETE" for text in refused)
        assert bool(refused) == (mode != "DEFERRED" or log == "DELETE")
    assert used(path) == []
    with Store(path) as store:
        assert len(store) == len(ROWS) + 1


@pytest.mark.skipif(os.geteuid() == 0 or sys.platform == "win32", reason="root may write anywhere")
@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_store_that_may_not_be_written_is_read(what: str, sound: bytes, tmp_path: Path) -> None:
    path = tmp_path / "medium" / "s.sqlite"
    path.parent.mkdir()
    path.write_bytes(sound)
    (path if what == "file" else path.parent).chmod(0o555)
    try:
        with Store(path, read_only=True) as store:
            assert len(store) == len(ROWS)
        with pytest.raises(StoreError, match="Make it writable, or name another file"), Store(path) as store:
            store.put("key 97", trial("key 97"), {"a": 97}, {})
    finally:
        path.parent.chmod(0o755)


def test_there_are_at_least_30() -> None:
    assert len(FOREIGN) + len(DAMAGED) + 3 + 6 + 2 >= 30
