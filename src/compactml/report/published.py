"""The numbers that the papers print, from ``data/published``."""

from __future__ import annotations

import os
from pathlib import Path

import pandas as pd

from compactml.report.errors import NotPublished, RepositoryNotFound

PUBLISHED = Path("data") / "published"


def home() -> Path:
    """Return the folder of the repository.

    ``COMPACTML_HOME`` if set; else the first folder with ``data/published`` upwards from the working directory,
    then upwards from this file (an editable install).

    Raises
    ------
    RepositoryNotFound
    """
    named = os.environ.get("COMPACTML_HOME")
    starts = [Path(named)] if named else [Path.cwd(), Path(__file__).resolve().parent]
    candidates = starts if named else [folder for start in starts for folder in (start, *start.parents)]
    for folder in candidates:
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
    path = home() / PUBLISHED / folder_name(chapter) / f"{table}.csv"
    if not path.is_file():
        raise NotPublished(chapter, table, str(path))
    return pd.read_csv(path, dtype=str, keep_default_na=False)
