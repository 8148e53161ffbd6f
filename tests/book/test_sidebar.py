"""Pages of source code share the list of pages beside them, and its links lead to pages from each of their folders."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from bs4 import BeautifulSoup

from tests.book.built_book import HTML, PAGES

SOURCES = [page for page in PAGES if page.startswith("_modules/")]
DEPTHS = sorted({page.count("/") for page in SOURCES})


def test_pages_without_a_place_in_the_list_share_it_by_depth_and_options(
    sphinx_extension: Callable[[str], ModuleType],
) -> None:
    app: Any = SimpleNamespace(env=SimpleNamespace(all_docs={"book/intro": 0.0}))
    shared, calls = sphinx_extension("shared_sidebar").SharedSidebar(), []

    def toctree(page: str, **options: Any) -> str:
        def make(**asked: Any) -> str:
            calls.append(page)
            return f"{page} {asked}"

        context = {"toctree": make}
        shared.share(app, page, "page.html", context, None)
        return context["toctree"](**options)

    first = toctree("_modules/a/b", maxdepth=4, collapse=False)
    assert first.startswith("_modules/a/b ")
    assert toctree("_modules/c/d", collapse=False, maxdepth=4) == first
    assert toctree("_modules/e", maxdepth=4, collapse=False).startswith("_modules/e ")
    assert toctree("_modules/c/d", maxdepth=2, collapse=False).startswith("_modules/c/d ")
    assert [toctree("book/intro", maxdepth=4) for _ in range(2)] == ["book/intro {'maxdepth': 4}"] * 2
    assert calls == ["_modules/a/b", "_modules/e", "_modules/c/d", "book/intro", "book/intro"]


@pytest.mark.parametrize("depth", DEPTHS)
def test_the_sidebar_of_source_code_leads_where_that_of_the_front_page_leads(depth: int) -> None:
    listed = linked("book/intro.html")
    assert len(listed) > 40
    for page in (page for page in SOURCES if page.count("/") == depth):
        assert linked(page) == listed, page


def linked(page: str) -> list[Path]:
    """The files to which the sidebar of a page leads, in its order."""
    soup = BeautifulSoup((HTML / page).read_text(encoding="utf-8"), "html.parser")
    links = [str(link["href"]) for link in soup.select("nav.bd-docs-nav a")]
    own = (HTML / page).resolve()
    found = [own if link == "#" else (own.parent / link).resolve() for link in links]
    assert all(file.exists() for file in found)
    return found
