"""The store: one SQLite file, one transaction per finished trial.

Another process may hold the file for a while; what a run could not write meanwhile lies beside it, see
`compactml.study.storing.rescue`.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pooch

from compactml.errors import check_path
from compactml.study.errors import StoreError, StoreLocked
from compactml.study.keys.fingerprint import FORMULA
from compactml.study.storing import leases, rescue
from compactml.study.storing.holder import holder
from compactml.study.storing.leases import Lease, Run
from compactml.study.storing.opening import opened_to_read, opened_to_write
from compactml.study.storing.rows import COLUMNS, Entry, FailedRow, Row, failure_entry, result_entry
from compactml.study.storing.schema import Refused, transaction
from compactml.study.trial import Result, Trial

__all__ = ["Store", "default_path"]

BUSY_SECONDS = 60.0
"""How long another process may hold the file before that is an error, unless a caller says otherwise."""
LOCKED = sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED
WAYS_OUT = {
    sqlite3.SQLITE_FULL: "Free space there and run the same command again.",
    sqlite3.SQLITE_IOERR: "Look at the disk or its quota, and run the same command again.",
    sqlite3.SQLITE_READONLY: "Make it writable, or name another file with --store or COMPACTML_STORE.",
    sqlite3.SQLITE_CANTOPEN: "A file in a folder that can be written is needed: name it with --store or"
    " COMPACTML_STORE; --dry-run and 'compactml show' only read one.",
    sqlite3.SQLITE_CORRUPT: "Its rows can be saved: compactml store export; see the manual.",
}
"""Other ways out than another file, which would start from zero."""
CHECK = "Take such rows out with: compactml store check --repair; they are then run again."
SELECT = f"SELECT {', '.join(COLUMNS['results'])} FROM results"
LATER = "SELECT 1 FROM failures WHERE key = :key AND created > :created"
READ = {"results": Row.read, "failures": FailedRow.read}
log = logging.getLogger(__name__)


def default_path() -> Path:
    """Return ``COMPACTML_STORE``, or ``results.sqlite`` in the user's cache folder."""
    return Path(os.environ.get("COMPACTML_STORE") or Path(pooch.os_cache("compactml")) / "results.sqlite")


