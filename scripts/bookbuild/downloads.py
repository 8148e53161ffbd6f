"""Notebooks as the pages offer them for download: the prose reads without Jupyter Book, numbers and citations in it.

A page is made from MyST: ``{glue:text}`` puts a number into a sentence, ``{cite:t}`` a name, ``{doc}`` a link.
JupyterLab, Colab and code hosts know none of these, so that they are written out here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from os.path import relpath
from pathlib import Path
from typing import Any

import nbformat
from myst_nb.core.variables import format_plain_text
from nbformat import NotebookNode
from pybtex.database import BibliographyData, Person, parse_file
from pybtex.richtext import Text

from bookbuild.project import Project, write_text

RECORD = "application/papermill.record/text/plain"
ROLE = re.compile(r"\{([a-z]+(?::[a-z]+)*)\}`([^`]+)`")
TITLED = re.compile(r"(?P<title>.*\S)\s*<(?P<target>[^>]+)>", re.DOTALL)
DIRECTIVE = re.compile(
    r"^(?P<fence>`{3,}|:{3,})\{(?P<name>[a-z:-]+)\} *(?P<title>[^\n]*)\n(?P<body>.*?)^(?P=fence) *$",
    re.M | re.S,
)
OPTION = re.compile(r"^:([a-z-]+): *(.*)\n", re.M)
LABEL = re.compile(r"^\([a-z0-9_-]+\)=\n", re.M)
COMMENT = re.compile(r"<!--.*?-->\n?", re.S)
NARROW = re.compile(r'<div class="cm-narrow">.*?</div>', re.S)
DISPLAYED = re.compile(r"\$\$(?P<body>.*?)\$\$ *\((?P<label>[a-z0-9_-]+)\)", re.S)


def write_downloads(project: Project, html: Path) -> None:
    """Replace the notebooks that the pages of a built book offer."""
    citations = Citations(project.root / "book" / "references.bib")
    for name in project.notebooks():
        notebook = nbformat.read(project.executed(name), as_version=4)
        page = (html / f"{name}.html").read_text(encoding="utf-8")
        readable = Reader(project, name, glued(notebook), citations, page).readable(notebook)
        write_text(html / "_sources" / f"{name}.ipynb", nbformat.writes(readable) + "\n")


def glued(notebook: Mapping[str, Any]) -> dict[str, str]:
    """Return what an executed notebook makes known to its prose, by name: values as Python writes them."""
    outputs = (output for cell in notebook["cells"] for output in cell.get("outputs", ()))
    return {
        output["metadata"]["scrapbook"]["name"]: output["data"][RECORD]
        for output in outputs
        if "scrapbook" in output.get("metadata", {}) and RECORD in output["data"]
    }


class Citations:
    """The names and years of a bibliography."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def _entries(self) -> BibliographyData:
        return parse_file(str(self.path))

    def textual(self, keys: str) -> str:
        """Return "Nakamura and Sakurada (2022)"; several keys stand with commas between."""
        return ", ".join(f"{names} ({year})" for names, year in map(self._said, keys.split(",")))

    def parenthetical(self, keys: str) -> str:
        """Return "(Nakamura and Sakurada, 2022)"."""
        return f"({'; '.join(f'{names}, {year}' for names, year in map(self._said, keys.split(',')))})"

    def _said(self, key: str) -> tuple[str, str]:
        entry = self._entries.entries[key.strip()]
        names = [_surname(person) for person in entry.persons.get("author") or entry.persons["editor"]]
        said = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
        return said, str(entry.fields["year"])


def _surname(person: Person) -> str:
    return " ".join(str(Text.from_latex(part)) for part in [*person.prelast_names, *person.last_names])


def _without_narrow(output: NotebookNode) -> NotebookNode:
    """Return an output without the drawings for narrow screens, which only the book's style sheet hides."""
    html = output.get("data", {}).get("text/html")
    if html is None:
        return output
    wide: NotebookNode = nbformat.from_dict(
        {**output, "data": {**output["data"], "text/html": NARROW.sub("", html)}}
    )
    return wide


