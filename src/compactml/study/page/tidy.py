"""Tables for download: numbers in columns, units and marks beside them, and a first line that says where they are from.

A cell on a page is made to be read ("25 · 100 % · 191 s", "9.2†"); a program wants one number a column.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

import compactml
from compactml.study.running.provenance import git_state_once

__all__ = ["as_csv", "data_uri", "header", "tidy"]

SEPARATOR = " · "
NUMBER = re.compile(
    r"(?P<before>[^\w\s.+−-]*)\s*(?P<number>[+−-]?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?)(?: of (?P<of>\d[\d,]*))?"
    r"(?:\s*(?P<unit>%|[a-zA-Zµ]+))?\s*(?P<after>[^\w\s.]*)",
)
"""A cell with one number: signs before it, a unit, and marks behind it."""


@dataclass(frozen=True)
class Part:
    """What one part of a cell says: a number with the digits that stand there, and ``rest``, what is no number."""

    number: str | None
    of: str | None
    unit: str
    rest: str


NOTHING = Part(None, None, "", "")


def tidy(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table with one number a column.

    A column of text in which mostly numbers stand becomes one column for each number of its cells, "NAME (UNIT)", with
    the digits that are shown, and a column "NAME note" with marks and words, where there are any. A column whose
    numbers have several units, and one of words, stay as they are.

    Parameters
    ----------
    frame : DataFrame
        As it is shown; its index becomes columns unless it is a plain range, and levels of headings are joined.
    """
    flat = frame.set_axis([_joined(key) for key in frame.columns], axis="columns")
    if not isinstance(frame.index, pd.RangeIndex):
        names = [
            str(name) if name is not None else f"row {i + 1}" for i, name in enumerate(frame.index.names)
        ]
        flat = flat.set_axis(frame.index.set_names(names)).reset_index()
    columns: dict[str, Any] = {}
    for place, name in enumerate(flat):
        for own, values in _split(str(name), flat.iloc[:, place]):
            columns[_free(own, columns)] = values
    return pd.DataFrame(columns)


def _joined(key: object) -> str:
    return " ".join(map(str, key)) if isinstance(key, tuple) else str(key)


def _free(name: str, taken: Iterable[str]) -> str:
    """Return a name that no other column has."""
    names, number = set(taken), 2
    found = name
    while found in names:
        found, number = f"{name} {number}", number + 1
    return found


def _split(name: str, values: pd.Series) -> list[tuple[str, Any]]:
    """Return a column as one column for each number of its cells, or as it is."""
    if not any(isinstance(value, str) for value in values):
        return [(name, values.to_list())]
    cells = [_parts(value) for value in values]
    numeric = [bool(cell) and all(part.number is not None for part in cell) for cell in cells]
    width = max((len(cell) for cell, whole in zip(cells, numeric, strict=True) if whole), default=0)
    places = [
        [cell[i] if whole and i < len(cell) else NOTHING for cell, whole in zip(cells, numeric, strict=True)]
        for i in range(width)
    ]
    units = [{part.unit for part in place} - {""} for place in places]
    if 2 * sum(numeric) < sum(map(bool, cells)) or not width or any(len(names) > 1 for names in units):
        return [(name, values.to_list())]
    heads = name.split(SEPARATOR)
    if len(heads) != width:
        heads = [name] if width == 1 else [f"{name} {i + 1}" for i in range(width)]
    split: list[tuple[str, Any]] = []
    for head, place, names in zip(heads, places, units, strict=True):
        unit = f" ({next(iter(names))})" if names else ""
        split.append((f"{head}{unit}", [part.number for part in place]))
        if any(part.of is not None for part in place):
            split.append((f"{head}, of", [part.of for part in place]))
    notes = [_note(*row) for row in zip(values, cells, numeric, strict=True)]
    return [*split, (f"{name} note", notes)] if any(notes) else split


def _note(value: object, cell: Sequence[Part], numeric: bool) -> str:
    """Return what a cell says besides its numbers: its marks, or all of a cell that is no number."""
    if numeric:
        return " ".join(part.rest for part in cell if part.rest)
    return "" if pd.isna(value) else str(value)  # type: ignore[call-overload]


def _parts(value: object) -> list[Part]:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return []
    if not isinstance(value, str):
        return [] if pd.isna(value) else [Part(str(value), None, "", "")]
    return [_part(text.strip()) for text in value.split(SEPARATOR)] if value else []


def _part(text: str) -> Part:
    match = NUMBER.fullmatch(text)
    if match is None:
        return Part(None, None, "", text)
    number, of = (
        None if one is None else one.replace(",", "").replace("−", "-")
        for one in (match["number"], match["of"])
    )
    return Part(number, of, match["unit"] or "", match["before"] + match["after"])


def header(name: str, source: str | None) -> str:
    """Return the first line of a download: the table, this work, the runs and commits, and how to read the rest.

    Parameters
    ----------
    name : str
        Of the table.
    source : str or None
        Where its numbers come from, see `compactml.study.recording.origins.source_line`; None for a table that no run
        is behind.
    """
    commit, dirty = git_state_once()
    made = f"written by commit {commit[:9]}{' with changes' if dirty else ''}" if commit else ""
    parts = [f"{name}, compactml {compactml.__version__}", source or "no run", made]
    return "# " + "; ".join(" ".join(part.split()) for part in parts if part)


def as_csv(frame: pd.DataFrame, name: str, source: str | None) -> str:
    """Return a tidy table as CSV below its header line, which readers skip (``pandas.read_csv(file, skiprows=1)``)."""
    return f"{header(name, source)}\n{frame.to_csv(index=False, lineterminator=chr(10))}"


def data_uri(csv: str) -> str:
    """Return an address that holds a CSV itself."""
    return f"data:text/csv;charset=utf-8;base64,{base64.b64encode(csv.encode()).decode()}"
