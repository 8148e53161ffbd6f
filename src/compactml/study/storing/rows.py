"""What a store holds: results and failures, as rows with a checksum."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from compactml.study.keys.fingerprint import FORMULA
from compactml.study.trial import Result, Trial

__all__ = [
    "COLUMNS",
    "Entry",
    "FailedRow",
    "Row",
    "checksum",
    "failure_entry",
    "now",
    "result_entry",
    "specified",
]

Entry = dict[str, Any]
"""A row to be written: ``table``, and the values of its columns by name."""
SUMMED = ("key", "chapter", "kind", "trial", "result", "provenance", "created", "formula")
COLUMNS = {
    "results": (*SUMMED, "checksum"),
    "failures": ("key", "chapter", "kind", "trial", "failure", "created"),
}


@dataclass(frozen=True)
class Row:
    """One stored result; ``trial`` is the canonical specification as a dictionary.

    ``formula`` is the version of the key's formula; rows of an older one are listed and not served.
    """

    key: str
    chapter: str
    kind: str
    trial: dict[str, Any]
    result: Result
    provenance: dict[str, Any]
    created: str
    formula: int

    @classmethod
    def read(cls, values: tuple[Any, ...]) -> Row:
        """Return a row from the values of its columns.

        Raises
        ------
        ValueError
            They are not what was written.
        """
        *summed, written = values
        if any(isinstance(one, bytes) for one in summed) or written != checksum(*summed):
            raise ValueError("its checksum is that of other values")
        key, chapter, kind, trial, result, provenance, created, formula = summed
        asked, came, origin = map(_mapping, (trial, result, provenance))
        return cls(key, chapter, kind, asked, came, origin, created, int(formula))


@dataclass(frozen=True)
class FailedRow:
    """A trial that has no result; ``failure`` says why: error, signal, resident_mib, stack."""

    key: str
    chapter: str
    kind: str
    trial: dict[str, Any]
    failure: dict[str, Any]
    created: str

    @classmethod
    def read(cls, values: tuple[Any, ...]) -> FailedRow:
        """Return a row from the values of its columns, which have no checksum: nothing is computed from a failure.

        Raises
        ------
        ValueError
            They are not what is written of a failure.
        """
        key, chapter, kind, trial, failure, created = values
        asked, why = _mapping(trial), _mapping(failure)
        if not isinstance(why.get("error"), str):
            raise ValueError("it names no error")
        try:
            specified(asked).label()
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ValueError("its trial is none") from error
        return cls(key, chapter, kind, asked, why, created)


def specified(stored: Mapping[str, Any]) -> Trial:
    """Return the trial of a stored specification."""
    return Trial(**{**stored, "parameters": tuple(stored["parameters"].items())})


def _mapping(text: str | bytes) -> dict[str, Any]:
    """Return what the text of a column says.

    Raises
    ------
    ValueError
        It is no JSON, or names no values.
    """
    named = json.loads(text)
    if not isinstance(named, dict):
        raise ValueError(f"{text!r} instead of named values")
    return named


def now() -> str:
    """Return the time in ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def checksum(*values: str | int) -> str:
    """Return the checksum of a result's columns: a changed digit would still be a number to SQLite."""
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()


def result_entry(key: str, trial: Trial, result: Result, provenance: Mapping[str, Any]) -> Entry:
    """Return a result as a row to be written, finished now."""
    entry = _entry("results", key, trial) | {
        "result": json.dumps(result, allow_nan=False),
        "provenance": json.dumps(dict(provenance), allow_nan=False),
        "formula": FORMULA,
    }
    return entry | {"checksum": checksum(*(entry[name] for name in SUMMED))}


def failure_entry(key: str, trial: Trial, failure: Mapping[str, Any]) -> Entry:
    """Return a failure as a row to be written."""
    return _entry("failures", key, trial) | {"failure": json.dumps(dict(failure), allow_nan=False)}


def _entry(table: str, key: str, trial: Trial) -> Entry:
    names = {"chapter": trial.chapter, "kind": trial.kind, "trial": trial.canonical()}
    return {"table": table, "key": key, "created": now(), **names}
