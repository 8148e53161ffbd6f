from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from compactml.study import Store, StoreError, Trial
from compactml.study.storing import schema
from compactml.study.storing.rows import SUMMED, Entry, checksum, result_entry
from compactml.study.storing.store import default_path

TRIAL = Trial("chapter", "kind", "iris", fold=1, parameters=(("a", 0.1),))
PROVENANCE = {"seconds": 1.5, "commit": None}


def test_what_is_put_is_got_back_by_another_store(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "results.sqlite"
    with Store(path) as store:
        assert store.get("key") is None
        store.put("key", TRIAL, {"a": 0.1, "b": 2, "c": "text", "d": None}, PROVENANCE)
    with Store(path) as store:
        row = store.get("key")
        assert row is not None
        assert row.result == {"a": 0.1, "b": 2, "c": "text", "d": None}
        assert row.provenance == PROVENANCE
        assert Trial(**row.trial | {"parameters": tuple(row.trial["parameters"].items())}) == TRIAL


def test_rows_by_chapter_and_kind(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        for key, chapter, kind in (("1", "a", "x"), ("2", "a", "y"), ("3", "b", "x")):
            store.put(key, Trial(chapter, kind, "iris"), {}, {})
        assert [row.key for row in store.rows()] == ["1", "2", "3"]
        assert [row.key for row in store.rows("a")] == ["1", "2"]
        assert [row.key for row in store.rows(kind="x")] == ["1", "3"]
        assert len(store) == 3
        store.put("1", TRIAL, {"a": 1}, {})
        assert len(store) == 3
        assert [row.result for row in store.rows()] == [{}, {}, {}]  # what was there first stays


def test_default_path_can_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMPACTML_STORE", raising=False)
    assert default_path().name == "results.sqlite"
    monkeypatch.setenv("COMPACTML_STORE", str(tmp_path / "mine.sqlite"))
    with Store() as store:
        assert store.path == tmp_path / "mine.sqlite"


def test_another_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    text = tmp_path / "text.sqlite"
    text.write_bytes(b"not a database, but long enough to be looked at as one" * 100)
    before = text.read_bytes()
    with pytest.raises(StoreError, match=r"text\.sqlite: file is not a database.*--store"):
        Store(text)
    assert text.read_bytes() == before


def test_other_database_and_other_version_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE something (x)")
    connection.close()
    with pytest.raises(StoreError, match="not a store of compactml"):
        Store(path)
    Store(tmp_path / "old.sqlite").close()
    with sqlite3.connect(tmp_path / "old.sqlite") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = (tmp_path / "old.sqlite").read_bytes()
    with pytest.raises(StoreError, match=r"schema version 99.*a newer release.*--store"):
        Store(tmp_path / "old.sqlite")
    assert (tmp_path / "old.sqlite").read_bytes() == before


@pytest.mark.parametrize("setting", ["application_id = 12345", "user_version = 3"])
def test_an_empty_file_of_another_application_is_refused(setting: str, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "other.sqlite") as connection:
        connection.execute(f"PRAGMA {setting}")
    connection.close()
    with pytest.raises(StoreError, match="not a store of compactml"):
        Store(tmp_path / "other.sqlite")


FIRST_SCHEMA = """
CREATE TABLE results (
    key TEXT PRIMARY KEY, chapter TEXT NOT NULL, kind TEXT NOT NULL, trial TEXT NOT NULL, result TEXT NOT NULL,
    provenance TEXT NOT NULL, created TEXT NOT NULL
)
"""


@pytest.fixture
def first_store(tmp_path: Path) -> Path:
    """A store as the first release wrote it, with one row."""
    path = tmp_path / "first.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute(FIRST_SCHEMA)
        connection.execute(f"PRAGMA application_id = {0x636D6C31}")
        connection.execute("PRAGMA user_version = 1")
        row = ("key", "chapter", "kind", TRIAL.canonical(), '{"a": 0.1}', '{"seconds": 1.5}', "2026-01-01")
        connection.execute("INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    connection.close()
    return path


def test_rows_of_the_first_formula_are_kept_and_listed_and_not_served(first_store: Path) -> None:
    for _ in range(2):  # the second time it is a store of this version
        with Store(first_store) as store:
            assert store.get("key") is None
            (row,) = store.rows()
            assert (row.key, row.formula, row.result, row.created) == ("key", 1, {"a": 0.1}, "2026-01-01")
    with Store(first_store) as store:
        store.put("new", TRIAL, {"a": 2}, PROVENANCE)
        found = store.get("new")
        assert found is not None
        assert [row.formula for row in store.rows()] == [1, found.formula]


def test_a_migration_that_fails_leaves_the_old_store(
    first_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = first_store.read_bytes()
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, ("NOT A STATEMENT",)))
    with pytest.raises(StoreError, match="syntax error"):
        Store(first_store)
    assert first_store.read_bytes() == before


def test_damaged_row_is_refused(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        store.put("key", TRIAL, {"a": 1}, PROVENANCE)
        with sqlite3.connect(store.path) as other:
            other.execute("UPDATE results SET result = '{\"a\"'")
        other.close()
        for read in (lambda: store.get("key"), lambda: list(store.rows())):
            with pytest.raises(StoreError, match=r"s\.sqlite: the row 'key' is damaged"):
                read()


@pytest.mark.parametrize(
    ("column", "value"), [("result", '{"a": 7}'), ("created", "2026-01-01"), ("formula", 1)]
)
def test_a_changed_digit_is_found(tmp_path: Path, column: str, value: str | int) -> None:
    path = tmp_path / "s.sqlite"
    with Store(path) as store:
        store.put("key", TRIAL, {"a": 1}, PROVENANCE)
        store.put("other", TRIAL, {"a": 2}, PROVENANCE)
        with sqlite3.connect(path) as connection:
            connection.execute(f"UPDATE results SET {column} = ? WHERE key = 'key'", (value,))
        connection.close()
        with pytest.raises(StoreError, match=r"the row 'key' is damaged .* compactml store check --repair"):
            list(store.rows())
        assert store.integrity() == []
        assert store.damaged() == ["key"]
        assert [entry["key"] for entry in store.entries()] == ["other"]
        store.remove(["key"])
        assert [row.result for row in store.rows()] == [{"a": 2}]


@pytest.mark.parametrize("column", ["result", "provenance", "trial"])
@pytest.mark.parametrize("text", ["null", "[1]"])
def test_a_row_that_names_no_values_is_damaged(tmp_path: Path, column: str, text: str) -> None:
    """Also where its checksum is that of what it says."""
    with Store(tmp_path / "s.sqlite") as store:
        store.write([with_checksum(result_entry("key", TRIAL, {"a": 1}, PROVENANCE) | {column: text})])
        with pytest.raises(StoreError, match=r"the row 'key' is damaged .* compactml store check --repair"):
            store.get("key")
        assert store.damaged() == ["key"]


def with_checksum(entry: Entry) -> Entry:
    return entry | {"checksum": checksum(*(entry[name] for name in SUMMED))}


def on_disk(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_reading_changes_nothing_on_the_disk(tmp_path: Path, first_store: Path) -> None:
    with Store(tmp_path / "missing" / "s.sqlite", read_only=True) as store:
        assert len(store) == 0
    assert not (tmp_path / "missing").exists()
    before = on_disk(tmp_path)
    with Store(first_store, read_only=True) as store:
        assert [row.result for row in store.rows()] == [{"a": 0.1}]
        assert store.get("key") is None
    assert on_disk(tmp_path) == before


def test_a_store_on_a_medium_that_cannot_be_written_is_read(tmp_path: Path) -> None:
    """Also by root, who may write anywhere: a folder takes the place of the file that SQLite would make."""
    folder = tmp_path / "medium"
    with Store(folder / "s.sqlite") as store:
        store.put("key", TRIAL, {"a": 1}, PROVENANCE)
    (folder / "s.sqlite-shm").mkdir()
    with Store(folder / "s.sqlite", read_only=True) as store:
        found = store.get("key")
        assert found is not None
        assert found.result == {"a": 1}
        with pytest.raises(StoreError, match=r"attempt to write a readonly.* Make it writable"):
            store.put("new", TRIAL, {"a": 1}, PROVENANCE)


def test_results_are_not_kept_in_memory_only() -> None:
    with pytest.raises(StoreError, match=r"store :memory:: results there would be gone"):
        Store(":memory:")


def test_a_full_disk_is_said_with_the_way_out(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite") as store:
        pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
        store._connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreError, match=r"is full\. Free space there and run the same command again\."):
            store.put("key", TRIAL, {"a": "x" * 100_000}, PROVENANCE)
        store._connection.execute("PRAGMA max_page_count = 1000")
        store.put("key", TRIAL, {"a": "x" * 100_000}, PROVENANCE)
        assert len(store) == 1


def test_folder_in_place_of_the_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"unable to open.* in a folder that can be written.*--store"):
        Store(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=r"results\.sqlite"):
        Store(tmp_path / "file" / "results.sqlite")


def test_processes_may_create_and_write_one_store_at_the_same_time(tmp_path: Path) -> None:
    program = (
        "import sys; from compactml.study import Store, Trial\n"
        "store = Store(sys.argv[1])\n"
        "for i in range(20): store.put(f'{sys.argv[2]}-{i}', Trial('c', 'k', 'd'), {}, {})\n"
    )
    path = tmp_path / "shared.sqlite"
    writers = [subprocess.Popen([sys.executable, "-c", program, str(path), str(i)]) for i in range(3)]
    assert [writer.wait(120) for writer in writers] == [0] * 3
    with Store(path) as store:
        assert len(store) == 60
