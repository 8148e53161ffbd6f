"""Raw trials of a record: ``<chapter>/trials/<utc>-<run id>.jsonl.xz``, beside the means that are made of them.

A line is a trial: its canonical specification, its result, its whole provenance. A file is a chain of xz streams, so
that lines are only ever added; what stands before a damaged stream is read all the same. Nothing but the command line
reads these files: a notebook shows what it has computed, or the recorded tables, and takes no recorded trial for done.
"""

from __future__ import annotations

import json
import logging
import lzma
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from compactml.errors import CompactmlError
from compactml.study.keys.fingerprint import FORMULA
from compactml.study.running.provenance import Provenance
from compactml.study.running.worker import Finished
from compactml.study.trial import Trial

__all__ = ["FOLDER", "MOST_BYTES", "append_trials", "key_of", "read_trials", "size_of"]

FOLDER = "trials"
ENDING = ".jsonl.xz"
MOST_BYTES = 5_000_000
"""Of the raw trials of a chapter: more makes the repository hard to clone."""
log = logging.getLogger(__name__)


def key_of(item: Finished) -> str:
    """Return the key under which a trial's result was stored where it was computed."""
    return item.provenance.parts().key(item.trial)


def append_trials(
    chapter_folder: Path, name: str, finished: Iterable[Finished], write: Callable[[Path, bytes], None]
) -> Path | None:
    """Add trials to a file of raw trials, but for those that a file of this record has under the same key.

    The caller holds the record's lock: what is written is what was read and more.

    Parameters
    ----------
    chapter_folder : Path
        The chapter's folder of the record.
    name : str
        Of the file, without its ending.
    finished : iterable of Finished
    write : callable
        Called with the file and its whole new content.

    Returns
    -------
    Path or None
        The file; None if there is nothing to add.
    """
    known = {key_of(item) for item in read_trials(chapter_folder)}
    new = {key: item for item in finished if (key := key_of(item)) not in known}
    if not new:
        return None
    path = chapter_folder / FOLDER / f"{name}{ENDING}"
    lines = "".join(f"{_line(item)}\n" for item in new.values())
    before = path.read_bytes() if path.is_file() else b""
    added = lzma.compress(lines.encode(), preset=9 | lzma.PRESET_EXTREME)
    size = size_of(chapter_folder) + len(added)
    write(path, before + added)
    if size > MOST_BYTES:
        log.warning(
            "%s: the raw trials take %.1f MB, at most %.0f MB are meant for a chapter",
            chapter_folder.name, size / 1e6, MOST_BYTES / 1e6,
        )  # fmt: skip
    return path


def size_of(chapter_folder: Path) -> int:
    """Return how many bytes a chapter's raw trials take."""
    return sum(path.stat().st_size for path in _files(chapter_folder))


def read_trials(chapter_folder: Path) -> list[Finished]:
    """Return the raw trials of a chapter's record, the oldest first.

    A damaged stream, and what stands behind it in its file, is left out with a warning; so is a line whose key is not
    that of what it says.
    """
    items: list[Finished] = []
    for path in _files(chapter_folder):
        for line in _lines(path):
            try:
                item = _finished(json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError, CompactmlError) as error:
                log.warning("%s: a line is no trial and is left out (%s)", path, error)
                continue
            if item.provenance.formula == FORMULA and not key_of(item).startswith(item.provenance.run_id):
                log.warning("%s: %s is not what was run and is left out", path, item.trial.label())
                continue
            items.append(item)
    return sorted(items, key=lambda item: item.provenance.utc)


def _files(chapter_folder: Path) -> Sequence[Path]:
    return sorted((chapter_folder / FOLDER).glob(f"*{ENDING}"))


def _line(item: Finished) -> str:
    parts = {
        "trial": json.loads(item.trial.canonical()),
        "result": item.result,
        "provenance": item.provenance.as_dict(),
        **({} if item.opinion is None else {"opinion": item.opinion}),
    }
    return json.dumps(parts, allow_nan=False, separators=(",", ":"))


def _finished(line: dict[str, Any]) -> Finished:
    trial = Trial(**line["trial"] | {"parameters": tuple(line["trial"]["parameters"].items())})
    origin = Provenance.read(line["provenance"])
    return Finished(trial, line["result"], origin, cached=True, opinion=line.get("opinion"))


def _lines(path: Path) -> list[str]:
    """Return the lines of all streams before a damaged one."""
    rest = path.read_bytes()
    lines: list[str] = []
    while rest:
        stream = lzma.LZMADecompressor(lzma.FORMAT_XZ)
        try:
            content = stream.decompress(rest)
        except lzma.LZMAError as error:
            return _warned(path, lines, str(error))
        if not stream.eof:
            return _warned(path, lines, "its end is missing")
        lines += content.decode().splitlines()
        rest = stream.unused_data
    return lines


def _warned(path: Path, lines: list[str], reason: str) -> list[str]:
    log.warning(
        "%s: %d trials were read, and what stands behind them is damaged (%s); 'git checkout -- %s' brings a committed "
        "file back",
        path, len(lines), reason, path,
    )  # fmt: skip
    return lines
