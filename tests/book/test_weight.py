"""How heavy a page is, uncompressed, with all that it loads; and what the pages' own extension leaves out of it."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from fontTools.ttLib import TTFont
from playwright.sync_api import Browser, Response

from tests.book.built_book import HTML, PAGES

PLAIN, WITH_EQUATIONS = 1.3e6, 3.0e6
"""Bytes at most."""
WEIGHED = [page for page in PAGES if not page.startswith(("book/api", "_modules/", "index.html"))]
"""The reference stands apart; the index leads to the front page."""


@pytest.fixture
def pages(sphinx_extension: Callable[[str], ModuleType]) -> ModuleType:
    return sphinx_extension("light_pages")


@pytest.fixture
def icons(sphinx_extension: Callable[[str], ModuleType]) -> ModuleType:
    return sphinx_extension("light_icons")


@pytest.mark.parametrize("name", WEIGHED)
def test_a_page_is_light(name: str, browser: Browser, address: str) -> None:
    context = browser.new_context()
    page, answers = context.new_page(), list[Response]()

    def answered(response: Response) -> None:  # playwright sets an attribute on what it is given
        answers.append(response)

    page.on("response", answered)
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
def test_a_page_loads_what_it_uses(pages: ModuleType, body: str, kept: tuple[str, ...]) -> None:
    lighter = pages.lighten("<head>" + "\n".join(SCRIPTS) + f"</head>{body}", search=False)
    assert "".join(lighter.split("\n")) == f"<head>{''.join(kept)}</head>{body}"


def test_tables_become_files_beside_the_page(pages: ModuleType) -> None:
    code = base64.b64encode(b"# run\na,b\n1,2\n").decode()
    address = f"data:text/csv;charset=utf-8;base64,{code}"
    certificate = "data:application/octet-stream;base64," + base64.b64encode(b"\0\1").decode()
    kept: dict[str, bytes] = {}

    def keep(name: str, data: bytes) -> str:
        kept[name] = data
        return f"tables/{name}"

    text = (
        f'<a download="one.csv" href="{address}">Download as CSV</a> <a href="{address}" download="two.csv">'
        f'<a href="{certificate}" download="three.npz"> <a href="{address}">shown</a>'
    )
    assert pages.apart(text, keep) == (
        '<a download="one.csv" href="tables/one.csv">Download as CSV</a> <a href="tables/two.csv" download="two.csv">'
        f'<a href="tables/three.npz" download="three.npz"> <a href="{address}">shown</a>'
    )
    rows = b"# run\na,b\n1,2\n"
    assert kept == {"one.csv": rows, "two.csv": rows, "three.npz": b"\0\1"}


def test_icons_are_those_of_names_and_of_the_styles(icons: ModuleType, tmp_path: Path) -> None:
    style = (
        '.fa-bars:before,.fa-navicon:before{content:"\\f0c9"}.fa-moon:before{content:"\\f186"}'
        '.fa-sun::before{content:"\uf185"}html{--pst-icon-bell:"\uf0f3"}'
    )
    assert icons.codes_used(style, ['<span class="fa-solid fa-bars"></span>']) == {0xF0C9, 0xF0F3}
    assert icons.codes_used(style, ["fa-navicon fa-sun", 'a:after{content:"\\f107"}']) == {
        0xF0C9, 0xF0F3, 0xF107, 0xF185,
    }  # fmt: skip
    icons.write_font(tmp_path / "icons.ttf", {0xF0C9, 0xF107})
    assert set(TTFont(tmp_path / "icons.ttf").getBestCmap()) == {0xF0C9, 0xF107}


def test_the_book_has_every_icon_that_a_page_names(icons: ModuleType, html: Path) -> None:
    style = (html / "_static" / "styles" / "pydata-sphinx-theme.css").read_text(encoding="utf-8")
    codes = icons.codes_used(style, [(html / page).read_text(encoding="utf-8") for page in WEIGHED])
    brands = set(TTFont(html / "_static" / icons.FONT.replace("solid-900", "brands-400")).getBestCmap())
    assert codes - brands <= set(TTFont(html / "_static" / icons.FONT).getBestCmap())
    assert "woff2) format" not in style[: style.index("fa-solid-900.ttf")].rsplit("{", 1)[1]
