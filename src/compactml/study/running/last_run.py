"""Which trials the last run of a table had: a small file beside the store, so that they can be shown later."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from compactml.files import write_atomically
from compactml.study.running.listing import finished_of
from compactml.study.running.worker import Finished
from compactml.study.storing.rows import now
from compactml.study.storing.store import Store

__all__ = ["LastRun", "last_run", "note_run"]

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class LastRun:
    """The results of a table's last run, as far as the store still has them.

    Attributes
    ----------
    finished : list of Finished
    command : str
        That was given.
    utc : str
        When it ended, ISO 8601.
    """

    finished: list[Finished]
    command: str
    utc: str


def note_run(store: Store, chapter: str, table: str, finished: Iterable[Finished], command: str) -> None:
    """Note which stored results a run of a table gave; where that cannot be written, say so: the results are kept."""
    path = _file(store, chapter, table)
    keys = [item.provenance.parts().key(item.trial) for item in finished]
    said = {"command": command, "utc": now(), "keys": keys}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, (json.dumps(said, indent=1) + "\n").encode())
    except OSError as error:
        log.warning(
            "%s: %s; the results are in the store, but `compactml show` will not know of this run. Make the folder"
            " writable and run the same command again.",
            error.filename, error.strerror,
        )  # fmt: skip


def last_run(store: Store, chapter: str, table: str) -> LastRun | None:
    """Return what the last run of a table gave; None if none was noted, or its note is damaged, which is warned of."""
    path = _file(store, chapter, table)
    if not path.is_file():
        return None
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        keys, command, utc = list(map(str, said["keys"])), str(said["command"]), str(said["utc"])
    except (ValueError, KeyError, TypeError) as error:
        log.warning("%s: is no note of a run and is ignored; the next run writes it anew (%r)", path, error)
        return None
    rows = [row for key in keys if (row := store.get(key)) is not None]
    return LastRun(list(map(finished_of, rows)), command, utc)


def _file(store: Store, chapter: str, table: str) -> Path:
    return store.path.with_name(f"{store.path.name}.last") / f"{chapter}.{table}.json"