@dataclass
class Reader:
    """Writes out the prose of one notebook.

    Attributes
    ----------
    project : Project
    name : str
        Of the notebook, as the table of contents has it.
    values : mapping of str to str
        That the prose refers to, from `glued`.
    citations : Citations
    page : str
        Its HTML, for the numbers of equations.
    """

    project: Project
    name: str
    values: Mapping[str, str]
    citations: Citations
    page: str

    def readable(self, notebook: NotebookNode) -> NotebookNode:
        """Return a copy whose prose any viewer of notebooks can show."""
        cells: list[NotebookNode] = []
        for cell in notebook.cells:
            copy = nbformat.from_dict(dict(cell))
            cells.append(copy)
            if cell.cell_type == "markdown":
                copy["source"] = self.prose(cell.source)
                continue
            copy["outputs"] = [
                _without_narrow(one)
                for one in cell.get("outputs", ())
                if "scrapbook" not in one.get("metadata", {})
            ]
        written: NotebookNode = nbformat.from_dict({**notebook, "cells": cells})
        for number, cell in enumerate(written.cells):
            cell["id"] = f"cell-{number}"
        return written

    def prose(self, text: str) -> str:
        """Write out MyST's directives, targets and roles."""
        text = COMMENT.sub("", LABEL.sub("", text))
        while DIRECTIVE.search(text):
            text = DIRECTIVE.sub(self._directive, text)
        text = DISPLAYED.sub(lambda found: self._equation(found["body"], found["label"]), text)
        return ROLE.sub(lambda found: self._role(found[1], found[2]), text)

    def _directive(self, found: re.Match[str]) -> str:
        options = dict(OPTION.findall(found["body"]))
        body = OPTION.sub("", found["body"]).strip()
        if found["name"] == "math":
            return self._equation(f"\n{body}\n", options.get("label", ""))
        title = f"**{found['title'].strip()}**\n\n" if found["title"].strip() else ""
        return "\n".join(f"> {line}".rstrip() for line in f"{title}{body}".splitlines())

    def _equation(self, body: str, label: str) -> str:
        number = self._number(f"equation-{label}").strip("()") if label else ""
        tag = rf"\tag{{{number}}}" if number else ""
        return f"$${body}{tag}$$"

    def _role(self, role: str, content: str) -> str:
        titled = TITLED.fullmatch(content)
        title, target = (titled["title"], titled["target"]) if titled else ("", content)
        if role == "glue:text":
            return self._glued(content)
        if role == "cite:t":
            return self.citations.textual(content)
        if role == "cite:p":
            return self.citations.parenthetical(content)
        if role == "doc":
            return self._link(title, target)
        if role in ("eq", "ref"):
            return title or self._number(f"equation-{target}" if role == "eq" else target) or target
        return f"`{title or target.lstrip('~').lstrip('.')}`"

    def _glued(self, content: str) -> str:
        name, _, form = content.partition(":")
        if name not in self.values:
            raise KeyError(f"{self.name}: the prose names {name!r}, which no cell makes known")
        return str(format_plain_text(self.values[name], form))

    def _link(self, title: str, target: str) -> str:
        """Link a page by its place in the repository; a page that only the built book has stays a title."""
        folder = Path(self.name).parent
        page = Path(relpath(target.lstrip("/") if target.startswith("/") else folder / target))
        source = self.project.root / f"{page}.md"
        if not source.is_file():
            return title or page.name
        title = title or next(
            line.removeprefix("# ").strip()
            for line in source.read_text(encoding="utf-8").splitlines()
            if line.startswith("# ")
        )
        suffix = ".ipynb" if page.parts[0] == "notebooks" else ".md"
        return f"[{ROLE.sub(lambda found: found[2], title)}]({relpath(f'{page}{suffix}', folder)})"

    def _number(self, anchor: str) -> str:
        """Return what a link of the page to an equation or a section says: "(10.3)"."""
        link = re.search(
            rf'<a class="reference internal" href="#{re.escape(_id(anchor))}"[^>]*>(.*?)</a>', self.page
        )
        return unescape(re.sub(r"<[^>]+>", "", link[1])).strip() if link else ""


def _id(anchor: str) -> str:
    return anchor.replace("_", "-")
