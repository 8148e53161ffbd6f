"""One name a dataset, and words for columns: on the page of the data, and on the pages of a chapter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pandas as pd
import pytest
from bs4 import BeautifulSoup, Tag

from bookbuild.data_page import data_table
from compactml import chapters, datasets
from compactml.datasets.registry import entries
from compactml.datasets.titles import reading, readings, title
from compactml.study.chapter import Chapter
from compactml.study.page.words import COMMON, dataset_names, words_of
from compactml.study.recording.published import published
from tests.book.built_book import HTML
from tests.book.test_measures import TURNED

COMMANDS = "pre, script, style, code, .math"
NAMED = [
    (chapter.name, name, key)
    for chapter in chapters.every_chapter()
    for name, key in {pair for table in chapter.tables for pair in table.datasets.items()}
]
UNDERSCORED = re.compile(r"[A-Za-z]\w*_\w+")
UNIT = re.compile(r"\b(seconds?|minutes?|ms|kB|MiB|per ?cent)\b|%")
"""Units of heads, which stand in brackets."""


@cache
def rows_of_the_data() -> dict[str, dict[str, str]]:
    """The rows of the page of the data by key."""
    lines = [line.strip("|").split("|") for line in data_table().replace("\\_", "_").splitlines()]
    heads, _, *rows = [[cell.strip() for cell in line] for line in lines]
    found = [dict(zip(heads, cells, strict=True)) for cells in rows]
    return {row["Dataset and key"].split("`")[1]: row for row in found}


def test_every_registered_dataset_has_a_row_with_its_size_source_and_licence() -> None:
    for key, entry in entries().items():
        shown = rows_of_the_data()[key]
        assert shown["Dataset and key"] == f"{entry.title} `{key}`"
        assert shown["Rows × features"] == f"{entry.n_rows:,} × {entry.n_features:,}"
        assert (shown["Source"], shown["Licence"]) == (entry.upstream, entry.licence)


@pytest.mark.parametrize(("name", "called", "key"), sorted(NAMED))
def test_every_dataset_of_a_paper_stands_on_the_page_under_its_name(name: str, called: str, key: str) -> None:
    head = chapters.chapter(name).title.partition(" (")[0].partition(":")[0]
    names = rows_of_the_data()[reading(key).key or key][head].split("; ")
    words = "" if key in entries() else f" ({reading(key).words})"
    assert f"{called}{words}" in names


@pytest.mark.parametrize("chapter", chapters.every_chapter(), ids=chapters.names())
def test_a_chapter_has_one_name_for_each_dataset_and_none_for_two(chapter: Chapter) -> None:
    names = dataset_names(chapter)
    assert set(names) == {*datasets.keys(), *readings()}
    assert len(set(names.values())) == len(names)
    printed = {(key, name) for table in chapter.tables for name, key in table.datasets.items()}
    assert printed <= set(names.items())
    words = words_of(chapter)
    assert all(words.value(name) == name for _, name in printed)


def test_a_dataset_that_the_paper_does_not_have_bears_its_title() -> None:
    names = dataset_names(chapters.chapter("condition-sharing"))
    assert names["zoo"] == title("zoo")
    assert names["wdbc"] == "breast cancer"
    assert names["wdbc_with_id"] == f"breast cancer, {reading('wdbc_with_id').words}"


def test_words_of_a_chapter_come_before_those_of_all() -> None:
    words = words_of(chapters.chapter("boolean-rules"))
    assert words.head("std_error") != COMMON.head("std_error") != "std_error"
    assert words.value(0.5) == 0.5
    assert words.value("tic_tac_toe_endgames") == "tic-tac-toe"
    assert (
        words.sentence("larger: adult_training_file, pima; x_1") == "larger: adult, training file, pima; x_1"
    )
    assert words.value("not run: ModelTooLargeError") == "not run: too large for the licence"


# ---- the pages as they are built ----


@cache
def article(page: str) -> Tag:
    soup = BeautifulSoup((HTML / page).read_text(encoding="utf-8"), "html.parser")
    found = soup.select_one("article.bd-article")
    assert isinstance(found, Tag)
    for tag in found.select(COMMANDS):
        tag.decompose()
    return found


def chapter_of(page: str) -> Chapter:
    folder = page.split("/")[1]
    return next(chapter for chapter in chapters.every_chapter() if chapter.folder == folder)


@cache
def printed_words(name: str) -> set[str]:
    """Every text in the published tables of a chapter, and the names of its measures and columns that are printed."""
    frames = [
        published(name, table.id) for table in chapters.chapter(name).tables if table.printed is not None
    ]
    return {str(value) for frame in frames for value in pd.unique(frame.astype(str).to_numpy().ravel())}


def heads(page: str) -> Iterator[str]:
    for head in article(page).select("thead th"):
        yield " ".join(head.get_text(" ").split())


@pytest.mark.parametrize("page", TURNED)
def test_no_key_stands_on_a_page(page: str) -> None:
    chapter = chapter_of(page)
    called = set(dataset_names(chapter).values()) | printed_words(chapter.name)
    # a key that is a word of the title ("letter", "colon") cannot be told from the word
    keys = {
        name
        for name in dataset_names(chapter)
        if "_" in name or name not in re.findall(r"[a-z]+", title(name).lower())
    }
    words = set(re.findall(r"[\w-]+", article(page).get_text(" ")))
    assert words & (keys - called) == set()


@pytest.mark.parametrize("page", TURNED)
def test_cells_and_letters_of_pictures_call_a_dataset_by_one_name(page: str) -> None:
    """What other papers call a dataset of this chapter, or another spelling, stands in no cell and in no picture."""
    names = dataset_names(chapter_of(page))
    others = {called for _, called, key in NAMED if called != names[key]}
    others |= {called.replace("_", " ") for called in names.values() if "_" in called}
    others -= set(names.values())
    texts = {" ".join(tag.get_text(" ").split()) for tag in article(page).select("td, th, svg text")}
    assert texts & (others - printed_words(chapter_of(page).name)) == set()


@pytest.mark.parametrize("page", TURNED)
def test_heads_of_tables_are_words_with_units_in_brackets(page: str) -> None:
    printed = printed_words(chapter_of(page).name)
    every = set(heads(page)) - printed
    assert not [head for head in every if UNDERSCORED.search(head)]
    assert not [head for head in every if UNIT.search(re.sub(r"\([^)]*\)", "", head))]


@pytest.mark.parametrize("page", TURNED)
def test_cells_say_in_words_what_happened(page: str) -> None:
    cells = [cell.get_text(" ") for cell in article(page).select("td")]
    assert not [cell for cell in cells if re.search(r"\b[A-Z]\w+(Error|NotAvailable|Exception)\b", cell)]
