"""How to cite a chapter's paper and this work, as BibTeX."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import Any

import yaml

from compactml.study.recording.errors import RepositoryNotFound
from compactml.study.recording.published import home

REPOSITORY = "COMPACTML_REPOSITORY"
"""Variable with the address of the public repository, from which links to it follow; without it there are none."""


@dataclass(frozen=True)
class Work:
    """What ``CITATION.cff`` says of this work; what is not known is empty.

    Attributes
    ----------
    title : str
    authors : list of str
        "Family, Given", or the name of a group.
    groups : list of bool
        Whether each is the name of a group.
    version, year, url, doi : str
    """

    title: str
    authors: list[str]
    groups: list[bool]
    version: str
    year: str
    url: str
    doi: str


def repository() -> str:
    """Return the address of the public repository, without a slash at its end; empty where none is named."""
    return os.environ.get(REPOSITORY, "").strip().rstrip("/")


def bibtex(key: str) -> str:
    """Return an entry of ``book/references.bib``.

    Raises
    ------
    RepositoryNotFound
        The file or the entry is not there.
    """
    text = _read("book/references.bib")
    found = re.search(rf"^@\w+\{{{re.escape(key)},.*?^\}}", text, re.MULTILINE | re.DOTALL)
    if found is None:
        raise RepositoryNotFound(f"the entry {key} of book/references.bib", str(home()))
    return found.group()


def this_work() -> Work:
    """Return this work, from ``CITATION.cff`` (Citation File Format 1.2), its address from the build if it names one.

    Raises
    ------
    RepositoryNotFound
    """
    cff: dict[str, Any] = yaml.safe_load(_read("CITATION.cff"))
    preferred = cff.get("preferred-citation", {})
    released = str(cff.get("date-released", ""))[:4]
    return Work(
        cff["title"],
        [_author(author) for author in cff["authors"]],
        ["name" in author for author in cff["authors"]],
        str(cff.get("version", "")),
        released or str(preferred.get("year", "")),
        repository() or cff.get("repository-code") or cff.get("url") or "",
        cff.get("doi", ""),
    )


def own_bibtex() -> str:
    """Return this work as a ``@software`` entry.

    Raises
    ------
    RepositoryNotFound
    """
    work = this_work()
    # braces: the name of a group is not split into first and last
    names = [f"{{{name}}}" if group else name for name, group in zip(work.authors, work.groups, strict=True)]
    fields = {
        "title": work.title,
        "author": " and ".join(names),
        "version": work.version,
        "year": work.year,
        "url": work.url,
        "doi": work.doi,
    }
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"@software{{compactml,\n{lines}}}"


def _author(author: dict[str, str]) -> str:
    if "family-names" in author:
        return ", ".join(author[part] for part in ("family-names", "given-names") if part in author)
    return author["name"]


def _read(name: str) -> str:
    path = home() / name
    if not path.is_file():
        raise RepositoryNotFound(name, str(home()))
    return path.read_text(encoding="utf-8")
