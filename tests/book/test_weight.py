"""What a page loads, uncompressed, with its fonts and images."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Browser, Response

from tests.book.built_book import HTML, PAGES

PLAIN, WITH_FORMULAS = 1.3e6, 3.0e6
"""Bytes of a page without formulas and of one with them."""
WEIGHED = [
    page for page in PAGES if page.startswith(("book/", "notebooks/")) and not page.startswith("book/api")
]


@pytest.mark.parametrize("name", WEIGHED)
def test_a_page_is_light(name: str, browser: Browser, address: str) -> None:
    page, sizes = browser.new_page(), dict[str, int]()

    def weigh(response: Response) -> None:
        sizes[response.url] = len(response.body())

    page.on("response", weigh)
    page.goto(f"{address}/{name}", wait_until="networkidle")
    page.close()
    soup = BeautifulSoup((HTML / name).read_text(encoding="utf-8"), "html.parser")
    limit = WITH_FORMULAS if soup.select_one(".math") else PLAIN
    heaviest = sorted(sizes.items(), key=lambda pair: -pair[1])[:5]
    assert sum(sizes.values()) <= limit, heaviest
