"""The numbers that the papers print, from ``data/published``."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

import pandas as pd

import compactml
from compactml.study.recording.errors import NotPublished, RepositoryNotFound

PUBLISHED = Path("data") / "published"
PACKED = "_repository"
"""Folder of an installed wheel that holds what commands read of the repository, see ``setup.py``."""
_READ: ContextVar[dict[str, None] | None] = ContextVar("published tables that were read", default=None)


@contextmanager
def noting_reads() -> Iterator[dict[str, None]]:
    """Note the published tables that are read inside: a mapping whose keys are their names, in order."""
    read: dict[str, None] = {}
    token = _READ.set(read)
    try:
        yield read
    finally:
        _READ.reset(token)


def home() -> Path:
    """Return the folder of the repository.

    ``COMPACTML_HOME`` if set; else the first folder with ``data/published`` upwards from the working directory,
    then upwards from this file (an editable install); else what a wheel holds of the repository.

    Raises
    ------
    RepositoryNotFound
    """
    named = os.environ.get("COMPACTML_HOME")
    starts = [Path(named)] if named else [Path.cwd(), Path(__file__).resolve().parent]
    candidates = starts if named else [folder for start in starts for folder in (start, *start.parents)]
    packed = [] if named else [Path(compactml.__file__).parent / PACKED]
    for folder in [*candidates, *packed]:
        if (folder / PUBLISHED).is_dir():
            return folder
    raise RepositoryNotFound(str(PUBLISHED), " and upwards from ".join(map(str, starts)))


def folder_name(chapter: str) -> str:
    """Return a chapter's name as folders and modules spell it."""
    return chapter.replace("-", "_")


def published(chapter: str, table: str) -> pd.DataFrame:
    """Return a published table, every value as the text that is printed (its digits count).

    Parameters
    ----------
    chapter : str
        "condition-sharing".
    table : str
        "table_2".

    Returns
    -------
    DataFrame of str
        Empty text where nothing is printed.

    Raises
    ------
    NotPublished
        No such file.
    RepositoryNotFound
    """
    read = _READ.get()
    if read is not None:
        read[table] = None
    path = home() / PUBLISHED / folder_name(chapter) / f"{table}.csv"
    if not path.is_file():
        raise NotPublished(chapter, table, str(path))
    return pd.read_csv(path, dtype=str, keep_default_na=False)
