"""Names in docstrings: links where the reference lists them, plain where only the code has them, else reported."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

from tests.book.built_book import EXTENSIONS

CONFIGURATION = {
    "extensions": ["project_names"],
    "nitpicky": True,
    "nitpick_ignore_regex": [("py:.*", r"numpy\..*")],
    "default_role": "py:obj",
}
LISTED = """
.. py:module:: compactml.study
.. py:data:: errors
.. py:module:: compactml.pace
.. py:class:: PaceClassifier
.. py:function:: refit
"""


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """Build a page that lists three names, and return its text in HTML and the warnings."""
    monkeypatch.syspath_prepend(str(EXTENSIONS))

    def built(text: str) -> tuple[BeautifulSoup, str]:
        (tmp_path / "index.rst").write_text(f"Page\n====\n{LISTED}\nText: {text}.\n", encoding="utf-8")
        warnings = StringIO()
        with docutils_namespace():  # the nodes that Sphinx registers stay with this build
            app = Sphinx(
                tmp_path, None, tmp_path / "out", tmp_path / "trees", "html", CONFIGURATION, None, warnings
            )
            app.build()
        page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
        return BeautifulSoup(page, "html.parser"), warnings.getvalue()

    yield built
    sys.modules.pop("project_names", None)


@pytest.mark.parametrize(
    ("text", "leads_to"),
    [
        ("`PaceClassifier`", "#compactml.pace.PaceClassifier"),
        ("`refit`", "#compactml.pace.refit"),
        (":py:class:`PaceClassifier`", "#compactml.pace.PaceClassifier"),
        ("`Separator`", None),  # private: the code has it, the reference does not
        ("`compactml.pace.separation`", None),
        (":py:class:`shape`", None),  # a word of a type
        (":py:class:`errors`", None),  # the same, though the reference lists such a name, which is no class
        ("`numpy.ndarray`", None),
    ],
)
def test_what_exists_is_quiet_and_what_is_listed_a_link(
    text: str, leads_to: str | None, build: object
) -> None:
    page, warnings = build(text)  # type: ignore[operator]
    assert "reference target not found" not in warnings
    links = [str(a["href"]) for a in page.select("p a.reference") if "compactml" in str(a["href"])]
    assert links == ([leads_to] if leads_to else [])


@pytest.mark.parametrize(
    "name", ["NoSuchThing", "compactml.nowhere", "compactml.pace.no_such_thing", "scipy.nothing"]
)
def test_what_does_not_exist_is_reported(name: str, build: object) -> None:
    _, warnings = build(f"`{name}`")  # type: ignore[operator]
    assert f"reference target not found: {name}" in warnings
