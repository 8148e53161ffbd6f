"""How much a page asks of its reader: its length, and the numbers in its prose.

A chapter that has an appendix is written for reading: there the detective work may be as long as it likes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from bs4 import BeautifulSoup, Tag
from playwright.sync_api import Browser

from tests.book.built_book import HTML, PAGES

WINDOW = {"width": 1440, "height": 900}
SCREENS = 8
"""Of a reproduction page, with everything folded that can be."""
PER_HUNDRED, IN_PARAGRAPH = 2.0, 5
"""Numbers in a hundred words, and in one paragraph."""
APPENDIX = "04_appendix.html"
TURNED = [
    page
    for page in PAGES
    if page.startswith("notebooks/") and page.rsplit("/", 1)[0] + "/" + APPENDIX in PAGES
]
"""Pages of the chapters that are written for reading."""
READ = [page for page in TURNED if not page.endswith(APPENDIX)]
TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|dozen"
WORDS = rf"eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|(?:{TENS})(?:-\w+)?"
NUMBER = re.compile(rf"\d[\d,.]*\d|\d|\b(?:{WORDS})\b", re.IGNORECASE)
LABEL = re.compile(
    r"\b(?:Tables?|Figs?\.?|Figures?|Sections?|Algorithms?|Problems?|Theorems?|Propositions?|Remarks?|Lemmas?|"
    r"Equations?|Eqs?\.?|Results?|Definitions?|Appendix|pages?|lines?)\s[\dA-Z(][\d.)A-Z]*"
    r"(?:(?:,| and| to|, and)\s[\d(][\d.)]*)*|\(\d+(?:\.\d+)?\)|\b(?:19|20)\d\d\b"
)
"""Labels of tables, equations and sections, and years: no numbers that a reader must weigh."""
PROVED, WHO = re.compile(r"\bproved\b", re.IGNORECASE), re.compile(r"proved by|two solvers agree")
NOT_PROSE = "code, pre, table, svg, .math, .cm-mosaic, .cm-legend, .cm-links, .cm-box, .cm-run, .section-number, script"


def blocks(page: str) -> Iterator[str]:
    """The paragraphs, headings and captions of a page that are seen while everything is folded."""
    soup = BeautifulSoup((HTML / page).read_text(encoding="utf-8"), "html.parser")
    article = soup.select_one("article.bd-article")
    assert isinstance(article, Tag)
    for tag in article.select(NOT_PROSE):
        tag.decompose()
    for tag in article.select("h1, h2, h3, h4, p, li, dd, figcaption"):
        if not tag.find_parent(["details", "p", "li", "figcaption", "dd"]) and "cm-note" not in (
            tag.get("class") or []
        ):
            yield re.sub(r"\s+", " ", tag.get_text(" ").replace("#", " ")).strip()


def numbers(text: str) -> list[str]:
    return NUMBER.findall(LABEL.sub(" ", text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Of 1,339 cells 12.5 % agree.", ["1,339", "12.5"]),
        ("Table 2, page 9, and Figs 4 and 5 of 2022 (Section 6.2.1)", []),
        ("eleven of the two hundred", ["eleven", "hundred"]),
        ("Equation (3) and two or three trees", []),
    ],
)
def test_numbers_are_counted_and_labels_are_not(text: str, expected: list[str]) -> None:
    assert numbers(text) == expected


@pytest.mark.parametrize("page", [page for page in TURNED if "/02_" in page])
def test_a_reproduction_page_has_at_most_eight_screens(page: str, browser: Browser, address: str) -> None:
    opened = browser.new_page(viewport=WINDOW)  # type: ignore[arg-type]
    opened.goto(f"{address}/{page}", wait_until="load")
    height = opened.evaluate("document.documentElement.scrollHeight")
    opened.close()
    assert height <= SCREENS * WINDOW["height"], f"{height / WINDOW['height']:.1f} screens"


@pytest.mark.parametrize("page", READ)
def test_the_prose_has_few_numbers(page: str) -> None:
    found = list(blocks(page))
    total = sum(len(numbers(text)) for text in found)
    words = sum(len(text.split()) for text in found)
    assert 100 * total <= PER_HUNDRED * words, f"{total} numbers in {words} words"


@pytest.mark.parametrize("page", READ)
def test_no_paragraph_is_a_heap_of_numbers(page: str) -> None:
    heaps = [(len(numbers(text)), text) for text in blocks(page) if len(numbers(text)) > IN_PARAGRAPH]
    assert heaps == []


@pytest.mark.parametrize("page", TURNED)
def test_who_proved_it_is_said(page: str) -> None:
    """A page of results that calls something proved says by whom, and leads to what that means."""
    says = any(PROVED.search(block) for block in blocks(page))
    soup = BeautifulSoup((HTML / page).read_text(encoding="utf-8"), "html.parser")
    links = soup.select('article a[href$="glossary.html#words-of-proof"]')
    assert not says or any(WHO.search(link.get_text(" ")) for link in links)
