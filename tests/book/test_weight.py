"""How heavy a page is, uncompressed, with all that it loads; and what the pages' own extension leaves out of it."""

from __future__ import annotations

import base64
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from playwright.sync_api import Browser, Response

from tests.book.built_book import HTML, PAGES

PLAIN, WITH_EQUATIONS = 1.3e6, 3.0e6
"""Bytes at most."""
WEIGHED = [page for page in PAGES if not page.startswith(("book/api", "_modules/"))]
"""The reference stands apart."""


@pytest.fixture
def extension(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[2] / "book" / "_extensions"))
    yield import_module("light_pages")
    sys.modules.pop("light_pages")


@pytest.mark.parametrize("name", WEIGHED)
def test_a_page_is_light(name: str, browser: Browser, address: str) -> None:
    context = browser.new_context()
    page, answers = context.new_page(), list[Response]()
    page.on("response", answers.append)
    page.goto(f"{address}/{name}", wait_until="networkidle")
    sizes = {answer.url: len(answer.body()) for answer in answers if answer.ok}
    context.close()
    with_equations = any("mathjax" in url for url in sizes)
    heaviest = sorted(sizes.items(), key=lambda item: -item[1])[:5]
    assert sum(sizes.values()) <= (WITH_EQUATIONS if with_equations else PLAIN), heaviest
    assert with_equations == ('class="math' in (HTML / name).read_text(encoding="utf-8"))


SCRIPTS = (
    '<script>window.MathJax = {"options": {}}</script>',
    '<script defer="defer" src="../_static/mathjax/tex-mml-chtml.js?v=1"></script>',
    '<link rel="stylesheet" type="text/css" href="../_static/sphinx-design.min.css?v=6a" />',
    '<script data-sd-tabs-storage-prefix="sphinx-design-tab-id-" src="../_static/design-tabs.js?v=fc"></script>',
    '<script src="../_static/figures.js"></script>',
)


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        ("<p>Words.</p>", SCRIPTS[4:]),
        ('<span class="math notranslate nohighlight">x</span>', SCRIPTS[:2] + SCRIPTS[4:]),
        ('<details class="sd-sphinx-override sd-dropdown"></details>', SCRIPTS[2:]),
        ('<p class="math"></p><div class="cm-fold sd-card"></div>', SCRIPTS),
    ],
)
def test_a_page_loads_what_it_uses(extension: ModuleType, body: str, kept: tuple[str, ...]) -> None:
    lighter = extension.lighten("<head>" + "\n".join(SCRIPTS) + f"</head>{body}", search=False)
    assert "".join(lighter.split("\n")) == f"<head>{''.join(kept)}</head>{body}"


def test_tables_become_files_beside_the_page(extension: ModuleType) -> None:
    code = base64.b64encode(b"# run\na,b\n1,2\n").decode()
    address = f"data:text/csv;charset=utf-8;base64,{code}"
    kept: dict[str, bytes] = {}

    def keep(name: str, data: bytes) -> str:
        kept[name] = data
        return f"tables/{name}"

    text = (
        f'<a download="one.csv" href="{address}">Download as CSV</a> <a href="{address}" download="two.csv">'
    )
    assert extension.apart(text, keep) == (
        '<a download="one.csv" href="tables/one.csv">Download as CSV</a> <a href="tables/two.csv" download="two.csv">'
    )
    assert kept == {"one.csv": b"# run\na,b\n1,2\n", "two.csv": b"# run\na,b\n1,2\n"}
