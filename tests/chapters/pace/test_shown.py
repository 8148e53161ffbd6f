"""Tables and figures of the notebooks: each is made of results, of none as well."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from inspect import signature
from types import ModuleType
from typing import Any

import matplotlib.pyplot as plt
import pytest
from matplotlib.figure import Figure

from compactml.chapters.pace.shown import appendix, beyond, beyond_pictures, method, reproduction
from compactml.study.page.html import ShownTable
from compactml.study.page.picture import NARROW, WIDE
from tests.chapters.pace.toy_results import results

pytestmark = pytest.mark.usefixtures("nothing_recorded")
MODULES = [method, reproduction, beyond, beyond_pictures, appendix]
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
        and name not in ("note", "_of_both")
        and not (module is method and name in SLOW)
    ]


def takes_width(make: Callable[..., ShownTable | Figure]) -> bool:
    """Whether a function draws a picture."""
    return "width" in signature(make).parameters


def made(make: Callable[..., ShownTable | Figure], width: float) -> ShownTable | Figure:
    """What a function makes of nothing; pictures take their width."""
    return make(results(), width) if takes_width(make) else make(results())


@pytest.mark.parametrize("width", [WIDE, NARROW])
@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__.split(".")[-1])
def test_what_is_shown_needs_no_recorded_row(module: ModuleType, width: float) -> None:
    for make in functions(module):
        assert isinstance(made(make, width), ShownTable | Figure), make.__name__


def test_names_of_shown_tables_are_distinct() -> None:
    shown = [made(make, WIDE) for module in MODULES for make in functions(module) if not takes_width(make)]
    names = [table.name for table in shown if isinstance(table, ShownTable)]
    assert len(set(names)) == len(names) > 0


def test_the_note_below_a_table_names_both_sources() -> None:
    assert reproduction.note(results(), "table_1").startswith("recorded: ")
