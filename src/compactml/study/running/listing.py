"""What a store holds, and which of it this process would be served: "which numbers came from HiGHS?"."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pandas as pd

from compactml.errors import check_choice
from compactml.study.chapter import Chapter, Kind
from compactml.study.errors import UnknownChapter
from compactml.study.keys.fingerprint import FORMULA, DataIdentity, key_parts
from compactml.study.running.provenance import Provenance
from compactml.study.running.worker import Finished
from compactml.study.storing.rows import Row, specified
from compactml.study.storing.store import Store

__all__ = ["COLUMNS", "FIELDS", "finished_of", "listed"]

SERVED, NOT_SERVED, UNFIT = (
    "served",
    "not served: first formula of the key",
    "its key does not fit what it says",
)
FIELDS = (
    "chapter", "kind", "dataset", "method", "solver", "version", "licence", "status", "host", "commit", "profile",
    "run_id", "formula", "starved", "state",
)  # fmt: skip
"""What rows can be asked for."""
COLUMNS = (
    "run_id", "chapter", "kind", "dataset", "method", "fold", "seed", "solver", "host", "commit", "utc", "state",
)  # fmt: skip
Find = Callable[[str], Chapter]


def listed(
    store: Store, find: Find, chapter: str | None = None, where: Sequence[tuple[str, str]] = ()
) -> pd.DataFrame:
    """Return the rows of a store that have all that is asked for, as text.

    Parameters
    ----------
    store : Store
    find : callable str -> Chapter
        Finds a chapter by its name; it raises `UnknownChapter`.
    chapter : str, optional
    where : sequence of (field, value)
        A field of `FIELDS`. A row with several solvers has the value of each; of a commit its first digits are enough.

    Returns
    -------
    DataFrame
        Columns `COLUMNS`. ``state`` says whether the row is served to this process, and if not, which part of its key
        is another one here.

    Raises
    ------
    InvalidParameterError
        An unknown field.
    StoreError
        A row cannot be read.
    """
    for field, _ in where:
        check_choice("where", field, FIELDS)
    here = _Here(find)
    rows = [{**described(row), "state": [here.state(row)]} for row in store.rows(chapter)]
    kept = [row for row in rows if all(_has(row, *asked) for asked in where)]
    texts = [{name: ", ".join(row[name]) for name in COLUMNS} for row in kept]
    return pd.DataFrame(texts, columns=list(COLUMNS), dtype="str")


def finished_of(row: Row) -> Finished:
    """Return a row as the result of its trial."""
    return Finished(specified(row.trial), row.result, Provenance.read(row.provenance), cached=True)


def _has(row: Mapping[str, list[str]], field: str, value: str) -> bool:
    if field == "commit":
        return any(found.startswith(value) for found in row[field])
    return value in row[field]


def described(row: Row) -> dict[str, list[str]]:
    """Return the fields of a row, each with all its values."""
    origin, trial = row.provenance, row.trial
    backends = list(origin.get("backends", ()))
    text = str(origin.get("solver") or "")
    if not backends and text:  # rows of the first formula say it in the words of a choice
        name, *rest = text.split(", ")
        backends = [
            dict(zip(("solver", "version"), name.split(" ", 1), strict=False), licence=", ".join(rest[:1]))
        ]
    plain = {name: trial.get(name) for name in ("chapter", "kind", "dataset", "method", "fold", "seed")}
    plain |= {name: origin.get(name) for name in ("host", "commit", "profile", "run_id", "utc", "starved")}
    values = {name: [] if value in (None, "") else [str(value)] for name, value in plain.items()}
    for name in ("solver", "version", "licence"):
        values[name] = sorted({str(one[name]) for one in backends if name in one})
    values["status"] = sorted({status for one in backends for status in one.get("statuses", ())})
    return values | {"formula": [str(row.formula)]}


class _Here:
    """Compares the keys of rows with those of this process; data count as the row says, since they are not read."""

    def __init__(self, find: Find) -> None:
        self._find = find
        self._kinds: dict[tuple[str, str], Kind | None] = {}

    def state(self, row: Row) -> str:
        """Say whether a row is served here."""
        if row.formula != FORMULA:
            return NOT_SERVED
        item = finished_of(row)
        then = item.provenance.parts()
        if then.key(item.trial) != row.key:
            return UNFIT
        kind = self._kind(row)
        if kind is None:
            return "not served: no such kind here"
        differences = then.differences(key_parts(kind.run, DataIdentity(then.data, ""), kind.environment))
        parts = ", ".join(text.partition(":")[0] for text in differences)
        return f"not served: other {parts}" if parts else SERVED

    def _kind(self, row: Row) -> Kind | None:
        name = row.chapter, row.kind
        if name not in self._kinds:
            try:
                self._kinds[name] = self._find(row.chapter).find_kind(row.kind)
            except UnknownChapter:
                self._kinds[name] = None
        return self._kinds[name]
