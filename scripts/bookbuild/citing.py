"""Generated pieces of the pages for those who cite: BibTeX, and the licences of the data."""

from __future__ import annotations

from compactml import chapters, datasets
from compactml.study.page.citation import bibtex, own_bibtex


def bibtex_lines() -> str:
    """Return this work and the papers of all chapters as BibTeX, for a page."""
    parts = ["This work, from `CITATION.cff`:", _fenced(own_bibtex()), "The papers, chapter by chapter:"]
    parts += [_fenced(bibtex(chapter.citation)) for chapter in chapters.every_chapter()]
    return "\n\n".join(parts) + "\n"


def _fenced(text: str) -> str:
    return f"```bibtex\n{text}\n```"


def data_licences() -> str:
    """Return the registered datasets with their sources and licences, as a table for a page."""
    rows = datasets.describe()[["key", "upstream", "licence"]].itertuples(index=False)
    lines = [f"| `{key}` | {_cell(upstream)} | {_cell(licence)} |" for key, upstream, licence in rows]
    return "\n".join(["| Dataset | Source | Licence |", "|---|---|---|", *lines, ""])


def _cell(text: object) -> str:
    return str(text).replace("|", "\\|")