class Store:
    """Results of trials by key. Used by the coordinating process only; close it or use it in a ``with``.

    Parameters
    ----------
    path : path, optional
        The file, created with its folder when missing; `default_path` by default.
    read_only : bool, default False
        Change nothing on the disk: a file that is missing has no rows, and an older one is read as it is.

    Raises
    ------
    StoreError
        The file is not a store, was written by another version of it, or cannot be read or written.
    StoreLocked
        Another process has held it for `BUSY_SECONDS`.
    InvalidParameterError
        The path is none.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from compactml.study import Store
    >>> with TemporaryDirectory() as folder, Store(f"{folder}/results.sqlite") as store:
    ...     len(list(store.rows()))
    0
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, *, read_only: bool = False) -> None:
        self.path = check_path("path", path) if path is not None else default_path()
        if self.path.name == ":memory:":
            raise StoreError(str(self.path), "results there would be gone at the end of the process")
        opened = opened_to_read if read_only else opened_to_write
        with self._errors():
            self._connection = opened(self.path, BUSY_SECONDS)
        if not read_only:
            try:
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
            query = f"{SELECT} WHERE key = ? AND formula = ?"
            found = self._connection.execute(query, (key, FORMULA)).fetchone()
        return None if found is None else self._row(found)

    def put(self, key: str, trial: Trial, result: Result, provenance: Mapping[str, Any]) -> None:
        """Write one result; a result that is there already under this key stays, a failure goes."""
        self.write([result_entry(key, trial, result, provenance)])

    def fail(self, key: str, trial: Trial, failure: Mapping[str, Any]) -> None:
        """Write down that a trial has no result, and why; a result or a later failure under this key stays."""
        self.write([failure_entry(key, trial, failure)])

    def write(self, entries: Sequence[Entry], run: Run | None = None) -> list[str]:
        """Write rows in their order, all or none, as `put` and `fail` do; returns the keys that had a result before.

        A trial with a result is leased to nobody any more, one that failed not to this run.
        """
        before = []
        with self._errors(), transaction(self._connection):
            for entry in entries:
                table, key = entry["table"], (entry["key"],)
                if self._connection.execute("SELECT 1 FROM results WHERE key = ?", key).fetchone():
                    before.append(str(entry["key"]))
                elif table == "results" or not self._connection.execute(LATER, entry).fetchone():
                    names = COLUMNS[table]
                    values = ", ".join(f":{name}" for name in names)
                    self._connection.execute(
                        f"INSERT OR REPLACE INTO {table} ({', '.join(names)}) VALUES ({values})",
                        {name: entry[name] for name in names},
                    )
                if table == "results":
                    for other in ("failures", "running"):
                        self._connection.execute(f"DELETE FROM {other} WHERE key = ?", key)
                elif run is not None:
                    leases.release(self._connection, run, [entry["key"]])
        return before

    def lease(self, key: str, run: Run) -> Lease | None:
        """Lease a trial to a run, unless another living run has it: then its lease is returned."""
        with self._errors():
            other = next((one for one in leases.leases(self._connection, key) if one.run != run), None)
            if other is not None and other.held:
                return other  # without keeping others from writing
            return leases.take(self._connection, key, run)

    def release(self, run: Run, keys: Sequence[str] | None = None) -> None:
        """Give back a run's leases, of some trials or of all."""
        with self._errors():
            leases.release(self._connection, run, keys)

    @contextmanager
    def patience(self, seconds: float) -> Iterator[None]:
        """Wait only so long for another process that holds the file."""
        self._connection.execute(f"PRAGMA busy_timeout = {round(1000 * seconds)}")
        try:
            yield
        finally:
            self._connection.execute(f"PRAGMA busy_timeout = {round(1000 * BUSY_SECONDS)}")

    def failures(self, key: str | None = None) -> Iterator[FailedRow]:
        """Yield the trials that failed when they were last tried, in the order in which they came; or one of them.

        A damaged row is warned of and left out: its trial is tried again.
        """
        query = f"SELECT * FROM failures {'ORDER BY rowid' if key is None else 'WHERE key = ?'}"
        with self._errors():
            for values in self._connection.execute(query, () if key is None else (key,)):
                try:
                    row = FailedRow.read(values)
                except ValueError as error:
                    if key is None:  # a run looks at all of them once, and at single ones often
                        log.warning(
                            "%s: the failure %r is damaged (%s). %s", self.path, values[0], error, CHECK
                        )
                    continue
                yield row

    def failure(self, key: str) -> FailedRow | None:
        """Return how a trial failed when it was last tried, or None."""
        return next(iter(self.failures(key)), None)

    def rows(self, chapter: str | None = None, kind: str | None = None) -> Iterator[Row]:
        """Yield the stored results in the order in which they came, of one chapter or kind if given."""
        query = f"{SELECT} WHERE chapter = ifnull(?, chapter) AND kind = ifnull(?, kind) ORDER BY rowid"
        with self._errors():
            yield from map(self._row, self._connection.execute(query, (chapter, kind)))

    def __len__(self) -> int:
        with self._errors():
            return int(self._connection.execute("SELECT count(*) FROM results").fetchone()[0])

    def entries(self) -> Iterator[Entry]:
        """Yield all rows as they are written, results first, without damaged ones: another store takes them in.

        Raises
        ------
        StoreError
            The file cannot be read.
        """
        with self._errors():
            for table, names in COLUMNS.items():
                for values in self._connection.execute(
                    f"SELECT {', '.join(names)} FROM {table} ORDER BY rowid"
                ):
                    if _is_sound(table, values):
                        yield {"table": table, **dict(zip(names, values, strict=True))}

    def damaged(self, table: str = "results") -> list[str]:
        """Return the keys of the rows that are not what was written; "failures" are the other table.

        Raises
        ------
        StoreError
            The file cannot be read.
        """
        with self._errors():
            rows = self._connection.execute(f"SELECT {', '.join(COLUMNS[table])} FROM {table} ORDER BY rowid")
            return [str(values[0]) for values in rows if not _is_sound(table, values)]

    def remove(self, keys: Sequence[str], table: str = "results") -> None:
        """Take rows of a table out, all or none."""
        with self._errors(), transaction(self._connection):
            self._connection.executemany(f"DELETE FROM {table} WHERE key = ?", [(key,) for key in keys])

    def integrity(self) -> list[str]:
        """Return what SQLite finds wrong with the file's pages; nothing where it is sound."""
        with self._errors():
            said = [str(one) for (one,) in self._connection.execute("PRAGMA integrity_check")]
        return [] if said == ["ok"] else said

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except Refused as error:
            raise StoreError(str(self.path), str(error)) from error
        except (sqlite3.Error, OSError) as error:
            if isinstance(error, StoreError):
                raise
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code in LOCKED:
                raise StoreLocked(str(self.path), holder(self.path)) from error
            raise StoreError(str(self.path), str(error), *filter(None, [WAYS_OUT.get(code)])) from error

    def _row(self, values: tuple[Any, ...]) -> Row:
        """Read the texts of a row; a damaged page may still be one for SQLite."""
        try:
            return Row.read(values)
        except ValueError as error:
            reason = f"the row {values[0]!r} is damaged ({error})"
            raise StoreError(str(self.path), reason, CHECK) from error


def _is_sound(table: str, values: tuple[Any, ...]) -> bool:
    try:
        READ[table](values)
    except ValueError:
        return False
    return True
