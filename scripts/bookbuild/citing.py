"""Generated pieces of the pages for those who cite: BibTeX."""

from __future__ import annotations

from compactml import chapters
from compactml.study.page.citation import bibtex, own_bibtex


def bibtex_lines() -> str:
    """Return this work and the papers of all chapters as BibTeX, for a page."""
    parts = ["This work, from `CITATION.cff`:", _fenced(own_bibtex()), "The papers, chapter by chapter:"]
    parts += [_fenced(bibtex(chapter.citation)) for chapter in chapters.every_chapter()]
    return "\n\n".join(parts) + "\n"


def _fenced(text: str) -> str:
    return f"```bibtex\n{text}\n```"
