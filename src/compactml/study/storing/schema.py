"""The tables of a store, the version of their form, and how a file of an older version becomes one of this.

A newer release's file is refused and left as it is. A migration happens in the transaction that opens the file, so
that it happens as a whole or not at all.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any

from compactml.study.storing.rows import SUMMED, checksum

__all__ = ["APPLICATION_ID", "SCHEMA_VERSION", "Refused", "bring_up", "pragma", "transaction"]

SCHEMA_VERSION = 4
APPLICATION_ID = 0x636D6C31  # "cml1" in the header of the file: tells a store from another SQLite file
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
RUNNING = """
CREATE TABLE running (
    key TEXT PRIMARY KEY,
    token TEXT NOT NULL,
    host TEXT NOT NULL,
    machine TEXT NOT NULL,
    pid INTEGER NOT NULL,
    born REAL NOT NULL,
    since TEXT NOT NULL,
    beat REAL NOT NULL
)
"""
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    ("ALTER TABLE results ADD COLUMN formula INTEGER NOT NULL DEFAULT 1", FAILURES),
    (
        "ALTER TABLE results ADD COLUMN checksum TEXT NOT NULL DEFAULT ''",
        f"UPDATE results SET checksum = checksum_of({', '.join(SUMMED)})",
    ),
    (RUNNING,),
)
"""Statements that lead from each version of the schema to the next; what rows say stays."""


class Refused(Exception):  # noqa: N818
    """A file is no store, or one of a newer release."""


def pragma(connection: sqlite3.Connection, name: str) -> Any:
    """Return the value of one of SQLite's settings."""
    return connection.execute(f"PRAGMA {name}").fetchone()[0]


def bring_up(connection: sqlite3.Connection) -> None:
    """Create the tables in an empty file, or bring an older store to this version; within a transaction.

    Raises
    ------
    Refused
    sqlite3.Error
    """
    n_tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    owner, schema = pragma(connection, "application_id"), pragma(connection, "user_version")
    if owner != APPLICATION_ID and (n_tables or owner or schema):
        raise Refused("an SQLite file, but not a store of compactml")
    if schema > SCHEMA_VERSION:
        raise Refused(
            f"has schema version {schema}, this release reads up to {SCHEMA_VERSION}; a newer release of"
            " compactml reads it, and it was left as it is"
        )
    if n_tables == 0:
        connection.execute(CREATE)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        schema = 1
    connection.create_function("checksum_of", len(SUMMED), checksum, deterministic=True)
    for statement in chain.from_iterable(MIGRATIONS[schema - 1 :]):
        connection.execute(statement)
    if schema != SCHEMA_VERSION:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Make the statements of a block one, written as a whole or not at all."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
