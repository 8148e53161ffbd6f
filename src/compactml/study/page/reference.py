"""References as text: a paper of the bibliography, this work, and a table of it."""

from __future__ import annotations

from functools import cache
from typing import Any

from compactml.study.page.citation import bibtex, this_work

__all__ = ["own_reference", "paper_reference", "paper_title", "table_reference"]


@cache
def paper_reference(key: str) -> str:
    """Return an entry of ``book/references.bib`` as text: authors, year, title, where, DOI or arXiv number.

    Raises
    ------
    RepositoryNotFound
        The file or the entry is not there.
    """
    entry = _entry(key)
    people = [_person(person) for person in entry.persons["author"]]
    where = entry.fields.get("journal", entry.fields.get("booktitle", ""))
    address = ""
    if "doi" in entry.fields:
        address = f"https://doi.org/{entry.fields['doi']}"
    elif entry.fields.get("archivePrefix") == "arXiv":
        address = f"arXiv:{entry.fields['eprint']}"
    parts = [f"{_and(people)} ({entry.fields['year']})", paper_title(key), _plain(where), address]
    return _sentences(parts)


def paper_title(key: str) -> str:
    """Return the title of an entry of ``book/references.bib`` as text."""
    return _plain(_entry(key).fields["title"])


def _entry(key: str) -> Any:
    from pybtex.database import parse_string  # of the book's requirements: the library does without

    return parse_string(bibtex(key), "bibtex").entries[key]


def _plain(latex: str) -> str:
    from pybtex.richtext import Text

    return str(Text.from_latex(latex))


def own_reference() -> str:
    """Return this work as text, from ``CITATION.cff``.

    Raises
    ------
    RepositoryNotFound
    """
    work = this_work()
    parts = [f"{_and(work.authors)} ({work.year})", work.title, f"Version {work.version}", work.url]
    return _sentences(parts)


def table_reference(name: str, caption: str | None, source: str | None, paper: str = "") -> str:
    """Return how a table of the book is cited: what it shows, of which paper, in which work, by which runs.

    Parameters
    ----------
    name : str
        Of the download.
    caption : str or None
        Its first sentence is taken.
    source : str or None
        Where the numbers come from; None for a table that no run is behind.
    paper : str, optional
        Key of the paper in ``book/references.bib``.

    Raises
    ------
    RepositoryNotFound
        The files that say how to cite are not there, as where only the package is installed.
    """
    title = (caption or name.replace("_", " ")).split(". ")[0].rstrip(".")
    runs = source or "no run is behind it"
    about = f" The paper: {paper_reference(paper)}" if paper else ""
    return f"{title} ({name}; {runs}). In: {own_reference()}{about}"


def _person(person: Any) -> str:
    """Return a person's last name with initials."""
    last = " ".join(str(part) for part in (*person.rich_prelast_names, *person.rich_last_names))
    first = (str(part) for part in (*person.rich_first_names, *person.rich_middle_names))
    initials = " ".join(f"{part.strip('.')[0]}." for part in first if part)
    return f"{last}, {initials}" if initials else last


def _and(names: list[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _sentences(parts: list[str]) -> str:
    return " ".join(part if part.endswith((".", "?", "!")) else f"{part}." for part in parts if part)
