"""The search of the built book: what a reader types leads to the page that answers it, on the first hit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from compactml import chapters
from compactml.study.page.reference import paper_title

METHODS = {
    "sharing branching conditions": "condition_sharing",
    "condition sharing": "condition_sharing",
    "boolean rules": "boolean_rules",
    "boolean decision rules": "boolean_rules",
    "feature selection": "feature_selection",
    "ensemble pruning": "ensemble_pruning",
    "pace": "pace",
}
PAGES = {"license": "book/licence", "licence": "book/licence", "how to cite": "book/cite"}
FIRST = "#search-results ul.search li a"


@pytest.fixture(scope="module")
def page(browser: Browser, html: Path) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


def first_hit(page: Page, address: str, query: str) -> str:
    page.goto(f"{address}/search.html?q={query.replace(' ', '+')}", wait_until="load")
    page.wait_for_selector(FIRST, timeout=20_000)
    return str(page.locator(FIRST).first.get_attribute("href"))


@pytest.mark.parametrize(("query", "goal"), PAGES.items())
def test_licences_and_citing_are_found(page: Page, address: str, query: str, goal: str) -> None:
    assert first_hit(page, address, query).startswith(f"{goal}.html")


@pytest.mark.parametrize(("query", "folder"), METHODS.items())
def test_every_method_is_found(page: Page, address: str, query: str, folder: str) -> None:
    assert f"notebooks/{folder}/" in first_hit(page, address, query)


@pytest.mark.parametrize("name", chapters.names())
def test_every_paper_is_found_by_its_title(page: Page, address: str, name: str) -> None:
    chapter = chapters.chapter(name)
    assert f"notebooks/{chapter.folder}/" in first_hit(page, address, paper_title(chapter.citation))


def test_private_functions_are_not_found(page: Page, address: str) -> None:
    page.goto(f"{address}/search.html?q=column+generation", wait_until="load")
    page.wait_for_selector(FIRST, timeout=20_000)
    hits = [str(link.get_attribute("href")) for link in page.locator(FIRST).all()]
    assert hits
    assert not [hit for hit in hits if "#compactml.chapters" in hit or "#compactml.study" in hit]
    assert not [hit for hit in hits if hit.startswith("book/api/chapters.html")]
