"""Our citable reproduced numbers: ``data/recorded/<chapter>/<id>.csv`` with its ``<id>.provenance.json``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from compactml.experiments import Finished
from compactml.files import write_atomically
from compactml.report.origins import summary, with_earlier_runs
from compactml.report.published import folder_name, home

CLAIMS = "claims"
"""Name of the file with a chapter's verdicts."""


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
    return _write(chapter, id, frame, summary(finished) | {"partial": list(partial)})


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
    origin = summary(finished)
    kept, before = recorded(chapter, id), recorded_provenance(chapter, id)
    if kept is not None and before is not None:
        frame, origin = with_earlier_runs(frame, origin, kept, before, keys)
    lacking = [name for name in datasets if name not in set(frame["dataset"])]
    return _write(chapter, id, frame, origin | {"partial": lacking})


def _write(chapter: str, id: str, frame: pd.DataFrame, origin: Mapping[str, Any]) -> Path:
    path = _path(chapter, f"{id}.csv")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(_path(chapter, f"{id}.provenance.json"), (json.dumps(origin, indent=2) + "\n").encode())
    write_atomically(path, frame.to_csv(index=False, lineterminator="\n").encode())
    return path


def write_verdicts(chapter: str, card: pd.DataFrame) -> Path:
    """Write a chapter's scorecard to ``claims.csv``, atomically; returns the file."""
    path = _path(chapter, f"{CLAIMS}.csv")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, card.to_csv(index=False, lineterminator="\n").encode())
    return path


def recorded(chapter: str, id: str) -> pd.DataFrame | None:
    """Return a recorded table, or None; floats come back with every bit, only empty fields are missing."""
    path = _path(chapter, f"{id}.csv")
    if not path.is_file():
        return None
    return pd.read_csv(path, keep_default_na=False, na_values=[""])


def recorded_provenance(chapter: str, id: str) -> dict[str, Any] | None:
    """Return what `summary` said of a recorded table's trials, or None."""
    path = _path(chapter, f"{id}.provenance.json")
    if not path.is_file():
        return None
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def recorded_tables(chapter: str, ids: Iterable[str] | None = None) -> dict[str, pd.DataFrame]:
    """Return those of a chapter's tables that are recorded, by id; by default all but its claims."""
    if ids is None:
        folder = _path(chapter, "")
        ids = sorted(path.stem for path in folder.glob("*.csv") if path.stem != CLAIMS)
    kept = {id: recorded(chapter, id) for id in ids}
    return {id: frame for id, frame in kept.items() if frame is not None}


def with_recorded(chapter: str, id: str, build: pd.DataFrame) -> pd.DataFrame:
    """Return the recorded rows of a table, and this build's for the datasets of which nothing is recorded.

    Another profile has other sizes, folds and limits: rows of one dataset are never mixed, so no mean is over both.

    Parameters
    ----------
    build : DataFrame
        This build's rows; it and the recorded table may do without a column ``dataset`` and are then not mixed at all.
    """
    kept = recorded(chapter, id)
    if kept is None:
        return build
    if build.empty or "dataset" not in kept:
        return kept
    return pd.concat([kept, build[~build["dataset"].isin(kept["dataset"])]], ignore_index=True)


def _path(chapter: str, name: str) -> Path:
    return home() / "data" / "recorded" / folder_name(chapter) / name
