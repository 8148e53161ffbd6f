"""Our citable reproduced numbers: ``data/recorded/<chapter>/<id>.csv`` with its ``<id>.provenance.json``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

import pandas as pd

from compactml.files import locked, write_together
from compactml.study import Finished
from compactml.study.recording.errors import DamagedRecord, RecordBusy
from compactml.study.recording.origins import RUN, row_keys, summary, with_earlier_runs
from compactml.study.recording.published import folder_name
from compactml.study.recording.record_rules import check_profiles, current

CLAIMS = "claims"
"""Name of the file with a chapter's verdicts."""
HASH = "csv_sha256"
"""Entry of a table's provenance: SHA-256 of its CSV file."""
LOCK = ".lock"
"""File in a record's folder that is locked while the record is read and written."""


@dataclass(frozen=True)
class Staged:
    """What is to be written to one chapter's record, all of it at the end or nothing.

    Attributes
    ----------
    folder : Path
    files : dict of Path to bytes
        In the order in which they take their places.
    """

    folder: Path
    files: dict[Path, bytes] = field(default_factory=dict)

    def stage(self, path: Path, content: bytes) -> None:
        """Have a file written at the end."""
        self.files[path] = content


_STAGED: ContextVar[Staged | None] = ContextVar("what is to be written to a record", default=None)


def write_recorded(
    chapter: str, id: str, frame: pd.DataFrame, finished: Sequence[Finished], *, partial: Iterable[str] = ()
) -> Path:
    """Write a table and where it comes from, each file atomically.

    Parameters
    ----------
    chapter, id : str
        "condition-sharing", "table_2".
    frame : DataFrame
        Written without its index.
    finished : sequence of Finished
        The trials that the numbers come from.
    partial : iterable of str
        What the table lacks of the paper's (names of datasets, say).

    Returns
    -------
    Path
        The CSV file.
    """
    with transaction(chapter):
        before = recorded_provenance(chapter, id)
        check_profiles(current(), id, [before] if before is not None else [], [])
        return _write(chapter, id, frame, _origin(id, finished) | {"partial": list(partial)})


def update_recorded(
    chapter: str,
    id: str,
    frame: pd.DataFrame,
    finished: Sequence[Finished],
    *,
    keys: Sequence[str],
    datasets: Iterable[str] = (),
) -> Path:
    """Write the rows of a run into a table: recorded rows that the run has not anew stay, with their provenance.

    Parameters
    ----------
    chapter, id, frame, finished
        As for `write_recorded`.
    keys : sequence of str
        Columns that tell a row from the others.
    datasets : iterable of str
        What the whole table has in its column ``dataset``; those that it lacks are written down as partial.

    Returns
    -------
    Path
        The CSV file; where its rows come from several runs, its column ``run`` names that of each.
    """
    with transaction(chapter):
        origin = _origin(id, finished)
        kept, before = recorded(chapter, id), recorded_provenance(chapter, id)
        if kept is not None and before is not None:
            _check_rows(id, frame, kept, before, keys)
            frame, origin = with_earlier_runs(frame, origin, kept, before, keys)
        lacking = [name for name in datasets if name not in set(frame["dataset"])]
        return _write(chapter, id, frame, origin | {"partial": lacking})


def _origin(id: str, finished: Sequence[Finished]) -> dict[str, Any]:
    """Return what `summary` says, with the profile of the run that records: a trial may be older than it."""
    place = current()
    origin = summary(finished)
    if place.profile is not None:
        origin["profile"] = [str(place.profile)]
    return origin | place.facts.get(id, {})


def _check_rows(
    id: str, frame: pd.DataFrame, kept: pd.DataFrame, before: Mapping[str, Any], keys: Sequence[str]
) -> None:
    taken, new = row_keys(kept, frame, keys)
    runs = {run["run_id"]: run for run in before.get("runs", [before])}
    names = kept[RUN] if RUN in kept else [before["run_id"]] * len(kept)
    row_runs = [runs[name] for name in names]
    replaced = taken.isin(new)
    check_profiles(
        current(),
        id,
        [run for run, gone in zip(row_runs, replaced, strict=True) if gone],
        [run for run, gone in zip(row_runs, replaced, strict=True) if not gone],
    )


@contextmanager
def transaction(chapter: str) -> Iterator[Staged]:
    """Let no other process read and write the record meanwhile, and write all that was staged at the end.

    An error writes nothing. A process that is killed while the files take their places leaves the first ones new, each
    of them whole; the same command brings the rest. A transaction of the same chapter inside another is part of it:
    what it reads is what was staged before.

    Raises
    ------
    RecordBusy
    """
    folder = _path(chapter, "")
    outer = _STAGED.get()
    if outer is not None and outer.folder == folder:
        yield outer
        return
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with locked(folder / LOCK):
            staged = Staged(folder)
            token = _STAGED.set(staged)
            try:
                yield staged
            finally:
                _STAGED.reset(token)
            for path in staged.files:
                path.parent.mkdir(parents=True, exist_ok=True)
                for left in path.parent.glob(
                    f".{path.name}.*"
                ):  # by a process that was killed while it wrote
                    left.unlink()
            write_together(staged.files)
    except TimeoutError as error:
        raise RecordBusy(str(folder)) from error


