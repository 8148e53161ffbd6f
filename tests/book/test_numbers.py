"""Every number of the prose is an entry of its chapter's numbers, and each of these is quoted."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path

import jupytext
import pytest

from compactml import chapters
from compactml.study.recording.results import Results

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = {f"{path.parent.name}/{path.stem}": path for path in sorted((ROOT / "notebooks").glob("*/*.md"))}
OF_CHAPTERS = [name for name in NOTEBOOKS if not name.startswith("use/")]
"""Tutorials show calls, and have numbers of their own run: see `tests.book.test_tutorials`."""
QUOTED = re.compile(r"\{glue:(?:text|md)?\}`([^`:]+)(?::[^`]*)?`|\{glue\}`([^`:]+)`")
OF_THE_PAGE = {"profile"}
"""What `compactml.study.page.page.Page` makes known by itself."""
Numbers = Callable[[Results], Mapping[str, int | float | str]]


def cells(name: str, kind: str) -> Iterator[str]:
    for cell in jupytext.read(NOTEBOOKS[name]).cells:
        if cell.cell_type == kind:
            yield cell.source


def code(name: str) -> ast.Module:
    """The code of a notebook without the lines of IPython."""
    lines = [line for cell in cells(name, "code") for line in cell.splitlines() if not line.startswith("%")]
    return ast.parse("\n".join(lines))


def functions(name: str) -> list[Numbers]:
    """What ``page.numbers(...)`` is called with."""
    tree = code(name)
    modules = {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    return [
        getattr(import_module(modules[argument.value.id]), argument.attr)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "page.numbers"
        for argument in node.args
        if isinstance(argument, ast.Attribute) and isinstance(argument.value, ast.Name)
    ]


def quoted(name: str) -> set[str]:
    """Names of numbers in the prose."""
    found = {pair for cell in cells(name, "markdown") for pair in QUOTED.findall(cell)}
    return {one or other for one, other in found}


@pytest.mark.parametrize("name", OF_CHAPTERS)
def test_the_prose_quotes_what_the_chapters_numbers_have_and_no_more(name: str) -> None:
    chapter = chapters.chapter(name.split("/")[0])
    nothing_run = Results(chapter, lambda id: [])
    entries = [entry for function in functions(name) for entry in function(nothing_run)]
    assert len(set(entries)) == len(entries), "two numbers of one name"
    assert quoted(name) - OF_THE_PAGE == set(entries)


@pytest.mark.parametrize("name", OF_CHAPTERS)
def test_a_notebook_defines_and_hides_nothing(name: str) -> None:
    assert not [
        node for node in ast.walk(code(name)) if isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef)
    ]
    hidden = [
        cell
        for cell in jupytext.read(NOTEBOOKS[name]).cells
        if cell.cell_type == "code" and "remove-cell" in cell.metadata.get("tags", [])
    ]
    for cell in hidden:
        assert "import" in cell.source


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_sentence_a_line(name: str) -> None:
    """No line of the text is longer than 200 characters, but for tables."""
    long = [
        line
        for line in NOTEBOOKS[name].read_text(encoding="utf-8").splitlines()
        if len(line) > 200 and not line.lstrip().startswith("|")
    ]
    assert not long
