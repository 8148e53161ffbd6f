"""How the file of a store is opened: to be written, or only read, where nothing on the disk changes."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from compactml.study.storing.schema import APPLICATION_ID, SCHEMA_VERSION, bring_up, pragma, transaction

__all__ = ["opened_to_read", "opened_to_write"]


def opened_to_write(path: Path, busy_seconds: float) -> sqlite3.Connection:
    """Open or create a file with this release's tables.

    Raises
    ------
    Refused
    sqlite3.Error, OSError
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=busy_seconds, isolation_level=None)
    try:
        with transaction(connection):  # two processes may open a new file at the same time
            bring_up(connection)
        connection.execute("PRAGMA journal_mode = WAL")
    except BaseException:
        connection.close()
        raise
    return connection


def opened_to_read(path: Path, busy_seconds: float) -> sqlite3.Connection:
    """Open a file that is not written, on a medium that cannot be either; one that is missing has no rows.

    An older file is brought to this release's form in memory.

    Raises
    ------
    Refused
    sqlite3.Error
    """
    if not path.exists():
        return _copy(None)
    connection = sqlite3.connect(_address(path, "ro"), timeout=busy_seconds, isolation_level=None, uri=True)
    try:
        try:
            owner, schema = pragma(connection, "application_id"), pragma(connection, "user_version")
        except sqlite3.OperationalError:
            if _has_unmerged(path):
                raise
            # SQLite makes a file beside the one that it reads, unless it is told that nobody writes meanwhile
            connection.close()
            connection = sqlite3.connect(_address(path, "ro", "immutable=1"), isolation_level=None, uri=True)
            owner, schema = pragma(connection, "application_id"), pragma(connection, "user_version")
        if (owner, schema) == (APPLICATION_ID, SCHEMA_VERSION):
            return connection
        copied = _copy(connection)
    except BaseException:
        connection.close()
        raise
    connection.close()
    return copied


def _address(path: Path, mode: str, *more: str) -> str:
    return f"{path.resolve().as_uri()}?{'&'.join([f'mode={mode}', *more])}"


def _has_unmerged(path: Path) -> bool:
    """Return whether there are rows that are not yet in the file itself."""
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0


def _copy(source: sqlite3.Connection | None) -> sqlite3.Connection:
    memory = sqlite3.connect(":memory:", isolation_level=None)
    try:
        if source is not None:
            source.backup(memory)
        bring_up(memory)
    except BaseException:
        memory.close()
        raise
    return memory
