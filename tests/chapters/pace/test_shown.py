"""Tables and figures of the notebooks: each is made of results, of none as well."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import matplotlib.pyplot as plt
import pytest
from matplotlib.figure import Figure

from compactml.chapters.pace.shown import beyond, method, reproduction
from compactml.study.page.html import ShownTable
from tests.chapters.pace.toy_results import results

pytestmark = pytest.mark.usefixtures("nothing_recorded")
SLOW = {"compressed", "certificate", "checks"}
"""Of the first notebook: they compress a forest, which the numbers of the page do, too."""


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    plt.close("all")


def functions(module: ModuleType) -> list[Callable[[Any], ShownTable | Figure]]:
    """What a notebook can call of a module."""
    return [
        value
        for name, value in vars(module).items()
        if callable(value)
        and value.__module__ == module.__name__
        and name != "note"
        and not (module is method and name in SLOW)
    ]


@pytest.mark.parametrize(
    "module", [method, reproduction, beyond], ids=lambda module: module.__name__.split(".")[-1]
)
def test_what_is_shown_needs_no_recorded_row(module: ModuleType) -> None:
    nothing = results()
    for make in functions(module):
        assert isinstance(make(nothing), ShownTable | Figure), make.__name__


def test_names_of_shown_tables_are_distinct() -> None:
    nothing = results()
    made = [make(nothing) for module in (method, reproduction, beyond) for make in functions(module)]
    names = [table.name for table in made if isinstance(table, ShownTable)]
    assert len(set(names)) == len(names)


def test_the_note_below_a_table_names_both_sources() -> None:
    assert reproduction.note(results(), "table_1").startswith("recorded: ")
