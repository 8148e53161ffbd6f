"""Where in the book a table stands: the heading of the first cell that names it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from docutils.nodes import make_id

from bookbuild.project import Part, Project

HEADING = re.compile(r"^#{1,6}\s+(.*\S)\s*$")
FENCE = re.compile(r"^(```|~~~)")
LABELS = r"(?:\([\w-]+\)=\s*)*"
"""What may stand between a comment and the heading below it."""
ASSUMED = re.compile(rf"<!-- rests on:(?:(?!-->).)*-->\s*{LABELS}\Z", re.DOTALL)
"""A comment at the end of a section says what the next heading rests on."""


@dataclass(frozen=True)
class Section:
    """A heading of a notebook: its page without suffix, the anchor, and the source below it."""

    page: str
    anchor: str
    source: str

    @property
    def address(self) -> str:
        """Address from the root of the book."""
        return f"{self.page}.html#{self.anchor}"


def sections(name: str, text: str) -> Iterator[Section]:
    """Split a notebook's text at its headings; a line inside a code block is none."""
    title, body, fenced = "", list[str](), False
    taken: dict[str, int] = {}
    for line in [*text.splitlines(), "# end"]:
        fenced ^= bool(FENCE.match(line))
        heading = None if fenced else HEADING.match(line)
        if heading is None:
            body.append(line)
            continue
        source = "\n".join(body)
        of_next = ASSUMED.search(source)
        if title:
            yield Section(name, _anchor(title, taken), source[: of_next.start()] if of_next else source)
        title, body = heading[1], [of_next[0]] if of_next else []


def _anchor(title: str, taken: dict[str, int]) -> str:
    anchor = make_id(re.sub(r"[$`*]|\{[a-z:]+\}", "", title))
    taken[anchor] = taken.get(anchor, 0) + 1
    return anchor if taken[anchor] == 1 else f"{anchor}-{taken[anchor]}"


def find(chapter: Iterable[Section], names: Iterable[str]) -> Section:
    """Return the first section that names a claim or one of its tables; the first of all at worst.

    Parameters
    ----------
    chapter : iterable of Section
        In the order in which they are to be tried.
    names : iterable of str
        "pace/strict-decrease" (in a comment of the page), "table_2", "fig_4" (in a code cell).
    """
    every = list(chapter)
    for name in names:
        named = re.compile(
            rf"""(?<![\w/-]){re.escape(name)}(?![\w-])"""
            if "/" in name
            else rf"""["']{re.escape(name)}["']"""
        )
        for section in every:
            if named.search(section.source):
                return section
    return every[0]


def chapter_sections(project: Project, part: Part) -> list[Section]:
    """Return the sections of a chapter: those of its reproduction first, then beyond, the method, and the appendix."""
    order = ("02", "03", "01", "04")
    names = sorted(part.notebooks, key=lambda name: order.index(name.split("/")[-1][:2]))
    return [
        section
        for name in names
        for section in sections(name, project.source(name).read_text(encoding="utf-8"))
    ]
