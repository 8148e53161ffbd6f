"""How to cite a chapter's paper and this work, as BibTeX."""

from __future__ import annotations

import re

import yaml

from compactml.study.recording.errors import RepositoryNotFound
from compactml.study.recording.published import home


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


def own_bibtex() -> str:
    """Return a ``@software`` entry made from ``CITATION.cff`` (Citation File Format 1.2).

    Raises
    ------
    RepositoryNotFound
    """
    cff = yaml.safe_load(_read("CITATION.cff"))
    fields = {
        "title": cff["title"],
        "author": " and ".join(_author(author) for author in cff["authors"]),
        "version": cff.get("version"),
        "year": str(cff["date-released"])[:4] if "date-released" in cff else None,
        "url": cff.get("repository-code") or cff.get("url"),
        "doi": cff.get("doi"),
    }
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"@software{{compactml,\n{lines}}}"


def _author(author: dict[str, str]) -> str:
    if "family-names" in author:
        return ", ".join(author[part] for part in ("family-names", "given-names") if part in author)
    return "{" + author["name"] + "}"  # braces: an organisation's name is not split into first and last


def _read(name: str) -> str:
    path = home() / name
    if not path.is_file():
        raise RepositoryNotFound(name, str(home()))
    return path.read_text(encoding="utf-8")