def _content(path: Path) -> bytes | None:
    """Return what stands in a file of the record, or will at the end of this transaction; None for no file."""
    staged = _STAGED.get()
    if staged is not None and path in staged.files:
        return staged.files[path]
    return path.read_bytes() if path.is_file() else None


def _write(chapter: str, id: str, frame: pd.DataFrame, origin: Mapping[str, Any]) -> Path:
    """Stage both files; a process that is killed while they take their places leaves what every reader refuses."""
    path = _path(chapter, f"{id}.csv")
    table = frame.to_csv(index=False, lineterminator="\n").encode()
    said = {**origin, HASH: hashlib.sha256(table).hexdigest()}
    with transaction(chapter) as staged:
        staged.stage(path, table)
        staged.stage(_path(chapter, f"{id}.provenance.json"), (json.dumps(said, indent=2) + "\n").encode())
    return path


def write_verdicts(chapter: str, card: pd.DataFrame) -> Path:
    """Write a chapter's scorecard to ``claims.csv``; returns the file.

    It is one file, which is the old or the new one at any time, so that it has no hash. Verdicts older than the tables
    are told by checking the claims again, see `compactml.study.judging.claims.changed_verdicts`.
    """
    path = _path(chapter, f"{CLAIMS}.csv")
    with transaction(chapter) as staged:
        staged.stage(path, card.to_csv(index=False, lineterminator="\n").encode())
    return path


def recorded(chapter: str, id: str) -> pd.DataFrame | None:
    """Return a recorded table or the verdicts, or None; floats come back with every bit, only empty fields are missing.

    Raises
    ------
    DamagedRecord
        The table is not the one that its provenance describes.
    """
    path = _path(chapter, f"{id}.csv")
    if id != CLAIMS:
        _described(chapter, id)
    content = _content(path)
    return None if content is None else pd.read_csv(BytesIO(content), keep_default_na=False, na_values=[""])


def recorded_provenance(chapter: str, id: str) -> dict[str, Any] | None:
    """Return what `summary` said of a recorded table's trials, or None.

    Raises
    ------
    DamagedRecord
        The table is not the one that it describes.
    """
    origin = _described(chapter, id)
    return None if origin is None else {name: value for name, value in origin.items() if name != HASH}


def _described(chapter: str, id: str) -> dict[str, Any] | None:
    """Return a table's provenance once its CSV is the one that it names; None where neither is there."""
    path, said = _path(chapter, f"{id}.csv"), _path(chapter, f"{id}.provenance.json")
    table, text = _content(path), _content(said)
    if table is None and text is None:
        return None
    if table is None or text is None:
        raise DamagedRecord(str(path), f"only {path.name if text is None else said.name} is there")
    try:
        origin: dict[str, Any] = json.loads(text)
    except ValueError as error:
        raise DamagedRecord(str(path), f"{said.name} cannot be read ({error})") from error
    if origin.get(HASH) != hashlib.sha256(table).hexdigest():
        raise DamagedRecord(str(path), f"its SHA-256 is not the one that {said.name} names")
    return origin


def recorded_tables(chapter: str, ids: Iterable[str] | None = None) -> dict[str, pd.DataFrame]:
    """Return those of a chapter's tables that are recorded, by id; by default all but its claims."""
    if ids is None:
        folder = _path(chapter, "")
        ids = sorted(path.stem for path in folder.glob("*.csv") if path.stem != CLAIMS)
    kept = {id: recorded(chapter, id) for id in ids}
    return {id: frame for id, frame in kept.items() if frame is not None}


def with_recorded(kept: pd.DataFrame | None, build: pd.DataFrame) -> pd.DataFrame:
    """Return the recorded rows of a table, and this build's for the datasets of which nothing is recorded.

    Another profile has other sizes, folds and limits: rows of one dataset are never mixed, so no mean is over both.

    Parameters
    ----------
    kept : DataFrame or None
        The recorded rows, None where nothing is recorded.
    build : DataFrame
        This build's rows; it and the recorded table may do without a column ``dataset`` and are then not mixed at all.
    """
    if kept is None:
        return build
    if build.empty or "dataset" not in kept:
        return kept
    rest = build[~build["dataset"].isin(kept["dataset"])]
    return kept if rest.empty else pd.concat([kept, rest], ignore_index=True)


def _path(chapter: str, name: str) -> Path:
    return current().root / folder_name(chapter) / name
