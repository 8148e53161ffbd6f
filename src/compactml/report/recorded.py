"""Our citable reproduced numbers: ``data/recorded/<chapter>/<id>.csv`` with its ``<id>.provenance.json``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from numbers import Real
from pathlib import Path
from typing import Any

import pandas as pd

from compactml.experiments import Finished
from compactml.files import write_atomically
from compactml.report.published import folder_name, home

VERSIONS = ("package", "python", "numpy", "scipy", "scikit_learn", "numba")


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
    folder = home() / "data" / "recorded" / folder_name(chapter)
    folder.mkdir(parents=True, exist_ok=True)
    origin = summary(finished) | {"partial": list(partial)}
    write_atomically(folder / f"{id}.provenance.json", (json.dumps(origin, indent=2) + "\n").encode())
    write_atomically(folder / f"{id}.csv", frame.to_csv(index=False, lineterminator="\n").encode())
    return folder / f"{id}.csv"


def write_verdicts(chapter: str, card: pd.DataFrame) -> Path:
    """Write a chapter's scorecard to ``claims.csv``, atomically; returns the file."""
    path = _path(chapter, "claims.csv")
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


def recorded_tables(chapter: str, ids: Iterable[str]) -> dict[str, pd.DataFrame]:
    """Return those of a chapter's tables that are recorded, by id."""
    kept = {id: recorded(chapter, id) for id in ids}
    return {id: frame for id, frame in kept.items() if frame is not None}


def with_recorded(chapter: str, id: str, build: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Return the recorded rows of a table, and this build's for what is not recorded.

    Parameters
    ----------
    build : DataFrame
        This build's rows.
    keys : sequence of str
        Columns that tell a row from the others; those that one side lacks do not count.
    """
    kept = recorded(chapter, id)
    if kept is None or build.empty:
        return build if kept is None else kept
    names = [name for name in keys if name in kept and name in build]
    taken, new = (pd.MultiIndex.from_frame(frame[names].map(_comparable)) for frame in (kept, build))
    return pd.concat([kept, build[~new.isin(taken)]], ignore_index=True)


def _comparable(value: Any) -> str:
    """One text for 1 and 1.0, and for every kind of missing value: a file does not tell them apart."""
    if pd.isna(value):
        return ""
    return str(float(value)) if isinstance(value, Real) else str(value)


def summary(finished: Sequence[Finished]) -> dict[str, Any]:
    """Return where the numbers of several trials come from, ready for JSON.

    Returns
    -------
    dict
        ``run_id`` (hash of the trials' run ids), ``profile``, ``n_trials``, ``commit``, ``dirty``, ``versions``,
        ``solver``, ``cpu`` (lists of what occurs), ``cpu_seconds``, ``first_utc``, ``last_utc``,
        ``dataset_seconds``.
    """
    origins = [item.provenance for item in finished]
    run_ids = sorted(origin.run_id for origin in origins)
    per_dataset: dict[str, float] = {}
    for item in finished:
        per_dataset[item.trial.dataset] = per_dataset.get(item.trial.dataset, 0.0) + item.provenance.seconds
    times = sorted(origin.utc for origin in origins)
    return {
        "run_id": hashlib.sha256("\n".join(run_ids).encode()).hexdigest()[:12] if run_ids else "",
        "profile": _distinct(origin.profile for origin in origins),
        "n_trials": len(origins),
        "commit": _distinct(origin.commit for origin in origins),
        "dirty": any(origin.dirty for origin in origins),
        "versions": {name: _distinct(getattr(origin, name) for origin in origins) for name in VERSIONS},
        "solver": _distinct(origin.solver for origin in origins),
        "cpu": _distinct(origin.cpu for origin in origins),
        "cpu_seconds": round(sum(per_dataset.values()), 1),
        "first_utc": times[0] if times else None,
        "last_utc": times[-1] if times else None,
        "dataset_seconds": {name: round(seconds, 1) for name, seconds in sorted(per_dataset.items())},
    }


def source_line(origin: dict[str, Any] | None) -> str:
    """Return one line for below a table or figure: run, trials, commit, version, processor, day."""
    if origin is None or not origin["n_trials"]:
        return "no run"
    dirty = " with changes" if origin["dirty"] else ""
    parts = [
        f"run {origin['run_id']}",
        f"{origin['n_trials']} trials",
        f"profile {', '.join(origin['profile'])}" if origin["profile"] else "",
        f"commit {', '.join(commit[:9] for commit in origin['commit'])}{dirty}" if origin["commit"] else "",
        f"scikit-learn {', '.join(origin['versions']['scikit_learn'])}",
        "; ".join(sorted({_solver_and_licence(choice) for choice in origin["solver"]})),
        ", ".join(origin["cpu"]),
        f"{origin['cpu_seconds']:.0f} s",
        origin["last_utc"][:10],
    ]
    return " · ".join(part for part in parts if part)


def _solver_and_licence(choice: str) -> str:
    """A solver's choice without its reason, which may name other sizes for every model."""
    return ", ".join(choice.split(", ")[:2])


def _path(chapter: str, name: str) -> Path:
    return home() / "data" / "recorded" / folder_name(chapter) / name


def _distinct(values: Iterable[str | None]) -> list[str]:
    return sorted({value for value in values if value is not None})
