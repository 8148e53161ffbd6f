"""Craft that a reader should not notice: nothing cut, nothing unnamed, nothing too faint, everything in print."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Browser, Page

from print_book import LEFT_OUT, one_page, pages
from tests.book.accessibility import violations
from tests.book.built_book import HTML, PAGES
from tests.book.test_measures import TURNED

DESKTOP, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
READ = [page for page in PAGES if page.startswith(("book/", "notebooks/")) and not LEFT_OUT.match(page)]
FILE_NAME = re.compile(r"\.(?:png|svg|jpe?g)$|[0-9a-f]{32}")
SLACK = 2
"""Pixels by which rounding may move an edge."""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=DESKTOP)  # type: ignore[arg-type]
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("name", TURNED)
def test_no_equation_is_cut(name: str, page: Page, address: str) -> None:
    """A display equation fits its column on a desktop; on a phone it scrolls in a box that says so."""
    page.goto(f"{address}/{name}", wait_until="load")
    page.evaluate("window.MathJax ? MathJax.startup.promise.then(() => null) : null")
    cut = page.evaluate(
        "slack => [...document.querySelectorAll('div.math')].filter(box => box.scrollWidth > box.clientWidth + slack)"
        ".map(box => box.id || box.innerText.slice(0, 60))",
        SLACK,
    )
    assert cut == []
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    hidden = page.evaluate(
        "slack => [...document.querySelectorAll('div.math')].filter(box => box.scrollWidth > box.clientWidth + slack"
        " && getComputedStyle(box).overflowX !== 'auto').length",
        SLACK,
    )
    assert hidden == 0


@pytest.mark.parametrize("name", TURNED)
def test_alternative_texts_say_what_is_seen(name: str) -> None:
    soup = BeautifulSoup((HTML / name).read_text(encoding="utf-8"), "html.parser")
    texts = [str(img.get("alt", "")) for img in soup.select("article img")]
    texts += [str(svg.get("aria-label", "")) for svg in soup.select("article .cm-figure svg")]
    for text in texts:
        assert len(text.split()) >= 4, text
        assert not FILE_NAME.search(text), text


@pytest.mark.parametrize("name", TURNED)
def test_what_is_offered_is_a_file_beside_the_page(name: str) -> None:
    soup = BeautifulSoup((HTML / name).read_text(encoding="utf-8"), "html.parser")
    for link in soup.select("article a[download][href]:not(.cm-save)"):
        assert (HTML / name).parent.joinpath(str(link["href"])).resolve().is_file(), link["href"]


@pytest.mark.parametrize("name", TURNED)
def test_pictures_are_vectors_with_a_layout_for_each_screen(name: str, page: Page, address: str) -> None:
    soup = BeautifulSoup((HTML / name).read_text(encoding="utf-8"), "html.parser")
    assert not [str(img.get("src", ""))[:80] for img in soup.select("article .cell_output img")]
    page.goto(f"{address}/{name}", wait_until="load")
    for viewport, layout in ((DESKTOP, "cm-wide"), (PHONE, "cm-narrow")):
        page.set_viewport_size(viewport)  # type: ignore[arg-type]
        page.wait_for_function("width => window.innerWidth === width", arg=viewport["width"])
        shown = page.evaluate(
            """() => [...document.querySelectorAll('article figure.cm-figure > div')].map(
                box => [box.className, box.getBoundingClientRect()]
            ).filter(([, box]) => box.width > 0).map(([layout, box]) => [layout, box.right])"""
        )
        assert {one for one, _ in shown} <= {layout}
        assert all(right <= viewport["width"] + SLACK for _, right in shown), shown


SMALLEST = 9.0
"""Pixels: the least size of letters in a picture on a phone."""


@pytest.mark.parametrize("name", TURNED)
def test_letters_in_pictures_are_legible_on_a_phone(name: str, page: Page, address: str) -> None:
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.goto(f"{address}/{name}", wait_until="load")
    small = page.evaluate(
        """least => [...document.querySelectorAll('article .cm-narrow svg')].flatMap(svg => {
            const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
            return [...svg.querySelectorAll('text')].filter(text =>
                text.textContent.trim() && parseFloat(getComputedStyle(text).fontSize) * scale < least
            ).map(text => text.textContent.trim());
        })""",
        SMALLEST,
    )
    assert small == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", READ)
def test_contrast_and_names(name: str, scheme: str, browser: Browser, address: str) -> None:
    context = browser.new_context(viewport=DESKTOP, color_scheme=scheme)  # type: ignore[arg-type]
    opened = context.new_page()
    opened.goto(f"{address}/{name}", wait_until="load")
    wrong = violations(opened, "color-contrast", "link-name", "image-alt", "svg-img-alt", "duplicate-id-aria")
    context.close()
    assert wrong == []


@pytest.fixture(scope="module")
def printed(html: Path) -> BeautifulSoup:
    return BeautifulSoup(one_page(html), "html.parser")


def test_every_page_but_the_reference_is_printed(html: Path) -> None:
    assert set(pages(html)) == set(READ)


def test_print_has_every_row_of_every_table(html: Path, printed: BeautifulSoup) -> None:
    """All rows of the pages are in the file of all, opened and without a box that cuts them."""
    assert not printed.select("details:not([open])")
    assert not printed.select("[hidden]")
    rows = 0
    for name in pages(html):
        soup = BeautifulSoup((html / name).read_text(encoding="utf-8"), "html.parser")
        rows += len(soup.select("article.bd-article tr"))
    assert len(printed.select("tr")) == rows


def test_links_of_the_printed_book_lead_inside_it(printed: BeautifulSoup) -> None:
    names = {str(tag["id"]) for tag in printed.find_all(id=True)}
    inside = [str(a["href"])[1:] for a in printed.select("a[href^='#']") if len(str(a["href"])) > 1]
    lost = [name for name in inside if "--" in name and name not in names and "cm-save" not in name]
    assert lost == []
