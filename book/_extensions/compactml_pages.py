"""Sphinx extension: commits as links where the repository is known, and a search that finds what readers look for.

Names of the chapters' machinery have places on the pages of the reference, to which figures refer, and stay out of the
search, where they would stand before the chapters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.domains.python import PythonDomain

from compactml.chapters import chapter
from compactml.study.page.reference import paper_title

MACHINERY = re.compile(r"compactml\.(chapters|study|book|cli)(\.|$)")
LINE = re.compile(r'<p class="cm-(?:note|run)">.*?</p>', re.DOTALL)
FIRST_PAGE = re.compile(r"notebooks/(\w+)/01_")
COMMITS = re.compile(r"commit ((?:[0-9a-f]{7,40}(?:, )?)+)")
COMMIT = re.compile(r"[0-9a-f]{7,40}")


class QuietPythonDomain(PythonDomain):
    """The domain of Python, whose private names the search does not find."""

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        """Yield all objects; a priority below zero keeps one out of the search."""
        for name, shown, kind, page, anchor, priority in super().get_objects():
            yield name, shown, kind, page, anchor, -1 if MACHINERY.match(name) else priority


def name_paper(app: Sphinx, doctree: nodes.document) -> None:
    """Have the first page of a chapter found by all words of its paper's title, whether it says them or not."""
    first = FIRST_PAGE.match(app.env.docname)
    if first is not None:
        title = paper_title(chapter(first[1]).citation)
        words = ", ".join(re.findall(r"\w+", title))
        doctree.insert(0, nodes.meta(name="keywords", content=words))


def link_commits(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Turn the commits of the lines that say where numbers come from into links."""
    address = app.config.compactml_repository
    if address and "body" in context:
        context["body"] = LINE.sub(lambda line: with_links(line[0], address), context["body"])


def with_links(line: str, address: str) -> str:
    """Return a line of HTML whose commits are links into a repository."""

    def linked(commits: re.Match[str]) -> str:
        return COMMIT.sub(lambda one: f'<a href="{address}/commit/{one[0]}">{one[0]}</a>', commits[0])

    return COMMITS.sub(linked, line)


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect."""
    app.add_config_value("compactml_repository", "", "html", types=[str])
    app.add_domain(QuietPythonDomain, override=True)
    app.connect("doctree-read", name_paper)
    app.connect("html-page-context", link_commits)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
