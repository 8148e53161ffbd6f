"""Every built page in a real browser: no error, nothing from another host, formulas rendered, fits on a phone."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Browser, Page, Route

from tests.book.built_book import HTML, PAGES

WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
LOADED = {"script": "src", "link": "href", "img": "src", "source": "src", "iframe": "src"}


@pytest.fixture
def problems() -> list[str]:
    return []


@pytest.fixture
def page(browser: Browser, address: str, problems: list[str]) -> Iterator[Page]:
    """A new page that sees this machine's server only and notes whatever goes wrong."""

    def guard(route: Route) -> None:
        if route.request.url.startswith((f"{address}/", "data:")):
            route.continue_()
        else:
            problems.append(f"asks another host: {route.request.url}")
            route.abort()

    context = browser.new_context(viewport=WIDE)
    context.route("**/*", guard)
    opened = context.new_page()
    opened.on("console", lambda m: problems.append(m.text) if m.type == "error" else None)
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.on("requestfailed", lambda request: problems.append(f"failed: {request.url}"))
    opened.on("response", lambda r: problems.append(f"{r.status}: {r.url}") if r.status >= 400 else None)
    yield opened
    context.close()


def without_favicon(problems: list[str]) -> list[str]:
    """Leave out the icon that browsers ask for by themselves; the console does not name what was not found."""
    icon = [text for text in problems if text.endswith("/favicon.ico")]
    console = [text for text in problems if "404 (File not found)" in text][: len(icon)]
    return [text for text in problems if text not in icon and text not in console]


def test_the_book_is_built(html: Path) -> None:
    assert {"index.html", "book/intro.html", "book/status.html", "search.html"} <= set(PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_page(name: str, page: Page, address: str, problems: list[str]) -> None:
    page.goto(f"{address}/{name}", wait_until="load")
    page.wait_for_load_state("networkidle")
    check_formulas(page)
    assert without_favicon(problems) == []

    page.set_viewport_size(PHONE)
    width = page.evaluate("Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)")
    assert width <= PHONE["width"], f"the page is {width} px wide on a phone of {PHONE['width']}"


def check_formulas(page: Page) -> None:
    formulas = page.locator(".math.notranslate")
    expected = formulas.count()
    if expected:
        page.evaluate("MathJax.startup.promise.then(() => null)")
        assert page.locator(".math.notranslate mjx-container").count() >= expected
        assert not any(re.search(r"\\[(\[]", text) for text in formulas.all_inner_texts())
        assert page.locator("mjx-merror").count() == 0


@pytest.mark.parametrize("name", PAGES)
def test_page_refers_to_no_other_host(name: str) -> None:
    soup = BeautifulSoup((HTML / name).read_text(encoding="utf-8"), "html.parser")
    loaded = [tag[LOADED[tag.name]] for tag in soup.find_all(list(LOADED)) if tag.has_attr(LOADED[tag.name])]
    code = " ".join(tag.get_text() for tag in soup.find_all(["script", "style"]))
    loaded += re.findall(r"(?:from|import|url)\s*\(?\s*[\"']?((?:https?:)?//[^\"')\s]+)", code)
    assert [url for url in loaded if re.match(r"(https?:)?//", str(url))] == []


def test_no_style_sheet_refers_to_another_host(html: Path) -> None:
    sheets = list(html.rglob("*.css"))
    assert sheets
    for sheet in sheets:
        text = sheet.read_text(encoding="utf-8")
        assert not re.search(r"(url\(|@import)\s*[\"']?(https?:)?//", text), sheet.name
