"""The store: one SQLite file, one transaction per finished trial.

Another process may hold the file for a while; what a run could not write meanwhile lies beside it, see
`compactml.study.running.rescue`.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pooch

from compactml.study.errors import StoreError, StoreLocked
from compactml.study.keys.fingerprint import FORMULA
from compactml.study.running import rescue
from compactml.study.running.rescue import Entry
from compactml.study.trial import Result, Trial

SCHEMA_VERSION = 2
APPLICATION_ID = 0x636D6C31  # "cml1" in the header of the file: tells a store from another SQLite file
BUSY_SECONDS = 60.0
"""How long another process may hold the file before that is an error, unless a caller says otherwise."""
LOCKED = sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED
CREATE = """
CREATE TABLE IF NOT EXISTS results (
    key TEXT PRIMARY KEY,
    chapter TEXT NOT NULL,
    kind TEXT NOT NULL,
    trial TEXT NOT NULL,
    result TEXT NOT NULL,
    provenance TEXT NOT NULL,
    created TEXT NOT NULL
)
"""
FAILURES = """
CREATE TABLE failures (
    key TEXT PRIMARY KEY,
    chapter TEXT NOT NULL,
    kind TEXT NOT NULL,
    trial TEXT NOT NULL,
    failure TEXT NOT NULL,
    created TEXT NOT NULL
)
"""
COLUMNS = {
    "results": ("key", "chapter", "kind", "trial", "result", "provenance", "created", "formula"),
    "failures": ("key", "chapter", "kind", "trial", "failure", "created"),
}
MIGRATIONS = (("ALTER TABLE results ADD COLUMN formula INTEGER NOT NULL DEFAULT 1", FAILURES),)
"""Statements that lead from each version of the schema to the next; rows stay as they are."""


@dataclass(frozen=True)
class Row:
    """One stored result; ``trial`` is the canonical specification as a dictionary.

    ``formula`` is the version of the key's formula; rows of an older one are listed and not served.
    """

    key: str
    chapter: str
    kind: str
    trial: dict[str, Any]
    result: Result
    provenance: dict[str, Any]
    created: str
    formula: int


@dataclass(frozen=True)
class FailedRow:
    """A trial that has no result; ``failure`` says why: error, signal, resident_mib, stack."""

    key: str
    chapter: str
    kind: str
    trial: dict[str, Any]
    failure: dict[str, Any]
    created: str


def now() -> str:
    """Return the time in ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def result_entry(key: str, trial: Trial, result: Result, provenance: Mapping[str, Any]) -> Entry:
    """Return a result as a row to be written, finished now."""
    return _entry("results", key, trial) | {
        "result": json.dumps(result, allow_nan=False),
        "provenance": json.dumps(dict(provenance), allow_nan=False),
        "formula": FORMULA,
    }


def failure_entry(key: str, trial: Trial, failure: Mapping[str, Any]) -> Entry:
    """Return a failure as a row to be written."""
    return _entry("failures", key, trial) | {"failure": json.dumps(dict(failure), allow_nan=False)}


def _entry(table: str, key: str, trial: Trial) -> Entry:
    names = {"chapter": trial.chapter, "kind": trial.kind, "trial": trial.canonical()}
    return {"table": table, "key": key, "created": now(), **names}


def default_path() -> Path:
    """Return ``COMPACTML_STORE``, or ``results.sqlite`` in the user's cache folder."""
    return Path(os.environ.get("COMPACTML_STORE") or Path(pooch.os_cache("compactml")) / "results.sqlite")


