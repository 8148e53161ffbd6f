"""What a dataset is called: its title at its source, and for a reading of it, words that tell it apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from compactml.datasets.errors import UnknownDataset
from compactml.datasets.registry import entries, entry, read_table

__all__ = ["AT_SOURCE", "Reading", "reading", "readings", "title", "title_or_name"]

AT_SOURCE = "as at its source"
"""Words for a registered dataset itself, beside a reading of it."""


@dataclass(frozen=True)
class Reading:
    """One way to read a dataset.

    Attributes
    ----------
    name : str
        As `compactml.datasets.prepared.prepared` takes it.
    key : str
        The registered dataset of which it is a reading; "" for data that come with a package.
    words : str
        What tells it from the registered dataset ("complete rows"); the whole title where there is none.

    Examples
    --------
    >>> from compactml.datasets.titles import reading
    >>> reading("heart_cleveland_complete_rows").words
    'complete rows'
    """

    name: str
    key: str
    words: str


@cache
def readings() -> Mapping[str, Reading]:
    """Return the readings by name: those of `compactml.datasets.variants`, and data without a file."""
    return MappingProxyType({row["name"]: Reading(**row) for row in read_table("readings.csv")})


def reading(name: str) -> Reading:
    """Return the reading of this name; a registered dataset is one of itself.

    Raises
    ------
    UnknownDataset
        ``name`` is neither a reading nor a registered key.
    """
    known = readings().get(name) if isinstance(name, str) else None
    return known or Reading(name, entry(name).key, AT_SOURCE)


def title(name: str) -> str:
    """Return the title of a registered dataset or of a reading ("Heart Disease (Cleveland), complete rows").

    Raises
    ------
    UnknownDataset
        ``name`` is neither a reading nor a registered key.

    Examples
    --------
    >>> from compactml.datasets import title
    >>> title("wdbc")
    'Breast Cancer Wisconsin (diagnostic)'
    """
    if isinstance(name, str) and name in entries():
        return entry(name).title
    read = reading(name)
    return f"{entry(read.key).title}, {read.words}" if read.key else read.words


def title_or_name(name: str) -> str:
    """Return the title where there is one; generated data have only their name."""
    try:
        return title(name)
    except UnknownDataset:
        return name
