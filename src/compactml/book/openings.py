"""How a chapter opens: one box and one figure that carries the message."""

from __future__ import annotations

from compactml import chapters
from compactml.book import findings as book
from compactml.book.ledger import chapter_ledger
from compactml.book.panels import FROM_CHAPTER, box
from compactml.study.page.picture import Caption, Html, picture
from compactml.study.page.rings import Panel, rings
from compactml.study.recording.tables import claim_tables


def opening_panels(chapter: str) -> list[Panel]:
    """Return what the figure shows that opens a chapter: the published numbers beside the recorded ones."""
    found = chapters.chapter(chapter)
    return [] if found.opening is None else found.opening(claim_tables(found))


def opening(chapter: str) -> Html:
    """Return the box and the figure of a chapter's first page.

    Parameters
    ----------
    chapter : str
        "pace".

    Raises
    ------
    StaleSentence
        A sentence of the box assumes a verdict that is no longer so.
    """
    every, found = chapter_ledger(chapter), book.findings(chapter)
    shown = opening_panels(chapter)
    linked = found.figure.html(every, lambda pattern: book.claim_address(pattern, FROM_CHAPTER))
    caption = Caption(linked, found.figure.without_links(every))
    figure = picture(
        lambda width: rings(shown, width), caption, f"{chapters.chapter(chapter).folder}_opening"
    )
    return Html(f'<div class="cm-opening">{box(chapter)}{figure}</div>')