class Store:
    """Results of trials by key. Used by the coordinating process only; close it or use it in a ``with``.

    Parameters
    ----------
    path : path, optional
        The file, created with its folder when missing; `default_path` by default.

    Raises
    ------
    StoreError
        The file is not a store, was written by another version of it, or cannot be read or written.
    StoreLocked
        Another process has held it for `BUSY_SECONDS`.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from compactml.study import Store
    >>> with TemporaryDirectory() as folder, Store(f"{folder}/results.sqlite") as store:
    ...     len(list(store.rows()))
    0
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self.path = Path(path) if path is not None else default_path()
        with self._errors():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
        try:
            with self._errors():
                self._prepare()
            rescue.take_in(self.path, COLUMNS, self.write)
        except BaseException:
            self._connection.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def get(self, key: str) -> Row | None:
        """Return the result stored under ``key`` by the present formula of the key, or None.

        Raises
        ------
        StoreError
            The file cannot be read, or the row is damaged.
        """
        with self._errors():
            query = "SELECT * FROM results WHERE key = ? AND formula = ?"
            found = self._connection.execute(query, (key, FORMULA)).fetchone()
        return None if found is None else self._row(found)

    def put(self, key: str, trial: Trial, result: Result, provenance: Mapping[str, Any]) -> None:
        """Write one result; a result that is there already under this key stays, a failure goes."""
        self.write([result_entry(key, trial, result, provenance)])

    def fail(self, key: str, trial: Trial, failure: Mapping[str, Any]) -> None:
        """Write down that a trial has no result, and why; an earlier failure under this key is replaced."""
        self.write([failure_entry(key, trial, failure)])

    def write(self, entries: Sequence[Entry]) -> None:
        """Write rows in their order, all or none, as `put` and `fail` do."""
        with self._errors(), self._transaction():
            for entry in entries:
                table = entry["table"]
                names, how = COLUMNS[table], "IGNORE" if table == "results" else "REPLACE"
                values = ", ".join(f":{name}" for name in names)
                self._connection.execute(
                    f"INSERT OR {how} INTO {table} ({', '.join(names)}) VALUES ({values})",
                    {name: entry[name] for name in names},
                )
                if table == "results":
                    self._connection.execute("DELETE FROM failures WHERE key = ?", (entry["key"],))

    @contextmanager
    def patience(self, seconds: float) -> Iterator[None]:
        """Wait only so long for another process that holds the file."""
        self._connection.execute(f"PRAGMA busy_timeout = {round(1000 * seconds)}")
        try:
            yield
        finally:
            self._connection.execute(f"PRAGMA busy_timeout = {round(1000 * BUSY_SECONDS)}")

    def failures(self) -> Iterator[FailedRow]:
        """Yield the trials that failed when they were last tried, in the order in which they came."""
        with self._errors():
            for key, chapter, kind, trial, failure, created in self._connection.execute(
                "SELECT * FROM failures ORDER BY rowid"
            ):
                yield FailedRow(key, chapter, kind, json.loads(trial), json.loads(failure), created)

    def rows(self, chapter: str | None = None, kind: str | None = None) -> Iterator[Row]:
        """Yield the stored results in the order in which they came, of one chapter or kind if given."""
        query = "SELECT * FROM results WHERE chapter = ifnull(?, chapter) AND kind = ifnull(?, kind) ORDER BY rowid"
        with self._errors():
            yield from map(self._row, self._connection.execute(query, (chapter, kind)))

    def __len__(self) -> int:
        with self._errors():
            return int(self._connection.execute("SELECT count(*) FROM results").fetchone()[0])

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Make the statements of a block one, written as a whole or not at all."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            if isinstance(error, StoreError):
                raise
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in LOCKED:
                raise StoreLocked(str(self.path)) from error
            raise StoreError(str(self.path), str(error)) from error

    def _row(self, values: tuple[Any, ...]) -> Row:
        """Read the texts of a row; a damaged page may still be one for SQLite."""
        try:
            key, chapter, kind, trial, result, provenance, created, formula = values
            asked, found_then, origin = (json.loads(text) for text in (trial, result, provenance))
        except ValueError as error:
            raise StoreError(str(self.path), f"the row {values[0]!r} is damaged ({error})") from error
        return Row(key, chapter, kind, asked, found_then, origin, created, int(formula))

    def _pragma(self, name: str) -> Any:
        return self._connection.execute(f"PRAGMA {name}").fetchone()[0]

    def _prepare(self) -> None:
        """Create the tables in an empty file, or bring an older store to this version, its rows as they are.

        All in one transaction, since two processes may open the file at the same time.
        """
        with self._transaction():
            self._migrate()
        self._connection.execute("PRAGMA journal_mode = WAL")

    def _migrate(self) -> None:
        n_tables = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        owner, schema = self._pragma("application_id"), self._pragma("user_version")
        if owner != APPLICATION_ID and (n_tables or owner):
            raise StoreError(str(self.path), "an SQLite file, but not a store of compactml")
        if schema > SCHEMA_VERSION:
            raise StoreError(
                str(self.path),
                f"has schema version {schema}, this release reads up to {SCHEMA_VERSION}; a newer release of"
                " compactml reads it, and it was left as it is",
            )
        if n_tables == 0:
            self._connection.execute(CREATE)
            self._connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            schema = 1
        for statement in chain.from_iterable(MIGRATIONS[schema - 1 :]):
            self._connection.execute(statement)
        if self._pragma("user_version") != SCHEMA_VERSION:
            self._connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
