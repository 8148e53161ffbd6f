"""Which process holds the file of a store: one of ours by its run, another one by its number, where Linux tells it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import psutil

from compactml.study.storing.leases import leases, machine

__all__ = ["holder"]

LOCKS = Path("/proc/locks")
WRITER, PENDING = 120, 0x40000000
"""Bytes that SQLite locks to write: in the file beside the store (WAL), and in the store itself."""


def holder(path: Path) -> str:
    """Return in words who keeps others from writing a store: "process 12 of compactml on HOST, which began at TIME".

    Another program than ours is "another program", with its number and name where they can be told.
    """
    for pid in _writers(path):
        try:
            process = psutil.Process(pid)
            name, command = process.name(), process.cmdline()
            began = datetime.fromtimestamp(process.create_time(), UTC).isoformat(timespec="seconds")
        except psutil.Error:
            continue
        run = _run(path, pid)
        if run:
            return f"a run of compactml, {run}"
        if any("compactml" in word for word in command):
            return f"a command of compactml, process {pid} on {os.uname().nodename}, which began at {began}"
        return f"another program, {name} (process {pid}, which began at {began})"
    return "another program (a backup, or a shell of SQLite)"


def _writers(path: Path) -> Iterator[int]:
    """Yield the other processes that have locked what is locked to write."""
    files = {path: PENDING, path.with_name(f"{path.name}-shm"): WRITER}
    try:
        first = {file.stat().st_ino: byte for file, byte in files.items() if file.exists()}
        lines = LOCKS.read_text(encoding="ascii").splitlines()
    except OSError:
        return
    for line in lines:
        # 3: POSIX  ADVISORY  WRITE 11725 fe:00:5310085 120 120
        words = line.split()
        if len(words) != 8 or words[1] != "POSIX" or words[3] != "WRITE":
            continue
        pid, inode, start = int(words[4]), int(words[5].rpartition(":")[2]), int(words[6])
        byte = first.get(inode)
        if byte is not None and (start == byte or start > byte == PENDING) and pid not in (0, os.getpid()):
            yield pid


def _run(path: Path, pid: int) -> str:
    """Return the run of a process in words; empty where it has none, or where readers are kept out too."""
    try:
        with closing(
            sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=0)
        ) as connection:
            found = [one.run for one in leases(connection)]
    except sqlite3.Error:
        return ""
    return next((str(run) for run in found if (run.pid, run.machine) == (pid, machine())), "")
