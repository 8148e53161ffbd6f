"""What a trial returns: a dataclass of plain numbers, whose fields are the columns of a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import Field, field, fields, is_dataclass
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

__all__ = ["columns", "flat", "not_stored", "spread"]

SPREAD, INNER = "spread", "inner"


def spread(names: Sequence[str], inner: type | None = None) -> Any:
    """Declare a field that holds one entry per name and becomes a column for each.

    Parameters
    ----------
    names : sequence of str
        All names that may occur.
    inner : type, optional
        Dataclass of an entry. The columns are then "FIELD OF INNER_NAME"; without it an entry is one number and the
        columns are "FIELD_NAME".

    Returns
    -------
    dataclasses.field
        Of a dict of str to number, or to ``inner``; by default it is empty, and a name without an entry is missing.
    """
    return field(default_factory=dict, metadata={SPREAD: tuple(names), INNER: inner})


def columns(*results: type) -> list[str]:
    """Return the columns of dataclasses of results, each once, in the order in which they are declared."""
    return list(dict.fromkeys(name for one in results for part in fields(one) for name in _columns(part)))


def _columns(part: Field[Any]) -> Iterator[str]:
    if SPREAD not in part.metadata:
        yield part.name
        return
    inner = part.metadata[INNER]
    for name in part.metadata[SPREAD]:
        yield from (f"{own.name}_{name}" for own in fields(inner)) if inner else (f"{part.name}_{name}",)


def flat(result: object) -> dict[str, Any]:
    """Return a result as one value a column; None where a field has no value.

    Parameters
    ----------
    result : dataclass, or mapping of str to value
        A mapping is taken as it is.

    Raises
    ------
    TypeError
        It is neither.
    """
    if isinstance(result, Mapping):
        return dict(result)
    if not is_dataclass(result) or isinstance(result, type):
        raise TypeError(f"{type(result).__name__} instead of a dataclass")
    return {
        name: value for part in fields(result) for name, value in _values(part, getattr(result, part.name))
    }


def _values(part: Field[Any], value: Any) -> Iterator[tuple[str, Any]]:
    if SPREAD not in part.metadata:
        yield part.name, value
        return
    for name, entry in value.items():
        if part.metadata[INNER] is None:
            yield f"{part.name}_{name}", entry
        else:
            yield from ((f"{own.name}_{name}", getattr(entry, own.name)) for own in fields(entry))


def not_stored(results: Iterable[type]) -> list[str]:
    """Return the fields of results whose declared type is no number, no text and no family of them."""
    wrong = []
    for result in results:
        hints = get_type_hints(result)
        wrong += [
            f"{result.__name__}.{part.name}"
            for part in fields(result)
            if SPREAD not in part.metadata and not _is_plain(hints[part.name])
        ]
    return wrong


def _is_plain(hint: Any) -> bool:
    parts = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    return all(part in (int, float, str, bool, type(None)) for part in parts)
