"""Files beside a store with what could not be written to it: ``<store>.<token>.rescued.jsonl``, one line a row.

Whoever opens the store next takes them in and removes them, also while the run still goes on that wrote them: a row
that is there twice is written once. Each run has a file of its own, so that none writes over another's.
"""

from __future__ import annotations

import glob
import json
import logging
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from compactml.files import write_atomically
from compactml.study.storing.rows import SUMMED, Entry, checksum

__all__ = ["new_file", "take_in", "write"]

ENDING = ".rescued.jsonl"
log = logging.getLogger(__name__)


def new_file(store: Path) -> Path:
    """Return the name of a file for the rows of one run."""
    return store.with_name(f"{store.name}.{uuid.uuid4().hex[:12]}{ENDING}")


def write(path: Path, entries: Sequence[Entry]) -> None:
    """Write rows, whole or not at all; those that the file had go.

    Raises
    ------
    OSError
    """
    lines = "".join(f"{json.dumps(one, allow_nan=False)}\n" for one in entries)
    write_atomically(path, lines.encode())


def take_in(
    store: Path, columns: Mapping[str, Sequence[str]], insert: Callable[[Sequence[Entry]], object]
) -> None:
    """Insert the rows of all files that lie beside a store, and remove the files.

    A file with a line that is no row stays, under another name, and is warned of; its other lines are inserted.

    Parameters
    ----------
    store : Path
    columns : mapping of str to sequence of str
        Those of each table.
    insert : callable
        Inserts rows, all or none; what it raises is passed on, and the file stays.
    """
    for path in sorted(store.parent.glob(f"{glob.escape(store.name)}.*{ENDING}")):
        mine = new_file(store)
        try:
            path.rename(mine)  # the run that wrote it may write anew meanwhile
        except FileNotFoundError:  # another process was faster
            continue
        entries, damaged = _read(mine, columns)
        insert(entries)
        if damaged:
            kept = mine.with_suffix(".damaged")
            mine.rename(kept)
            log.warning("%s: %d lines are no rows and were left out", kept, damaged)
        else:
            mine.unlink()
        if entries:
            log.info("%s: %d rows were taken in that an earlier run could not write", store, len(entries))


def _read(path: Path, columns: Mapping[str, Sequence[str]]) -> tuple[list[Entry], int]:
    entries, damaged = [], 0
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            damaged += 1
            continue
        table = str(entry.get("table")) if isinstance(entry, dict) else ""
        if table == "results" and set(SUMMED) <= set(entry):  # an earlier release wrote none
            entry.setdefault("checksum", checksum(*(entry[name] for name in SUMMED)))
        if table in columns and set(columns[table]) <= set(entry):
            entries.append(entry)
        else:
            damaged += 1
    return entries, damaged
