"""The registry: which datasets there are, their files and what the parsed values must look like.

Two tables ship with the package. ``datasets.csv`` has a row per key (title, task, shape, class counts, upstream) and
``files.csv`` a row per file (SHA-256, size, sources in the order in which they are tried). A file without a
SHA-256 is one we have never held: it cannot be verified, only checked for its shape after parsing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Literal, cast

import pandas as pd

from compactml.datasets.errors import UnknownDataset

Task = Literal["classification", "regression"]


@dataclass(frozen=True)
class RegisteredFile:
    """One raw file. ``needed`` files are read by `load`; the others serve variants or documentation."""

    key: str
    name: str
    needed: bool
    sha256: str | None
    bytes: int | None
    sources: tuple[str, ...]


@dataclass(frozen=True)
class Entry:
    """What is registered about one dataset.

    ``title`` is its usual English name at its source. ``class_counts`` is empty for regression and where the counts
    are not known; ``target_range`` is None likewise.
    """

    key: str
    title: str
    task: Task
    n_rows: int
    n_features: int
    class_counts: Mapping[str, int]
    target_range: tuple[float, float] | None
    upstream: str
    licence: str
    files: tuple[RegisteredFile, ...]

    @property
    def pinned(self) -> bool:
        """Whether the SHA-256 of every needed file is known."""
        return all(file.sha256 is not None for file in self.files if file.needed)


def read_table(name: str) -> list[dict[str, str]]:
    """Return the rows of a CSV of this package, all cells as text."""
    with (files("compactml.datasets") / name).open(encoding="utf-8") as stream:
        frame = pd.read_csv(stream, dtype=str, keep_default_na=False)
    return cast("list[dict[str, str]]", frame.to_dict(orient="records"))


def _file(row: Mapping[str, str]) -> RegisteredFile:
    return RegisteredFile(
        key=row["key"],
        name=row["file"],
        needed=row["role"] == "needed",
        sha256=row["sha256"] or None,
        bytes=int(row["bytes"]) if row["bytes"] else None,
        sources=tuple(row["sources"].split()),
    )


def _entry(row: Mapping[str, str], own_files: tuple[RegisteredFile, ...]) -> Entry:
    low_high = [float(bound) for bound in row["target_range"].split()]
    return Entry(
        key=row["key"],
        title=row["title"],
        task=cast("Task", row["task"]),
        n_rows=int(row["n_rows"]),
        n_features=int(row["n_features"]),
        class_counts=MappingProxyType(json.loads(row["class_counts"] or "{}")),
        target_range=(low_high[0], low_high[1]) if low_high else None,
        upstream=row["upstream"],
        licence=row["licence"],
        files=own_files,
    )


@cache
def entries() -> Mapping[str, Entry]:
    """Return every registered dataset by its key, sorted."""
    all_files = [_file(row) for row in read_table("files.csv")]
    return MappingProxyType(
        {
            row["key"]: _entry(row, tuple(file for file in all_files if file.key == row["key"]))
            for row in sorted(read_table("datasets.csv"), key=lambda row: row["key"])
        }
    )


def keys() -> list[str]:
    """Return the keys of all registered datasets, sorted."""
    return list(entries())


def entry(key: str) -> Entry:
    """Return what is registered about ``key``.

    Raises
    ------
    UnknownDataset
        ``key`` is not registered; the message names near matches.
    """
    try:
        return entries()[key]
    except (KeyError, TypeError):
        raise UnknownDataset(key, entries()) from None
