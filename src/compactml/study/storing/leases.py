"""Who runs what: a trial that a run has begun is leased in the store, so that another run on it leaves it alone.

A lease ends with the trial's row, with its run, or with the run's process: on this machine when the process is gone,
on another one when it has given no sign for `EXPIRY_SECONDS`. Taking one brings nothing to the disk at once: what a
power cut takes away is a lease of a run that is gone, too.
"""

from __future__ import annotations

import os
import platform
import sqlite3
import time
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import psutil

from compactml.study.storing.rows import now
from compactml.study.storing.schema import transaction

__all__ = ["BEAT_SECONDS", "EXPIRY_SECONDS", "Lease", "Run", "beat", "leases", "release", "take"]

BEAT_SECONDS = 20.0
"""How often a run says that it still lives."""
EXPIRY_SECONDS = 180.0
"""Without a sign for so long, a run is taken for dead, one of this machine too: it may be stopped, and not killed."""
SAME_START = 2.0  # seconds within which two starting times of a process are one


@dataclass(frozen=True)
class Run:
    """A process that runs trials.

    Attributes
    ----------
    token : str
        One of its own for each run.
    host : str
        Name of the machine, to be shown.
    machine : str
        What tells whether a process number means something here: the system's start and its room of processes.
    pid : int
    born : float
        When the process started, in seconds since 1970: numbers are used again.
    since : str
        When the run began, ISO 8601.
    """

    token: str
    host: str
    machine: str
    pid: int
    born: float
    since: str

    @classmethod
    def here(cls) -> Run:
        """Return a run of this process that begins now."""
        born = psutil.Process().create_time()
        return cls(uuid.uuid4().hex, platform.node(), machine(), os.getpid(), born, now())

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host}, which began at {self.since}"

    @property
    def gone(self) -> bool:
        """Whether it was a process of this machine that is no more."""
        if self.machine != machine():
            return False
        try:
            process = psutil.Process(self.pid)
            return (
                abs(process.create_time() - self.born) > SAME_START
                or process.status() == psutil.STATUS_ZOMBIE
            )
        except psutil.NoSuchProcess:
            return True


@dataclass(frozen=True)
class Lease:
    """A trial's key, who runs it, and when that run last gave a sign, in seconds since 1970."""

    key: str
    run: Run
    beat: float

    @property
    def held(self) -> bool:
        """Whether its run still lives, as far as can be told."""
        return time.time() - self.beat < EXPIRY_SECONDS and not self.run.gone


@cache
def machine() -> str:
    """Return what two processes have in common that see each other's numbers."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return platform.node()


def take(connection: sqlite3.Connection, key: str, run: Run) -> Lease | None:
    """Lease a trial to a run, unless another living run has it: then its lease is returned.

    Raises
    ------
    sqlite3.Error
    """
    connection.execute("PRAGMA synchronous = NORMAL")
    try:
        with transaction(connection):
            other = next((one for one in leases(connection, key) if one.run.token != run.token), None)
            if other is not None and other.held:
                return other
            connection.execute(
                "INSERT OR REPLACE INTO running (key, token, host, machine, pid, born, since, beat)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (key, run.token, run.host, run.machine, run.pid, run.born, run.since, time.time()),
            )
            return None
    finally:
        connection.execute("PRAGMA synchronous = FULL")


def release(connection: sqlite3.Connection, run: Run, keys: Iterable[str] | None = None) -> None:
    """Give back a run's leases, of some trials or of all.

    Raises
    ------
    sqlite3.Error
    """
    if keys is None:
        connection.execute("DELETE FROM running WHERE token = ?", (run.token,))
    else:
        connection.executemany(
            "DELETE FROM running WHERE token = ? AND key = ?", [(run.token, key) for key in keys]
        )


def beat(connection: sqlite3.Connection, run: Run) -> None:
    """Say that a run lives.

    Raises
    ------
    sqlite3.Error
    """
    connection.execute("UPDATE running SET beat = ? WHERE token = ?", (time.time(), run.token))


def leases(connection: sqlite3.Connection, key: str | None = None) -> list[Lease]:
    """Return all leases, or that of one trial; what names no process and no time is of a run that is gone.

    Raises
    ------
    sqlite3.Error
    """
    rows = connection.execute(
        "SELECT key, beat, token, host, machine, pid, born, since FROM running WHERE key = ifnull(?, key)"
        " AND typeof(beat) = 'real' AND typeof(born) = 'real' AND typeof(pid) = 'integer'",
        (key,),
    )
    return [Lease(key, Run(*who), beat) for key, beat, *who in rows]
