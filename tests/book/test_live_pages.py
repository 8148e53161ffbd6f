"""What the built book says of its own run: nothing counts nothing, and what was run stands on the status page."""

import re
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup

from bookbuild.execute import declared_parameters, run_record
from bookbuild.project import Project
from compactml import chapters
from compactml.study.page.live import LiveTable, live_tables
from tests.book.built_book import HTML, PAGES

PROJECT = Project(Path(__file__).resolve().parents[2])


@pytest.fixture(scope="module")
def notes(html: Path) -> dict[str, list[LiveTable]]:
    """What each executed notebook notes of its tables."""
    return {
        name: live_tables(nbformat.read(PROJECT.executed(name), as_version=4)) for name in PROJECT.notebooks()
    }


@pytest.mark.parametrize("page", [page for page in PAGES if page.startswith(("book/", "notebooks/"))])
def test_no_page_counts_nothing(page: str) -> None:
    text = BeautifulSoup((HTML / page).read_text(encoding="utf-8"), "html.parser").get_text(" ")
    found = re.search(r".{0,60}\b0 of (?:the )?0\b.{0,40}", text)
    assert found is None, found


def test_the_profile_is_a_parameter_of_the_notebooks_that_run_trials(
    notes: dict[str, list[LiveTable]],
) -> None:
    assert [name for name, tables in notes.items() if tables] == [
        name for name in notes if "profile" in declared_parameters(PROJECT.source(name))
    ]


def test_what_ran_is_compared_with_what_is_printed(notes: dict[str, list[LiveTable]]) -> None:
    """A printed table of which a trial ran shows at least one cell of this build beside print."""
    printed = [
        note
        for tables in notes.values()
        for note in tables
        if note.finished and chapters.chapter(note.chapter).table(note.table).printed is not None
    ]
    assert printed or not all(run_record(PROJECT.executed(name))["live"] for name in notes)
    assert [(note.chapter, note.table) for note in printed if not note.compared] == []


def test_the_status_page_has_every_table_that_ran(html: Path, notes: dict[str, list[LiveTable]]) -> None:
    rows = BeautifulSoup((html / "book" / "status.html").read_text(encoding="utf-8"), "html.parser").find_all(
        "tr"
    )
    shown = {" ".join(row.get_text(" ").split()[:2]) for row in rows}
    ran = {f"{note.chapter} {note.table}" for tables in notes.values() for note in tables if note.finished}
    assert ran <= shown
