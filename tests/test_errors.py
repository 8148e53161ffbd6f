"""Errors cross the borders of processes: each one of the project pickles, with its message and its attributes."""

from __future__ import annotations

import importlib
import pickle
import pkgutil
from collections.abc import Iterable, Iterator, Sequence
from types import FunctionType
from typing import Any, get_type_hints

import pytest

import compactml
from compactml.errors import CompactmlError

VALUES: dict[Any, Any] = {
    str: "text",
    str | None: "another text",
    int: 3,
    float: 0.25,
    bool: True,
    Any: ["anything", 1],
    tuple[str, ...]: ("a", "b"),
    Iterable[str]: ("a", "b"),
    Iterable[Any]: ("a", 1),
    Iterable[tuple[str, str]]: (("a", "b"), ("c", "d")),
    Sequence[tuple[str, str]]: (("a", "b"), ("c", "d")),
}
"""An argument of each type that a constructor of an error takes; a new type is added here."""


def kinds(root: type[CompactmlError]) -> Iterator[type[CompactmlError]]:
    """Return all errors of the project below one of them, itself too."""
    yield root
    for kind in root.__subclasses__():
        yield from (below for below in kinds(kind) if below.__module__.startswith("compactml."))


def every_kind() -> list[type[CompactmlError]]:
    """Import the library, without the chapters, which define no errors, and return the errors that it defines."""
    for module in pkgutil.walk_packages(compactml.__path__, "compactml."):
        if not module.name.startswith("compactml.chapters"):
            importlib.import_module(module.name)
    return sorted(set(kinds(CompactmlError)), key=lambda kind: (kind.__module__, kind.__name__))


def an_error(kind: type[CompactmlError]) -> CompactmlError:
    """Return an error of a kind, made of arguments of the right types."""
    if not isinstance(kind.__init__, FunctionType):  # that of a standard error
        return kind("a message")
    hints = get_type_hints(kind.__init__)
    return kind(**{name: VALUES[hint] for name, hint in hints.items() if name != "return"})


@pytest.mark.parametrize("kind", every_kind(), ids=lambda kind: kind.__name__)
def test_an_error_pickles(kind: type[CompactmlError]) -> None:
    error = an_error(kind)
    error.add_note("where it came from")

    copy = pickle.loads(pickle.dumps(error))

    assert type(copy) is kind
    assert str(copy) == str(error) != ""
    assert copy.args == error.args
    assert vars(copy) == vars(error)


def test_the_errors_of_all_packages_are_there() -> None:
    assert len(every_kind()) > 40
